/* Single questions of racers that other programs ask: see racers.h. */
#include <stdlib.h>
#include <string.h>

#include "common/rules/racers/internal.h"
#include "tests/support/cases.h"
#include "tests/support/racers_draw.h"
#include "tests/support/racers_random.h"
#include "tests/support/table.h"

/* ---- moves ------------------------------------------------------------------------------- */

struct move_case {
    const char *label;
    const char *position;
    uint8_t seat;
    uint8_t dir;
    const char *verdict;
    const char *reasons; /* those that refuse */
};

static const struct move_case move_cases[] = {
    { "a free square", "A4,4", 0, RACERS_N, "ok", "" },
    { "of the one who is not to act", "A4,4 B6,6", 1, RACERS_NW, "ok", "" },
    { "off the grid", "A0,4", 0, RACERS_W, "out_of_bounds", "in_bounds=out_of_bounds" },
    { "a wall", "A4,4 #4,3", 0, RACERS_N, "wall", "wall=wall" },
    { "the other racer", "A4,4 B4,3", 0, RACERS_N, "occupied", "player=occupied" },
    { "the other's trail", "A4,4 B6,3 B:1 b=4,3@1", 0, RACERS_N, "trail", "trail=trail" },
    { "across the other's chain", "A4,4 B5,4 B:1 b=4,3@1", 0, RACERS_NE, "crosses_trail",
      "diagonal=crosses_trail" },
    { "a teleporter whose destination is taken", "A4,4 B8,8 T4,3>8,8 T8,8>4,3", 0, RACERS_N,
      "blocked", "teleport=blocked" },
    { "each rule is asked alone", "A4,4 B5,4 B:2 b=4,3@2|5,3@1", 0, RACERS_NE, "trail",
      "trail=trail diagonal=crosses_trail" },
    { "no direction at all", "A4,4", 0, RACERS_DIRECTIONS, "bad_direction",
      "in_bounds=bad_direction wall=bad_direction player=bad_direction trail=bad_direction "
      "diagonal=bad_direction teleport=bad_direction" },
};

static void
say_reason(const char *name, sk_verdict verdict, struct words *words)
{
    if (verdict != SK_VERDICT_OK) {
        words_say(words, "%s%s=%s", words->used > 0 ? " " : "", name,
                  sk_verdict_name(&sk_ruleset_racers, verdict));
    }
}

CASES(racers_questions, a_move_is_judged_with_each_rule_apart, move_cases)
{
    const struct move_case *c = &move_cases[*index];
    struct racers_drawing drawing = { .position = c->position };
    struct racers_move_reasons reasons;
    struct table table;
    struct words words;
    sk_verdict verdict;

    words_init(&words);
    racers_draw_open(&drawing, &table);
    verdict = racers_ask_move(table.config, table.match.state, c->seat, c->dir, &reasons);
    cr_expect_str_eq(sk_verdict_name(table.ruleset, verdict), c->verdict, "%s", c->label);
    say_reason("in_bounds", reasons.in_bounds, &words);
    say_reason("wall", reasons.wall, &words);
    say_reason("player", reasons.player, &words);
    say_reason("trail", reasons.trail, &words);
    say_reason("diagonal", reasons.diagonal, &words);
    say_reason("teleport", reasons.teleport, &words);
    cr_expect_str_eq(words.at, c->reasons, "%s: %s", c->label, words.at);
    table_close(&table);
    words_fini(&words);
}

/* Crowded open matches, in which everything occurs: the questions agree with the checks. */
CASES_COUNTED(racers_questions, agree_with_the_checks_in_random_matches, 20)
{
    const struct command_list *pointers[SK_SEATS_MAX] = { NULL };
    void *memory = malloc(RACERS_RANDOM_ARENA);
    struct sk_seed seed = table_seed(*index + 1000);
    struct racers_params params;
    struct sk_arena arena;
    struct table table;
    struct sk_rng rng;

    sk_rng_start(&rng, &seed, 0, 0);
    sk_arena_init(&arena, memory, RACERS_RANDOM_ARENA);
    racers_random_params(&rng, &arena, &params);
    table_open(&table, &sk_ruleset_racers, &params, &seed);
    for (uint32_t i = 0; i < 60 && !table.match.state->outcome.is_over; i++) {
        const struct racers_position *position = racers_position(table.match.state);
        struct command_list list;

        for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
            sk_verdict verdicts[RACERS_DIRECTIONS];
            uint32_t legal = racers_ask_directions(table.config, table.match.state, seat, verdicts);

            for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
                cr_expect_eq(verdicts[dir] == SK_VERDICT_OK,
                             racers_can_move(table.config, position, seat, dir));
            }
            cr_expect_eq(racers_ask_trapped(table.config, table.match.state, seat), legal == 0);
            cr_expect_not(racers_ask_finished(table.config, table.match.state, seat));
        }
        commands_init(&list, table.ruleset);
        table_draw_commands(&table, &rng, &habits_orderly, position->active, &list);
        pointers[0] = pointers[1] = NULL;
        pointers[position->active] = &list;
        table_play(&table, pointers);
        commands_fini(&list);
    }
    table_close(&table);
    free(memory);
}

