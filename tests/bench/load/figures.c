#include "tests/bench/load/figures.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- delays ------------------------------------------------------------------------------ */

void
figures_add_delay(struct figures *figures, int64_t delay_us)
{
    if (figures->delay_count == figures->delay_room) {
        uint32_t room = figures->delay_room == 0 ? 65536 : 2 * figures->delay_room;
        uint32_t *delays = realloc(figures->delays_us, room * sizeof(*delays));

        if (delays == NULL) {
            return;
        }
        figures->delays_us = delays;
        figures->delay_room = room;
    }
    figures->delays_us[figures->delay_count++] =
        delay_us > UINT32_MAX ? UINT32_MAX : (uint32_t)delay_us;
}

static int
compare(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;

    return left < right ? -1 : left > right;
}

double
figures_delay_us(struct figures *figures, double share)
{
    uint32_t place;

    if (figures->delay_count == 0) {
        return 0;
    }
    qsort(figures->delays_us, figures->delay_count, sizeof(uint32_t), compare);
    place = (uint32_t)(share * figures->delay_count);
    place = place < figures->delay_count ? place : figures->delay_count - 1;
    return figures->delays_us[place];
}

void
figures_fini(struct figures *figures)
{
    free(figures->delays_us);
    *figures = (struct figures){ 0 };
}

/* ---- processes --------------------------------------------------------------------------- */

/* Nanoseconds on a CPU, which is what schedstat begins with. */
static double
cpu_of(int pid, const char *task)
{
    char path[96];
    unsigned long long ns = 0;
    FILE *file;

    (void)snprintf(path, sizeof(path), "/proc/%d/task/%.20s/schedstat", pid, task);
    file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%llu", &ns) != 1) {
            ns = 0;
        }
        (void)fclose(file);
    }
    return (double)ns / 1e9;
}

/* Threads that have ended are left out; servers keep theirs. */
static bool
cpu_of_all(int pid, double *ret_cpu_s)
{
    char path[64];
    DIR *folder;
    const struct dirent *entry;

    (void)snprintf(path, sizeof(path), "/proc/%d/task", pid);
    folder = opendir(path);
    if (folder == NULL) {
        return false;
    }
    *ret_cpu_s = 0;
    while ((entry = readdir(folder)) != NULL) {
        *ret_cpu_s += entry->d_name[0] == '.' ? 0 : cpu_of(pid, entry->d_name);
    }
    (void)closedir(folder);
    return true;
}

static uint64_t
rss_of(int pid)
{
    char path[64];
    char line[256];
    unsigned long long kib = 0;
    FILE *file;

    (void)snprintf(path, sizeof(path), "/proc/%d/status", pid);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "VmRSS: %llu kB", &kib) == 1) {
            break;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return kib;
}

bool
process_use_read(int pid, struct process_use *ret_use)
{
    char task[24];
    struct process_use use = { 0 };

    if (pid <= 0 || !cpu_of_all(pid, &use.cpu_s)) {
        return false;
    }
    (void)snprintf(task, sizeof(task), "%d", pid);
    use.main_cpu_s = cpu_of(pid, task);
    use.rss_kib = rss_of(pid);
    *ret_use = use;
    return true;
}

int64_t
now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
