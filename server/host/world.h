/*
 * What the host gets from outside: time, the log, the store.
 *
 * Owner:   a job moves to the store with host_submit, and comes back to its
 *          `done`.
 */
#ifndef SK_HOST_WORLD_H
#define SK_HOST_WORLD_H

#include "server/host/host_struct.h"

int64_t host_now_ms(const struct host *host);  /* monotonic, for deadlines */
int64_t host_wall_ms(const struct host *host); /* wall clock, for records; on a shared
                                                  database, the database's */
int64_t host_now_us(const void *host);         /* to measure work */
int64_t host_cpu_us(const struct host *host);  /* CPU time of the loop, to charge it */

void host_log(struct host *host, enum host_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A job whose answer goes to `done`, with the context in it; see store_job_alloc. */
struct store_job *host_job(enum store_job_kind kind,
                           void (*done)(struct store_job *job, struct host *host), void *context);

/* Returns false, and frees the job, if the store is full. */
bool host_submit(struct host *host, struct store_job *job);

/* Cancels a job whose answer is not needed any more. It comes back in any case, perhaps at once. */
void host_cancel(struct host *host, struct store_job *job);

/* Returns false, and frees the job, if there are too many reviews. */
bool host_review(struct host *host, struct store_job *job);

#endif /* SK_HOST_WORLD_H */
