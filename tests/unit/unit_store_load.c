/* server/store: a match is read from its newest snapshot. */
#include "tests/unit/store_fixture.h"

#include "tests/support/cases.h"

/*
 * created, joined, and six turns, each with the submission that led to it; a
 * snapshot after the second and after the fourth:
 *
 *   seq   1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16
 *         c  j  s  t  s  t  S  s  t  s  t  S  s  t  s  t
 *   turn  -  -  0  0  1  1  2  2  2  3  3  4  4  4  5  5
 */
#define TURNS         6
#define LAST_SEQ      16
#define FIRST_TAIL    6 /* the turn that the first snapshot was made after */
#define SECOND_TAIL   11
#define SNAPSHOT_BODY "{\"state\":\"00\"}"

static void
add_turn(struct store_job *job, int32_t turn)
{
    char id[16];
    struct store_record *record;

    (void)snprintf(id, sizeof(id), "id-%d", (int)turn);
    record = job_add(job, 0, RECORD_SUBMISSION, "{\"commands\":[]}");
    record->turn = turn;
    record->seat = turn % 2;
    record->command_id = copy_of(id);
    job_add(job, 0, RECORD_TURN, "{\"hash\":\"00\"}")->turn = turn;
    if (turn == 1 || turn == 3) {
        job_add(job, 0, RECORD_SNAPSHOT, SNAPSHOT_BODY)->turn = turn + 1;
    }
}

static void
make_match(struct fixture *fixture)
{
    struct store_job *job;

    fixture_init(fixture);
    fixture_open(fixture);
    (void)fixture_player(fixture, "Ann", 1);
    (void)fixture_player(fixture, "Ben", 2);
    (void)fixture_match(fixture, 1);
    cr_assert_eq(fixture_result(fixture, job_join(1, 0, 2, 2)), STORE_OK);
    job = job_append(1, 0);
    for (int32_t turn = 0; turn < TURNS; turn++) {
        add_turn(job, turn);
    }
    for (uint32_t i = 0; i < job->record_count; i++) {
        job->records[i].seq = 3 + i;
    }
    cr_assert_eq(fixture_result(fixture, job), STORE_OK);
}

/* ---- where it begins --------------------------------------------------------------------- */

struct tail_case {
    const char *label;
    int32_t from_turn;
    uint32_t second;  /* seq of the record after the first */
    int32_t turn_end; /* or 0 */
    uint32_t last;    /* seq of the last record */
};

static const struct tail_case tail_cases[] = {
    { "the newest snapshot", STORE_FROM_NEWEST, SECOND_TAIL, 0, LAST_SEQ },
    { "a turn after its snapshot", 5, SECOND_TAIL, 0, LAST_SEQ },
    { "the turn of its snapshot", 4, SECOND_TAIL, 0, LAST_SEQ },
    { "the turn before: the first snapshot", 3, FIRST_TAIL, 0, LAST_SEQ },
    { "the turn of the first snapshot", 2, FIRST_TAIL, 0, LAST_SEQ },
    { "a turn before any snapshot", 1, 2, 0, LAST_SEQ },
    { "from the beginning", STORE_FROM_START, 2, 0, LAST_SEQ },
    { "not to the end", 4, SECOND_TAIL, 4, 13 },
    { "not to the end, from the first one", 3, FIRST_TAIL, 3, 10 },
    { "not to the end, from the beginning", STORE_FROM_START, 2, 1, 5 },
};

CASES(store_load, begins_with_the_newest_snapshot_that_is_not_too_new, tail_cases)
{
    const struct tail_case *c = &tail_cases[*index];
    struct fixture fixture;
    struct store_job *job = job_load(1);

    make_match(&fixture);
    job->load.from_turn = c->from_turn;
    job->load.has_turn_end = c->turn_end != 0;
    job->load.turn_end = c->turn_end;
    job = fixture_run(&fixture, job);
    cr_assert_eq(job->result, STORE_OK, "%s: %s", c->label, job->message);
    cr_assert_eq(job->record_count, 1 + c->last - c->second + 1, "%s: %u", c->label,
                 (unsigned)job->record_count);
    cr_expect_eq(job->records[0].kind, RECORD_CREATED);
    for (uint32_t i = 1; i < job->record_count; i++) {
        cr_expect_eq(job->records[i].seq, c->second + i - 1, "%s", c->label);
    }
    cr_expect_eq(store_job_has_snapshot(job), c->second != 2, "%s", c->label);
    if (store_job_has_snapshot(job)) {
        cr_expect_eq(job->records[1].kind, RECORD_TURN);
        cr_expect_eq(job->records[2].kind, RECORD_SNAPSHOT);
        cr_expect_str_eq(job->records[2].body, SNAPSHOT_BODY);
    }
    store_job_free(job);
    fixture_close(&fixture);
}

