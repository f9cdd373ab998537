/* Which matches a node claims, when it looks for them, and how urgently it loads them. */
#include <stdatomic.h>
#include <sys/resource.h>

#include "server/store/question.h"
#include "tests/postgres/nodes.h"

#define LOOK_MS 10000 /* between two looks at all unfinished matches */
#define RECENT  "sk_now()"
#define OLD     "sk_now() - 61000"

/* Its own lease does not end, though it has no beats. */
static void
open_store(struct fixture *fixture)
{
    fixture_init(fixture);
    fixture_open(fixture);
    fixture_sql(fixture, "UPDATE node SET expires = " LIVE);
}

/* Another node with that many matches. */
static void
add_node(const struct fixture *fixture, const char *beat_at, const char *expires, int matches)
{
    char sql[1024];

    (void)snprintf(
        sql, sizeof(sql),
        "WITH n AS (INSERT INTO node (name, path, beat_at, expires) "
        "VALUES ('other', '/n/other/', %s, %s) RETURNING id), "
        "m AS (INSERT INTO match (ruleset, version, status, is_open, is_rated, "
        "seat_count, created_at, seed, salt, settings, params) "
        "SELECT 'tactics', 3, 'running', 0, 0, 2, 1000, decode(repeat('5e', 32), 'hex'), "
        "decode(repeat('5a', 32), 'hex'), '{}', '{}' FROM generate_series(1, %d) "
        "RETURNING id, seed) "
        "INSERT INTO chain (match, owner, last_seq, head) "
        "SELECT m.id, n.id, 1, m.seed FROM m, n",
        beat_at, expires, matches);
    fixture_sql(fixture, sql);
}

/* The last round takes what is left, and the next one finds nothing. */
static void
expect_claimed(struct fixture *fixture, uint32_t matches, uint32_t limit)
{
    for (; matches > 0; matches -= matches < limit ? matches : limit) {
        cr_expect_eq(claim(fixture, (int)limit), matches < limit ? matches : limit);
    }
    cr_expect_eq(claim(fixture, (int)limit), 0);
}

Test(postgres_claims, a_new_node_looks_at_all_matches, .timeout = 600)
{
    struct fixture fixture;

    open_store(&fixture);
    add_node(&fixture, OLD, "1", 5);
    expect_claimed(&fixture, 5, 2); /* as long as there may be more, no round waits */
    fixture_close(&fixture);
}

Test(postgres_claims, matches_of_a_live_node_are_its_own, .timeout = 600)
{
    struct fixture fixture;

    open_store(&fixture);
    add_node(&fixture, RECENT, LIVE, 5);
    expect_claimed(&fixture, 0, 2);
    fixture_close(&fixture);
}

Test(postgres_claims, matches_of_a_node_that_has_just_died_wait_for_no_look_at_all, .timeout = 600)
{
    struct fixture fixture;

    open_store(&fixture);
    cr_expect_eq(claim(&fixture, 2), 0); /* looks at all */
    add_node(&fixture, RECENT, "1", 5);
    expect_claimed(&fixture, 5, 2);
    fixture_close(&fixture);
}

/* Such as one whose release was lost.  All nodes read all matches for them: not every second. */
Test(postgres_claims, other_matches_without_a_node_are_found_by_the_next_look_at_all,
     .timeout = 600)
{
    struct fixture fixture;
    int64_t began_ms = clock_ms(CLOCK_MONOTONIC);

    open_store(&fixture);
    cr_expect_eq(claim(&fixture, 2), 0); /* looks at all */
    add_node(&fixture, OLD, "1", 1);
    while (claim(&fixture, 2) == 0) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
    }
    cr_expect_geq(clock_ms(CLOCK_MONOTONIC) - began_ms, LOOK_MS);
    fixture_close(&fixture);
}

/* While the node that stops still waits for its clients. */
Test(postgres_claims, released_matches_wait_for_no_look_at_all, .timeout = 600)
{
    struct fixture fixture;
    struct fixture other;

    open_store(&fixture);
    (void)fixture_match(&fixture, fixture_player(&fixture, "Ann", 1));
    other = fixture;
    other.node = (struct store_node){ .name = "other",
                                      .path = "/n/other/",
                                      .rulesets = fixture.node.rulesets };
    other.options.node = &other.node;
    fixture_open(&other);
    cr_expect_eq(claim(&other, 2), 0); /* looks at all */
    cr_expect_eq(fixture_result(&fixture, store_job_alloc(JOB_RELEASE)), STORE_OK);
    expect_claimed(&other, 1, 2);
    store_close(other.store);
    fixture_close(&fixture);
}

