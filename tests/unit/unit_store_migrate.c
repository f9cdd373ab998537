/* server/store: from any older file to the tables of today, and never back. */
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

/* The fixture's file with something behind its name. */
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
    expect_refusal(&fixture, steps, 2, "schema_newer", "has migration 3 but this program knows");
    fixture_close(&fixture);
}

Test(store_migrate, refuses_a_file_with_a_step_that_was_edited_since)
{
    struct fixture fixture;
    struct sk_fault fault;

    fixture_init(&fixture);
    cr_assert_eq(run_steps(&fixture, steps, 1, &fault), SK_OK);
    expect_refusal(&fixture, edited, 2, "schema_changed", "0001_one.sql was applied with another");
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
    expect_refusal(&fixture, steps, 3, "not_ours", "something else");
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