Test(racers_questions, a_racer_without_a_way_is_trapped)
{
    struct racers_drawing drawing = { .position = "A0,0 S0,9 B9,9 S9,0 #1,0 #1,1 #0,1" };
    sk_verdict verdicts[RACERS_DIRECTIONS];
    struct table table;

    racers_draw_open(&drawing, &table);
    cr_expect(racers_ask_trapped(table.config, table.match.state, 0));
    cr_expect_eq(racers_ask_directions(table.config, table.match.state, 0, verdicts), 0u);
    cr_expect_eq(verdicts[RACERS_N], SK_OUT_OF_BOUNDS);
    cr_expect_eq(verdicts[RACERS_E], RACERS_WALL);
    cr_expect_not(racers_ask_trapped(table.config, table.match.state, 1));
    table_close(&table);
}

/* ---- trails and teleporters -------------------------------------------------------------- */

Test(racers_questions, trail_blocks_its_owner_one_action_less_than_the_other)
{
    struct racers_drawing drawing = { .position = "A4,4 A:3 a=4,5@3|4,6@2|4,7@1" };
    struct table table;

    racers_draw_open(&drawing, &table);
    cr_expect_eq(racers_ask_trail(table.config, table.match.state, sk_cell(4, 5)), 3);
    cr_expect_eq(racers_ask_trail(table.config, table.match.state, sk_cell(4, 6)), 3);
    cr_expect_eq(racers_ask_trail(table.config, table.match.state, sk_cell(4, 7)), 2);
    cr_expect_eq(racers_ask_trail(table.config, table.match.state, sk_cell(4, 8)), 0);
    cr_expect_eq(racers_ask_trail(table.config, table.match.state, sk_cell(-1, 99)), 0);
    table_close(&table);
}

Test(racers_questions, a_diagonal_step_crosses_a_chain)
{
    struct racers_drawing drawing = { .position = "A4,4 B5,4 B:1 b=4,3@1 A:1 a=3,4@1" };
    struct table table;

    racers_draw_open(&drawing, &table);
    cr_expect(racers_ask_crossing(table.config, table.match.state, 0, RACERS_NE));
    cr_expect_not(racers_ask_crossing(table.config, table.match.state, 0, RACERS_N));
    cr_expect_not(racers_ask_crossing(table.config, table.match.state, 0, RACERS_SW));
    cr_expect_not(racers_ask_crossing(table.config, table.match.state, 0, RACERS_DIRECTIONS));
    table_close(&table);
}

Test(racers_questions, a_teleporter_says_where_it_leads_and_whether_it_can_be_used)
{
    struct racers_drawing drawing = { .position = "A4,4 B8,8 T4,3>8,8 T8,8>2,2 T2,2>4,3" };
    struct racers_teleport_answer answer;
    struct table table;

    racers_draw_open(&drawing, &table);
    answer = racers_ask_teleport(table.config, table.match.state, 0, sk_cell(4, 3));
    cr_expect(answer.is_there && answer.is_blocked && sk_cell_same(answer.to, sk_cell(8, 8)));
    answer = racers_ask_teleport(table.config, table.match.state, 0, sk_cell(2, 2));
    cr_expect(answer.is_there && !answer.is_blocked && sk_cell_same(answer.to, sk_cell(4, 3)));
    cr_expect_not(racers_ask_teleport(table.config, table.match.state, 0, sk_cell(5, 5)).is_there);
    table_close(&table);
}

/* ---- what a square does ------------------------------------------------------------------ */

struct entering_case {
    const char *label;
    const char *position;
    struct sk_cell cell;
    uint8_t meets;
    int32_t actions_lost;
};

