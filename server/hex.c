#include "server/hex.h"

#include <string.h>

#include "proto/sha256.h"

static const char digits[] = "0123456789abcdef";

void
hex_encode(const uint8_t *bytes, size_t size, char *ret_text)
{
    for (size_t i = 0; i < size; i++) {
        ret_text[2 * i] = digits[bytes[i] >> 4];
        ret_text[2 * i + 1] = digits[bytes[i] & 15];
    }
    ret_text[2 * size] = '\0';
}

void
hash_text(uint64_t hash, char ret_text[FRAME_HASH_DIGITS + 1])
{
    ret_text[FRAME_HASH_DIGITS] = '\0';
    for (int i = FRAME_HASH_DIGITS; i > 0; hash >>= 4) {
        ret_text[--i] = digits[hash & 15];
    }
}

/* Lower case only. */
static int
digit_value(char digit)
{
    const char *found = digit == '\0' ? NULL : strchr(digits, digit);

    return found == NULL ? -1 : (int)(found - digits);
}

bool
hex_decode(struct sk_text text, uint8_t *ret_bytes, size_t size)
{
    if (text.length != 2 * size) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        int high = digit_value(text.at[2 * i]);
        int low = digit_value(text.at[2 * i + 1]);

        if (high < 0 || low < 0) {
            return false;
        }
        ret_bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

void
commitment_of(const struct sk_seed *salt, const struct sk_seed *seed,
              char ret_text[FRAME_CHAIN_DIGITS + 1])
{
    struct sk_sha256 state;
    uint8_t hash[SK_SHA256_BYTES];

    sk_sha256_init(&state);
    sk_sha256_update(&state, salt->bytes, sizeof(salt->bytes));
    sk_sha256_update(&state, seed->bytes, sizeof(seed->bytes));
    sk_sha256_final(&state, hash);
    hex_encode(hash, sizeof(hash), ret_text);
}
