/*
 * The store: one storage thread that owns the database, behind the host's port.
 *
 * All waiting jobs are executed in one transaction (group commit).  They come
 * back in the order in which they were handed over, once the transaction is on
 * disk.  So the loop never waits for the disk, and one fsync serves many
 * matches.
 *
 * If the database refuses to write, the whole transaction is rolled back and
 * its jobs return STORE_UNAVAILABLE.  Later jobs are tried again, so storage
 * recovers when the cause goes away.  Only a failed fsync is fatal: after it
 * only reopening the file shows what is on disk.
 *
 * Owner:   the caller of store_open.  A submitted job belongs to the store
 * until store_take_done returns it.
 * Threads: the loop calls all functions; the storage thread calls `wake` and
 * `fatal`.
 */
#ifndef SK_STORE_H
#define SK_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "server/host/store_port.h"
#include "server/metrics_out.h"
#include "server/store/options.h"

struct store;

/*
 * Opens or creates the database, applies missing migrations and starts the
 * storage thread.  `path` is a file name.  Returns SK_ERR_REFUSED with a fault:
 * cannot_open, in_use, not_ours, schema_newer, schema_changed,
 * migration_failed.
 */
enum sk_status store_open(const char *path, const struct store_options *options,
                          struct store **ret_store, struct sk_fault *ret_fault);

/* Executes the waiting jobs, then ends.  Done jobs that were not taken are freed. */
void store_close(struct store *store);

struct store_port *store_port(struct store *store);

/* Hands over the jobs submitted so far; only needed with `collects`. */
void store_hand_over(struct store *store);

/* Returns the done jobs in order, linked by `next`, or NULL.  The caller owns them. */
struct store_job *store_take_done(struct store *store);

/* For /metrics; counted since the store was opened. */
struct store_figures {
    uint32_t jobs_waiting; /* inside the store, including done ones */
    uint64_t jobs;         /* executed, whatever the result */
    uint64_t records;      /* appended and committed */
    uint64_t commits;      /* transactions that wrote */
    uint64_t failures;     /* transactions rolled back */
    struct metrics_durations commit;
    uint64_t wal_bytes;  /* after the last commit */
    uint64_t free_bytes; /* free pages of the database; up to a second older than that */
    bool has_failed;     /* the last writing transaction was rolled back */
};

void store_figures(struct store *store, struct store_figures *ret_figures);

#endif /* SK_STORE_H */
