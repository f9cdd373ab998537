#include "server/store/migrate.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/clock.h"
#include "server/kill_point.h"
#include "server/store/folder.h"

#define PATH_SIZE 4096

#define MIGRATION_COLUMNS "number, name, checksum, applied_at"

static const char table_sql[] = "CREATE TABLE IF NOT EXISTS schema_migration ("
                                "number INTEGER PRIMARY KEY, name TEXT NOT NULL, "
                                "checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT";

/* Shared by the steps. */
struct migrate {
    sqlite3 *db;
    const char *path;
    const struct migration *list;
    size_t count;
    size_t applied; /* steps applied, from the start of the list */
    struct sk_fault *fault;
};

/* ---- faults ------------------------------------------------------------------------------ */

static enum sk_status
refuse(struct migrate *migrate, const char *code, const char *message)
{
    return sk_fault_set_about(migrate->fault, code, migrate->path, message);
}

static enum sk_status
refuse_by_database(struct migrate *migrate, sqlite3 *db, const char *doing)
{
    (void)refuse(migrate, "migration_failed", doing);
    sk_fault_say(migrate->fault, ": ");
    sk_fault_say(migrate->fault, sqlite3_errmsg(db));
    return SK_ERR_REFUSED;
}

/* ---- small queries ----------------------------------------------------------------------- */

