/*
 * queue - jobs to the storage thread and back.
 *
 * First in, first out in both directions.  The number of jobs is limited: a job
 * counts from queue_put until it is taken out done, so neither a slow disk nor
 * a loop that does not collect lets the queue grow.
 *
 * Jobs stay on the loop's side until queue_hand_over.  So the jobs of one
 * iteration of the loop share a transaction, and the thread is woken once.
 *
 * Owner:   the store.  Jobs inside belong to the queue or the storage thread.
 * Threads: the loop puts jobs in and takes done ones out; the storage thread
 * does the opposite.
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
    struct queue_list collected; /* loop only: not handed over yet */
    uint32_t count;              /* loop only: collected, waiting, being executed, or done */
    uint32_t count_max;
    struct queue_list waiting;
    struct queue_list done;
    uint32_t done_count;
    bool has_ended;
};

void queue_init(struct queue *queue, uint32_t count_max);

/* Frees the jobs still inside.  No thread may use the queue any more. */
void queue_fini(struct queue *queue);

/* ---- the loop's side --------------------------------------------------------------------- */

/* Returns false if the queue is full or has ended; the caller keeps the job. */
bool queue_put(struct queue *queue, struct store_job *job);

/* Hands the collected jobs to the storage thread. */
void queue_hand_over(struct queue *queue);

/* Returns all done jobs, linked by `next`, or NULL. */
struct store_job *queue_take_done(struct queue *queue);

/* Refuses new jobs; those inside are still executed. */
void queue_end(struct queue *queue);

uint32_t queue_count(const struct queue *queue);

/* ---- the storage thread's side ----------------------------------------------------------- */

/* Returns all waiting jobs; blocks until there is one.  NULL when the queue has ended. */
struct store_job *queue_take_waiting(struct queue *queue);

/* `first` to `last`, linked by `next`. */
void queue_put_done(struct queue *queue, struct store_job *first, struct store_job *last,
                    uint32_t count);

#endif /* SK_STORE_QUEUE_H */
