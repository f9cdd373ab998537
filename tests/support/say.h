/*
 * say - verdicts, outcomes and parts of events as short texts, for tables of
 * cases of any ruleset.  Each function appends to `words`.
 */
#ifndef SK_TEST_SAY_H
#define SK_TEST_SAY_H

#include "tests/support/table.h"
#include "tests/support/words.h"

/* "goes on", "draw_turn_limit", "0 resignation" */
void say_outcome(const struct table *table, const struct sk_state *state, struct words *words);

/* "ok out_of_bounds:move_in_bounds": verdict and check of each. */
void say_verdicts(const struct table *table, const struct sk_judgement *judgements, uint32_t count,
                  struct words *words);

/* Lists of struct sk_text and of struct sk_cell, a space before each: " a1 b1", " 1,2 3,4". */
void say_names(const struct sk_list *names, struct words *words);
void say_cells(const struct sk_list *cells, struct words *words);

#endif /* SK_TEST_SAY_H */
