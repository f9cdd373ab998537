/*
 * Figures for Prometheus: those of the kernel about this process, under their
 * usual names, and those of the store.
 *
 * Threads: only the loop.
 */
#ifndef SK_DAEMON_METRICS_H
#define SK_DAEMON_METRICS_H

#include "server/metrics_out.h"

struct store;

void process_metrics(struct metrics_out *out, uint64_t started_at_s);
void store_metrics(struct store *store, const char *path, struct metrics_out *out);

#endif /* SK_DAEMON_METRICS_H */
