#include "proto/json_value.h"

#include <string.h>

#include "proto/utf8.h"

/* ---- texts ------------------------------------------------------------------------------- */

/* Unescapes a text byte by byte; an escape is up to four bytes. */
struct unescape {
    const uint8_t *at;
    const uint8_t *end;
    uint8_t bytes[4];
    size_t count;
    size_t given;
};

static uint32_t
hex4_value(const uint8_t *digits)
{
    uint32_t value = 0;

    for (int i = 0; i < 4; i++) {
        value = value << 4 | (uint32_t)sk_hex_value((char)digits[i]);
    }
    return value;
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

static struct unescape
unescape(const struct sk_value *value)
{
    const uint8_t *at = (const uint8_t *)value->at;

    return (struct unescape){ .at = at, .end = at + value->length };
}

/* The next byte; -1 at the end. */
static int
next_byte(struct unescape *u)
{
    if (u->given == u->count) {
        if (u->at == u->end) {
            return -1;
        }
        if (*u->at != '\\') {
            return *u->at++;
        }
        take_escape(u);
    }
    return u->bytes[u->given++];
}

uint32_t
sk_value_copy(const struct sk_value *value, char *ret_bytes, uint32_t size)
{
    struct unescape u = unescape(value);
    uint32_t length = 0;

    for (int byte; length < size && (byte = next_byte(&u)) >= 0; length++) {
        ret_bytes[length] = (char)byte;
    }
    return length;
}

static int
order_plain(const struct sk_value *a, const struct sk_value *b)
{
    int difference = memcmp(a->at, b->at, a->length < b->length ? a->length : b->length);

    return difference != 0 ? difference : (a->length > b->length) - (a->length < b->length);
}

int
sk_value_order(const struct sk_value *a, const struct sk_value *b)
{
    struct unescape of_a = unescape(a);
    struct unescape of_b = unescape(b);
    int byte;
    int difference;

    if (!a->is_escaped && !b->is_escaped) {
        return order_plain(a, b);
    }
    do {
        byte = next_byte(&of_a);
        difference = byte - next_byte(&of_b);
    } while (difference == 0 && byte >= 0);
    return difference;
}

bool
sk_value_unescape(const struct sk_value *value, struct sk_arena *arena, struct sk_text *ret_text)
{
    char *space = sk_arena_take(arena, value->length); /* unescaped it is shorter */

    if (space == NULL) {
        return false;
    }
    *ret_text = (struct sk_text){ space, sk_value_copy(value, space, value->length) };
    return true;
}

bool
sk_value_escaped_says(const struct sk_value *value, struct sk_text text)
{
    char space[64];
    uint32_t length = sk_value_copy(value, space, sizeof(space));

    return length < sizeof(space) && sk_text_same((struct sk_text){ space, length }, text);
}

/* ---- values ------------------------------------------------------------------------------ */

/* Its digits are known to fit. */
int32_t
sk_value_digits(const struct sk_value *value)
{
    bool is_negative = value->at[0] == '-';
    int64_t number = 0;

    for (uint32_t i = is_negative ? 1 : 0; i < value->length; i++) {
        number = number * 10 + (value->at[i] - '0');
    }
    return (int32_t)(is_negative ? -number : number);
}

const struct sk_value *
sk_value_member(const struct sk_value *object, const char *name)
{
    const struct sk_value *key = object + 1;

    for (uint32_t i = 0; i < object->count; i++) {
        const struct sk_value *value = key + 1;

        if (sk_value_says(key, name)) {
            return value;
        }
        key = sk_value_next(value);
    }
    return NULL;
}

static const struct sk_value *
member_like(const struct sk_value *object, const struct sk_value *name)
{
    const struct sk_value *key = sk_value_first(object);

    for (uint32_t i = 0; i < object->count; i++) {
        if (sk_value_order(key, name) == 0) {
            return sk_value_next(key);
        }
        key = sk_value_next(sk_value_next(key));
    }
    return NULL;
}

static bool
same_items(const struct sk_value *a, const struct sk_value *b)
{
    const struct sk_value *item = sk_value_first(a);
    const struct sk_value *other = sk_value_first(b);

    for (uint32_t i = 0; i < a->count; i++) {
        if (a->kind == SK_VALUE_OBJECT) {
            other = member_like(b, item);
            item = sk_value_next(item);
        }
        if (other == NULL || !sk_json_same(item, other)) {
            return false;
        }
        item = sk_value_next(item);
        other = sk_value_next(other);
    }
    return true;
}

/* The recursion is at most SK_JSON_DEPTH_MAX deep. */
bool
sk_json_same(const struct sk_value *a, const struct sk_value *b)
{
    if (a->kind != b->kind || a->count != b->count) {
        return false;
    }
    switch ((enum sk_value_kind)a->kind) {
    case SK_VALUE_NULL:
        return true;
    case SK_VALUE_BOOL:
        return sk_value_bool(a) == sk_value_bool(b);
    case SK_VALUE_INT:
        return sk_value_int(a) == sk_value_int(b);
    case SK_VALUE_TEXT:
        return sk_value_order(a, b) == 0;
    case SK_VALUE_LIST:
    case SK_VALUE_OBJECT:
        return same_items(a, b);
    }
    return false;
}
