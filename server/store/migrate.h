/*
 * Migrations: numbered steps from an empty file to the current schema.
 *
 * Forward only.  Each step runs in one transaction together with its row in
 * schema_migration, which holds the SHA-256 of the step's text.  An applied
 * step is never edited: a program with a different text for it does not touch
 * the database.  Before the first step on a database with content, the file is
 * copied to FILE.before-NNNN.
 *
 * Owner:   the caller; nothing is kept.
 * Threads: any; the connection must have no open transaction.
 */
#ifndef SK_STORE_MIGRATE_H
#define SK_STORE_MIGRATE_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"

/* Name of the copy: the database's name and the number of the first missing step. */
#define MIGRATE_COPY_FORM "%s.before-%04d"

struct sqlite3;

struct migration {
    int32_t number;   /* 1, 2, 3 ... */
    const char *name; /* the file's name: 0001_matches.sql */
    const char *sql;  /* terminated */
    size_t length;
};

/* Made at build time from migrations/sqlite. */
extern const struct migration migrations_sqlite[];
extern const size_t migrations_sqlite_count;

/* The same from migrations/postgres, if the program is built with it. */
extern const struct migration migrations_postgres[];
extern const size_t migrations_postgres_count;

/* How many steps are applied there; 0 = the database is empty. */
enum sk_status postgres_steps(const char *path, size_t *ret_applied, struct sk_fault *ret_fault);

#define MIGRATE_CHECKSUM_DIGITS 64

void migrate_checksum(const struct migration *migration,
                      char ret_digits[MIGRATE_CHECKSUM_DIGITS + 1]);

/* Compares the next row of schema_migration, in order, with the program's step and counts it.
 * Faults: schema_newer, schema_changed. */
enum sk_status migrate_check(const struct migration *list, size_t count, size_t *applied,
                             int64_t number, const char *checksum, const char *path,
                             struct sk_fault *ret_fault);

/*
 * Returns SK_OK when all steps are applied, otherwise SK_ERR_REFUSED with a
 * fault: not_ours, schema_newer, schema_changed, migration_failed.  Steps
 * before the failed one stay applied.
 */
enum sk_status migrate_run(struct sqlite3 *db, const char *path, const struct migration *list,
                           size_t count, struct sk_fault *ret_fault);

/* Read-only: SK_OK when all steps are applied, otherwise a fault as above or schema_older. */
enum sk_status migrate_look(struct sqlite3 *db, const char *path, const struct migration *list,
                            size_t count, struct sk_fault *ret_fault);

/* Read-only: how many steps of the list are applied. */
enum sk_status migrate_applied(struct sqlite3 *db, const char *path, const struct migration *list,
                               size_t count, size_t *ret_applied, struct sk_fault *ret_fault);

#endif /* SK_STORE_MIGRATE_H */
