/*
 * prune - drops the records of matches that ended long ago.
 *
 * What stays: the match's row, its seats, its result and ratings, and where
 * its chain ended, so that whoever kept the head or an export can still prove
 * it.  The database may be in use: everything is done in small transactions
 * between those of the daemon.
 *
 * Threads: the caller's; every call has a connection of its own.
 */
#ifndef SK_STORE_PRUNE_H
#define SK_STORE_PRUNE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "server/store/upkeep.h"

struct prune_count {
    int64_t matches;
    int64_t records;
    int64_t bytes; /* of their bodies */
};

/* What would be dropped of matches that ended before then.  Faults: cannot_open and others of
 * archive.h, cannot_read. */
enum sk_status prune_look(const char *path, int64_t before_ms, struct prune_count *ret_count,
                          struct sk_fault *ret_fault);

/* Drops it, and notes that in admin_log.  One that was broken off is finished by the next.  Faults:
 * the same, cannot_write, ended. */
enum sk_status prune_run(const char *path, int64_t before_ms, upkeep_progress *progress,
                         void *context, struct prune_count *ret_count, struct sk_fault *ret_fault);

#endif /* SK_STORE_PRUNE_H */
