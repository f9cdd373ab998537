#include "server/host/timers.h"

#include <stdlib.h>
#include <string.h>

#include "server/memory.h"

#define FIRST_CAPACITY 64u

void
timers_fini(struct timers *timers)
{
    free(timers->heap);
    *timers = (struct timers){ 0 };
}

static void
put(struct timers *timers, uint32_t place, struct timer *timer)
{
    timers->heap[place - 1] = timer;
    timer->place = place;
}

static struct timer *
at(const struct timers *timers, uint32_t place)
{
    return timers->heap[place - 1];
}

/* Moves it up, past all that are due later. */
static void
rise(struct timers *timers, struct timer *timer, uint32_t place)
{
    while (place > 1 && at(timers, place / 2)->due_ms > timer->due_ms) {
        put(timers, place, at(timers, place / 2));
        place /= 2;
    }
    put(timers, place, timer);
}

/* Moves it down, past all that are due earlier. */
static void
sink(struct timers *timers, struct timer *timer, uint32_t place)
{
    for (uint32_t below = 2 * place; below <= timers->count; below = 2 * place) {
        if (below < timers->count && at(timers, below + 1)->due_ms < at(timers, below)->due_ms) {
            below++;
        }
        if (at(timers, below)->due_ms >= timer->due_ms) {
            break;
        }
        put(timers, place, at(timers, below));
        place = below;
    }
    put(timers, place, timer);
}

static void
grow(struct timers *timers)
{
    uint32_t capacity = timers->capacity == 0 ? FIRST_CAPACITY : 2 * timers->capacity;
    struct timer **heap = heap_memory(capacity * sizeof(struct timer *));

    if (timers->count > 0) {
        memcpy(heap, timers->heap, timers->count * sizeof(struct timer *));
    }
    free(timers->heap);
    timers->heap = heap;
    timers->capacity = capacity;
}

void
timers_clear(struct timers *timers, struct timer *timer)
{
    uint32_t place = timer->place;
    struct timer *last;

    if (place == 0) {
        return;
    }
    timer->place = 0;
    last = at(timers, timers->count--);
    if (last == timer) {
        return;
    }
    if (last->due_ms < timer->due_ms) {
        rise(timers, last, place);
    } else {
        sink(timers, last, place);
    }
}

void
timers_set(struct timers *timers, struct timer *timer, int64_t due_ms)
{
    int64_t before_ms = timer->due_ms;

    if (due_ms == TIMER_NEVER) {
        timers_clear(timers, timer);
        timer->due_ms = due_ms;
        return;
    }
    timer->due_ms = due_ms;
    if (timer->place == 0) {
        if (timers->count == timers->capacity) {
            grow(timers);
        }
        rise(timers, timer, ++timers->count);
    } else if (due_ms < before_ms) {
        rise(timers, timer, timer->place);
    } else {
        sink(timers, timer, timer->place);
    }
}

int64_t
timers_next_ms(const struct timers *timers)
{
    return timers->count == 0 ? TIMER_NEVER : at(timers, 1)->due_ms;
}

void
timers_fire(struct timers *timers, int64_t now_ms)
{
    uint32_t left = timers->count;

    while (left-- > 0 && timers_next_ms(timers) <= now_ms) {
        struct timer *timer = at(timers, 1);

        timers_clear(timers, timer);
        timer->fire(timer, now_ms);
    }
}
