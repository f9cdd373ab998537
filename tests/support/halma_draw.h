/*
 * Drawings of halma: positions, commands and events as short texts, so that
 * tables of cases are easy to read.
 *
 *   board      rows from top to bottom, separated by '/': "..b/.../A.."; missing
 *              squares to the right and below are free, up to SK_HALMA_SIZE_MIN
 *              '.' is free, A B C ... are a1 a2 a3 ..., a b c ... are b1 b2 b3 ...
 *              '#' is a shared square (in output; `stands` draws one)
 *   goals      the destinations in the same way: 0, 1, or * for both seats.
 *              NULL = the whole last row for both, so that nobody mates by chance
 *   commands   "A>3,1>5,1" moves along a path, "A>" along none; "zz>1,1" names
 *              an id as it is; and the bare words resign, timeout ...
 *   events     "moved A 0,2 1,1; collided A b 1,1; healed a; halmate 0 1;
 *              not_enacted 0 bad_path 1 missing"
 *
 * Owner:   a drawing is a constant; the table that it opens is the caller's.
 */
#ifndef SK_TEST_HALMA_DRAW_H
#define SK_TEST_HALMA_DRAW_H

#include <stdint.h>

#include "tests/support/table.h"
#include "tests/support/words.h"

#define HALMA_NEVER (-1)

struct halma_drawing {
    const char *board;
    const char *goals;
    const char *stands;  /* "a@1,2": pieces that are not where they start */
    const char *damages; /* "A=3 b=1" */
    int32_t turn_limit;  /* 0 = the default */
    int32_t stall_limit; /* 0 = the default, HALMA_NEVER = 0 */
    uint32_t faults[2];
    uint32_t turn;
};

void halma_drawing_open(const struct halma_drawing *drawing, struct table *table);

/* Reads commands into an initialized list.  NULL = none. */
void halma_drawing_commands(const char *text, struct command_list *ret_commands);

/* Each appends to `words`.  Free rows and columns at the end of a board are omitted. */
void halma_say_board(const struct table *table, const struct sk_state *state, struct words *words);
void halma_say_damages(const struct table *table, const struct sk_state *state,
                       struct words *words);
void halma_say_faults(const struct sk_state *state, struct words *words);
void halma_say_events(const struct table *table, struct words *words);

#endif /* SK_TEST_HALMA_DRAW_H */
