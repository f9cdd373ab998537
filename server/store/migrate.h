/*
 * Migrations: numbered steps from an empty file to the tables of today.
 *
 * Forward only.  Each runs in a transaction of its own together with its row
 * in schema_migration, which holds the SHA-256 of its text: a step that was
 * applied is never edited, and a program that has another text for it does
 * not touch the database.  Before the first step on a database that holds
 * something, the whole is copied to FILE.before-NNNN.
 *
 * Owner:   the caller; nothing is kept.
 * Threads: the caller's; the connection must have no transaction open.
 */
#ifndef SK_STORE_MIGRATE_H
#define SK_STORE_MIGRATE_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"

/* The name of the copy: the database's, and the number of the first step that was missing. */
#define MIGRATE_COPY_FORM "%s.before-%04d"

struct sqlite3;

struct migration {
    int32_t number;   /* 1, 2, 3 ... */
    const char *name; /* of the file: 0001_matches.sql */
    const char *sql;  /* terminated */
    size_t length;
};

/* Made at build time from migrations/sqlite. */
extern const struct migration migrations_sqlite[];
extern const size_t migrations_sqlite_count;

/*
 * SK_OK when all are applied.  SK_ERR_REFUSED with a fault otherwise: not_ours,
 * schema_newer, schema_changed, migration_failed.  The steps before the one
 * that failed stay applied.
 */
enum sk_status migrate_run(struct sqlite3 *db, const char *path, const struct migration *list,
                           size_t count, struct sk_fault *ret_fault);

/* Only looks: SK_OK when all are applied already, else a fault as above or schema_older. */
enum sk_status migrate_look(struct sqlite3 *db, const char *path, const struct migration *list,
                            size_t count, struct sk_fault *ret_fault);

/* Only looks: how many of the list are applied, from its start. */
enum sk_status migrate_applied(struct sqlite3 *db, const char *path, const struct migration *list,
                               size_t count, size_t *ret_applied, struct sk_fault *ret_fault);

#endif /* SK_STORE_MIGRATE_H */
