/*
 * A table with both seats' commands, for cases about one turn of any two-player
 * ruleset: the verdicts when submitted, when the turn is resolved, and from one
 * check alone; the effect of one stage alone.
 *
 * A case opens bench->table itself, calls bench_begin and then reads its
 * commands into bench->lists.
 */
#ifndef SK_TEST_TURN_BENCH_H
#define SK_TEST_TURN_BENCH_H

#include <stdio.h>
#include <string.h>

#include "common/core/validate.h"
#include "tests/support/cases.h"
#include "tests/support/say.h"

struct turn_bench {
    struct table table;
    struct command_list lists[2];
    struct words words;
};

static inline void
bench_begin(struct turn_bench *bench)
{
    table_guard(&bench->table);
    words_init(&bench->words);
    commands_init(&bench->lists[0], bench->table.ruleset);
    commands_init(&bench->lists[1], bench->table.ruleset);
}

static inline void
bench_end(struct turn_bench *bench)
{
    cr_expect(table_guard_holds(&bench->table));
    commands_fini(&bench->lists[0]);
    commands_fini(&bench->lists[1]);
    words_fini(&bench->words);
    table_close(&bench->table);
}

/* Compares the text with the expected one (NULL = nothing) and clears it. */
static inline void
bench_expect(struct turn_bench *bench, const char *expected, const char *label, const char *what)
{
    cr_expect_str_eq(bench->words.at, expected == NULL ? "" : expected,
                     "%s: %s: \"%s\", expected \"%s\"", label, what, bench->words.at,
                     expected == NULL ? "" : expected);
    words_clear(&bench->words);
}

static inline void
bench_expect_verdicts(struct turn_bench *bench, uint8_t seat, const char *expected,
                      const char *label, const char *what)
{
    words_clear(&bench->words);
    say_verdicts(&bench->table, bench->table.turn.judgements[seat], bench->lists[seat].count,
                 &bench->words);
    bench_expect(bench, expected, label, what);
}

/* When a seat submits, it gets all verdicts except those of stages, which need the other's
 * commands. */
static inline void
bench_expect_submitted(struct turn_bench *bench, uint8_t seat, const char *expected,
                       const char *label)
{
    struct words words;
    char word[64];
    int length;

    words_init(&words);
    while (expected != NULL && sscanf(expected, "%63s%n", word, &length) == 1) {
        const char *check = strchr(word, ':');
        bool is_late = check != NULL && sk_stage_find(bench->table.ruleset, check + 1) != NULL;

        words_say(&words, "%s%s", words.used == 0 ? "" : " ", is_late ? "ok" : word);
        expected += length;
    }
    sk_match_submit(&bench->table.match, &bench->table.turn, seat,
                    commands_of(&bench->lists[seat]));
    bench_expect_verdicts(bench, seat, words.at, label, "submitted");
    words_fini(&words);
}

/* Both submit, the guest first, and the turn is resolved. */
static inline void
bench_expect_resolved(struct turn_bench *bench, const char *host_gets, const char *guest_gets,
                      const char *label)
{
    bench_expect_submitted(bench, 1, guest_gets, label);
    bench_expect_submitted(bench, 0, host_gets, label);
    sk_match_resolve(&bench->table.match, &bench->table.turn);
    bench_expect_verdicts(bench, 0, host_gets, label, "resolved, seat 0");
    bench_expect_verdicts(bench, 1, guest_gets, label, "resolved, seat 1");
}

static inline void
bench_expect_alone(struct turn_bench *bench, uint8_t seat, const char *check_name,
                   const char *expected, const char *label)
{
    const struct sk_check *check = sk_check_find(bench->table.ruleset, check_name);
    struct sk_check_in in = {
        .ruleset = bench->table.ruleset,
        .config = bench->table.config,
        .view = table_look(&bench->table, seat),
        .commands = commands_of(&bench->lists[seat]),
        .judgements = bench->table.turn.judgements[seat],
        .work = bench->table.turn.work,
        .seat = seat,
    };

    cr_assert_not_null(check, "%s: there is no check %s", label, check_name);
    sk_validate_alone(&in, check);
    bench_expect_verdicts(bench, seat, expected, label, check_name);
}

/* As if every command had been accepted. */
static inline void
bench_run_stage(struct turn_bench *bench, const char *stage_name)
{
    const struct sk_stage *stage = sk_stage_find(bench->table.ruleset, stage_name);
    struct sk_turn *turn = &bench->table.turn;

    cr_assert_not_null(stage, "there is no stage %s", stage_name);
    turn->before = bench->table.match.state;
    turn->seed = &bench->table.seed;
    turn->commands[0] = commands_of(&bench->lists[0]);
    turn->commands[1] = commands_of(&bench->lists[1]);
    sk_turn_run_alone(turn, stage);
}

#endif /* SK_TEST_TURN_BENCH_H */
