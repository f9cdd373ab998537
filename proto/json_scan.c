/*
 * Every function that reads takes the place it begins at and returns the
 * place it ended at, or NULL when it has filled in the fault.  There is no
 * recursion: `levels` is the stack.
 *
 * This runs on every frame, so what is rare is told apart late: a number of
 * few digits is never computed, and what makes it a fraction shows only when
 * neither a comma nor a bracket follows.
 */
#include "proto/json_scan.h"

#include <string.h>

#include "common/base/text.h"
#include "proto/json_bytes.h"
#include "proto/utf8.h"

#define TEXT_OF(limit)   TEXT_OF_2(limit)
#define TEXT_OF_2(limit) #limit

/* Which step of the position is the last: see fault_at. */
enum where {
    IN_MEMBER,    /* the value (or key) of the innermost level that is being read */
    IN_CONTAINER, /* the innermost list or object itself */
};

/* ---- faults ------------------------------------------------------------------------------ */

/* The key being read in an object is its last one; inner levels have popped theirs. */
static void
put_key(const struct sk_json_scan *scan, const struct sk_json_level *level)
{
    const struct sk_json_key *end = level < scan->level ? level[1].keys : scan->keys_end;
    char room[SK_FAULT_AT_MAX];
    uint32_t length = sk_json_key_copy(scan->text, end - 1, room, (uint32_t)sizeof(room));

    sk_fault_inside(scan->fault, (struct sk_text){ room, length });
}

static const uint8_t *
fault_at(const struct sk_json_scan *scan, const uint8_t *at, enum where where, const char *message)
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

/* The first byte from `at` on that is not a plain one. */
static inline const uint8_t *
skip_plain(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 8) {
        uint64_t special = sk_json_special_bytes(sk_json_word_at(at));

        if (special != 0) {
            return at + __builtin_ctzll(special) / 8;
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

/* A run of characters that are longer than a byte. */
static const uint8_t *
read_long_characters(const struct sk_json_scan *scan, const uint8_t *at, enum where where)
{
    while (at < scan->end && *at >= 0x80) {
        size_t length = sk_utf8_length(at, scan->end);

        if (length == 0) {
            return fault_at(scan, at, where, "not UTF-8");
        }
        at += length;
    }
    return at;
}

/* What skip_plain stopped at, if it belongs to a string. */
static const uint8_t *
read_special(const struct sk_json_scan *scan, const uint8_t *at, enum where where)
{
    if (at == scan->end) {
        return fault_at(scan, at, where, "a string without an end");
    }
    if (*at == '\\') {
        return read_escape(scan, at, where);
    }
    if (*at < ' ') {
        return fault_at(scan, at, where, "a control character in a string");
    }
    return read_long_characters(scan, at, where);
}

/* A string from behind its first quote to the second; *ret_is_escaped is only ever set. */
static const uint8_t *
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

/*
 * Most strings are less than eight plain characters and need no loop: the
 * place of their second quote, or NULL for any other string.  There is at
 * least one byte behind that quote.
 */
static inline const uint8_t *
find_near_quote(const uint8_t *at, const uint8_t *end, uint64_t *ret_word, unsigned *ret_bits)
{
    uint64_t special;

    if (end - at < 9) {
        return NULL;
    }
    *ret_word = sk_json_word_at(at);
    special = sk_json_special_bytes(*ret_word);
    if (special == 0) {
        return NULL;
    }
    *ret_bits = (unsigned)__builtin_ctzll(special) & ~7u;
    at += *ret_bits / 8;
    return *at == '"' ? at : NULL;
}

/* ---- other scalars ----------------------------------------------------------------------- */

static inline bool
is_digit(uint8_t byte)
{
    return (uint8_t)(byte - '0') <= 9;
}

static inline const uint8_t *
skip_digits(const uint8_t *at, const uint8_t *end)
{
    while (at < end && is_digit(*at)) {
        at++;
    }
    return at;
}

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
            return fault_at(scan, at + 1, IN_MEMBER, "a digit is missing in a number");
        }
        at = skip_digits(at + 1, end);
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-') ? 1 : 0;
        if (at == end || !is_digit(*at)) {
            return fault_at(scan, at, IN_MEMBER, "a digit is missing in a number");
        }
    }
    return fault_at(scan, start, IN_MEMBER, "a number that is not an integer");
}

/* A number of two digits or more that begins with 0 or has ten or more. */
static const uint8_t *
check_digits(const struct sk_json_scan *scan, const uint8_t *digits, const uint8_t *at,
             bool is_negative)
{
    uint64_t value = 0;

    if (*digits == '0') {
        return fault_at(scan, digits, IN_MEMBER, "a number that begins with 0");
    }
    if (begins_fraction(at, scan->end)) {
        return refuse_fraction(scan, at);
    }
    for (const uint8_t *digit = digits; digit < at && value <= UINT32_MAX; digit++) {
        value = value * 10 + (*digit - (uint64_t)'0');
    }
    if (value > (uint64_t)INT32_MAX + (is_negative ? 1 : 0)) {
        return fault_at(scan, digits, IN_MEMBER, "a number that does not fit 32 bits");
    }
    return at;
}

