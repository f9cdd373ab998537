/*
 * Prometheus text of what the host counts.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "server/host/internal.h"

struct text {
    char *at;
    size_t size;
    size_t used;
};

static void __attribute__((format(printf, 2, 3))) say(struct text *text, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text->used < text->size ? text->at + text->used : NULL,
                       text->used < text->size ? text->size - text->used : 0, format, arguments);
    va_end(arguments);
    text->used += length < 0 ? 0 : (size_t)length;
}

static void
gauge(struct text *text, const char *name, const char *help, uint32_t value)
{
    say(text, "# HELP %s %s\n# TYPE %s gauge\n%s %" PRIu32 "\n", name, help, name, name, value);
}

static void
counter(struct text *text, const char *name, const char *help, uint64_t value)
{
    say(text, "# HELP %s %s\n# TYPE %s counter\n%s %" PRIu64 "\n", name, help, name, name, value);
}

static void
histogram(struct text *text, const char *name, const char *help,
          const struct host_histogram *histogram)
{
    uint64_t sum = 0;

    say(text, "# HELP %s %s\n# TYPE %s histogram\n", name, help, name);
    for (size_t i = 0; i < HOST_HISTOGRAM_STEPS; i++) {
        sum += histogram->counts[i];
        say(text, "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name, host_histogram_ms[i] / 1000.0, sum);
    }
    say(text, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n", name, histogram->count);
    say(text, "%s_sum %g\n%s_count %" PRIu64 "\n", name, (double)histogram->sum_ms / 1000.0, name,
        histogram->count);
}

const double host_histogram_ms[HOST_HISTOGRAM_STEPS] = { 1,   2,   5,   10,   20,   50,
                                                         100, 200, 500, 1000, 2000, 5000 };

void
histogram_add(struct host_histogram *histogram, int64_t ms)
{
    histogram->count++;
    histogram->sum_ms += ms;
    for (size_t i = 0; i < HOST_HISTOGRAM_STEPS; i++) {
        if ((double)ms <= host_histogram_ms[i]) {
            histogram->counts[i]++;
            return;
        }
    }
}

size_t
host_metrics(const struct host *host, char *memory, size_t size)
{
    struct text text = { memory, size, 0 };
    const struct host_counters *counters = &host->counters;

    gauge(&text, "skirmish_sessions", "Open connections.", host->session_count);
    gauge(&text, "skirmish_players", "Players with a connection.", host->player_count);
    gauge(&text, "skirmish_matches_live", "Matches in memory.", host->room_count);
    gauge(&text, "skirmish_matches_quarantined", "Matches set aside.", host->quarantined_count);
    gauge(&text, "skirmish_store_jobs", "Jobs with the store.", host->jobs);
    counter(&text, "skirmish_frames_received_total", "Frames from clients.", counters->frames);
    counter(&text, "skirmish_malformed_total", "Messages that were no frame.", counters->malformed);
    counter(&text, "skirmish_submissions_total", "Submissions stored.", counters->submissions);
    counter(&text, "skirmish_turns_total", "Turns stored.", counters->turns);
    counter(&text, "skirmish_store_errors_total", "Jobs that the store failed.",
            counters->store_errors);
    histogram(&text, "skirmish_store_seconds", "From handing a job over to its coming back.",
              &counters->store);
    return text.used < size ? text.used : size;
}
