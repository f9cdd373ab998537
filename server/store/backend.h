/*
 * A database as the storage thread sees it: transactions, and jobs executed
 * inside them one by one.  What all databases share - the queue, groups,
 * generations, completions - is in store.c.
 *
 * Owner:   the store; `close` frees it.
 * Threads: opened by the loop before the storage thread starts and closed
 * after it has ended; in between only the storage thread uses it.
 */
#ifndef SK_STORE_BACKEND_H
#define SK_STORE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "server/host/store_port.h"
#include "server/store/heads.h"
#include "server/store/options.h"

#define BACKEND_MESSAGE_MAX 255

struct backend_message {
    char text[BACKEND_MESSAGE_MAX + 1];
};

struct backend_pages {
    uint64_t size; /* bytes per page */
    uint64_t wal;  /* pages of the log */
    uint64_t free; /* unused pages of the file; updated once per second */
};

/* A function that returns false has rolled the transaction back; the message says why. */
struct backend {
    bool (*begin)(struct backend *backend, bool writes, struct backend_message *ret_message);

    /* Executes the job and sets its result.  A job that is refused leaves no changes behind and
     * does not fail the transaction. */
    bool (*work)(struct backend *backend, struct store_job *job,
                 struct backend_message *ret_message);

    bool (*commit)(struct backend *backend, struct backend_message *ret_message);

    /* Housekeeping, run after the jobs were handed back. */
    struct backend_pages (*tidy)(struct backend *backend);

    void (*close)(struct backend *backend);
};

/* `heads` and `options` must outlive the backend. */
enum sk_status sqlite_open(const char *path, const struct store_options *options,
                           struct heads *heads, struct backend **ret_backend,
                           struct sk_fault *ret_fault);

/* The same for a file that another process may be using.  It must exist with the current schema;
 * nothing can be written. */
enum sk_status sqlite_open_read_only(const char *path, const struct store_options *options,
                                     struct backend **ret_backend, struct sk_fault *ret_fault);

/* The same, but short transactions may be written between those of the process that uses the
 * file. */
enum sk_status sqlite_open_beside(const char *path, const struct store_options *options,
                                  struct backend **ret_backend, struct sk_fault *ret_fault);

#endif /* SK_STORE_BACKEND_H */
