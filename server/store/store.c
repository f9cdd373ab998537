/*
 * The storage thread's loop:
 *
 *   take all jobs that wait -> groups of at most STORE_BATCH_MAX -> for each
 *   group: begin, work on every job, commit -> hand the group back, wake the
 *   loop -> tidy up
 */
#include "server/store/store.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "server/kill_point.h"
#include "server/store/backend.h"
#include "server/store/heads.h"
#include "server/store/memory.h"
#include "server/store/queue.h"
#include "server/store/statistics.h"

struct store {
    struct store_port port; /* first: what is handed out leads back to the store */
    struct store_options options;
    struct queue queue;
    struct heads heads;
    struct backend *backend;
    struct statistics *statistics; /* NULL: there was no thread for it */
    pthread_t thread;
    pthread_mutex_t figures_lock;
    struct store_figures figures;
};

/* Jobs that share a transaction. */
struct group {
    struct store_job *first;
    struct store_job *last;
    uint32_t count;
    bool writes;
};

/* ---- one job ----------------------------------------------------------------------------- */

static bool
job_writes(const struct store_job *job)
{
    switch (job->kind) {
    case JOB_PLAYER_CREATE:
    case JOB_TOKEN_RENEW:
    case JOB_BOT_PLAYER:
    case JOB_BOT_CALL:
    case JOB_MATCH_CREATE:
    case JOB_MATCH_APPEND:
    case JOB_MATCH_IMPORT:
    case JOB_ADMIN:
    case JOB_BEAT:
        return true;
    case JOB_PLAYER_LOGIN:
    case JOB_MATCH_LOAD:
    case JOB_COMMAND_FIND:
    case JOB_MATCH_BY_CODE:
    case JOB_REMATCH_FIND:
    case JOB_UNFINISHED:
    case JOB_PLAYER_MATCHES:
    case JOB_TEXT:
    case JOB_FLUSH:
    case JOB_REVIEW:
        return false;
    }
    return true;
}

static void
job_fail(struct store_job *job, const char *message)
{
    free(job->message);
    job->message = memory_copy_text(message, strlen(message));
    job->result = STORE_UNAVAILABLE;
}

/* A job may have been here before: whoever could not be served hands the same one over again. */
static void
job_start(struct store_job *job)
{
    free(job->message);
    job->message = NULL;
    job->result = STORE_OK;
}

/* Does it fail with those before it, and those after it with it?  To set a match aside does not. */
static bool
grows_chain(const struct store_job *job)
{
    return job->kind == JOB_MATCH_APPEND && job->record_count > 0 && job->match.id != 0;
}

static bool
work_on(struct store *store, struct store_job *job, struct backend_message *ret_message)
{
    bool grows = grows_chain(job);

    job_start(job);
    if (grows && heads_has_failed(&store->heads, job->match.id, job->generation)) {
        job_fail(job, "an earlier job of this match failed");
        return true;
    }
    if (!store->backend->work(store->backend, job, ret_message)) {
        return false;
    }
    if (grows && job->records[0].kind == RECORD_SNAPSHOT) {
        SK_KILL_POINT(KILL_SNAPSHOT);
    }
    if (grows && job->result != STORE_OK) {
        heads_fail(&store->heads, job->match.id, job->generation);
    }
    return true;
}

/* ---- one group --------------------------------------------------------------------------- */

/* Takes the group off the front of the list. */
static struct group
take_group(struct store_job **list)
{
    struct group group = { .first = *list };

    while (*list != NULL && group.count < STORE_BATCH_MAX) {
        group.last = *list;
        group.count++;
        group.writes = group.writes || job_writes(*list);
        *list = (*list)->next;
    }
    group.last->next = NULL;
    return group;
}

static int64_t
now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void
hand_back(struct store *store, const struct group *group)
{
    queue_put_done(&store->queue, group->first, group->last, group->count);
    if (store->options.wake != NULL) {
        store->options.wake(store->options.context);
    }
}

static void
hand_back_one(void *context, struct store_job *job)
{
    hand_back(context, &(struct group){ .first = job, .last = job, .count = 1 });
}

/* What must never be: the loop tells everybody, and only then the disk is asked. */
static void
hand_back_early(struct store *store, struct group *group)
{
    hand_back(store, group);
    group->first = NULL;
    (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
}

static bool
work_on_all(struct store *store, struct group *group, int64_t *ret_commit_us,
            struct backend_message *ret_message)
{
    int64_t began_us;

    if (!store->backend->begin(store->backend, group->writes, ret_message)) {
        return false;
    }
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        if (!work_on(store, job, ret_message)) {
            return false;
        }
    }
    if (SK_TEST_FAULT_IS(FAULT_EARLY_ACK)) {
        hand_back_early(store, group);
    }
    if (group->writes) {
        SK_KILL_POINT(KILL_BEFORE_COMMIT);
    }
    began_us = now_us();
    if (!store->backend->commit(store->backend, ret_message)) {
        return false;
    }
    if (group->writes) {
        SK_KILL_POINT(KILL_AFTER_COMMIT);
    }
    *ret_commit_us = now_us() - began_us;
    return true;
}

/* Nothing of the group is stored: also not what its jobs were told along the way. */
static void
fail_group(struct store *store, const struct group *group, const char *message)
{
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        job_fail(job, message);
        if (grows_chain(job)) {
            heads_fail(&store->heads, job->match.id, job->generation);
        } else if (job->kind == JOB_MATCH_CREATE && job->match.id != 0) {
            heads_forget(&store->heads, job->match.id);
            job->match.id = 0;
        } else if (job->kind == JOB_PLAYER_CREATE || job->kind == JOB_BOT_PLAYER) {
            job->player.id = 0;
        }
    }
}

