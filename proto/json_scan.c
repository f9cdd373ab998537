/*
 * Every function that reads takes the place it begins at and returns the
 * place it ended at, or NULL when it has filled in the fault.  There is no
 * recursion: `levels` is the stack, so the depth of the text costs nothing.
 */
#include "proto/json_scan.h"

#include <string.h>

#include "common/base/text.h"
#include "proto/utf8.h"

#define TEXT_OF(limit)   TEXT_OF_2(limit)
#define TEXT_OF_2(limit) #limit

/* Which step of the position is the last: see fault_at. */
enum where {
    IN_MEMBER,    /* the value (or key) of the innermost level that is being read */
    IN_CONTAINER, /* the innermost list or object itself */
};

/* ---- faults ------------------------------------------------------------------------------ */

/* The key of the member that is being read in an object: the last one, as inner levels pop theirs. */
static void
put_key(const struct sk_json_scan *scan, uint32_t level)
{
    uint32_t end = level + 1 < scan->depth ? scan->levels[level + 1].first_key : scan->key_count;
    char room[SK_FAULT_AT_MAX];
    uint32_t length =
        sk_json_key_copy(scan->text, &scan->keys[end - 1], room, (uint32_t)sizeof(room));

    sk_fault_inside(scan->fault, (struct sk_text){ room, length });
}

static const uint8_t *
fault_at(const struct sk_json_scan *scan, const uint8_t *at, enum where where, const char *message)
{
    uint32_t depth = scan->depth - (where == IN_CONTAINER && scan->depth > 0 ? 1 : 0);

    (void)sk_fault_set(scan->fault, "malformed", message);
    sk_fault_say(scan->fault, at == scan->end ? ", at the end (byte " : ", at byte ");
    sk_fault_say_number(scan->fault, at - scan->text);
    sk_fault_say(scan->fault, at == scan->end ? ")" : "");
    for (uint32_t level = depth; level-- > 0;) {
        if (scan->levels[level].closer == ']') {
            sk_fault_inside_index(scan->fault, scan->levels[level].index);
        } else {
            put_key(scan, level);
        }
    }
    return NULL;
}

/* ---- strings ----------------------------------------------------------------------------- */

#define EACH_BYTE(value) (0x0101010101010101u * (value))

/*
 * The first byte from `at` on that is not a plain ASCII character of a
 * string: a quote, a backslash, a control character or the beginning of a
 * longer character.  Eight bytes at a time: a subtraction borrows out of a
 * byte only if that byte is one of those sought, so the lowest hit is right.
 */
static inline const uint8_t *
skip_plain(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 8) {
        uint64_t word = sk_json_word_at(at);
        uint64_t hits = (word | (word - EACH_BYTE(' ')) | ((word ^ EACH_BYTE('"')) - EACH_BYTE(1)) |
                         ((word ^ EACH_BYTE('\\')) - EACH_BYTE(1))) &
                        EACH_BYTE(0x80);

        if (hits != 0) {
            return at + __builtin_ctzll(hits) / 8;
        }
        at += 8;
    }
    while (at < end && *at >= ' ' && *at < 0x80 && *at != '"' && *at != '\\') {
        at++;
    }
    return at;
}

/* Four hex digits as a number, or -1. */
static int32_t
hex4(const uint8_t *at, const uint8_t *end)
{
    int32_t value = 0;

    if (end - at < 4) {
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        uint8_t low = at[i] | 0x20;

        if (at[i] >= '0' && at[i] <= '9') {
            value = value * 16 + (at[i] - '0');
        } else if (low >= 'a' && low <= 'f') {
            value = value * 16 + (low - 'a' + 10);
        } else {
            return -1;
        }
    }
    return value;
}

