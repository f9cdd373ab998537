/* server/store/desk: jobs that nobody wants any more. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <semaphore.h>

#include "server/store/desk.h"

/* Works on a job until the test lets it go, or until it is unwanted. */
struct worker {
    sem_t has_begun;
    sem_t may_end;
    atomic_uint begun;
    bool waits_for_test;
};

static void
work(void *context, struct store_job *job, const atomic_bool *is_unwanted)
{
    struct worker *worker = context;

    worker->begun++;
    (void)sem_post(&worker->has_begun);
    if (worker->waits_for_test) {
        (void)sem_wait(&worker->may_end);
    } else {
        while (!atomic_load(is_unwanted)) {
            sched_yield();
        }
    }
    job->result = atomic_load(is_unwanted) ? STORE_ABANDONED : STORE_OK;
}

static struct desk *
open_desk(struct worker *worker, bool waits_for_test)
{
    *worker = (struct worker){ .waits_for_test = waits_for_test };
    cr_assert_eq(sem_init(&worker->has_begun, 0, 0), 0);
    cr_assert_eq(sem_init(&worker->may_end, 0, 0), 0);
    return desk_open(&(struct desk_options){ .jobs_max = 4, .work = work, .worker = worker });
}

static struct store_job *
put(struct desk *desk)
{
    struct store_job *job = store_job_alloc(JOB_TEXT);

    cr_assert(desk_put(desk, job));
    return job;
}

/* The jobs that are done, in order; waits for so many. */
static uint32_t
collect(struct desk *desk, uint32_t count, struct store_job **ret_jobs)
{
    uint32_t found = 0;

    while (found < count) {
        for (struct store_job *job = desk_take_done(desk); job != NULL; job = job->next) {
            ret_jobs[found++] = job;
        }
        sched_yield();
    }
    return found;
}

/* Those that wait come back at once, and are never begun; they make space for others. */
Test(store_desk, unwanted_jobs_leave_the_queue, .timeout = 120)
{
    struct store_job *jobs[4];
    struct store_job *done[4];
    struct worker worker;
    struct desk *desk = open_desk(&worker, true);

    for (int i = 0; i < 4; i++) {
        jobs[i] = put(desk);
    }
    (void)sem_wait(&worker.has_begun); /* the first */
    cr_expect_not(desk_put(desk, jobs[0]), "it is full");
    for (int i = 1; i < 4; i++) {
        desk_cancel(desk, jobs[i]);
    }
    cr_assert_eq(collect(desk, 3, done), 3u, "while the first is worked on");
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(done[i], jobs[i + 1]);
        cr_expect_eq(done[i]->result, STORE_ABANDONED);
        store_job_free(done[i]);
    }
    jobs[1] = put(desk);
    (void)sem_post(&worker.may_end);
    (void)sem_post(&worker.may_end);
    cr_assert_eq(collect(desk, 2, done), 2u);
    cr_expect_eq(worker.begun, 2u, "%u were begun", worker.begun);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(done[i], jobs[i]);
        cr_expect_eq(done[i]->result, STORE_OK);
        store_job_free(done[i]);
    }
    desk_close(desk);
}

/* It would go on for ever. */
Test(store_desk, an_unwanted_job_that_is_worked_on_is_told, .timeout = 120)
{
    struct store_job *done[1];
    struct worker worker;
    struct desk *desk = open_desk(&worker, false);
    struct store_job *job = put(desk);

    (void)sem_wait(&worker.has_begun);
    desk_cancel(desk, job);
    cr_assert_eq(collect(desk, 1, done), 1u);
    cr_expect_eq(done[0]->result, STORE_ABANDONED);
    store_job_free(done[0]);
    desk_close(desk);
}
