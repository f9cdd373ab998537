#include "server/store/audit.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/store/address.h"
#include "server/store/audit_shared.h"
#include "server/store/audit_sql.h"
#include "server/store/migrate.h"
#include "server/store/reader.h"
#include "server/store/sqlite.h"

#define BUSY_MS 2000

struct audit {
    const char *path;
    sqlite3 *db;
    audit_found *found;
    void *context;
    bool has_counted; /* the records of all matches */
};

/* ---- checks ------------------------------------------------------------------------------ */

static const char *const match_questions[] = {
    AUDIT_OF_MATCHES,

    "SELECT m.id, 'rated_match', 'it counts for ratings, but is not among the counted matches' "
    "FROM match m " SEATS_AND_ORIGIN "WHERE m.id " MATCH_ROWS " AND " COUNTS
    "AND NOT EXISTS (SELECT 1 FROM rated_match r WHERE r.match = m.id)",

    "SELECT m.id, 'rated_match', 'it is among the counted matches, but does not count for ratings' "
    "FROM rated_match r JOIN match m ON m.id = r.match " SEATS_AND_ORIGIN
    "WHERE r.match " MATCH_ROWS " AND NOT coalesce(" COUNTS ", 0)",

    /* Records are dropped in order, the first one first. */
    "SELECT d.match, 'pruned', 'it is marked as pruned, but its first record exists' "
    "FROM pruned d JOIN chain c ON c.match = d.match JOIN record r ON r.id = c.first_record "
    "WHERE r.match = c.match AND d.match " MATCH_ROWS,

    "SELECT c.match, 'chain/first_record', 'it is not the match''s first record' FROM chain c "
    "LEFT JOIN record r ON r.id = c.first_record "
    "WHERE c.match " MATCH_ROWS " AND (r.match, r.seq, r.previous) IS NOT (c.match, 1, NULL) "
    "AND NOT EXISTS (SELECT 1 FROM pruned d WHERE d.match = c.match)",

    "SELECT d.match, 'pruned/pruned_at', 'admin_log has no pruning of matches that old at this "
    "time' "
    "FROM pruned d JOIN match m ON m.id = d.match WHERE d.match " MATCH_ROWS
    " AND NOT EXISTS (SELECT 1 FROM admin_log l WHERE l.at = d.pruned_at AND l.command = 'prune' "
    "AND json_valid(l.detail) AND json_extract(l.detail, '$.before') > m.ended_at)",
};

/*
 * The chain numbers a match's records without gaps, so more rows than that are
 * records that no chain leads to.  Pruning drops a match's last record last.
 * They are counted by blocks first, in the order of the index.
 */
static const char records_question[] =
    "SELECT r.match, iif(m.id IS NULL, 'record/match', 'record'), iif(m.id IS NULL, "
    "'there is no match ' || r.match, r.records || ' are stored, but its chain has ' || "
    "c.last_seq) "
    "FROM (SELECT match, sum(records) AS records FROM (SELECT match, count(*) AS records "
    "FROM record WHERE match " MATCH_ROWS " GROUP BY id >> 11, match) GROUP BY match) r "
    "LEFT JOIN match m ON m.id = r.match LEFT JOIN chain c ON c.match = r.match "
    "WHERE m.id IS NULL OR r.records > c.last_seq "
    "OR (EXISTS (SELECT 1 FROM pruned d WHERE d.match = r.match) "
    "AND NOT EXISTS (SELECT 1 FROM record l WHERE l.id = c.last_record AND l.match = c.match))";

/*
 * Much faster, and enough if every match is proven: then each has as many rows as
 * its chain says.
 */
static const char totals_sql[] =
    "SELECT (SELECT count(*) FROM record) <> (SELECT coalesce(sum(c.last_seq), 0) FROM chain c "
    "JOIN match m ON m.id = c.match WHERE c.match NOT IN (SELECT match FROM pruned))";

/* Ids are assigned once and rows are never deleted. */
#define MISSING(table)                                                        \
    "SELECT NULL, '" table "', '" table " ' || (before + 1) || "              \
    "iif(id - before > 2, ' to ' || (id - 1), '') || ' is missing' "          \
    "FROM (SELECT id, lag(id, 1, 0) OVER (ORDER BY id) AS before FROM " table \
    " UNION ALL SELECT seq + 1, (SELECT coalesce(max(id), 0) FROM " table     \
    ") FROM sqlite_sequence WHERE name = '" table "') WHERE id - before > 1"

