/*
 * A database as the storage thread sees it: transactions, and one job after
 * the other in them.  What is common to all databases - the queue, groups,
 * generations, completions - is in store.c.
 *
 * Owner:   the store; `close` frees it.
 * Threads: opened by the loop before the storage thread starts, closed after
 *          it ended; between that the storage thread's only.
 */
#ifndef SK_STORE_BACKEND_H
#define SK_STORE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "server/host/store_port.h"
#include "server/store/heads.h"
#include "server/store/store.h"

#define BACKEND_MESSAGE_MAX 255

struct backend_message {
    char text[BACKEND_MESSAGE_MAX + 1];
};

struct backend_pages {
    uint64_t wal;  /* of its log */
    uint64_t free; /* of the file, looked at once a second */
};

/* Where false is returned the transaction is over, nothing of it is stored, and the message
 * says why. */
struct backend {
    bool (*begin)(struct backend *backend, bool writes, struct backend_message *ret_message);

    /* Sets the job's result.  A job that fails for itself leaves nothing behind and is no
     * failure of the transaction. */
    bool (*work)(struct backend *backend, struct store_job *job,
                 struct backend_message *ret_message);

    bool (*commit)(struct backend *backend, struct backend_message *ret_message);

    /* Housekeeping that nobody should wait for. */
    struct backend_pages (*tidy)(struct backend *backend);

    void (*close)(struct backend *backend);
};

/* `heads` and `options` live longer than the backend. */
enum sk_status sqlite_open(const char *path, const struct store_options *options,
                           struct heads *heads, struct backend **ret_backend,
                           struct sk_fault *ret_fault);

/* The same for a file that may be another process's: it must exist and be of today's form, and
 * nothing can be written. */
enum sk_status sqlite_open_read_only(const char *path, const struct store_options *options,
                                     struct backend **ret_backend, struct sk_fault *ret_fault);

/* The same, and short transactions may be written between those of the process that has it. */
enum sk_status sqlite_open_beside(const char *path, const struct store_options *options,
                                  struct backend **ret_backend, struct sk_fault *ret_fault);

#endif /* SK_STORE_BACKEND_H */
