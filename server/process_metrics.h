/*
 * The kernel's figures for this process, under the usual Prometheus names.
 *
 * Threads: any.
 */
#ifndef SK_PROCESS_METRICS_H
#define SK_PROCESS_METRICS_H

#include "server/metrics_out.h"

void process_metrics(struct metrics_out *out, uint64_t started_at_s);

#endif /* SK_PROCESS_METRICS_H */
