/*
 * Cases about verdicts: a drawn position, both seats' commands, and what each
 * command gets - when submitted, when the turn is resolved, and from one
 * check asked alone.
 */
#ifndef SK_TEST_VERDICT_CASE_H
#define SK_TEST_VERDICT_CASE_H

#include <string.h>

#include "common/core/validate.h"
#include "common/rules/tactics/tactics.h"
#include "tests/support/cases.h"
#include "tests/support/tactics_draw.h"

struct verdict_case {
    const char *label;
    struct drawing position;
    const char *host; /* the commands of seat 0, NULL = none */
    const char *guest;
    const char *host_gets; /* through the whole pipeline */
    const char *guest_gets;
    const char *check; /* asked alone about seat's commands: */
    const char *alone;
    uint8_t seat;
    const char *after; /* the board after the turn, or NULL where it does not matter */
};

struct verdict_bench {
    struct table table;
    struct command_list lists[2];
    struct words words;
};

static inline void
bench_open(struct verdict_bench *bench, const struct verdict_case *c)
{
    drawing_open(&c->position, &bench->table);
    table_guard(&bench->table);
    words_init(&bench->words);
    commands_init(&bench->lists[0], bench->table.ruleset);
    commands_init(&bench->lists[1], bench->table.ruleset);
    drawing_commands(c->host, &bench->lists[0]);
    drawing_commands(c->guest, &bench->lists[1]);
}

static inline void
bench_close(struct verdict_bench *bench)
{
    commands_fini(&bench->lists[0]);
    commands_fini(&bench->lists[1]);
    words_fini(&bench->words);
    table_close(&bench->table);
}

static inline const char *
bench_verdicts(struct verdict_bench *bench, uint8_t seat)
{
    words_clear(&bench->words);
    drawing_say_verdicts(&bench->table, bench->table.turn.judgements[seat],
                         bench->lists[seat].count, &bench->words);
    return bench->words.at;
}

/* A seat that submits is told everything but bounces: they need the other seat's commands. */
static inline void
expect_when_submitted(struct verdict_bench *bench, uint8_t seat, const char *expected,
                      const char *label)
{
    struct words words;

    words_init(&words);
    for (const char *at = expected; *at != '\0';) {
        size_t length = strcspn(at, " ");
        bool is_bounce = strncmp(at, "bounced:bounce", length) == 0;

        words_say(&words, "%.*s", is_bounce ? 2 : (int)length, is_bounce ? "ok" : at);
        at += length;
        if (*at == ' ') {
            words_say(&words, " ");
            at++;
        }
    }
    sk_match_submit(&bench->table.match, &bench->table.turn, seat,
                    commands_of(&bench->lists[seat]));
    cr_expect_str_eq(bench_verdicts(bench, seat), words.at, "%s: seat %u submits: %s, expected %s",
                     label, seat, bench->words.at, words.at);
    words_fini(&words);
}

static inline void
expect_through_the_whole(const struct verdict_case *c)
{
    struct verdict_bench bench;
    const char *expected[2] = { c->host_gets == NULL ? "" : c->host_gets,
                                c->guest_gets == NULL ? "" : c->guest_gets };

    bench_open(&bench, c);
    expect_when_submitted(&bench, 1, expected[1], c->label);
    expect_when_submitted(&bench, 0, expected[0], c->label);
    sk_match_resolve(&bench.table.match, &bench.table.turn);
    for (uint8_t seat = 0; seat < 2; seat++) {
        cr_expect_str_eq(bench_verdicts(&bench, seat), expected[seat],
                         "%s: seat %u gets %s, expected %s", c->label, seat, bench.words.at,
                         expected[seat]);
    }
    if (c->after != NULL) {
        words_clear(&bench.words);
        drawing_say_board(&bench.table, bench.table.turn.after, &bench.words);
        cr_expect_str_eq(bench.words.at, c->after, "%s: the board is %s, expected %s", c->label,
                         bench.words.at, c->after);
    }
    bench_close(&bench);
}

static inline void
expect_from_the_check_alone(const struct verdict_case *c)
{
    struct verdict_bench bench;
    const struct sk_check *check = sk_check_find(&sk_ruleset_tactics, c->check);
    struct sk_check_in in;

    cr_assert_not_null(check, "%s: there is no check %s", c->label, c->check);
    bench_open(&bench, c);
    in = (struct sk_check_in){
        .ruleset = bench.table.ruleset,
        .config = bench.table.config,
        .view = table_look(&bench.table, c->seat),
        .commands = commands_of(&bench.lists[c->seat]),
        .judgements = bench.table.turn.judgements[c->seat],
        .work = bench.table.turn.work,
        .seat = c->seat,
    };
    sk_validate_alone(&in, check);
    cr_expect_str_eq(bench_verdicts(&bench, c->seat), c->alone, "%s: %s alone says %s, expected %s",
                     c->label, c->check, bench.words.at, c->alone);
    bench_close(&bench);
}

#endif /* SK_TEST_VERDICT_CASE_H */
