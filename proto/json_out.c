#include "proto/json_out.h"

#include "proto/utf8.h"

#define INT_TEXT_MAX 20 /* the digits of a 64-bit number with its sign */

static const char hex_digits[] = "0123456789abcdef";

static inline void
put(struct sk_json_out *out, const char *bytes, size_t length)
{
    if (length > 0 && out->used <= out->size && length <= out->size - out->used) {
        memcpy(out->at + out->used, bytes, length);
    }
    out->used += length;
}

static inline void
put_byte(struct sk_json_out *out, char byte)
{
    if (out->used < out->size) {
        out->at[out->used] = byte;
    }
    out->used++;
}

static inline void
put_comma(struct sk_json_out *out)
{
    if (out->follows_value) {
        put_byte(out, ',');
    }
}

static inline void
put_value(struct sk_json_out *out, const char *bytes, size_t length)
{
    put_comma(out);
    put(out, bytes, length);
    out->follows_value = true;
}

static inline void
begin(struct sk_json_out *out, char bracket)
{
    put_comma(out);
    put_byte(out, bracket);
    out->follows_value = false;
}

static inline void
end(struct sk_json_out *out, char bracket)
{
    put_byte(out, bracket);
    out->follows_value = true;
}

void
sk_json_begin_object(struct sk_json_out *out)
{
    begin(out, '{');
}

void
sk_json_end_object(struct sk_json_out *out)
{
    end(out, '}');
}

void
sk_json_begin_list(struct sk_json_out *out)
{
    begin(out, '[');
}

void
sk_json_end_list(struct sk_json_out *out)
{
    end(out, ']');
}

/* ---- texts ------------------------------------------------------------------------------- */

static inline bool
is_plain(uint8_t byte)
{
    return byte >= ' ' && byte < 0x80 && byte != '"' && byte != '\\';
}

static void
put_escape(struct sk_json_out *out, uint8_t byte)
{
    char code[6] = { '\\', 'u', '0', '0', hex_digits[byte >> 4], hex_digits[byte & 15] };

    if (byte == '"' || byte == '\\') {
        put(out, (char[]){ '\\', (char)byte }, 2);
    } else {
        put(out, code, sizeof(code));
    }
}

/* One byte or character that cannot just be copied; returns where the next one begins. */
static const uint8_t *
put_special(struct sk_json_out *out, const uint8_t *at, const uint8_t *text_end)
{
    size_t length;

    if (*at < 0x80) {
        put_escape(out, *at);
        return at + 1;
    }
    length = sk_utf8_length(at, text_end);
    if (length == 0) {
        put(out, "\xef\xbf\xbd", 3); /* U+FFFD, the replacement character */
        return at + 1;
    }
    put(out, (const char *)at, length);
    return at + length;
}

static void
put_quoted(struct sk_json_out *out, struct sk_text text)
{
    const uint8_t *at = (const uint8_t *)text.at;
    const uint8_t *text_end;

    put_byte(out, '"');
    if (text.length > 0) {
        text_end = at + text.length;
        while (at < text_end) {
            const uint8_t *run = at;

            while (at < text_end && is_plain(*at)) {
                at++;
            }
            put(out, (const char *)run, (size_t)(at - run));
            if (at < text_end) {
                at = put_special(out, at, text_end);
            }
        }
    }
    put_byte(out, '"');
}

void
sk_json_text(struct sk_json_out *out, struct sk_text text)
{
    put_comma(out);
    put_quoted(out, text);
    out->follows_value = true;
}

void
sk_json_string(struct sk_json_out *out, const char *string)
{
    sk_json_text(out, sk_text_of(string));
}

void
sk_json_key(struct sk_json_out *out, const char *name)
{
    put_comma(out);
    put_byte(out, '"');
    put(out, name, strlen(name));
    put(out, "\":", 2);
    out->follows_value = false;
}

void
sk_json_key_text(struct sk_json_out *out, struct sk_text name)
{
    put_comma(out);
    put_quoted(out, name);
    put_byte(out, ':');
    out->follows_value = false;
}

/* ---- other values ------------------------------------------------------------------------ */

void
sk_json_int(struct sk_json_out *out, int64_t value)
{
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char room[INT_TEXT_MAX];
    char *start = room + INT_TEXT_MAX;

    do {
        *--start = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) {
        *--start = '-';
    }
    put_value(out, start, (size_t)(room + INT_TEXT_MAX - start));
}

void
sk_json_hex16(struct sk_json_out *out, uint64_t value)
{
    char room[18];

    room[0] = '"';
    room[17] = '"';
    for (int i = 16; i > 0; i--) {
        room[i] = hex_digits[value & 15];
        value >>= 4;
    }
    put_value(out, room, sizeof(room));
}

void
sk_json_bool(struct sk_json_out *out, bool value)
{
    if (value) {
        put_value(out, "true", 4);
    } else {
        put_value(out, "false", 5);
    }
}

void
sk_json_null(struct sk_json_out *out)
{
    put_value(out, "null", 4);
}

void
sk_json_raw(struct sk_json_out *out, struct sk_text json)
{
    put_value(out, json.at, json.length);
}