/* A \u escape; `at` points at its backslash. */
static const uint8_t *
read_code(const struct sk_json_scan *scan, const uint8_t *at, enum where where)
{
    int32_t code = hex4(at + 2, scan->end);

    if (code < 0) {
        return fault_at(scan, at, where, "\\u needs four hex digits");
    }
    if (code == 0) {
        return fault_at(scan, at, where, "\\u0000 is not allowed");
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
    return fault_at(scan, at, where, "half of a surrogate pair");
}

static const uint8_t *
read_escape(const struct sk_json_scan *scan, const uint8_t *at, enum where where)
{
    if (scan->end - at < 2) {
        return fault_at(scan, scan->end, where, "a string without an end");
    }
    if (at[1] == 'u') {
        return read_code(scan, at, where);
    }
    if (at[1] == '\0' || strchr("\"\\/bfnrt", at[1]) == NULL) {
        return fault_at(scan, at, where, "no such escape in a string");
    }
    return at + 2;
}

/* What skip_plain stopped at, if it belongs to a string: an escape or a longer character. */
static const uint8_t *
read_special(const struct sk_json_scan *scan, const uint8_t *at, enum where where)
{
    size_t length;

    if (at == scan->end) {
        return fault_at(scan, at, where, "a string without an end");
    }
    if (*at == '\\') {
        return read_escape(scan, at, where);
    }
    if (*at < ' ') {
        return fault_at(scan, at, where, "a control character in a string");
    }
    length = sk_utf8_length(at, scan->end);
    if (length == 0) {
        return fault_at(scan, at, where, "not UTF-8");
    }
    return at + length;
}

/* From behind the first quote to the second; *ret_is_escaped is only ever set. */
static inline const uint8_t *
read_string(const struct sk_json_scan *scan, const uint8_t *at, enum where where,
            bool *ret_is_escaped)
{
    const uint8_t *end = scan->end;

    for (;;) {
        at = skip_plain(at, end);
        if (at < end && *at == '"') {
            return at;
        }
        *ret_is_escaped |= at < end && *at == '\\';
        at = read_special(scan, at, where);
        if (at == NULL) {
            return NULL;
        }
    }
}

/* ---- other scalars ----------------------------------------------------------------------- */

static inline bool
is_digit(const uint8_t *at, const uint8_t *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const uint8_t *
skip_digits(const uint8_t *at, const uint8_t *end)
{
    while (is_digit(at, end)) {
        at++;
    }
    return at;
}

/* A fraction or an exponent is a fault in any case; which one depends on its grammar. */
static const uint8_t *
refuse_fraction(const struct sk_json_scan *scan, const uint8_t *start, const uint8_t *at)
{
    const uint8_t *end = scan->end;

    if (*at == '.') {
        at++;
        if (!is_digit(at, end)) {
            return fault_at(scan, at, IN_MEMBER, "a digit is missing in a number");
        }
        at = skip_digits(at, end);
    }
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        at += at < end && (*at == '+' || *at == '-') ? 1 : 0;
        if (!is_digit(at, end)) {
            return fault_at(scan, at, IN_MEMBER, "a digit is missing in a number");
        }
    }
    return fault_at(scan, start, IN_MEMBER, "a number that is not an integer");
}

/* Requires a digit or a minus at `at`. */
static inline const uint8_t *
read_number(const struct sk_json_scan *scan, const uint8_t *at)
{
    const uint8_t *end = scan->end;
    const uint8_t *start = at;
    uint64_t value = 0;
    uint32_t minus = *at == '-' ? 1 : 0;
    const uint8_t *digits = at + minus;

    for (at = digits; is_digit(at, end); at++) {
        value = value * 10 + (*at - (uint64_t)'0');
        value = value < UINT32_MAX ? value : UINT32_MAX; /* too large is too large */
    }
    if (at == digits) {
        return fault_at(scan, at, IN_MEMBER, "a digit is missing in a number");
    }
    if (*digits == '0' && at - digits > 1) {
        return fault_at(scan, start, IN_MEMBER, "a number that begins with 0");
    }
    if (at < end && (*at == '.' || (*at | 0x20) == 'e')) {
        return refuse_fraction(scan, start, at);
    }
    if (value > (uint64_t)INT32_MAX + minus) {
        return fault_at(scan, start, IN_MEMBER, "a number that does not fit 32 bits");
    }
    return at;
}

static const uint8_t *
read_word(const struct sk_json_scan *scan, const uint8_t *at)
{
    static const struct sk_text words[] = { { "true", 4 }, { "false", 5 }, { "null", 4 } };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if ((size_t)(scan->end - at) >= words[i].length &&
            memcmp(at, words[i].at, words[i].length) == 0) {
            return at + words[i].length;
        }
    }
    return fault_at(scan, at, IN_MEMBER, "expected a value");
}

/* ---- lists and objects ------------------------------------------------------------------- */

/* Moves to the next byte that is no white space and returns it; 0 at the end. */
static inline uint8_t
next_token(const uint8_t **at, const uint8_t *end)
{
    while (*at < end) {
        uint8_t byte = **at;

        if (byte > ' ' || (byte != ' ' && byte != '\n' && byte != '\t' && byte != '\r')) {
            return byte;
        }
        (*at)++;
    }
    return 0;
}

/* Remembers the key; NULL when the object has it already, else `at`. */
static const uint8_t *
add_key(struct sk_json_scan *scan, struct sk_json_key key, const uint8_t *at)
{
    const struct sk_json_key *keys = &scan->keys[scan->levels[scan->depth - 1].first_key];
    uint32_t count = scan->key_count - scan->levels[scan->depth - 1].first_key;

    if (count == SK_JSON_KEYS_MAX) {
        return fault_at(scan, at, IN_CONTAINER,
                        "an object with more than " TEXT_OF(SK_JSON_KEYS_MAX) " keys");
    }
    scan->keys[scan->key_count++] = key;
    if (count >= SK_JSON_KEYS_FEW) {
        return at; /* close_level sorts them */
    }
    for (uint32_t i = 0; i < count; i++) {
        if (keys[i].tag == key.tag && sk_json_key_order(scan->text, &keys[i], &key) == 0) {
            return fault_at(scan, scan->text + key.at - 1, IN_MEMBER, "the key stands here twice");
        }
    }
    return at;
}