static const char *const other_questions[] = {
    AUDIT_OF_OTHERS,
    MISSING("match"),
    MISSING("player"),

    /* The last admin action on a player decides whether they are banned. */
    "WITH last AS (SELECT player, command, at, detail FROM admin_log l WHERE id = (SELECT max(id) "
    "FROM admin_log n WHERE n.player = l.player AND n.command IN ('ban', 'unban', 'forget'))), "
    "told AS (SELECT player, at AS since, json_extract(detail, '$.reason') AS reason, "
    "at + nullif(json_extract(detail, '$.hours'), 0) * 3600000 AS until FROM last "
    "WHERE command = 'ban' AND json_valid(detail)) "
    "SELECT NULL, CASE WHEN b.player IS NULL OR t.player IS NULL THEN 'ban' "
    "WHEN b.since <> t.since THEN 'ban/since' WHEN b.until IS NOT t.until THEN 'ban/until' "
    "ELSE 'ban/reason' END, 'player ' || coalesce(b.player, t.player) || "
    "CASE WHEN b.player IS NULL THEN ' is banned according to admin_log, but has no ban' "
    "WHEN t.player IS NULL THEN ' is banned, but not according to admin_log' "
    "ELSE ' has a ban that differs from admin_log' END "
    "FROM (SELECT player FROM told UNION SELECT player FROM ban) w "
    "LEFT JOIN told t ON t.player = w.player LEFT JOIN ban b ON b.player = w.player "
    "WHERE (b.since, b.until, b.reason) IS NOT (t.since, t.until, coalesce(t.reason, '')) "
    "OR b.player IS NULL OR t.player IS NULL",

    "SELECT NULL, 'admin_log/id', 'row ' || (before + 1) || ' is missing' FROM (SELECT id, "
    "lag(id, 1, 0) OVER (ORDER BY id) AS before FROM admin_log) WHERE id - before > 1",
    "SELECT NULL, 'admin_log/detail', 'row ' || id || ' is not JSON' FROM admin_log "
    "WHERE NOT json_valid(detail)",

    /* The log keeps the newest calls, without a gap up to the last id. */
    "SELECT NULL, 'bot_call_log/id', 'call ' || (before + 1) || ' is missing' FROM (SELECT id, "
    "lag(id, 1, id - 1) OVER (ORDER BY id) AS before FROM bot_call_log "
    "UNION ALL SELECT seq + 1, (SELECT coalesce(max(id), 0) FROM bot_call_log) "
    "FROM sqlite_sequence WHERE name = 'bot_call_log') WHERE id - before > 1",
    "SELECT c.match, 'bot_call_log/turn', 'call ' || c.id || ' is for a turn that was never open' "
    "FROM bot_call_log c JOIN chain h ON h.match = c.match "
    "JOIN record r ON r.id = h.last_record AND r.match = h.match "
    "WHERE c.turn NOT BETWEEN 0 AND r.turn + (r.kind = 'turn')",

    "SELECT match, 'rated_match/number', 'number ' || (before + 1) || ' is missing' FROM (SELECT "
    "match, number, lag(number, 1, 0) OVER (ORDER BY number) AS before FROM rated_match) "
    "WHERE number - before > 1",

    /*
     * Matches count in the order in which their last records were appended; those
     * from before ratings existed, in the order of their times.
     */
    "SELECT match, 'rated_match/number', 'it is counted after match ' || before || "
    "', but ended before it' FROM (SELECT q.match, q.row, m.ended_at, "
    "lag(q.match) OVER w AS before, lag(q.row) OVER w AS row_before, "
    "lag(m.ended_at) OVER w AS ended_before FROM (SELECT r.number, r.match, c.last_record AS row "
    "FROM rated_match r JOIN chain c ON c.match = r.match) q JOIN match m ON m.id = q.match "
    "WINDOW w AS (ORDER BY q.number)) "
    "WHERE row < row_before AND (ended_at, match) < (ended_before, before)",
};

/* The recomputed values are in temp tables of the same names. */
static const char *const standing_questions[] = { AUDIT_OF_STANDINGS("main", "temp") };
static const char *const seat_questions[] = { AUDIT_OF_RATINGS("main", "temp") };

/*
 * Checks every page, and every index against its table.  If SQLite meets a view
 * first, it treats a check of the whole file as a partial one and skips the
 * free list, so the schema table is checked explicitly.
 */
static const char *const file_questions[] = {
    "SELECT NULL, 'file', replace(integrity_check, char(10), ' ') FROM pragma_integrity_check "
    "WHERE integrity_check <> 'ok'",
    "SELECT NULL, 'file', replace(integrity_check, char(10), ' ') FROM "
    "pragma_integrity_check('sqlite_schema') "
    "WHERE integrity_check <> 'ok'",
};

