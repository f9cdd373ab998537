/*
 * The storage thread of the limit server: the daemon's records, grouped as in the daemon, without a
 * hash chain and checks, and with one prepared statement for all records.
 *
 * A database has one table without an index, in the order of arrival: the least that SQLite can
 * write for these bytes. A plain file has the same bytes one after the other, with one fdatasync
 * per group: the least that any program can write.
 *
 * Threads: `hand_over` and `take_done` are the loop's; `wake` is an eventfd
 *          that the storage thread writes to.
 */
#ifndef SK_BENCH_LIMIT_STORE_H
#define SK_BENCH_LIMIT_STORE_H

#include "tests/bench/limit/canned.h"

/* Exits with a message on an error. Returns the eventfd. */
int limit_store_open(const char *path, bool is_plain_file);

/* A list of jobs linked by next, oldest first. */
void limit_store_hand_over(struct canned_job *first, struct canned_job *last);

/* Those on disk, oldest first, or NULL. */
struct canned_job *limit_store_take_done(void);

#endif /* SK_BENCH_LIMIT_STORE_H */
