/*
 * statistics - figures over many matches, for the page.
 *
 * They take too long to share a thread, so they have their own desk and
 * read-only connections.  An answer is cached for everybody; the longer it took
 * to compute, the longer it is kept.  Failures are cached too.
 *
 * Apart from the number of matches only finished ones are counted: nothing
 * about a running match may be revealed that its players do not know.
 *
 * Owner:   the store.
 * Threads: the desk's thread, except statistics_stop (the loop) and
 * statistics_fini (after the desk is closed).
 */
#ifndef SK_STORE_STATISTICS_H
#define SK_STORE_STATISTICS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "server/host/store_port.h"

#define STATISTICS_MATCHES_MAX  2000  /* the newest ones; more would take too long */
#define STATISTICS_DAYS         30    /* for matches per day */
#define STATISTICS_CELLS_MAX    500   /* the most contested ones */
#define STATISTICS_ORDERS_MAX   500   /* the most frequent ones in openings */
#define STATISTICS_KEEP_MS      10000 /* an answer is kept at least this long ... */
#define STATISTICS_KEEP_TIMES   20    /* ... and this many times as long as it took */
#define STATISTICS_QUESTION_MAX 10000 /* milliseconds per question */

struct statistics {
    const char *path;
    atomic_bool is_stopped;

    /* The cached answer. */
    char *text; /* NULL: none, see the fault */
    size_t text_length;
    char *packed; /* may be NULL */
    size_t packed_length;
    struct sk_fault fault;
    int64_t until_ms; /* 0 = nothing cached yet */
};

/* The `work` function of a desk: answers a QUERY_STATISTICS job. */
void statistics_work(void *statistics, struct store_job *job, const atomic_bool *is_unwanted);

/* For shutdown: cancels the work in progress and refuses later jobs as unavailable. */
void statistics_stop(struct statistics *statistics);
void statistics_fini(struct statistics *statistics);

#endif /* SK_STORE_STATISTICS_H */
