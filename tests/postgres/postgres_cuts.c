/* Whatever the store says about an append is true, however often its connection is cut. */
#include <sodium.h>

#include "common/base/limits.h"
#include "server/store/archive.h"
#include "tests/unit/store_fixture.h"

#define MATCHES 8
#define ROUNDS  2500

#define PLAYERS  300
#define COMMANDS 300
#define CLAIMS   200

struct played {
    int64_t match;
    uint32_t last_seq; /* as the store has said */
    uint32_t generation;
};

/* How many records are stored, read on a connection that is not cut. */
static uint32_t
stored_count(const struct fixture *fixture, int64_t match)
{
    char sql[128];

    (void)snprintf(sql, sizeof(sql), "SELECT last_seq FROM chain WHERE match = %lld",
                   (long long)match);
    return (uint32_t)atoi(fixture_ask(fixture, sql));
}

/* A job that failed is not stored; only of a lost one that is unknown. */
static void
take_result(const struct fixture *fixture, struct played *played, const struct store_job *job,
            uint32_t *lost)
{
    uint32_t stored;

    if (job->result == STORE_OK) {
        played->last_seq++;
        return;
    }
    stored = stored_count(fixture, played->match);
    played->generation++;
    if (job->result == STORE_LOST) {
        ++*lost;
        cr_assert(stored == played->last_seq || stored == played->last_seq + 1);
        played->last_seq = stored;
    } else {
        cr_assert_eq(stored, played->last_seq, "match %lld has record %u, but: %s",
                     (long long)played->match, (unsigned)stored, job->message);
    }
}

static void
play_round(struct fixture *fixture, struct played played[MATCHES], uint32_t *lost)
{
    uint32_t first = randombytes_uniform(MATCHES);
    uint32_t count = 1 + randombytes_uniform(MATCHES);
    struct store_job *jobs;

    for (uint32_t i = 0; i < count; i++) {
        struct played *one = &played[(first + i) % MATCHES];
        struct store_job *job = job_append(one->match, one->generation);

        (void)job_add(job, one->last_seq + 1, RECORD_OFFER, "{\"declined\":false}");
        fixture_submit(fixture, job);
    }
    jobs = fixture_collect(fixture, count);
    for (struct store_job *job = jobs; job != NULL; job = job->next) {
        for (int i = 0; i < MATCHES; i++) {
            if (played[i].match == job->match_id) {
                take_result(fixture, &played[i], job, lost);
            }
        }
    }
    fixture_free_all(jobs);
}

/* All records are there, and their hashes follow from each other. */
static void
expect_whole(const struct fixture *fixture, const struct played played[MATCHES])
{
    struct archive *archive = NULL;
    struct sk_fault fault;

    cr_assert_eq(archive_open(fixture->path, &archive, &fault), SK_OK, "%s", fault.message);
    for (int i = 0; i < MATCHES; i++) {
        struct store_job *job = NULL;

        cr_assert_eq(archive_load(archive, played[i].match, &job, &fault), SK_OK, "%s",
                     fault.message);
        cr_expect_eq(job->record_count, played[i].last_seq);
        store_job_free(job);
    }
    archive_close(archive);
}

/* Opens a store whose connections are cut; the fixture's own are not. */
static void
open_cut(struct fixture *fixture)
{
    char direct[sizeof(fixture->path)];

    fixture_init(fixture);
    memcpy(direct, fixture->path, sizeof(direct));
    fixture_open(fixture); /* migrates */
    (void)fixture_player(fixture, "Ann", 1);
    store_close(fixture->store);
    (void)snprintf(strstr(fixture->path, "host="), FIXTURE_PATH / 2, "host=%s",
                   getenv("POSTGRES_CUT"));
    fixture_open(fixture);
    memcpy(fixture->path, direct, sizeof(direct));
}

