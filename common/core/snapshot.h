/*
 * Snapshots: a state as bytes, and the hash that identifies it.
 *
 * Little-endian, the same on every machine: a head (format, ruleset and its
 * version, turn, outcome), then the ruleset's part.  The state hash is the
 * hash of exactly these bytes, so snapshot and hash cannot disagree.
 */
#ifndef SK_SNAPSHOT_H
#define SK_SNAPSHOT_H

#include "common/core/ruleset.h"

/* Upper bound of the head's length; rulesets add it to sizes.snapshot. */
#define SK_SNAPSHOT_HEAD_MAX 48

/* Writes the snapshot; returns its length.  Requires `size` >= sizes.snapshot. */
size_t sk_snapshot_write(const struct sk_ruleset *ruleset, const void *config,
                         const struct sk_state *state, uint8_t *buffer, size_t size);

/* Reads a snapshot into zeroed memory.  SK_ERR_CORRUPT for anything that writing cannot produce. */
enum sk_status sk_snapshot_read(const struct sk_ruleset *ruleset, const void *config,
                                const uint8_t *bytes, size_t size, struct sk_state *ret_state);

uint64_t sk_snapshot_hash(const struct sk_ruleset *ruleset, const void *config,
                          const struct sk_state *state, uint8_t *buffer, size_t size);

#endif /* SK_SNAPSHOT_H */