/* No free page may be in use.  This reads the whole file, and without free pages there is nothing
 * to check. */
static const char has_free_pages_sql[] = "SELECT freelist_count > 0 FROM pragma_freelist_count";
static const char pages_question[] =
    "SELECT NULL, 'file', pages.page_count || ' pages, of which ' || used.count || "
    "' are in use and ' || free.freelist_count || ' are free' FROM pragma_freelist_count free, "
    "pragma_page_count pages, (SELECT sum(pageno) AS count FROM dbstat WHERE aggregate = 1) used "
    "WHERE used.count + free.freelist_count <> pages.page_count";

/* ---- running the checks ------------------------------------------------------------------ */

static enum sk_status
cannot_read(const struct audit *audit, sqlite3 *db, struct sk_fault *fault)
{
    return sk_fault_set_about(fault, "cannot_read", audit->path, sqlite3_errmsg(db));
}

static const char *
text_of(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);

    return text == NULL ? "" : text;
}

static enum sk_status
ask(const struct audit *audit, sqlite3 *db, const char *sql, int64_t first, int64_t last,
    struct sk_fault *ret_fault)
{
    sqlite3_stmt *statement = NULL;
    uint32_t count = 0;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);

    if (code == SQLITE_OK && sqlite3_bind_parameter_count(statement) == 2) {
        (void)sqlite3_bind_int64(statement, 1, first);
        (void)sqlite3_bind_int64(statement, 2, last);
    }
    while (code == SQLITE_OK && count <= AUDIT_FOUND_MAX && sqlite3_step(statement) == SQLITE_ROW) {
        bool is_last = count++ == AUDIT_FOUND_MAX;

        audit->found(audit->context, is_last ? 0 : sqlite3_column_int64(statement, 0),
                     text_of(statement, 1), is_last ? "and more" : text_of(statement, 2));
    }
    code = sqlite3_finalize(statement);
    return code == SQLITE_OK ? SK_OK : cannot_read(audit, db, ret_fault);
}

static enum sk_status
ask_all(const struct audit *audit, sqlite3 *db, const char *const *questions, size_t count,
        int64_t first, int64_t last, struct sk_fault *ret_fault)
{
    enum sk_status status = SK_OK;

    for (size_t i = 0; status == SK_OK && i < count; i++) {
        status = ask(audit, db, questions[i], first, last, ret_fault);
    }
    return status;
}

/* A question with one answer. */
static enum sk_status
ask_whether(const struct audit *audit, const char *sql, bool *ret_is_so, struct sk_fault *ret_fault)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(audit->db, sql, -1, &statement, NULL);

    if (code == SQLITE_OK) {
        *ret_is_so = sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int(statement, 0) != 0;
        code = sqlite3_finalize(statement);
    }
    return code == SQLITE_OK ? SK_OK : cannot_read(audit, audit->db, ret_fault);
}

/* ---- the schema -------------------------------------------------------------------------- */

static const char expected_sql[] =
    "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' "
    "ESCAPE '!'";
static const char stored_sql[] = "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?";
static const char triggers_sql[] =
    "SELECT NULL, 'schema/' || name, 'no migration creates this trigger' "
    "FROM sqlite_schema WHERE type = 'trigger'";

static void
say_schema(const struct audit *audit, const char *type, const char *name, const char *what)
{
    char at[256];
    char words[256];

    (void)snprintf(at, sizeof(at), "schema/%s", name);
    (void)snprintf(words, sizeof(words), "the %s %s", type, what);
    audit->found(audit->context, 0, at, words);
}

/* Compares one object that the migrations create. */
static enum sk_status
compare_thing(const struct audit *audit, sqlite3_stmt *expected, sqlite3_stmt *stored,
              struct sk_fault *ret_fault)
{
    const char *type = text_of(expected, 0);
    const char *name = text_of(expected, 1);
    int code;

