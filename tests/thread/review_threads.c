/*
 * The loop and the review's thread, for ThreadSanitizer: jobs of all kinds, some of which are
 * returned undone because the thread is stopped.
 */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/review/review.h"
#include "server/store/store.h"
#include "tests/support/temp.h"

#define JOB_COUNT 500
#define ROOM      64

struct run {
    int wake_pipe[2];
    uint32_t submitted;
    uint32_t refused;
    uint32_t done;
    uint32_t undone; /* stopped before their turn */
    uint32_t wrong;
};

static void
wake(void *context)
{
    struct run *run = context;

    if (write(run->wake_pipe[1], "w", 1) != 1) {
        abort();
    }
}

static struct store_job *
make_job(uint32_t number)
{
    struct store_job *job = store_job_alloc(JOB_REVIEW);

    job->review.kind = (enum review_kind)(number % 2);
    job->review.match = 1 + number;
    job->review.commands = strdup("[[],[]]");
    job->payer = number % 3 == 0 ? NULL : job->review.commands; /* anybody */
    return job;
}

/* The database has no match. */
static bool
is_right(const struct store_job *job)
{
    return job->result == STORE_NOT_FOUND;
}

static void
collect(struct run *run, struct review_desk *desk, bool has_stopped)
{
    struct store_job *job = review_take_done(desk);

    while (job != NULL) {
        struct store_job *next = job->next;
        bool is_undone = job->result == STORE_ABANDONED && (has_stopped || job->context == run);

        run->done++;
        run->undone += is_undone ? 1 : 0;
        run->wrong += is_undone || is_right(job) ? 0 : 1;
        store_job_free(job);
        job = next;
    }
}

static void
submit_all(struct run *run, struct review_desk *desk)
{
    struct store_port *port = review_port(desk);
    struct pollfd wait = { .fd = run->wake_pipe[0], .events = POLLIN };
    char bytes[64];

    while (run->submitted < JOB_COUNT) {
        struct store_job *job = make_job(run->submitted);

        job->context = run->submitted % 5 == 0 ? run : NULL; /* every fifth is cancelled */
        if (port->submit(port, job)) {
            if (job->context == run) {
                port->cancel(port, job);
            }
            run->submitted++;
            continue;
        }
        store_job_free(job);
        run->refused++;
        if (poll(&wait, 1, 60000) != 1 || read(run->wake_pipe[0], bytes, sizeof(bytes)) <= 0) {
            abort();
        }
        collect(run, desk, false);
    }
}

static bool
make_database(const char *path)
{
    struct store_options options;
    struct store *store = NULL;
    struct sk_fault fault;
    struct run run;

    if (pipe(run.wake_pipe) != 0) {
        return false;
    }
    store_options_init(&options);
    options.wake = wake;
    options.context = &run;
    if (store_open(path, &options, &store, &fault) != SK_OK) {
        printf("%s\n", fault.message);
        return false;
    }
    store_close(store);
    return true;
}

static void
remove_database(const char *folder)
{
    static const char *const names[] = { "db", "db-wal", "db-shm", "db.lock" };
    char path[TEMP_PATH_MAX + 8];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}

int
main(void)
{
    char folder[TEMP_PATH_MAX];
    char path[TEMP_PATH_MAX + 8];
    struct review_options options;
    struct review_desk *desk;
    struct run run = { .submitted = 0 };
    bool is_fine;

    temp_path(folder, sizeof(folder), "skirmish-review");
    if (mkdtemp(folder) == NULL || pipe(run.wake_pipe) != 0) {
        return 1;
    }
    (void)snprintf(path, sizeof(path), "%s/db", folder);
    is_fine = make_database(path);
    review_options_init(&options);
    options.jobs_max = ROOM;
    options.wake = wake;
    options.context = &run;
    desk = review_open(path, &options);
    is_fine = is_fine && desk != NULL;
    if (is_fine) {
        submit_all(&run, desk);
        review_stop(desk);
        collect(&run, desk, true);
        review_close(desk);
        is_fine = run.done == JOB_COUNT && run.wrong == 0;
    }
    printf("%u jobs, %u times full, %u undone when it stopped, %u wrong\n", run.done, run.refused,
           run.undone, run.wrong);
    remove_database(folder);
    printf("%d passed, %d failed\n", is_fine ? 1 : 0, is_fine ? 0 : 1);
    return is_fine ? 0 : 1;
}
