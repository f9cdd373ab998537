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

/* The same with a key; sk_hash uses the key 0.  Public for the test vectors. */
uint64_t sk_hash_keyed(const uint8_t *bytes, size_t size, uint64_t key_low, uint64_t key_high);

#endif /* SK_HASH_H */
