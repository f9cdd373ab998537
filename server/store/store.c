/*
 * The storage thread's loop:
 *
 *   take all waiting jobs -> groups of at most STORE_BATCH_MAX -> for each
 *   group: the backend executes it -> hand the group back, wake the loop ->
 *   tidy up
 */
#include "server/store/store.h"
#include "server/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/kill_point.h"
#include "server/memory.h"
#include "server/store/address.h"
#include "server/store/backend.h"
#include "server/store/desk.h"
#include "server/store/heads.h"
#include "server/store/job_queue.h"
#include "server/store/reads.h"
#include "server/store/statistics.h"
#include "server/thread.h"

/* Desks for read-only jobs, each with its own thread and connections. */
enum desk_number {
    DESK_PLAYERS,
    DESK_HTTP,
    DESK_ASIDE, /* of a shared database */
    DESK_LOADS, /* likewise: matches become this node's, also those of a dead one */
    DESK_STATISTICS,
    DESK_COUNT
};
#define READS_COUNT DESK_STATISTICS /* the desks before it */

struct store {
    struct store_port port; /* must be first: the port leads back to the store */
    struct store_options options;
    struct job_queue queue;
    struct heads heads;
    struct backend *backend;
    char *path;
    struct reads reads[READS_COUNT];
    struct statistics statistics;
    struct desk *desks[DESK_COUNT];
    pthread_t thread;
    pthread_mutex_t figures_lock;
    struct store_figures figures;
};

struct group {
    struct backend_group jobs; /* must be first */
    struct store *store;
    struct store_job *last;
    uint32_t count;
};

/* ---- one group --------------------------------------------------------------------------- */

/* Takes a group off the front of the list. */
static struct group
take_group(struct store *store, struct store_job **list)
{
    struct group group = { .jobs.first = *list, .store = store };

    while (*list != NULL && group.count < STORE_BATCH_MAX) {
        group.last = *list;
        group.count++;
        group.jobs.writes = group.jobs.writes || store_job_writes(*list);
        *list = (*list)->next;
    }
    group.last->next = NULL;
    return group;
}

static void
hand_back(struct store *store, const struct group *group)
{
    job_queue_put_done(&store->queue, group->jobs.first, group->last, group->count);
    if (store->options.wake != NULL) {
        store->options.wake(store->options.context);
    }
}

