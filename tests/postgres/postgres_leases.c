/* Until when clocks ran at a node that has died or stopped, and what its sessions have locked. */
#include <sys/socket.h>
#include <sys/un.h>

#include "common/base/limits.h"
#include "tests/postgres/nodes.h"

#define FIRST_MS 4000 /* when nodes were last seen: long ago, unlike any other time here */
#define FIRST    SK_LIMIT_TEXT(FIRST_MS)
#define LATER_MS 7000

/* Its lease does not end, though it has no beats. */
static void
open_node(struct fixture *node)
{
    char sql[128];

    fixture_open(node);
    (void)snprintf(sql, sizeof(sql), "UPDATE node SET expires = " LIVE " WHERE id = %lld",
                   (long long)node->node.id);
    fixture_sql(node, sql);
}

/* A node with a match, on a database of its own. */
static int64_t
open_first(struct fixture *node)
{
    fixture_init(node);
    open_node(node);
    return fixture_match(node, fixture_player(node, "Ann", 1));
}

/* Another node on the same database. */
static void
open_other(const struct fixture *first, const char *name, struct fixture *ret_node)
{
    *ret_node = *first;
    ret_node->node.name = name;
    ret_node->node.path = "/n/other/";
    ret_node->options.node = &ret_node->node;
    open_node(ret_node);
}

/* As if it was last seen then. */
static void
set_lease(const struct fixture *node, int64_t beat_ms, const char *expires)
{
    char sql[160];

    (void)snprintf(sql, sizeof(sql), "UPDATE node SET beat_at = %lld, expires = %s WHERE id = %lld",
                   (long long)beat_ms, expires, (long long)node->node.id);
    fixture_sql(node, sql);
}

static void
die(const struct fixture *node, int64_t beat_ms)
{
    set_lease(node, beat_ms, "1");
}

/* Loads the match, which is to be run there.  Returns until when its clocks ran; 0: they run. */
static int64_t
load_again(struct fixture *node, int64_t match, int64_t room_stopped_ms)
{
    struct store_job *job = job_load(match);
    int64_t stopped_ms;

    job->load.claims = true;
    job->load.stopped_ms = room_stopped_ms;
    job->place = STORE_FOR_PLAYERS;
    (void)fixture_run(node, job);
    cr_assert_eq(job->result, STORE_OK, "%s", job->message);
    stopped_ms = job->match.stopped_at_ms;
    store_job_free(job);
    return stopped_ms;
}

static int64_t
load(struct fixture *node, int64_t match)
{
    return load_again(node, match, 0);
}

static const char *
stopped_at(const struct fixture *node)
{
    return fixture_ask(node, "SELECT stopped_at FROM chain");
}

static void
append(struct fixture *node, int64_t match, uint32_t seq, int64_t at_ms)
{
    struct store_job *job = job_submission(match, 0, seq, NULL);

    job->records[0].at_ms = at_ms;
    cr_assert_eq(fixture_result(node, job), STORE_OK);
}

/* ---- a node that has died ---------------------------------------------------------------- */

Test(postgres_leases, clocks_of_a_claimed_match_ran_until_its_node_was_last_seen, .timeout = 600)
{
    struct fixture one;
    struct fixture two;
    int64_t match = open_first(&one);

    open_other(&one, "two", &two);
    cr_expect_eq(load(&one, match), 0); /* its own */
    die(&one, FIRST_MS);
    cr_expect_eq(load(&two, match), FIRST_MS);
    cr_expect_str_eq(stopped_at(&two), FIRST);
    store_close(two.store);
    fixture_close(&one);
}

Test(postgres_leases, clocks_of_matches_that_a_round_claims_ran_as_long, .timeout = 600)
{
    struct fixture one;
    struct fixture two;
    int64_t match = open_first(&one);

    open_other(&one, "two", &two);
    die(&one, FIRST_MS);
    cr_expect_eq(claim(&two, 2), 1);
    cr_expect_str_eq(stopped_at(&two), FIRST);
    cr_expect_eq(load(&two, match), FIRST_MS);
    store_close(two.store);
    fixture_close(&one);
}