    (void)sqlite3_bind_text(stored, 1, type, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(stored, 2, name, -1, SQLITE_STATIC);
    code = sqlite3_step(stored);
    if (code == SQLITE_DONE) {
        say_schema(audit, type, name, "is missing");
    } else if (code == SQLITE_ROW && strcmp(text_of(stored, 0), text_of(expected, 2)) != 0) {
        say_schema(audit, type, name, "differs from what the migrations create");
    }
    return sqlite3_reset(stored) == SQLITE_OK ? SK_OK : cannot_read(audit, audit->db, ret_fault);
}

static enum sk_status
compare_schema(const struct audit *audit, sqlite3 *made, struct sk_fault *ret_fault)
{
    sqlite3_stmt *expected = NULL;
    sqlite3_stmt *stored = NULL;
    enum sk_status status = SK_OK;

    if (sqlite3_prepare_v2(made, expected_sql, -1, &expected, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(audit->db, stored_sql, -1, &stored, NULL) != SQLITE_OK) {
        status = cannot_read(audit, audit->db, ret_fault);
    }
    while (status == SK_OK && sqlite3_step(expected) == SQLITE_ROW) {
        status = compare_thing(audit, expected, stored, ret_fault);
    }
    (void)sqlite3_finalize(expected);
    (void)sqlite3_finalize(stored);
    return status;
}

/* Compares the steps' names only: migrate_look has compared their texts. */
static enum sk_status
compare_steps(const struct audit *audit, struct sk_fault *ret_fault)
{
    static const char sql[] = "SELECT name FROM schema_migration ORDER BY number";
    sqlite3_stmt *statement = NULL;
    size_t at = 0;

    (void)sqlite3_prepare_v2(audit->db, sql, -1, &statement, NULL);
    for (; at < migrations_sqlite_count && sqlite3_step(statement) == SQLITE_ROW; at++) {
        if (strcmp(text_of(statement, 0), migrations_sqlite[at].name) != 0) {
            audit->found(audit->context, 0, "schema_migration/name", migrations_sqlite[at].name);
        }
    }
    return sqlite3_finalize(statement) == SQLITE_OK ? SK_OK
                                                    : cannot_read(audit, audit->db, ret_fault);
}

enum sk_status
audit_schema(struct audit *audit, struct sk_fault *ret_fault)
{
    sqlite3 *made = NULL;
    enum sk_status status = SK_OK;

    if (audit->db == NULL) {
        return SK_OK; /* opening it has compared the texts of the applied steps */
    }
    if (sqlite3_open(":memory:", &made) != SQLITE_OK) {
        status = cannot_read(audit, made, ret_fault);
    }
    if (status == SK_OK) {
        status =
            migrate_run(made, audit->path, migrations_sqlite, migrations_sqlite_count, ret_fault);
    }
    if (status == SK_OK) {
        status = compare_schema(audit, made, ret_fault);
    }
    if (status == SK_OK) {
        status = ask(audit, audit->db, triggers_sql, 0, 0, ret_fault);
    }
    (void)sqlite3_close(made);
    return status == SK_OK ? compare_steps(audit, ret_fault) : status;
}

/* ---- ratings ----------------------------------------------------------------------------- */

static enum sk_status
audit_all_ratings(const struct audit *audit, struct sqlite *sqlite, struct sk_fault *ret_fault)
{
    enum sk_status status;

    if (!sql_ratings_count_beside(&sqlite->sql, INT64_MAX)) {
        return cannot_read(audit, sqlite->db, ret_fault);
    }
    status = ask_all(audit, sqlite->db, standing_questions, AUDIT_COUNT_OF(standing_questions), 0,
                     0, ret_fault);
    if (status == SK_OK) {
        status = ask_all(audit, sqlite->db, seat_questions, AUDIT_COUNT_OF(seat_questions),
                         INT64_MIN, INT64_MAX, ret_fault);
    }
    return status;
}

/* The last rated match among these; 0: none is rated. */
static bool
last_rated(sqlite3 *db, const int64_t *matches, uint32_t count, int64_t *ret_number)
{
    static const char sql[] = "SELECT number FROM rated_match WHERE match = ?";
    sqlite3_stmt *statement = NULL;
    int64_t last = 0;
    bool is_fine = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK;

    for (uint32_t i = 0; is_fine && i < count; i++) {
        (void)sqlite3_bind_int64(statement, 1, matches[i]);
        if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int64(statement, 0) > last) {
            last = sqlite3_column_int64(statement, 0);
        }
        is_fine = sqlite3_reset(statement) == SQLITE_OK;
    }
    (void)sqlite3_finalize(statement);
    *ret_number = last;
    return is_fine;
}

static enum sk_status
audit_some_ratings(const struct audit *audit, struct sqlite *sqlite, const int64_t *matches,
                   uint32_t count, struct sk_fault *ret_fault)
{
    enum sk_status status = SK_OK;
    int64_t last;

    if (!last_rated(sqlite->db, matches, count, &last) ||
        (last > 0 && !sql_ratings_count_beside(&sqlite->sql, last))) {
        return cannot_read(audit, sqlite->db, ret_fault);
    }
    for (uint32_t i = 0; last > 0 && status == SK_OK && i < count; i++) {
        status = ask_all(audit, sqlite->db, seat_questions, AUDIT_COUNT_OF(seat_questions),
                         matches[i], matches[i], ret_fault);
    }
    return status;
}

/* Uses its own connection and one transaction, so that it compares exactly what it counted. */
enum sk_status
audit_ratings(struct audit *audit, const int64_t *matches, uint32_t count,
              struct sk_fault *ret_fault)
{
    struct store_options options;
    struct backend *backend = NULL;
    enum sk_status status;

