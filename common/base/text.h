/*
 * sk_text, sk_id - names without a terminator, or by value.
 *
 * struct sk_text points into memory that it does not own (an arena, a config).
 * struct sk_id holds a short name by value, padded with zeros, so that it can
 * be copied, compared and hashed as four words.
 */
#ifndef SK_TEXT_H
#define SK_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/base/limits.h"

struct sk_text {
    const char *at;
    uint32_t length;
};

struct sk_id {
    char at[SK_ID_MAX + 1];
};

#define SK_TEXT(literal) ((struct sk_text){ (literal), (uint32_t)(sizeof(literal) - 1) })

/* The same as a constant expression, for initializers of tables. */
#define SK_TEXT_CONST(literal)                     \
    {                                              \
        (literal), (uint32_t)(sizeof(literal) - 1) \
    }

static inline struct sk_text
sk_text_of(const char *string)
{
    return (struct sk_text){ string, (uint32_t)strlen(string) };
}

/* The value of a hex digit in upper or lower case, or -1. */
static inline int
sk_hex_value(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                          : -1;
}

/* The noun that goes with a number in a message: 1 turn, 2 turns. */
static inline const char *
sk_plural(int64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

static inline bool
sk_text_same(struct sk_text a, struct sk_text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

static inline bool
sk_id_same(const struct sk_id *a, const struct sk_id *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/* The length of a text that is followed by zeros up to a multiple of eight bytes. */
static inline uint32_t
sk_padded_length(const char *text)
{
    uint32_t length = 0;

    for (;; length += 8) {
        const uint8_t *b = (const uint8_t *)text + length;
        uint64_t word = (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
                        (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 |
                        (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
        uint64_t zeros = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;

        if (zeros != 0) {
            return length + (uint32_t)__builtin_ctzll(zeros) / 8;
        }
    }
}

/* Ids are 1 to SK_ID_MAX of A-Z a-z 0-9 _ -. */
bool sk_id_is_valid(struct sk_text text);

/* Names (patterns, models) are 1 to SK_NAME_MAX printable ASCII characters. */
bool sk_name_is_valid(struct sk_text text);

/* Requires a text of at most SK_ID_MAX characters. */
struct sk_id sk_id_from(struct sk_text text);

/* The text points into `id` and lives as long as it. */
static inline struct sk_text
sk_id_text(const struct sk_id *id)
{
    return (struct sk_text){ id->at, sk_padded_length(id->at) };
}

#endif /* SK_TEXT_H */
