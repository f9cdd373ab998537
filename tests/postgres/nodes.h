/*
 * Several nodes on one database: rounds of claims, and sessions of others, which have rows locked.
 *
 * Owner:   the test; pclose() ends a session.
 * Threads: as in store_fixture.h.
 */
#ifndef SK_TEST_NODES_H
#define SK_TEST_NODES_H

#include "server/clock.h"
#include "tests/unit/store_fixture.h"

#define LIVE    "9223372036854775807" /* a lease that does not end */
#define SOON_MS 60000 /* for what takes milliseconds, on a machine that is very busy */

/* How many matches a round claims. */
static inline uint32_t
claim(struct fixture *node, int32_t limit)
{
    struct store_job *job = store_job_alloc(JOB_CLAIM);
    uint32_t count;

    job->place = STORE_ASIDE;
    job->claim.limit = limit;
    (void)fixture_run(node, job);
    cr_assert_eq(job->result, STORE_OK, "%s", job->message);
    count = job->claim.ids.count;
    store_job_free(job);
    return count;
}

/* How many sessions have that name. */
static inline int
session_count(const struct fixture *database, const char *name)
{
    char sql[160];

    (void)snprintf(sql, sizeof(sql),
                   "SELECT count(*) FROM pg_stat_activity WHERE application_name = '%s' "
                   "AND datname = current_database()",
                   name);
    return atoi(fixture_ask(database, sql));
}

/* Another connection, in the middle of a transaction that has run this SQL. */
static inline FILE *
session_open(const struct fixture *database, const char *name, const char *sql)
{
    int64_t until_ms = clock_ms(CLOCK_MONOTONIC) + SOON_MS;
    char command[512];
    FILE *psql;

    (void)snprintf(command, sizeof(command), "exec psql -q -o /dev/null -v ON_ERROR_STOP=1 '%s'",
                   database->path);
    psql = popen(command, "w");
    cr_assert_not_null(psql);
    cr_assert_gt(fprintf(psql, "BEGIN;\n%s\nSET application_name = '%s';\n", sql, name), 0);
    cr_assert_eq(fflush(psql), 0);
    while (session_count(database, name) == 0) {
        cr_assert_lt(clock_ms(CLOCK_MONOTONIC), until_ms, "it failed: %s", sql);
        (void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    }
    return psql;
}

#define IS_WAITING "NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"

/* Once somebody waits for what the session has locked, it runs this SQL and commits.  If nobody
 * ever waits, it rolls back. */
static inline void
session_commit_when_awaited(FILE *session, const char *sql)
{
    cr_assert_gt(fprintf(session,
                         "DO $$ BEGIN FOR i IN 1 .. %d LOOP IF EXISTS (SELECT 1 FROM pg_locks "
                         "WHERE " IS_WAITING ") THEN RETURN; END IF; PERFORM pg_sleep(0.01); "
                         "END LOOP; RAISE 'nobody waits'; END $$;\n%s\nCOMMIT;\n",
                         SOON_MS / 10, sql),
                 0);
    cr_assert_eq(fflush(session), 0);
}

#endif /* SK_TEST_NODES_H */
