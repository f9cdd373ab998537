/*
 * The connection, and the classification of failures.
 *
 * A job refused because of data (a name is taken, an id is unknown) leaves the
 * transaction as it was before the job.  A failure that may come from the disk,
 * the file or a lock ends the transaction for all its jobs.  A failed fsync
 * ends the process.
 */
#include "server/store/sqlite.h"
#include "server/clock.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/kill_point.h"
#include "server/memory.h"
#include "server/store/folder.h"
#include "server/store/migrate.h"
#include "server/store/reader.h"

#define EXIT_AFTER_FAILED_SYNC 70
#define FREE_PAGES_EVERY_US    1000000

/* Page size of a new file: records of about a kilobyte waste less of it than of 4096 bytes. */
#define PAGE_SIZE "8192"

/* Pages in the log before a checkpoint.  A larger value makes single commits slow. */
#define CHECKPOINT_PAGES 1000u

/* A reader that began when the whole log was copied holds all of the next one back.  Each attempt
 * then sorts that log for nothing, so the next one waits until the log is an eighth longer, or for
 * so long. */
#define HELD_BACK_GROWTH 8
#define HELD_BACK_US     1000000

/* Steps of SQLite's virtual machine between two checks of the clock: a fraction of a
 * millisecond. */
#define TEXT_STEPS 10000

/* Order matters: some settings depend on the journal mode. */
static const char *const pragmas[] = {
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -16384",           /* KiB */
    "PRAGMA journal_size_limit = 33554432", /* the log shrinks to this size after a long reader */
    "PRAGMA wal_autocheckpoint = 0",        /* see sqlite_tidy */
    "PRAGMA secure_delete = ON",            /* forgotten names must not survive in free space */
};

/* ---- failures ---------------------------------------------------------------------------- */

/* The kernel may have dropped pages that it failed to write: a retry would only seem to work. */
static bool
is_failed_sync(int code)
{
    return code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC;
}

static void
say(struct backend_message *message, sqlite3 *db, const char *doing)
{
    (void)snprintf(message->text, sizeof(message->text), "%s: %s (%d)", doing, sqlite3_errmsg(db),
                   sqlite3_extended_errcode(db));
}

static void
end_if_sync_failed(struct sqlite *sqlite, int code, const char *message)
{
    const struct store_options *options = sqlite->sql.options;

    if (!is_failed_sync(code)) {
        return;
    }
    if (options->fatal != NULL) {
        options->fatal(options->context, message);
        return;
    }
    (void)fprintf(stderr, "store: fsync failed, exiting to recover: %s\n", message);
    _exit(EXIT_AFTER_FAILED_SYNC);
}

