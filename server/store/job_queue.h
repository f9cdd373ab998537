/*
 * job_queue - jobs to the storage thread and back.
 *
 * First in, first out in both directions.  The number of jobs is limited: a job
 * counts from job_queue_put until it is taken out done, so neither a slow disk nor
 * a loop that does not collect lets the queue grow.
 *
 * Jobs stay on the loop's side until job_queue_hand_over.  So the jobs of one
 * iteration of the loop share a transaction, and the thread is woken once.
 *
 * Owner:   the store.  Jobs inside belong to the queue or the storage thread.
 * Threads: the loop puts jobs in and takes done ones out; the storage thread
 * does the opposite.
 */
#ifndef SK_STORE_JOB_QUEUE_H
#define SK_STORE_JOB_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/host/store_port.h"

struct job_queue_list {
    struct store_job *first;
    struct store_job *last;
};

struct job_queue {
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    struct job_queue_list collected; /* loop only: not handed over yet */
    uint32_t count;                  /* loop only: collected, waiting, being executed, or done */
    uint32_t count_max;
    struct job_queue_list waiting;
    struct job_queue_list done;
    uint32_t done_count;
    bool has_ended;
};

void job_queue_init(struct job_queue *queue, uint32_t count_max);

/* Frees the jobs still inside.  No thread may use the queue any more. */
void job_queue_fini(struct job_queue *queue);

/* ---- the loop's side --------------------------------------------------------------------- */

/* Returns false if the queue is full or has ended; the caller keeps the job. */
bool job_queue_put(struct job_queue *queue, struct store_job *job);

/* Hands the collected jobs to the storage thread. */
void job_queue_hand_over(struct job_queue *queue);

/* Returns all done jobs, linked by `next`, or NULL. */
struct store_job *job_queue_take_done(struct job_queue *queue);

/* Refuses new jobs; those inside are still executed. */
void job_queue_end(struct job_queue *queue);

uint32_t job_queue_count(const struct job_queue *queue);

/* ---- the storage thread's side ----------------------------------------------------------- */

/* Returns all waiting jobs; blocks until there is one.  NULL when the queue has ended. */
struct store_job *job_queue_take_waiting(struct job_queue *queue);

/* `first` to `last`, linked by `next`. */
void job_queue_put_done(struct job_queue *queue, struct store_job *first, struct store_job *last,
                        uint32_t count);

#endif /* SK_STORE_JOB_QUEUE_H */
