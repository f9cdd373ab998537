/*
 * Every function that reads takes the place it begins at and returns the
 * place it ended at, or NULL when it has filled in the fault.  There is no
 * recursion: `levels` is the stack.
 *
 * This runs on every frame, so rare cases are checked late: a short number is
 * never computed, and a fraction is noticed only when neither a comma nor a
 * bracket follows.
 */
#include "proto/json_scan.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "proto/json_bytes.h"
#include "proto/json_scan_rare.h"

/* ---- values ------------------------------------------------------------------------------ */

static inline struct sk_value *
add_value(struct sk_json_scan *scan, enum sk_value_kind kind, const uint8_t *at, const uint8_t *end)
{
    struct sk_value *value = scan->values_end++;

    *value = (struct sk_value){
        .at = (const char *)at, .length = (uint32_t)(end - at), .size = 1, .kind = (uint8_t)kind
    };
    return value;
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
        at = sk_scan_special(scan, at, where);
        if (at == NULL) {
            return NULL;
        }
    }
}

/*
 * Most strings are less than eight plain characters and need no loop: the
 * place of their second quote, or NULL for any other string.
 */
static inline const uint8_t *
find_near_quote(const uint8_t *at, uint64_t *ret_word, unsigned *ret_bits)
{
    uint64_t special;

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

/* Numbers of up to nine digits fit 32 bits. */
static inline const uint8_t *
read_digits(struct sk_json_scan *scan, const uint8_t *digits, bool is_negative)
{
    const uint8_t *at = skip_digits(digits + 1, scan->end);

    if (at - digits >= 2 && (*digits == '0' || at - digits >= 10)) {
        at = sk_scan_long_number(scan, digits, at, is_negative);
        if (at == NULL) {
            return NULL;
        }
    }
    (void)add_value(scan, SK_VALUE_INT, digits - (is_negative ? 1 : 0), at);
    return at;
}

static const uint8_t *
read_negative(struct sk_json_scan *scan, const uint8_t *at)
{
    if (at + 1 == scan->end || !is_digit(at[1])) {
        return sk_scan_fault(scan, at + 1, IN_MEMBER, "a digit is missing in a number");
    }
    return read_digits(scan, at + 1, true);
}

static const uint8_t *
read_word(struct sk_json_scan *scan, const uint8_t *at)
{
    static const struct sk_text words[] = { { "true", 4 }, { "false", 5 }, { "null", 4 } };
    static const enum sk_value_kind kinds[] = { SK_VALUE_BOOL, SK_VALUE_BOOL, SK_VALUE_NULL };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if ((size_t)(scan->end - at) >= words[i].length &&
            memcmp(at, words[i].at, words[i].length) == 0) {
            (void)add_value(scan, kinds[i], at, at + words[i].length);
            return at + words[i].length;
        }
    }
    return sk_scan_fault(scan, at, IN_MEMBER, "expected a value");
}

static inline const uint8_t *
read_text(struct sk_json_scan *scan, const uint8_t *at)
{
    uint64_t word;
    unsigned bits;
    const uint8_t *quote = find_near_quote(at, &word, &bits);
    bool is_escaped = false;

    if (quote == NULL) {
        quote = read_string(scan, at, IN_MEMBER, &is_escaped);
        if (quote == NULL) {
            return NULL;
        }
    }
    add_value(scan, SK_VALUE_TEXT, at, quote)->is_escaped = is_escaped;
    return quote + 1;
}

static inline const uint8_t *
read_scalar(struct sk_json_scan *scan, const uint8_t *at, uint8_t first)
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
next_token(struct sk_json_scan *scan, const uint8_t **at)
{
    uint8_t byte = **at; /* a zero at the end */

    return byte > ' ' ? byte : sk_scan_space(scan, at);
}

/* `bytes` are the first eight of a key, or all of it and zeros. */
static inline uint64_t
key_bit(uint64_t bytes, size_t length)
{
    return (uint64_t)1 << (((bytes ^ length) * 0x9e3779b97f4a7c15u) >> 58);
}

static void
fault_twin(const struct sk_json_scan *scan, const struct sk_value *key)
{
    scan->level->key = key; /* the one that the position names */
    (void)sk_scan_fault(scan, (const uint8_t *)key->at - 1, IN_MEMBER, "duplicate key");
}

/* Returns false. */
static bool
refuse_count(const struct sk_json_scan *scan, const struct sk_value *key)
{
    (void)sk_scan_fault(scan, (const uint8_t *)key->at - 1, IN_CONTAINER,
                        "an object with more than " TEXT_OF(SK_JSON_KEYS_MAX) " keys");
    return false;
}

