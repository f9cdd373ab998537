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
    if (figures->delay_count == figures->delay_capacity) {
        uint32_t space = figures->delay_capacity == 0 ? 65536 : 2 * figures->delay_capacity;
        uint32_t *delays = realloc(figures->delays_us, space * sizeof(*delays));

        if (delays == NULL) {
            return;
        }
        figures->delays_us = delays;
        figures->delay_capacity = space;
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

/* ---- slices ------------------------------------------------------------------------------ */

void
slices_note(struct slices *slices, double seconds_since_start, uint64_t turns)
{
    while (slices->seconds > 0 && slices->count < SLICES_MAX &&
           seconds_since_start >= slices->seconds * (slices->count + 1)) {
        struct process_use use = { 0 };

        (void)process_use_read(slices->pid, &use);
        slices->cpu_s[slices->count] = use.cpu_s;
        slices->turns[slices->count++] = turns;
    }
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

static int
by_number(const struct dirent **a, const struct dirent **b)
{
    return atoi((*a)->d_name) - atoi((*b)->d_name);
}

static int
is_number(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Threads that have ended are left out; servers keep theirs. */
static bool
cpu_of_all(int pid, struct process_use *use)
{
    char path[64];
    struct dirent **entries = NULL;
    int count;

    (void)snprintf(path, sizeof(path), "/proc/%d/task", pid);
    count = scandir(path, &entries, is_number, by_number);
    for (int i = 0; i < count; i++) {
        double cpu_s = cpu_of(pid, entries[i]->d_name);

        use->cpu_s += cpu_s;
        if (use->thread_count < PROCESS_THREADS_MAX) {
            use->thread_cpu_s[use->thread_count++] = cpu_s;
        }
        free(entries[i]);
    }
    free(entries);
    return count > 0;
}

/* The number behind this word in one of the process's files; 0 without it. */
static uint64_t
number_in(int pid, const char *name, const char *word)
{
    char path[64];
    char line[256];
    size_t length = strlen(word);
    uint64_t number = 0;
    FILE *file;

    (void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, word, length) == 0) {
            number = strtoull(line + length, NULL, 10);
            break;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return number;
}

bool
process_use_read(int pid, struct process_use *ret_use)
{
    struct process_use use = { 0 };

    if (pid <= 0 || !cpu_of_all(pid, &use)) {
        return false;
    }
    use.written_bytes = number_in(pid, "io", "write_bytes:");
    use.rss_kib = number_in(pid, "status", "VmRSS:");
    *ret_use = use;
    return true;
}

double
own_cpu_s(void)
{
    struct timespec spent;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return (double)spent.tv_sec + (double)spent.tv_nsec / 1e9;
}

int64_t
now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
