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
    uint32_t at;          /* in the text, behind the quote */
    uint32_t length : 31; /* in bytes once unescaped */
    uint32_t is_escaped : 1;
    uint32_t tag; /* equal for equal keys, mostly different for others */
};

/* Eight bytes as a number, the first one lowest.  Compilers make one load of it. */
static inline uint64_t
sk_json_word_at(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

/* The key between two quotes; `close` points at the second one. */
struct sk_json_key sk_json_key_of(const uint8_t *text, const uint8_t *start, const uint8_t *close,
                                  const uint8_t *end, bool is_escaped);

/* Below, equal to or above 0: a total order, which one does not matter. */
int sk_json_key_order(const uint8_t *text, const struct sk_json_key *a,
                      const struct sk_json_key *b);

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
