/*
 * Cases of racers: a drawn position, the commands of both seats, each command's
 * verdict, the events, and the position and the outcome afterwards.
 *
 * A case with one command is also tried on the rule alone: the check that
 * refused it must refuse it alone, too, and the stage that played it must play
 * it alone, too.
 */
#ifndef SK_TEST_RACERS_CASE_H
#define SK_TEST_RACERS_CASE_H

#include <string.h>

#include "common/core/validate.h"
#include "common/rules/racers/racers.h"
#include "tests/support/cases.h"
#include "tests/support/racers_draw.h"
#include "tests/support/say.h"

struct racers_case {
    const char *label;
    struct racers_drawing before;
    const char *commands; /* of the active seat, NULL = none */
    const char *gets;
    const char *others; /* of the other seat */
    const char *others_get;
    const char *events;  /* of all turns, NULL if they do not matter */
    const char *after;   /* words that the position has, or with ! in front must not have */
    const char *outcome; /* NULL = the match goes on */
};

struct racers_bench {
    struct table table;
    struct command_list lists[2];
    struct words words;
    uint8_t active;
};

static inline void
racers_bench_open(struct racers_bench *bench, const struct racers_case *c)
{
    uint32_t owing;

    racers_draw_open(&c->before, &bench->table);
    table_guard(&bench->table);
    words_init(&bench->words);
    owing = bench->table.ruleset->owing(bench->table.config, bench->table.match.state);
    bench->active = owing == 1 ? 0 : 1;
    commands_init(&bench->lists[0], bench->table.ruleset);
    commands_init(&bench->lists[1], bench->table.ruleset);
    racers_draw_commands(c->commands, &bench->lists[bench->active]);
    racers_draw_commands(c->others, &bench->lists[1 - bench->active]);
}

static inline void
racers_bench_close(struct racers_bench *bench)
{
    cr_expect(table_guard_holds(&bench->table));
    commands_fini(&bench->lists[0]);
    commands_fini(&bench->lists[1]);
    words_fini(&bench->words);
    table_close(&bench->table);
}

/* ---- what is expected -------------------------------------------------------------------- */

static inline void
expect_racers_verdicts(struct racers_bench *bench, uint8_t seat, const char *expected,
                       const char *label)
{
    expected = expected == NULL ? "" : expected;
    words_clear(&bench->words);
    say_verdicts(&bench->table, bench->table.turn.judgements[seat], bench->lists[seat].count,
                 &bench->words);
    cr_expect_str_eq(bench->words.at, expected, "%s: seat %u gets %s, expected %s", label, seat,
                     bench->words.at, expected);
}

static inline bool
has_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; *at != '\0';) {
        size_t its_length = strcspn(at, " ");

        if (its_length == length && memcmp(at, word, length) == 0) {
            return true;
        }
        at += its_length + strspn(at + its_length, " ");
    }
    return false;
}

static inline void
expect_racers_position(struct racers_bench *bench, const char *expected, const char *label)
{
    words_clear(&bench->words);
    racers_say_position(&bench->table, bench->table.turn.after, &bench->words);
    for (const char *at = expected == NULL ? "" : expected; *at != '\0';) {
        size_t length = strcspn(at, " ");
        bool is_absent = at[0] == '-';

        cr_expect_neq(has_word(bench->words.at, at + is_absent, length - is_absent), is_absent,
                      "%s: expected %.*s in: %s", label, (int)length, at, bench->words.at);
        at += length + strspn(at + length, " ");
    }
}

static inline void
expect_racers_outcome(struct racers_bench *bench, const struct sk_state *state,
                      const char *expected, const char *label)
{
    expected = expected == NULL ? "goes on" : expected;
    words_clear(&bench->words);
    say_outcome(&bench->table, state, &bench->words);
    cr_expect_str_eq(bench->words.at, expected, "%s: %s, expected %s", label, bench->words.at,
                     expected);
}

/* ---- through the whole ------------------------------------------------------------------- */

