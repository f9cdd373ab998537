#include "server/bots/ask_queue.h"

#include "common/base/status.h"

static void
lock(struct ask_queue *queue)
{
    SK_ASSERT(pthread_mutex_lock(&queue->lock) == 0);
}

static void
unlock(struct ask_queue *queue)
{
    atomic_store(&queue->is_wanted, queue->first != NULL || queue->has_ended);
    SK_ASSERT(pthread_mutex_unlock(&queue->lock) == 0);
}

void
ask_queue_init(struct ask_queue *queue, uint32_t count_max)
{
    *queue = (struct ask_queue){ .count_max = count_max };
    SK_ASSERT(pthread_mutex_init(&queue->lock, NULL) == 0);
    SK_ASSERT(pthread_cond_init(&queue->has_some, NULL) == 0);
}

void
ask_queue_fini(struct ask_queue *queue)
{
    struct bot_ask *ask = queue->first;

    while (ask != NULL) {
        struct bot_ask *next = ask->next;

        bot_ask_free(ask);
        ask = next;
    }
    (void)pthread_cond_destroy(&queue->has_some);
    (void)pthread_mutex_destroy(&queue->lock);
}

/* In the round after its maker's last question, or in the one that is on. */
static void
put_in_turn(struct ask_queue *queue, struct bot_ask *ask)
{
    struct bot_ask **at = &queue->first;

    ask->round = queue->first == NULL ? 0 : queue->first->round;
    for (const struct bot_ask *it = queue->first; it != NULL; it = it->next) {
        ask->round = it->maker == ask->maker ? it->round + 1 : ask->round;
    }
    while (*at != NULL && (*at)->round <= ask->round) {
        at = &(*at)->next;
    }
    ask->next = *at;
    *at = ask;
}

/* Rounds go up, and a maker has one question in each. */
static uint32_t
count_rivals(const struct ask_queue *queue, const struct bot_ask *ask)
{
    uint32_t count = 0;

    for (const struct bot_ask *it = queue->first; it != NULL; it = it->next) {
        count += it->maker == ask->maker || it->round == queue->first->round ? 1 : 0;
    }
    return count;
}

bool
ask_queue_put(struct ask_queue *queue, struct bot_ask *ask)
{
    bool is_taken;

    lock(queue);
    is_taken = !queue->has_ended && queue->count < queue->count_max;
    if (is_taken) {
        put_in_turn(queue, ask);
        queue->count++;
    }
    unlock(queue);
    if (is_taken) {
        SK_ASSERT(pthread_cond_signal(&queue->has_some) == 0);
    }
    return is_taken;
}

struct bot_ask *
ask_queue_take(struct ask_queue *queue, uint32_t *ret_left)
{
    struct bot_ask *ask = NULL;

    lock(queue);
    while (queue->first == NULL && !queue->has_ended) {
        SK_ASSERT(pthread_cond_wait(&queue->has_some, &queue->lock) == 0);
    }
    if (!queue->has_ended) {
        ask = queue->first;
        queue->first = ask->next;
        ask->next = NULL;
        queue->count--;
        *ret_left = count_rivals(queue, ask);
    }
    unlock(queue);
    return ask;
}

struct bot_ask *
ask_queue_take_all(struct ask_queue *queue)
{
    struct bot_ask *first;

    lock(queue);
    first = queue->first;
    queue->first = NULL;
    queue->count = 0;
    unlock(queue);
    return first;
}

void
ask_queue_end(struct ask_queue *queue)
{
    lock(queue);
    queue->has_ended = true;
    unlock(queue);
    SK_ASSERT(pthread_cond_broadcast(&queue->has_some) == 0);
}
