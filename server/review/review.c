#include "server/review/review.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "server/limits.h"
#include "server/review/internal.h"
#include "server/store/queue.h"

struct review_desk {
    struct store_port port; /* first: the host knows only this */
    struct review_options options;
    struct queue queue;
    pthread_t thread;
    atomic_bool is_stopping;
    struct review_work work;
};

/* ---- the thread -------------------------------------------------------------------------- */

static void
do_jobs(struct review_desk *desk, struct store_job *list)
{
    while (list != NULL) {
        struct store_job *job = list;

        list = job->next;
        job->next = NULL;
        if (atomic_load(&desk->is_stopping)) {
            job->result = STORE_UNAVAILABLE;
        } else {
            review_do(&desk->work, job);
        }
        queue_put_done(&desk->queue, job, job, 1);
        desk->options.wake(desk->options.context);
    }
}

static void *
review_thread(void *context)
{
    struct review_desk *desk = context;
    struct store_job *list;

    while ((list = queue_take_waiting(&desk->queue)) != NULL) {
        do_jobs(desk, list);
    }
    return NULL;
}

/* Signals are the loop's matter: the thread is born with all of them blocked. */
static bool
start_thread(struct review_desk *desk)
{
    sigset_t all;
    sigset_t before;
    int error;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&desk->thread, NULL, review_thread, desk);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

/* ---- the loop's side --------------------------------------------------------------------- */

void
review_options_init(struct review_options *options)
{
    *options = (struct review_options){
        .jobs_max = SERVER_REVIEWS_MAX,
        .time_max_ms = SERVER_REVIEW_MAX_MS,
    };
}

static bool
submit(struct store_port *port, struct store_job *job)
{
    struct review_desk *desk = (struct review_desk *)port;

    if (!queue_put(&desk->queue, job)) {
        return false;
    }
    queue_hand_over(&desk->queue);
    return true;
}

struct review_desk *
review_open(const char *database, const struct review_options *options)
{
    struct review_desk *desk = calloc(1, sizeof(*desk));

    if (desk == NULL) {
        return NULL;
    }
    desk->port.submit = submit;
    desk->options = *options;
    desk->work = (struct review_work){ .database = database, .time_max_ms = options->time_max_ms };
    queue_init(&desk->queue, options->jobs_max);
    if (!start_thread(desk)) {
        queue_fini(&desk->queue);
        free(desk);
        return NULL;
    }
    return desk;
}

void
review_stop(struct review_desk *desk)
{
    atomic_store(&desk->is_stopping, true);
    queue_end(&desk->queue);
    (void)pthread_join(desk->thread, NULL);
}

void
review_close(struct review_desk *desk)
{
    queue_fini(&desk->queue);
    review_work_fini(&desk->work);
    free(desk);
}

struct store_port *
review_port(struct review_desk *desk)
{
    return &desk->port;
}

struct store_job *
review_take_done(struct review_desk *desk)
{
    return queue_take_done(&desk->queue);
}
