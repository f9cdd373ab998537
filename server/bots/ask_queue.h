/*
 * ask_queue - questions to bots on their way between the loop and the
 * threads that answer them.
 *
 * Bounded: a question that does not fit stays with its caller.  Questions of one
 * maker's matches are first in, first out.  Makers take turns, one question each, so
 * that nobody waits behind all questions of another.
 *
 * Owner:   the struct that embeds it.  A question inside belongs to the queue.
 * Threads: any.
 */
#ifndef SK_ASK_QUEUE_H
#define SK_ASK_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>

#include "server/host/bot_port.h"

struct ask_queue {
    pthread_mutex_t lock;
    pthread_cond_t has_some;
    struct bot_ask *first; /* in the order of their rounds */
    uint32_t count;
    uint32_t count_max;
    bool has_ended;
    atomic_bool is_wanted; /* somebody waits, or it has ended: for threads that are at work */
};

void ask_queue_init(struct ask_queue *queue, uint32_t count_max);

/* Frees the questions that are still in it.  No thread may use it any more. */
void ask_queue_fini(struct ask_queue *queue);

/* False when it is full or has ended: the caller keeps the question. */
bool ask_queue_put(struct ask_queue *queue, struct bot_ask *ask);

/*
 * The first one; waits until there is one.  NULL when it has ended, whatever
 * is in it.  `left` are those that it competes with: its maker's, and one of
 * each other maker.
 */
struct bot_ask *ask_queue_take(struct ask_queue *queue, uint32_t *ret_left);

/* All of them, linked by `next`, or NULL. */
struct bot_ask *ask_queue_take_all(struct ask_queue *queue);

/* Nothing is taken in any more, and nobody waits. */
void ask_queue_end(struct ask_queue *queue);

#endif /* SK_ASK_QUEUE_H */
