#include "server/store/queue.h"

#include <stddef.h>

#include "common/base/status.h"

/* These fail only for an invalid mutex. */
static void
lock(struct queue *queue)
{
    SK_ASSERT(pthread_mutex_lock(&queue->lock) == 0);
}

static void
unlock(struct queue *queue)
{
    SK_ASSERT(pthread_mutex_unlock(&queue->lock) == 0);
}

static void
list_append(struct queue_list *list, struct store_job *first, struct store_job *last)
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
list_take(struct queue_list *list)
{
    struct store_job *first = list->first;

    *list = (struct queue_list){ 0 };
    return first;
}

static void
list_free(struct queue_list *list)
{
    struct store_job *job = list_take(list);

    while (job != NULL) {
        struct store_job *next = job->next;

        store_job_free(job);
        job = next;
    }
}

void
queue_init(struct queue *queue, uint32_t count_max)
{
    *queue = (struct queue){ .count_max = count_max };
    SK_ASSERT(pthread_mutex_init(&queue->lock, NULL) == 0);
    SK_ASSERT(pthread_cond_init(&queue->has_work, NULL) == 0);
}

void
queue_fini(struct queue *queue)
{
    list_free(&queue->collected);
    list_free(&queue->waiting);
    list_free(&queue->done);
    (void)pthread_cond_destroy(&queue->has_work);
    (void)pthread_mutex_destroy(&queue->lock);
}

bool
queue_put(struct queue *queue, struct store_job *job)
{
    if (queue->has_ended || queue->count >= queue->count_max) {
        return false; /* only the loop ends it, so no lock is needed */
    }
    list_append(&queue->collected, job, job);
    queue->count++;
    return true;
}

void
queue_hand_over(struct queue *queue)
{
    bool is_first;

    if (queue->collected.first == NULL) {
        return;
    }
    lock(queue);
    is_first = queue->waiting.first == NULL;
    list_append(&queue->waiting, queue->collected.first, queue->collected.last);
    unlock(queue);
    queue->collected = (struct queue_list){ 0 };
    /* If others were waiting, the thread is awake or has been signalled. */
    if (is_first) {
        SK_ASSERT(pthread_cond_signal(&queue->has_work) == 0);
    }
}

struct store_job *
queue_take_done(struct queue *queue)
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
queue_end(struct queue *queue)
{
    queue_hand_over(queue);
    lock(queue);
    queue->has_ended = true;
    unlock(queue);
    SK_ASSERT(pthread_cond_signal(&queue->has_work) == 0);
}

uint32_t
queue_count(const struct queue *queue)
{
    return queue->count;
}

struct store_job *
queue_take_waiting(struct queue *queue)
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
queue_put_done(struct queue *queue, struct store_job *first, struct store_job *last, uint32_t count)
{
    lock(queue);
    list_append(&queue->done, first, last);
    queue->done_count += count;
    unlock(queue);
}
