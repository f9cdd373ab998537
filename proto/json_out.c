#include "proto/json_out.h"

#include "proto/json_bytes.h"
#include "proto/utf8.h"

#define INT_TEXT_MAX 20 /* the digits of a 64-bit number with its sign */

static const char hex_digits[] = "0123456789abcdef";

/* Room for `length` bytes at the end of what was written, or NULL. */
static inline char *
room_for(const struct sk_json_out *out, size_t length)
{
    if (out->used > out->size || length > out->size - out->used) {
        return NULL;
    }
    return out->at + out->used;
}

/* Most pieces are a few bytes, for which a call of memcpy costs more than the copying. */
static inline void
copy(char *to, const char *from, size_t length)
{
    if (length > 16) {
        memcpy(to, from, length);
    } else if (length >= 8) {
        memcpy(to, from, 8);
        memcpy(to + length - 8, from + length - 8, 8);
    } else if (length >= 4) {
        memcpy(to, from, 4);
        memcpy(to + length - 4, from + length - 4, 4);
    } else {
        for (size_t i = 0; i < length; i++) {
            to[i] = from[i];
        }
    }
}

static inline void
put(struct sk_json_out *out, const char *bytes, size_t length)
{
    char *room;

    if (length == 0) {
        return;
    }
    room = room_for(out, length);
    if (room != NULL) {
        copy(room, bytes, length);
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

/* Up to eight bytes as a word, in any order and some of them twice. */
static inline uint64_t
short_word(const uint8_t *at, size_t length)
{
    uint32_t first;
    uint32_t last;

    if (length >= 4) {
        memcpy(&first, at, 4);
        memcpy(&last, at + length - 4, 4);
        return (uint64_t)first << 32 | last;
    }
    if (length == 0) {
        return SK_JSON_EACH_BYTE(' ');
    }
    return (SK_JSON_EACH_BYTE(' ') << 24) | (uint64_t)at[0] << 16 | (uint64_t)at[length / 2] << 8 |
           at[length - 1];
}

/* Can the text just be copied? */
static inline bool
is_plain_text(const uint8_t *at, size_t length)
{
    while (length > 8) {
        if (sk_json_special_bytes(sk_json_word_at(at)) != 0) {
            return false;
        }
        at += 8;
        length -= 8;
    }
    return sk_json_special_bytes(short_word(at, length)) == 0;
}

bool
sk_json_is_plain(struct sk_text text)
{
    return is_plain_text((const uint8_t *)text.at, text.length);
}

/* A text with something to escape, without its quotes. */
static void
put_mixed(struct sk_json_out *out, const uint8_t *at, const uint8_t *text_end)
{
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

static inline void
put_quoted(struct sk_json_out *out, struct sk_text text)
{
    const uint8_t *at = (const uint8_t *)text.at;

    put_byte(out, '"');
    if (is_plain_text(at, text.length)) {
        put(out, text.at, text.length);
    } else {
        put_mixed(out, at, at + text.length);
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
    size_t length = strlen(name);
    char *room = room_for(out, length + 4);

    if (room == NULL) {
        out->used += length + 3 + (out->follows_value ? 1 : 0);
    } else {
        if (out->follows_value) {
            *room++ = ',';
        }
        *room++ = '"';
        copy(room, name, length);
        room += length;
        *room++ = '"';
        *room++ = ':';
        out->used = (size_t)(room - out->at);
    }
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

static void
put_int(struct sk_json_out *out, int64_t value)
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
    put(out, start, (size_t)(room + INT_TEXT_MAX - start));
}

void
sk_json_int(struct sk_json_out *out, int64_t value)
{
    put_comma(out);
    if (value < 0 || value > 99) {
        put_int(out, value);
    } else {
        if (value > 9) {
            put_byte(out, (char)('0' + value / 10));
        }
        put_byte(out, (char)('0' + value % 10));
    }
    out->follows_value = true;
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
