/*
 * sk_hash - a 64-bit hash of a snapshot's bytes (SipHash-2-4, fixed key).
 *
 * It identifies a state but does not prove authorship: the SHA-256 chain over
 * the records protects a stored match from forgery.
 */
#ifndef SK_HASH_H
#define SK_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t sk_hash(const uint8_t *bytes, size_t size);

/* How far a hash came, for bytes that begin as others do. */
struct sk_hash_start {
    uint64_t v0, v1, v2, v3;
    size_t size; /* bytes that are in it: whole words */
};

void sk_hash_begin(struct sk_hash_start *ret_start, const uint8_t *bytes, size_t size);

/* The same as sk_hash, of bytes whose first start->size are those in `start`. */
uint64_t sk_hash_go_on(const struct sk_hash_start *start, const uint8_t *bytes, size_t size);

/* The same with a key; sk_hash uses the key 0.  Public for the test vectors. */
uint64_t sk_hash_keyed(const uint8_t *bytes, size_t size, uint64_t key_low, uint64_t key_high);

#endif /* SK_HASH_H */
