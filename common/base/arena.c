#include "common/base/arena.h"

#include <string.h>

#define ALIGNMENT 8u

void
sk_arena_init(struct sk_arena *arena, void *memory, size_t size)
{
    arena->base = memory;
    arena->size = size;
    arena->used = 0;
}

void *
sk_arena_take(struct sk_arena *arena, size_t size)
{
    size_t rounded = (size + (ALIGNMENT - 1)) & ~(size_t)(ALIGNMENT - 1);
    uint8_t *piece;

    if (rounded < size || rounded > arena->size - arena->used) {
        return NULL;
    }
    piece = arena->base + arena->used;
    arena->used += rounded;
    memset(piece, 0, rounded); /* including the padding: equal contents must be equal bytes */
    return piece;
}

void *
sk_arena_take_items(struct sk_arena *arena, size_t count, size_t item_size)
{
    if (item_size != 0 && count > SIZE_MAX / item_size) {
        return NULL;
    }
    return sk_arena_take(arena, count * item_size);
}
