#include "server/store/desk.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "common/base/status.h"
#include "server/clock.h"
#include "server/store/options.h"
#include "server/store/question.h"
#include "server/thread.h"

struct list {
    struct store_job *first;
    struct store_job **end; /* where the next one is linked */
};

struct desk {
    struct desk_options options;
    uint32_t count; /* loop only: waiting, being executed, or done */
    pthread_t thread;
    bool is_joined; /* loop only */
    pthread_mutex_t lock;
    pthread_cond_t has_work;

    /* Protected by the lock. */
    struct list waiting;
    struct list done;
    uint32_t done_count;
    const struct store_job *current; /* being executed, or NULL */
    const void *last_payer;          /* whose job was taken last */
    bool has_ended;

    atomic_bool is_unwanted; /* cancels the current job */
};

/* ---- lists ------------------------------------------------------------------------------- */

static void
list_init(struct list *list)
{
    list->first = NULL;
    list->end = &list->first;
}

static void
list_append(struct list *list, struct store_job *job)
{
    job->next = NULL;
    *list->end = job;
    list->end = &job->next;
}

/* `at` is the pointer that leads to the job. */
static struct store_job *
list_take_at(struct list *list, struct store_job **at)
{
    struct store_job *job = *at;

    *at = job->next;
    if (list->end == &job->next) {
        list->end = at;
    }
    job->next = NULL;
    return job;
}

static void
list_free(struct list *list)
{
    while (list->first != NULL) {
        store_job_free(list_take_at(list, &list->first));
    }
}

/* ---- the thread -------------------------------------------------------------------------- */

/* These fail only for an invalid mutex. */
static void
lock(struct desk *desk)
{
    SK_ASSERT(pthread_mutex_lock(&desk->lock) == 0);
}

static void
unlock(struct desk *desk)
{
    SK_ASSERT(pthread_mutex_unlock(&desk->lock) == 0);
}

static void
wake(const struct desk *desk)
{
    if (desk->options.wake != NULL) {
        desk->options.wake(desk->options.context);
    }
}

static void
put_done(struct desk *desk, struct store_job *job)
{
    list_append(&desk->done, job);
    desk->done_count++;
}

/* The first job whose payer differs from the last one's; if there is none, the first job. */
static struct store_job *
choose(struct desk *desk)
{
    struct store_job **at = &desk->waiting.first;

    while (*at != NULL && (*at)->payer != NULL && (*at)->payer == desk->last_payer) {
        at = &(*at)->next;
    }
    return list_take_at(&desk->waiting, *at == NULL ? &desk->waiting.first : at);
}

/* Blocks until there is a job; NULL once the desk has ended. */
static struct store_job *
take(struct desk *desk)
{
    struct store_job *job = NULL;

    lock(desk);
    while (desk->waiting.first == NULL && !desk->has_ended) {
        SK_ASSERT(pthread_cond_wait(&desk->has_work, &desk->lock) == 0);
    }
    if (desk->waiting.first != NULL) {
        job = choose(desk);
        desk->current = job;
        desk->last_payer = job->payer;
        atomic_store(&desk->is_unwanted, false);
    }
    unlock(desk);
    return job;
}

/* The time that jobs are charged for. */
static int64_t
work_us(const struct desk *desk)
{
    return clock_us(desk->options.is_shared ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID);
}

/* Who asked is not charged for the wait for a connection: at most for what a query may use. */
static int64_t
charge_us(const struct desk *desk, int64_t used_us)
{
    int64_t max_us = desk->options.is_shared ? STORE_TEXT_MAX_MS * 1000 : INT64_MAX;

    return used_us < max_us ? used_us : max_us;
}

static void *
run(void *context)
{
    struct desk *desk = context;
    struct store_job *job;

    if (!desk->options.is_urgent) {
        (void)setpriority(PRIO_PROCESS, 0, QUESTION_NICE); /* on Linux: of this thread only */
    }
    while ((job = take(desk)) != NULL) {
        int64_t began_us = work_us(desk);
        bool has_more;

        desk->options.work(desk->options.worker, job, &desk->is_unwanted);
        job->work_us = charge_us(desk, work_us(desk) - began_us);
        lock(desk);
        desk->current = NULL;
        put_done(desk, job);
        has_more = desk->waiting.first != NULL;
        unlock(desk);
        wake(desk);
        if (desk->options.tidy != NULL && !has_more) {
            desk->options.tidy(desk->options.worker);
        }
    }
    return NULL;
}

/* ---- the loop's side --------------------------------------------------------------------- */

static void
desk_free(struct desk *desk)
{
    list_free(&desk->waiting);
    list_free(&desk->done);
    (void)pthread_cond_destroy(&desk->has_work);
    (void)pthread_mutex_destroy(&desk->lock);
    free(desk);
}

struct desk *
desk_open(const struct desk_options *options)
{
    struct desk *desk = calloc(1, sizeof(*desk));

    if (desk == NULL) {
        return NULL;
    }
    desk->options = *options;
    list_init(&desk->waiting);
    list_init(&desk->done);
    SK_ASSERT(pthread_mutex_init(&desk->lock, NULL) == 0);
    SK_ASSERT(pthread_cond_init(&desk->has_work, NULL) == 0);
    if (!thread_start(&desk->thread, run, desk)) {
        desk_free(desk);
        return NULL;
    }
    return desk;
}

bool
desk_put(struct desk *desk, struct store_job *job)
{
    if (desk->has_ended || desk->count >= desk->options.jobs_max) {
        return false; /* only the loop ends it, so no lock is needed */
    }
    desk->count++;
    lock(desk);
    list_append(&desk->waiting, job);
    unlock(desk);
    SK_ASSERT(pthread_cond_signal(&desk->has_work) == 0);
    return true;
}

/* A job that was not begun comes back unexecuted. */
static void
give_back(struct desk *desk, struct store_job **at)
{
    struct store_job *job = list_take_at(&desk->waiting, at);

    job->result = STORE_ABANDONED;
    put_done(desk, job);
}

void
desk_cancel(struct desk *desk, struct store_job *job)
{
    struct store_job **at;
    bool is_waiting;

    lock(desk);
    at = &desk->waiting.first;
    while (*at != NULL && *at != job) {
        at = &(*at)->next;
    }
    is_waiting = *at != NULL;
    if (is_waiting) {
        give_back(desk, at);
    } else if (desk->current == job) {
        atomic_store(&desk->is_unwanted, true);
    }
    unlock(desk);
    if (is_waiting) {
        wake(desk);
    }
}

struct store_job *
desk_take_done(struct desk *desk)
{
    struct store_job *first;

    lock(desk);
    first = desk->done.first;
    desk->count -= desk->done_count;
    desk->done_count = 0;
    list_init(&desk->done);
    unlock(desk);
    return first;
}

void
desk_stop(struct desk *desk)
{
    bool had_waiting;

    lock(desk);
    desk->has_ended = true;
    atomic_store(&desk->is_unwanted, true);
    had_waiting = desk->waiting.first != NULL;
    while (desk->waiting.first != NULL) {
        give_back(desk, &desk->waiting.first);
    }
    unlock(desk);
    SK_ASSERT(pthread_cond_signal(&desk->has_work) == 0);
    if (had_waiting) {
        wake(desk);
    }
}

void
desk_end(struct desk *desk)
{
    if (!desk->is_joined) {
        desk_stop(desk);
        (void)pthread_join(desk->thread, NULL);
        desk->is_joined = true;
    }
}

void
desk_close(struct desk *desk)
{
    if (desk != NULL) {
        desk_end(desk);
        desk_free(desk);
    }
}
