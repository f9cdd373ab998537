/*
 * timers - a tick costs only as much as what is due.
 *
 * A binary heap of timers that are embedded in other structs.  Each knows its
 * place in the heap, so changing or clearing it is as cheap as adding it.
 *
 * Owner:   the host; a zeroed struct timers is empty.  A timer belongs to the
 *          struct that embeds it and must be cleared before that is freed.
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
    uint32_t capacity;
};

void timers_fini(struct timers *timers);

/* Sets or changes it; TIMER_NEVER clears it. */
void timers_set(struct timers *timers, struct timer *timer, int64_t due_ms);
void timers_clear(struct timers *timers, struct timer *timer);

/* When the earliest one is due, or TIMER_NEVER. */
int64_t timers_next_ms(const struct timers *timers);

/*
 * Clears and fires the timers that are due, the earliest first.  Timers set
 * meanwhile wait for the next call, even if they are due, so that this always
 * ends.
 */
void timers_fire(struct timers *timers, int64_t now_ms);

/* The struct that embeds a timer. */
#define TIMER_OWNER(timer, type, member) ((type *)(void *)((char *)(timer)-offsetof(type, member)))

#endif /* SK_HOST_TIMERS_H */
