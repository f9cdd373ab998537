#include "proto/json_scan_rare.h"

#include <string.h>

#include "common/base/text.h"
#include "proto/utf8.h"

/* ---- faults ------------------------------------------------------------------------------ */

static void
put_key(const struct sk_json_scan *scan, const struct sk_json_level *level)
{
    char space[SK_FAULT_AT_MAX];
    uint32_t length = sk_value_copy(level->key, space, (uint32_t)sizeof(space));

    sk_fault_inside(scan->fault, (struct sk_text){ space, length });
}

const uint8_t *
sk_scan_fault(const struct sk_json_scan *scan, const uint8_t *at, enum where where,
              const char *message)
{
    const struct sk_json_level *level = scan->level;

    (void)sk_fault_set(scan->fault, "malformed", message);
    sk_fault_say(scan->fault, at == scan->end ? ", at the end (byte " : ", at byte ");
    sk_fault_say_number(scan->fault, at - scan->text);
    sk_fault_say(scan->fault, at == scan->end ? ")" : "");
    if (where == IN_CONTAINER && level > scan->levels) {
        level--;
    }
    for (; level > scan->levels; level--) {
        if (level->closer == ']') {
            sk_fault_inside_index(scan->fault, level->index);
        } else {
            put_key(scan, level);
        }
    }
    return NULL;
}

/* ---- strings ----------------------------------------------------------------------------- */

/* Four hex digits as a number, or -1. */
static int32_t
hex4(const uint8_t *at, const uint8_t *end)
{
    int32_t value = 0;

    if (end - at < 4) {
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        int digit = sk_hex_value((char)at[i]);

        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

/* A \u escape; `at` points at its backslash. */
static const uint8_t *
read_code(const struct sk_json_scan *scan, const uint8_t *at, enum where where)
{
    int32_t code = hex4(at + 2, scan->end);

    if (code < 0) {
        return sk_scan_fault(scan, at, where, "\\u needs four hex digits");
    }
    if (code == 0) {
        return sk_scan_fault(scan, at, where, "\\u0000 is not allowed");
    }
    if (code < 0xd800 || code > 0xdfff) {
        return at + 6;
    }
    if (code < 0xdc00 && scan->end - at >= 12 && at[6] == '\\' && at[7] == 'u') {
        int32_t low = hex4(at + 8, scan->end);

        if (low >= 0xdc00 && low <= 0xdfff) {
            return at + 12;
        }
    }
    return sk_scan_fault(scan, at, where, "half of a surrogate pair");
}

static const uint8_t *
read_escape(const struct sk_json_scan *scan, const uint8_t *at, enum where where)
{
    if (scan->end - at < 2) {
        return sk_scan_fault(scan, scan->end, where, "unterminated string");
    }
    if (at[1] == 'u') {
        return read_code(scan, at, where);
    }
    if (at[1] == '\0' || strchr("\"\\/bfnrt", at[1]) == NULL) {
        return sk_scan_fault(scan, at, where, "unknown escape in a string");
    }
    return at + 2;
}

/* A run of characters that are longer than a byte. */
static const uint8_t *
read_long_characters(const struct sk_json_scan *scan, const uint8_t *at, enum where where)
{
    while (at < scan->end && *at >= 0x80) {
        size_t length = sk_utf8_length(at, scan->end);

        if (length == 0) {
            return sk_scan_fault(scan, at, where, "not UTF-8");
        }
        at += length;
    }
    return at;
}

/* What skip_plain stopped at, if it belongs to a string. */
const uint8_t *
sk_scan_special(const struct sk_json_scan *scan, const uint8_t *at, enum where where)
{
    if (at == scan->end) {
        return sk_scan_fault(scan, at, where, "unterminated string");
    }
    if (*at == '\\') {
        return read_escape(scan, at, where);
    }
    if (*at < ' ') {
        return sk_scan_fault(scan, at, where, "a control character in a string");
    }
    return read_long_characters(scan, at, where);
}

/* ---- numbers ----------------------------------------------------------------------------- */

static bool
begins_fraction(const uint8_t *at, const uint8_t *end)
{
    return at < end && (*at == '.' || *at == 'e' || *at == 'E');
}

/* A number with a fraction or an exponent is a fault in any case; which, its grammar says. */
static const uint8_t *
refuse_fraction(const struct sk_json_scan *scan, const uint8_t *at)
{
    const uint8_t *end = scan->end;
    const uint8_t *start = at;

    if (*at == '.') {
        if (at + 1 == end || !is_digit(at[1])) {
            return sk_scan_fault(scan, at + 1, IN_MEMBER, "a digit is missing in a number");
        }
        at = skip_digits(at + 1, end);
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-') ? 1 : 0;
        if (at == end || !is_digit(*at)) {
            return sk_scan_fault(scan, at, IN_MEMBER, "a digit is missing in a number");
        }
    }
    return sk_scan_fault(scan, start, IN_MEMBER, "a number that is not an integer");
}

/* A number of two digits or more that begins with 0 or has ten or more. */
const uint8_t *
sk_scan_long_number(const struct sk_json_scan *scan, const uint8_t *digits, const uint8_t *at,
                    bool is_negative)
{
    uint64_t value = 0;

    if (*digits == '0') {
        return sk_scan_fault(scan, digits, IN_MEMBER, "a number that begins with 0");
    }
    if (begins_fraction(at, scan->end)) {
        return refuse_fraction(scan, at);
    }
    if (scan->takes_long && at - digits <= SK_JSON_LONG_DIGITS) {
        return at;
    }
    for (const uint8_t *digit = digits; digit < at && value <= UINT32_MAX; digit++) {
        value = value * 10 + (*digit - (uint64_t)'0');
    }
    if (value > (uint64_t)INT32_MAX + (is_negative ? 1 : 0)) {
        return sk_scan_fault(scan, digits, IN_MEMBER, "a number that does not fit 32 bits");
    }
    return at;
}

/* ---- what follows ------------------------------------------------------------------------ */

/* Neither a comma nor the bracket: the value before may have been a number that goes on. */
const uint8_t *
sk_scan_wrong_next(const struct sk_json_scan *scan, const uint8_t *at)
{
    if (is_digit(at[-1]) && begins_fraction(at, scan->end)) {
        return refuse_fraction(scan, at);
    }
    switch (scan->level->closer) {
    case '}':
        return sk_scan_fault(scan, at, IN_CONTAINER, "expected a comma or }");
    case ']':
        return sk_scan_fault(scan, at, IN_CONTAINER, "expected a comma or ]");
    default:
        return sk_scan_fault(scan, at, IN_CONTAINER, "unexpected text after the value");
    }
}

uint8_t
sk_scan_space(struct sk_json_scan *scan, const uint8_t **at)
{
    scan->spaces++;
    while (*at < scan->end) {
        uint8_t byte = **at;

        if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') {
            return byte;
        }
        (*at)++;
    }
    return 0;
}
