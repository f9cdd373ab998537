/*
 * metrics_out - text for Prometheus (text format 0.0.4).
 *
 * A family is a name with help and type, written once, followed by its samples.
 * The caller provides the memory; lines that do not fit are left out.
 *
 * Owner:   the caller; names, helps and labels are only read.
 * Threads: one at a time.
 */
#ifndef SK_METRICS_OUT_H
#define SK_METRICS_OUT_H

#include <stddef.h>
#include <stdint.h>

struct metrics_out {
    char *text;
    size_t size;
    size_t used;
};

/* ---- numbers ----------------------------------------------------------------------------- */

void metrics_counter(struct metrics_out *out, const char *name, const char *help, uint64_t value);
void metrics_counter_us(struct metrics_out *out, const char *name, const char *help,
                        uint64_t value_us); /* written in seconds */
void metrics_gauge(struct metrics_out *out, const char *name, const char *help, uint64_t value);

/* ---- numbers with labels ----------------------------------------------------------------- */

struct metrics_label {
    const char *name;
    const char *value; /* any characters */
};

/* Begins a family of counters or gauges; its samples must follow directly. */
void metrics_counters(struct metrics_out *out, const char *name, const char *help);
void metrics_gauges(struct metrics_out *out, const char *name, const char *help);
void metrics_sample(struct metrics_out *out, const char *name, const struct metrics_label *labels,
                    size_t label_count, uint64_t value);

/* ---- durations --------------------------------------------------------------------------- */

#define METRICS_STEPS 14

/* A histogram of durations, written in seconds.  All zeros is empty. */
struct metrics_durations {
    uint64_t counts[METRICS_STEPS + 1]; /* per step; the last is for longer ones */
    uint64_t sum_us;
};

void metrics_durations_add(struct metrics_durations *durations, int64_t us);

void metrics_histogram(struct metrics_out *out, const char *name, const char *help,
                       const struct metrics_durations *durations);

#endif /* SK_METRICS_OUT_H */