/* Is the last key allowed in its object?  Called when its bit was set before. */
static bool
check_key(const struct sk_json_scan *scan)
{
    const struct sk_json_level *level = scan->level;
    const struct sk_value *other = sk_value_first(level->value);

    if (level->index >= SK_JSON_KEYS_MAX) {
        return refuse_count(scan, level->key);
    }
    if (level->index >= SK_JSON_KEYS_FEW) {
        return true; /* close_level will sort them */
    }
    for (; other < level->key; other = sk_value_next(sk_value_next(other))) {
        if (sk_value_order(other, level->key) == 0) {
            fault_twin(scan, level->key);
            return false;
        }
    }
    return true;
}

/* No more than 64 keys can go without a check. */
static inline bool
add_key(struct sk_json_scan *scan, const struct sk_value *key, uint64_t bit)
{
    struct sk_json_level *level = scan->level;
    bool is_new = (level->key_bits & bit) == 0;

    level->key = key;
    level->key_bits |= bit;
    return is_new || check_key(scan);
}

/* Any key, from behind its first quote to behind its colon. */
static const uint8_t *
read_any_key(struct sk_json_scan *scan, const uint8_t *at)
{
    bool is_escaped = false;
    const uint8_t *quote = read_string(scan, at, IN_CONTAINER, &is_escaped);
    struct sk_value *key;
    uint64_t bytes = sk_json_word_at(at);

    if (quote == NULL) {
        return NULL;
    }
    if (quote - at < 8) {
        bytes &= ((uint64_t)1 << 8 * (quote - at)) - 1;
    }
    key = add_value(scan, SK_VALUE_TEXT, at, quote);
    key->is_escaped = is_escaped;
    /* An escaped key may be the same as one of another length: all are compared from now on. */
    if (!add_key(scan, key, is_escaped ? UINT64_MAX : key_bit(bytes, key->length))) {
        return NULL;
    }
    at = quote + 1;
    if (next_token(scan, &at) != ':') {
        return sk_scan_fault(scan, at, IN_MEMBER, "expected a colon");
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

    if (next_token(scan, &at) != '"') {
        return sk_scan_fault(scan, at, IN_CONTAINER, "expected a key in quotes");
    }
    at++;
    quote = find_near_quote(at, &word, &bits);
    if (quote == NULL || quote[1] != ':') {
        return read_any_key(scan, at);
    }
    word &= ((uint64_t)1 << bits) - 1;
    return add_key(scan, add_value(scan, SK_VALUE_TEXT, at, quote), key_bit(word, bits / 8))
               ? quote + 2
               : NULL;
}

/* ---- lists and objects ------------------------------------------------------------------- */

static inline void
open_level(struct sk_json_scan *scan, const uint8_t *at, bool is_list)
{
    struct sk_json_level *level = ++scan->level;

    level->key_bits = 0;
    level->index = 0;
    level->closer = is_list ? ']' : '}';
    level->spaces = scan->spaces;
    level->value = add_value(scan, is_list ? SK_VALUE_LIST : SK_VALUE_OBJECT, at, at);
}

static int
order_keys(const void *a, const void *b)
{
    return sk_value_order(*(const struct sk_value *const *)a, *(const struct sk_value *const *)b);
}

/* For objects with too many keys to compare each with all before it. */
static bool
are_unique(const struct sk_json_scan *scan)
{
    const struct sk_value *keys[SK_JSON_KEYS_MAX];
    const struct sk_value *key = sk_value_first(scan->level->value);
    const struct sk_value *twin = NULL;
    size_t count = 0;

    for (; key < scan->values_end; key = sk_value_next(sk_value_next(key))) {
        if (count == SK_JSON_KEYS_MAX) { /* a key whose bit was clear was not checked */
            return refuse_count(scan, key);
        }
        keys[count++] = key;
    }
    qsort(keys, count, sizeof(keys[0]), order_keys);
    for (size_t i = 1; i < count; i++) {
        if (sk_value_order(keys[i - 1], keys[i]) == 0) {
            key = keys[i - 1] > keys[i] ? keys[i - 1] : keys[i];
            twin = twin == NULL || key < twin ? key : twin;
        }
    }
    if (twin != NULL) {
        fault_twin(scan, twin);
    }
    return twin == NULL;
}

/* Sets the size of the innermost value, at its end. */
static inline void
end_value(struct sk_json_scan *scan, const uint8_t *end)
{
    const struct sk_json_level *level = scan->level;
    struct sk_value *value = level->value;

    value->length = (uint32_t)(end - (const uint8_t *)value->at);
    value->size = (uint32_t)(scan->values_end - value);
    value->count = value->size > 1 ? level->index + 1 : 0; /* commas, and one more */
    value->is_spaced = scan->spaces != level->spaces;
}

static inline const uint8_t *
close_level(struct sk_json_scan *scan, const uint8_t *at)
{
    if (scan->level->closer == '}' && scan->level->index >= SK_JSON_KEYS_FEW && !are_unique(scan)) {
        return NULL;
    }
    end_value(scan, at + 1);
    scan->level--;
    return at + 1;
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
take_cell(struct sk_json_scan *scan, const uint8_t *at)
{
    const uint8_t *comma;
    const uint8_t *end;
    struct sk_value *cell;

    comma = skip_small_number(at + 1);
    if (comma == NULL || *comma != ',') {
        return NULL;
    }
    end = skip_small_number(comma + 1);
    if (end == NULL || *end != ']') {
        return NULL;
    }
    cell = add_value(scan, SK_VALUE_LIST, at, end + 1);
    cell->size = 3;
    cell->count = 2;
    (void)add_value(scan, SK_VALUE_INT, at + 1, comma);
    (void)add_value(scan, SK_VALUE_INT, comma + 1, end);
    return end + 1;
}

/* From behind a value to behind the comma before the next one, or behind the last bracket. */
static inline const uint8_t *
leave_value(struct sk_json_scan *scan, const uint8_t *at)
{
    while (scan->level > scan->levels) {
        uint8_t byte = next_token(scan, &at);

        if (byte == ',') {
            scan->level->index++;
            return at + 1;
        }
        if (byte != scan->level->closer) {
            return sk_scan_wrong_next(scan, at);
        }
        at = close_level(scan, at);
        if (at == NULL) {
            return NULL;
        }
    }
    return at;
}

static inline bool
is_known(const struct sk_json_scan *scan, const uint8_t *at)
{
    const struct sk_json_known *known = scan->known;

    return known != NULL && scan->level == scan->levels + 1 && scan->level->closer == '}' &&
           (size_t)(scan->end - at) >= known->text.length &&
           memcmp(at, known->text.at, known->text.length) == 0 &&
           sk_value_says(scan->level->key, known->key);
}

/* Goes into a list or an object, or over it if it is a cell or known. */
static inline const uint8_t *
enter_value(struct sk_json_scan *scan, const uint8_t *at, uint8_t first)
{
    const uint8_t *behind;

    if (scan->level == scan->levels + SK_JSON_DEPTH_MAX) {
        return sk_scan_fault(scan, at, IN_MEMBER, "nested deeper than " TEXT_OF(SK_JSON_DEPTH_MAX));
    }
    behind = first == '[' ? take_cell(scan, at) : NULL;
    if (behind != NULL) {
        return behind;
    }
    if (first == '{' && is_known(scan, at)) {
        (void)add_value(scan, SK_VALUE_OBJECT, at, at + scan->known->text.length);
        return at + scan->known->text.length;
    }
    open_level(scan, at, first == '[');
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
        first = next_token(scan, &at);
        if (first == '[' || first == '{') {
            at = enter_value(scan, at, first);
        } else {
            at = read_scalar(scan, at, first);
        }
        if (at == NULL) {
            return NULL;
        }
        if (level < scan->level && next_token(scan, &at) != scan->level->closer) {
            continue;
        }
        at = leave_value(scan, at);
    } while (at != NULL && scan->level > scan->levels);
    return at;
}

static const uint8_t *
read_document(struct sk_json_scan *scan, const uint8_t *at)
{
    uint8_t first = next_token(scan, &at);

    if (first == '[' || first == '{') {
        at = read_container(scan, at);
    } else {
        at = read_scalar(scan, at, first);
    }
    if (at == NULL) {
        return NULL;
    }
    (void)next_token(scan, &at);
    return at == scan->end ? at : sk_scan_wrong_next(scan, at);
}

enum sk_status
sk_json_scan_text(const char *text, size_t length, bool takes_long,
                  const struct sk_json_known *known, struct sk_value *values,
                  struct sk_fault *ret_fault)
{
    const uint8_t *at = (const uint8_t *)text;
    struct sk_json_scan scan; /* its levels are set when they are entered */

    SK_ASSERT(length >= 1 && length <= SK_JSON_LENGTH_MAX);
    scan.text = at;
    scan.end = at + length;
    scan.fault = ret_fault;
    scan.level = scan.levels;
    scan.levels[0].closer = 0;
    scan.values_end = values;
    scan.spaces = 0;
    scan.takes_long = takes_long;
    scan.known = known;
    return read_document(&scan, at) == NULL ? SK_ERR_REFUSED : SK_OK;
}
