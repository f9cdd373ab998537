#include "proto/json_pen.h"

#include "proto/json_put.h"

static char *
use_spare(struct sk_json_pen *pen, char last)
{
    pen->spare[0] = last;
    pen->from = pen->spare + 1;
    pen->limit = pen->spare + sizeof(pen->spare) - SK_PEN_SPACE;
    return pen->from;
}

char *
sk_pen_begin_spare(struct sk_json_pen *pen)
{
    const struct sk_json_out *out = pen->out;
    bool has_last = out->used > 0 && out->used <= out->size;

    return use_spare(pen, has_last ? out->at[out->used - 1] : '\0');
}

char *
sk_pen_turn_page(struct sk_json_pen *pen, const char *to)
{
    sk_pen_end(pen, to);
    return use_spare(pen, to[-1]);
}

/* What follows is part of the value that was begun: no comma. */
static struct sk_json_out *
lift(struct sk_json_pen *pen, const char *to)
{
    sk_pen_end(pen, to);
    pen->out->follows_value = false;
    return pen->out;
}

static char *
set_down(struct sk_json_pen *pen)
{
    pen->out->follows_value = false;
    return sk_pen_begin(pen, pen->out);
}

char *
sk_pen_text(struct sk_json_pen *pen, char *to, struct sk_text text)
{
    sk_json_text(lift(pen, to), text);
    return set_down(pen);
}

char *
sk_pen_raw(struct sk_json_pen *pen, char *to, struct sk_text json)
{
    if ((ptrdiff_t)json.length <= pen->limit - to) {
        return sk_json_put_text(to, json);
    }
    sk_json_raw(lift(pen, to), json);
    return set_down(pen);
}