/* ---- what is verified -------------------------------------------------------------------- */

struct harm_case {
    const char *label;
    const char *sql;
    const char *message; /* NULL: it is not seen from the newest snapshot on */
};

static const struct harm_case harm_cases[] = {
    { "the first record", "UPDATE record SET body = '{}' WHERE seq = 1", "record 1 has a hash" },
    { "the first is gone", "DELETE FROM record WHERE seq = 1", "record 1 is missing" },
    { "one that is not read", "UPDATE record SET body = '{}' WHERE seq = 8", NULL },
    { "the hash that the tail hangs on", "UPDATE record SET hash = zeroblob(32) WHERE seq = 10",
      "record 11 has a hash" },
    { "the record with that hash is gone", "DELETE FROM record WHERE seq = 10",
      "record 10 is missing" },
    { "the turn before the snapshot", "UPDATE record SET body = '{}' WHERE seq = 11",
      "record 11 has a hash" },
    { "that turn is gone", "DELETE FROM record WHERE seq = 11", "record 11 is missing" },
    { "the snapshot", "UPDATE record SET body = '{}' WHERE seq = 12", "record 12 has a hash" },
    { "another kind becomes a snapshot", "UPDATE record SET kind = 'snapshot' WHERE seq = 14",
      "record 14 has a hash" },
    { "one of the tail is gone", "DELETE FROM record WHERE seq = 15", "record 15 is missing" },
    { "the last is gone", "DELETE FROM record WHERE seq = 16", "record 16 is missing" },
    { "another end", "UPDATE chain SET head = zeroblob(32)", "record 16 is not the end" },
};

CASES(store_load, verifies_what_it_reads, harm_cases)
{
    const struct harm_case *c = &harm_cases[*index];
    struct fixture fixture;
    struct store_job *job = job_load(1);

    make_match(&fixture);
    if (fixture_is_postgres()) {
        fixture_sql(&fixture, "CREATE FUNCTION zeroblob(integer) RETURNS bytea LANGUAGE sql AS "
                              "$$ SELECT decode(repeat('00', $1), 'hex') $$");
    }
    fixture_sql(&fixture, c->sql);
    job->load.from_turn = STORE_FROM_NEWEST;
    job = fixture_run(&fixture, job);
    cr_expect_eq(job->result, c->message == NULL ? STORE_OK : STORE_CORRUPT, "%s", c->label);
    if (c->message != NULL) {
        cr_assert_not_null(job->message, "%s", c->label);
        cr_expect_not_null(strstr(job->message, c->message), "%s: %s", c->label, job->message);
    }
    store_job_free(job);
    job = job_load(1);
    cr_expect_eq(fixture_result(&fixture, job), STORE_CORRUPT, "%s, and all are read", c->label);
    fixture_close(&fixture);
}

/* ---- the ids that were used -------------------------------------------------------------- */

static bool
has_key(const struct store_job *job, int32_t seat, const char *id)
{
    for (uint32_t i = 0; i < job->load.key_count; i++) {
        if (job->load.keys[i] == store_command_key(seat, id, strlen(id))) {
            return true;
        }
    }
    return false;
}

Test(store_load, knows_every_command_id_of_the_match_and_no_other)
{
    struct fixture fixture;
    struct store_job *job = job_load(1);

    make_match(&fixture);
    (void)fixture_match(&fixture, 1);
    cr_assert_eq(fixture_result(&fixture, job_submission(2, 0, 2, "another match")), STORE_OK);
    job->load.wants_keys = true;
    job = fixture_run(&fixture, job);
    cr_assert_eq(job->result, STORE_OK, "%s", job->message);
    cr_expect_eq(job->load.key_count, TURNS);
    for (int32_t turn = 0; turn < TURNS; turn++) {
        char id[16];

        (void)snprintf(id, sizeof(id), "id-%d", (int)turn);
        cr_expect(has_key(job, turn % 2, id), "%s", id);
        cr_expect_not(has_key(job, 1 - turn % 2, id), "%s is the other seat's", id);
    }
    store_job_free(job);
    job = fixture_run(&fixture, job_load(1));
    cr_expect_eq(job->load.key_count, 0, "nobody asked");
    store_job_free(job);
    fixture_close(&fixture);
}

/* ---- jobs -------------------------------------------------------------------------------- */

Test(store_load, lets_the_host_keep_what_it_brought)
{
    struct fixture fixture;
    struct store_job *job;
    struct store_job *taken;

    make_match(&fixture);
    job = fixture_run(&fixture, job_load(1));
    taken = store_job_take(job);
    store_job_free(job);
    cr_expect_eq(taken->result, STORE_OK);
    cr_expect_str_eq(taken->match.ruleset, "tactics");
    cr_expect_str_eq(taken->records[0].body, "{\"version\":3}");
    store_job_free(taken);
    fixture_close(&fixture);
}
