/*
 * sk_status - the result of functions that can fail without a bug.
 *
 * A refused command is not an error and never uses this enum: see
 * common/core/verdict.h.  A function that does not return SK_OK leaves its
 * outputs untouched.
 */
#ifndef SK_STATUS_H
#define SK_STATUS_H

enum sk_status {
    SK_OK = 0,
    SK_ERR_REFUSED,  /* input from outside is wrong; a struct sk_fault says where and why */
    SK_ERR_TOO_LONG, /* the caller's memory is too small for the result */
    SK_ERR_CORRUPT,  /* stored bytes are not as they were written */
    SK_ERR_DIFFERS,  /* a replay gave a hash that differs from the stored one */
    SK_ERR_UNKNOWN,  /* no ruleset of this name or version */
};

/* For bugs only, never for input.  Stays on in release builds: continuing with a broken invariant
 * could acknowledge something untrue.  Says on stderr which condition of which line it was. */
#define SK_ASSERT(condition) \
    ((condition) ? (void)0 : sk_assert_failed(SK_ASSERT_TEXT(__FILE__, __LINE__, #condition)))
#define SK_ASSERT_TEXT(file, line, condition)  SK_ASSERT_WORDS(file, line, condition)
#define SK_ASSERT_WORDS(file, line, condition) file ":" #line ": not true: " condition "\n"

/* Prints it and ends the process. */
__attribute__((noreturn, cold)) void sk_assert_failed(const char *what);

#endif /* SK_STATUS_H */