/* A test fault that must be detected: success is reported before the commit. */
static void
hand_back_early(struct backend_group *jobs)
{
    struct group *group = (struct group *)jobs;

    hand_back(group->store, group);
    jobs->first = NULL;
    (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
}

static uint64_t
count_records(const struct group *group)
{
    uint64_t count = 0;

    for (const struct store_job *job = group->jobs.first; job != NULL; job = job->next) {
        if (store_job_writes(job) && job->result == STORE_OK) {
            count += job->record_count;
        }
    }
    return count;
}

static void
count_group(struct store *store, const struct group *group, bool is_stored)
{
    struct store_figures *figures = &store->figures;

    (void)pthread_mutex_lock(&store->figures_lock);
    figures->jobs += group->count;
    figures->failures += !is_stored;
    if (group->jobs.writes) {
        figures->has_failed = !is_stored;
        figures->records += count_records(group);
    }
    if (group->jobs.writes && is_stored) {
        figures->commits++;
        metrics_durations_add(&figures->commit, group->jobs.commit_us);
    }
    (void)pthread_mutex_unlock(&store->figures_lock);
}

static void
tidy(struct store *store)
{
    struct backend_pages pages = store->backend->tidy(store->backend);

    (void)pthread_mutex_lock(&store->figures_lock);
    store->figures.wal_bytes = pages.wal * pages.size;
    store->figures.free_bytes = pages.free * pages.size;
    (void)pthread_mutex_unlock(&store->figures_lock);
}

/* Jobs of a failed group that only read are still answered, one by one. */
static void
read_anyway(struct store *store, const struct group *group)
{
    struct backend_message message;

    for (struct store_job *job = group->jobs.first; job != NULL; job = job->next) {
        struct store_job *next = job->next;

        if (!store_job_writes(job)) {
            job->next = NULL;
            if (!backend_work_one(store->backend, job, &message)) {
                backend_group_fail(&store->heads, &(struct backend_group){ .first = job },
                                   message.text);
            }
            job->next = next;
        }
    }
}

static void
work_on_group(struct store *store, struct group *group)
{
    struct backend_message message;
    bool is_stored;

    if (SK_TEST_FAULT_IS(FAULT_EARLY_ACK)) {
        group->jobs.before_commit = hand_back_early;
    }
    is_stored = store->backend->work(store->backend, &group->jobs, &message);
    if (!is_stored) {
        backend_group_fail(&store->heads, &group->jobs, message.text);
    }
    /* On a shared database a group fails only without a connection. */
    if (!is_stored && group->jobs.writes && !store->port.is_shared) {
        read_anyway(store, group);
    }
    count_group(store, group, is_stored);
    if (group->jobs.first != NULL) {
        hand_back(store, group);
    }
    if (group->jobs.writes) {
        tidy(store);
    }
}

static void *
storage_thread(void *context)
{
    struct store *store = context;
    struct store_job *list;

    while ((list = job_queue_take_waiting(&store->queue)) != NULL) {
        while (list != NULL) {
            struct group group = take_group(store, &list);

            work_on_group(store, &group);
        }
    }
    return NULL;
}

/* ---- the loop's side --------------------------------------------------------------------- */

static bool
is_claim(const struct store_job *job)
{
    return job->kind == JOB_MATCH_LOAD && job->load.claims;
}

/* The desk for the job; NULL: the storage thread executes it in order. */
static struct desk *
desk_of(const struct store *store, const struct store_job *job)
{
    if (job->kind == JOB_TEXT && job->query.kind == QUERY_STATISTICS) {
        return store->desks[DESK_STATISTICS];
    }
    switch (job->place) {
    case STORE_FOR_PLAYERS:
        return store->desks[store->port.is_shared && is_claim(job) ? DESK_LOADS : DESK_PLAYERS];
    case STORE_FOR_HTTP:
        return store->desks[DESK_HTTP];
    case STORE_ASIDE:
        return store->desks[DESK_ASIDE];
    case STORE_IN_ORDER:
        break;
    }
    return NULL;
}

/* On shutdown read-only jobs are not waited for. */
static void
stop_desks(struct store *store)
{
    statistics_stop(&store->statistics);
    for (int i = 0; i < DESK_COUNT; i++) {
        if (store->desks[i] != NULL) {
            desk_stop(store->desks[i]);
        }
    }
}

static bool
submit(struct store_port *port, struct store_job *job)
{
    struct store *store = (struct store *)port;
    struct desk *desk = desk_of(store, job);

    if (desk != NULL) {
        return desk_put(desk, job);
    }
    if (!job_queue_put(&store->queue, job)) {
        return false;
    }
    if (job->kind == JOB_FLUSH) {
        stop_desks(store);
    }
    if (!store->options.collects) {
        job_queue_hand_over(&store->queue);
    }
    return true;
}

static void
cancel(struct store_port *port, struct store_job *job)
{
    struct desk *desk = desk_of((struct store *)port, job);

    if (desk != NULL) {
        desk_cancel(desk, job);
    }
}

void
store_hand_over(struct store *store)
{
    job_queue_hand_over(&store->queue);
}

static bool
open_desk(struct store *store, enum desk_number number,
          void (*work)(void *worker, struct store_job *job, const atomic_bool *is_unwanted),
          void *worker)
{
    store->desks[number] = desk_open(&(struct desk_options){
        .jobs_max = STORE_APART_MAX,
        .work = work,
        .tidy = number == DESK_ASIDE ? reads_tidy : NULL,
        .worker = worker,
        /* The lease waits for it, matches of a dead node, or their players who come back. */
        .is_urgent = store->port.is_shared && number <= DESK_LOADS && number != DESK_HTTP,
        .is_shared = store->port.is_shared,
        .wake = store->options.wake,
        .context = store->options.context,
    });
    return store->desks[number] != NULL;
}

static bool
open_desks(struct store *store)
{
    return open_desk(store, DESK_PLAYERS, reads_work, &store->reads[DESK_PLAYERS]) &&
           open_desk(store, DESK_HTTP, reads_work, &store->reads[DESK_HTTP]) &&
           (!store->port.is_shared ||
            (open_desk(store, DESK_ASIDE, reads_work, &store->reads[DESK_ASIDE]) &&
             open_desk(store, DESK_LOADS, reads_work, &store->reads[DESK_LOADS]))) &&
           open_desk(store, DESK_STATISTICS, statistics_work, &store->statistics);
}

/* What opens later is refused once a newer program has migrated the database: a node would own
 * matches that it cannot load. */
static enum sk_status
open_reads(struct store *store, struct sk_fault *ret_fault)
{
    enum sk_status status = SK_OK;

    for (int i = 0; status == SK_OK && store->options.node != NULL && i < READS_COUNT; i++) {
        status = backend_open_read_only(store->path, &store->options, &store->reads[i].backend,
                                        ret_fault);
    }
    return status;
}

static void
store_free(struct store *store)
{
    statistics_stop(&store->statistics);
    for (int i = 0; i < DESK_COUNT; i++) {
        desk_close(store->desks[i]);
    }
    for (int i = 0; i < READS_COUNT; i++) {
        reads_fini(&store->reads[i]);
    }
    statistics_fini(&store->statistics);
    free(store->path);
    if (store->backend != NULL) {
        store->backend->close(store->backend);
    }
    job_queue_fini(&store->queue);
    heads_fini(&store->heads);
    (void)pthread_mutex_destroy(&store->figures_lock);
    free(store);
}

enum sk_status
store_open(const char *path, const struct store_options *options, struct store **ret_store,
           struct sk_fault *ret_fault)
{
    struct store *store = heap_memory(sizeof(*store));
    enum sk_status status;

    store->port.submit = submit;
    store->port.cancel = cancel;
    store->port.is_shared = address_is_shared(path);
    store->options = *options;
    store->path = heap_copy(path, strlen(path));
    for (int i = 0; i < READS_COUNT; i++) {
        store->reads[i] = (struct reads){ .path = store->path, .options = &store->options };
    }
    store->statistics.path = store->path;
    job_queue_init(&store->queue, options->jobs_max);
    heads_init(&store->heads);
    (void)pthread_mutex_init(&store->figures_lock, NULL);
    status = backend_open(path, &store->options, &store->heads, &store->backend, ret_fault);
    if (status == SK_OK) {
        tidy(store);
        status = open_reads(store, ret_fault);
    }
    if (status == SK_OK &&
        (!open_desks(store) || !thread_start(&store->thread, storage_thread, store))) {
        status = sk_fault_set(ret_fault, "cannot_open", "cannot start the storage thread");
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
    job_queue_end(&store->queue);
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
    struct store_job *first = job_queue_take_done(&store->queue);
    struct store_job **end = &first;

    for (int i = 0; i < DESK_COUNT; i++) {
        while (*end != NULL) {
            end = &(*end)->next;
        }
        *end = store->desks[i] == NULL ? NULL : desk_take_done(store->desks[i]);
    }
    return first;
}

void
store_figures(struct store *store, struct store_figures *ret_figures)
{
    (void)pthread_mutex_lock(&store->figures_lock);
    *ret_figures = store->figures;
    (void)pthread_mutex_unlock(&store->figures_lock);
    ret_figures->jobs_waiting = job_queue_count(&store->queue);
}