static const struct entering_case entering_cases[] = {
    { "nothing", "A4,4", { 4, 3 }, RACERS_MEETS_NOTHING, 0 },
    { "an active grenade", "A4,4 x4,3", { 4, 3 }, RACERS_MEETS_GRENADE, 3 },
    { "an active grenade in the dark", "A4,4 x4,3 !5,2/2", { 4, 3 }, RACERS_MEETS_GRENADE, 4 },
    { "the dark", "A4,4 !5,2/2", { 4, 3 }, RACERS_MEETS_DARK, 0 },
    { "a placed grenade", "A4,4 p4,3", { 4, 3 }, RACERS_MEETS_NOTHING, 0 },
    { "one of the setup", "A4,4 g4,3", { 4, 3 }, RACERS_MEETS_NOTHING, 0 },
    { "an exploded one in the dark", "A4,4 e4,3 !4,3/1", { 4, 3 }, RACERS_MEETS_DARK, 0 },
    { "the finish, with all of it", "A8,0 B4,4 x9,0 !9,0/3", { 9, 0 }, RACERS_MEETS_FINISH, 0 },
    { "the own start is no finish", "A1,9 B4,4", { 0, 9 }, RACERS_MEETS_NOTHING, 0 },
};

CASES(racers_questions, what_is_met_on_a_square, entering_cases)
{
    const struct entering_case *c = &entering_cases[*index];
    struct racers_drawing drawing = { .position = c->position };
    struct racers_entering_answer answer;
    struct table table;

    racers_draw_open(&drawing, &table);
    answer = racers_ask_entering(table.config, table.match.state, 0, c->cell);
    cr_expect_eq(answer.meets, c->meets, "%s: %u", c->label, answer.meets);
    cr_expect_eq(answer.actions_lost, c->actions_lost, "%s: %d", c->label, answer.actions_lost);
    table_close(&table);
}

Test(racers_questions, a_racer_on_the_finish_has_finished)
{
    struct racers_drawing drawing = { .position = "A9,0 B4,4" };
    struct table table;

    racers_draw_open(&drawing, &table);
    cr_expect(racers_ask_finished(table.config, table.match.state, 0));
    cr_expect_not(racers_ask_finished(table.config, table.match.state, 1));
    table_close(&table);
}

/* ---- penalties and the start of a turn --------------------------------------------------- */

struct penalty_case {
    struct racers_balance before;
    int32_t penalty;
    struct racers_balance after;
};

static const struct penalty_case penalty_cases[] = {
    { { 2, 0 }, 3, { 0, 1 } },      { { 0, 0 }, 4, { 0, 4 } }, { { 3, 5 }, 2, { 1, 5 } },
    { { 0, 999 }, 3, { 0, 1000 } }, { { 2, 1 }, 0, { 2, 1 } },
};

CASES(racers_questions, a_penalty_is_taken_now_or_owed, penalty_cases)
{
    const struct penalty_case *c = &penalty_cases[*index];
    struct racers_balance after = racers_penalize(c->before, c->penalty);

    cr_expect(after.actions_left == c->after.actions_left && after.debt == c->after.debt);
}

struct opening_case {
    int32_t debt;
    int32_t skip;
    bool is_dark;
    struct racers_opening expected;
};

static const struct opening_case opening_cases[] = {
    { 0, 0, false, { false, 3, 0, 0 } }, { 0, 0, true, { false, 2, 0, 0 } },
    { 2, 0, true, { false, 0, 0, 0 } },  { 4, 0, false, { false, 0, 1, 0 } },
    { 4, 2, true, { true, 0, 4, 1 } },
};

CASES(racers_questions, skips_and_debt_are_taken_at_the_start_of_a_turn, opening_cases)
{
    const struct opening_case *c = &opening_cases[*index];
    struct racers_opening opening = racers_open_turn(c->debt, c->skip, c->is_dark);

    cr_expect(opening.is_skipped == c->expected.is_skipped &&
              opening.actions == c->expected.actions && opening.debt == c->expected.debt &&
              opening.skip == c->expected.skip);
}

/* ---- power ------------------------------------------------------------------------------- */

