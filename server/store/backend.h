/*
 * A database as the storage thread sees it: groups of jobs, each executed in
 * one go.  What all databases share - the queue, groups, completions - is in
 * store.c, and generations in backend.c.
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

/* Jobs that are executed together, in order. */
struct backend_group {
    struct store_job *first;
    bool writes;
    int64_t commit_us; /* out: how long the commit took */

    /* Called before the commit, for a test fault; usually NULL. */
    void (*before_commit)(struct backend_group *group);
};

struct backend {
    /*
     * Executes the jobs and sets their results.  A job that is refused leaves no changes behind and
     * does not fail the others.  Returns false if nothing of the group is stored, whatever results
     * its jobs have; the message says why.
     */
    bool (*work)(struct backend *backend, struct backend_group *group,
                 struct backend_message *ret_message);

    /* Housekeeping, run after the jobs were handed back. */
    struct backend_pages (*tidy)(struct backend *backend);

    void (*close)(struct backend *backend);
};

/* Whether the job begins: not if an earlier one of its match and generation failed.  A job may be
 * submitted again after it failed. */
bool backend_job_begin(struct heads *heads, struct store_job *job);

/* Its result is known: if it failed, later ones of its match and generation fail too. */
void backend_job_end(struct heads *heads, const struct store_job *job);

/* The group is not stored: results that its jobs already had are void. */
void backend_group_fail(struct heads *heads, const struct backend_group *group,
                        const char *message);

/* Executes one job by itself. */
bool backend_work_one(struct backend *backend, struct store_job *job,
                      struct backend_message *ret_message);

/*
 * Opens a database for a store.  `path` is a file's name, or the address of a PostgreSQL database
 * (address_is_shared).  `heads` and `options` must outlive the backend.
 */
enum sk_status backend_open(const char *path, const struct store_options *options,
                            struct heads *heads, struct backend **ret_backend,
                            struct sk_fault *ret_fault);

/* The same for a database that other processes may be using.  It must exist with the current
 * schema; nothing can be written, except claims by a node. */
enum sk_status backend_open_read_only(const char *path, const struct store_options *options,
                                      struct backend **ret_backend, struct sk_fault *ret_fault);

/* The same, but short transactions may be written between those of the process that uses the
 * database. */
enum sk_status backend_open_beside(const char *path, const struct store_options *options,
                                   struct backend **ret_backend, struct sk_fault *ret_fault);

/* Each database's own. */
enum sk_status sqlite_open(const char *path, const struct store_options *options,
                           struct heads *heads, struct backend **ret_backend,
                           struct sk_fault *ret_fault);
enum sk_status sqlite_open_read_only(const char *path, const struct store_options *options,
                                     struct backend **ret_backend, struct sk_fault *ret_fault);
enum sk_status sqlite_open_beside(const char *path, const struct store_options *options,
                                  struct backend **ret_backend, struct sk_fault *ret_fault);
enum sk_status postgres_open(const char *path, const struct store_options *options,
                             struct heads *heads, struct backend **ret_backend,
                             struct sk_fault *ret_fault);
enum sk_status postgres_open_read_only(const char *path, const struct store_options *options,
                                       struct backend **ret_backend, struct sk_fault *ret_fault);
enum sk_status postgres_open_beside(const char *path, const struct store_options *options,
                                    struct backend **ret_backend, struct sk_fault *ret_fault);

#endif /* SK_STORE_BACKEND_H */
