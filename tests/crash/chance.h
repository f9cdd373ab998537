/*
 * The chance of tests/crash: the same seed gives the same numbers everywhere.
 *
 * Owner: the caller; may be copied to draw the same again.
 */
#ifndef SK_CRASH_CHANCE_H
#define SK_CRASH_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

struct chance {
    uint64_t state;
};

static inline uint64_t
chance_draw(struct chance *chance)
{
    uint64_t z = (chance->state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In [0, bound); the small bias of a remainder does not matter here. */
static inline uint64_t
chance_below(struct chance *chance, uint64_t bound)
{
    return bound == 0 ? 0 : chance_draw(chance) % bound;
}

static inline bool
chance_is(struct chance *chance, uint32_t percent)
{
    return chance_below(chance, 100) < percent;
}

/* An independent stream for part `part` of `seed`. */
static inline struct chance
chance_of(uint64_t seed, uint64_t part)
{
    struct chance chance = { seed * 0xd1342543de82ef95u + part };

    (void)chance_draw(&chance);
    return chance;
}

#endif /* SK_CRASH_CHANCE_H */
