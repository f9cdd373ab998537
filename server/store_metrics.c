#include "server/store_metrics.h"

#include <sys/stat.h>

#include "server/store/store.h"

void
store_metrics(struct store *store, const char *path, struct metrics_out *out)
{
    struct store_figures figures;
    struct stat about;

    store_figures(store, &figures);
    metrics_gauge(out, "skirmish_store_jobs_waiting", "Jobs in the store, including done ones.",
                  figures.jobs_waiting);
    metrics_counter(out, "skirmish_store_jobs_total", "Jobs executed.", figures.jobs);
    metrics_counter(out, "skirmish_store_records_total", "Records on disk since the start.",
                    figures.records);
    metrics_counter(out, "skirmish_store_errors_total", "Transactions rolled back.",
                    figures.failures);
    metrics_gauge(out, "skirmish_store_is_failing", "1: the last write was rolled back.",
                  figures.has_failed ? 1 : 0);
    metrics_gauge(out, "skirmish_store_wal_bytes", "The write-ahead log.", figures.wal_bytes);
    metrics_gauge(out, "skirmish_store_file_bytes", "The database without its write-ahead log.",
                  stat(path, &about) == 0 ? (uint64_t)about.st_size : 0);
    metrics_gauge(out, "skirmish_store_free_bytes", "Free space inside the database file.",
                  figures.free_bytes);
    metrics_histogram(out, "skirmish_store_commit_seconds",
                      "Duration of commits, including the sync to disk.", &figures.commit);
}
