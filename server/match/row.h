/*
 * The match's row against its records.
 *
 * Lists and queries read the row; only the records are in the chain of hashes.
 * If the two differ, somebody has changed one of them, and the match is
 * quarantined.
 */
#ifndef SK_MATCH_ROW_H
#define SK_MATCH_ROW_H

#include "server/match/read.h"

/* The body of the first record, made from the row.  On the heap. */
char *match_created_body(struct work *work, const struct store_match *row);

/* Compares the row with the first record.  Returns NULL, or what differs. */
const char *match_check_created(struct work *work, const struct match *match,
                                const struct store_match *row, const struct store_record *record);

/* From the row: a snapshot does not contain who made the match unrated. */
void match_set_rated(struct match *match, bool is_rated);

/* Compares the rest of the row, and the seats, with the match.  Returns NULL, or what differs. */
const char *match_check_row(const struct match *match, const struct store_job *job);

#endif /* SK_MATCH_ROW_H */
