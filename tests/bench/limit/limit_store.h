/*
 * The storage thread of the limit server: the daemon's tables, its records
 * and its way of grouping them, and nothing else: no chain of hashes, no
 * checks, one prepared statement for all records.
 *
 * Threads: `hand_over` and `take_done` are the loop's; `wake` is an eventfd
 *          that the storage thread writes to.
 */
#ifndef SK_BENCH_LIMIT_STORE_H
#define SK_BENCH_LIMIT_STORE_H

#include "tests/bench/limit/canned.h"

/* Exits with a message when it cannot.  Returns the eventfd. */
int limit_store_open(const char *path);

/* A list of jobs linked by next, oldest first. */
void limit_store_hand_over(struct canned_job *first, struct canned_job *last);

/* Those on disk, oldest first, or NULL. */
struct canned_job *limit_store_take_done(void);

#endif /* SK_BENCH_LIMIT_STORE_H */
