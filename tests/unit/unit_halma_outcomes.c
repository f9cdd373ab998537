/* When a halma match ends, and how a turn is counted. */
#include "common/core/rules.h"
#include "common/rules/halma/internal.h"
#include "tests/support/halma_draw.h"
#include "tests/unit/turn_bench.h"

struct outcome_case {
    const char *label;
    struct halma_drawing position;
    const char *host;
    const char *guest;
    const char *before; /* the outcome of the position itself */
    const char *after;
};

static const struct outcome_case outcome_cases[] = {
    { "nobody is there yet", { .board = "A..a" }, "A>0,1", "a>3,1", "goes on", "goes on" },
    { "the turn before the limit",
      { .board = "A..a", .turn_limit = 9, .turn = 7 },
      "A>0,1",
      "a>3,1",
      "goes on",
      "goes on" },
    { "the turn number reaches the limit",
      { .board = "A..a", .turn_limit = 9, .turn = 8 },
      "A>0,1",
      "a>3,1",
      "goes on",
      "draw_turn_limit" },
    { "a turn that is not enacted counts",
      { .board = "A..a", .turn_limit = 9, .turn = 8 },
      NULL,
      NULL,
      "goes on",
      "draw_turn_limit" },
    { "a state handed in at the limit is over",
      { .board = "A..a", .turn_limit = 9, .turn = 9 },
      NULL,
      NULL,
      "draw_turn_limit",
      "draw_turn_limit" },
    { "the default limit is 200, not reached",
      { .board = "A..a", .turn = 198 },
      NULL,
      NULL,
      "goes on",
      "goes on" },
    { "the default limit is 200",
      { .board = "A..a", .turn = 199 },
      NULL,
      NULL,
      "goes on",
      "draw_turn_limit" },
    { "a halmate that is handed in",
      { .board = "AB.a", .goals = "00./......../1" },
      "A>0,1",
      "a>3,1",
      "0 halmate",
      "0 halmate" },
    { "the guest's halmate that is handed in",
      { .board = "AB.a", .goals = "0..1" },
      "B>1,1",
      "a>3,0",
      "draw_both_halmate",
      "draw_both_halmate" },
    { "a halmate past the turn limit is a halmate",
      { .board = "A..a", .goals = "0....1", .turn_limit = 3, .turn = 9 },
      NULL,
      NULL,
      "0 halmate",
      "0 halmate" },
    { "a halmate of one who has stalled is a halmate",
      { .board = "A..a", .goals = "0....1", .faults = { 5, 0 } },
      NULL,
      NULL,
      "0 halmate",
      "0 halmate" },
    { "a pair on a destination is a piece of each",
      { .board = "A..a", .goals = "*", .stands = "a@0,0" },
      NULL,
      NULL,
      "draw_both_halmate",
      "draw_both_halmate" },
    { "four faults are not five",
      { .board = "A..a", .faults = { 4, 4 } },
      NULL,
      NULL,
      "goes on",
      "goes on" },
    { "a host who has stalled",
      { .board = "A..a", .faults = { 5, 0 } },
      NULL,
      NULL,
      "1 stalled",
      "1 stalled" },
    { "a guest who has stalled for long",
      { .board = "A..a", .faults = { 4, 1000 } },
      NULL,
      NULL,
      "0 stalled",
      "0 stalled" },
    { "without a limit nobody stalls",
      { .board = "A..a", .stall_limit = HALMA_NEVER, .faults = { 1000, 1000 } },
      NULL,
      NULL,
      "goes on",
      "goes on" },
    { "stalling on the last turn is stalling",
      { .board = "A..a", .turn_limit = 9, .turn = 8, .faults = { 0, 4 } },
      "A>0,1",
      NULL,
      "goes on",
      "0 stalled" },
    { "resigning comes before all else",
      { .board = "A..a", .goals = ".0..1", .turn_limit = 1, .faults = { 4, 0 } },
      "A>1,0 resign",
      "a>4,0",
      "goes on",
      "1 resignation" },
    { "both resign", { .board = "A..a" }, "resign", "resign", "goes on", "draw_resigned" },
    { "abandoning", { .board = "A..a" }, NULL, "abandon", "goes on", "0 abandoned" },
    { "agreeing", { .board = "A..a" }, "agree_draw", "a>3,1", "goes on", "draw_agreed" },
    { "two timeouts are two who are missing",
      { .board = "A..a", .faults = { 4, 4 } },
      "timeout",
      "timeout",
      "goes on",
      "goes on" },
};

static void
expect_outcome(struct turn_bench *bench, const struct sk_state *state, const char *expected,
               const char *label, const char *when)
{
    say_outcome(&bench->table, state, &bench->words);
    bench_expect(bench, expected, label, when);
}

CASES(halma_outcomes, are_found_in_every_position_and_after_every_turn, outcome_cases)
{
    const struct outcome_case *c = &outcome_cases[*index];
    struct turn_bench bench;
    struct table *table = &bench.table;

    halma_drawing_open(&c->position, table);
    bench_begin(&bench);
    halma_drawing_commands(c->host, &bench.lists[0]);
    halma_drawing_commands(c->guest, &bench.lists[1]);
    table->match.state->outcome = (struct sk_outcome){ .winner = SK_NOBODY };
    sk_turn_settle(table->ruleset, table->config, table->match.state);
    expect_outcome(&bench, table->match.state, c->before, c->label, "before");
    table_play(table, (const struct command_list *const[]){ &bench.lists[0], &bench.lists[1] });
    expect_outcome(&bench, table->match.state, c->after, c->label, "after");
    cr_expect_eq(sk_match_waiting(&table->match), table->match.state->outcome.is_over ? 0u : 3u,
                 "%s: who owes", c->label);
    bench_end(&bench);
}

/* ---- what is handed back and shown ------------------------------------------------------- */

Test(halma_views, show_everything_to_everybody)
{
    const struct halma_drawing drawing = {
        .board = "AB.a", .damages = "B=3", .stands = "a@1,0", .faults = { 1, 2 }
    };
    static const uint8_t audiences[] = { 0, 1, SK_SPECTATOR };
    struct table table;

    halma_drawing_open(&drawing, &table);
    for (size_t i = 0; i < SK_COUNT_OF(audiences); i++) {
        cr_expect_eq(memcmp(table_look(&table, audiences[i]), halma_position_of(table.match.state),
                            halma_position_size(table.config)),
                     0);
    }
    cr_expect_null(table.ruleset->event_is_shown, "nobody hides an event");
    table_close(&table);
}

Test(halma_views, a_silent_seat_does_nothing)
{
    const struct halma_drawing drawing = { .board = "AB.a" };
    struct halma_command command;
    struct table table;

    halma_drawing_open(&drawing, &table);
    cr_expect_not(
        sk_rules_default_command(table.ruleset, table.config, table_look(&table, 0), 0, &command));
    table_close(&table);
}
