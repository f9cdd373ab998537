#include "common/core/event.h"

void
sk_events_init(struct sk_events *events, void *memory, size_t size)
{
    sk_arena_init(&events->arena, memory, size);
    events->first = NULL;
    events->last = NULL;
    events->count = 0;
}

void
sk_events_shrink(struct sk_events *events, void *space, size_t count, size_t item_size)
{
    size_t end = (size_t)((uint8_t *)space - events->arena.base) + count * item_size;

    SK_ASSERT(end <= events->arena.used);
    events->arena.used = (end + 7) & ~(size_t)7;
}
