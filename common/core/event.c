#include "common/core/event.h"

#include <string.h>

#include "common/base/status.h"

void
sk_events_init(struct sk_events *events, void *memory, size_t size)
{
    sk_arena_init(&events->arena, memory, size);
    events->first = NULL;
    events->last = NULL;
    events->count = 0;
}

void *
sk_events_room(struct sk_events *events, size_t count, size_t item_size)
{
    size_t size = (count * item_size + 7) & ~(size_t)7;
    void *room = events->arena.base + events->arena.used;

    SK_ASSERT(size <= events->arena.size - events->arena.used);
    events->arena.used += size;
    return room;
}

void *
sk_events_add(struct sk_events *events, uint8_t kind, size_t size)
{
    struct sk_event *event = sk_events_room(events, 1, size);

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

void
sk_events_shrink(struct sk_events *events, void *room, size_t count, size_t item_size)
{
    size_t end = (size_t)((uint8_t *)room - events->arena.base) + count * item_size;

    SK_ASSERT(end <= events->arena.used);
    events->arena.used = (end + 7) & ~(size_t)7;
}
