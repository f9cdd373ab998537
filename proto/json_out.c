#include "proto/json_out.h"

#include "proto/json_put.h"
#include "proto/utf8.h"

static const char hex_digits[] = "0123456789abcdef";

static inline bool
has_space(const struct sk_json_out *out, size_t length)
{
    return out->used <= out->size && length <= out->size - out->used;
}

void
sk_json_copy(struct sk_json_out *out, const char *bytes, size_t length)
{
    if (length > 0 && has_space(out, length)) {
        (void)sk_json_put_bytes(out->at + out->used, bytes, length);
    }
}

static inline void
put(struct sk_json_out *out, const char *bytes, size_t length)
{
    sk_json_copy(out, bytes, length);
    out->used += length;
}

static inline void
put_comma(struct sk_json_out *out)
{
    if (out->follows_value) {
        sk_json_put_byte(out, ',');
    }
}

static inline void
put_value(struct sk_json_out *out, const char *bytes, size_t length)
{
    put_comma(out);
    put(out, bytes, length);
    out->follows_value = true;
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

/* Writes one byte or character that must be escaped; returns where the next one begins. */
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

/* Writes a text with something to escape, without its quotes. */
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

void
sk_json_text(struct sk_json_out *out, struct sk_text text)
{
    const uint8_t *at = (const uint8_t *)text.at;

    put_comma(out);
    sk_json_put_byte(out, '"');
    if (has_space(out, text.length) &&
        sk_json_copy_plain(out->at + out->used, text.at, text.length)) {
        out->used += text.length;
    } else {
        put_mixed(out, at, at + text.length);
    }
    sk_json_put_byte(out, '"');
    out->follows_value = true;
}

void
sk_json_end_line(struct sk_json_out *out)
{
    sk_json_put_byte(out, '\n');
    out->follows_value = false;
}

void
sk_json_plain_key(struct sk_json_out *out, struct sk_text name)
{
    put_comma(out);
    sk_json_put_byte(out, '"');
    put(out, name.at, name.length);
    put(out, "\":", 2);
    out->follows_value = false;
}

/* ---- other values ------------------------------------------------------------------------ */

char *
sk_json_put_digits(char *to, int64_t value)
{
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char digits[SK_JSON_INT_MAX];
    char *first = digits + sizeof(digits);

    do {
        *--first = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) {
        *--first = '-';
    }
    return sk_json_put_bytes(to, first, (size_t)(digits + sizeof(digits) - first));
}

void
sk_json_int(struct sk_json_out *out, int64_t value)
{
    char digits[SK_JSON_INT_MAX];

    put_value(out, digits, (size_t)(sk_json_put_int(digits, value) - digits));
}

void
sk_json_hex16(struct sk_json_out *out, uint64_t value)
{
    char space[18];

    space[0] = '"';
    space[17] = '"';
    for (int i = 16; i > 0; i--) {
        space[i] = hex_digits[value & 15];
        value >>= 4;
    }
    put_value(out, space, sizeof(space));
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