/* Rolls the transaction back; returns false so that a caller can return it. */
static bool
give_up(struct sqlite *sqlite, const char *doing, struct backend_message *ret_message)
{
    int code = sqlite3_extended_errcode(sqlite->db);

    say(ret_message, sqlite->db, doing);
    end_if_sync_failed(sqlite, code, ret_message->text);
    sqlite_chains_forget(sqlite);
    if (!sqlite3_get_autocommit(sqlite->db)) {
        (void)sqlite3_exec(sqlite->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return false;
}

static bool
run(struct sqlite *sqlite, enum sql_number number)
{
    struct row row = sqlite_row(&sqlite->sql, number);

    return row_run(&row);
}

/* ---- jobs -------------------------------------------------------------------------------- */

/* For jobs that have nothing to do: a file has one node. */
static enum outcome
nothing(struct sql *sql, struct store_job *job)
{
    (void)sql;
    (void)job;
    return OUTCOME_OK;
}

struct job_row {
    enum outcome (*work)(struct sql *sql, struct store_job *job);
    bool only_reads;
};

static const struct job_row job_rows[] = {
    [JOB_PLAYER_CREATE] = { sql_player_create, false },
    [JOB_PLAYER_LOGIN] = { sql_player_login, true },
    [JOB_TOKEN_RENEW] = { sql_token_renew, false },
    [JOB_BOT_PLAYER] = { sql_bot_player, false },
    [JOB_MATCH_CREATE] = { sqlite_match_create, false },
    [JOB_MATCH_APPEND] = { sqlite_match_append, false },
    [JOB_MATCH_LOAD] = { sql_match_load, true },
    [JOB_COMMAND_FIND] = { sql_command_find, true },
    [JOB_MATCH_BY_CODE] = { sql_match_by_code, true },
    [JOB_REMATCH_FIND] = { sql_rematch_find, true },
    [JOB_UNFINISHED] = { sql_unfinished, true },
    [JOB_PLAYER_MATCHES] = { sql_player_matches, true },
    [JOB_MATCH_IMPORT] = { sql_match_import, false },
    [JOB_ADMIN] = { sql_admin, false },
    [JOB_BOT_CALL] = { sql_bot_call, false },
    [JOB_TEXT] = { sql_text, true },
    [JOB_BEAT] = { sql_beat, false },
    [JOB_CLAIM] = { nothing, true },
    [JOB_RELEASE] = { nothing, true },
    [JOB_QUEUE] = { nothing, true },
    [JOB_RATINGS] = { sql_ratings_of, true },
    [JOB_FLUSH] = { nothing, true },
};

/*
 * A single statement is atomic by itself, and records alone are easily deleted
 * again.  A savepoint copies every page that changes, which costs as much as an
 * append.
 */
static bool
needs_savepoint(const struct store_job *job)
{
    if (job->kind == JOB_MATCH_APPEND) {
        const struct store_match_change *change = &job->append.change;

        return change->has_seat || change->has_started || change->has_ended ||
               change->is_quarantined;
    }
    return job->kind == JOB_MATCH_CREATE || job->kind == JOB_MATCH_IMPORT ||
           job->kind == JOB_ADMIN || job->kind == JOB_BOT_CALL;
}

static enum store_result
result_of_constraint(int code)
{
    switch (code) {
    case SQLITE_CONSTRAINT_FOREIGNKEY:
        return STORE_NOT_FOUND;
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
        return STORE_TAKEN;
    default:
        return STORE_UNAVAILABLE;
    }
}

static enum store_result
result_of_read(int code)
{
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR: /* a body that is not JSON */
        return STORE_CORRUPT;
    default:
        return STORE_UNAVAILABLE;
    }
}

/* If the error concerns this job alone, makes it the job's result and returns true. */
static bool
is_error_of_job(struct sqlite *sqlite, struct store_job *job)
{
    int code = sqlite3_extended_errcode(sqlite->db);
    enum store_result result;

    if (is_failed_sync(code)) {
        return false;
    }
    if ((code & 0xff) == SQLITE_CONSTRAINT) {
        result = result_of_constraint(code);
    } else if (code == SQLITE_TOOBIG) {
        result = STORE_UNAVAILABLE;
    } else if (job_rows[job->kind].only_reads) {
        result = result_of_read(code);
    } else {
        return false;
    }
    (void)job_refuse(job, result, "%s (%d)", sqlite3_errmsg(sqlite->db), code);
    return true;
}

/* Ids increase and nobody else writes, so all later records belong to the job. */
static bool
undo_records(struct sqlite *sqlite)
{
    struct row row = sqlite_row(&sqlite->sql, SQL_RECORDS_UNDO);

    if (sqlite->first_of_job == 0) {
        return true;
    }
    row_put_number(&row, sqlite->first_of_job);
    return row_run(&row);
}

/* A failed append drops its match's head, so deferred chain ends are written first. */
static bool
undo_job(struct sqlite *sqlite, struct store_job *job, bool has_savepoint)
{
    if (job->kind == JOB_MATCH_CREATE && job->match_id != 0) {
        heads_forget(sqlite->sql.heads, job->match_id);
        job->match_id = 0;
    }
    if (has_savepoint && (!run(sqlite, SQL_JOB_UNDO) || !run(sqlite, SQL_JOB_END))) {
        return false;
    }
    if (sqlite3_get_autocommit(sqlite->db)) {
        return false; /* some errors roll the transaction back by themselves */
    }
    if (!has_savepoint && !undo_records(sqlite)) {
        return false;
    }
    return job->kind != JOB_MATCH_APPEND || sqlite_chains_settle(sqlite) == OUTCOME_OK;
}

static bool
work_on(struct sqlite *sqlite, struct store_job *job, struct backend_message *ret_message)
{
    bool has_savepoint = needs_savepoint(job);
    enum outcome outcome;

    sqlite->first_of_job = 0;
    if (job->kind != JOB_MATCH_APPEND && sqlite_chains_settle(sqlite) != OUTCOME_OK) {
        return give_up(sqlite, "write the end of a chain", ret_message);
    }
    if (has_savepoint && !run(sqlite, SQL_JOB_BEGIN)) {
        return give_up(sqlite, "savepoint", ret_message);
    }
    outcome = job_rows[job->kind].work(&sqlite->sql, job);
    if (outcome == OUTCOME_OK) {
        return !has_savepoint || run(sqlite, SQL_JOB_END) ||
               give_up(sqlite, "release", ret_message);
    }
    if (outcome == OUTCOME_LOST) {
        return give_up(sqlite, "a row has disappeared", ret_message);
    }
    if (outcome == OUTCOME_ERROR && !is_error_of_job(sqlite, job)) {
        return give_up(sqlite, "write", ret_message);
    }
    if (!undo_job(sqlite, job, has_savepoint)) {
        (void)give_up(sqlite, "undo", ret_message);
        (void)snprintf(ret_message->text, sizeof(ret_message->text), "%s", job->message);
        return false;
    }
    return true;
}

/* ---- transactions ------------------------------------------------------------------------ */

static bool
begin(struct sqlite *sqlite, bool writes, struct backend_message *ret_message)
{
    return run(sqlite, writes ? SQL_BEGIN_WRITE : SQL_BEGIN_READ) ||
           give_up(sqlite, "begin", ret_message);
}

static bool
commit(struct sqlite *sqlite, struct backend_message *ret_message)
{
    if (sqlite_chains_settle(sqlite) != OUTCOME_OK) {
        return give_up(sqlite, "write the end of a chain", ret_message);
    }
    return run(sqlite, SQL_COMMIT) || give_up(sqlite, "commit", ret_message);
}

/* begin -> every job -> commit. */
static bool
sqlite_work(struct backend *backend, struct backend_group *group,
            struct backend_message *ret_message)
{
    struct sqlite *sqlite = (struct sqlite *)backend;
    int64_t began_us;

    if (!begin(sqlite, group->writes, ret_message)) {
        return false;
    }
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        if (!backend_job_begin(sqlite->sql.heads, job)) {
            continue;
        }
        if (!work_on(sqlite, job, ret_message)) {
            return false;
        }
        if (job->kind == JOB_MATCH_APPEND && job->record_count > 0 &&
            job->records[0].kind == RECORD_SNAPSHOT) {
            SK_KILL_POINT(KILL_SNAPSHOT);
        }
        backend_job_end(sqlite->sql.heads, job);
    }
    if (group->before_commit != NULL) {
        group->before_commit(group);
    }
    if (group->writes) {
        SK_KILL_POINT(KILL_BEFORE_COMMIT);
    }
    began_us = clock_us(CLOCK_MONOTONIC);
    if (!commit(sqlite, ret_message)) {
        return false;
    }
    if (group->writes) {
        SK_KILL_POINT(KILL_AFTER_COMMIT);
    }
    group->commit_us = clock_us(CLOCK_MONOTONIC) - began_us;
    return true;
}

