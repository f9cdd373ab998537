/*
 * audit_shared - the audit of a PostgreSQL database.
 *
 * Ids have gaps by design (they are drawn ahead), so no row is missed by its
 * number.  Of the schema it checks that keys and indexes are there and that no
 * trigger was added; columns, views and functions are not compared.  Damage of
 * the files is PostgreSQL's own matter: pg_amcheck and data checksums find it.
 *
 * Owner:   the caller; nothing is kept.
 * Threads: any.
 */
#ifndef SK_STORE_AUDIT_SHARED_H
#define SK_STORE_AUDIT_SHARED_H

#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "server/store/audit_found.h"

/* The rows of the matches in this range. */
enum sk_status audit_shared_rows(const char *path, int64_t first, int64_t last, audit_found *found,
                                 void *context, struct sk_fault *ret_fault);

/* The rows of all matches, rows without one, and all ratings. */
enum sk_status audit_shared_all(const char *path, audit_found *found, void *context,
                                struct sk_fault *ret_fault);

/* The ratings of these matches' seats; of all matches and players if `matches` is NULL. */
enum sk_status audit_shared_ratings(const char *path, const int64_t *matches, uint32_t count,
                                    audit_found *found, void *context, struct sk_fault *ret_fault);

#endif /* SK_STORE_AUDIT_SHARED_H */
