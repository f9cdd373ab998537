/*
 * sk_rng - the only source of chance inside the rules.
 *
 * A stream is a pure function of (match seed, turn, label).  So any turn can be
 * resolved again without replaying the turns before it, and an additional draw
 * in one stage does not shift another's.  The generator is ChaCha20 with the
 * seed as its key: past draws do not help to predict future ones.
 *
 * Owner:   the caller; struct sk_rng holds no pointers and may be copied.
 * Threads: one thread at a time per stream.
 */
#ifndef SK_RNG_H
#define SK_RNG_H

#include <stdint.h>

#include "common/base/limits.h"

struct sk_seed {
    uint8_t bytes[SK_SEED_BYTES];
};

struct sk_rng {
    uint32_t input[16]; /* constants, key, block counter, turn and label */
    uint32_t block[16];
    uint32_t used; /* words of `block` already returned */
};

/* Starts the stream of one stage of one turn. */
void sk_rng_start(struct sk_rng *rng, const struct sk_seed *seed, uint32_t turn, uint32_t label);

uint32_t sk_rng_next(struct sk_rng *rng);

/* Returns a number in [0, bound) without modulo bias.  Requires bound > 0. */
uint32_t sk_rng_below(struct sk_rng *rng, uint32_t bound);

#endif /* SK_RNG_H */