static int
note_wal_pages(void *context, sqlite3 *db, const char *schema, int pages)
{
    struct sqlite *sqlite = context;

    (void)db;
    (void)schema;
    sqlite->pages.wal = (uint64_t)pages;
    return SQLITE_OK;
}

static void
look_for_free_pages(struct sqlite *sqlite)
{
    struct row row = sqlite_row(&sqlite->sql, SQL_FREE_PAGES);
    int64_t now = clock_us(CLOCK_MONOTONIC);

    if (sqlite->free_pages_at_us != 0 && now - sqlite->free_pages_at_us < FREE_PAGES_EVERY_US) {
        return;
    }
    sqlite->free_pages_at_us = now;
    if (row_step(&row)) {
        sqlite->pages.free = (uint64_t)row_take_number(&row);
        sqlite->pages.size = (uint64_t)row_take_number(&row);
    }
    (void)row_end(&row);
}

/* Runs a checkpoint of this kind; false if it failed or a reader blocks it. */
static bool
checkpoint(struct sqlite *sqlite, int kind)
{
    struct backend_message message;
    int logged = 0;
    int copied = 0;
    int code = sqlite3_wal_checkpoint_v2(sqlite->db, NULL, kind, &logged, &copied);
    bool is_held_back = logged > 0 && copied == 0;

    sqlite->checkpoint_pages =
        is_held_back ? (uint64_t)(logged + logged / HELD_BACK_GROWTH) : CHECKPOINT_PAGES;
    sqlite->checkpoint_from_us = clock_us(CLOCK_MONOTONIC) + HELD_BACK_US;
    if (code != SQLITE_OK) {
        say(&message, sqlite->db, "checkpoint");
        end_if_sync_failed(sqlite, sqlite3_extended_errcode(sqlite->db), message.text);
    }
    return code == SQLITE_OK;
}