Test(racers_questions, failures_expire_and_are_rolled)
{
    struct racers_drawing drawing = { .position = "A4,4 !2,2/1 !7,7/3", .failure_permille = 1000 };
    struct racers_position *position;
    struct sk_seed seed = table_seed(3);
    struct table table;
    struct sk_rng rng;

    racers_draw_open(&drawing, &table);
    position = racers_position(table.match.state);
    cr_expect(racers_ask_dark(table.config, table.match.state, sk_cell(3, 3)));
    cr_expect_not(racers_ask_dark(table.config, table.match.state, sk_cell(4, 4)));
    cr_expect_not(racers_ask_dark(table.config, table.match.state, sk_cell(10, 7)));
    cr_expect_eq(racers_expire_failures(table.config, table.match.state), 1u);
    cr_expect_not(racers_ask_dark(table.config, table.match.state, sk_cell(3, 3)));
    cr_expect_eq(position->failure_count, 1);
    cr_expect_eq(racers_failures(table.config, position)[0].turns_left, 2);
    sk_rng_start(&rng, &seed, 0, 0);
    cr_expect_eq(racers_roll_failures(table.config, table.match.state, &rng), 100u);
    cr_expect(racers_ask_dark(table.config, table.match.state, sk_cell(4, 4)));
    cr_expect_eq(racers_roll_failures(table.config, table.match.state, &rng), 100u);
    cr_expect_eq(racers_roll_failures(table.config, table.match.state, &rng), 0u, "it is full");
    table_close(&table);
}

/* ---- discs ------------------------------------------------------------------------------- */

struct flight_case {
    const char *label;
    const char *position;
    uint8_t dir;
    bool is_charged;
    const char *path; /* NULL = refused */
    int hit;
};

static const struct flight_case flight_cases[] = {
    { "four squares", "A0,9", RACERS_E, false, "0,9 1,9 2,9 3,9 4,9", SK_NOBODY },
    { "to the edge when charged", "A0,9", RACERS_N, true, "0,9 0,8 0,7 0,6 0,5 0,4 0,3 0,2 0,1 0,0",
      SK_NOBODY },
    { "before a wall", "A0,9 #2,9", RACERS_E, false, "0,9 1,9", SK_NOBODY },
    { "at once before the edge", "A0,9", RACERS_W, false, "0,9", SK_NOBODY },
    { "a racer is hit", "A0,9 B2,9", RACERS_E, false, "0,9 1,9 2,9", 1 },
    { "the dark shortens it", "A0,9 !0,9/2", RACERS_E, false, "0,9 1,9 2,9", SK_NOBODY },
    { "through a teleporter", "A0,9 T1,9>5,5 T5,5>1,9", RACERS_E, false, "0,9 1,9 5,5 6,5 7,5 8,5",
      SK_NOBODY },
    { "not diagonally", "A0,9", RACERS_NE, false, NULL, SK_NOBODY },
    { "not in a direction that is none", "A0,9", RACERS_DIRECTIONS, false, NULL, SK_NOBODY },
};

CASES(racers_questions, a_disc_has_a_path_a_landing_and_a_hit, flight_cases)
{
    const struct flight_case *c = &flight_cases[*index];
    struct racers_drawing drawing = { .position = c->position };
    struct sk_cell path[SK_RACERS_PATH_MAX(100)];
    struct racers_flight flight = { .path = path };
    struct table table;
    struct words words;
    bool is_flown;

    words_init(&words);
    racers_draw_open(&drawing, &table);
    is_flown = racers_ask_flight(table.config, table.match.state, sk_cell(0, 9), c->dir,
                                 c->is_charged, &flight);
    cr_expect_eq(is_flown, c->path != NULL, "%s", c->label);
    if (is_flown) {
        for (uint32_t i = 0; i < flight.count; i++) {
            words_say(&words, "%s%d,%d", i > 0 ? " " : "", path[i].x, path[i].y);
        }
        cr_expect_str_eq(words.at, c->path, "%s: %s", c->label, words.at);
        cr_expect_eq(flight.hit, c->hit, "%s", c->label);
    }
    cr_expect_not(racers_ask_flight(table.config, table.match.state, sk_cell(0, 10), RACERS_N, true,
                                    &flight));
    table_close(&table);
    words_fini(&words);
}

/* ---- the setup --------------------------------------------------------------------------- */

static void
say_broken(const struct table *table, struct words *words)
{
    for (uint32_t rule = 0; rule < RACERS_SETUP_RULE_COUNT; rule++) {
        if (!racers_ask_setup(table->config, table->match.state, (enum racers_setup_rule)rule)) {
            words_say(words, "%s%s", words->used > 0 ? " " : "", racers_setup_words[rule]);
        }
    }
}

/* All that a 10 x 10 board needs; a case adds or spoils something. */
#define WALLS  "#4,4 #4,5"
#define NEAR_A "g1,8 d2,7"
#define NEAR_B "g8,1 d7,2"
#define HOPS   "T2,2>6,6 T6,6>7,7 T7,7>2,2"
#define FAIR   "c5,5"

struct setup_case {
    const char *label;
    const char *position;
    const char *broken;
};