/* ---- a node that has stopped ------------------------------------------------------------- */

static struct store_job *
job_beat(const int64_t *players, uint32_t count)
{
    struct store_job *job = store_job_alloc(JOB_BEAT);

    job->place = STORE_ASIDE;
    job->at_ms = 5000;
    job->beat.seen.count = count;
    if (count > 0) {
        job->beat.seen.at = malloc(count * sizeof(*players));
        cr_assert_not_null(job->beat.seen.at);
        memcpy(job->beat.seen.at, players, count * sizeof(*players));
    }
    return job;
}

/* If all beats wrote a common row, one node that hangs would cost all others their leases. */
Test(postgres_claims, a_beat_waits_for_no_row_that_another_node_has_locked, .timeout = 600)
{
    struct fixture fixture;
    int64_t players[2];
    FILE *other;

    open_store(&fixture);
    players[0] = fixture_player(&fixture, "Ann", 1);
    players[1] = fixture_player(&fixture, "Bea", 2);
    cr_expect_eq(fixture_result(&fixture, job_beat(players, 2)), STORE_OK);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT count(*) FROM player WHERE last_seen = 5000"),
                     "2");
    fixture_sql(&fixture, "UPDATE player SET last_seen = 1");
    other = session_open(&fixture, "other",
                         "UPDATE player SET last_seen = 2 WHERE name = 'Ann';\n"
                         "INSERT INTO beat (id, at) VALUES (1, 1) "
                         "ON CONFLICT (id) DO UPDATE SET at = 1;");
    cr_expect_eq(fixture_result(&fixture, job_beat(players, 2)), STORE_OK);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT name FROM player WHERE last_seen = 5000"),
                     "Bea"); /* who is locked is seen later */
    (void)pclose(other);
    fixture_close(&fixture);
}

static struct store_job *
job_claiming_load(int64_t match)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_LOAD);

    job->match_id = match;
    job->load.claims = true;
    job->place = STORE_FOR_PLAYERS;
    return job;
}

/* The writer would wait for 10 s, which is longer than a lease. */
Test(postgres_claims, what_runs_beside_the_writer_does_not_wait_long_for_a_lock, .timeout = 600)
{
    struct fixture fixture;
    int64_t began_ms;
    int64_t match;
    FILE *other;

    open_store(&fixture);
    match = fixture_match(&fixture, fixture_player(&fixture, "Ann", 1));
    fixture_sql(&fixture, "UPDATE chain SET owner = NULL");
    other = session_open(&fixture, "other", "SELECT 1 FROM chain FOR UPDATE;");
    cr_expect_eq(claim(&fixture, 2), 0); /* leaves out what is locked */
    began_ms = clock_ms(CLOCK_MONOTONIC);
    cr_expect_eq(fixture_result(&fixture, job_claiming_load(match)), STORE_UNAVAILABLE);
    cr_expect_lt(clock_ms(CLOCK_MONOTONIC) - began_ms, 10000);
    (void)pclose(other);
    cr_expect_eq(fixture_result(&fixture, job_claiming_load(match)), STORE_OK);
    fixture_close(&fixture);
}

/* Ratings are counted one match at a time, by one node at a time.  Another one may have stopped in
 * the middle, or all ratings are being recomputed. */
Test(postgres_claims, no_answer_waits_for_who_counts_ratings, .timeout = 600)
{
    struct fixture fixture;
    int64_t began_ms;
    int64_t match;
    FILE *other;

    open_store(&fixture);
    match = fixture_match(&fixture, fixture_player(&fixture, "Ann", 1));
    (void)fixture_player(&fixture, "Bea", 2);
    cr_expect_eq(fixture_result(&fixture, job_join(match, 0, 2, 2)), STORE_OK);
    other = session_open(&fixture, "other", "LOCK TABLE rated_match IN SHARE ROW EXCLUSIVE MODE;");
    began_ms = clock_ms(CLOCK_MONOTONIC);
    cr_expect_eq(fixture_result(&fixture, job_end(match, 0, 3, 0)), STORE_OK);
    cr_expect_neq(fixture_player(&fixture, "Cid", 3), 0);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(fixture_result(&fixture, job_beat(NULL, 0)), STORE_OK);
    }
    cr_expect_lt(clock_ms(CLOCK_MONOTONIC) - began_ms, 10000);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT count(*) FROM unrated_match"), "1");
    (void)pclose(other);
    while (strcmp(fixture_ask(&fixture, "SELECT count(*) FROM unrated_match"), "0") != 0) {
        cr_assert_lt(clock_ms(CLOCK_MONOTONIC) - began_ms, SOON_MS);
        cr_expect_eq(fixture_result(&fixture, job_beat(NULL, 0)), STORE_OK);
    }
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT number FROM rated_match"), "1");
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT wins FROM standing WHERE player = 1"), "1");
    fixture_close(&fixture);
}