static enum sk_status
ask_number(struct migrate *migrate, const char *sql, int64_t *ret_number)
{
    sqlite3_stmt *statement = NULL;
    enum sk_status status = SK_OK;

    if (sqlite3_prepare_v2(migrate->db, sql, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW) {
        status = refuse_by_database(migrate, migrate->db, "cannot be read");
    } else {
        *ret_number = sqlite3_column_int64(statement, 0);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

void
migrate_checksum(const struct migration *migration, char ret_digits[MIGRATE_CHECKSUM_DIGITS + 1])
{
    uint8_t hash[crypto_hash_sha256_BYTES];

    (void)crypto_hash_sha256(hash, (const uint8_t *)migration->sql, migration->length);
    (void)sodium_bin2hex(ret_digits, MIGRATE_CHECKSUM_DIGITS + 1, hash, sizeof(hash));
}

/* ---- which steps are applied ------------------------------------------------------------- */

static enum sk_status
refuse_newer(struct migrate *migrate, int64_t number)
{
    (void)refuse(migrate, "schema_newer", "has migration ");
    sk_fault_say_number(migrate->fault, number);
    sk_fault_say(migrate->fault, ", but this program only knows them up to ");
    sk_fault_say_number(migrate->fault, (int64_t)migrate->count);
    sk_fault_say(migrate->fault, ": it was written by a newer program; use that one");
    return SK_ERR_REFUSED;
}

static enum sk_status
refuse_changed(struct migrate *migrate, const struct migration *migration, const char *how)
{
    (void)refuse(migrate, "schema_changed", "migration ");
    sk_fault_say(migrate->fault, migration->name);
    sk_fault_say(migrate->fault, how);
    return SK_ERR_REFUSED;
}

enum sk_status
migrate_check(const struct migration *list, size_t count, size_t *applied, int64_t number,
              const char *checksum, const char *path, struct sk_fault *ret_fault)
{
    struct migrate migrate = { .path = path, .list = list, .count = count, .fault = ret_fault };
    const struct migration *migration = &list[*applied];
    char digits[MIGRATE_CHECKSUM_DIGITS + 1];

    if (number > (int64_t)count) {
        return refuse_newer(&migrate, number);
    }
    if (number != migration->number) {
        return refuse_changed(&migrate, migration, " is missing between those that were applied");
    }
    migrate_checksum(migration, digits);
    if (checksum == NULL || strcmp(checksum, digits) != 0) {
        return refuse_changed(&migrate, migration,
                              " was applied with a text that differs from this program's");
    }
    (*applied)++;
    return SK_OK;
}

static enum sk_status
check_all_applied(struct migrate *migrate)
{
    static const char sql[] = "SELECT " MIGRATION_COLUMNS " FROM schema_migration ORDER BY number";
    sqlite3_stmt *statement = NULL;
    enum sk_status status = SK_OK;
    int code;

    code = sqlite3_prepare_v2(migrate->db, sql, -1, &statement, NULL);
    if (code != SQLITE_OK) {
        return refuse_by_database(migrate, migrate->db, "cannot be read");
    }
    while (status == SK_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        status = migrate_check(
            migrate->list, migrate->count, &migrate->applied, sqlite3_column_int64(statement, 0),
            (const char *)sqlite3_column_text(statement, 2), migrate->path, migrate->fault);
    }
    if (status == SK_OK && code != SQLITE_DONE) {
        status = refuse_by_database(migrate, migrate->db, "cannot be read");
    }
    (void)sqlite3_finalize(statement);
    return status;
}

/* Determines which steps are applied.  Never writes to a foreign file. */
static enum sk_status
look(struct migrate *migrate)
{
    enum sk_status status;
    int64_t things;
    int64_t is_ours;

    status = ask_number(migrate, "SELECT count(*) FROM sqlite_schema", &things);
    if (status != SK_OK || things == 0) {
        return status;
    }
    status = ask_number(
        migrate, "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_migration'", &is_ours);
    if (status != SK_OK) {
        return status;
    }
    if (!is_ours) {
        return refuse(migrate, "not_ours", "is not a Skirmish database");
    }
    return check_all_applied(migrate);
}

/* ---- the backup copy --------------------------------------------------------------------- */

static enum sk_status
copy_to(struct migrate *migrate, const char *path)
{
    sqlite3 *copy = NULL;
    sqlite3_backup *backup;
    enum sk_status status = SK_OK;

    if (sqlite3_open(path, &copy) != SQLITE_OK) {
        status = refuse_by_database(migrate, copy, "cannot be copied before its migration");
        goto out;
    }
    backup = sqlite3_backup_init(copy, "main", migrate->db, "main");
    if (backup != NULL) {
        (void)sqlite3_backup_step(backup, -1);
        (void)sqlite3_backup_finish(backup); /* errors show in the copy's connection */
    }
    if (sqlite3_errcode(copy) != SQLITE_OK) {
        status = refuse_by_database(migrate, copy, "cannot be copied before its migration");
    }
out:
    (void)sqlite3_close(copy);
    return status;
}

/* The copy gets the permissions of the database. */
static bool
make_file_like(const char *original, const char *path)
{
    struct stat about;
    int file;

    if (stat(original, &about) != 0) {
        return false;
    }
    file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, about.st_mode & 0777);
    if (file < 0) {
        return false;
    }
    (void)close(file);
    return true;
}

/* The copy gets its name only when it is complete, and the migration starts only when the copy is
 * on disk.  So every migrated database has its copy. */
static enum sk_status
copy_before(struct migrate *migrate)
{
    int number = migrate->list[migrate->applied].number;
    char path[PATH_SIZE];
    char part[PATH_SIZE];
    enum sk_status status;
    int length;

    length = snprintf(part, sizeof(part), MIGRATE_COPY_FORM ".part", migrate->path, number);
    (void)snprintf(path, sizeof(path), MIGRATE_COPY_FORM, migrate->path, number);
    if (length < 0 || (size_t)length >= sizeof(part)) {
        return refuse(migrate, "migration_failed", "the file's name is too long");
    }
    (void)remove(part);
    if (!make_file_like(migrate->path, part)) {
        const char *why = strerror(errno);

        (void)refuse(migrate, "migration_failed", "cannot create a copy beside it: ");
        sk_fault_say(migrate->fault, why);
        return SK_ERR_REFUSED;
    }
    status = copy_to(migrate, part);
    SK_KILL_POINT(KILL_MIGRATING);
    if (status == SK_OK && rename(part, path) != 0) {
        status = refuse(migrate, "migration_failed", "cannot rename its copy");
    }
    if (status != SK_OK) {
        (void)remove(part);
        return status;
    }
    if (!folder_sync(path)) {
        return refuse(migrate, "migration_failed", "cannot sync the folder of its copy");
    }
    return SK_OK;
}

/* ---- applying ---------------------------------------------------------------------------- */

static bool
note_applied(struct migrate *migrate, const struct migration *migration)
{
    static const char sql[] =
        "INSERT INTO schema_migration (" MIGRATION_COLUMNS ") VALUES (?, ?, ?, ?)";
    char digits[MIGRATE_CHECKSUM_DIGITS + 1];
    sqlite3_stmt *statement = NULL;
    bool is_noted;

    migrate_checksum(migration, digits);
    is_noted = sqlite3_prepare_v2(migrate->db, sql, -1, &statement, NULL) == SQLITE_OK &&
               sqlite3_bind_int(statement, 1, migration->number) == SQLITE_OK &&
               sqlite3_bind_text(statement, 2, migration->name, -1, SQLITE_STATIC) == SQLITE_OK &&
               sqlite3_bind_text(statement, 3, digits, -1, SQLITE_STATIC) == SQLITE_OK &&
               sqlite3_bind_int64(statement, 4, clock_ms(CLOCK_REALTIME)) == SQLITE_OK &&
               sqlite3_step(statement) == SQLITE_DONE;
    (void)sqlite3_finalize(statement);
    return is_noted;
}

static bool
run_sql(struct migrate *migrate, const char *sql)
{
    return sqlite3_exec(migrate->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static enum sk_status
apply(struct migrate *migrate, const struct migration *migration)
{
    bool is_applied = run_sql(migrate, "BEGIN IMMEDIATE") && run_sql(migrate, table_sql) &&
                      run_sql(migrate, migration->sql) && note_applied(migrate, migration);

    SK_KILL_POINT(KILL_MIGRATING);
    is_applied = is_applied && run_sql(migrate, "COMMIT");
    SK_KILL_POINT(KILL_MIGRATING);
    if (is_applied) {
        return SK_OK;
    }
    (void)refuse_by_database(migrate, migrate->db, migration->name);
    if (!sqlite3_get_autocommit(migrate->db)) {
        (void)run_sql(migrate, "ROLLBACK");
    }
    return SK_ERR_REFUSED;
}

enum sk_status
migrate_run(struct sqlite3 *db, const char *path, const struct migration *list, size_t count,
            struct sk_fault *ret_fault)
{
    struct migrate migrate = {
        .db = db, .path = path, .list = list, .count = count, .fault = ret_fault
    };
    enum sk_status status = look(&migrate);

    if (status == SK_OK && migrate.applied > 0 && migrate.applied < count) {
        status = copy_before(&migrate);
    }
    for (size_t i = migrate.applied; status == SK_OK && i < count; i++) {
        status = apply(&migrate, &list[i]);
    }
    return status;
}

enum sk_status
migrate_applied(struct sqlite3 *db, const char *path, const struct migration *list, size_t count,
                size_t *ret_applied, struct sk_fault *ret_fault)
{
    struct migrate migrate = {
        .db = db, .path = path, .list = list, .count = count, .fault = ret_fault
    };
    enum sk_status status = look(&migrate);

    if (status == SK_OK && migrate.applied == 0) {
        status = refuse(&migrate, "not_ours", "is empty");
    }
    if (status == SK_OK) {
        *ret_applied = migrate.applied;
    }
    return status;
}

enum sk_status
migrate_look(struct sqlite3 *db, const char *path, const struct migration *list, size_t count,
             struct sk_fault *ret_fault)
{
    struct migrate migrate = { .path = path, .fault = ret_fault };
    size_t applied = 0;
    enum sk_status status = migrate_applied(db, path, list, count, &applied, ret_fault);

    if (status == SK_OK && applied < count) {
        status = refuse(&migrate, "schema_older",
                        "has an older schema; start skirmishd on it once, or use skirmish migrate");
    }
    return status;
}
