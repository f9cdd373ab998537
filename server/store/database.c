#include "server/store/database.h"

#include <fcntl.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/store/address.h"
#include "server/store/migrate.h"
#include "server/store/reader.h"
#include "server/store/sql.h"
#include "server/store/store.h"

#define PATH_SIZE     4096
#define PAGES_AT_ONCE 256 /* pages copied between two chances for the daemon to write */
#define BUSY_MS       2000

static enum sk_status
open_to_read(const char *path, sqlite3 **ret_db, struct sk_fault *ret_fault)
{
    enum sk_status status = reader_open(path, SQLITE_OPEN_NOMUTEX, ret_db, ret_fault);

    if (status == SK_OK) {
        (void)sqlite3_busy_timeout(*ret_db, BUSY_MS);
    }
    return status;
}

/* ---- backup ------------------------------------------------------------------------------ */

struct copying {
    sqlite3 *from;
    sqlite3 *to;
    database_progress *progress;
    void *context;
};

/* Uses one read transaction, so that a daemon's writes do not restart the copy. */
static enum sk_status
copy_pages(struct copying *copying, const char *path, struct sk_fault *ret_fault)
{
    sqlite3_backup *backup = sqlite3_backup_init(copying->to, "main", copying->from, "main");
    int code = SQLITE_OK;
    bool goes_on = true;

    if (backup == NULL) {
        return sk_fault_set_about(ret_fault, "cannot_write", path, sqlite3_errmsg(copying->to));
    }
    while (goes_on && (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED)) {
        code = sqlite3_backup_step(backup, PAGES_AT_ONCE);
        if (code == SQLITE_OK && copying->progress != NULL) {
            int of = sqlite3_backup_pagecount(backup);

            goes_on =
                copying->progress(copying->context, of - sqlite3_backup_remaining(backup), of);
        }
    }
    (void)sqlite3_backup_finish(backup);
    if (!goes_on) {
        return sk_fault_set_about(ret_fault, "ended", path, "the copy was interrupted");
    }
    return code == SQLITE_DONE
               ? SK_OK
               : sk_fault_set_about(ret_fault, "cannot_write", path, sqlite3_errstr(code));
}

/* The copy of a WAL database is marked as WAL; this turns it into a stand-alone file. */
static enum sk_status
copy_to_file(struct copying *copying, const char *part, struct sk_fault *ret_fault)
{
    enum sk_status status;

    if (sqlite3_open(part, &copying->to) != SQLITE_OK ||
        sqlite3_exec(copying->from, "BEGIN; SELECT count(*) FROM sqlite_schema", NULL, NULL,
                     NULL) != SQLITE_OK) {
        return sk_fault_set_about(ret_fault, "cannot_open", part, sqlite3_errmsg(copying->from));
    }
    status = copy_pages(copying, part, ret_fault);
    (void)sqlite3_exec(copying->from, "COMMIT", NULL, NULL, NULL);
    if (status == SK_OK &&
        sqlite3_exec(copying->to, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) != SQLITE_OK) {
        status = sk_fault_set_about(ret_fault, "cannot_write", part, sqlite3_errmsg(copying->to));
    }
    return status;
}

static bool
sync_file(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_synced = file >= 0 && fsync(file) == 0;

    if (file >= 0) {
        (void)close(file);
    }
    return is_synced;
}

/* Never replaces a file: link fails where rename would overwrite. */
static enum sk_status
give_name(const char *part, const char *to, struct sk_fault *ret_fault)
{
    if (!sync_file(part)) {
        return sk_fault_set_about(ret_fault, "cannot_write", to, "cannot be synced to disk");
    }
    if (link(part, to) != 0) {
        return sk_fault_set_about(ret_fault, "exists", to, "the copy cannot be given this name");
    }
    return SK_OK;
}

static bool
make_private_file(const char *path)
{
    int file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);

    if (file >= 0) {
        (void)close(file);
    }
    return file >= 0;
}

enum sk_status
database_backup(const char *path, const char *to, database_progress *progress, void *context,
                struct sk_fault *ret_fault)
{
    struct copying copying = { .progress = progress, .context = context };
    char part[PATH_SIZE];
    int length = snprintf(part, sizeof(part), "%s.part", to);
    enum sk_status status;

    if (address_is_shared(path)) {
        return sk_fault_set(ret_fault, "cannot_open",
                            "PostgreSQL makes its own backups: pg_dump --format=custom "
                            "--file=FILE ADDRESS, and pg_restore to restore it");
    }
    if (length < 0 || (size_t)length >= sizeof(part)) {
        return sk_fault_set_about(ret_fault, "cannot_write", to, "the name is too long");
    }
    if (access(to, F_OK) == 0) {
        return sk_fault_set_about(ret_fault, "exists", to, "already exists; nothing was written");
    }
    status = open_to_read(path, &copying.from, ret_fault);
    if (status == SK_OK) {
        struct database_steps steps;

        status = database_look(path, &steps, ret_fault);
    }
    if (status == SK_OK) {
        (void)remove(part);
        status = make_private_file(part)
                     ? copy_to_file(&copying, part, ret_fault)
                     : sk_fault_set_about(ret_fault, "cannot_write", part, "cannot be created");
    }
    (void)sqlite3_close(copying.to);
    reader_close(copying.from);
    if (status == SK_OK) {
        status = give_name(part, to, ret_fault);
    }
    (void)remove(part);
    return status;
}

