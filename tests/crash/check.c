#include "tests/crash/check.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/store/migrate.h"
#include "server/store/store.h"

#define PATH_SIZE 512

/* ---- through the store ------------------------------------------------------------------- */

static struct store_job *
run_job(struct store *store, struct store_job *job)
{
    struct store_port *port = store_port(store);
    struct store_job *done = NULL;

    if (!port->submit(port, job)) {
        abort();
    }
    while ((done = store_take_done(store)) == NULL) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
    }
    return done;
}

/* Loads 1, 2, 3 ... until there is no such match. */
static bool
load_matches(struct store *store, uint32_t count_max)
{
    bool is_fine = true;

    for (uint32_t i = 0; i <= count_max && is_fine; i++) {
        struct store_job *job = store_job_alloc(JOB_MATCH_LOAD);

        job->match_id = (int64_t)i + 1;
        job = run_job(store, job);
        if (job->result != STORE_OK && job->result != STORE_NOT_FOUND) {
            is_fine = work_complain("match %u cannot be loaded: %s", i + 1, job->message);
        }
        store_job_free(job);
    }
    return is_fine;
}

static bool
check_by_store(const struct work *work, const char *path)
{
    struct store_options options;
    struct store *store;
    struct sk_fault fault;
    bool is_fine;

    store_options_init(&options);
    if (store_open(path, &options, &store, &fault) != SK_OK) {
        return work_complain("the store does not open: %s: %s", fault.code, fault.message);
    }
    is_fine = load_matches(store, work->match_count);
    store_close(store);
    return is_fine;
}

/* ---- by SQL alone ------------------------------------------------------------------------ */

struct reading {
    const struct work *work;
    sqlite3 *db;
    uint32_t players;
    uint32_t matches;
    uint32_t *records; /* by match */
};

static sqlite3_stmt *
ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) {
        (void)work_complain("%s: %s", sql, sqlite3_errmsg(db));
        return NULL;
    }
    return statement;
}

static bool
is_answer(sqlite3 *db, const char *sql, const char *expected)
{
    sqlite3_stmt *statement = ask(db, sql);
    const char *answer = "";
    bool is_it;

    if (statement == NULL) {
        return false;
    }
    if (sqlite3_step(statement) == SQLITE_ROW) {
        answer = (const char *)sqlite3_column_text(statement, 0);
    }
    is_it = answer != NULL && strcmp(answer, expected) == 0;
    if (!is_it) {
        (void)work_complain("%s: %s instead of %s", sql, answer == NULL ? "NULL" : answer,
                            expected);
    }
    (void)sqlite3_finalize(statement);
    return is_it;
}

static bool
check_players(struct reading *reading)
{
    sqlite3_stmt *rows = ask(reading->db, "SELECT id, name, token_hash FROM player ORDER BY id");
    bool is_fine = rows != NULL;

    while (is_fine && sqlite3_step(rows) == SQLITE_ROW) {
        uint8_t token_hash[STORE_HASH_BYTES];
        char name[24];

        work_player(reading->players, name, token_hash);
        is_fine = sqlite3_column_int64(rows, 0) == (int64_t)reading->players + 1 &&
                  strcmp((const char *)sqlite3_column_text(rows, 1), name) == 0 &&
                  sqlite3_column_bytes(rows, 2) == STORE_HASH_BYTES &&
                  memcmp(sqlite3_column_blob(rows, 2), token_hash, STORE_HASH_BYTES) == 0;
        if (!is_fine) {
            (void)work_complain("player %u is not the one that was stored", reading->players + 1);
        }
        reading->players++;
    }
    (void)sqlite3_finalize(rows);
    return is_fine;
}

static bool
is_number(sqlite3_stmt *row, int column, int64_t value, int64_t null_value)
{
    bool is_null = sqlite3_column_type(row, column) == SQLITE_NULL;

    return value == null_value ? is_null : !is_null && sqlite3_column_int64(row, column) == value;
}

static bool
is_text(sqlite3_stmt *row, int column, const char *text)
{
    const char *stored = (const char *)sqlite3_column_text(row, column);

    return stored != NULL && strcmp(stored, text) == 0;
}

static bool
is_record(sqlite3_stmt *row, const struct work_record *record)
{
    return is_number(row, 2, record->turn, STORE_NO_TURN) &&
           is_number(row, 3, record->seat, STORE_NO_SEAT) &&
           (record->command_id[0] == '\0' ? sqlite3_column_type(row, 4) == SQLITE_NULL
                                          : is_text(row, 4, record->command_id)) &&
           is_text(row, 5, store_record_kind_names[record->kind]) &&
           is_text(row, 6, record->body) && sqlite3_column_int64(row, 7) == record->at_ms;
}

/* Each stored record is the one that was sent; their number is checked later. */
static bool
check_records(struct reading *reading)
{
    const struct work *work = reading->work;
    sqlite3_stmt *rows =
        ask(reading->db, "SELECT match, seq, turn, seat, command_id, kind, body, at FROM record "
                         "ORDER BY match, seq");
    bool is_fine = rows != NULL;

    while (is_fine && sqlite3_step(rows) == SQLITE_ROW) {
        int64_t match = sqlite3_column_int64(rows, 0);
        int64_t seq = sqlite3_column_int64(rows, 1);

        is_fine = match >= 1 && match <= work->match_count &&
                  seq == (int64_t)reading->records[match - 1] + 1 &&
                  seq <= work->matches[match - 1].count &&
                  is_record(rows, &work->matches[match - 1].records[seq - 1]);
        if (!is_fine) {
            (void)work_complain("record %lld of match %lld is not the one that was sent",
                                (long long)seq, (long long)match);
            break;
        }
        reading->records[match - 1]++;
    }
    (void)sqlite3_finalize(rows);
    return is_fine;
}

