/*
 * statistics - figures over many matches, for pages.
 *
 * They take longer than a turn may wait, so they have a thread and read-only
 * connections of their own: the storage thread passes such jobs on and does
 * not see them again.  An answer is kept and given to everybody for a while,
 * the longer the longer it took.
 *
 * Only finished matches are looked at, but for how many there are: of a match
 * that is on nothing may be told that its players do not know.
 *
 * Owner:   the store.  A job inside belongs to it until it is handed back.
 * Threads: opened and closed by the loop; statistics_pass is the storage
 *          thread's; `hand_back` is called by the thread of its own.
 */
#ifndef SK_STORE_STATISTICS_H
#define SK_STORE_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/host/store_port.h"

#define STATISTICS_MATCHES_MAX  2000  /* the newest ones; more would take too long */
#define STATISTICS_DAYS         30    /* of matches by the day */
#define STATISTICS_CELLS_MAX    500   /* the most contested ones */
#define STATISTICS_KEEP_MS      10000 /* at least so long an answer is kept ... */
#define STATISTICS_KEEP_TIMES   20    /* ... and so many times as long as it took */
#define STATISTICS_QUESTION_MAX 10000 /* milliseconds of one question */
#define STATISTICS_JOBS_MAX     4096u /* that wait; the host has a limit of its own */

struct statistics;

struct statistics_options {
    const char *path;
    void (*hand_back)(void *context, struct store_job *job);
    void *context;
};

/* NULL when there is no thread for it. */
struct statistics *statistics_open(const struct statistics_options *options);

/* Jobs that wait are handed back as unavailable. */
void statistics_close(struct statistics *statistics);

/* Is it one of these jobs?  Then it is taken. */
bool statistics_pass(struct statistics *statistics, struct store_job *job);

/* The daemon stops: what is under way is broken off, and all that comes is unavailable. */
void statistics_stop(struct statistics *statistics);

#endif /* SK_STORE_STATISTICS_H */
