/* server/store: the chain of records, and how a changed byte is detected. */
#include "tests/unit/store_fixture.h"

#include "server/store/chain.h"
#include "tests/support/cases.h"

/* ---- the layout -------------------------------------------------------------------------- */

static struct sk_text
text_or_null(const char *text)
{
    return text != NULL ? sk_text_of(text) : (struct sk_text){ 0 };
}

struct layout_case {
    const char *label;
    uint8_t previous; /* each byte of the hash before */
    int64_t turn;     /* -1 = NULL */
    int64_t seat;
    const char *command_id;
    const char *hash;
};

/* Computed with the Python script of migrations/README.md. */
static const struct layout_case layout_cases[] = {
    { "all NULL", 0, -1, -1, NULL,
      "6222ce12982dbca1e46fdeb2a6aaae94802c2155e90e8b1969a80d4cf5f2157f" },
    { "nothing NULL", 0xab, 4, 1, "id-1",
      "4e686364bd2bb6d4ae60865e69e93c554c7a39e8801e2196d469188fffef8626" },
    { "empty is not NULL", 0xab, 4, 1, "",
      "d4c6d28c61c5f7fb746cace7df2ad2fc65199876aaff43cce3b852abccb1433c" },
};

CASES(store_chain, has_the_documented_bytes, layout_cases)
{
    const struct layout_case *c = &layout_cases[*index];
    struct chain_columns columns = {
        .match = 7,
        .seq = 300,
        .epoch = 1,
        .turn = { c->turn < 0, c->turn },
        .seat = { c->seat < 0, c->seat },
        .command_id = text_or_null(c->command_id),
        .kind = SK_TEXT("turn"),
        .body = SK_TEXT("{\"hash\":\"00\"}"),
        .at = INT64_C(1700000000123),
    };
    uint8_t hash[STORE_HASH_BYTES];
    char digits[2 * STORE_HASH_BYTES + 1];

    memset(hash, c->previous, sizeof(hash));
    chain_hash(hash, &columns, hash);
    for (size_t i = 0; i < sizeof(hash); i++) {
        (void)snprintf(digits + 2 * i, 3, "%02x", hash[i]);
    }
    cr_expect_str_eq(digits, c->hash, "%s", c->label);
}

/* ---- any byte ---------------------------------------------------------------------------- */

/* Three records: nothing NULL, all NULL, and one at the end. */
static void
make_match(struct fixture *fixture)
{
    fixture_init(fixture);
    fixture_open(fixture);
    (void)fixture_player(fixture, "Ann", 1);
    (void)fixture_match(fixture, 1);
    cr_assert_eq(fixture_result(fixture, job_submission(1, 0, 2, "some id")), STORE_OK);
    cr_assert_eq(fixture_result(fixture, job_submission(1, 0, 3, "other id")), STORE_OK);
}

/* An attacker's connection, without the checks of the tables. */
static sqlite3 *
connect_as_thief(const struct fixture *fixture)
{
    sqlite3 *db = fixture_connect(fixture);

    cr_assert_eq(sqlite3_exec(db,
                              "PRAGMA ignore_check_constraints = 1;"
                              "DROP INDEX record_block",
                              NULL, NULL, NULL),
                 SQLITE_OK);
    return db;
}

static sqlite3_stmt *
prepare_for(sqlite3 *db, const char *format, const char *column)
{
    sqlite3_stmt *statement = NULL;
    char sql[256];

    (void)snprintf(sql, sizeof(sql), format, column);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    return statement;
}

/* A column's value as bytes, and the way back. */
struct cell {
    int type;
    int size;
    uint8_t bytes[128];
};

static struct cell
cell_read(sqlite3 *db, const char *column, int64_t rowid)
{
    sqlite3_stmt *statement = prepare_for(db, "SELECT %s FROM record WHERE rowid = ?", column);
    struct cell cell = { 0 };

    (void)sqlite3_bind_int64(statement, 1, rowid);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    cell.type = sqlite3_column_type(statement, 0);
    if (cell.type == SQLITE_INTEGER) {
        int64_t number = sqlite3_column_int64(statement, 0);

        cell.size = sizeof(number);
        memcpy(cell.bytes, &number, sizeof(number));
    } else if (cell.type != SQLITE_NULL) {
        cell.size = sqlite3_column_bytes(statement, 0);
        cr_assert(cell.size < (int)sizeof(cell.bytes));
        memcpy(cell.bytes, sqlite3_column_blob(statement, 0), (size_t)cell.size);
    }
    (void)sqlite3_finalize(statement);
    return cell;
}

static void
cell_write(sqlite3 *db, const char *column, int64_t rowid, const struct cell *cell)
{
    sqlite3_stmt *statement = prepare_for(db, "UPDATE record SET %s = ? WHERE rowid = ?", column);
    int64_t number;

    memcpy(&number, cell->bytes, sizeof(number));
    if (cell->type == SQLITE_INTEGER) {
        (void)sqlite3_bind_int64(statement, 1, number);
    } else if (cell->type == SQLITE_TEXT) {
        (void)sqlite3_bind_text(statement, 1, (const char *)cell->bytes, cell->size,
                                SQLITE_TRANSIENT);
    } else if (cell->type == SQLITE_BLOB) {
        (void)sqlite3_bind_blob(statement, 1, cell->bytes, cell->size, SQLITE_TRANSIENT);
    }
    (void)sqlite3_bind_int64(statement, 2, rowid);
    cr_assert_eq(sqlite3_step(statement), SQLITE_DONE, "%s: %s", column, sqlite3_errmsg(db));
    (void)sqlite3_finalize(statement);
}