/* Nobody has played at it: players are not charged for the time in between. */
Test(postgres_leases, a_node_that_dies_before_it_has_appended_does_not_move_the_stop,
     .timeout = 600)
{
    struct fixture one;
    struct fixture two;
    struct fixture three;
    int64_t match = open_first(&one);

    open_other(&one, "two", &two);
    open_other(&one, "three", &three);
    die(&one, FIRST_MS);
    cr_expect_eq(load(&two, match), FIRST_MS);
    die(&two, LATER_MS);
    cr_expect_eq(load(&three, match), FIRST_MS);
    die(&three, LATER_MS);
    set_lease(&two, LATER_MS, LIVE);
    cr_expect_eq(claim(&two, 2), 1);
    cr_expect_str_eq(stopped_at(&two), FIRST);
    store_close(three.store);
    store_close(two.store);
    fixture_close(&one);
}

/* What the writer remembers of it is from before it was elsewhere. */
Test(postgres_leases, a_match_that_comes_back_is_appended_to_at_once, .timeout = 600)
{
    struct fixture first;
    struct fixture other;
    int64_t match = open_first(&first);

    append(&first, match, 2, LATER_MS);
    open_other(&first, "other", &other);
    die(&first, FIRST_MS);
    (void)load(&other, match);
    append(&other, match, 3, LATER_MS);
    die(&other, FIRST_MS);
    set_lease(&first, FIRST_MS, LIVE);
    (void)load(&first, match);
    cr_expect_eq(fixture_result(&first, job_submission(match, 1, 4, NULL)), STORE_OK);
    store_close(other.store);
    fixture_close(&first);
}

/* Such as a full disk: the answer is known, and the match stays with its node. */
Test(postgres_leases, what_the_server_cannot_store_is_not_lost, .timeout = 600)
{
    struct fixture node;
    struct store_job *job;
    int64_t match = open_first(&node);

    fixture_sql(&node, "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                       "RAISE 'no space left on device' USING ERRCODE = '53100'; END $$;"
                       "CREATE TRIGGER full_disk BEFORE INSERT ON record "
                       "EXECUTE FUNCTION full_disk();");
    job = fixture_run(&node, job_submission(match, 0, 2, NULL));
    cr_expect_eq(job->result, STORE_UNAVAILABLE);
    cr_expect_str_eq(job->message, "ERROR:  no space left on device (53100)");
    store_job_free(job);
    fixture_sql(&node, "DROP TRIGGER full_disk ON record;");
    cr_expect_eq(fixture_result(&node, job_submission(match, 1, 2, NULL)), STORE_OK);
    fixture_close(&node);
}

/* Each job of such a group is sent again by itself. */
Test(postgres_leases, beside_a_job_that_is_refused_the_match_of_another_node_is_lost,
     .timeout = 600)
{
    struct fixture node;
    struct store_job *jobs;
    int64_t match = open_first(&node);
    int64_t others = fixture_match(&node, 1);
    int64_t refused = fixture_match(&node, 1);
    char sql[256];
    FILE *holder;

    (void)snprintf(sql, sizeof(sql),
                   "UPDATE chain SET owner = NULL, epoch = epoch + 1 WHERE match = %lld;"
                   "ALTER TABLE record ADD CHECK (match <> %lld OR seq < 2)",
                   (long long)others, (long long)refused);
    fixture_sql(&node, sql);
    (void)snprintf(sql, sizeof(sql), "SELECT 1 FROM chain WHERE match = %lld FOR UPDATE;",
                   (long long)match);
    holder = session_open(&node, "holder", sql);
    fixture_submit(&node, job_submission(match, 0, 2, NULL)); /* it waits: the others are a group */
    fixture_submit(&node, job_submission(others, 1, 2, NULL));
    fixture_submit(&node, job_submission(refused, 0, 2, NULL));
    session_commit_when_awaited(holder, "");
    jobs = fixture_collect(&node, 3);
    for (const struct store_job *job = jobs; job != NULL; job = job->next) {
        cr_expect_eq(job->result, job->match_id == match    ? STORE_OK
                                  : job->match_id == others ? STORE_LOST
                                                            : STORE_UNAVAILABLE);
    }
    fixture_free_all(jobs);
    (void)pclose(holder);
    fixture_close(&node);
}

