/*
 * Cases about verdicts of tactics: a drawn position, both seats' commands, and
 * each command's verdict - when submitted, when the turn is resolved, and from
 * one check alone.
 */
#ifndef SK_TEST_VERDICT_CASE_H
#define SK_TEST_VERDICT_CASE_H

#include "common/rules/tactics/tactics.h"
#include "tests/support/tactics_draw.h"
#include "tests/unit/turn_bench.h"

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
    const char *after; /* the board after the turn, or NULL if it does not matter */
};

static inline void
bench_open(struct turn_bench *bench, const struct verdict_case *c)
{
    drawing_open(&c->position, &bench->table);
    bench_begin(bench);
    drawing_commands(c->host, &bench->lists[0]);
    drawing_commands(c->guest, &bench->lists[1]);
}

static inline void
expect_through_the_whole(const struct verdict_case *c)
{
    struct turn_bench bench;

    bench_open(&bench, c);
    bench_expect_resolved(&bench, c->host_gets, c->guest_gets, c->label);
    if (c->after != NULL) {
        drawing_say_board(&bench.table, bench.table.turn.after, &bench.words);
        bench_expect(&bench, c->after, c->label, "board");
    }
    bench_end(&bench);
}

static inline void
expect_from_the_check_alone(const struct verdict_case *c)
{
    struct turn_bench bench;

    bench_open(&bench, c);
    bench_expect_alone(&bench, c->seat, c->check, c->alone, c->label);
    bench_end(&bench);
}

#endif /* SK_TEST_VERDICT_CASE_H */
