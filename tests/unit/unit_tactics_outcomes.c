/* When a tactics match ends, and how a turn is counted. */
#include "common/rules/tactics/internal.h"
#include "tests/support/cases.h"
#include "tests/support/say.h"
#include "tests/support/tactics_draw.h"

struct outcome_case {
    const char *label;
    struct drawing position;
    const char *host;
    const char *guest;
    const char *before; /* the outcome of the position itself */
    const char *after;
};

static const struct outcome_case outcome_cases[] = {
    { "both sides stand", { .board = "..b/.../A.." }, NULL, NULL, "goes on", "goes on" },
    { "the turn before the limit",
      { .board = "..b/.../A..", .turn_limit = 9, .turn = 7 },
      NULL,
      NULL,
      "goes on",
      "goes on" },
    { "the turn number reaches the limit",
      { .board = "..b/.../A..", .turn_limit = 9, .turn = 8 },
      NULL,
      NULL,
      "goes on",
      "draw_turn_limit" },
    { "a state handed in at the limit is over",
      { .board = "..b/.../A..", .turn_limit = 9, .turn = 9 },
      NULL,
      NULL,
      "draw_turn_limit",
      "draw_turn_limit" },
    { "and so is one far past it",
      { .board = "..b/.../A..", .turn_limit = 9, .turn = 2147483647 },
      NULL,
      NULL,
      "draw_turn_limit",
      "draw_turn_limit" },
    { "the default limit is 200, not reached",
      { .board = "..b/.../A..", .turn = 198 },
      NULL,
      NULL,
      "goes on",
      "goes on" },
    { "the default limit is 200",
      { .board = "..b/.../A..", .turn = 199 },
      NULL,
      NULL,
      "goes on",
      "draw_turn_limit" },
    { "the placement turn counts",
      { .board = "..b/.../A..", .turn_limit = 1, .start_rows = 1 },
      "A@1,2",
      NULL,
      "goes on",
      "draw_turn_limit" },
    { "a win on the last turn is a win",
      { .board = ".../.b./A..", .healths = "b=1", .turn_limit = 1 },
      "A*1,1",
      NULL,
      "goes on",
      "0 eliminated" },
    { "the guest's too",
      { .board = ".../.b./A..", .healths = "A=1", .turn_limit = 1 },
      NULL,
      "b*0,2",
      "goes on",
      "1 eliminated" },
    { "nobody left on the last turn is no turn limit",
      { .board = ".../.b./A..", .healths = "A=1 b=1", .turn_limit = 1 },
      "A*1,1",
      "b*0,2",
      "goes on",
      "draw_eliminated" },
    { "resigning on the last turn is a resignation",
      { .board = "..b/.../A..", .turn_limit = 1 },
      "resign",
      NULL,
      "goes on",
      "1 resignation" },
    { "only the host is there",
      { .board = ".../.../A.." },
      NULL,
      NULL,
      "0 eliminated",
      "0 eliminated" },
    { "only the guest is there",
      { .board = "..b/.../..." },
      NULL,
      NULL,
      "1 eliminated",
      "1 eliminated" },
    { "nobody is there",
      { .board = ".../.../..." },
      NULL,
      NULL,
      "draw_eliminated",
      "draw_eliminated" },
    { "one of several dying ends nothing",
      { .board = "..c/.b./A..", .healths = "b=1" },
      "A*1,1",
      NULL,
      "goes on",
      "goes on" },
};

static void
expect_outcome(struct table *table, const struct sk_state *state, const char *expected,
               const char *label, const char *when)
{
    struct words words;

    words_init(&words);
    say_outcome(table, state, &words);
    cr_expect_str_eq(words.at, expected, "%s: %s it is %s, expected %s", label, when, words.at,
                     expected);
    words_fini(&words);
}

CASES(tactics_outcomes, are_found_in_every_position_and_after_every_turn, outcome_cases)
{
    const struct outcome_case *c = &outcome_cases[*index];
    struct table table;
    struct command_list lists[2];

    drawing_open(&c->position, &table);
    commands_init(&lists[0], table.ruleset);
    commands_init(&lists[1], table.ruleset);
    drawing_commands(c->host, &lists[0]);
    drawing_commands(c->guest, &lists[1]);
    sk_turn_settle(table.ruleset, table.config, table.match.state);
    expect_outcome(&table, table.match.state, c->before, c->label, "before");
    table_play(&table, (const struct command_list *const[]){ &lists[0], &lists[1] });
    expect_outcome(&table, table.match.state, c->after, c->label, "after");
    commands_fini(&lists[0]);
    commands_fini(&lists[1]);
    table_close(&table);
}

Test(tactics_outcomes, placement_lasts_one_turn)
{
    const struct drawing drawing = { .board = "..b/.../A..", .start_rows = 1 };
    const struct command_list *const nothing[2] = { NULL, NULL };
    struct table table;

    drawing_open(&drawing, &table);
    cr_expect_eq(tactics_position_of(table.match.state)->phase, TACTICS_PLACEMENT);
    table_play(&table, nothing);
    cr_expect_eq(tactics_position_of(table.match.state)->phase, TACTICS_PLAY);
    cr_expect_eq(table.match.state->turn, 1u);
    cr_expect_eq(sk_match_waiting(&table.match), 3u, "both seats owe commands");
    table_close(&table);
}

Test(tactics_outcomes, a_first_state_that_is_decided_is_over_at_once)
{
    const struct drawing drawing = { .board = ".../.../A.." };
    struct table table;

    drawing_open(&drawing, &table);
    expect_outcome(&table, table.match.state, "0 eliminated", "only the host is there", "at once");
    cr_expect_eq(sk_match_waiting(&table.match), 0u, "nobody owes commands");
    table_close(&table);
}
