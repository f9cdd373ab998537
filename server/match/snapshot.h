/*
 * Begins a match in the middle, from a stored snapshot, so that a long match is
 * not resolved from its start.
 */
#ifndef SK_MATCH_SNAPSHOT_H
#define SK_MATCH_SNAPSHOT_H

#include "server/match/read.h"

/* Sets the match to its state after `turn`, from the snapshot that follows it; also returns when
 * the next turn opened.  Returns NULL, or what is wrong. */
const char *match_from_snapshot(struct work *work, struct match *match,
                                const struct store_job *people, const struct store_record *turn,
                                const struct store_record *snapshot, int64_t *ret_opened_ms);

#endif /* SK_MATCH_SNAPSHOT_H */