/* A server that crashes may forget ids that it has given and nobody has used. */
Test(postgres_leases, a_match_whose_id_was_given_twice_gets_another_one, .timeout = 600)
{
    struct fixture node;
    struct fixture other;
    struct store_job *jobs = job_create(1);
    int64_t match = open_first(&node);
    char sql[128];
    FILE *holder;

    open_other(&node, "other", &other);
    (void)snprintf(sql, sizeof(sql), "ALTER SEQUENCE match_id_seq RESTART WITH %lld",
                   (long long)match + 1);
    fixture_sql(&node, sql);
    memset(jobs->match.salt, 1, STORE_SEED_BYTES);
    jobs = fixture_run(&other, jobs);
    cr_assert_eq(jobs->result, STORE_OK);
    cr_assert_eq(jobs->match_id, match + 1, "it is not the one that the node has drawn, too");
    store_job_free(jobs);

    (void)snprintf(sql, sizeof(sql), "SELECT 1 FROM chain WHERE match = %lld FOR UPDATE;",
                   (long long)match);
    holder = session_open(&node, "holder", sql);
    fixture_submit(&node, job_submission(match, 0, 2, NULL)); /* it waits: the others are a group */
    fixture_submit(&node, job_create(1));
    fixture_submit(&node, job_create(1));
    session_commit_when_awaited(holder, "");
    jobs = fixture_collect(&node, 3);
    for (const struct store_job *job = jobs; job != NULL; job = job->next) {
        cr_expect_eq(job->result, STORE_OK, "%s", job->message);
        cr_expect_neq(job->match_id, match + 1);
    }
    fixture_free_all(jobs);
    cr_expect_str_eq(fixture_ask(&node, "SELECT string_agg(get_byte(salt, 0)::text, ' ' ORDER BY "
                                        "id) FROM match"),
                     "90 1 90 90");
    (void)pclose(holder);
    store_close(other.store);
    fixture_close(&node);
}

/* Likewise. */
Test(postgres_leases, an_operators_command_whose_id_was_given_twice_gets_another_one,
     .timeout = 600)
{
    struct fixture node;
    struct store_job *job = job_ban(true);

    (void)open_first(&node);
    fixture_sql(&node, "INSERT INTO admin_log (id, at, uid, command, player, detail) "
                       "VALUES (7, 999, 0, 'unban', 1, '{}')");
    job->admin.drawn_id = 7; /* by an attempt whose answer was lost */
    (void)fixture_run(&node, job);
    cr_expect_eq(job->result, STORE_OK, "%s", job->message);
    store_job_free(job);
    cr_expect_str_eq(fixture_ask(&node, "SELECT count(*) FROM ban"), "1");
    cr_expect_str_eq(fixture_ask(&node, "SELECT command FROM admin_log WHERE id <> 7"), "ban");
    fixture_close(&node);
}

/* One that was made before it, such as one that was on its way when a node paused, does not. */
Test(postgres_leases, an_append_that_was_made_after_the_stop_lets_clocks_run, .timeout = 600)
{
    struct fixture one;
    struct fixture two;
    struct fixture three;
    int64_t match = open_first(&one);

    open_other(&one, "two", &two);
    open_other(&one, "three", &three);
    die(&one, FIRST_MS);
    cr_expect_eq(load(&two, match), FIRST_MS);
    append(&two, match, 2, FIRST_MS);
    cr_expect_str_eq(stopped_at(&two), FIRST);
    append(&two, match, 3, FIRST_MS + 1);
    cr_expect_str_eq(stopped_at(&two), "NULL");
    cr_expect_eq(load(&two, match), 0);
    die(&two, LATER_MS);
    cr_expect_eq(load(&three, match), LATER_MS);
    store_close(three.store);
    store_close(two.store);
    fixture_close(&one);
}

/* ---- a node that stops or pauses --------------------------------------------------------- */