static const struct setup_case setup_cases[] = {
    { "a board as it should be", WALLS " " NEAR_A " " NEAR_B " " HOPS " " FAIR, "" },
    { "without a charged disc", WALLS " " NEAR_A " " NEAR_B " " HOPS, "" },
    { "other starts", "S1,9 S9,0 A1,9 " WALLS " " NEAR_A " " NEAR_B " " HOPS, "starts" },
    { "no wall", NEAR_A " " NEAR_B " " HOPS, "wall_count" },
    { "a wall of one square", "#4,4 " NEAR_A " " NEAR_B " " HOPS, "wall_shape" },
    { "a wall that is too long", "#3,4 #4,4 #5,4 #6,4 #7,4 #8,4 " NEAR_A " " NEAR_B " " HOPS,
      "wall_shape" },
    { "a wall as long as may be", "#3,4 #4,4 #5,4 #6,4 #7,4 " NEAR_A " " NEAR_B " " HOPS, "" },
    { "walls that touch diagonally", "#3,4 #4,4 #5,5 #6,5 " NEAR_A " " NEAR_B " " HOPS,
      "wall_shape" },
    { "a wall in the way of all",
      "#0,5 #1,5 #2,5 #3,5 #4,5 #5,5 #6,5 #7,5 #8,5 #9,5 " NEAR_A " " NEAR_B " " HOPS,
      "wall_shape way" },
    { "a grenade too many", WALLS " " NEAR_A " " NEAR_B " g5,5 " HOPS, "grenades" },
    { "a disc too few", WALLS " " NEAR_A " g8,1 " HOPS, "discs near_disc" },
    { "a grenade far from its start", WALLS " g5,5 d2,7 " NEAR_B " " HOPS, "near_grenade" },
    { "a disc far from its start", WALLS " g1,8 d5,5 " NEAR_B " " HOPS, "near_disc" },
    { "two teleporters only", WALLS " " NEAR_A " " NEAR_B " T2,2>6,6 T6,6>2,2", "teleporters" },
    { "an item on a start", WALLS " g0,9 d2,7 " NEAR_B " " HOPS, "places" },
    { "two discs on a square", WALLS " g1,8 d2,7 d2,7 g8,1 " HOPS, "places near_disc" },
    { "a grenade that is active", WALLS " x1,8 d2,7 " NEAR_B " " HOPS, "places" },
    { "a charged disc nearer to one", WALLS " " NEAR_A " " NEAR_B " " HOPS " c1,7",
      "charged_disc" },
    { "two charged discs", WALLS " " NEAR_A " " NEAR_B " " HOPS " " FAIR " c6,4", "charged_disc" },
};

CASES(racers_questions, each_promise_of_the_setup_can_be_asked_of_a_board, setup_cases)
{
    const struct setup_case *c = &setup_cases[*index];
    struct racers_drawing drawing = { .position = c->position };
    struct table table;
    struct words words;

    words_init(&words);
    racers_draw_open(&drawing, &table);
    say_broken(&table, &words);
    cr_expect_str_eq(words.at, c->broken, "%s: %s", c->label, words.at);
    table_close(&table);
    words_fini(&words);
}

/* Boards that neither params nor states can describe: the questions answer anyway. */
Test(racers_questions, boards_that_cannot_be_are_judged_too)
{
    struct racers_drawing drawing = { .position = WALLS " " NEAR_A " " NEAR_B " " HOPS };
    struct racers_position *position;
    struct table table;
    struct words words;

    words_init(&words);
    racers_draw_open(&drawing, &table);
    position = racers_position(table.match.state);
    racers_teleporter_space(table.config, position)[0].to = (struct racers_spot){ 2, 2 };
    racers_wall_add(table.config, position, position->start[0]);
    say_broken(&table, &words);
    cr_expect_str_eq(words.at, "wall_shape wall_place destinations", "%s", words.at);
    table_close(&table);
    words_fini(&words);
}

CASES_COUNTED(racers_questions, random_setups_keep_every_promise, 60)
{
    struct racers_params params = *(const struct racers_params *)sk_ruleset_racers.default_params;
    struct sk_seed seed = table_seed(*index);
    struct table table;
    struct words words;

    params.rows = SK_RACERS_GRID_MIN + (int32_t)(*index % 7) * 9;
    params.cols = SK_RACERS_GRID_MIN + (int32_t)(*index % 5) * 13;
    words_init(&words);
    table_open(&table, &sk_ruleset_racers, &params, &seed);
    say_broken(&table, &words);
    cr_expect_str_eq(words.at, "", "%s", words.at);
    table_close(&table);
    words_fini(&words);
}
