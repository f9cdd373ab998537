/*
 * printable - which characters of somebody else's text may go to a terminal.
 *
 * Names, descriptions and other stored texts come from strangers.  They must not
 * move the cursor, change colours or reverse the order of letters.
 */
#ifndef SK_CLI_PRINTABLE_H
#define SK_CLI_PRINTABLE_H

#include "proto/utf8.h"

#define PRINTABLE_REPLACEMENT 0xfffdu

struct printable {
    uint32_t code; /* PRINTABLE_REPLACEMENT where the bytes are no text */
    uint8_t length;
    bool is_safe;
};

/* C0, DEL and C1; marks of direction; separators of lines; the byte order mark. */
static inline bool
printable_is_safe(uint32_t code)
{
    return code >= ' ' && !(code >= 0x7f && code <= 0x9f) && code != 0x061c && code != 0x200e &&
           code != 0x200f && !(code >= 0x2028 && code <= 0x202e) &&
           !(code >= 0x2066 && code <= 0x2069) && code != 0xfeff;
}

/* The character that begins at `at`.  Requires at < end. */
static inline struct printable
printable_next(const char *at, const char *end)
{
    const uint8_t *bytes = (const uint8_t *)at;
    size_t length = sk_utf8_length(bytes, (const uint8_t *)end);
    uint32_t code = bytes[0];

    if (length == 0) {
        return (struct printable){ PRINTABLE_REPLACEMENT, 1, false };
    }
    if (length > 1) {
        code &= 0x7fu >> length;
    }
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | (bytes[i] & 0x3fu);
    }
    return (struct printable){ code, (uint8_t)length, printable_is_safe(code) };
}

#endif /* SK_CLI_PRINTABLE_H */
