/*
 * audit - checks the rows of a database against each other and against the
 * program.
 *
 * A match is proven by replaying its records (server/replay).  The audit checks
 * the rest: rows without a match, totals over all matches (standings, ratings),
 * columns that are written with a record but are not part of it, the schema,
 * and the file itself (SQLite's integrity check).  It only reads; the database
 * may be in use.
 *
 * Owner:   the caller of audit_open.
 * Threads: one at a time.
 */
#ifndef SK_STORE_AUDIT_H
#define SK_STORE_AUDIT_H

#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "server/store/audit_found.h"

struct audit;

/* Same faults as archive_open, but missing tables are left to audit_schema. */
enum sk_status audit_open(const char *path, audit_found *found, void *context,
                          struct audit **ret_audit, struct sk_fault *ret_fault);
void audit_close(struct audit *audit);

/* Checks that the schema is exactly what the migrations create, without additional triggers. */
enum sk_status audit_schema(struct audit *audit, struct sk_fault *ret_fault);

/* Checks the rows of one match that its records do not prove. */
enum sk_status audit_match(struct audit *audit, int64_t match, struct sk_fault *ret_fault);

/* Recomputes the ratings of these matches' seats, from all rated matches up to the last of them. */
enum sk_status audit_ratings(struct audit *audit, const int64_t *matches, uint32_t count,
                             struct sk_fault *ret_fault);

/* Checks the rows of all matches and rows without one, recomputes all ratings, and runs SQLite's
 * integrity check.  That no match has too many records is certain only if every match is proven:
 * otherwise audit_records has to follow. */
enum sk_status audit_all(struct audit *audit, struct sk_fault *ret_fault);

/* Counts the records of each match, unless audit_all has found that necessary. */
enum sk_status audit_records(struct audit *audit, struct sk_fault *ret_fault);

#endif /* SK_STORE_AUDIT_H */