/* What the statement saw when it began, an owner that is dead, is not true any more. */
Test(postgres_claims, a_claim_is_refused_if_another_node_was_faster, .timeout = 600)
{
    struct fixture fixture;
    struct store_job *job;
    int64_t match;
    FILE *other;

    open_store(&fixture);
    match = fixture_match(&fixture, fixture_player(&fixture, "Ann", 1));
    add_node(&fixture, RECENT, LIVE, 0);
    fixture_sql(&fixture, "UPDATE chain SET owner = NULL");
    other = session_open(&fixture, "other",
                         "UPDATE chain SET epoch = epoch + 1, "
                         "owner = (SELECT id FROM node WHERE name = 'other');");
    session_commit_when_awaited(other, "");
    job = fixture_run(&fixture, job_claiming_load(match));
    cr_expect_eq(job->result, STORE_ELSEWHERE, "%s", job->message);
    cr_assert_not_null(job->elsewhere);
    cr_expect_str_eq(job->elsewhere, "/n/other/");
    store_job_free(job);
    (void)pclose(other);
    fixture_close(&fixture);
}

/* The claim is stored, then the load loses its connection. */
Test(postgres_claims, a_load_that_is_sent_again_has_claimed_what_its_first_attempt_did,
     .timeout = 600)
{
    struct fixture fixture;
    struct store_job *job;
    int64_t match;
    FILE *other;

    open_store(&fixture);
    match = fixture_match(&fixture, fixture_player(&fixture, "Ann", 1));
    fixture_sql(&fixture, "UPDATE chain SET owner = NULL");
    other = session_open(&fixture, "other", "LOCK TABLE record;");
    session_commit_when_awaited(
        other, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE " IS_WAITING ";");
    job = fixture_run(&fixture, job_claiming_load(match));
    cr_expect_eq(job->result, STORE_OK, "%s", job->message);
    cr_expect(job->load.was_claimed);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT epoch FROM chain"), "2"); /* claimed once */
    store_job_free(job);
    (void)pclose(other);
    fixture_close(&fixture);
}

/* Older and newer programs share the database while they are upgraded. */
Test(postgres_claims, matches_of_other_versions_wait_for_a_node_that_has_them, .timeout = 600)
{
    static const char *const others[] = { "tactics 2", "tactics 4", "tactics 33", "halma 3", "" };
    struct fixture fixture;
    struct store_job *job;
    int64_t match;

    open_store(&fixture);
    match = fixture_match(&fixture, fixture_player(&fixture, "Ann", 1));
    add_node(&fixture, RECENT, "1", 0);
    fixture_sql(&fixture, "UPDATE chain SET owner = (SELECT id FROM node WHERE name = 'other')");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        fixture.node.rulesets = others[i];
        cr_expect_eq(claim(&fixture, 2), 0, "'%s'", others[i]);
        job = fixture_run(&fixture, job_claiming_load(match));
        cr_expect_eq(job->result, STORE_UNAVAILABLE, "'%s'", others[i]);
        cr_expect(job->load.is_unplayable, "'%s'", others[i]);
        store_job_free(job);
    }
    fixture.node.rulesets = "snarl 1,tactics 3";
    expect_claimed(&fixture, 1, 2);
    cr_expect_eq(fixture_result(&fixture, job_claiming_load(match)), STORE_OK);
    fixture_close(&fixture);
}

/* The database's clock goes on within a statement: it is 1 when the owner is looked up, then 2. */
static void
open_ticking(struct fixture *fixture, int64_t *ret_match)
{
    open_store(fixture);
    *ret_match = fixture_match(fixture, fixture_player(fixture, "Ann", 1));
    add_node(fixture, RECENT, "2", 0);
    fixture_sql(fixture, "UPDATE chain SET owner = (SELECT id FROM node WHERE name = 'other')");
    fixture_sql(fixture, "CREATE SEQUENCE tick; CREATE OR REPLACE FUNCTION sk_now() RETURNS bigint "
                         "LANGUAGE sql VOLATILE AS $$ SELECT nextval('tick') $$");
}

Test(postgres_claims, a_lease_that_ends_within_the_claim_is_a_claim, .timeout = 600)
{
    struct fixture fixture;
    struct store_job *job;
    int64_t match;

    open_ticking(&fixture, &match);
    job = fixture_run(&fixture, job_claiming_load(match));
    cr_expect_eq(job->result, STORE_OK, "%s", job->message);
    cr_expect_null(job->elsewhere);
    cr_expect(job->load.was_claimed);
    store_job_free(job);
    fixture_close(&fixture);
}

