/*
 * tally_words - a seat's commands of one turn as text, for openings.  Computes
 * what the view opening_turn defines.
 *
 * Threads: any.
 */
#ifndef SK_STORE_TALLY_WORDS_H
#define SK_STORE_TALLY_WORDS_H

#include "proto/json_value.h"

/* Sorted; free with sqlite3_free.  NULL: the list has no command of play that was ok or bounced. */
char *tally_opening(const struct sk_value *commands, const struct sk_value *verdicts);

#endif /* SK_STORE_TALLY_WORDS_H */
