/*
 * What an audit reports.
 *
 * Owner:   the texts are valid during the call.
 * Threads: the auditing one.
 */
#ifndef SK_STORE_AUDIT_FOUND_H
#define SK_STORE_AUDIT_FOUND_H

#include <stdint.h>

/* `match` is 0 if the finding concerns no match; `at` is TABLE or TABLE/COLUMN. */
typedef void audit_found(void *context, int64_t match, const char *at, const char *what);

#endif /* SK_STORE_AUDIT_FOUND_H */