/* ---- migrations -------------------------------------------------------------------------- */

static enum sk_status
file_steps(const char *path, size_t *ret_applied, struct sk_fault *ret_fault)
{
    sqlite3 *db = NULL;
    enum sk_status status = open_to_read(path, &db, ret_fault);

    if (status == SK_OK) {
        status = migrate_applied(db, path, migrations_sqlite, migrations_sqlite_count, ret_applied,
                                 ret_fault);
    }
    reader_close(db);
    return status;
}

/* Both databases have the same steps. */
enum sk_status
database_look(const char *path, struct database_steps *ret_steps, struct sk_fault *ret_fault)
{
    size_t applied = 0;
    enum sk_status status = address_is_shared(path) ? postgres_steps(path, &applied, ret_fault)
                                                    : file_steps(path, &applied, ret_fault);

    if (status == SK_OK) {
        *ret_steps = (struct database_steps){ (int32_t)applied, (int32_t)migrations_sqlite_count };
    }
    return status;
}

const char *
database_step_name(int32_t number)
{
    return number >= 1 && (size_t)number <= migrations_sqlite_count
               ? migrations_sqlite[number - 1].name
               : NULL;
}

enum sk_status
database_migrate(const char *path, struct sk_fault *ret_fault)
{
    struct store_options options;
    struct store *store = NULL;
    enum sk_status status;

    store_options_init(&options);
    status = store_open(path, &options, &store, ret_fault);
    if (status == SK_OK) {
        store_close(store);
    }
    return status;
}

/* ---- ratings ----------------------------------------------------------------------------- */

enum sk_status
database_recount(const char *path, bool is_only_look, struct database_ratings *ret_ratings,
                 struct sk_fault *ret_fault)
{
    struct store_options options;
    struct sql_ratings ratings;
    struct backend *backend = NULL;
    struct database_steps steps;
    enum sk_status status = database_look(path, &steps, ret_fault); /* the file must exist */

    store_options_init(&options);
    if (status == SK_OK) {
        status = backend_open(path, &options, NULL, &backend, ret_fault);
    }
    if (status != SK_OK) {
        return status;
    }
    if (sql_ratings_recompute((struct sql *)backend, is_only_look, &ratings)) {
        *ret_ratings =
            (struct database_ratings){ ratings.matches, ratings.standings, ratings.different };
    } else {
        char shown[ADDRESS_SHOWN_MAX];

        address_show(path, shown);
        status =
            sk_fault_set_about(ret_fault, "cannot_write", shown, "cannot recompute the ratings");
    }
    backend->close(backend);
    return status;
}

/* ---- tokens ------------------------------------------------------------------------------ */

#define TOKEN_BYTES (DATABASE_TOKEN_DIGITS / 2)

static enum sk_status
set_token(struct sql *sql, const char *path, const char *name, const uint8_t *hash,
          struct sk_fault *ret_fault)
{
    static const struct sql_text text = { "UPDATE player SET token_hash = ? WHERE name = ?",
                                          "UPDATE player SET token_hash = ? "
                                          "WHERE lower(name) = lower(?)" };
    char shown[ADDRESS_SHOWN_MAX];
    struct row row;
    bool is_run = sql->calls->prepare(sql, &text, &row);

    address_show(path, shown);
    if (is_run) {
        row_put_bytes(&row, hash, STORE_HASH_BYTES);
        row_put_text(&row, name);
        (void)row_step(&row);
    }
    if (!sql->calls->finish(&row) || !is_run) {
        return sk_fault_set_about(ret_fault, "cannot_write", shown, sql->calls->error(sql));
    }
    if (sql->calls->changes(sql) != 1) {
        (void)sk_fault_set_about(ret_fault, "unknown_player", shown, "there is no player ");
        sk_fault_say(ret_fault, name);
        return SK_ERR_REFUSED;
    }
    return SK_OK;
}

enum sk_status
database_reset_token(const char *path, const char *name, char ret_token[DATABASE_TOKEN_DIGITS + 1],
                     struct sk_fault *ret_fault)
{
    uint8_t token[TOKEN_BYTES];
    uint8_t hash[STORE_HASH_BYTES];
    struct store_options options;
    struct backend *backend = NULL;
    enum sk_status status;

    store_options_init(&options);
    options.busy_timeout_ms = BUSY_MS;
    status = backend_open_beside(path, &options, &backend, ret_fault);
    if (status != SK_OK) {
        return status;
    }
    randombytes_buf(token, sizeof(token));
    (void)crypto_hash_sha256(hash, token, sizeof(token));
    status = set_token((struct sql *)backend, path, name, hash, ret_fault);
    if (status == SK_OK) {
        (void)sodium_bin2hex(ret_token, DATABASE_TOKEN_DIGITS + 1, token, sizeof(token));
    }
    backend->close(backend);
    sodium_memzero(token, sizeof(token));
    return status;
}
