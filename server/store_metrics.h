/*
 * The store's figures for Prometheus.
 *
 * Threads: the loop's only.
 */
#ifndef SK_STORE_METRICS_H
#define SK_STORE_METRICS_H

#include <stddef.h>

struct store;

/* Returns the length, cut at `size`. */
size_t store_metrics(struct store *store, char *text, size_t size);

#endif /* SK_STORE_METRICS_H */
