/*
 * sk_json_out - writes JSON into memory of the caller.
 *
 * Bounded: what does not fit is not written but counted, so a caller checks
 * once, at the end, and knows the size needed.  Commas are written
 * automatically.  The output is valid JSON in valid UTF-8, whatever bytes a text
 * has; the caller must alternate keys and values.
 *
 * Owner:   the caller owns the buffer.  There is no terminator.
 * Threads: one at a time.
 */
#ifndef SK_JSON_OUT_H
#define SK_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/base/text.h"

struct sk_json_out {
    char *at;
    size_t size;
    size_t used;        /* may pass `size`: then the output is cut, and this is what is needed */
    bool follows_value; /* the next key or value needs a comma */
};

static inline void
sk_json_out_init(struct sk_json_out *out, char *memory, size_t size)
{
    *out = (struct sk_json_out){ .at = memory, .size = size };
}

/* Whether everything did fit. */
static inline bool
sk_json_out_is_whole(const struct sk_json_out *out)
{
    return out->used <= out->size;
}

/* Copies the bytes to the end, if they fit there, but does not count them. */
void sk_json_copy(struct sk_json_out *out, const char *bytes, size_t length);

static inline void
sk_json_put_byte(struct sk_json_out *out, char byte)
{
    if (out->used < out->size) {
        out->at[out->used] = byte;
    }
    out->used++;
}

static inline void
sk_json_begin(struct sk_json_out *out, char bracket)
{
    if (out->follows_value) {
        sk_json_put_byte(out, ',');
    }
    sk_json_put_byte(out, bracket);
    out->follows_value = false;
}

static inline void
sk_json_end(struct sk_json_out *out, char bracket)
{
    sk_json_put_byte(out, bracket);
    out->follows_value = true;
}

static inline void
sk_json_begin_object(struct sk_json_out *out)
{
    sk_json_begin(out, '{');
}

static inline void
sk_json_end_object(struct sk_json_out *out)
{
    sk_json_end(out, '}');
}

static inline void
sk_json_begin_list(struct sk_json_out *out)
{
    sk_json_begin(out, '[');
}

static inline void
sk_json_end_list(struct sk_json_out *out)
{
    sk_json_end(out, ']');
}

/* Ends a line of JSON lines, which no comma separates. */
void sk_json_end_line(struct sk_json_out *out);

/* A key that needs no escaping: a name from a table or from the code. */
void sk_json_plain_key(struct sk_json_out *out, struct sk_text name);

static inline void
sk_json_key(struct sk_json_out *out, const char *name)
{
    sk_json_plain_key(out, sk_text_of(name));
}

void sk_json_int(struct sk_json_out *out, int64_t value);
void sk_json_bool(struct sk_json_out *out, bool value);
void sk_json_null(struct sk_json_out *out);

/* Sixteen hex digits in quotes: JSON numbers above 2^53 are not exact everywhere. */
void sk_json_hex16(struct sk_json_out *out, uint64_t value);

void sk_json_text(struct sk_json_out *out, struct sk_text text);

static inline void
sk_json_string(struct sk_json_out *out, const char *string)
{
    sk_json_text(out, sk_text_of(string));
}

/* Writes a value that is JSON already. */
void sk_json_raw(struct sk_json_out *out, struct sk_text json);

/* A key with its value. */
static inline void
sk_json_key_int(struct sk_json_out *out, const char *name, int64_t value)
{
    sk_json_key(out, name);
    sk_json_int(out, value);
}

static inline void
sk_json_key_bool(struct sk_json_out *out, const char *name, bool value)
{
    sk_json_key(out, name);
    sk_json_bool(out, value);
}

static inline void
sk_json_key_string(struct sk_json_out *out, const char *name, const char *string)
{
    sk_json_key(out, name);
    sk_json_string(out, string);
}

#endif /* SK_JSON_OUT_H */
