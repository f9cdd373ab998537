#include "server/store/prune.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "server/clock.h"
#include "server/memory.h"
#include "server/store/address.h"
#include "server/store/migrate.h"
#include "server/store/reader.h"
#include "server/store/sqlite.h"

#define BUSY_MS       5000
#define AT_ONCE       500 /* records per transaction: a few milliseconds */
#define MATCHES_AHEAD 256

/* Matches to prune, and those whose pruning was interrupted. */
#define FINISHED_BEFORE \
    "m.status = 'over' AND m.ended_at < ?1 AND m.id NOT IN (SELECT match FROM pruned)"

static const char look_sql[] =
    "WITH RECURSIVE walk(id, previous, match, seq) AS ("
    "SELECT r.id, r.previous, r.match, r.seq FROM match m JOIN chain c ON c.match = m.id "
    "JOIN record r ON r.id = c.last_record AND r.match = m.id WHERE " FINISHED_BEFORE " UNION ALL "
    "SELECT r.id, r.previous, r.match, r.seq FROM walk w JOIN record r ON r.id = w.previous "
    "WHERE r.match = w.match AND r.seq < w.seq) "
    "SELECT count(DISTINCT w.match), count(*), coalesce(sum(length(CAST(r.body AS BLOB))), 0) "
    "FROM walk w JOIN record r ON r.id = w.id";

/* The last record is dropped last. */
static const char next_sql[] =
    "SELECT id FROM (SELECT m.id FROM match m WHERE " FINISHED_BEFORE " UNION "
    "SELECT d.match FROM pruned d JOIN chain c ON c.match = d.match "
    "JOIN record r ON r.id = c.last_record AND r.match = c.match) "
    "WHERE id > ?2 ORDER BY id LIMIT ?3";

static const char walk_sql[] = WALK("w.seq > 1") "SELECT id, kind = 'turn' FROM walk";

static const char mark_sql[] = "INSERT INTO pruned (match, pruned_at, records, turns) "
                               "VALUES (?1, ?2, ?3, ?4) ON CONFLICT (match) DO NOTHING";

static const char drop_sql[] = "DELETE FROM record WHERE id = ?1 AND match = ?2";

/* Also drops records that no chain leads to. */
static const char drop_rest_sql[] = "DELETE FROM record WHERE match = ?1 AND "
                                    "(SELECT last_seq FROM chain WHERE match = ?1) IS NOT ?2";

static const char note_sql[] =
    "INSERT INTO admin_log (at, uid, command, detail) "
    "VALUES (?1, ?2, 'prune', json_object('before', ?3, 'matches', ?4, 'records', ?5))";

/* Shared by the steps. */
struct pruning {
    const char *path;
    sqlite3 *db;
    int64_t before_ms;
    int64_t now_ms;
    struct prune_count count;
    struct sk_fault *fault;
};

static enum sk_status
refuse(struct pruning *pruning, const char *code, const char *message)
{
    return sk_fault_set_about(pruning->fault, code, pruning->path, message);
}

/* Prepares a statement with numbers; the caller steps and finalizes it.  On NULL the connection has
 * the error. */
static sqlite3_stmt *
prepare(sqlite3 *db, const char *sql, const int64_t *numbers, int count)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) {
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        (void)sqlite3_bind_int64(statement, i + 1, numbers[i]);
    }
    return statement;
}

static enum sk_status
run(struct pruning *pruning, const char *sql, const int64_t *numbers, int count)
{
    sqlite3_stmt *statement = prepare(pruning->db, sql, numbers, count);
    int code = statement == NULL ? SQLITE_ERROR : sqlite3_step(statement);
    enum sk_status status =
        code == SQLITE_DONE ? SK_OK : refuse(pruning, "cannot_write", sqlite3_errmsg(pruning->db));

    (void)sqlite3_finalize(statement);
    return status;
}

