#include "server/store_metrics.h"

#include <sys/stat.h>

#include "server/store/store.h"

#define PAGE_BYTES 4096

void
store_metrics(struct store *store, const char *path, struct metrics_page *page)
{
    struct store_figures figures;
    struct stat about;

    store_figures(store, &figures);
    metrics_gauge(page, "skirmish_store_jobs_waiting", "Jobs that the store holds.",
                  figures.jobs_waiting);
    metrics_counter(page, "skirmish_store_jobs_total", "Jobs worked on.", figures.jobs);
    metrics_counter(page, "skirmish_store_records_total", "Records on disk since the start.",
                    figures.records);
    metrics_counter(page, "skirmish_store_errors_total", "Transactions taken back.",
                    figures.failures);
    metrics_gauge(page, "skirmish_store_is_failing", "1: the last write was taken back.",
                  figures.has_failed ? 1 : 0);
    metrics_gauge(page, "skirmish_store_wal_bytes", "The write-ahead log.",
                  figures.wal_pages * PAGE_BYTES);
    metrics_gauge(page, "skirmish_store_file_bytes", "The database without its write-ahead log.",
                  stat(path, &about) == 0 ? (uint64_t)about.st_size : 0);
    metrics_gauge(page, "skirmish_store_free_bytes",
                  "Of the database, what is free for new rows before the file grows.",
                  figures.free_pages * PAGE_BYTES);
    metrics_histogram(page, "skirmish_store_commit_seconds",
                      "How long transactions took from the end of their work to the disk.",
                      &figures.commit);
}
