#include "server/store/job_queue.h"

#include <stddef.h>

#include "common/base/status.h"

/* These fail only for an invalid mutex. */
static void
lock(struct job_queue *queue)
{
    SK_ASSERT(pthread_mutex_lock(&queue->lock) == 0);
}

static void
unlock(struct job_queue *queue)
{
    SK_ASSERT(pthread_mutex_unlock(&queue->lock) == 0);
}

static void
list_append(struct job_queue_list *list, struct store_job *first, struct store_job *last)
{
    last->next = NULL;
    if (list->first == NULL) {
        list->first = first;
    } else {
        list->last->next = first;
    }
    list->last = last;
}

static struct store_job *
list_take(struct job_queue_list *list)
{
    struct store_job *first = list->first;

    *list = (struct job_queue_list){ 0 };
    return first;
}

static void
list_free(struct job_queue_list *list)
{
    struct store_job *job = list_take(list);

    while (job != NULL) {
        struct store_job *next = job->next;

        store_job_free(job);
        job = next;
    }
}

void
job_queue_init(struct job_queue *queue, uint32_t count_max)
{
    *queue = (struct job_queue){ .count_max = count_max };
    SK_ASSERT(pthread_mutex_init(&queue->lock, NULL) == 0);
    SK_ASSERT(pthread_cond_init(&queue->has_work, NULL) == 0);
}

void
job_queue_fini(struct job_queue *queue)
{
    list_free(&queue->collected);
    list_free(&queue->waiting);
    list_free(&queue->done);
    (void)pthread_cond_destroy(&queue->has_work);
    (void)pthread_mutex_destroy(&queue->lock);
}

bool
job_queue_put(struct job_queue *queue, struct store_job *job)
{
    if (queue->has_ended || queue->count >= queue->count_max) {
        return false; /* only the loop ends it, so no lock is needed */
    }
    list_append(&queue->collected, job, job);
    queue->count++;
    return true;
}

void
job_queue_hand_over(struct job_queue *queue)
{
    bool is_first;

    if (queue->collected.first == NULL) {
        return;
    }
    lock(queue);
    is_first = queue->waiting.first == NULL;
    list_append(&queue->waiting, queue->collected.first, queue->collected.last);
    unlock(queue);
    queue->collected = (struct job_queue_list){ 0 };
    /* If others were waiting, the thread is awake or has been signalled. */
    if (is_first) {
        SK_ASSERT(pthread_cond_signal(&queue->has_work) == 0);
    }
}

struct store_job *
job_queue_take_done(struct job_queue *queue)
{
    struct store_job *first;
    uint32_t count;

    lock(queue);
    first = list_take(&queue->done);
    count = queue->done_count;
    queue->done_count = 0;
    unlock(queue);
    queue->count -= count;
    return first;
}

void
job_queue_end(struct job_queue *queue)
{
    job_queue_hand_over(queue);
    lock(queue);
    queue->has_ended = true;
    unlock(queue);
    SK_ASSERT(pthread_cond_signal(&queue->has_work) == 0);
}

uint32_t
job_queue_count(const struct job_queue *queue)
{
    return queue->count;
}

struct store_job *
job_queue_take_waiting(struct job_queue *queue)
{
    struct store_job *first;

    lock(queue);
    while (queue->waiting.first == NULL && !queue->has_ended) {
        SK_ASSERT(pthread_cond_wait(&queue->has_work, &queue->lock) == 0);
    }
    first = list_take(&queue->waiting);
    unlock(queue);
    return first;
}

void
job_queue_put_done(struct job_queue *queue, struct store_job *first, struct store_job *last,
                   uint32_t count)
{
    lock(queue);
    list_append(&queue->done, first, last);
    queue->done_count += count;
    unlock(queue);
}
