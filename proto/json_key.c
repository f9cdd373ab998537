#include "proto/json_key.h"

#include <string.h>

#include "proto/json_bytes.h"
#include "proto/utf8.h"

/* Gives an escaped key byte by byte: an escape may stand for up to four. */
struct unescape {
    const uint8_t *at;
    uint8_t bytes[4];
    size_t count;
    size_t given;
};

static uint32_t
hex_value(uint8_t digit)
{
    return digit <= '9' ? digit - (uint32_t)'0' : (digit | 0x20u) - 'a' + 10;
}

static uint32_t
hex4_value(const uint8_t *digits)
{
    return hex_value(digits[0]) << 12 | hex_value(digits[1]) << 8 | hex_value(digits[2]) << 4 |
           hex_value(digits[3]);
}

static uint32_t
short_escape(uint8_t letter)
{
    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return letter;
    }
}

/* Takes the escape at u->at, a pair of surrogates being one. */
static void
take_escape(struct unescape *u)
{
    uint32_t code;

    if (u->at[1] != 'u') {
        code = short_escape(u->at[1]);
        u->at += 2;
    } else {
        code = hex4_value(u->at + 2);
        u->at += 6;
        if (code >= 0xd800 && code <= 0xdbff) {
            code = 0x10000 + ((code - 0xd800) << 10) + (hex4_value(u->at + 2) - 0xdc00);
            u->at += 6;
        }
    }
    u->count = sk_utf8_put(code, u->bytes);
    u->given = 0;
}

static uint8_t
next_byte(struct unescape *u)
{
    if (u->given == u->count) {
        if (*u->at != '\\') {
            return *u->at++;
        }
        take_escape(u);
    }
    return u->bytes[u->given++];
}

/* A key's last word is never full: it ends with at least one zero, which no key contains. */
static void
set_plain(struct sk_json_key *key, const uint8_t *start, const uint8_t *close)
{
    const uint8_t *at = start;
    uint64_t tag = 0;
    uint64_t word = 0;

    while (close - at >= 8) {
        tag = sk_json_key_mix(tag, sk_json_word_at(at));
        at += 8;
    }
    for (const uint8_t *byte = close; byte > at; byte--) {
        word = word << 8 | byte[-1];
    }
    key->length = (uint32_t)(close - start);
    key->tag = (uint32_t)sk_json_key_mix(tag, word);
}

/* The tag must come out as set_plain would make it of the unescaped bytes. */
static void
set_escaped(struct sk_json_key *key, const uint8_t *start, const uint8_t *close)
{
    struct unescape u = { .at = start };
    uint64_t tag = 0;
    uint64_t word = 0;
    uint32_t length = 0;

    while (u.at < close || u.given < u.count) {
        word |= (uint64_t)next_byte(&u) << (8 * (length % 8));
        length++;
        if (length % 8 == 0) {
            tag = sk_json_key_mix(tag, word);
            word = 0;
        }
    }
    key->length = length;
    key->tag = (uint32_t)sk_json_key_mix(tag, word);
}

void
sk_json_key_set(struct sk_json_key *key, const uint8_t *text, const uint8_t *start,
                const uint8_t *close, bool is_escaped)
{
    key->at = (uint32_t)(start - text);
    key->is_escaped = is_escaped ? 1 : 0;
    if (is_escaped) {
        set_escaped(key, start, close);
    } else {
        set_plain(key, start, close);
    }
}

/* Below, equal to or above 0 for keys of the same length. */
static int
compare_bytes(struct unescape *of_a, struct unescape *of_b, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        int difference = next_byte(of_a) - next_byte(of_b);

        if (difference != 0) {
            return difference;
        }
    }
    return 0;
}

int
sk_json_key_order(const uint8_t *text, const struct sk_json_key *a, const struct sk_json_key *b)
{
    struct unescape of_a = { .at = text + a->at };
    struct unescape of_b = { .at = text + b->at };

    if (a->tag != b->tag) {
        return a->tag < b->tag ? -1 : 1;
    }
    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    if (!a->is_escaped && !b->is_escaped) {
        return memcmp(of_a.at, of_b.at, a->length);
    }
    return compare_bytes(&of_a, &of_b, a->length);
}

bool
sk_json_key_same(const uint8_t *text_of_a, const struct sk_json_key *a, const uint8_t *text_of_b,
                 const struct sk_json_key *b)
{
    struct unescape of_a = { .at = text_of_a + a->at };
    struct unescape of_b = { .at = text_of_b + b->at };

    return a->tag == b->tag && a->length == b->length &&
           compare_bytes(&of_a, &of_b, a->length) == 0;
}

/* Merges two sorted runs that follow each other; the later key where two are equal. */
static const struct sk_json_key *
merge_runs(const uint8_t *text, const struct sk_json_key *a, const struct sk_json_key *middle,
           const struct sk_json_key *end, struct sk_json_key *to)
{
    const struct sk_json_key *b = middle;

    while (a < middle && b < end) {
        int order = a->tag < b->tag ? -1 : 1;

        if (a->tag == b->tag) {
            order = sk_json_key_order(text, a, b);
            if (order == 0) {
                return a->at > b->at ? a : b;
            }
        }
        *to++ = order < 0 ? *a++ : *b++;
    }
    while (a < middle) {
        *to++ = *a++;
    }
    while (b < end) {
        *to++ = *b++;
    }
    return NULL;
}

/* A merge sort from the bottom: equal keys must meet in one of its comparisons. */
const struct sk_json_key *
sk_json_key_find_twin(const uint8_t *text, struct sk_json_key *keys, struct sk_json_key *spare,
                      uint32_t count)
{
    for (uint32_t run = 1; run < count; run *= 2) {
        struct sk_json_key *from = keys;

        for (uint32_t i = 0; i < count; i += 2 * run) {
            uint32_t middle = count - i < run ? count : i + run;
            uint32_t end = count - i < 2 * run ? count : i + 2 * run;
            const struct sk_json_key *twin =
                merge_runs(text, from + i, from + middle, from + end, spare + i);

            if (twin != NULL) {
                return twin;
            }
        }
        keys = spare;
        spare = from;
    }
    return NULL;
}

uint32_t
sk_json_key_copy(const uint8_t *text, const struct sk_json_key *key, char *ret_bytes, uint32_t size)
{
    struct unescape u = { .at = text + key->at };
    uint32_t length = key->length < size ? key->length : size;

    for (uint32_t i = 0; i < length; i++) {
        ret_bytes[i] = (char)next_byte(&u);
    }
    return length;
}
