/*
 * What the kernel knows of this process, by the names that Prometheus' own
 * clients give it.
 *
 * Threads: any.
 */
#ifndef SK_PROCESS_METRICS_H
#define SK_PROCESS_METRICS_H

#include "server/metrics_page.h"

void process_metrics(struct metrics_page *page, uint64_t started_at_s);

#endif /* SK_PROCESS_METRICS_H */
