/*
 * sk_json_scan - one pass over the bytes of a JSON text, which takes it apart
 * into values and lets through only
 *
 *   - exactly one value by the grammar of RFC 8259, with white space around,
 *   - valid UTF-8; no raw control characters, lone surrogates or \u0000,
 *   - at most SK_JSON_DEPTH_MAX lists and objects inside each other,
 *   - at most SK_JSON_KEYS_MAX keys per object, no two the same once unescaped,
 *   - integers that fit 32 bits and no other numbers, unless `takes_long` says so.
 *
 * The time is linear in the length whatever the bytes are: a key is compared
 * with at most SK_JSON_KEYS_FEW others while an object is small; a larger
 * object's keys are sorted when it ends.  No hash has to be trusted.
 *
 * json-c accepts duplicate keys, NaN, 1e400 and embedded zero bytes and clamps
 * huge integers, without a trace in its result; and it takes ten times as long.
 *
 * Owner:   the caller owns the text and the values.
 * Threads: any.
 */
#ifndef SK_JSON_SCAN_H
#define SK_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/limits.h"
#include "common/base/status.h"
#include "common/base/text.h"
#include "proto/json_value.h"

#define SK_JSON_KEYS_FEW   16
#define SK_JSON_LENGTH_MAX INT32_MAX
#define SK_JSON_PADDING    9 /* lets eight bytes be looked at anywhere, and the one behind them */

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
 * A member of the outermost object that was read before: if its text is still the same, it is read
 * in one step, as an object without members.
 */
struct sk_json_known {
    const char *key;
    struct sk_text text;
};

/*
 * SK_OK, and the values from `values` on point into the text.  Or SK_ERR_REFUSED
 * with the code "malformed", the byte's offset in the message and the position of
 * the innermost value that had begun.  `takes_long`: integers of up to
 * SK_JSON_LONG_DIGITS digits too.  `known` may be NULL.  Requires space for
 * sk_json_values_max(length) values, a length of 1 to SK_JSON_LENGTH_MAX, and
 * SK_JSON_PADDING zeros behind the text.
 */
enum sk_status sk_json_scan_text(const char *text, size_t length, bool takes_long,
                                 const struct sk_json_known *known, struct sk_value *values,
                                 struct sk_fault *ret_fault);

#endif /* SK_JSON_SCAN_H */
