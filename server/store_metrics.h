/*
 * The store's figures for Prometheus.
 *
 * Threads: only the loop.
 */
#ifndef SK_STORE_METRICS_H
#define SK_STORE_METRICS_H

struct metrics_out;
struct store;

void store_metrics(struct store *store, const char *path, struct metrics_out *out);

#endif /* SK_STORE_METRICS_H */
