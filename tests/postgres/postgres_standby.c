/*
 * With a synchronous standby nothing is acknowledged that it may not have, though a commit that did
 * not wait for it is visible: its wait was cancelled, or the connection was lost meanwhile.
 *
 * The standby is the server's, so this is one test.
 */
#include "common/core/schema.h"
#include "tests/unit/store_fixture.h"

/* ---- the standby ------------------------------------------------------------------------- */

/* A session that waits for the standby, and is not `last`; 0 = none. */
static int
waiting_session(const struct fixture *fixture, int last)
{
    char sql[192];

    (void)snprintf(
        sql, sizeof(sql),
        "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE wait_event = 'SyncRep' "
        "AND datname = current_database() AND pid <> %d",
        last);
    return atoi(fixture_ask(fixture, sql));
}

/* "cancel": the commit is reported as a success; "terminate": its connection is lost. */
static void
end_wait(const struct fixture *fixture, int session, const char *how)
{
    char sql[64];

    (void)snprintf(sql, sizeof(sql), "SELECT pg_%s_backend(%d)", how, session);
    cr_assert_str_eq(fixture_ask(fixture, sql), "t");
}

/* From now on commits wait for a standby that does not exist: others are made until one waits. */
static void
lose_standby(const struct fixture *fixture)
{
    char command[2 * FIXTURE_PATH];
    FILE *others;
    int session = 0;

    fixture_sql(fixture, "ALTER SYSTEM SET synchronous_standby_names = 'nobody';\n"
                         "DO $$ BEGIN PERFORM pg_reload_conf(); END $$;");
    (void)snprintf(command, sizeof(command),
                   "while psql -q '%s' -c 'UPDATE player SET name = name' 2>&1; do :; done",
                   fixture->path);
    others = popen(command, "r");
    cr_assert_not_null(others);
    while (session == 0) {
        session = waiting_session(fixture, 0);
    }
    end_wait(fixture, session, "terminate");
    (void)pclose(others);
}

/* What waits is confirmed. */
static void
bring_standby(const struct fixture *fixture)
{
    fixture_sql(fixture, "ALTER SYSTEM RESET synchronous_standby_names;\n"
                         "DO $$ BEGIN PERFORM pg_reload_conf(); END $$;");
}

/* ---- jobs -------------------------------------------------------------------------------- */

static struct store_job *
make_append(int64_t match)
{
    return job_submission(match, 0, 2, "first");
}

static struct store_job *
make_player(int64_t match)
{
    (void)match;
    return job_player(JOB_PLAYER_CREATE, "Bea", 2);
}

static struct store_job *
make_match(int64_t match)
{
    (void)match;
    return job_create(1);
}

static struct store_job *
make_command(int64_t match)
{
    (void)match;
    return job_ban(true);
}

static const struct {
    const char *label;
    struct store_job *(*make)(int64_t match);
    const char *how;
    const char *count; /* of what is stored in the end: 2 */
} cases[] = {
    { "an append, cancelled", make_append, "cancel", "SELECT count(*) FROM record" },
    { "an append, lost", make_append, "terminate", "SELECT count(*) FROM record" },
    { "a player, cancelled", make_player, "cancel", "SELECT count(*) FROM player" },
    { "a player, lost", make_player, "terminate", "SELECT count(*) FROM player" },
    { "a match, cancelled", make_match, "cancel", "SELECT count(*) FROM match" },
    { "a match, lost", make_match, "terminate", "SELECT count(*) FROM match" },
    { "a command, cancelled", make_command, "cancel", "SELECT 1 + count(*) FROM admin_log" },
    { "a command, lost", make_command, "terminate", "SELECT 1 + count(*) FROM admin_log" },
};

/* A session waits for the standby, and the job is not done. */
static int
expect_waiting(const struct fixture *fixture, const char *label, int last)
{
    int session = 0;

    while (session == 0) {
        struct store_job *done = store_take_done(fixture->store);

        cr_assert_null(done, "%s: it is done without the standby: %s", label,
                       done == NULL || done->message == NULL ? "stored" : done->message);
        session = waiting_session(fixture, last);
    }
    return session;
}

Test(postgres_standby, what_is_acknowledged_has_been_confirmed_by_it, .timeout = 600)
{
    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        struct fixture fixture;
        struct store_job *job;
        int64_t match;
        int session = 0;

        fixture_init(&fixture);
        fixture_open(&fixture);
        match = fixture_match(&fixture, fixture_player(&fixture, "Ann", 1));
        lose_standby(&fixture);
        fixture_submit(&fixture, cases[i].make(match));
        for (int ended = 0; ended < 2; ended++) {
            session = expect_waiting(&fixture, cases[i].label, session);
            end_wait(&fixture, session, cases[i].how);
        }
        (void)expect_waiting(&fixture, cases[i].label, session);
        bring_standby(&fixture);
        job = fixture_collect(&fixture, 1);
        cr_expect_eq(job->result, STORE_OK, "%s: %s", cases[i].label, job->message);
        cr_expect_str_eq(fixture_ask(&fixture, cases[i].count), "2", "%s", cases[i].label);
        store_job_free(job);
        fixture_close(&fixture);
    }
}
