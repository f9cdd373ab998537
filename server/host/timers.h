/*
 * timers - what is due when, so that a tick costs what is due and no more.
 *
 * A binary heap of timers that are embedded in what they belong to; each
 * knows its place, so setting one again or clearing it costs as little as
 * adding it.
 *
 * Owner:   the host; a zeroed struct timers is empty.  A timer belongs to
 *          the struct it stands in and must be cleared before that is freed.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_TIMERS_H
#define SK_HOST_TIMERS_H

#include <stddef.h>
#include <stdint.h>

#define TIMER_NEVER INT64_MAX

struct timer {
    void (*fire)(struct timer *timer, int64_t now_ms);
    int64_t due_ms;
    uint32_t place; /* in the heap, counted from 1; 0 = not set */
};

struct timers {
    struct timer **heap;
    uint32_t count;
    uint32_t room;
};

void timers_fini(struct timers *timers);

/* Sets it, or sets it anew; TIMER_NEVER clears it. */
void timers_set(struct timers *timers, struct timer *timer, int64_t due_ms);
void timers_clear(struct timers *timers, struct timer *timer);

/* When the first one is due, or TIMER_NEVER. */
int64_t timers_next_ms(const struct timers *timers);

/*
 * Clears and fires those that are due, the earliest first.  What is set
 * meanwhile waits for the next call, even if it is due: nobody can keep the
 * loop.
 */
void timers_fire(struct timers *timers, int64_t now_ms);

/* What a timer stands in. */
#define TIMER_OWNER(timer, type, member) ((type *)(void *)((char *)(timer)-offsetof(type, member)))

#endif /* SK_HOST_TIMERS_H */
