/*
 * Drawings of tactics: positions, commands and events as short texts, so that
 * tables of cases are easy to read.
 *
 *   board      rows from top to bottom, separated by '/': "..b/.../A.."
 *              '.' is free, a capital letter is a unit of seat 0 (the host, who
 *              faces upwards), a small letter one of seat 1; the letter is its
 *              id.  Units are in params in the order of their letters: A-Z, a-z.
 *   commands   "A>1,1" moves, "A*1,1" attacks, "A@1,1" places, and the bare
 *              words resign, timeout, abandon, agree_draw
 *   events     "moved A 0,2 1,1; hit b by A for 3 left 7; died c"
 *
 * The models to choose from are those of drawn_models in tactics_draw.c.
 *
 * Owner:   a drawing is a constant; the table that it opens is the caller's.
 */
#ifndef SK_TEST_TACTICS_DRAW_H
#define SK_TEST_TACTICS_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/table.h"
#include "tests/support/words.h"

struct drawing {
    const char *board;
    const char *models;  /* "A=bomber b=pawn"; units not named are kings */
    const char *healths; /* "A=3 b=0": if not the model's; 0 = dead already */
    const char *stands;  /* "b@1,2": units that are not where they start */
    int32_t start_rows;  /* 0 = no placement; else a match with placement, before it */
    int32_t turn_limit;  /* 0 = the default */
    uint32_t turn;
};

void drawing_open(const struct drawing *drawing, struct table *table);

/* Reads commands into an initialized list.  NULL = none. */
void drawing_commands(const char *text, struct command_list *ret_commands);

/* Each appends to `words`. */
void drawing_say_board(const struct table *table, const struct sk_state *state,
                       struct words *words);
void drawing_say_healths(const struct table *table, const struct sk_state *state,
                         struct words *words);
void drawing_say_events(const struct table *table, struct words *words);

#endif /* SK_TEST_TACTICS_DRAW_H */