Test(postgres_leases, a_release_stops_clocks_once, .timeout = 600)
{
    struct fixture one;
    struct fixture two;
    struct fixture three;
    int64_t match = open_first(&one);
    int64_t before_ms;
    int64_t after_ms;
    int64_t stopped_ms;

    open_other(&one, "two", &two);
    open_other(&one, "three", &three);
    set_lease(&one, FIRST_MS, LIVE);
    before_ms = atoll(fixture_ask(&one, "SELECT sk_now()"));
    cr_expect_eq(fixture_result(&one, store_job_alloc(JOB_RELEASE)), STORE_OK);
    after_ms = atoll(fixture_ask(&one, "SELECT sk_now()"));
    stopped_ms = load(&two, match);
    cr_expect(before_ms <= stopped_ms && stopped_ms <= after_ms, "%lld is not in %lld ... %lld",
              (long long)stopped_ms, (long long)before_ms, (long long)after_ms);
    cr_expect_eq(fixture_result(&two, store_job_alloc(JOB_RELEASE)), STORE_OK);
    cr_expect_eq(load(&three, match), stopped_ms); /* two had not appended anything */
    store_close(three.store);
    store_close(two.store);
    fixture_close(&one);
}

static enum store_result
beat(struct fixture *node, bool has_paused)
{
    struct store_job *job = store_job_alloc(JOB_BEAT);

    job->place = STORE_ASIDE;
    job->beat.has_paused = has_paused;
    return fixture_result(node, job);
}

Test(postgres_leases, a_beat_after_a_pause_stops_clocks_at_the_beat_before, .timeout = 600)
{
    struct fixture one;
    int64_t match = open_first(&one);

    cr_expect_eq(beat(&one, false), STORE_OK);
    cr_expect_str_eq(stopped_at(&one), "NULL");
    set_lease(&one, FIRST_MS, LIVE);
    cr_expect_eq(beat(&one, true), STORE_OK);
    cr_expect_str_eq(stopped_at(&one), FIRST);
    set_lease(&one, LATER_MS, LIVE);
    cr_expect_eq(beat(&one, true), STORE_OK);
    cr_expect_eq(load(&one, match), FIRST_MS); /* it has paused twice */
    fixture_close(&one);
}

/* Others may have claimed its matches, though it has not paused: the database's clock was set. */
Test(postgres_leases, a_beat_that_comes_after_the_lease_does_the_same_and_says_so, .timeout = 600)
{
    struct fixture one;
    int64_t match = open_first(&one);

    set_lease(&one, FIRST_MS, "1");
    cr_expect_eq(beat(&one, false), STORE_LOST);
    cr_expect_eq(load(&one, match), FIRST_MS);
    cr_expect_str_eq(
        fixture_ask(&one, "SELECT beat_at > " FIRST " AND expires > beat_at FROM node"), "t");
    fixture_close(&one);
}

/* The answer to that attempt was lost. */
Test(postgres_leases, a_beat_that_is_sent_again_says_what_its_first_attempt_found, .timeout = 600)
{
    struct fixture one;
    struct store_job *job = store_job_alloc(JOB_BEAT);

    (void)open_first(&one);
    job->place = STORE_ASIDE;
    job->beat.was_late = true;
    cr_expect_eq(fixture_result(&one, job), STORE_LOST);
    cr_expect_eq(beat(&one, false), STORE_OK);
    fixture_close(&one);
}

/* As another one that was started under its name does. */
Test(postgres_leases, a_node_that_was_declared_dead_gets_a_new_row_by_its_beat, .timeout = 600)
{
    struct fixture one;
    int64_t match = open_first(&one);
    int64_t id = one.node.id;

    set_lease(&one, FIRST_MS, "0");
    cr_expect_eq(beat(&one, false), STORE_LOST);
    cr_expect_gt(one.node.id, id);
    cr_expect_eq(load(&one, match), FIRST_MS); /* claims it from itself */
    fixture_close(&one);
}

