/*
 * The host's counters, and their text for Prometheus.
 */
#ifndef SK_HOST_SESSION_METRICS_H
#define SK_HOST_SESSION_METRICS_H

#include "server/host/host_struct.h"

void count_error(struct host *host, struct sk_text code);

/* Counts the verdicts of a submission. */
void count_commands(struct host *host, const struct sk_turn *turn, uint8_t seat);

/* Counts the duration of a finished job. */
void count_job(struct host *host, const struct store_job *job);
void counters_fini(struct host_counters *counters);

#endif /* SK_HOST_SESSION_METRICS_H */
