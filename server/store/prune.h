/*
 * prune - drops the records of matches that ended long ago.
 *
 * The match's row, seats, result, ratings and the end of its chain stay, so
 * anyone who kept the head or an export can still prove the match.  The
 * database may be in use: all work is done in small transactions between those
 * of the daemon.
 *
 * Threads: any; every call opens its own connection.
 */
#ifndef SK_STORE_PRUNE_H
#define SK_STORE_PRUNE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "server/store/database.h"

struct prune_count {
    int64_t matches;
    int64_t records;
    int64_t bytes; /* of the records' bodies */
};

/* Counts what would be dropped of matches that ended before `before_ms`.  Faults: cannot_read and
 * those of archive_open. */
enum sk_status prune_look(const char *path, int64_t before_ms, struct prune_count *ret_count,
                          struct sk_fault *ret_fault);

/* Drops it and adds a line to admin_log.  The next call finishes an interrupted one.  Faults: the
 * same, cannot_write, ended. */
enum sk_status prune_run(const char *path, int64_t before_ms, database_progress *progress,
                         void *context, struct prune_count *ret_count, struct sk_fault *ret_fault);

/* Both on a PostgreSQL database. */
enum sk_status prune_shared_look(const char *path, int64_t before_ms, struct prune_count *ret_count,
                                 struct sk_fault *ret_fault);
enum sk_status prune_shared_run(const char *path, int64_t before_ms, database_progress *progress,
                                void *context, struct prune_count *ret_count,
                                struct sk_fault *ret_fault);

#endif /* SK_STORE_PRUNE_H */