/* Such as a virtual machine that goes on beside its replacement. */
Test(postgres_leases, of_two_processes_of_one_name_the_one_without_a_lease_stays_without,
     .timeout = 600)
{
    struct fixture one;
    struct fixture two;
    int64_t id;

    (void)open_first(&one);
    open_other(&one, one.node.name, &two); /* which ends the lease of the older one */
    id = two.node.id;
    cr_expect_eq(beat(&one, false), STORE_TAKEN);
    cr_expect_eq(beat(&two, false), STORE_OK);
    die(&two, LATER_MS);
    cr_expect_eq(beat(&one, false), STORE_LOST);
    cr_expect_gt(one.node.id, id);
    set_lease(&one, LATER_MS, LIVE);
    cr_expect_eq(beat(&two, false), STORE_TAKEN);
    cr_expect_eq(beat(&one, false), STORE_OK);
    cr_expect_eq(two.node.id, id);
    store_close(two.store);
    fixture_close(&one);
}

/* After an outage of the database all leases are stale: who is back first waits for the others. */
Test(postgres_leases, a_load_that_awaits_leases_claims_nothing, .timeout = 600)
{
    struct fixture one;
    struct fixture two;
    struct store_job *job;
    int64_t match = open_first(&one);

    open_other(&one, "two", &two);
    for (int i = 0; i < 2; i++) {
        struct fixture *node = i == 0 ? &one : &two;

        die(&one, FIRST_MS);
        job = job_load(match);
        job->load.claims = true;
        job->load.awaits_leases = true;
        job->place = STORE_FOR_PLAYERS;
        (void)fixture_run(node, job);
        cr_expect_eq(job->result, i == 0 ? STORE_OK : STORE_UNAVAILABLE, "%s", job->message);
        cr_expect_not(job->load.was_claimed);
        cr_expect_not(job->load.is_unplayable, "it is to be asked for again");
        store_job_free(job);
    }
    cr_expect_eq(load(&two, match), FIRST_MS);
    store_close(two.store);
    fixture_close(&one);
}

/* Nodes are upgraded one after the other; migrations only add. */
Test(postgres_leases, a_node_loads_matches_after_a_newer_one_has_migrated, .timeout = 600)
{
    struct fixture one;
    int64_t match = open_first(&one);

    fixture_sql(&one, "INSERT INTO schema_migration (number, name, checksum, applied_at) "
                      "VALUES (1000, 'newer', '', 1)");
    cr_expect_eq(load(&one, match), 0);
    cr_expect_eq(beat(&one, false), STORE_OK);
    fixture_close(&one);
}

Test(postgres_leases, clocks_of_a_match_that_is_loaded_again_ran_until_its_room_was_lost,
     .timeout = 600)
{
    struct fixture one;
    int64_t match = open_first(&one);

    cr_expect_eq(load_again(&one, match, FIRST_MS), FIRST_MS);
    cr_expect_eq(load_again(&one, match, LATER_MS), FIRST_MS); /* nothing was appended since */
    append(&one, match, 2, LATER_MS);
    cr_expect_eq(load(&one, match), 0);
    fixture_close(&one);
}

/* ---- sessions of dead nodes -------------------------------------------------------------- */

#define DEAD          "70"
#define LIVING        "71"
#define NAME_OF(node) "skirmish node " node

/* A session ends a little later than it is told to, and a round leaves out what is locked. */
static uint32_t
claim_soon(struct fixture *node)
{
    int64_t until_ms = clock_ms(CLOCK_MONOTONIC) + SOON_MS;
    uint32_t count = claim(node, 2);

    while (count == 0 && clock_ms(CLOCK_MONOTONIC) < until_ms) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
        count = claim(node, 2);
    }
    return count;
}

/* A machine that has lost its network may leave a session that has a match's row locked. */
Test(postgres_leases, a_round_ends_sessions_of_dead_nodes_and_claims_what_they_locked,
     .timeout = 600)
{
    struct fixture one;
    struct fixture elsewhere;
    FILE *sessions[3];

    (void)open_first(&one);
    fixture_init(&elsewhere); /* a database whose nodes have the same numbers */
    fixture_sql(&one, "INSERT INTO node (id, name, path, beat_at, expires) VALUES "
                      "(" DEAD ", 'dead', '/n/dead/', sk_now(), 1), "
                      "(" LIVING ", 'living', '/n/living/', sk_now(), " LIVE ");"
                      "UPDATE chain SET owner = " DEAD);
    sessions[0] = session_open(&one, NAME_OF(DEAD), "SELECT 1 FROM chain FOR UPDATE;");
    sessions[1] = session_open(&one, NAME_OF(LIVING), "SELECT 1 FROM match FOR SHARE;");
    sessions[2] = session_open(&elsewhere, NAME_OF(DEAD), "");
    cr_expect_eq(claim_soon(&one), 1);
    cr_expect_eq(session_count(&one, NAME_OF(LIVING)), 1, "that node is alive");
    cr_expect_eq(session_count(&elsewhere, NAME_OF(DEAD)), 1, "that database is not ours");
    for (int i = 0; i < 3; i++) {
        (void)pclose(sessions[i]);
    }
    fixture_close(&one);
    (void)rmdir(elsewhere.folder);
}

