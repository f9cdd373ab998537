/*
 * The second way to begin a match (the first is match_begin): in the middle, from
 * a stored snapshot, so that a long match need not be resolved from its start.
 */
#ifndef SK_MATCH_SNAPSHOT_H
#define SK_MATCH_SNAPSHOT_H

#include "server/match/read.h"

/* The match after `turn`, out of the snapshot that follows it, and when the next turn opened.
 * NULL, or what is wrong. */
const char *match_from_snapshot(struct work *work, struct match *match,
                                const struct store_job *people, const struct store_record *turn,
                                const struct store_record *snapshot, int64_t *ret_opened_ms);

#endif /* SK_MATCH_SNAPSHOT_H */
