#include "proto/json_value.h"

#include <string.h>

#include "proto/json_key.h"

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

static struct sk_json_key
key_of(const struct sk_value *value)
{
    const uint8_t *at = (const uint8_t *)value->at;
    struct sk_json_key key;

    sk_json_key_set(&key, at, at, at + value->length, value->is_escaped);
    return key;
}

uint32_t
sk_value_copy(const struct sk_value *value, char *ret_bytes, uint32_t size)
{
    struct sk_json_key key = key_of(value);

    return sk_json_key_copy((const uint8_t *)value->at, &key, ret_bytes, size);
}

bool
sk_value_unescape(const struct sk_value *value, struct sk_arena *arena, struct sk_text *ret_text)
{
    char *room = sk_arena_take(arena, value->length); /* unescaped it is shorter */

    if (room == NULL) {
        return false;
    }
    *ret_text = (struct sk_text){ room, sk_value_copy(value, room, value->length) };
    return true;
}

bool
sk_value_escaped_says(const struct sk_value *value, struct sk_text text)
{
    char room[64];
    uint32_t length = sk_value_copy(value, room, sizeof(room));

    return length < sizeof(room) && sk_text_same((struct sk_text){ room, length }, text);
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

static bool
same_text(const struct sk_value *a, const struct sk_value *b)
{
    struct sk_json_key key_of_a = key_of(a);
    struct sk_json_key key_of_b = key_of(b);

    return sk_json_key_same((const uint8_t *)a->at, &key_of_a, (const uint8_t *)b->at, &key_of_b);
}

static const struct sk_value *
member_like(const struct sk_value *object, const struct sk_value *name)
{
    const struct sk_value *key = sk_value_first(object);

    for (uint32_t i = 0; i < object->count; i++) {
        if (same_text(key, name)) {
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

/* Goes no deeper than the scan lets anything be. */
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
        return same_text(a, b);
    case SK_VALUE_LIST:
    case SK_VALUE_OBJECT:
        return same_items(a, b);
    }
    return false;
}
