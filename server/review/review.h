/*
 * review - a thread that replays finished matches, for moments and what-if.
 *
 * A replay takes milliseconds, too long for the loop and for the storage thread.
 * The thread reads the database through its own read-only connection, so it never
 * blocks a turn.
 *
 * Owner:   review_open's caller.  Jobs belong to it from submit to
 *          review_take_done.
 * Threads: the functions are the loop's; options.wake is called by its thread.
 */
#ifndef SK_REVIEW_H
#define SK_REVIEW_H

#include "server/host/store_port.h"

struct review_desk;

struct review_options {
    uint32_t jobs_max;           /* waiting or not collected yet; more are refused */
    int32_t time_max_ms;         /* processor time that a job may use */
    void (*wake)(void *context); /* something is done */
    void *context;
};

void review_options_init(struct review_options *options);

/* Returns NULL if there is no memory or no thread.  The database is opened by the first job. */
struct review_desk *review_open(const char *database, const struct review_options *options);

/* Takes no more jobs.  Those that it has are executed, or come back from review_take_done not
 * executed. */
void review_stop(struct review_desk *desk);

/* After review_stop.  Frees jobs that were not taken. */
void review_close(struct review_desk *desk);

/* Takes jobs of the kind JOB_REVIEW. */
struct store_port *review_port(struct review_desk *desk);

/* All finished jobs, linked by `next`, or NULL. */
struct store_job *review_take_done(struct review_desk *desk);

#endif /* SK_REVIEW_H */