/* Likewise, and the node that had it is no answer. */
Test(postgres_claims, a_lease_that_ends_within_a_refused_claim_is_not_elsewhere, .timeout = 600)
{
    struct fixture fixture;
    struct store_job *job;
    int64_t match;

    open_ticking(&fixture, &match);
    fixture.node.rulesets = "halma 1";
    job = fixture_run(&fixture, job_claiming_load(match));
    cr_expect_eq(job->result, STORE_UNAVAILABLE);
    cr_expect_null(job->elsewhere);
    store_job_free(job);
    fixture_close(&fixture);
}

/* ---- priorities -------------------------------------------------------------------------- */

static atomic_int seen_nice; /* of the thread that was last done with a job */
static atomic_bool is_seen;

static void
see_priority(void *context)
{
    (void)context;
    atomic_store(&seen_nice, getpriority(PRIO_PROCESS, 0)); /* on Linux: of this thread */
    atomic_store(&is_seen, true);
}

static int
nice_of(struct fixture *fixture, struct store_job *job, enum store_place place)
{
    job->place = place;
    job->match_id = 1;
    atomic_store(&is_seen, false);
    store_job_free(fixture_run(fixture, job));
    while (!atomic_load(&is_seen)) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
    }
    return atomic_load(&seen_nice);
}

/* At a low priority, a busy machine would hardly load the matches of a node that has died. */
Test(postgres_claims, matches_are_loaded_at_the_priority_of_the_daemon, .timeout = 600)
{
    struct fixture fixture;
    int own = getpriority(PRIO_PROCESS, 0);

    fixture_init(&fixture);
    fixture.options.wake = see_priority;
    fixture_open(&fixture);
    cr_expect_eq(nice_of(&fixture, job_claiming_load(1), STORE_FOR_PLAYERS), own);
    cr_expect_eq(nice_of(&fixture, store_job_alloc(JOB_BEAT), STORE_ASIDE), own);
    cr_expect_geq(nice_of(&fixture, store_job_alloc(JOB_MATCH_LOAD), STORE_FOR_HTTP),
                  own > QUESTION_NICE ? own : QUESTION_NICE);
    fixture_close(&fixture);
}

/* ---- slow reads -------------------------------------------------------------------------- */

#define SLOW_S "15"

/* A leaderboard takes that long, without processor time of the node. */
static void
slow_leaderboard(const struct fixture *fixture)
{
    fixture_sql(fixture, "INSERT INTO standing VALUES ('tactics', 1, 1, 1, 0, 0); "
                         "ALTER TABLE standing RENAME TO fast; "
                         "CREATE VIEW standing AS SELECT * FROM fast WHERE pg_sleep(" SLOW_S
                         ") IS NOT NULL");
}

static struct store_job *
job_leaderboard(enum store_place place)
{
    struct store_job *job = store_job_alloc(JOB_TEXT);

    job->query.kind = QUERY_LEADERBOARD;
    job->place = place;
    return job;
}

/* The time counts that the database works, though the node only waits for it. */
Test(postgres_claims, a_slow_list_is_cancelled_and_charged_for, .timeout = 600)
{
    struct fixture fixture;
    struct store_job *job;

    open_store(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    slow_leaderboard(&fixture);
    job = fixture_run(&fixture, job_leaderboard(STORE_FOR_HTTP));
    cr_expect_eq(job->result, STORE_UNAVAILABLE);
    cr_expect_eq(job->work_us, STORE_TEXT_MAX_MS * 1000);
    store_job_free(job);
    fixture_close(&fixture);
}

Test(postgres_claims, a_match_is_loaded_while_lists_are_slow, .timeout = 600)
{
    struct fixture fixture;
    struct store_job *first;
    int64_t match;

    open_store(&fixture);
    match = fixture_match(&fixture, fixture_player(&fixture, "Ann", 1));
    slow_leaderboard(&fixture);
    for (int i = 0; i < 3; i++) {
        fixture_submit(&fixture, job_leaderboard(STORE_FOR_PLAYERS));
    }
    fixture_submit(&fixture, job_claiming_load(match));
    first = fixture_collect(&fixture, 4);
    cr_expect_eq(first->kind, JOB_MATCH_LOAD);
    cr_expect_eq(first->result, STORE_OK, "%s", first->message);
    fixture_free_all(first);
    fixture_close(&fixture);
}
