/*
 * Members of a server's frame, with a fallback for what is missing or has
 * another type.
 */
#ifndef SK_CLIENT_LOOK_H
#define SK_CLIENT_LOOK_H

#include <stddef.h>

#include "proto/json_value.h"

/* The number that a value says, or the fallback where it does not fit. */
static inline int32_t
look_number(const struct sk_value *value, int32_t fallback)
{
    bool is_negative = sk_value_is(value, SK_VALUE_INT) && value->at[0] == '-';
    int64_t number = 0;

    if (!sk_value_is(value, SK_VALUE_INT)) {
        return fallback;
    }
    for (uint32_t i = is_negative ? 1 : 0; i < value->length; i++) {
        number = number * 10 + (value->at[i] - '0');
    }
    number = is_negative ? -number : number;
    return number < INT32_MIN || number > INT32_MAX ? fallback : (int32_t)number;
}

static inline int32_t
look_int(const struct sk_value *object, const char *member, int32_t fallback)
{
    return look_number(sk_value_member(object, member), fallback);
}

/* Copies a text of at most size - 1 bytes; what it was stays if there is none. */
static inline void
look_text(const struct sk_value *object, const char *member, char *ret_text, size_t size)
{
    const struct sk_value *value = sk_value_member(object, member);

    if (sk_value_is(value, SK_VALUE_TEXT)) {
        uint32_t length = sk_value_copy(value, ret_text, (uint32_t)size - 1);

        ret_text[length < size ? length : size - 1] = '\0';
    }
}

/* Is that member this word? */
static inline bool
look_says(const struct sk_value *object, const char *member, const char *word)
{
    const struct sk_value *value = sk_value_member(object, member);

    return sk_value_is(value, SK_VALUE_TEXT) && sk_value_says(value, word);
}

/* The member if it is an object, else NULL. */
static inline const struct sk_value *
look_object(const struct sk_value *object, const char *member)
{
    const struct sk_value *value = sk_value_member(object, member);

    return sk_value_is(value, SK_VALUE_OBJECT) ? value : NULL;
}

/* Is the member true? */
static inline bool
look_is(const struct sk_value *object, const char *member)
{
    const struct sk_value *value = sk_value_member(object, member);

    return sk_value_is(value, SK_VALUE_BOOL) && sk_value_bool(value);
}

/* Is the number in that list? */
static inline bool
look_lists(const struct sk_value *object, const char *member, int32_t number)
{
    const struct sk_value *list = sk_value_member(object, member);
    const struct sk_value *item = list == NULL ? NULL : list + 1;
    uint32_t count = sk_value_is(list, SK_VALUE_LIST) ? list->count : 0;

    for (uint32_t i = 0; i < count; i++, item = sk_value_next(item)) {
        if (sk_value_is(item, SK_VALUE_INT) && look_number(item, number - 1) == number) {
            return true;
        }
    }
    return false;
}

#endif /* SK_CLIENT_LOOK_H */
