#include "common/base/rng.h"

#include <stddef.h>

#include "common/base/status.h"

#define BLOCK_WORDS 16u

static inline uint32_t
rotate(uint32_t word, unsigned by)
{
    return word << by | word >> (32 - by);
}

static inline void
quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b;
    *d = rotate(*d ^ *a, 16);
    *c += *d;
    *b = rotate(*b ^ *c, 12);
    *a += *b;
    *d = rotate(*d ^ *a, 8);
    *c += *d;
    *b = rotate(*b ^ *c, 7);
}

static void
make_block(struct sk_rng *rng)
{
    uint32_t *w = rng->block;

    for (unsigned i = 0; i < BLOCK_WORDS; i++) {
        w[i] = rng->input[i];
    }
    for (int i = 0; i < 10; i++) {
        quarter_round(&w[0], &w[4], &w[8], &w[12]);
        quarter_round(&w[1], &w[5], &w[9], &w[13]);
        quarter_round(&w[2], &w[6], &w[10], &w[14]);
        quarter_round(&w[3], &w[7], &w[11], &w[15]);
        quarter_round(&w[0], &w[5], &w[10], &w[15]);
        quarter_round(&w[1], &w[6], &w[11], &w[12]);
        quarter_round(&w[2], &w[7], &w[8], &w[13]);
        quarter_round(&w[3], &w[4], &w[9], &w[14]);
    }
    for (unsigned i = 0; i < BLOCK_WORDS; i++) {
        w[i] += rng->input[i];
    }
    rng->input[12]++;
    rng->used = 0;
}

void
sk_rng_start(struct sk_rng *rng, const struct sk_seed *seed, uint32_t turn, uint32_t label)
{
    rng->input[0] = 0x61707865u; /* "expand 32-byte k" */
    rng->input[1] = 0x3320646eu;
    rng->input[2] = 0x79622d32u;
    rng->input[3] = 0x6b206574u;
    for (unsigned i = 0; i < SK_SEED_BYTES / 4; i++) {
        const uint8_t *b = seed->bytes + (size_t)4 * i;

        rng->input[4 + i] =
            (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    }
    rng->input[12] = 0;
    rng->input[13] = turn;
    rng->input[14] = label;
    rng->input[15] = 0;
    rng->used = BLOCK_WORDS;
}

uint32_t
sk_rng_next(struct sk_rng *rng)
{
    if (rng->used == BLOCK_WORDS) {
        make_block(rng);
    }
    return rng->block[rng->used++];
}

/* Keeps draws below the largest multiple of `bound` and repeats the others. */
uint32_t
sk_rng_below(struct sk_rng *rng, uint32_t bound)
{
    uint32_t word;
    uint32_t unfair;

    SK_ASSERT(bound > 0);
    unfair = (0u - bound) % bound; /* 2^32 modulo bound */
    do {
        word = sk_rng_next(rng);
    } while (word < unfair);
    return word % bound;
}
