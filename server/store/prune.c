#include "server/store/prune.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "server/store/migrate.h"
#include "server/store/reader.h"

#define BUSY_MS       5000
#define AT_ONCE       "500" /* records in one transaction: a few milliseconds */
#define MATCHES_AHEAD 256

/* Those to be pruned, and those of a pruning that was broken off. */
#define FINISHED_BEFORE \
    "m.status = 'over' AND m.ended_at < ?1 AND m.id NOT IN (SELECT match FROM pruned)"

static const char look_sql[] =
    "SELECT count(DISTINCT m.id), count(*), coalesce(sum(length(CAST(r.body AS BLOB))), 0) "
    "FROM match m JOIN record r ON r.match = m.id WHERE " FINISHED_BEFORE;

static const char next_sql[] =
    "SELECT id FROM (SELECT m.id FROM match m WHERE " FINISHED_BEFORE " UNION "
    "SELECT d.match FROM pruned d WHERE EXISTS (SELECT 1 FROM record r WHERE r.match = d.match)) "
    "WHERE id > ?2 ORDER BY id LIMIT ?3";

static const char mark_sql[] =
    "INSERT INTO pruned (match, pruned_at, records, turns) SELECT ?1, ?2, count(*), "
    "coalesce(sum(kind = 'turn'), 0) FROM record WHERE match = ?1 ON CONFLICT (match) DO NOTHING";

static const char drop_sql[] =
    "DELETE FROM record WHERE rowid IN "
    "(SELECT rowid FROM record WHERE match = ?1 ORDER BY seq LIMIT " AT_ONCE ")";

static const char note_sql[] =
    "INSERT INTO admin_log (at, uid, command, detail) "
    "VALUES (?1, ?2, 'prune', json_object('before', ?3, 'matches', ?4, 'records', ?5))";

/* What the steps share. */
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
    (void)sk_fault_set(pruning->fault, code, pruning->path);
    sk_fault_say(pruning->fault, ": ");
    sk_fault_say(pruning->fault, message);
    return SK_ERR_REFUSED;
}

/* A statement with numbers; the caller steps and finalizes it.  NULL: the connection knows why. */
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
    enum sk_status status = open_file(&pruning, false);

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

/* First what says that they are gone: who looks meanwhile finds no match with holes. */
static enum sk_status
prune_match(struct pruning *pruning, int64_t match)
{
    const int64_t mark[] = { match, pruning->now_ms };
    enum sk_status status = run(pruning, mark_sql, mark, 2);

    do {
        if (status == SK_OK) {
            status = run(pruning, drop_sql, &match, 1);
        }
    } while (status == SK_OK && sqlite3_changes(pruning->db) > 0);
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
prune_all(struct pruning *pruning, upkeep_progress *progress, void *context)
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
                status = refuse(pruning, "ended", "the pruning was ended");
            }
        }
    }
    return status;
}

enum sk_status
prune_run(const char *path, int64_t before_ms, upkeep_progress *progress, void *context,
          struct prune_count *ret_count, struct sk_fault *ret_fault)
{
    struct pruning pruning = { .path = path, .before_ms = before_ms, .fault = ret_fault };
    struct timespec now;
    enum sk_status status = open_file(&pruning, true);

    (void)clock_gettime(CLOCK_REALTIME, &now);
    pruning.now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
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
