/*
 * Eight bytes of JSON text at a time; shared by the scan and the writer.
 */
#ifndef SK_JSON_BYTES_H
#define SK_JSON_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SK_JSON_EACH_BYTE(value) (0x0101010101010101u * (value))

/* Eight bytes as a number, little-endian.  Compilers turn this into one load. */
static inline uint64_t
sk_json_word_at(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

/*
 * Bit 7 of each byte that is not a plain ASCII character of a string: that
 * is a quote, a backslash, a control character or part of a longer one.  A
 * subtraction borrows out of a byte only if that byte is one of those, so
 * bits above the lowest may be wrong, but never the lowest.
 */
static inline uint64_t
sk_json_special_bytes(uint64_t word)
{
    return (word | (word - SK_JSON_EACH_BYTE(' ')) |
            ((word ^ SK_JSON_EACH_BYTE('"')) - SK_JSON_EACH_BYTE(1)) |
            ((word ^ SK_JSON_EACH_BYTE('\\')) - SK_JSON_EACH_BYTE(1))) &
           SK_JSON_EACH_BYTE(0x80);
}

/* Four bytes as a number, in the machine's order. */
static inline uint32_t
sk_json_half_at(const char *bytes)
{
    uint32_t half;

    memcpy(&half, bytes, sizeof(half));
    return half;
}

/* Names are a few bytes, for which a call of memcmp costs more than the comparison. */
static inline bool
sk_json_same_bytes(const char *a, const char *b, size_t length)
{
    if (length > 8) {
        return memcmp(a, b, length) == 0;
    }
    if (length >= 4) {
        return sk_json_half_at(a) == sk_json_half_at(b) &&
               sk_json_half_at(a + length - 4) == sk_json_half_at(b + length - 4);
    }
    return length == 0 ||
           (a[0] == b[0] && a[length / 2] == b[length / 2] && a[length - 1] == b[length - 1]);
}

#endif /* SK_JSON_BYTES_H */
