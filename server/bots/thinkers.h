/*
 * thinkers - threads on which the server's own bots think.
 *
 * Owner:   thinkers_open's caller.
 * Threads: thinkers_put any; answers go to `done` from threads of its own.
 */
#ifndef SK_THINKERS_H
#define SK_THINKERS_H

#include "server/bots/ask_queue.h"

#define THINKERS_COUNT       2
#define THINKERS_ASKS_MAX    4096 /* that wait; more are refused */
#define THINKERS_BUDGET_MS   200  /* for one search while nobody else waits ... */
#define THINKERS_LEAST_MS    5    /* ... and never less than this */
#define THINKERS_WAIT_MAX_MS 800  /* longer by the clock, if others use the processor */
#define THINKERS_NICE        10   /* below the loop and the store */

struct thinkers;

struct thinkers_time {
    uint32_t budget_ms; /* of processor time */
    uint32_t wait_ms;   /* how much longer by the clock */
};

/* Takes a question that is answered, on a thread of the thinkers'. */
typedef void ask_done(void *context, struct bot_ask *ask);

/* NULL when there are no threads. */
struct thinkers *thinkers_open(ask_done *done, void *context);

/* Waits for the searches under way; the rest is freed.  NULL is allowed. */
void thinkers_close(struct thinkers *thinkers);

/* False when too many wait: the caller keeps it. */
bool thinkers_put(struct thinkers *thinkers, struct bot_ask *ask);

/*
 * For a search that begins now while `left` others wait.  Together at most half of the
 * time that its question has left (but THINKERS_LEAST_MS); longer only if nobody waits.
 */
struct thinkers_time thinkers_time_of(const struct bot_ask *ask, uint32_t left, int64_t now_ms);

#endif /* SK_THINKERS_H */
