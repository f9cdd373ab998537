/*
 * Bytes and state hashes as lower-case hex digits, and the commitment to a
 * match's seed.
 */
#ifndef SK_SERVER_HEX_H
#define SK_SERVER_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/rng.h"
#include "common/base/text.h"
#include "proto/frames.h"

/* Writes 2 * size digits and a terminator. */
void hex_encode(const uint8_t *bytes, size_t size, char *ret_text);

/* Returns false unless the text is exactly `size` bytes. */
bool hex_decode(struct sk_text text, uint8_t *ret_bytes, size_t size);

/* A state's hash as text. */
void hash_text(uint64_t hash, char ret_text[FRAME_HASH_DIGITS + 1]);

/* Published at the start of a match; salt and seed follow at the end, so anybody can check it. */
void commitment_of(const struct sk_seed *salt, const struct sk_seed *seed,
                   char ret_text[FRAME_CHAIN_DIGITS + 1]);

#endif /* SK_SERVER_HEX_H */
