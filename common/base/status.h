/*
 * sk_status - how a function that can fail in life (not by a bug) answers.
 *
 * A refused command is not an error and never uses this enum: see
 * common/core/verdict.h.  Outputs of a function that did not return SK_OK
 * are untouched.
 */
#ifndef SK_STATUS_H
#define SK_STATUS_H

enum sk_status {
    SK_OK = 0,
    SK_ERR_REFUSED,  /* input from outside is wrong; a struct sk_fault says where and why */
    SK_ERR_TOO_LONG, /* the caller's memory is too small for the result */
    SK_ERR_CORRUPT,  /* stored bytes are not what was once written */
    SK_ERR_DIFFERS,  /* a replay came to another hash than the stored one */
    SK_ERR_UNKNOWN,  /* no ruleset (or version) of that name */
};

/* For bugs only, never for input.  Stays on in release builds: going on with a broken
 * invariant could acknowledge what is not true. */
#define SK_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())

#endif /* SK_STATUS_H */
