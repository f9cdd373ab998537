#include "server/daemon_metrics.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/store/store.h"

static uint64_t
cpu_us(void)
{
    struct rusage used;

    if (getrusage(RUSAGE_SELF, &used) != 0) {
        return 0;
    }
    return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
           (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static uint64_t
count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    uint64_t count = 0;

    if (folder == NULL) {
        return 0;
    }
    for (const struct dirent *one = readdir(folder); one != NULL; one = readdir(folder)) {
        count += one->d_name[0] != '.';
    }
    closedir(folder);
    return count - 1; /* without the folder's own */
}

static void
add_memory(struct metrics_out *out)
{
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long long pages[2] = { 0, 0 };
    uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);

    if (file != NULL) {
        if (fscanf(file, "%llu %llu", &pages[0], &pages[1]) != 2) {
            pages[0] = pages[1] = 0;
        }
        fclose(file);
    }
    metrics_gauge(out, "process_virtual_memory_bytes", "Virtual memory.", pages[0] * page_bytes);
    metrics_gauge(out, "process_resident_memory_bytes", "Memory in use.", pages[1] * page_bytes);
}

void
process_metrics(struct metrics_out *out, uint64_t started_at_s)
{
    struct rlimit limit = { 0, 0 };

    metrics_counter_us(out, "process_cpu_seconds_total", "Processor time, user and system.",
                       cpu_us());
    metrics_gauge(out, "process_open_fds", "Open files and connections.", count_descriptors());
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    metrics_gauge(out, "process_max_fds", "Limit of open files.", limit.rlim_cur);
    add_memory(out);
    metrics_gauge(out, "process_start_time_seconds", "Start time in seconds since 1970 UTC.",
                  started_at_s);
}

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