static void
expect_each_byte_counts(struct fixture *fixture, sqlite3 *db, const char *column, int64_t rowid)
{
    struct cell cell = cell_read(db, column, rowid);

    for (int i = 0; i < cell.size; i++) {
        cell.bytes[i] ^= 1;
        cell_write(db, column, rowid, &cell);
        cr_expect_eq(fixture_result(fixture, job_load(1)), STORE_CORRUPT,
                     "byte %d of %s in record %d", i, column, (int)rowid);
        cell.bytes[i] ^= 1;
        cell_write(db, column, rowid, &cell);
    }
}

static const char *const columns[] = { "match",      "seq",  "epoch", "turn", "seat",
                                       "command_id", "kind", "body",  "hash", "at" };

CASES(store_chain, breaks_with_any_byte_of_any_column, columns)
{
    const char *column = columns[*index];
    struct fixture fixture;
    sqlite3 *db;

    make_match(&fixture);
    db = connect_as_thief(&fixture);
    for (int64_t rowid = 1; rowid <= 3; rowid++) {
        expect_each_byte_counts(&fixture, db, column, rowid);
    }
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_OK, "all is as it was");
    (void)sqlite3_close(db);
    fixture_close(&fixture);
}

/* ---- other harm -------------------------------------------------------------------------- */

struct harm_case {
    const char *label;
    const char *sql;
    const char *message;
};

static const struct harm_case harm_cases[] = {
    { "NULL for a value", "UPDATE record SET turn = NULL WHERE seq = 2", "record 2 has a hash" },
    { "a value for NULL", "UPDATE record SET turn = -1 WHERE seq = 1", "record 1 has a hash" },
    { "an id for NULL", "UPDATE record SET command_id = '' WHERE seq = 1", "record 1 has a hash" },
    { "a record is gone", "DELETE FROM record WHERE seq = 2", "record 2 is missing" },
    { "the first is gone", "DELETE FROM record WHERE seq = 1", "record 1 is missing" },
    { "all are gone", "DELETE FROM record", "record 3 is missing" },
    { "two in the other order",
      "UPDATE record SET seq = 9 - seq WHERE seq > 1; UPDATE record SET seq = seq - 4 WHERE seq > "
      "5",
      "record 1 is missing" },
    { "the last is gone", "DELETE FROM record WHERE seq = 3", "record 3 is missing" },
    { "a record leads nowhere", "UPDATE record SET previous = NULL WHERE seq = 3",
      "record 2 is missing" },
    { "a record leads past one", "UPDATE record SET previous = 1 WHERE seq = 3",
      "record 2 is missing" },
    { "a record leads to itself", "UPDATE record SET previous = id", "record 2 is missing" },
    { "records lead in a circle", "UPDATE record SET previous = id % 3 + 1",
      "record 2 is missing" },
    { "the end is another record", "UPDATE chain SET last_record = 2",
      "record 2 is not the end of the chain" },
    { "the end is no record", "UPDATE chain SET last_record = NULL", "record 3 is missing" },
    { "another end", "UPDATE chain SET head = zeroblob(32)",
      "record 3 is not the end of the chain" },
    { "a later end", "UPDATE chain SET last_seq = 4", "record 3 is not the end of the chain" },
    { "no end", "DELETE FROM chain", "the end of its chain is missing" },
    { "a status nobody wrote", "UPDATE match SET status = 'ovre'", "status" },
    { "a short seed", "UPDATE match SET seed = x'00'", "seed" },
    { "too many seats", "UPDATE match SET seat_count = 5", "its seat_count" },
    { "a seat is gone", "DELETE FROM seat WHERE seat = 1", "1 seats instead of 2" },
};

CASES(store_chain, says_what_is_broken_and_where, harm_cases)
{
    const struct harm_case *c = &harm_cases[*index];
    struct fixture fixture;
    struct store_job *job;
    sqlite3 *db;

    make_match(&fixture);
    db = connect_as_thief(&fixture);
    cr_assert_eq(sqlite3_exec(db, c->sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    (void)sqlite3_close(db);
    job = fixture_run(&fixture, job_load(1));
    cr_expect_eq(job->result, STORE_CORRUPT, "%s", c->label);
    cr_assert_not_null(job->message, "%s", c->label);
    cr_expect_not_null(strstr(job->message, c->message), "%s: %s", c->label, job->message);
    store_job_free(job);
    fixture_close(&fixture);
}

Test(store_chain, without_its_end_is_not_appended_to)
{
    struct fixture fixture;

    make_match(&fixture);
    fixture_sql(&fixture, "DELETE FROM chain");
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, 4, "a")), STORE_UNAVAILABLE,
                 "it was there a moment ago");
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 1, 4, "a")), STORE_CORRUPT);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT count(*) FROM record"), "3");
    fixture_close(&fixture);
}

Test(store_chain, is_not_built_on_by_two)
{
    struct fixture fixture;

    make_match(&fixture);
    fixture_sql(&fixture, "INSERT INTO record SELECT 9, 3, match, 4, epoch, turn, seat, 'x', kind, "
                          "at, hash, body FROM record WHERE seq = 3");
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, 4, "a")), STORE_CORRUPT);
    fixture_close(&fixture);
}

Test(store_chain, that_is_broken_can_be_set_aside_while_others_go_on)
{
    struct fixture fixture;
    struct store_job *job = job_append(1, 0);

    make_match(&fixture);
    (void)fixture_match(&fixture, 1);
    fixture_sql(&fixture, "UPDATE record SET body = '{}' WHERE match = 1 AND seq = 2");
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_CORRUPT);
    job->append.change.is_quarantined = true;
    job->append.change.reason = copy_of("broken");
    cr_expect_eq(fixture_result(&fixture, job), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_submission(2, 0, 2, "a")), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_load(2)), STORE_OK);
    fixture_close(&fixture);
}
