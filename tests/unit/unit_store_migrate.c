/* server/store: from any older file to the current schema, and never back. */
#include <sys/stat.h>

#include "server/store/migrate.h"
#include "tests/support/cases.h"
#include "tests/unit/store_fixture.h"

#define MIGRATION(n, sql_name, text)              \
    {                                             \
        (n), (sql_name), (text), sizeof(text) - 1 \
    }

static const struct migration steps[] = {
    MIGRATION(1, "0001_one.sql", "CREATE TABLE one (a INTEGER); INSERT INTO one VALUES (11);"),
    MIGRATION(2, "0002_two.sql", "CREATE TABLE two (a INTEGER); INSERT INTO one VALUES (12);"),
    MIGRATION(3, "0003_three.sql", "CREATE TABLE three (a INTEGER);"),
};

static const struct migration edited[] = {
    MIGRATION(1, "0001_one.sql", "CREATE TABLE one (a INTEGER); INSERT INTO one VALUES (99);"),
    MIGRATION(2, "0002_two.sql", "CREATE TABLE two (a INTEGER); INSERT INTO one VALUES (12);"),
};

static const struct migration failing[] = {
    MIGRATION(1, "0001_one.sql", "CREATE TABLE one (a INTEGER); INSERT INTO one VALUES (11);"),
    MIGRATION(2, "0002_bad.sql", "INSERT INTO one VALUES (13); CREATE TABLE one (b INTEGER);"),
};

/* Runs the first `count` of the list on the fixture's file. */
static enum sk_status
run_steps(const struct fixture *fixture, const struct migration *list, size_t count,
          struct sk_fault *ret_fault)
{
    sqlite3 *db = fixture_connect(fixture);
    enum sk_status status = migrate_run(db, fixture->path, list, count, ret_fault);

    cr_expect(sqlite3_get_autocommit(db), "a transaction was left open");
    (void)sqlite3_close(db);
    return status;
}

/* The name of the fixture's file with a suffix. */
static const char *
beside(const struct fixture *fixture, const char *end)
{
    static char path[2 * FIXTURE_PATH];

    (void)snprintf(path, sizeof(path), "%s%s", fixture->path, end);
    return path;
}

Test(store_migrate, brings_an_empty_file_to_today_without_a_copy)
{
    struct fixture fixture;

    fixture_init(&fixture);
    fixture_open(&fixture);
    for (size_t i = 0; i < migrations_sqlite_count; i++) {
        char sql[128];

        (void)snprintf(sql, sizeof(sql), "SELECT name FROM schema_migration WHERE number = %zu",
                       i + 1);
        cr_expect_str_eq(fixture_ask(&fixture, sql), migrations_sqlite[i].name);
    }
    cr_expect_str_eq(
        fixture_ask(&fixture, "SELECT count(*) FROM schema_migration WHERE length(checksum) <> 64 "
                              "OR applied_at < 1600000000000"),
        "0");
    cr_expect_neq(access(beside(&fixture, ".before-0001"), F_OK), 0);
    cr_expect_str_eq(fixture_ask(&fixture, "PRAGMA journal_mode"), "wal");
    fixture_close(&fixture);
}

Test(store_migrate, leaves_a_file_of_today_alone)
{
    struct fixture fixture;
    struct sk_fault fault;

    fixture_init(&fixture);
    cr_assert_eq(run_steps(&fixture, steps, 3, &fault), SK_OK);
    fixture_sql(&fixture, "UPDATE schema_migration SET applied_at = 5");
    cr_assert_eq(run_steps(&fixture, steps, 3, &fault), SK_OK);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT sum(applied_at) FROM schema_migration"), "15");
    fixture_close(&fixture);
}

