/*
 * Drawings of racers: positions, commands, verdicts and events as short texts,
 * so that tables of cases are easy to read.
 *
 * A position is a list of words separated by spaces.  What is not given is as
 * at the start on a 10 x 10 board: A (seat 0) on 0,9 and B (seat 1) on 9,0, A
 * to move.
 *
 *   A3,4 B7,7     the racers' squares          S0,9 S9,0    their starts, A's first
 *   A:5           performed actions            #4,4         wall
 *   A-2           debt                         T1,1>8,8     teleporter
 *   A/1           skip                         g p x e 5,5  grenade: inactive, placed, active,
 *   A+dgc         carried: disc, grenade, ..                exploded
 *   a=3,3@5|2,3@4~  A's trail, newest first:   d4,4 c4,4    disc, charged disc
 *                 square, action, ~ for a hop  !5,5/2       failure with two turns left
 *   >B *2 ^       B is active, has two actions left and has moved
 *
 *   commands   n ne ... nw move; +d picks up, -g places, -de launches east;
 *              end, end! (confirmed); timeout, resign, abandon, agree_draw
 *   verdicts   "ok trail:trail": verdict and check of each
 *   events     "moved A 3,4 3,3; turn_passed A actions_used"
 *
 * Owner:   a drawing is a constant; the table that it opens is the caller's.
 */
#ifndef SK_TEST_RACERS_DRAW_H
#define SK_TEST_RACERS_DRAW_H

#include <stdint.h>

#include "tests/support/table.h"
#include "tests/support/words.h"

struct racers_drawing {
    const char *position;
    uint32_t turn;
    int32_t turn_limit; /* 0 = the default */
    int32_t failure_permille;
    int32_t rows; /* 0 = 10 */
    int32_t cols;
};

void racers_draw_open(const struct racers_drawing *drawing, struct table *table);

/* Reads commands into an initialized list.  NULL = none. */
void racers_draw_commands(const char *text, struct command_list *ret_commands);

/* Each appends to `words`. */
void racers_say_position(const struct table *table, const struct sk_state *state,
                         struct words *words);
void racers_say_events(const struct sk_events *events, struct words *words);

#endif /* SK_TEST_RACERS_DRAW_H */
