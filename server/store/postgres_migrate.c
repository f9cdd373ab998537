/*
 * Migrations: as migrate.h says, but all missing steps in one transaction that
 * locks the table of steps, so that nodes that start at once migrate once.
 * There is no copy before it: a failed step leaves nothing behind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/clock.h"
#include "server/memory.h"
#include "server/store/address.h"
#include "server/store/migrate.h"
#include "server/store/postgres.h"

#define CREATE_TRIES 3

static const char table_sql[] =
    "CREATE TABLE IF NOT EXISTS schema_migration (number integer PRIMARY KEY, "
    "name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL)";

static PGresult *
ask(struct link *link, const char *sql)
{
    PGresult *result = PQexec(link->connection, sql);

    if (!link_check(link, result)) {
        PQclear(result);
        return NULL;
    }
    return result;
}

/* Whether there is the table of steps, and whether there is any other. */
static bool
find_tables(struct link *link, bool *ret_has_steps, bool *ret_has_others)
{
    PGresult *result = ask(link, "SELECT count(*) FILTER (WHERE tablename = 'schema_migration'), "
                                 "count(*) FROM pg_tables WHERE schemaname = 'public'");

    if (result == NULL) {
        return false;
    }
    *ret_has_steps = atoi(PQgetvalue(result, 0, 0)) > 0;
    *ret_has_others = atoi(PQgetvalue(result, 0, 1)) > 0;
    PQclear(result);
    return true;
}

static enum sk_status
check_steps(struct link *link, const char *path, size_t *ret_applied, struct sk_fault *ret_fault)
{
    PGresult *result = ask(link, "SELECT number, checksum FROM schema_migration ORDER BY number");
    enum sk_status status = SK_OK;
    size_t applied = 0;
    char shown[ADDRESS_SHOWN_MAX];

    address_show(path, shown);
    if (result == NULL) {
        return postgres_refuse(link, path, "migration_failed", "cannot be read", ret_fault);
    }
    for (int i = 0; status == SK_OK && i < PQntuples(result); i++) {
        status = migrate_check(migrations_postgres, migrations_postgres_count, &applied,
                               strtoll(PQgetvalue(result, i, 0), NULL, 10),
                               PQgetvalue(result, i, 1), shown, ret_fault);
    }
    PQclear(result);
    *ret_applied = applied;
    return status;
}

enum sk_status
postgres_applied(struct link *link, const char *path, size_t *ret_applied,
                 struct sk_fault *ret_fault)
{
    bool has_steps;
    bool has_others;

    *ret_applied = 0;
    if (!find_tables(link, &has_steps, &has_others)) {
        return postgres_refuse(link, path, "cannot_open", "cannot be read", ret_fault);
    }
    if (!has_steps && has_others) {
        return postgres_refuse(NULL, path, "not_ours",
                               "is not a Skirmish database: its schema public has other tables; "
                               "create a database for Skirmish alone",
                               ret_fault);
    }
    return has_steps ? check_steps(link, path, ret_applied, ret_fault) : SK_OK;
}

enum sk_status
postgres_look(struct link *link, const char *path, struct sk_fault *ret_fault)
{
    size_t applied;
    enum sk_status status = postgres_applied(link, path, &applied, ret_fault);

    if (status == SK_OK && applied == 0) {
        return postgres_refuse(NULL, path, "not_ours", "is empty; start skirmishd on it first",
                               ret_fault);
    }
    if (status == SK_OK && applied < migrations_postgres_count) {
        return postgres_refuse(NULL, path, "schema_older",
                               "has an older schema; start skirmishd on it once, or use skirmish "
                               "migrate",
                               ret_fault);
    }
    return status;
}

static bool
apply(struct link *link, const struct migration *step)
{
    char sql[512];
    char digits[MIGRATE_CHECKSUM_DIGITS + 1];

    migrate_checksum(step, digits);
    (void)snprintf(sql, sizeof(sql),
                   "INSERT INTO schema_migration (number, name, checksum, applied_at) "
                   "VALUES (%d, '%s', '%s', %lld)",
                   (int)step->number, step->name, digits, (long long)clock_ms(CLOCK_REALTIME));
    return link_run(link, step->sql) && link_run(link, sql);
}

static enum sk_status
apply_missing(struct link *link, const char *path, struct sk_fault *ret_fault)
{
    size_t applied = 0;
    enum sk_status status = check_steps(link, path, &applied, ret_fault);

    for (size_t i = applied; status == SK_OK && i < migrations_postgres_count; i++) {
        if (!apply(link, &migrations_postgres[i])) {
            status = postgres_refuse(link, path, "migration_failed", migrations_postgres[i].name,
                                     ret_fault);
        }
    }
    return status;
}

/* Two nodes that create the table at once disturb each other, in spite of IF NOT EXISTS. */
static bool
make_table(struct link *link)
{
    for (int i = 0; i < CREATE_TRIES; i++) {
        if (link_run(link, table_sql)) {
            return true;
        }
    }
    return false;
}

enum sk_status
postgres_migrate(struct link *link, const char *path, struct sk_fault *ret_fault)
{
    size_t applied;
    enum sk_status status = postgres_applied(link, path, &applied, ret_fault);

    if (status != SK_OK || applied == migrations_postgres_count) {
        return status;
    }
    if (!make_table(link) ||
        /* Nodes that play wait behind a lock that waits, and their leases are short. */
        !link_run(link, "BEGIN; LOCK TABLE schema_migration IN ACCESS EXCLUSIVE MODE; "
                        "SET LOCAL lock_timeout = '1s'")) {
        return postgres_refuse(link, path, "migration_failed", "cannot be locked", ret_fault);
    }
    status = apply_missing(link, path, ret_fault);
    if (status != SK_OK) {
        (void)link_run(link, "ROLLBACK");
        return status;
    }
    return link_run(link, "COMMIT")
               ? SK_OK
               : postgres_refuse(link, path, "migration_failed", "commit", ret_fault);
}

enum sk_status
postgres_steps(const char *path, size_t *ret_applied, struct sk_fault *ret_fault)
{
    struct link link = { .url = heap_copy(path, strlen(path)) };
    enum sk_status status =
        link_open(&link) ? postgres_applied(&link, path, ret_applied, ret_fault)
                         : postgres_refuse(&link, path, "cannot_open", "cannot connect", ret_fault);

    link_close(&link);
    free(link.url);
    return status;
}