/* A finished match keeps its last owner. */
Test(postgres_leases, rows_of_dead_nodes_are_deleted_although_their_matches_are_stored,
     .timeout = 600)
{
    struct fixture one;
    struct fixture two;

    (void)open_first(&one);
    open_other(&one, "two", &two);
    die(&one, FIRST_MS);
    fixture_sql(&one,
                "UPDATE match SET status = 'over', ended_at = " FIRST ", reason = 'resigned'");
    cr_expect_eq(claim(&two, 2), 0);
    cr_expect_str_eq(fixture_ask(&one, "SELECT string_agg(name, ' ') FROM node"), "two");
    store_close(two.store);
    fixture_close(&one);
}

/* ---- a node's own older session ---------------------------------------------------------- */

#define SOCKETS_MAX 1024

/* The store's first connection is the writer's. */
static int
find_writer(void)
{
    for (int i = 0; i < SOCKETS_MAX; i++) {
        struct sockaddr_un peer = { 0 };
        socklen_t length = sizeof(peer);

        if (getpeername(i, (struct sockaddr *)&peer, &length) == 0 && peer.sun_family == AF_UNIX &&
            strstr(peer.sun_path, "PGSQL") != NULL) {
            return i;
        }
    }
    cr_assert_fail("no connection was found");
    return -1;
}

/* Parse, Bind and Execute, as in a pipeline, without the Sync that would end it. */
static void
send_half(int server, const char *sql)
{
    static const char rest[] = "B\0\0\0\14\0\0\0\0\0\0\0\0E\0\0\0\11\0\0\0\0\0";
    uint8_t parse[256] = { 'P' };
    size_t length = strlen(sql);
    size_t used = 6 + length + 1 + 2; /* the type, the length, no name, the SQL, no parameters */

    cr_assert_lt(used, sizeof(parse));
    parse[4] = (uint8_t)(used - 1);
    memcpy(parse + 6, sql, length);
    cr_assert_eq(write(server, parse, used), (ssize_t)used);
    cr_assert_eq(write(server, rest, sizeof(rest) - 1), (ssize_t)sizeof(rest) - 1);
}

/* What arrived of a group of appends before the network failed keeps its rows locked, and no
 * timeout of the server's ends it.  The node is alive, so no other node does. */
Test(postgres_leases, a_writer_that_connects_again_ends_its_older_session, .timeout = 600)
{
    struct fixture one;
    int64_t match = open_first(&one);
    int64_t began_ms;
    int writer = find_writer();
    int older = dup(writer);
    int broken[2];

    append(&one, match, 2, FIRST_MS);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, broken), 0);
    cr_assert_eq(dup2(broken[0], writer), writer);
    (void)close(broken[0]);
    (void)close(broken[1]);
    send_half(older, "BEGIN");
    send_half(older, "SELECT 1 FROM chain FOR UPDATE");
    while (strcmp(fixture_ask(&one, "SELECT count(*) FROM pg_locks WHERE mode = 'RowShareLock' "
                                    "AND relation = 'chain'::regclass"),
                  "1") != 0) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    }
    began_ms = clock_ms(CLOCK_MONOTONIC);
    append(&one, match, 3, FIRST_MS);
    cr_expect_lt(clock_ms(CLOCK_MONOTONIC) - began_ms, 10000, "it has waited for the lock");
    (void)close(older);
    fixture_close(&one);
}
