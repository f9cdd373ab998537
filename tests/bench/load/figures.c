#include "tests/bench/load/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* The name in the second column may have spaces: what counts begins after its parenthesis. */
static bool
cpu_of(const char *path, double *ret_cpu_s)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    const char *rest = NULL;
    unsigned long long user;
    unsigned long long kernel;

    if (file == NULL) {
        return false;
    }
    if (fgets(line, sizeof(line), file) != NULL) {
        rest = strrchr(line, ')');
    }
    (void)fclose(file);
    if (rest == NULL || sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
                               &user, &kernel) != 2) {
        return false;
    }
    *ret_cpu_s = (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
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
    char path[64];
    struct process_use use = { 0 };

    (void)snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    if (pid <= 0 || !cpu_of(path, &use.cpu_s)) {
        return false;
    }
    (void)snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, pid);
    (void)cpu_of(path, &use.main_cpu_s);
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
