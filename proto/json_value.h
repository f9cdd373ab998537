/*
 * sk_value - a JSON text taken apart.
 *
 * A document is one block: its values in the order of the text, each list and
 * object before what is in it and each key before its value, and at its end a copy
 * of the text.  So a value's first item is the value behind it, and the next one
 * beside it is `size` further on.  Numbers and texts are converted only when they
 * are asked for.
 *
 * Documents come from sk_json_parse, so the text is valid, keys are unique and
 * numbers are integers of 32 bits (sk_json_parse_long: of SK_JSON_LONG_DIGITS).
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
#include "proto/json_bytes.h"

#define SK_JSON_LONG_DIGITS 18 /* of integers that servers send; others fit 32 bits */

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
    uint32_t length; /* in bytes of the text, without the quotes of a string */
    uint32_t size;   /* values: itself and all that are in it */
    uint32_t count;  /* items of a list, members of an object */
    uint8_t kind;
    bool is_escaped; /* a text: not what it says byte by byte */
    bool is_spaced;  /* a list or an object: has white space in it */
};

/* False for NULL, as returned for a missing member. */
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

/* The value after it: the next item or key, or a key's value. */
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

/* For sk_value_int. */
int32_t sk_value_digits(const struct sk_value *value);

static inline int32_t
sk_value_int(const struct sk_value *value)
{
    return value->length == 1 ? value->at[0] - '0' : sk_value_digits(value);
}

/* For sk_value_text. */
bool sk_value_unescape(const struct sk_value *value, struct sk_arena *arena,
                       struct sk_text *ret_text);

/* A text or a key, unescaped.  Where it is escaped it goes into the arena: false = no space. */
static inline bool
sk_value_text(const struct sk_value *value, struct sk_arena *arena, struct sk_text *ret_text)
{
    if (value->is_escaped) {
        return sk_value_unescape(value, arena, ret_text);
    }
    *ret_text = (struct sk_text){ value->at, value->length };
    return true;
}

/* Unescapes the first `size` bytes of a text or a key; returns how many there were. */
uint32_t sk_value_copy(const struct sk_value *value, char *ret_bytes, uint32_t size);

/* Below, equal to or above 0: the order of two texts or keys, by their bytes once unescaped. */
int sk_value_order(const struct sk_value *a, const struct sk_value *b);

/* For sk_value_says and sk_value_says_text. */
bool sk_value_escaped_says(const struct sk_value *value, struct sk_text text);

/* Whether the key or text is this one.  For texts without escapes. */
static inline bool
sk_value_says_text(const struct sk_value *value, struct sk_text text)
{
    if (value->is_escaped) {
        return sk_value_escaped_says(value, text);
    }
    return value->length == text.length && sk_json_same_bytes(value->at, text.at, text.length);
}

/* The same for a word.  Most differ in the first letters. */
static inline bool
sk_value_says(const struct sk_value *value, const char *word)
{
    if (value->is_escaped) {
        return sk_value_escaped_says(value, sk_text_of(word));
    }
    for (uint32_t i = 0; i < value->length; i++) {
        if (value->at[i] != word[i]) { /* also where the word ends: no text has a zero byte */
            return false;
        }
    }
    return word[value->length] == '\0';
}

/* The member's value, or NULL. Searches the keys one by one. */
const struct sk_value *sk_value_member(const struct sk_value *object, const char *name);

/* Whether both are equal, in any order of members.  They may be of different documents. */
bool sk_json_same(const struct sk_value *a, const struct sk_value *b);

#endif /* SK_JSON_VALUE_H */
