/*
 * The world outside, as the host was given it: time, the log, the store.
 */
#ifndef SK_HOST_WORLD_H
#define SK_HOST_WORLD_H

#include "server/host/host_struct.h"

int64_t host_now_ms(const struct host *host);  /* monotonic: deadlines */
int64_t host_wall_ms(const struct host *host); /* wall clock: records */
int64_t host_now_us(const void *host);         /* how long work took */
int64_t host_cpu_us(const struct host *host);  /* the loop's time, for who it is spent on */

void host_log(struct host *host, enum host_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* False (and the job freed) when the store takes no more. */
bool host_submit(struct host *host, struct store_job *job);

/* Nobody wants its answer any more; it comes back all the same, perhaps at once. */
void host_cancel(struct host *host, struct store_job *job);

/* False (and the job freed) when no more reviews are taken. */
bool host_review(struct host *host, struct store_job *job);

#endif /* SK_HOST_WORLD_H */