Test(store_migrate, copies_an_older_file_before_it_goes_on)
{
    struct fixture fixture;
    struct fixture copy;
    struct sk_fault fault;
    struct stat about;

    fixture_init(&fixture);
    cr_assert_eq(run_steps(&fixture, steps, 1, &fault), SK_OK);
    fixture_sql(&fixture, "PRAGMA journal_mode = WAL");
    cr_assert_eq(chmod(fixture.path, 0600), 0);
    cr_assert_eq(run_steps(&fixture, steps, 3, &fault), SK_OK, "%s", fault.message);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT group_concat(a) FROM one"), "11,12");

    copy = fixture;
    (void)snprintf(copy.path, sizeof(copy.path), "%.200s/matches.db.before-0002", fixture.folder);
    cr_assert_eq(stat(copy.path, &about), 0);
    cr_expect_eq(about.st_mode & 0777, 0600, "as private as the file");
    cr_expect_str_eq(fixture_ask(&copy, "SELECT group_concat(a) FROM one"), "11");
    cr_expect_str_eq(fixture_ask(&copy, "PRAGMA integrity_check"), "ok");
    cr_expect_neq(access(beside(&fixture, ".before-0002.part"), F_OK), 0);
    cr_expect_neq(access(beside(&fixture, ".before-0003"), F_OK), 0, "one copy for all steps");
    cr_assert_eq(run_steps(&copy, steps, 3, &fault), SK_OK, "the copy can be used");
    fixture_close(&fixture);
}

static void
expect_refusal(const struct fixture *fixture, const struct migration *list, size_t count,
               const char *code, const char *words)
{
    struct sk_fault fault;

    cr_assert_eq(run_steps(fixture, list, count, &fault), SK_ERR_REFUSED);
    cr_expect_str_eq(fault.code, code);
    cr_expect_not_null(strstr(fault.message, words), "%s", fault.message);
    cr_expect_not_null(strstr(fault.message, fixture->path), "%s", fault.message);
}

Test(store_migrate, refuses_a_file_that_is_newer_than_the_program)
{
    struct fixture fixture;
    struct sk_fault fault;

    fixture_init(&fixture);
    cr_assert_eq(run_steps(&fixture, steps, 3, &fault), SK_OK);
    expect_refusal(&fixture, steps, 2, "schema_newer",
                   "has migration 3, but this program only knows");
    fixture_close(&fixture);
}

Test(store_migrate, refuses_a_file_with_a_step_that_was_edited_since)
{
    struct fixture fixture;
    struct sk_fault fault;

    fixture_init(&fixture);
    cr_assert_eq(run_steps(&fixture, steps, 1, &fault), SK_OK);
    expect_refusal(&fixture, edited, 2, "schema_changed", "0001_one.sql was applied with a text");
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT max(number) FROM schema_migration"), "1");
    fixture_close(&fixture);
}

Test(store_migrate, refuses_a_file_with_a_step_left_out)
{
    struct fixture fixture;
    struct sk_fault fault;

    fixture_init(&fixture);
    cr_assert_eq(run_steps(&fixture, steps, 3, &fault), SK_OK);
    fixture_sql(&fixture, "DELETE FROM schema_migration WHERE number = 2");
    expect_refusal(&fixture, steps, 3, "schema_changed", "0002_two.sql is missing");
    fixture_close(&fixture);
}

Test(store_migrate, does_not_touch_what_is_not_ours)
{
    struct fixture fixture;
    FILE *file;

    fixture_init(&fixture);
    fixture_sql(&fixture, "CREATE TABLE bookmarks (url TEXT)");
    expect_refusal(&fixture, steps, 3, "not_ours", "not a Skirmish database");
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT count(*) FROM sqlite_schema"), "1");

    file = fopen(fixture.path, "w");
    cr_assert_not_null(file);
    (void)fputs("This is a letter and no database, and it is long enough to be looked at.", file);
    (void)fclose(file);
    expect_refusal(&fixture, steps, 3, "migration_failed", "not a database");
    fixture_close(&fixture);
}

