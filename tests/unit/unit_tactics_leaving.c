/* Commands that every ruleset takes, on a tactics board: leaving, and what comes after the end. */
#include "common/core/snapshot.h"
#include "tests/unit/verdict_case.h"

struct leaving_case {
    const char *label;
    const char *host;
    const char *guest;
    const char *host_gets;
    const char *guest_gets;
    const char *outcome;
    const char *after; /* NULL = the board stays as it is, and nothing happens */
};

#define BOARD "..b/.../A.."

static const struct leaving_case leaving_cases[] = {
    { "the host resigns", "resign", NULL, "ok", "", "1 resignation", NULL },
    { "the guest resigns", NULL, "resign", "", "ok", "0 resignation", NULL },
    { "both resign at once", "resign", "resign", "ok", "ok", "draw_resigned", NULL },
    { "the host stayed away", "abandon", NULL, "ok", "", "1 abandoned", NULL },
    { "the guest stayed away", NULL, "abandon", "", "ok", "0 abandoned", NULL },
    { "both stayed away", "abandon", "abandon", "ok", "ok", "draw_resigned", NULL },
    { "one resigns, the other stayed away", "resign", "abandon", "ok", "ok", "draw_resigned",
      NULL },
    { "a draw agreed, given for the host", "agree_draw", NULL, "ok", "", "draw_agreed", NULL },
    { "a draw agreed, given for the guest", NULL, "agree_draw", "", "ok", "draw_agreed", NULL },
    { "a draw agreed, given for both", "agree_draw", "agree_draw", "ok", "ok", "draw_agreed",
      NULL },
    { "commands beside a resignation come too late", "A>0,1 resign A*1,1", "b>2,1",
      "match_over ok match_over", "match_over", "1 resignation", NULL },
    { "refused ones too", "Z>0,1 A>99,99", "resign A>0,1", "match_over match_over", "ok match_over",
      "0 resignation", NULL },
    { "commands beside an abandonment come too late", "A>0,1", "b>2,1 abandon", "match_over",
      "match_over ok", "0 abandoned", NULL },
    { "commands beside an agreed draw come too late", "A>0,1 agree_draw", "b>2,1", "match_over ok",
      "match_over", "draw_agreed", NULL },
    { "a timeout beside a resignation comes too late", "timeout resign", "timeout", "match_over ok",
      "match_over", "1 resignation", NULL },
    { "resigning twice is resigning once", "resign resign", NULL, "ok match_over", "",
      "1 resignation", NULL },
    { "a resignation goes before the other seat's agreed draw", "resign", "agree_draw", "ok",
      "match_over", "1 resignation", NULL },
    { "and before the own one", "agree_draw resign", NULL, "match_over ok", "", "1 resignation",
      NULL },
    { "a resignation goes before an abandonment of the same seat", "resign abandon", NULL,
      "ok match_over", "", "1 resignation", NULL },
    { "in whatever order they came", "abandon resign", NULL, "match_over ok", "", "1 resignation",
      NULL },
    { "a timeout has no effect of its own", "timeout", NULL, "ok", "", "goes on", NULL },
    { "timeouts of both", "timeout", "timeout timeout", "ok", "ok ok", "goes on", NULL },
    { "what came before a timeout counts", "A>0,1 timeout", "timeout b>2,1", "ok ok", "ok ok",
      "goes on", ".../A.b/..." },
    { "nothing at all", NULL, NULL, "", "", "goes on", NULL },
};