    if (audit->db == NULL) {
        return audit_shared_ratings(audit->path, matches, count, audit->found, audit->context,
                                    ret_fault);
    }
    store_options_init(&options);
    status = sqlite_open_read_only(audit->path, &options, &backend, ret_fault);
    if (status != SK_OK) {
        return status;
    }
    status = matches == NULL
                 ? audit_all_ratings(audit, (struct sqlite *)backend, ret_fault)
                 : audit_some_ratings(audit, (struct sqlite *)backend, matches, count, ret_fault);
    backend->close(backend);
    return status;
}

/* ---- entry points ------------------------------------------------------------------------ */

enum sk_status
audit_open(const char *path, audit_found *found, void *context, struct audit **ret_audit,
           struct sk_fault *ret_fault)
{
    struct audit *audit = calloc(1, sizeof(*audit));
    enum sk_status status;

    if (audit == NULL) {
        return sk_fault_set(ret_fault, "no_memory", "not enough memory");
    }
    *audit = (struct audit){ .path = path, .found = found, .context = context };
    if (address_is_shared(path)) {
        *ret_audit = audit;
        return SK_OK;
    }
    status = reader_open(path, SQLITE_OPEN_NOMUTEX, &audit->db, ret_fault);
    if (status == SK_OK) {
        (void)sqlite3_busy_timeout(audit->db, BUSY_MS);
        status =
            migrate_look(audit->db, path, migrations_sqlite, migrations_sqlite_count, ret_fault);
    }
    if (status != SK_OK) {
        audit_close(audit);
        return status;
    }
    *ret_audit = audit;
    return SK_OK;
}

void
audit_close(struct audit *audit)
{
    if (audit != NULL) {
        reader_close(audit->db);
        free(audit);
    }
}

static enum sk_status
audit_rows(const struct audit *audit, int64_t first, int64_t last, struct sk_fault *ret_fault)
{
    return ask_all(audit, audit->db, match_questions, AUDIT_COUNT_OF(match_questions), first, last,
                   ret_fault);
}

enum sk_status
audit_match(struct audit *audit, int64_t match, struct sk_fault *ret_fault)
{
    enum sk_status status;

    if (audit->db == NULL) {
        return audit_shared_rows(audit->path, match, match, audit->found, audit->context,
                                 ret_fault);
    }
    status = audit_rows(audit, match, match, ret_fault);
    return status == SK_OK ? ask(audit, audit->db, records_question, match, match, ret_fault)
                           : status;
}

enum sk_status
audit_records(struct audit *audit, struct sk_fault *ret_fault)
{
    if (audit->db == NULL || audit->has_counted) {
        return SK_OK;
    }
    audit->has_counted = true;
    return ask(audit, audit->db, records_question, INT64_MIN, INT64_MAX, ret_fault);
}

static enum sk_status
audit_file(const struct audit *audit, struct sk_fault *ret_fault)
{
    enum sk_status status =
        ask_all(audit, audit->db, file_questions, AUDIT_COUNT_OF(file_questions), 0, 0, ret_fault);
    bool has_free_pages = false;

    if (status == SK_OK && sqlite3_compileoption_used("ENABLE_DBSTAT_VTAB")) {
        status = ask_whether(audit, has_free_pages_sql, &has_free_pages, ret_fault);
    }
    return has_free_pages ? ask(audit, audit->db, pages_question, 0, 0, ret_fault) : status;
}

enum sk_status
audit_all(struct audit *audit, struct sk_fault *ret_fault)
{
    bool is_different = false;
    enum sk_status status;

    if (audit->db == NULL) {
        return audit_shared_all(audit->path, audit->found, audit->context, ret_fault);
    }
    status = audit_rows(audit, INT64_MIN, INT64_MAX, ret_fault);
    if (status == SK_OK) {
        status = ask_whether(audit, totals_sql, &is_different, ret_fault);
    }
    if (status == SK_OK && is_different) {
        status = audit_records(audit, ret_fault);
    }
    if (status == SK_OK) {
        status = ask_all(audit, audit->db, other_questions, AUDIT_COUNT_OF(other_questions), 0, 0,
                         ret_fault);
    }
    if (status == SK_OK) {
        status = audit_ratings(audit, NULL, 0, ret_fault);
    }
    return status == SK_OK ? audit_file(audit, ret_fault) : status;
}