static inline void
expect_racers_play(const struct racers_case *c)
{
    struct racers_bench bench;
    struct words events;
    bool is_played;

    racers_bench_open(&bench, c);
    words_init(&events);
    for (uint8_t seat = 0; seat < 2; seat++) {
        bench.table.match.commands[seat] = commands_of(&bench.lists[seat]);
    }
    is_played = sk_match_resolve(&bench.table.match, &bench.table.turn);
    while (is_played) {
        racers_say_events(&bench.table.turn.events, &events);
        is_played = sk_match_resolve_next(&bench.table.match, &bench.table.turn);
    }
    expect_racers_verdicts(&bench, bench.active, c->gets, c->label);
    expect_racers_verdicts(&bench, (uint8_t)(1 - bench.active), c->others_get, c->label);
    if (c->events != NULL) {
        cr_expect_str_eq(events.at, c->events, "%s: %s, expected %s", c->label, events.at,
                         c->events);
    }
    expect_racers_position(&bench, c->after, c->label);
    expect_racers_outcome(&bench, bench.table.turn.after, c->outcome, c->label);
    words_fini(&events);
    racers_bench_close(&bench);
}

/* ---- the rule alone ---------------------------------------------------------------------- */

static inline void
expect_racers_check(struct racers_bench *bench, const struct racers_case *c)
{
    const char *name = strchr(c->gets, ':') + 1;
    const struct sk_check *check = sk_check_find(&sk_ruleset_racers, name);
    struct sk_check_in in = {
        .ruleset = bench->table.ruleset,
        .config = bench->table.config,
        .view = table_look(&bench->table, bench->active),
        .commands = commands_of(&bench->lists[bench->active]),
        .judgements = bench->table.turn.judgements[bench->active],
        .work = bench->table.turn.work,
        .seat = bench->active,
    };

    cr_assert_not_null(check, "%s: there is no check %s", c->label, name);
    sk_validate_alone(&in, check);
    expect_racers_verdicts(bench, bench->active, c->gets, c->label);
}

static inline void
expect_racers_stage(struct racers_bench *bench, const struct racers_case *c)
{
    const struct racers_command *command = commands_item(&bench->lists[bench->active], 0);
    const char *kind = sk_ruleset_racers.command->of[command->head.kind].kind;
    const struct sk_stage *stage =
        sk_stage_find(&sk_ruleset_racers, strcmp(kind, "timeout") == 0 ? "end_turn" : kind);
    struct sk_turn *turn = &bench->table.turn;

    if (stage == NULL || bench->table.match.state->outcome.is_over) {
        return;
    }
    turn->before = bench->table.match.state;
    turn->commands[bench->active] = commands_of(&bench->lists[bench->active]);
    sk_turn_run_alone(turn, stage);
    words_clear(&bench->words);
    racers_say_events(&turn->events, &bench->words);
    cr_expect_eq(strncmp(c->events, bench->words.at, strlen(bench->words.at)), 0,
                 "%s: the stage alone says %s, the whole %s", c->label, bench->words.at, c->events);
}

static inline void
expect_racers_rule(const struct racers_case *c)
{
    struct racers_bench bench;

    racers_bench_open(&bench, c);
    if (bench.lists[bench.active].count == 1 && c->gets != NULL) {
        if (strchr(c->gets, ':') != NULL) {
            expect_racers_check(&bench, c);
        } else if (strcmp(c->gets, "ok") == 0 && c->events != NULL) {
            expect_racers_stage(&bench, c);
        }
    }
    racers_bench_close(&bench);
}

/* Two tests over a table: the whole turn, and the rule alone. */
#define RACERS_CASES(suite, table)              \
    CASES(suite, hold_through_the_whole, table) \
    {                                           \
        expect_racers_play(&(table)[*index]);   \
    }                                           \
    CASES(suite, hold_of_the_rule_alone, table) \
    {                                           \
        expect_racers_rule(&(table)[*index]);   \
    }                                           \
    extern const struct sk_ruleset sk_ruleset_racers /* takes the semicolon */

#endif /* SK_TEST_RACERS_CASE_H */
