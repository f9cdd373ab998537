/*
 * tally_values - members of a record's body.  A value of the wrong type counts
 * as absent.
 *
 * Names of units, kinds, checks and verdicts contain no escapes.
 */
#ifndef SK_STORE_TALLY_VALUES_H
#define SK_STORE_TALLY_VALUES_H

#include "proto/json_value.h"

/* Returns NULL if it is absent or null. */
static inline const struct sk_value *
member_of(const struct sk_value *object, const char *name)
{
    const struct sk_value *value =
        sk_value_is(object, SK_VALUE_OBJECT) ? sk_value_member(object, name) : NULL;

    return value == NULL || value->kind == SK_VALUE_NULL ? NULL : value;
}

static inline bool
member_says(const struct sk_value *object, const char *name, const char *word)
{
    const struct sk_value *value = member_of(object, name);

    return sk_value_is(value, SK_VALUE_TEXT) && sk_value_says(value, word);
}

/* Returns 0 if the value is not a list. */
static inline uint32_t
count_of(const struct sk_value *list)
{
    return sk_value_is(list, SK_VALUE_LIST) ? list->count : 0;
}

/* Returns NULL if the list is shorter. */
static inline const struct sk_value *
item_of(const struct sk_value *list, uint32_t index)
{
    const struct sk_value *item;

    if (index >= count_of(list)) {
        return NULL;
    }
    for (item = sk_value_first(list); index > 0; index--) {
        item = sk_value_next(item);
    }
    return item;
}

/* Returns the item after this one; after NULL, the first.  NULL at the end. */
static inline const struct sk_value *
next_of(const struct sk_value *list, const struct sk_value *item)
{
    if (item == NULL) {
        return item_of(list, 0);
    }
    item = sk_value_next(item);
    return item < sk_value_next(list) ? item : NULL;
}

#endif /* SK_STORE_TALLY_VALUES_H */
