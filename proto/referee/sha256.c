/* SHA-256 as FIPS 180-4 describes it, with the names that it uses. */
#include "proto/sha256.h"

#include <string.h>

#define BLOCK_BYTES  64u
#define LENGTH_BYTES 8u

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t
rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void
schedule(const uint8_t block[BLOCK_BYTES], uint32_t ret_w[64])
{
    for (unsigned t = 0; t < 16; t++) {
        ret_w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
                   (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    }
    for (unsigned t = 16; t < 64; t++) {
        uint32_t a = ret_w[t - 15];
        uint32_t b = ret_w[t - 2];

        ret_w[t] = (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10) + ret_w[t - 7] +
                   (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) + ret_w[t - 16];
    }
}

static void
compress(uint32_t words[8], const uint8_t block[BLOCK_BYTES])
{
    uint32_t w[64];
    uint32_t v[8]; /* a to h */

    schedule(block, w);
    memcpy(v, words, sizeof(v));
    for (unsigned t = 0; t < 64; t++) {
        uint32_t t1 = v[7] + (rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25)) +
                      ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[t] + w[t];
        uint32_t t2 = (rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22)) +
                      ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

        memmove(v + 1, v, 7 * sizeof(v[0]));
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++) {
        words[i] += v[i];
    }
}

void
sk_sha256_init(struct sk_sha256 *hash)
{
    static const uint32_t first[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

    memset(hash, 0, sizeof(*hash));
    memcpy(hash->words, first, sizeof(first));
}

void
sk_sha256_update(struct sk_sha256 *hash, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;

    while (size > 0) {
        size_t used = hash->length % BLOCK_BYTES;
        size_t part = size < BLOCK_BYTES - used ? size : BLOCK_BYTES - used;

        memcpy(hash->block + used, at, part);
        hash->length += part;
        at += part;
        size -= part;
        if (used + part == BLOCK_BYTES) {
            compress(hash->words, hash->block);
        }
    }
}

void
sk_sha256_final(struct sk_sha256 *hash, uint8_t ret_digest[SK_SHA256_BYTES])
{
    static const uint8_t padding[BLOCK_BYTES] = { 0x80 };
    uint64_t bits = 8 * hash->length;
    size_t used = hash->length % BLOCK_BYTES;
    size_t end = BLOCK_BYTES - LENGTH_BYTES;
    uint8_t length[LENGTH_BYTES];

    for (unsigned i = 0; i < LENGTH_BYTES; i++) {
        length[i] = (uint8_t)(bits >> 8 * (LENGTH_BYTES - 1 - i));
    }
    sk_sha256_update(hash, padding, used < end ? end - used : BLOCK_BYTES + end - used);
    sk_sha256_update(hash, length, sizeof(length));
    for (unsigned i = 0; i < SK_SHA256_BYTES; i++) {
        ret_digest[i] = (uint8_t)(hash->words[i / 4] >> 8 * (3 - i % 4));
    }
}
