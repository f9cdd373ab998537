/*
 * The match's row against its records.
 *
 * The row is what lists and queries look at; only the records are in the
 * chain.  Where the two differ somebody changed one of them, and nobody can
 * say which the players have agreed to: the match is set aside.
 */
#ifndef SK_MATCH_ROW_H
#define SK_MATCH_ROW_H

#include "server/match/read.h"

/* The body of the first record: what must be proven later of the row.  On the heap. */
char *match_created_body(struct work *work, const struct store_match *row);

/* Is the row what the first record says?  NULL, or what differs. */
const char *match_check_created(struct work *work, const struct match *match,
                                const struct store_match *row, const struct store_record *record);

/* As the row says: a snapshot does not tell who made the match unrated. */
void match_set_rated(struct match *match, bool is_rated);

/* Are the rest of the row, and the seats, what the records came to?  NULL, or what differs. */
const char *match_check_row(const struct match *match, const struct store_job *job);

#endif /* SK_MATCH_ROW_H */