Test(postgres, says_the_truth_about_every_append_whose_connection_is_cut, .timeout = 600)
{
    struct fixture fixture;
    struct played played[MATCHES] = { 0 };
    uint32_t lost = 0;

    open_cut(&fixture);
    for (int i = 0; i < MATCHES; i++) {
        played[i] = (struct played){ fixture_match(&fixture, 1), 1, 0 };
    }
    for (int i = 0; i < ROUNDS; i++) {
        play_round(&fixture, played, &lost);
    }
    expect_whole(&fixture, played);
    (void)printf("%u appends were lost from sight\n", (unsigned)lost);
    fixture_close(&fixture);
}

Test(postgres, makes_every_player_once_though_connections_are_cut, .timeout = 600)
{
    struct fixture fixture;

    open_cut(&fixture);
    for (int i = 0; i < PLAYERS; i++) {
        char name[32];
        struct store_job *job;

        (void)snprintf(name, sizeof(name), "player-%d", i);
        job = job_player(JOB_PLAYER_CREATE, name, 0);
        randombytes_buf(job->player.token_hash, STORE_HASH_BYTES);
        (void)fixture_run(&fixture, job);
        cr_expect_eq(job->result, STORE_OK, "%s: %s", name, job->message);
        cr_expect_neq(job->player.id, 0);
        store_job_free(job);
    }
    cr_expect_eq(atoi(fixture_ask(&fixture, "SELECT count(*) FROM player")), PLAYERS + 1);
    fixture_close(&fixture);
}

Test(postgres, does_what_an_operator_says_once_though_connections_are_cut, .timeout = 600)
{
    struct fixture fixture;

    open_cut(&fixture);
    for (int i = 0; i < COMMANDS; i++) {
        struct store_job *job = fixture_run(&fixture, job_ban(i % 2 == 0));

        cr_expect_eq(job->result, STORE_OK, "command %d: %s", i, job->message);
        cr_expect_eq(job->player.id, 1);
        store_job_free(job);
    }
    cr_expect_eq(atoi(fixture_ask(&fixture, "SELECT count(*) FROM admin_log")), COMMANDS);
    fixture_close(&fixture);
}

/* Matches of a node that is gone, one of which is claimed at a time. */
static struct store_job *
job_claim(void)
{
    struct store_job *job = store_job_alloc(JOB_CLAIM);

    job->place = STORE_ASIDE;
    job->claim.limit = 1;
    return job;
}

static void
mark_ids(bool is_known[CLAIMS + 1], const struct store_ids *ids)
{
    for (uint32_t i = 0; i < ids->count; i++) {
        cr_assert_leq(ids->at[i], CLAIMS);
        is_known[ids->at[i]] = true;
    }
}

Test(postgres, lists_every_match_that_it_has_claimed_though_connections_are_cut, .timeout = 600)
{
    struct fixture fixture;
    bool is_known[CLAIMS + 1] = { false };
    uint32_t count = 0;
    bool must_list = false;

    open_cut(&fixture);
    fixture_sql(
        &fixture,
        "INSERT INTO match (ruleset, version, status, is_open, is_rated, "
        "seat_count, created_at, seed, salt, settings, params) "
        "SELECT 'tactics', 3, 'waiting', 1, 0, 2, 1000, decode(repeat('5e', 32), "
        "'hex'), decode(repeat('5a', 32), 'hex'), '{}', '{}' "
        "FROM generate_series(1, " SK_LIMIT_TEXT(
            CLAIMS) "); "
                    "INSERT INTO chain (match, last_seq, head) SELECT id, 1, seed FROM match");
    for (int i = 0; i < 2 * CLAIMS; i++) {
        struct store_job *job = job_claim();

        job->claim.lists_owned = must_list;
        (void)fixture_run(&fixture, job);
        must_list = job->result != STORE_OK;
        if (job->result == STORE_OK) {
            mark_ids(is_known, &job->claim.ids);
            mark_ids(is_known, &job->claim.owned);
        }
        store_job_free(job);
    }
    for (int i = 1; i <= CLAIMS; i++) {
        count += is_known[i];
    }
    cr_expect_eq(count, CLAIMS, "it knows %u of %d", (unsigned)count, CLAIMS);
    fixture_close(&fixture);
}
