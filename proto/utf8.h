/*
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing past U+10FFFF.
 */
#ifndef SK_UTF8_H
#define SK_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool
sk_utf8_is_tail(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

/* The range of the second byte excludes the invalid forms. */
static inline bool
sk_utf8_is_second(uint8_t lead, uint8_t second)
{
    switch (lead) {
    case 0xe0:
        return second >= 0xa0 && second <= 0xbf;
    case 0xed:
        return second >= 0x80 && second <= 0x9f;
    case 0xf0:
        return second >= 0x90 && second <= 0xbf;
    case 0xf4:
        return second >= 0x80 && second <= 0x8f;
    default:
        return sk_utf8_is_tail(second);
    }
}

/* The length of the character that begins at `at`; 0 when none does.  Requires at < end. */
static inline size_t
sk_utf8_length(const uint8_t *at, const uint8_t *end)
{
    size_t length;

    if (at[0] < 0x80) {
        return 1;
    }
    if (at[0] < 0xc2 || at[0] > 0xf4) {
        return 0;
    }
    length = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if ((size_t)(end - at) < length || !sk_utf8_is_second(at[0], at[1])) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if (!sk_utf8_is_tail(at[i])) {
            return 0;
        }
    }
    return length;
}

/* ASCII is skipped 32 bytes at a time, then eight. */
static inline bool
sk_utf8_is_valid(const uint8_t *at, const uint8_t *end)
{
    uint64_t words[4];

    for (; end - at >= (ptrdiff_t)sizeof(words); at += sizeof(words)) {
        memcpy(words, at, sizeof(words));
        if (((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080u) != 0) {
            break;
        }
    }
    while (at < end) {
        uint64_t word = UINT64_MAX;
        size_t length;

        if (end - at >= (ptrdiff_t)sizeof(word)) {
            memcpy(&word, at, sizeof(word));
        }
        length = (word & 0x8080808080808080u) == 0 ? sizeof(word) : sk_utf8_length(at, end);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

/* Writes the character and returns its length.  Requires a code point that is no surrogate. */
static inline size_t
sk_utf8_put(uint32_t code, uint8_t ret_bytes[4])
{
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint8_t leads[] = { 0, 0x00, 0xc0, 0xe0, 0xf0 };

    for (size_t i = length - 1; i > 0; i--) {
        ret_bytes[i] = (uint8_t)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    ret_bytes[0] = (uint8_t)(leads[length] | code);
    return length;
}

#endif /* SK_UTF8_H */
