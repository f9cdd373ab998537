/*
 * sk_value - a JSON text taken apart.
 *
 * A document is one block: its values in the order in which they stand in
 * the text, each list and object before what is in it and each key before its
 * value, and behind them a copy of the text.  So a value's first item is the
 * value behind it, and the next one beside it is `size` further on.  Nothing
 * is converted before somebody asks: numbers and texts are where they stood.
 *
 * Documents come from sk_json_parse, so the text is valid, keys are unique and
 * numbers are integers of 32 bits.
 *
 * Owner:   a document is the heap's; sk_json_free takes its outermost value.
 * Threads: none of its own; a document never changes.
 */
#ifndef SK_JSON_VALUE_H
#define SK_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/text.h"

enum sk_value_kind {
    SK_VALUE_NULL,
    SK_VALUE_BOOL,
    SK_VALUE_INT,
    SK_VALUE_TEXT,
    SK_VALUE_LIST,
    SK_VALUE_OBJECT,
};

struct sk_value {
    const char *at;  /* its first byte; of a text the one behind the quote */
    uint32_t length; /* in bytes, as it stands in the text and without a text's quotes */
    uint32_t size;   /* values: itself and all that are in it */
    uint32_t count;  /* items of a list, members of an object */
    uint8_t kind;
    bool is_escaped; /* a text: not what it says byte by byte */
    bool is_spaced;  /* a list or an object: has white space in it */
};

/* False for NULL, which is what a member that is not there is. */
static inline bool
sk_value_is(const struct sk_value *value, enum sk_value_kind kind)
{
    return value != NULL && value->kind == kind;
}

/* Of a list or an object that is not empty.  An object's first is a key. */
static inline const struct sk_value *
sk_value_first(const struct sk_value *value)
{
    return value + 1;
}

/* What stands beside it: the next item or key, or a key's value. */
static inline const struct sk_value *
sk_value_next(const struct sk_value *value)
{
    return value + value->size;
}

static inline bool
sk_value_bool(const struct sk_value *value)
{
    return value->at[0] == 't';
}

int32_t sk_value_int(const struct sk_value *value);

/* A text or a key, unescaped.  Where it is escaped it goes into the arena: false = no room. */
bool sk_value_text(const struct sk_value *value, struct sk_arena *arena, struct sk_text *ret_text);

/* Unescapes the first `size` bytes of a text or a key; returns how many there were. */
uint32_t sk_value_copy(const struct sk_value *value, char *ret_bytes, uint32_t size);

/* Is the key or the text this word?  For words that need no escapes. */
bool sk_value_says(const struct sk_value *value, const char *word);

/* The member's value, or NULL.  Looks at one key after the other. */
const struct sk_value *sk_value_member(const struct sk_value *object, const char *name);

/* Do both say the same, whatever the order of members?  They may be of different documents. */
bool sk_json_same(const struct sk_value *a, const struct sk_value *b);

#endif /* SK_JSON_VALUE_H */
