/*
 * desk - a thread for jobs that no turn waits for.
 *
 * Jobs are executed first in, first out, with one exception: the first job of a
 * payer goes before the second job of another (`payer` says whose a job is), so
 * one client with many requests does not delay the others.  The number of jobs
 * is limited: a job counts from desk_put until it is taken out.  The thread
 * runs at a lower priority than those that turns wait for.
 *
 * Owner:   the caller of desk_open.  The desk owns the jobs inside it.
 * Threads: the loop calls the functions; the desk's thread calls `work`, `tidy`
 * and `wake`; desk_cancel and desk_stop call `wake` too.
 */
#ifndef SK_STORE_DESK_H
#define SK_STORE_DESK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/host/store_port.h"

struct desk;

struct desk_options {
    uint32_t jobs_max; /* limit of jobs inside */

    /* Executes the job and sets its result.  Once `*is_unwanted` is true it should return early;
     * any result will do. */
    void (*work)(void *worker, struct store_job *job, const atomic_bool *is_unwanted);
    void (*tidy)(void *worker); /* called when no job is left; may be NULL */
    void *worker;
    bool is_urgent; /* the thread has the usual priority, not a lower one */
    bool is_shared; /* the work is a shared database's, for which the thread only waits */

    void (*wake)(void *context); /* a job is done; may be NULL */
    void *context;
};

/* Returns NULL if there is no memory or no thread. */
struct desk *desk_open(const struct desk_options *options);

/* Returns false if the desk is full or stopped; the caller keeps the job. */
bool desk_put(struct desk *desk, struct store_job *job);

/* Cancels a job.  It comes back at once, or soon if it is being executed.  A job that is not here,
 * or is done, is left as it is. */
void desk_cancel(struct desk *desk, struct store_job *job);

/* Returns all done jobs, linked by `next`, or NULL. */
struct store_job *desk_take_done(struct desk *desk);

/* Refuses new jobs; all jobs inside come back soon.  Does not wait. */
void desk_stop(struct desk *desk);

/* Stops the desk and waits for the thread; afterwards all jobs inside are done. */
void desk_end(struct desk *desk);

/* Ends the desk and frees jobs that were not taken.  NULL is allowed. */
void desk_close(struct desk *desk);

#endif /* SK_STORE_DESK_H */
