/*
 * sk_json_scan - one pass over the bytes of a JSON text, which takes it apart
 * into values and lets through only
 *
 *   - exactly one value by the grammar of RFC 8259, with white space around,
 *   - valid UTF-8; no raw control characters, lone surrogates or \u0000,
 *   - at most SK_JSON_DEPTH_MAX lists and objects inside each other,
 *   - at most SK_JSON_KEYS_MAX keys an object, no two the same once unescaped,
 *   - integers that fit 32 bits and no other numbers, unless `takes_long` says so.
 *
 * The time is linear in the length whatever the bytes are: a key is compared
 * with at most SK_JSON_KEYS_FEW others while an object is small; a larger
 * object's keys are merge-sorted when it ends, log2(SK_JSON_KEYS_MAX) rounds
 * of which each reads every key at most once.  No hash has to be trusted.
 *
 * json-c would take duplicate keys, NaN, 1e400 and embedded zero bytes and
 * clamp huge integers, and what it made of them does not show in its result;
 * and it takes ten times as long.
 *
 * Owner:   the caller; about 530 KiB, so one a thread and not on a stack.
 *          Zeroed before its first use.
 * Threads: one at a time.
 */
#ifndef SK_JSON_SCAN_H
#define SK_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/limits.h"
#include "common/base/status.h"
#include "proto/json_key.h"
#include "proto/json_value.h"

#define SK_JSON_KEYS_FEW    16
#define SK_JSON_LONG_DIGITS 18
#define SK_JSON_LENGTH_MAX  INT32_MAX
#define SK_JSON_PADDING     9 /* lets eight bytes be looked at anywhere, and the one behind them */

/* A list or an object that has not ended yet. */
struct sk_json_level {
    struct sk_json_key *keys; /* its keys begin here; a list has none */
    uint64_t tags;   /* one bit for each key, by its tag: a key whose bit is clear is new */
    uint32_t index;  /* of the item being read, in a list */
    uint32_t closer; /* ']' or '}'; 0 for the text itself, which holds the outermost value */
    uint32_t spaces; /* runs of white space before it began */
    struct sk_value *value;
};

struct sk_json_scan {
    const uint8_t *text;
    const uint8_t *end;
    struct sk_fault *fault;
    struct sk_json_level *level;  /* the innermost one */
    struct sk_json_key *keys_end; /* of its keys; those of the levels around it come before */
    struct sk_value *values_end;  /* behind those found so far */
    uint32_t spaces;
    bool takes_long; /* integers of up to SK_JSON_LONG_DIGITS digits too: for what servers say */
    struct sk_json_level levels[SK_JSON_DEPTH_MAX + 1];
    struct sk_json_key keys[SK_JSON_DEPTH_MAX * SK_JSON_KEYS_MAX + 1]; /* and the one too many */
    struct sk_json_key spare[SK_JSON_KEYS_MAX];
};

/*
 * As many values as a text of this length can have: a value and what ends or
 * follows it are two bytes, but for lists and objects that never end.
 */
static inline size_t
sk_json_values_max(size_t length)
{
    return length / 2 + 2 + SK_JSON_DEPTH_MAX;
}

/*
 * SK_OK, and the values are those from `values` to scan->values_end and point
 * into the text.  Or SK_ERR_REFUSED with the code "malformed", the byte's
 * offset in the message and the position of the innermost value that had
 * begun.  Requires room for sk_json_values_max(length) values, a length of 1 to
 * SK_JSON_LENGTH_MAX, and SK_JSON_PADDING zeros behind the text.
 */
enum sk_status sk_json_scan_text(struct sk_json_scan *scan, const char *text, size_t length,
                                 struct sk_value *values, struct sk_fault *ret_fault);

#endif /* SK_JSON_SCAN_H */
