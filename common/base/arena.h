/*
 * sk_arena - hands out pieces of one block of memory that the caller owns.
 *
 * Code that must not allocate gets memory of a size known only at run time from
 * here.  Pieces are not freed one by one: the caller resets the whole arena, or
 * returns to an earlier mark.
 *
 * Owner:   the caller owns the block and keeps it while pieces are in use.
 * Threads: one at a time.
 */
#ifndef SK_ARENA_H
#define SK_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct sk_arena {
    uint8_t *base;
    size_t size;
    size_t used;
};

/* `memory` must be aligned for any type, as malloc and SK_ALIGNED do. */
void sk_arena_init(struct sk_arena *arena, void *memory, size_t size);

/* Returns zeroed memory aligned for any type, or NULL if the block is used up. */
void *sk_arena_take(struct sk_arena *arena, size_t size);

/* Like sk_arena_take for `count` items; returns NULL also if the product overflows. */
void *sk_arena_take_items(struct sk_arena *arena, size_t count, size_t item_size);

/* Where a piece is in the block: a config refers to its parts by offsets. */
static inline uint32_t
sk_arena_offset(const struct sk_arena *arena, const void *piece)
{
    return (uint32_t)((const uint8_t *)piece - arena->base);
}

#endif /* SK_ARENA_H */
