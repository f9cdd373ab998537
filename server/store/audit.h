/*
 * audit - the rows of a database against each other and against the program.
 *
 * A match is proven by playing its records again (server/replay).  This looks
 * at what that does not reach: rows that belong to no match or to a missing
 * one, what is counted over all matches (standings, ratings), what is written
 * with a record but not in it, the schema, and the file itself as SQLite sees
 * it.  It only reads; the database may be in use.
 *
 * Owner:   the caller of audit_open.
 * Threads: one at a time.
 */
#ifndef SK_STORE_AUDIT_H
#define SK_STORE_AUDIT_H

#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"

struct audit;

/* `match` is 0 where no match is meant; `at` is TABLE or TABLE/COLUMN. */
typedef void audit_found(void *context, int64_t match, const char *at, const char *what);

/* Faults as archive_open has them, but missing tables are left to audit_schema. */
enum sk_status audit_open(const char *path, audit_found *found, void *context,
                          struct audit **ret_audit, struct sk_fault *ret_fault);
void audit_close(struct audit *audit);

/* Is everything there that the migrations make, as they make it, and no trigger beside it? */
enum sk_status audit_schema(struct audit *audit, struct sk_fault *ret_fault);

/* The rows of one match that its records do not prove. */
enum sk_status audit_match(struct audit *audit, int64_t match, struct sk_fault *ret_fault);

/* The rows of all matches and of none, all ratings counted again, and SQLite's integrity check of
 * every table but the records'. */
enum sk_status audit_all(struct audit *audit, struct sk_fault *ret_fault);

#endif /* SK_STORE_AUDIT_H */
