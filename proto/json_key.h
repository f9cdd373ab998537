/*
 * sk_json_key - an object's key as it stands in a JSON text, for the scan.
 *
 * Keys are compared as they are once unescaped ("a" and "\u0061" are the
 * same) without being copied.  All functions require keys that the scan has
 * found valid.
 *
 * Owner:   the caller owns the text and keeps it while keys are in use.
 */
#ifndef SK_JSON_KEY_H
#define SK_JSON_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sk_json_key {
    uint32_t at;     /* in the text, behind the quote */
    uint32_t length; /* in bytes once unescaped */
    uint32_t tag;    /* equal for equal keys, mostly different for others */
    uint32_t is_escaped;
};

static inline uint64_t
sk_json_key_mix(uint64_t tag, uint64_t word)
{
    tag = (tag ^ word) * 0x9e3779b97f4a7c15u;
    return tag ^ tag >> 32;
}

/* The key between two quotes; `close` points at the second one. */
void sk_json_key_set(struct sk_json_key *key, const uint8_t *text, const uint8_t *start,
                     const uint8_t *close, bool is_escaped);

/* The same for an unescaped key of less than 64 bits, the lowest ones of `word`. */
static inline void
sk_json_key_set_short(struct sk_json_key *key, const uint8_t *text, const uint8_t *start,
                      uint64_t word, unsigned bits)
{
    key->at = (uint32_t)(start - text);
    key->length = bits / 8;
    key->tag = (uint32_t)sk_json_key_mix(0, word & (((uint64_t)1 << bits) - 1));
    key->is_escaped = 0;
}

/* Below, equal to or above 0: a total order, which one does not matter. */
int sk_json_key_order(const uint8_t *text, const struct sk_json_key *a,
                      const struct sk_json_key *b);

/* Are keys of two texts the same once unescaped? */
bool sk_json_key_same(const uint8_t *text_of_a, const struct sk_json_key *a,
                      const uint8_t *text_of_b, const struct sk_json_key *b);

/*
 * A key that stands in `keys` twice (the later of the two), or NULL.  Sorts,
 * so `keys` and `spare` (room for `count`) hold the keys in another order
 * afterwards, or some of them twice.
 */
const struct sk_json_key *sk_json_key_find_twin(const uint8_t *text, struct sk_json_key *keys,
                                                struct sk_json_key *spare, uint32_t count);

/* Unescapes the first `size` bytes of the key and returns how many there were. */
uint32_t sk_json_key_copy(const uint8_t *text, const struct sk_json_key *key, char *ret_bytes,
                          uint32_t size);

#endif /* SK_JSON_KEY_H */
