/*
 * sk_json_pen - writes many small pieces into a sk_json_out.
 *
 * The caller keeps a pointer behind the last byte and puts pieces there (see
 * json_put.h) without checking whether each of them fits; it calls sk_pen_space
 * now and then instead.  The pointer is in the output itself, or in `spare` when
 * the output is nearly full.  The byte before it is the last one put.
 *
 * Owner:   the caller; between begin and end the output is the pen's.
 * Threads: one at a time.
 */
#ifndef SK_JSON_PEN_H
#define SK_JSON_PEN_H

#include "proto/json_out.h"

/* For how many bytes there is space behind a place that sk_pen_space returned. */
#define SK_PEN_SPACE 512u

struct sk_json_pen {
    struct sk_json_out *out;
    char *from;  /* what begins here is not counted in the output yet */
    char *limit; /* a place behind this has too little space */
    char spare[4 * SK_PEN_SPACE];
};

/* For sk_pen_begin and sk_pen_space. */
char *sk_pen_begin_spare(struct sk_json_pen *pen);
char *sk_pen_turn_page(struct sk_json_pen *pen, const char *to);

/* The place for the output's next value, with space behind it. */
static inline char *
sk_pen_begin(struct sk_json_pen *pen, struct sk_json_out *out)
{
    char *to;

    pen->out = out;
    if (out->used > out->size || out->size - out->used < SK_PEN_SPACE) {
        to = sk_pen_begin_spare(pen);
    } else {
        to = out->at + out->used;
        pen->from = to;
        pen->limit = out->at + out->size - SK_PEN_SPACE;
    }
    if (out->follows_value) {
        *to++ = ',';
    }
    return to;
}

/* The value ends at `to` and is the output's. */
static inline void
sk_pen_end(const struct sk_json_pen *pen, const char *to)
{
    struct sk_json_out *out = pen->out;
    size_t length = (size_t)(to - pen->from);

    if (pen->from == pen->spare + 1) {
        sk_json_copy(out, pen->from, length);
    }
    out->used += length;
    out->follows_value = true;
}

/* The place with space behind it: that place or another. */
static inline char *
sk_pen_space(struct sk_json_pen *pen, char *to)
{
    return to > pen->limit ? sk_pen_turn_page(pen, to) : to;
}

/* A text of any length and content, in quotes.  There need not be space for it, as for a value. */
char *sk_pen_text(struct sk_json_pen *pen, char *to, struct sk_text text);

/* Writes a value that is JSON already, of any length. */
char *sk_pen_raw(struct sk_json_pen *pen, char *to, struct sk_text json);

#endif /* SK_JSON_PEN_H */