/* After a checkpoint the log keeps its bytes until they are overwritten, including forgotten names.
 * Turns never wait for a reader; the next write tries again. */
static void
empty_log(struct sqlite *sqlite)
{
    (void)sqlite3_busy_timeout(sqlite->db, 0);
    if (checkpoint(sqlite, SQLITE_CHECKPOINT_TRUNCATE)) {
        sqlite->sql.must_empty_log = false;
        sqlite->pages.wal = 0;
    }
    (void)sqlite3_busy_timeout(sqlite->db, sqlite->sql.options->busy_timeout_ms);
}

static bool
is_checkpoint_due(const struct sqlite *sqlite)
{
    return sqlite->pages.wal >= CHECKPOINT_PAGES &&
           (sqlite->pages.wal >= sqlite->checkpoint_pages ||
            clock_us(CLOCK_MONOTONIC) >= sqlite->checkpoint_from_us);
}

/*
 * Runs the checkpoint.  SQLite's automatic one runs inside COMMIT: then all
 * jobs of that transaction wait for it, and a failed fsync is ignored.
 */
static struct backend_pages
sqlite_tidy(struct backend *backend)
{
    struct sqlite *sqlite = (struct sqlite *)backend;

    look_for_free_pages(sqlite);
    if (sqlite->sql.must_empty_log) {
        empty_log(sqlite);
    } else if (is_checkpoint_due(sqlite)) {
        (void)checkpoint(sqlite, SQLITE_CHECKPOINT_PASSIVE);
    }
    return sqlite->pages;
}

/* ---- opening and closing ----------------------------------------------------------------- */

static void
sqlite_close_backend(struct backend *backend)
{
    struct sqlite *sqlite = (struct sqlite *)backend;

    for (int i = 0; i < SQL_COUNT; i++) {
        (void)sqlite3_finalize(sqlite->statements[i]);
    }
    reader_close(sqlite->db);
    sqlite_unlock(sqlite);
    free(sqlite);
}

/* Seeds and token hashes are secret, but SQLite would create a world-readable file.  Its log gets
 * the file's permissions. */
static void
make_private_file(const char *path)
{
    int file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);

    if (file >= 0) {
        (void)close(file);
    }
}

static enum sk_status
connect_file(struct sqlite *sqlite, const char *path, struct sk_fault *ret_fault)
{
    int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;

    make_private_file(path);
    reader_count_no_memory();
    if (sqlite3_open_v2(path, &sqlite->db, flags, NULL) != SQLITE_OK) {
        return sk_fault_set_about(ret_fault, "cannot_open", path, sqlite3_errmsg(sqlite->db));
    }
    if (sqlite3_db_readonly(sqlite->db, "main") != 0) {
        return sk_fault_set_about(ret_fault, "cannot_open", path, "is not writable");
    }
    (void)sqlite3_busy_timeout(sqlite->db, sqlite->sql.options->busy_timeout_ms);
    (void)sqlite3_exec(sqlite->db, "PRAGMA page_size = " PAGE_SIZE, NULL, NULL, NULL);
    return SK_OK;
}