/* What a step changed besides its records is stored exactly if they are. */
static bool
check_matches(struct reading *reading)
{
    const struct work *work = reading->work;
    sqlite3_stmt *rows =
        ask(reading->db, "SELECT m.id, m.status, s.player, c.last_seq FROM match m "
                         "LEFT JOIN seat s ON s.match = m.id AND s.seat = 1 "
                         "LEFT JOIN chain c ON c.match = m.id ORDER BY m.id");
    bool is_fine = rows != NULL;

    while (is_fine && sqlite3_step(rows) == SQLITE_ROW) {
        uint32_t number = reading->matches++;
        bool is_there = number < work->match_count;
        uint32_t count = is_there ? reading->records[number] : 0;
        const struct work_match *match = is_there ? &work->matches[number] : NULL;
        const char *status = count == 0                              ? "nothing"
                             : work_has(match, count, RECORD_ENDED)  ? "over"
                             : work_has(match, count, RECORD_JOINED) ? "running"
                                                                     : "waiting";

        is_fine = is_there && sqlite3_column_int64(rows, 0) == (int64_t)number + 1 &&
                  is_text(rows, 1, status) &&
                  is_number(rows, 2, work_has(match, count, RECORD_JOINED) ? 1 : 0, 0) &&
                  is_number(rows, 3, count, 0);
        if (!is_fine) {
            (void)work_complain("match %u is not as its %u records say", number + 1, count);
        }
    }
    (void)sqlite3_finalize(rows);
    return is_fine;
}

static bool
is_after(const struct reading *reading, uint32_t steps, uint32_t *records)
{
    const struct work *work = reading->work;
    struct work_step last = work_after(work, steps, records);

    return last.players == reading->players && last.matches == reading->matches &&
           memcmp(records, reading->records, work->match_count * sizeof(*records)) == 0;
}

/* The last step that fits: steps that store nothing make several fit. */
static bool
find_moment(const struct reading *reading, uint32_t acknowledged, uint32_t *ret_steps)
{
    const struct work *work = reading->work;
    uint32_t *records = calloc(work->match_count + 1, sizeof(*records));
    bool is_found = false;

    if (records == NULL) {
        abort();
    }
    for (uint32_t i = work->step_count + 1; i > acknowledged && !is_found; i--) {
        is_found = is_after(reading, i - 1, records);
        *ret_steps = i - 1;
    }
    for (uint32_t i = acknowledged; i > 0 && !is_found; i--) {
        if (is_after(reading, i - 1, records)) {
            free(records);
            return work_complain("LOST: %u steps were acknowledged, only %u are stored",
                                 acknowledged, i - 1);
        }
    }
    free(records);
    return is_found || work_complain("what is stored was never so at any moment");
}

static bool
check_by_sql(const struct work *work, const char *path, uint32_t acknowledged, uint32_t *ret_steps)
{
    struct reading reading = { .work = work };
    bool is_fine;

    reading.records = calloc(work->match_count + 1, sizeof(*reading.records));
    if (reading.records == NULL ||
        sqlite3_open_v2(path, &reading.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        abort();
    }
    is_fine = is_answer(reading.db, "PRAGMA integrity_check", "ok") &&
              is_answer(reading.db, "PRAGMA foreign_key_check", "") && check_players(&reading) &&
              check_records(&reading) && check_matches(&reading) &&
              find_moment(&reading, acknowledged, ret_steps);
    (void)sqlite3_close(reading.db);
    free(reading.records);
    return is_fine;
}

/* ---- migrations -------------------------------------------------------------------------- */

static int64_t
ask_number(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        number = sqlite3_column_int64(statement, 0);
    }
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return number;
}

/* A migrated database has its copy, the only way back. */
static bool
check_copy(const char *path)
{
    char copy[PATH_SIZE + 32];

    (void)snprintf(copy, sizeof(copy), "%s.before-%04d", path, (int)migrations_sqlite[1].number);
    if (access(copy, F_OK) != 0) {
        return work_complain("migrated, and the copy from before is lost");
    }
    if (ask_number(copy, "SELECT count(*) FROM player") != WORK_OLD_PLAYERS ||
        ask_number(copy, "SELECT max(number) FROM schema_migration") != 1) {
        return work_complain("the copy from before the migration is not whole");
    }
    return true;
}

/* Checked before the store migrates.  This opens the file, so it uses a copy. */
static bool
was_migrated(const char *path)
{
    return ask_number(path, "SELECT count(*) FROM schema_migration") > 1;
}

bool
check_folder(const struct work *work, const char *folder, uint32_t acknowledged, bool had_older,
             uint32_t *ret_steps)
{
    char path[PATH_SIZE];
    bool is_fine = true;

    (void)snprintf(path, sizeof(path), "%s/%s", folder, WORK_DATABASE);
    if (had_older && was_migrated(path)) {
        is_fine = check_copy(path);
    }
    return is_fine && check_by_store(work, path) &&
           check_by_sql(work, path, acknowledged, ret_steps);
}