/* A key and its colon. */
static const uint8_t *
read_key(struct sk_json_scan *scan, const uint8_t *at)
{
    const uint8_t *end = scan->end;
    const uint8_t *start;
    bool is_escaped = false;

    if (next_token(&at, end) != '"') {
        return fault_at(scan, at, IN_CONTAINER, "expected a key in quotes");
    }
    start = at + 1;
    at = read_string(scan, start, IN_CONTAINER, &is_escaped);
    if (at == NULL) {
        return NULL;
    }
    at = add_key(scan, sk_json_key_of(scan->text, start, at, end, is_escaped), at);
    if (at == NULL) {
        return NULL;
    }
    at++;
    if (next_token(&at, end) != ':') {
        return fault_at(scan, at, IN_MEMBER, "expected a colon");
    }
    return at + 1;
}

static const uint8_t *
open_level(struct sk_json_scan *scan, const uint8_t *at)
{
    struct sk_json_level *level;

    if (scan->depth == SK_JSON_DEPTH_MAX) {
        return fault_at(scan, at, IN_MEMBER, "nested deeper than " TEXT_OF(SK_JSON_DEPTH_MAX));
    }
    level = &scan->levels[scan->depth++];
    level->first_key = scan->key_count;
    level->index = 0;
    level->closer = *at == '{' ? '}' : ']';
    return at + 1;
}

static const uint8_t *
close_level(struct sk_json_scan *scan, const uint8_t *at)
{
    uint32_t first = scan->levels[scan->depth - 1].first_key;
    uint32_t count = scan->key_count - first;

    if (count > SK_JSON_KEYS_FEW) {
        const struct sk_json_key *twin =
            sk_json_key_find_twin(scan->text, &scan->keys[first], scan->spare, count);

        if (twin != NULL) {
            scan->keys[scan->key_count - 1] = *twin; /* for the position */
            return fault_at(scan, scan->text + twin->at - 1, IN_MEMBER,
                            "the key stands here twice");
        }
    }
    scan->key_count = first;
    scan->depth--;
    return at + 1;
}

/* From behind a value to the beginning of the next one, or to the end of the outermost. */
static inline const uint8_t *
leave_value(struct sk_json_scan *scan, const uint8_t *at)
{
    while (scan->depth > 0) {
        struct sk_json_level *level = &scan->levels[scan->depth - 1];
        uint8_t byte = next_token(&at, scan->end);

        if (byte == ',') {
            level->index++;
            return level->closer == '}' ? read_key(scan, at + 1) : at + 1;
        }
        if (byte != level->closer) {
            return fault_at(scan, at, IN_CONTAINER,
                            level->closer == '}' ? "expected a comma or }"
                                                 : "expected a comma or ]");
        }
        at = close_level(scan, at);
        if (at == NULL) {
            return NULL;
        }
    }
    return at;
}

static inline const uint8_t *
read_scalar(const struct sk_json_scan *scan, const uint8_t *at, uint8_t first)
{
    bool is_escaped = false;

    if (first == '"') {
        at = read_string(scan, at + 1, IN_MEMBER, &is_escaped);
        return at == NULL ? NULL : at + 1;
    }
    if (first == '-' || (first >= '0' && first <= '9')) {
        return read_number(scan, at);
    }
    return read_word(scan, at);
}

/* One value; each round of the loop reads a scalar or goes into a list or an object. */
static const uint8_t *
read_value(struct sk_json_scan *scan, const uint8_t *at)
{
    do {
        uint8_t first = next_token(&at, scan->end);

        if (first == '[' || first == '{') {
            at = open_level(scan, at);
            if (at == NULL) {
                return NULL;
            }
            if (next_token(&at, scan->end) != scan->levels[scan->depth - 1].closer) {
                at = first == '{' ? read_key(scan, at) : at;
                continue;
            }
        } else {
            at = read_scalar(scan, at, first);
        }
        if (at != NULL) {
            at = leave_value(scan, at);
        }
    } while (at != NULL && scan->depth > 0);
    return at;
}

enum sk_status
sk_json_scan_text(struct sk_json_scan *scan, const char *text, size_t length,
                  struct sk_fault *ret_fault)
{
    const uint8_t *at = (const uint8_t *)text;

    if (length == 0 || length > INT32_MAX) {
        return sk_fault_set(ret_fault, "malformed",
                            length == 0 ? "the text is empty" : "the text is too long");
    }
    scan->text = at;
    scan->end = at + length;
    scan->fault = ret_fault;
    scan->depth = 0;
    scan->key_count = 0;
    at = read_value(scan, at);
    if (at == NULL) {
        return SK_ERR_REFUSED;
    }
    (void)next_token(&at, scan->end);
    if (at < scan->end) {
        (void)fault_at(scan, at, IN_CONTAINER, "something follows the value");
        return SK_ERR_REFUSED;
    }
    return SK_OK;
}