/* Without shared memory SQLite silently keeps a rollback journal. */
static bool
is_wal(struct sqlite *sqlite)
{
    sqlite3_stmt *statement = NULL;
    const char *mode = NULL;
    bool is_it;

    if (sqlite3_prepare_v2(sqlite->db, "PRAGMA journal_mode", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        mode = (const char *)sqlite3_column_text(statement, 0);
    }
    is_it = mode != NULL && strcmp(mode, "wal") == 0;
    (void)sqlite3_finalize(statement);
    return is_it;
}

/* Foreign keys stay off until the migrations are done: they may rebuild tables. */
static enum sk_status
set_pragmas(struct sqlite *sqlite, const char *path, struct sk_fault *ret_fault)
{
    for (size_t i = 0; i < sizeof(pragmas) / sizeof(pragmas[0]); i++) {
        if (sqlite3_exec(sqlite->db, pragmas[i], NULL, NULL, NULL) != SQLITE_OK) {
            return sk_fault_set_about(ret_fault, "cannot_open", path, sqlite3_errmsg(sqlite->db));
        }
    }
    if (!is_wal(sqlite)) {
        return sk_fault_set_about(ret_fault, "cannot_open", path,
                                  "the file system does not support WAL");
    }
    (void)sqlite3_wal_hook(sqlite->db, note_wal_pages, sqlite);
    sqlite3_progress_handler(sqlite->db, TEXT_STEPS, sql_must_end, sqlite);
    return SK_OK;
}

static enum sk_status
prepare(struct sqlite *sqlite, const char *path, struct sk_fault *ret_fault)
{
    for (int i = 0; i < SQL_COUNT; i++) {
        if (sqlite3_prepare_v3(sqlite->db, sql_texts[i].sqlite, -1, SQLITE_PREPARE_PERSISTENT,
                               &sqlite->statements[i], NULL) != SQLITE_OK) {
            return sk_fault_set_about(ret_fault, "cannot_open", path, sqlite3_errmsg(sqlite->db));
        }
    }
    return SK_OK;
}

/* Opens a file that another process may be using: creates nothing, takes no lock. */
static enum sk_status
open_beside(struct sqlite *sqlite, const char *path, bool writes, struct sk_fault *ret_fault)
{
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    enum sk_status status = SK_OK;

    if (sodium_init() < 0) {
        return sk_fault_set_about(ret_fault, "cannot_open", path, "libsodium failed to initialize");
    }
    if (!writes) {
        status = reader_open(path, flags, &sqlite->db, ret_fault);
    } else if (sqlite3_open_v2(path, &sqlite->db, flags | SQLITE_OPEN_READWRITE, NULL) !=
               SQLITE_OK) {
        status = sk_fault_set_about(ret_fault, "cannot_open", path, sqlite3_errmsg(sqlite->db));
    }
    if (status != SK_OK) {
        return status;
    }
    (void)sqlite3_busy_timeout(sqlite->db, sqlite->sql.options->busy_timeout_ms);
    sqlite3_progress_handler(sqlite->db, TEXT_STEPS, sql_must_end, sqlite);
    status = migrate_look(sqlite->db, path, migrations_sqlite, migrations_sqlite_count, ret_fault);
    return status == SK_OK ? prepare(sqlite, path, ret_fault) : status;
}

static enum sk_status
open_all(struct sqlite *sqlite, const char *path, struct sk_fault *ret_fault)
{
    enum sk_status status;

    if (sodium_init() < 0) {
        return sk_fault_set_about(ret_fault, "cannot_open", path, "libsodium failed to initialize");
    }
    status = sqlite_lock(sqlite, path, ret_fault);
    if (status == SK_OK) {
        status = connect_file(sqlite, path, ret_fault);
    }
    if (status == SK_OK) {
        status =
            migrate_run(sqlite->db, path, migrations_sqlite, migrations_sqlite_count, ret_fault);
    }
    if (status == SK_OK) {
        status = set_pragmas(sqlite, path, ret_fault);
    }
    if (status == SK_OK) {
        status = prepare(sqlite, path, ret_fault);
    }
    if (status == SK_OK && !sql_ratings_begin(&sqlite->sql)) {
        status = sk_fault_set_about(ret_fault, "cannot_open", path, "cannot compute its ratings");
    }
    if (status == SK_OK && !folder_sync(path)) {
        status = sk_fault_set_about(ret_fault, "cannot_open", path, "cannot sync its folder");
    }
    return status;
}

static bool
run_script(struct sql *sql, const struct sql_text *script)
{
    return sqlite3_exec(((struct sqlite *)sql)->db, script->sqlite, NULL, NULL, NULL) == SQLITE_OK;
}

static int64_t
changes(struct sql *sql)
{
    return sqlite3_changes(((struct sqlite *)sql)->db);
}

static const char *
error(struct sql *sql)
{
    return sqlite3_errmsg(((struct sqlite *)sql)->db);
}

static void
interrupt(struct sql *sql)
{
    sqlite3_interrupt(((struct sqlite *)sql)->db);
}

static const struct sql_calls calls = {
    .row = sqlite_row,
    .prepare = sqlite_prepare,
    .finish = sqlite_finish,
    .run = run_script,
    .changes = changes,
    .error = error,
    .interrupt = interrupt,
    .records_read = sqlite_records_read,
    .records_read_from = sqlite_records_read_from,
    .stream = sqlite_stream,
    .match_insert = sqlite_match_insert,
    .records_insert = sqlite_records_insert,
};

static struct sqlite *
sqlite_alloc(const struct store_options *options)
{
    struct sqlite *sqlite = heap_memory(sizeof(*sqlite));

    sqlite->sql.calls = &calls;
    sqlite->sql.backend = (struct backend){
        .work = sqlite_work,
        .tidy = sqlite_tidy,
        .close = sqlite_close_backend,
    };
    sqlite->sql.options = options;
    sqlite->lock_file = -1;
    sqlite->sql.must_empty_log = true; /* the previous process may have died before doing so */
    return sqlite;
}

enum sk_status
sqlite_open(const char *path, const struct store_options *options, struct heads *heads,
            struct backend **ret_backend, struct sk_fault *ret_fault)
{
    struct sqlite *sqlite = sqlite_alloc(options);
    enum sk_status status;

    sqlite->sql.heads = heads;
    status = open_all(sqlite, path, ret_fault);
    if (status != SK_OK) {
        sqlite_close_backend(&sqlite->sql.backend);
        return status;
    }
    *ret_backend = &sqlite->sql.backend;
    return SK_OK;
}

enum sk_status
sqlite_open_read_only(const char *path, const struct store_options *options,
                      struct backend **ret_backend, struct sk_fault *ret_fault)
{
    struct sqlite *sqlite = sqlite_alloc(options);
    enum sk_status status = open_beside(sqlite, path, false, ret_fault);

    if (status != SK_OK) {
        sqlite_close_backend(&sqlite->sql.backend);
        return status;
    }
    *ret_backend = &sqlite->sql.backend;
    return SK_OK;
}

enum sk_status
sqlite_open_beside(const char *path, const struct store_options *options,
                   struct backend **ret_backend, struct sk_fault *ret_fault)
{
    static const char pragmas_beside[] =
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON";
    struct sqlite *sqlite = sqlite_alloc(options);
    enum sk_status status = open_beside(sqlite, path, true, ret_fault);

    if (status == SK_OK &&
        (sqlite3_db_readonly(sqlite->db, "main") != 0 ||
         sqlite3_exec(sqlite->db, pragmas_beside, NULL, NULL, NULL) != SQLITE_OK)) {
        status = sk_fault_set_about(ret_fault, "cannot_open", path, "is not writable");
    }
    if (status != SK_OK) {
        sqlite_close_backend(&sqlite->sql.backend);
        return status;
    }
    *ret_backend = &sqlite->sql.backend;
    return SK_OK;
}
