/*
 * Pieces of JSON, put at a place that is known to have space for them.
 *
 * What the writers are made of; sk_json_pen gives such places.  Each function
 * that puts something returns the place behind it.
 */
#ifndef SK_JSON_PUT_H
#define SK_JSON_PUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/base/text.h"
#include "proto/json_bytes.h"

#define SK_JSON_INT_MAX 20 /* the digits of a 64-bit number with its sign */

/* Most pieces are a few bytes, for which a call of memcpy costs more than the copying. */
static inline char *
sk_json_put_bytes(char *to, const char *from, size_t length)
{
    if (length > 16) {
        memcpy(to, from, length);
    } else if (length >= 8) {
        memcpy(to, from, 8);
        memcpy(to + length - 8, from + length - 8, 8);
    } else if (length >= 4) {
        memcpy(to, from, 4);
        memcpy(to + length - 4, from + length - 4, 4);
    } else if (length > 0) {
        to[0] = from[0];
        to[length / 2] = from[length / 2];
        to[length - 1] = from[length - 1];
    }
    return to + length;
}

static inline char *
sk_json_put_text(char *to, struct sk_text text)
{
    return sk_json_put_bytes(to, text.at, text.length);
}

/* A name out of a table or of the code, which needs no escaping. */
static inline char *
sk_json_put_word(char *to, const char *word)
{
    *to++ = '"';
    while (*word != '\0') {
        *to++ = *word++;
    }
    *to++ = '"';
    return to;
}

/* Copies up to eight bytes and says whether they are all plain ones. */
static inline bool
sk_json_copy_plain8(char *to, const char *from, size_t length)
{
    uint64_t word = SK_JSON_EACH_BYTE(' '); /* the bytes in any order, some of them twice */

    if (length >= 4) {
        uint32_t first = sk_json_half_at(from);
        uint32_t last = sk_json_half_at(from + length - 4);

        memcpy(to, &first, 4);
        memcpy(to + length - 4, &last, 4);
        word = (uint64_t)first << 32 | last;
    } else if (length > 0) {
        uint8_t first = (uint8_t)from[0];
        uint8_t middle = (uint8_t)from[length / 2];
        uint8_t last = (uint8_t)from[length - 1];

        to[0] = (char)first;
        to[length / 2] = (char)middle;
        to[length - 1] = (char)last;
        word = word << 24 | (uint64_t)first << 16 | (uint64_t)middle << 8 | last;
    }
    return sk_json_special_bytes(word) == 0;
}

/* The same for any length: is the text its own JSON, but for the quotes? */
static inline bool
sk_json_copy_plain(char *to, const char *from, size_t length)
{
    uint64_t special = 0;

    while (length > 8) {
        special |= sk_json_special_bytes(sk_json_word_at((const uint8_t *)from));
        memcpy(to, from, 8);
        to += 8;
        from += 8;
        length -= 8;
    }
    return sk_json_copy_plain8(to, from, length) && special == 0;
}

/* Any number, for sk_json_put_int. */
char *sk_json_put_digits(char *to, int64_t value);

/* Space for SK_JSON_INT_MAX bytes is enough.  Nearly all numbers are small. */
static inline char *
sk_json_put_int(char *to, int64_t value)
{
    if (value >= 0 && value <= 9) {
        *to++ = (char)('0' + value);
    } else if (value >= 0 && value <= 99) {
        *to++ = (char)('0' + value / 10);
        *to++ = (char)('0' + value % 10);
    } else {
        to = sk_json_put_digits(to, value);
    }
    return to;
}

#endif /* SK_JSON_PUT_H */