static uint64_t
count_records(const struct group *group)
{
    uint64_t count = 0;

    for (const struct store_job *job = group->first; job != NULL; job = job->next) {
        if (job_writes(job) && job->result == STORE_OK) {
            count += job->record_count;
        }
    }
    return count;
}

static void
count_group(struct store *store, const struct group *group, bool is_stored, int64_t commit_us)
{
    struct store_figures *figures = &store->figures;

    (void)pthread_mutex_lock(&store->figures_lock);
    figures->jobs += group->count;
    figures->failures += !is_stored;
    if (group->writes) {
        figures->has_failed = !is_stored;
        figures->records += count_records(group);
    }
    if (group->writes && is_stored) {
        figures->commits++;
        metrics_durations_add(&figures->commit, commit_us);
    }
    (void)pthread_mutex_unlock(&store->figures_lock);
}

static void
tidy(struct store *store)
{
    struct backend_pages pages = store->backend->tidy(store->backend);

    (void)pthread_mutex_lock(&store->figures_lock);
    store->figures.wal_pages = pages.wal;
    store->figures.free_pages = pages.free;
    (void)pthread_mutex_unlock(&store->figures_lock);
}

/* Those of a group that failed who only ask are answered all the same: reading needs no writing. */
static void
read_anyway(struct store *store, const struct group *group)
{
    struct backend_message message;

    if (!group->writes || !store->backend->begin(store->backend, false, &message)) {
        return;
    }
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        if (!job_writes(job) && !work_on(store, job, &message)) {
            job_fail(job, message.text);
            return;
        }
    }
    (void)store->backend->commit(store->backend, &message);
}

static void
work_on_group(struct store *store, struct group *group)
{
    struct backend_message message;
    int64_t commit_us = 0;
    bool is_stored = work_on_all(store, group, &commit_us, &message);

    if (!is_stored) {
        fail_group(store, group, message.text);
        read_anyway(store, group);
    }
    count_group(store, group, is_stored, commit_us);
    if (group->first != NULL) {
        hand_back(store, group);
    }
    if (group->writes) {
        tidy(store);
    }
}

/* What takes long goes to another thread; returns the rest. */
static struct store_job *
pass_on(struct store *store, struct store_job *list)
{
    struct store_job **at = &list;

    while (store->statistics != NULL && *at != NULL) {
        struct store_job *job = *at;
        struct store_job *next = job->next;

        if (job->kind == JOB_FLUSH) {
            statistics_stop(store->statistics);
        }
        if (statistics_pass(store->statistics, job)) {
            *at = next;
        } else {
            at = &job->next;
        }
    }
    return list;
}

static void *
storage_thread(void *context)
{
    struct store *store = context;
    struct store_job *list;

    while ((list = queue_take_waiting(&store->queue)) != NULL) {
        list = pass_on(store, list);
        while (list != NULL) {
            struct group group = take_group(&list);

            work_on_group(store, &group);
        }
    }
    return NULL;
}

/* ---- the loop's side --------------------------------------------------------------------- */

void
store_options_init(struct store_options *options)
{
    *options = (struct store_options){
        .jobs_max = STORE_JOBS_MAX,
        .busy_timeout_ms = STORE_BUSY_TIMEOUT_MS,
    };
}

static bool
submit(struct store_port *port, struct store_job *job)
{
    struct store *store = (struct store *)port;

    if (!queue_put(&store->queue, job)) {
        return false;
    }
    if (!store->options.collects) {
        queue_hand_over(&store->queue);
    }
    return true;
}

void
store_hand_over(struct store *store)
{
    queue_hand_over(&store->queue);
}

/* Signals are the loop's matter: the thread is born with all of them blocked. */
static bool
start_thread(struct store *store)
{
    sigset_t all;
    sigset_t before;
    int error;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&store->thread, NULL, storage_thread, store);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

static void
store_free(struct store *store)
{
    statistics_close(store->statistics);
    if (store->backend != NULL) {
        store->backend->close(store->backend);
    }
    queue_fini(&store->queue);
    heads_fini(&store->heads);
    (void)pthread_mutex_destroy(&store->figures_lock);
    free(store);
}

enum sk_status
store_open(const char *path, const struct store_options *options, struct store **ret_store,
           struct sk_fault *ret_fault)
{
    struct store *store = memory_alloc(1, sizeof(*store));
    enum sk_status status;

    store->port.submit = submit;
    store->options = *options;
    queue_init(&store->queue, options->jobs_max);
    heads_init(&store->heads);
    (void)pthread_mutex_init(&store->figures_lock, NULL);
    status = sqlite_open(path, &store->options, &store->heads, &store->backend, ret_fault);
    if (status == SK_OK) {
        store->statistics = statistics_open(&(struct statistics_options){
            .path = path, .hand_back = hand_back_one, .context = store });
        tidy(store);
    }
    if (status == SK_OK && !start_thread(store)) {
        status = sk_fault_set(ret_fault, "cannot_open", "no thread for storage");
    }
    if (status != SK_OK) {
        store_free(store);
        return status;
    }
    *ret_store = store;
    return SK_OK;
}

void
store_close(struct store *store)
{
    if (store == NULL) {
        return;
    }
    queue_end(&store->queue);
    (void)pthread_join(store->thread, NULL);
    store_free(store);
}

struct store_port *
store_port(struct store *store)
{
    return &store->port;
}

struct store_job *
store_take_done(struct store *store)
{
    return queue_take_done(&store->queue);
}

void
store_figures(struct store *store, struct store_figures *ret_figures)
{
    (void)pthread_mutex_lock(&store->figures_lock);
    *ret_figures = store->figures;
    (void)pthread_mutex_unlock(&store->figures_lock);
    ret_figures->jobs_waiting = queue_count(&store->queue);
}
