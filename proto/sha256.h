/*
 * SHA-256, which chains records, checks match files and commits to seeds.
 *
 * There are two implementations of these functions.  The daemon and the tool use
 * OpenSSL's (server/sha256.c), which knows the processor's own instructions;
 * libskirmish and its WebAssembly module depend on nothing and use their own
 * (proto/referee/sha256.c).
 *
 * Owner:   the caller; the struct may be copied and needs no freeing.
 * Threads: any.
 */
#ifndef SK_SHA256_H
#define SK_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SK_SHA256_BYTES 32

/* Large enough for both. */
struct sk_sha256 {
    uint32_t words[8];
    uint64_t length;
    uint8_t block[64];
    uint64_t spare;
};

void sk_sha256_init(struct sk_sha256 *hash);
void sk_sha256_update(struct sk_sha256 *hash, const void *bytes, size_t size);
void sk_sha256_final(struct sk_sha256 *hash, uint8_t ret_digest[SK_SHA256_BYTES]);

#endif /* SK_SHA256_H */
