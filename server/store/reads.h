/*
 * reads - jobs that only read, on a separate connection.
 *
 * A WAL reader never blocks the writer.  Each job is its own transaction, so
 * the log can be checkpointed between two jobs.
 *
 * Owner:   the store.
 * Threads: reads_work and reads_tidy are called by the desk's thread only.
 */
#ifndef SK_STORE_READS_H
#define SK_STORE_READS_H

#include <stdatomic.h>

#include "server/host/store_port.h"
#include "server/store/options.h"

struct backend;

struct reads {
    const char *path;
    const struct store_options *options;
    struct backend *backend; /* NULL = not opened yet */
};

/* The `work` function of a desk. */
void reads_work(void *reads, struct store_job *job, const atomic_bool *is_unwanted);

/* The `tidy` function of a desk. */
void reads_tidy(void *reads);

/* Requires that the desk is closed. */
void reads_fini(struct reads *reads);

#endif /* SK_STORE_READS_H */