static void
expect_leaving(const struct leaving_case *c, const struct drawing *position)
{
    const struct verdict_case commands = { .position = *position,
                                           .host = c->host,
                                           .guest = c->guest };
    struct turn_bench bench;
    struct table *table = &bench.table;

    bench_open(&bench, &commands);
    table_resolve(table, (const struct command_list *const[]){ &bench.lists[0], &bench.lists[1] });
    bench_expect_verdicts(&bench, 0, c->host_gets, c->label, "seat 0");
    bench_expect_verdicts(&bench, 1, c->guest_gets, c->label, "seat 1");
    say_outcome(table, table->turn.after, &bench.words);
    bench_expect(&bench, c->outcome, c->label, "outcome");
    drawing_say_board(table, table->turn.after, &bench.words);
    bench_expect(&bench, c->after == NULL ? position->board : c->after, c->label, "board");
    cr_expect_eq(table->turn.after->turn, position->turn + 1, "%s: the turn is %u", c->label,
                 table->turn.after->turn);
    cr_expect(c->after != NULL || table->turn.events.count == 0, "%s: something happened",
              c->label);
    cr_expect_eq(sk_turn_owing(table->ruleset, table->config, table->turn.after),
                 table->turn.after->outcome.is_over ? 0u : 3u, "%s: who owes is wrong", c->label);
    bench_end(&bench);
}

CASES(tactics_leaving, ends_the_match_before_anything_else_is_played, leaving_cases)
{
    expect_leaving(&leaving_cases[*index], &(struct drawing){ .board = BOARD, .turn = 7 });
}

Test(tactics_leaving, is_possible_during_placement_too)
{
    static const struct leaving_case c = { "resigning instead of placing",
                                           "A@1,2 resign",
                                           "b@0,0",
                                           "match_over ok",
                                           "match_over",
                                           "1 resignation",
                                           NULL };

    expect_leaving(&c, &(struct drawing){ .board = BOARD, .start_rows = 1 });
}

/* ---- after the end ----------------------------------------------------------------------- */

static const char *const late_commands[] = {
    "A>0,1",  "A*1,1",   "A@0,2",   "Z>0,1",      "A>2147483647,0 A>0,1",
    "resign", "timeout", "abandon", "agree_draw", "b>1,1 resign timeout",
};

static const char *const endings[] = { "resign", "abandon", "agree_draw" };

/* Every command, right or wrong, from either seat. */
static void
expect_match_over(struct turn_bench *bench, uint8_t seat, const char *commands)
{
    struct sk_turn *turn = &bench->table.turn;
    uint64_t hash = table_hash(&bench->table);
    const struct command_list *lists[2] = { NULL, NULL };

    drawing_commands(commands, &bench->lists[seat]);
    lists[seat] = &bench->lists[seat];
    sk_match_submit(&bench->table.match, turn, seat, commands_of(&bench->lists[seat]));
    for (uint32_t i = 0; i < bench->lists[seat].count; i++) {
        cr_expect_eq(turn->judgements[seat][i].verdict, SK_MATCH_OVER);
        cr_expect_eq(turn->judgements[seat][i].check, SK_CHECK_NONE);
    }
    table_resolve(&bench->table, lists);
    for (uint32_t i = 0; i < bench->lists[seat].count; i++) {
        cr_expect_eq(turn->judgements[seat][i].verdict, SK_MATCH_OVER);
        cr_expect_eq(turn->judgements[seat][i].check, SK_CHECK_NONE);
    }
    cr_expect_eq(sk_turn_hash(turn), hash, "%s changed a finished match", commands);
    cr_expect_eq(turn->events.count, 0u);
}

CASES(tactics_leaving, a_finished_match_answers_match_over_and_does_not_change, endings)
{
    const struct verdict_case end = { .position = { .board = BOARD }, .host = endings[*index] };
    struct turn_bench bench;

    bench_open(&bench, &end);
    table_play(&bench.table,
               (const struct command_list *const[]){ &bench.lists[0], &bench.lists[1] });
    cr_assert(bench.table.match.state->outcome.is_over);
    cr_expect_eq(sk_match_waiting(&bench.table.match), 0u);
    for (size_t i = 0; i < SK_COUNT_OF(late_commands); i++) {
        expect_match_over(&bench, 0, late_commands[i]);
        expect_match_over(&bench, 1, late_commands[i]);
    }
    bench_end(&bench);
}
