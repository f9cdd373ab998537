/* Uses each rule of tactics in the installed library once: by name, in groups, and the
 * questions. */
#include "common/rules/tactics/tactics.h"
#include "setup.h"

/* Of the default roster: a scout and an archer of seat 0, two units of seat 1. */
static const struct tactics_command host[] = {
    { { TACTICS_MOVE }, { "a1" }, { 2, 5 } },
    { { TACTICS_ATTACK }, { "a2" }, { 2, 5 } },
    { { TACTICS_PLACE }, { "a3" }, { 0, 0 } },
    { { TACTICS_MOVE }, { "b1" }, { -1, 0 } },
};
static const struct tactics_command guest[] = {
    { { TACTICS_MOVE }, { "b1" }, { 6, 3 } },
    { { TACTICS_MOVE }, { "b2" }, { 2, 5 } },
};

static void
ask_groups(struct match *match)
{
    static const struct {
        const char *name;
        const char *const *checks;
    } groups[] = {
        { "moves", tactics_move_checks },
        { "attacks", tactics_attack_checks },
        { "placements", tactics_place_checks },
    };

    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        struct sk_check_in in = look(match, 0, host, 4);

        if (sk_validate_some(&in, groups[i].checks) == SK_OK) {
            print_verdicts(groups[i].name, &in);
        }
    }
}

static void
ask_conflicts(void)
{
    const struct sk_commands commands[2] = { { host, 4 }, { guest, 2 } };
    struct tactics_conflict pair;
    uint32_t count = tactics_conflicts(commands, &pair, 1);

    printf("conflicts: %u, %s and %s at %d,%d\n", count, host[pair.move[0]].unit.at,
           guest[pair.move[1]].unit.at, pair.at.x, pair.at.y);
}

static void
ask_deaths(void)
{
    struct tactics_unit_form units[] = { { .seat = 0, .health = 0 }, { .seat = 1, .health = 7 } };
    struct tactics_position_form position = { .phase = TACTICS_PLAY, .units = { units, 2 } };
    struct sk_outcome outcome;
    uint32_t place;
    uint32_t count = tactics_deaths(&position, &place, 1);

    printf("deaths: %u, the first is unit %u\n", count, place);
    if (tactics_is_decided(&position, &outcome)) {
        printf("winner: %d, %s\n", outcome.winner,
               sk_reason_name(&sk_ruleset_tactics, outcome.reason));
    }
}

static void
ask_result(struct match *match)
{
    struct tactics_result result;

    sk_turn_resolve(&match->turn);
    tactics_result(&match->turn, &result);
    printf("result: %u moves, %u attacks, %u conflicts, %u updated, over %d, draw %d, winner %d\n",
           result.move_count, result.attack_count, result.conflict_count, result.updated_count,
           result.is_over, result.is_draw, result.winner);
}

int
main(void)
{
    struct tactics_params params =
        *(const struct tactics_params *)sk_ruleset_tactics.default_params;
    struct match match;

    params.placement = false;
    match_open(&match, &sk_ruleset_tactics, &params);
    match.turn.commands[0] = (struct sk_commands){ host, 4 };
    match.turn.commands[1] = (struct sk_commands){ guest, 2 };
    ask_each_check(&match, 0, host, 4);
    ask_each_stage(&match);
    ask_groups(&match);
    ask_conflicts();
    ask_deaths();
    ask_result(&match);
    return 0;
}
