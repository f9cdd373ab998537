#include "server/store_metrics.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "server/store/store.h"

struct page {
    char *text;
    size_t size;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void
add(struct page *page, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(page->text + page->used, page->size - page->used, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < page->size - page->used) {
        page->used += (size_t)length;
    }
}

static void
add_number(struct page *page, const char *name, const char *kind, const char *help, uint64_t value)
{
    add(page, "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n", name, help, name, kind, name, value);
}

static void
add_commits(struct page *page, const struct store_figures *figures)
{
    static const char name[] = "skirmish_store_commit_seconds";
    uint64_t sum = 0;

    add(page, "# HELP %s How long commits took.\n# TYPE %s histogram\n", name, name);
    for (size_t i = 0; i < STORE_COMMIT_STEP_COUNT; i++) {
        sum += figures->commit_steps[i];
        add(page, "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name, store_commit_steps_us[i] / 1e6, sum);
    }
    add(page, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n%s_sum %.6f\n%s_count %" PRIu64 "\n", name,
        figures->commits, name, (double)figures->commit_us_total / 1e6, name, figures->commits);
}

size_t
store_metrics(struct store *store, char *text, size_t size)
{
    struct page page = { text, size, 0 };
    struct store_figures figures;

    store_figures(store, &figures);
    add_number(&page, "skirmish_store_jobs_waiting", "gauge", "Jobs that the store holds.",
               figures.jobs_waiting);
    add_number(&page, "skirmish_store_jobs_total", "counter", "Jobs worked on.", figures.jobs);
    add_number(&page, "skirmish_store_records_total", "counter", "Records on disk since the start.",
               figures.records);
    add_number(&page, "skirmish_store_errors_total", "counter", "Transactions taken back.",
               figures.failures);
    add_number(&page, "skirmish_store_is_failing", "gauge", "1: the last write was taken back.",
               figures.has_failed ? 1 : 0);
    add_number(&page, "skirmish_store_wal_bytes", "gauge", "The write-ahead log.",
               figures.wal_pages * 4096);
    add_commits(&page, &figures);
    return page.used;
}
