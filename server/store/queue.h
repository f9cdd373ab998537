/*
 * queue - jobs on their way to the storage thread and back.
 *
 * First in, first out both ways.  What it holds is bounded: a job counts from
 * when it is put in until it is taken out at the other end, so neither a slow
 * disk nor a loop that does not collect can make it grow.
 *
 * What is put in lies on the loop's side until it is handed over: jobs of one
 * round of the loop then come into one transaction, and the thread is woken
 * once for all of them.
 *
 * Owner:   the store.  A job inside belongs to the queue or to the storage thread.
 * Threads: the loop puts jobs in and takes done ones out, the storage thread
 *          the other way round.
 */
#ifndef SK_STORE_QUEUE_H
#define SK_STORE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/host/store_port.h"

struct queue_list {
    struct store_job *first;
    struct store_job *last;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    struct queue_list collected; /* the loop's alone: not handed over yet */
    uint32_t count; /* the loop's alone: collected, waiting, being worked on, or done */
    uint32_t count_max;
    struct queue_list waiting;
    struct queue_list done;
    uint32_t done_count;
    bool has_ended;
};

void queue_init(struct queue *queue, uint32_t count_max);

/* Frees the jobs that are still in it.  No thread may use it any more. */
void queue_fini(struct queue *queue);

/* ---- the loop's side --------------------------------------------------------------------- */

/* False when it is full or has ended: the caller keeps the job. */
bool queue_put(struct queue *queue, struct store_job *job);

/* What was put in since the last time goes to the storage thread. */
void queue_hand_over(struct queue *queue);

/* Everything that is done, linked by `next`, or NULL. */
struct store_job *queue_take_done(struct queue *queue);

/* Nothing is put in any more; what is in is worked off. */
void queue_end(struct queue *queue);

uint32_t queue_count(const struct queue *queue);

/* ---- the storage thread's side ----------------------------------------------------------- */

/* Everything that waits; blocks until something does.  NULL when it has ended. */
struct store_job *queue_take_waiting(struct queue *queue);

/* `first` to `last`, linked by `next`. */
void queue_put_done(struct queue *queue, struct store_job *first, struct store_job *last,
                    uint32_t count);

/* So many that were taken go another way back: queue_take_done makes room for others. */
void queue_put_none(struct queue *queue, uint32_t count);

#endif /* SK_STORE_QUEUE_H */
