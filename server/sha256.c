/*
 * SHA-256 comes from OpenSSL, which libwebsockets brings along: with the
 * processor's own instructions it takes a tenth of libsodium's time, and a
 * turn hashes more bytes than it sends.  OPENSSL_API_COMPAT enables the plain
 * functions: their state is on the stack, while the new ones need an allocation
 * and a look-up for every record.
 */
#define OPENSSL_API_COMPAT 10100

#include "proto/sha256.h"

#include <openssl/sha.h>

_Static_assert(SK_SHA256_BYTES == SHA256_DIGEST_LENGTH, "one hash");
_Static_assert(sizeof(SHA256_CTX) <= sizeof(struct sk_sha256), "OpenSSL's state fits");

static SHA256_CTX *
state_of(struct sk_sha256 *hash)
{
    return (SHA256_CTX *)(void *)hash;
}

/* None of these can fail. */
void
sk_sha256_init(struct sk_sha256 *hash)
{
    (void)SHA256_Init(state_of(hash));
}

void
sk_sha256_update(struct sk_sha256 *hash, const void *bytes, size_t size)
{
    (void)SHA256_Update(state_of(hash), bytes, size);
}

void
sk_sha256_final(struct sk_sha256 *hash, uint8_t ret_digest[SK_SHA256_BYTES])
{
    (void)SHA256_Final(ret_digest, state_of(hash));
}