Test(store_migrate, takes_back_a_step_that_fails_and_keeps_the_ones_before)
{
    struct fixture fixture;

    fixture_init(&fixture);
    expect_refusal(&fixture, failing, 2, "migration_failed", "0002_bad.sql: table one already");
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT group_concat(a) FROM one"), "11");
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT max(number) FROM schema_migration"), "1");
    fixture_close(&fixture);
}

Test(store_migrate, is_asked_before_a_store_opens)
{
    struct fixture fixture;
    struct sk_fault fault;

    fixture_init(&fixture);
    fixture_open(&fixture);
    store_close(fixture.store);
    fixture.store = NULL;
    fixture_sql(&fixture, "INSERT INTO schema_migration VALUES (9999, '9999_later.sql', 'x', 1)");
    cr_expect_eq(store_open(fixture.path, &fixture.options, &fixture.store, &fault),
                 SK_ERR_REFUSED);
    cr_expect_str_eq(fault.code, "schema_newer");
    cr_expect_null(fixture.store);
    fixture_close(&fixture);
}

/* A rated match whose row is a moment behind its records, as programs before that step wrote it. */
static const char a_moment_later[] =
    "INSERT INTO player (id, name, token_hash, created_at) VALUES (1, 'Ann', randomblob(32), 1), "
    "(2, 'Bob', randomblob(32), 1);"
    "INSERT INTO match (id, ruleset, version, status, is_open, is_rated, seat_count, created_at, "
    "started_at, ended_at, winner, reason, seed, salt, settings, params) VALUES "
    "(1, 'tactics', 1, 'over', 1, 1, 2, 100, 203, 9005, 0, 'x', zeroblob(32), zeroblob(32), '{}', "
    "'{}'), (2, 'tactics', 1, 'over', 1, 0, 2, 100, 70000, 90000, 0, 'x', zeroblob(32), "
    "zeroblob(32), '{}', '{}');"
    "INSERT INTO seat (match, seat, player) VALUES (1, 0, 1), (1, 1, 2), (2, 0, 1), (2, 1, 2);"
    "INSERT INTO record (match, seq, epoch, kind, at, hash, body) SELECT m.id, k.seq, 1, k.kind, "
    "k.at, zeroblob(32), k.body FROM match m, (SELECT 1 AS seq, 'created' AS kind, 100 AS at, "
    "'not JSON' AS body UNION ALL SELECT 2, 'joined', 150, '{\"starts\":false}' UNION ALL "
    "SELECT 3, 'joined', 200, '{\"starts\":true}' UNION ALL SELECT 4, 'ended', 9000, '{}') k;"
    "INSERT INTO chain (match, last_seq, head) VALUES (1, 4, zeroblob(32)), (2, 4, zeroblob(32));"
    "INSERT INTO rated_match (match) VALUES (1);"
    "INSERT INTO standing (ruleset, player, games, wins, draws, losses, rated_at) VALUES "
    "('tactics', 1, 1, 1, 0, 0, 9005), ('tactics', 2, 1, 0, 0, 1, 9005)";

Test(store_migrate, times_become_those_of_the_records_and_ratings_follow)
{
    struct fixture fixture;
    struct sk_fault fault;
    size_t before = 0;

    while (strcmp(migrations_sqlite[before].name, "0014_times.sql") != 0) {
        before++;
    }
    fixture_init(&fixture);
    cr_assert_eq(run_steps(&fixture, migrations_sqlite, before, &fault), SK_OK);
    fixture_sql(&fixture, a_moment_later);
    fixture_open(&fixture);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT started_at || ' ' || ended_at FROM match "
                                           "WHERE id = 1"),
                     "200 9000");
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT group_concat(rated_at) FROM standing"),
                     "9000,9000");
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT rating > 1600 FROM standing WHERE player = 1"),
                     "1");
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT started_at || ' ' || ended_at FROM match "
                                           "WHERE id = 2"),
                     "70000 90000", "what is not a moment's difference is for verify to find");
    fixture_close(&fixture);
}
