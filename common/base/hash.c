#include "common/base/hash.h"

static inline uint64_t
rotate(uint64_t word, unsigned by)
{
    return word << by | word >> (64 - by);
}

static inline void
sip_round(struct sk_hash_start *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 = rotate(s->v0, 32);
    s->v2 += s->v1;
    s->v0 += s->v3;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v2 = rotate(s->v2, 32);
}

/* Compilers turn this into one load on little-endian machines. */
static inline uint64_t
word_at(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

static inline struct sk_hash_start
start_keyed(uint64_t key_low, uint64_t key_high)
{
    return (struct sk_hash_start){ key_low ^ 0x736f6d6570736575u, key_high ^ 0x646f72616e646f6du,
                                   key_low ^ 0x6c7967656e657261u, key_high ^ 0x7465646279746573u,
                                   0 };
}

static inline void
take_word(struct sk_hash_start *s, uint64_t word)
{
    s->v3 ^= word;
    sip_round(s);
    sip_round(s);
    s->v0 ^= word;
}

static inline void
take_whole_words(struct sk_hash_start *s, const uint8_t *bytes, size_t size)
{
    size_t whole = size & ~(size_t)7;

    for (size_t i = s->size; i < whole; i += 8) {
        take_word(s, word_at(bytes + i));
    }
    s->size = whole;
}

static inline uint64_t
finish(struct sk_hash_start s, const uint8_t *bytes, size_t size)
{
    uint64_t last = (uint64_t)size << 56;

    take_whole_words(&s, bytes, size);
    for (size_t i = s.size; i < size; i++) {
        last |= (uint64_t)bytes[i] << (8 * (i - s.size));
    }
    take_word(&s, last);
    s.v2 ^= 0xff;
    for (int i = 0; i < 4; i++) {
        sip_round(&s);
    }
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

uint64_t
sk_hash_keyed(const uint8_t *bytes, size_t size, uint64_t key_low, uint64_t key_high)
{
    return finish(start_keyed(key_low, key_high), bytes, size);
}

uint64_t
sk_hash(const uint8_t *bytes, size_t size)
{
    return sk_hash_keyed(bytes, size, 0, 0);
}

void
sk_hash_begin(struct sk_hash_start *ret_start, const uint8_t *bytes, size_t size)
{
    *ret_start = start_keyed(0, 0);
    take_whole_words(ret_start, bytes, size);
}

uint64_t
sk_hash_go_on(const struct sk_hash_start *start, const uint8_t *bytes, size_t size)
{
    return finish(*start, bytes, size);
}
