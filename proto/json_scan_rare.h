/*
 * What is rare in a JSON text: faults, escapes, characters longer than a byte,
 * long numbers, white space.  For proto/json_scan.c, which reads the rest and
 * stays small enough for compilers to inline.
 *
 * Each takes the place it begins at and returns the place it ended at, or NULL
 * when it has filled in the fault.
 */
#ifndef SK_JSON_SCAN_RARE_H
#define SK_JSON_SCAN_RARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/limits.h"
#include "proto/json_scan.h"
#include "proto/json_value.h"

#define TEXT_OF(limit)   TEXT_OF_2(limit)
#define TEXT_OF_2(limit) #limit

/* A list or an object that has not ended yet. */
struct sk_json_level {
    struct sk_value *value;
    const struct sk_value *key; /* of an object: the last one */
    uint64_t key_bits;          /* one for each key, see key_bit: a key whose bit is clear is new */
    uint32_t index;             /* of the item or key being read */
    uint32_t spaces;            /* runs of white space before it began */
    uint32_t closer; /* ']' or '}'; 0 for the text itself, which holds the outermost value */
};

struct sk_json_scan {
    const uint8_t *text;
    const uint8_t *end;
    struct sk_fault *fault;
    struct sk_json_level *level; /* the innermost one */
    struct sk_value *values_end; /* behind those found so far */
    uint32_t spaces;
    bool takes_long;
    const struct sk_json_known *known; /* may be NULL */
    struct sk_json_level levels[SK_JSON_DEPTH_MAX + 1];
};

/* Which step of the position is the last. */
enum where {
    IN_MEMBER,    /* the value (or key) of the innermost level that is being read */
    IN_CONTAINER, /* the innermost list or object itself */
};

/* Fills in the fault; returns NULL. */
const uint8_t *sk_scan_fault(const struct sk_json_scan *scan, const uint8_t *at, enum where where,
                             const char *message);

/* The byte of a string that is no plain one, or the run of them, if it belongs to a string. */
const uint8_t *sk_scan_special(const struct sk_json_scan *scan, const uint8_t *at,
                               enum where where);

/* A number of two digits or more that begins with 0 or has ten or more; `at` is behind them. */
const uint8_t *sk_scan_long_number(const struct sk_json_scan *scan, const uint8_t *digits,
                                   const uint8_t *at, bool is_negative);

/* Neither a comma nor the bracket follows a value: NULL. */
const uint8_t *sk_scan_wrong_next(const struct sk_json_scan *scan, const uint8_t *at);

/* Moves to the next byte that is no white space and returns it; 0 at the end. */
uint8_t sk_scan_space(struct sk_json_scan *scan, const uint8_t **at);

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

#endif /* SK_JSON_SCAN_RARE_H */
