/* Uses each rule of racers in the installed library once: by name, and the questions. */
#include "common/rules/racers/racers.h"
#include "setup.h"

#define SIDE 10

/* A small board: seat 0 begins beside a teleporter, whose destination is near seat 1. */
static struct sk_cell walls[] = { { 4, 4 }, { 5, 4 } };
static struct sk_cell starts[] = { { 0, 9 }, { 9, 0 } };
static struct racers_item_form items[] = {
    { .at = { 1, 9 }, .kind = RACERS_GRENADE, .state = RACERS_ACTIVE },
    { .at = { 0, 7 }, .kind = RACERS_DISC },
};
static struct racers_teleporter_form teleporters[] = {
    { { 1, 8 }, { 8, 2 } },
    { { 8, 2 }, { 1, 8 } },
};

static const struct racers_command commands[] = {
    { .head = { RACERS_MOVE }, .dir = RACERS_NE },
    { .head = { RACERS_MOVE }, .dir = RACERS_W },
    { .head = { RACERS_PICK_UP }, .item = RACERS_DISC },
    { .head = { RACERS_USE }, .item = RACERS_DISC, .dir = RACERS_NE, .has_dir = true },
    { .head = { RACERS_END_TURN } },
};

static void
ask_moves(const struct match *match)
{
    static const char *const names[] = { "n", "ne", "e", "se", "s", "sw", "w", "nw" };
    sk_verdict verdicts[RACERS_DIRECTIONS];
    uint32_t count = racers_ask_directions(match->turn.config, match->state, 0, verdicts);
    struct racers_move_reasons reasons;

    printf("legal directions: %u:", count);
    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        printf(" %s %s", names[dir], sk_verdict_name(&sk_ruleset_racers, verdicts[dir]));
    }
    printf("\n");
    racers_ask_move(match->turn.config, match->state, 0, RACERS_W, &reasons);
    printf("west: bounds %s, wall %s, player %s, trail %s, diagonal %s, teleport %s\n",
           sk_verdict_name(&sk_ruleset_racers, reasons.in_bounds),
           sk_verdict_name(&sk_ruleset_racers, reasons.wall),
           sk_verdict_name(&sk_ruleset_racers, reasons.player),
           sk_verdict_name(&sk_ruleset_racers, reasons.trail),
           sk_verdict_name(&sk_ruleset_racers, reasons.diagonal),
           sk_verdict_name(&sk_ruleset_racers, reasons.teleport));
    printf("trapped %d, finished %d\n", racers_ask_trapped(match->turn.config, match->state, 0),
           racers_ask_finished(match->turn.config, match->state, 0));
}

static void
ask_squares(const struct match *match)
{
    struct racers_teleport_answer teleport =
        racers_ask_teleport(match->turn.config, match->state, 0, sk_cell(1, 8));
    struct racers_entering_answer grenade =
        racers_ask_entering(match->turn.config, match->state, 0, sk_cell(1, 9));

    printf("teleporter %d, blocked %d, to %d,%d\n", teleport.is_there, teleport.is_blocked,
           teleport.to.x, teleport.to.y);
    printf("on 1,9 it meets %d and loses %d; dark %d\n", grenade.meets, grenade.actions_lost,
           racers_ask_dark(match->turn.config, match->state, sk_cell(1, 9)));
    printf("trail on 0,9 blocks %d, crossing north-east %d\n",
           racers_ask_trail(match->turn.config, match->state, sk_cell(0, 9)),
           racers_ask_crossing(match->turn.config, match->state, 0, RACERS_NE));
}

static void
ask_turns(void)
{
    struct racers_balance paid = racers_penalize((struct racers_balance){ 2, 0 }, 3);
    struct racers_opening opening = racers_open_turn(1, 0, true);

    printf("a penalty of 3 with 2 actions: %d left, debt %d\n", paid.actions_left, paid.debt);
    printf("a turn in the dark with debt 1: skipped %d, actions %d, debt %d\n", opening.is_skipped,
           opening.actions, opening.debt);
}

static void
ask_power(struct match *match)
{
    struct sk_rng rng;
    uint32_t rolled;
    uint32_t expired = 0;

    sk_rng_start(&rng, match->turn.seed, 0, 0);
    rolled = racers_roll_failures(match->turn.config, match->state, &rng);
    printf("rolled %d, dark %d, expired", rolled == 100,
           racers_ask_dark(match->turn.config, match->state, sk_cell(5, 5)));
    for (int turn = 0; turn < SK_RACERS_FAILURE_TURNS; turn++) {
        expired = racers_expire_failures(match->turn.config, match->state);
        printf(" %u", expired);
    }
    printf("\n");
}

static void
ask_flight(const struct match *match)
{
    struct sk_cell path[SK_RACERS_PATH_MAX(SIDE * SIDE)];
    struct racers_flight flight = { .path = path };

    if (racers_ask_flight(match->turn.config, match->state, sk_cell(0, 8), RACERS_E, false,
                          &flight)) {
        printf("a disc lands on %d,%d after %u squares, hit %d\n", path[flight.count - 1].x,
               path[flight.count - 1].y, flight.count - 1, flight.hit);
    }
}

static void
ask_setup(const struct match *match)
{
    printf("setup rules that this board breaks:");
    for (int rule = 0; rule < RACERS_SETUP_RULE_COUNT; rule++) {
        if (!racers_ask_setup(match->turn.config, match->state, (enum racers_setup_rule)rule)) {
            printf(" %s", racers_setup_words[rule]);
        }
    }
    printf("\n");
}

int
main(void)
{
    struct racers_params params = *(const struct racers_params *)sk_ruleset_racers.default_params;
    struct match match;

    params.rows = SIDE;
    params.cols = SIDE;
    params.failure_permille = 0;
    params.has_board = true;
    params.board = (struct racers_ground_form){
        .walls = { walls, 2 },
        .starts = { starts, 2 },
        .items = { items, 2 },
        .teleporters = { teleporters, 2 },
    };
    match_open(&match, &sk_ruleset_racers, &params);
    match.turn.commands[0] = (struct sk_commands){ commands, 1 };
    ask_each_check(&match, 0, commands, 5);
    ask_each_stage(&match);
    ask_moves(&match);
    ask_squares(&match);
    ask_turns();
    ask_flight(&match);
    ask_setup(&match);
    params.failure_permille = 1000;
    match_open(&match, &sk_ruleset_racers, &params);
    ask_power(&match);
    return 0;
}
