/*
 * metrics_page - text that Prometheus reads (its text format 0.0.4).
 *
 * A family is a name with its help and its kind, told once, and then its
 * samples.  The page is memory of the caller's; what does not fit any more
 * is left out by whole lines.
 *
 * Owner:   the caller; names, helps and labels are only read.
 * Threads: one at a time.
 */
#ifndef SK_METRICS_PAGE_H
#define SK_METRICS_PAGE_H

#include <stddef.h>
#include <stdint.h>

struct metrics_page {
    char *text;
    size_t size;
    size_t used;
};

/* ---- numbers ----------------------------------------------------------------------------- */

void metrics_counter(struct metrics_page *page, const char *name, const char *help, uint64_t value);
void metrics_counter_us(struct metrics_page *page, const char *name, const char *help,
                        uint64_t value_us); /* told in seconds */
void metrics_gauge(struct metrics_page *page, const char *name, const char *help, uint64_t value);

/* ---- numbers with labels ----------------------------------------------------------------- */

struct metrics_label {
    const char *name;
    const char *value; /* of any characters */
};

/* Begins a family of counters or gauges; all of its samples follow directly. */
void metrics_counters(struct metrics_page *page, const char *name, const char *help);
void metrics_gauges(struct metrics_page *page, const char *name, const char *help);
void metrics_sample(struct metrics_page *page, const char *name, const struct metrics_label *labels,
                    size_t label_count, uint64_t value);

/* ---- durations --------------------------------------------------------------------------- */

#define METRICS_STEPS 14

/* How long things took; told in seconds.  A zeroed one is empty. */
struct metrics_durations {
    uint64_t counts[METRICS_STEPS + 1]; /* by step, the last for what took longer */
    uint64_t sum_us;
};

void metrics_durations_add(struct metrics_durations *durations, int64_t us);

void metrics_histogram(struct metrics_page *page, const char *name, const char *help,
                       const struct metrics_durations *durations);

#endif /* SK_METRICS_PAGE_H */
