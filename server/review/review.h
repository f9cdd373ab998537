/*
 * review - a thread that looks at matches that are over.
 *
 * It plays them again (moments, what-if) and compresses long texts: work that
 * takes milliseconds, which neither the loop nor the storage thread should
 * spend.  It reads the database through a connection of its own, read-only,
 * so it cannot stop a turn.
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
    uint32_t jobs_max;           /* that wait or are not collected yet; more are refused */
    int32_t time_max_ms;         /* one job may take */
    void (*wake)(void *context); /* something is done */
    void *context;
};

void review_options_init(struct review_options *options);

/* NULL when there is no memory or no thread.  The database is opened with the first question. */
struct review_desk *review_open(const char *database, const struct review_options *options);

/* No more is taken; what waits comes back undone, to be taken as ever.  Then it can be closed. */
void review_stop(struct review_desk *desk);
void review_close(struct review_desk *desk);

/* Takes jobs of the kind JOB_REVIEW. */
struct store_port *review_port(struct review_desk *desk);

/* Everything that is done, linked by `next`, or NULL. */
struct store_job *review_take_done(struct review_desk *desk);

#endif /* SK_REVIEW_H */