static enum sk_status
open_file(struct pruning *pruning, bool writes)
{
    enum sk_status status = SK_OK;

    if (!writes) {
        status = reader_open(pruning->path, SQLITE_OPEN_NOMUTEX, &pruning->db, pruning->fault);
    } else if (sqlite3_open_v2(pruning->path, &pruning->db,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        status = refuse(pruning, "cannot_open", sqlite3_errmsg(pruning->db));
    }
    if (status != SK_OK) {
        return status;
    }
    (void)sqlite3_busy_timeout(pruning->db, BUSY_MS);
    return migrate_look(pruning->db, pruning->path, migrations_sqlite, migrations_sqlite_count,
                        pruning->fault);
}

static enum sk_status
count_all(struct pruning *pruning)
{
    sqlite3_stmt *statement = prepare(pruning->db, look_sql, &pruning->before_ms, 1);
    enum sk_status status = SK_OK;

    if (statement == NULL || sqlite3_step(statement) != SQLITE_ROW) {
        status = refuse(pruning, "cannot_read", sqlite3_errmsg(pruning->db));
    } else {
        pruning->count = (struct prune_count){
            sqlite3_column_int64(statement, 0),
            sqlite3_column_int64(statement, 1),
            sqlite3_column_int64(statement, 2),
        };
    }
    (void)sqlite3_finalize(statement);
    return status;
}

enum sk_status
prune_look(const char *path, int64_t before_ms, struct prune_count *ret_count,
           struct sk_fault *ret_fault)
{
    struct pruning pruning = { .path = path, .before_ms = before_ms, .fault = ret_fault };
    enum sk_status status;

    if (address_is_shared(path)) {
        return prune_shared_look(path, before_ms, ret_count, ret_fault);
    }
    status = open_file(&pruning, false);
    if (status == SK_OK) {
        status = count_all(&pruning);
    }
    reader_close(pruning.db);
    if (status == SK_OK) {
        *ret_count = pruning.count;
    }
    return status;
}

/* ---- dropping ---------------------------------------------------------------------------- */

/* The records of a match, last to first, found without blocking writers. */
struct found {
    int64_t *ids;
    int64_t count;
    int64_t capacity;
    int64_t turns;
};

static enum sk_status
find_records(struct pruning *pruning, int64_t match, struct found *found)
{
    sqlite3_stmt *statement = prepare(pruning->db, walk_sql, &match, 1);

    while (statement != NULL && sqlite3_step(statement) == SQLITE_ROW) {
        if (found->count == found->capacity) {
            found->capacity = found->capacity == 0 ? 1024 : 2 * found->capacity;
            found->ids = heap_grow(found->ids, (size_t)found->capacity * sizeof(*found->ids));
        }
        found->ids[found->count++] = sqlite3_column_int64(statement, 0);
        found->turns += sqlite3_column_int64(statement, 1);
    }
    if (statement == NULL || sqlite3_finalize(statement) != SQLITE_OK) {
        return refuse(pruning, "cannot_read", sqlite3_errmsg(pruning->db));
    }
    return SK_OK;
}

/* Oldest first, so that an interrupted run can continue from the last record. */
static enum sk_status
drop_some(struct pruning *pruning, int64_t match, struct found *found)
{
    enum sk_status status = run(pruning, "BEGIN IMMEDIATE", NULL, 0);
    sqlite3_stmt *statement = prepare(pruning->db, drop_sql, NULL, 0);

    for (int i = 0; status == SK_OK && statement != NULL && i < AT_ONCE && found->count > 0; i++) {
        (void)sqlite3_bind_int64(statement, 1, found->ids[--found->count]);
        (void)sqlite3_bind_int64(statement, 2, match);
        if (sqlite3_step(statement) != SQLITE_DONE) {
            status = refuse(pruning, "cannot_write", sqlite3_errmsg(pruning->db));
        }
        (void)sqlite3_reset(statement);
    }
    if (statement == NULL && status == SK_OK) {
        status = refuse(pruning, "cannot_write", sqlite3_errmsg(pruning->db));
    }
    (void)sqlite3_finalize(statement);
    if (status == SK_OK) {
        return run(pruning, "COMMIT", NULL, 0);
    }
    (void)sqlite3_exec(pruning->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* Marks the match as pruned first, so that nobody reads a match with gaps meanwhile. */
static enum sk_status
prune_match(struct pruning *pruning, int64_t match)
{
    struct found found = { .ids = NULL };
    enum sk_status status = find_records(pruning, match, &found);
    const int64_t mark[] = { match, pruning->now_ms, found.count, found.turns };
    const int64_t rest[] = { match, found.count };

    if (status == SK_OK) {
        status = run(pruning, mark_sql, mark, 4);
    }
    while (status == SK_OK && found.count > 0) {
        status = drop_some(pruning, match, &found);
    }
    if (status == SK_OK) {
        status = run(pruning, drop_rest_sql, rest, 2);
    }
    free(found.ids);
    return status;
}

static enum sk_status
next_matches(struct pruning *pruning, int64_t after, int64_t ret_ids[MATCHES_AHEAD], int *ret_count)
{
    const int64_t numbers[] = { pruning->before_ms, after, MATCHES_AHEAD };
    sqlite3_stmt *statement = prepare(pruning->db, next_sql, numbers, 3);
    int count = 0;

    while (statement != NULL && count < MATCHES_AHEAD && sqlite3_step(statement) == SQLITE_ROW) {
        ret_ids[count++] = sqlite3_column_int64(statement, 0);
    }
    *ret_count = count;
    if (statement == NULL || sqlite3_finalize(statement) != SQLITE_OK) {
        return refuse(pruning, "cannot_read", sqlite3_errmsg(pruning->db));
    }
    return SK_OK;
}

static enum sk_status
prune_all(struct pruning *pruning, database_progress *progress, void *context)
{
    enum sk_status status = SK_OK;
    int64_t ids[MATCHES_AHEAD];
    int64_t after = 0;
    int64_t done = 0;
    int count = MATCHES_AHEAD;

    while (status == SK_OK && count == MATCHES_AHEAD) {
        status = next_matches(pruning, after, ids, &count);
        for (int i = 0; status == SK_OK && i < count; i++) {
            status = prune_match(pruning, ids[i]);
            after = ids[i];
            done++;
            if (status == SK_OK && progress != NULL &&
                !progress(context, done, pruning->count.matches)) {
                status = refuse(pruning, "ended", "pruning was interrupted");
            }
        }
    }
    return status;
}

enum sk_status
prune_run(const char *path, int64_t before_ms, database_progress *progress, void *context,
          struct prune_count *ret_count, struct sk_fault *ret_fault)
{
    struct pruning pruning = { .path = path, .before_ms = before_ms, .fault = ret_fault };
    enum sk_status status;

    if (address_is_shared(path)) {
        return prune_shared_run(path, before_ms, progress, context, ret_count, ret_fault);
    }
    status = open_file(&pruning, true);
    pruning.now_ms = clock_ms(CLOCK_REALTIME);
    if (status == SK_OK) {
        status = count_all(&pruning);
    }
    if (status == SK_OK) {
        const int64_t numbers[] = { pruning.now_ms, (int64_t)geteuid(), before_ms,
                                    pruning.count.matches, pruning.count.records };

        status = run(&pruning, note_sql, numbers, 5);
    }
    if (status == SK_OK) {
        status = prune_all(&pruning, progress, context);
    }
    (void)sqlite3_close(pruning.db);
    if (status == SK_OK) {
        *ret_count = pruning.count;
    }
    return status;
}