/* Numbers of up to nine digits fit 32 bits. */
static inline const uint8_t *
read_digits(const struct sk_json_scan *scan, const uint8_t *digits, bool is_negative)
{
    const uint8_t *at = skip_digits(digits + 1, scan->end);

    if (at - digits >= 2 && (*digits == '0' || at - digits >= 10)) {
        return check_digits(scan, digits, at, is_negative);
    }
    return at;
}

static const uint8_t *
read_negative(const struct sk_json_scan *scan, const uint8_t *at)
{
    if (at + 1 == scan->end || !is_digit(at[1])) {
        return fault_at(scan, at + 1, IN_MEMBER, "a digit is missing in a number");
    }
    return read_digits(scan, at + 1, true);
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

static inline const uint8_t *
read_text(const struct sk_json_scan *scan, const uint8_t *at)
{
    uint64_t word;
    unsigned bits;
    const uint8_t *quote = find_near_quote(at, scan->end, &word, &bits);

    if (quote == NULL) {
        bool is_escaped = false;

        quote = read_string(scan, at, IN_MEMBER, &is_escaped);
        if (quote == NULL) {
            return NULL;
        }
    }
    return quote + 1;
}

static inline const uint8_t *
read_scalar(const struct sk_json_scan *scan, const uint8_t *at, uint8_t first)
{
    if (first == '"') {
        return read_text(scan, at + 1);
    }
    if (is_digit(first)) {
        return read_digits(scan, at, false);
    }
    return first == '-' ? read_negative(scan, at) : read_word(scan, at);
}

/* ---- keys -------------------------------------------------------------------------------- */

/* Moves to the next byte that is no white space and returns it; 0 at the end. */
static inline uint8_t
next_token(const uint8_t **at, const uint8_t *end)
{
    while (*at < end) {
        uint8_t byte = **at;

        if (byte > ' ' || (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t')) {
            return byte;
        }
        (*at)++;
    }
    return 0;
}

static void
fault_twin(const struct sk_json_scan *scan, const struct sk_json_key *key)
{
    (void)fault_at(scan, scan->text + key->at - 1, IN_MEMBER, "the key stands here twice");
}

/* May the key that was added last stand in its object?  Asked when its bit was set before. */
static bool
check_key(const struct sk_json_scan *scan)
{
    const struct sk_json_key *key = scan->keys_end - 1;
    const struct sk_json_key *other = scan->level->keys;

    if (key - other >= SK_JSON_KEYS_MAX) {
        (void)fault_at(scan, scan->text + key->at - 1, IN_CONTAINER,
                       "an object with more than " TEXT_OF(SK_JSON_KEYS_MAX) " keys");
        return false;
    }
    if (key - other >= SK_JSON_KEYS_FEW) {
        return true; /* close_level will sort them */
    }
    for (; other < key; other++) {
        if (sk_json_key_order(scan->text, other, key) == 0) {
            fault_twin(scan, key);
            return false;
        }
    }
    return true;
}

/* Adds the key that was put at keys_end.  No more than 64 can go without a check. */
static inline bool
add_key(struct sk_json_scan *scan)
{
    struct sk_json_level *level = scan->level;
    uint64_t bit = (uint64_t)1 << (scan->keys_end->tag % 64);

    scan->keys_end++;
    if ((level->tags & bit) != 0) {
        return check_key(scan);
    }
    level->tags |= bit;
    return true;
}

/* Any key, from behind its first quote to behind its colon. */
static const uint8_t *
read_any_key(struct sk_json_scan *scan, const uint8_t *at)
{
    bool is_escaped = false;
    const uint8_t *quote = read_string(scan, at, IN_CONTAINER, &is_escaped);

    if (quote == NULL) {
        return NULL;
    }
    sk_json_key_set(scan->keys_end, scan->text, at, quote, is_escaped);
    if (!add_key(scan)) {
        return NULL;
    }
    at = quote + 1;
    if (next_token(&at, scan->end) != ':') {
        return fault_at(scan, at, IN_MEMBER, "expected a colon");
    }
    return at + 1;
}

/* A key and its colon.  Short keys with the colon right behind them are read here. */
static inline const uint8_t *
read_key(struct sk_json_scan *scan, const uint8_t *at)
{
    const uint8_t *quote;
    uint64_t word;
    unsigned bits;

    if (next_token(&at, scan->end) != '"') {
        return fault_at(scan, at, IN_CONTAINER, "expected a key in quotes");
    }
    at++;
    quote = find_near_quote(at, scan->end, &word, &bits);
    if (quote == NULL || quote[1] != ':') {
        return read_any_key(scan, at);
    }
    sk_json_key_set_short(scan->keys_end, scan->text, at, word, bits);
    return add_key(scan) ? quote + 2 : NULL;
}

/* ---- lists and objects ------------------------------------------------------------------- */

static inline void
open_level(struct sk_json_scan *scan, uint32_t closer)
{
    struct sk_json_level *level = ++scan->level;

    level->keys = scan->keys_end;
    level->tags = 0;
    level->index = 0;
    level->closer = closer;
}

/* Where the keys are too many to compare each with all before it. */
static bool
has_twins(struct sk_json_scan *scan)
{
    struct sk_json_key *keys = scan->level->keys;
    const struct sk_json_key *twin =
        sk_json_key_find_twin(scan->text, keys, scan->spare, (uint32_t)(scan->keys_end - keys));

    if (twin == NULL) {
        return false;
    }
    scan->keys_end[-1] = *twin; /* the last key is the one that the position names */
    fault_twin(scan, &scan->keys_end[-1]);
    return true;
}

static inline const uint8_t *
close_level(struct sk_json_scan *scan, const uint8_t *at)
{
    if (scan->keys_end - scan->level->keys > SK_JSON_KEYS_FEW && has_twins(scan)) {
        return NULL;
    }
    scan->keys_end = scan->level->keys;
    scan->level--;
    return at + 1;
}

/* Neither a comma nor the bracket: the value before may have been a number that goes on. */
static const uint8_t *
refuse_next(const struct sk_json_scan *scan, const uint8_t *at)
{
    if (is_digit(at[-1]) && begins_fraction(at, scan->end)) {
        return refuse_fraction(scan, at);
    }
    switch (scan->level->closer) {
    case '}':
        return fault_at(scan, at, IN_CONTAINER, "expected a comma or }");
    case ']':
        return fault_at(scan, at, IN_CONTAINER, "expected a comma or ]");
    default:
        return fault_at(scan, at, IN_CONTAINER, "something follows the value");
    }
}

/* One or two digits without a 0 in front; NULL for anything else. */
static inline const uint8_t *
skip_small_number(const uint8_t *at)
{
    if (!is_digit(*at)) {
        return NULL;
    }
    if (!is_digit(at[1])) {
        return at + 1;
    }
    return *at == '0' ? NULL : at + 2;
}

/*
 * Half of most texts are cells, so [x,y] with small numbers goes in one
 * step: to behind its bracket, or NULL for any other list.
 */
static inline const uint8_t *
skip_cell(const uint8_t *at, const uint8_t *end)
{
    if (end - at < 8) {
        return NULL;
    }
    at = skip_small_number(at + 1);
    if (at == NULL || *at != ',') {
        return NULL;
    }
    at = skip_small_number(at + 1);
    return at == NULL || *at != ']' ? NULL : at + 1;
}

/* From behind a value to behind the comma before the next one, or behind the last bracket. */
static inline const uint8_t *
leave_value(struct sk_json_scan *scan, const uint8_t *at)
{
    while (scan->level > scan->levels) {
        uint8_t byte = next_token(&at, scan->end);

        if (byte == ',') {
            scan->level->index++;
            return at + 1;
        }
        if (byte != scan->level->closer) {
            return refuse_next(scan, at);
        }
        at = close_level(scan, at);
        if (at == NULL) {
            return NULL;
        }
    }
    return at;
}

/* Goes into a list or an object, or over it if it is a cell. */
static inline const uint8_t *
enter_value(struct sk_json_scan *scan, const uint8_t *at, uint8_t first)
{
    const uint8_t *behind;

    if (scan->level == scan->levels + SK_JSON_DEPTH_MAX) {
        return fault_at(scan, at, IN_MEMBER, "nested deeper than " TEXT_OF(SK_JSON_DEPTH_MAX));
    }
    behind = first == '[' ? skip_cell(at, scan->end) : NULL;
    if (behind != NULL) {
        return behind;
    }
    open_level(scan, first == '[' ? ']' : '}');
    return at + 1;
}

/* A list or an object with all that is in it; each round reads one value or enters one. */
static const uint8_t *
read_container(struct sk_json_scan *scan, const uint8_t *at)
{
    do {
        const struct sk_json_level *level = scan->level;
        uint8_t first;

        if (level->closer == '}') {
            at = read_key(scan, at);
            if (at == NULL) {
                return NULL;
            }
        }
        first = next_token(&at, scan->end);
        if (first == '[' || first == '{') {
            at = enter_value(scan, at, first);
        } else {
            at = read_scalar(scan, at, first);
        }
        if (at == NULL) {
            return NULL;
        }
        if (level < scan->level && next_token(&at, scan->end) != scan->level->closer) {
            continue;
        }
        at = leave_value(scan, at);
    } while (at != NULL && scan->level > scan->levels);
    return at;
}

static const uint8_t *
read_document(struct sk_json_scan *scan, const uint8_t *at)
{
    uint8_t first = next_token(&at, scan->end);

    if (first == '[' || first == '{') {
        at = read_container(scan, at);
    } else {
        at = read_scalar(scan, at, first);
    }
    if (at == NULL) {
        return NULL;
    }
    (void)next_token(&at, scan->end);
    return at == scan->end ? at : refuse_next(scan, at);
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
    scan->level = scan->levels;
    scan->levels[0] = (struct sk_json_level){ .keys = scan->keys };
    scan->keys_end = scan->keys;
    return read_document(scan, at) == NULL ? SK_ERR_REFUSED : SK_OK;
}
