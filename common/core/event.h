/*
 * sk_events - what happened in a turn, in order.
 *
 * Each ruleset has its own event structs (described by its event schema) that
 * begin with struct sk_event.  Their lists and texts are in the same arena or
 * in the config.
 *
 * Owner:   the caller owns the memory.  It is sized for the worst turn, so
 * running out is a bug and not a status.
 * Threads: one at a time.
 */
#ifndef SK_EVENT_H
#define SK_EVENT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/base/arena.h"
#include "common/base/status.h"
#include "common/core/schema.h"

struct sk_event {
    struct sk_event *next;
    uint8_t kind; /* index into the ruleset's event variants */
};

struct sk_events {
    struct sk_arena arena;
    struct sk_event *first;
    struct sk_event *last;
    uint32_t count;
};

void sk_events_init(struct sk_events *events, void *memory, size_t size);

/* Memory for a list of an event, for the caller to fill. */
static inline void *
sk_events_take(struct sk_events *events, size_t count, size_t item_size)
{
    size_t size = (count * item_size + 7) & ~(size_t)7;
    void *space = events->arena.base + events->arena.used;

    SK_ASSERT(size <= events->arena.size - events->arena.used);
    events->arena.used += size;
    return space;
}

/* Appends a zeroed event; `size` is the size of the ruleset's event struct. */
static inline void *
sk_events_add(struct sk_events *events, uint8_t kind, size_t size)
{
    struct sk_event *event = sk_events_take(events, 1, size);

    memset(event, 0, size);
    event->kind = kind;
    if (events->last == NULL) {
        events->first = event;
    } else {
        events->last->next = event;
    }
    events->last = event;
    events->count++;
    return event;
}

/* Returns the unused end of the last sk_events_take. */
void sk_events_shrink(struct sk_events *events, void *space, size_t count, size_t item_size);

#endif /* SK_EVENT_H */
