#include "server/metrics_out.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Upper bounds of the steps: a resolution takes one of the first, a slow disk one of the last. */
static const uint32_t steps_us[METRICS_STEPS] = { 25,     100,    250,     500,    1000,
                                                  2500,   5000,   10000,   25000,  50000,
                                                  100000, 250000, 1000000, 5000000 };

/* A line that does not fit is left out, and so is everything after it. */
__attribute__((format(printf, 2, 3))) static void
add(struct metrics_out *out, const char *format, ...)
{
    size_t space = out->size - out->used;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(out->text + out->used, space, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < space) {
        out->used += (size_t)length;
    } else {
        out->size = out->used;
    }
}

static void
family(struct metrics_out *out, const char *name, const char *kind, const char *help)
{
    add(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind);
}

/* ---- numbers ----------------------------------------------------------------------------- */

void
metrics_counters(struct metrics_out *out, const char *name, const char *help)
{
    family(out, name, "counter", help);
}

void
metrics_gauges(struct metrics_out *out, const char *name, const char *help)
{
    family(out, name, "gauge", help);
}

void
metrics_counter(struct metrics_out *out, const char *name, const char *help, uint64_t value)
{
    metrics_counters(out, name, help);
    metrics_sample(out, name, NULL, 0, value);
}

void
metrics_counter_us(struct metrics_out *out, const char *name, const char *help, uint64_t value_us)
{
    metrics_counters(out, name, help);
    add(out, "%s %.6f\n", name, (double)value_us / 1e6);
}

void
metrics_gauge(struct metrics_out *out, const char *name, const char *help, uint64_t value)
{
    metrics_gauges(out, name, help);
    metrics_sample(out, name, NULL, 0, value);
}

/* ---- labels ------------------------------------------------------------------------------ */

#define LABELS_MAX 512 /* bytes of all labels of a sample, escaped; longer ones are cut */

struct labels {
    char text[LABELS_MAX];
    size_t used;
};

static void
put(struct labels *labels, char c)
{
    if (labels->used + 1 < sizeof(labels->text)) {
        labels->text[labels->used++] = c;
    }
}

static void
put_value(struct labels *labels, const char *value)
{
    for (; *value != '\0' && labels->used + 8 < sizeof(labels->text); value++) {
        if (*value == '\\' || *value == '"' || *value == '\n') {
            put(labels, '\\');
        }
        put(labels, *value == '\n' ? 'n' : *value);
    }
}

static void
put_label(struct labels *labels, const struct metrics_label *label)
{
    put(labels, labels->used == 0 ? '{' : ',');
    for (const char *at = label->name; *at != '\0'; at++) {
        put(labels, *at);
    }
    put(labels, '=');
    put(labels, '"');
    put_value(labels, label->value);
    put(labels, '"');
}

void
metrics_sample(struct metrics_out *out, const char *name, const struct metrics_label *labels,
               size_t label_count, uint64_t value)
{
    struct labels all = { .used = 0 };

    for (size_t i = 0; i < label_count; i++) {
        put_label(&all, &labels[i]);
    }
    if (label_count > 0) {
        put(&all, '}');
    }
    all.text[all.used] = '\0';
    add(out, "%s%s %" PRIu64 "\n", name, all.text, value);
}

/* ---- durations --------------------------------------------------------------------------- */

void
metrics_durations_add(struct metrics_durations *durations, int64_t us)
{
    size_t step = 0;

    while (step < METRICS_STEPS && us > (int64_t)steps_us[step]) {
        step++;
    }
    durations->counts[step]++;
    durations->sum_us += us < 0 ? 0 : (uint64_t)us;
}

void
metrics_histogram(struct metrics_out *out, const char *name, const char *help,
                  const struct metrics_durations *durations)
{
    uint64_t count = 0;

    family(out, name, "histogram", help);
    for (size_t i = 0; i < METRICS_STEPS; i++) {
        count += durations->counts[i];
        add(out, "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name, steps_us[i] / 1e6, count);
    }
    count += durations->counts[METRICS_STEPS];
    add(out, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n%s_sum %.6f\n%s_count %" PRIu64 "\n", name, count,
        name, (double)durations->sum_us / 1e6, name, count);
}
