/* server/store: many matches are read in the order of their records, and only whole ones count. */
#include "tests/unit/store_fixture.h"

#include "server/store/archive.h"
#include "tests/support/cases.h"

#define MATCHES 3
#define TURNS   5
#define RECORDS (2 + 2 * TURNS) /* of a match: created, joined, a submission and a turn each */

/* Between two turns of a match comes one of each other match. */
static void
make_matches(struct fixture *fixture)
{
    fixture_init(fixture);
    fixture_open(fixture);
    (void)fixture_player(fixture, "Ann", 1);
    (void)fixture_player(fixture, "Ben", 2);
    for (int64_t match = 1; match <= MATCHES; match++) {
        cr_assert_eq(fixture_match(fixture, 1), match);
        cr_assert_eq(fixture_result(fixture, job_join(match, 0, 2, 2)), STORE_OK);
    }
    for (int32_t turn = 0; turn < TURNS; turn++) {
        for (int64_t match = 1; match <= MATCHES; match++) {
            struct store_job *job = job_append(match, 0);
            uint32_t seq = 3 + 2 * (uint32_t)turn;
            struct store_record *record = job_add(job, seq, RECORD_SUBMISSION, "{}");
            char id[16];

            (void)snprintf(id, sizeof(id), "id-%d", (int)turn);
            record->turn = turn;
            record->seat = 0;
            record->command_id = copy_of(id);
            job_add(job, seq + 1, RECORD_TURN, "{}")->turn = turn;
            cr_assert_eq(fixture_result(fixture, job), STORE_OK);
        }
    }
}

/* ---- who takes them ---------------------------------------------------------------------- */

struct taken {
    uint32_t begun;
    uint32_t ended;
    uint32_t records;
    uint32_t seq;
    bool is_whole;
};

static void *
take_begin(void *context, uint32_t index, const struct store_job *job)
{
    struct taken *taken = (struct taken *)context + index;

    cr_expect_eq(job->match_id, index + 1);
    cr_expect_eq(job->seats[1].player, 2);
    taken->begun++;
    return taken;
}

static bool
take_record(void *it, const struct store_record *record)
{
    struct taken *taken = it;

    cr_expect_eq(record->seq, ++taken->seq);
    cr_expect_eq(strlen(record->body), record->body_length);
    taken->records++;
    return true;
}

static void
take_end(void *it, const struct store_job *job, bool is_whole)
{
    struct taken *taken = it;

    cr_expect_eq(job->kind, JOB_MATCH_LOAD);
    taken->ended++;
    taken->is_whole = is_whole;
}

static void
stream(const struct fixture *fixture, const struct archive_taker *taker)
{
    static const int64_t ids[MATCHES] = { 1, 2, 3 };
    struct archive *archive;
    struct sk_fault fault;

    cr_assert_eq(archive_open(fixture->path, &archive, &fault), SK_OK, "%s", fault.message);
    archive_stream(archive, ids, MATCHES, taker);
    archive_close(archive);
}

/* ---- whole and damaged ones -------------------------------------------------------------- */

Test(store_stream, whole_matches_come_with_all_records_in_order)
{
    struct taken taken[MATCHES] = { { 0 } };
    const struct archive_taker taker = { taken, take_begin, take_record, take_end };
    struct fixture fixture;

    make_matches(&fixture);
    stream(&fixture, &taker);
    for (int i = 0; i < MATCHES; i++) {
        cr_expect_eq(taken[i].begun, 1);
        cr_expect_eq(taken[i].ended, 1);
        cr_expect_eq(taken[i].records, RECORDS);
        cr_expect(taken[i].is_whole);
    }
    fixture_close(&fixture);
}

struct harm_case {
    const char *label;
    const char *sql; /* damages match 2 */
};

static const struct harm_case harm_cases[] = {
    { "a body", "UPDATE record SET body = '{\"a\":1}' WHERE match = 2 AND seq = 5" },
    { "a time", "UPDATE record SET at = at + 1 WHERE match = 2 AND seq = 5" },
    { "a seat that no record has", "UPDATE record SET seat = 4294967296 WHERE match = 2 "
                                   "AND seq = 5" },
    { "a kind that no record has", "UPDATE record SET kind = 'x' WHERE match = 2 AND seq = 5" },
    { "a command id with a NUL",
      "UPDATE record SET command_id = command_id || char(0) || 'x' WHERE match = 2 AND seq = 5" },
    { "a hash", "UPDATE record SET hash = zeroblob(32) WHERE match = 2 AND seq = 5" },
    { "a number beyond 32 bits",
      "UPDATE record SET seq = seq + 4294967296 WHERE match = 2 AND seq = 5" },
    { "a link to another match", "UPDATE record SET previous = 1 WHERE match = 2 AND seq = 5" },
    { "no link", "UPDATE record SET previous = NULL WHERE match = 2 AND seq = 5" },
    { "the first is gone", "DELETE FROM record WHERE match = 2 AND seq = 1" },
    { "one is gone", "DELETE FROM record WHERE match = 2 AND seq = 5" },
    { "the last is gone", "DELETE FROM record WHERE match = 2 AND seq = 12" },
    { "one is of another match",
      "UPDATE record SET match = 1, seq = 99 WHERE match = 2 AND seq = 12" },
    { "the chain's last record", "UPDATE chain SET last_record = last_record - 3 WHERE match = 2" },
    { "the chain's first record", "UPDATE chain SET first_record = 1 WHERE match = 2" },
    { "the chain's length", "UPDATE chain SET last_seq = 13 WHERE match = 2" },
    { "the chain's end", "UPDATE chain SET head = zeroblob(32) WHERE match = 2" },
    { "no chain", "DELETE FROM chain WHERE match = 2" },
    { "another number for the hashes",
      "INSERT INTO origin (match, number, imported_at) VALUES (2, 7, 1)" },
    { "a seat is gone", "DELETE FROM seat WHERE match = 2 AND seat = 1" },
    { "a status that no match has", "PRAGMA ignore_check_constraints = ON; "
                                    "UPDATE match SET status = 'x' WHERE id = 2" },
    { "pruned", "INSERT INTO pruned (match, pruned_at, records, turns) VALUES (2, 1, 12, 5)" },
};

CASES(store_stream, a_damaged_match_is_not_whole_and_the_others_are, harm_cases)
{
    const struct harm_case *c = &harm_cases[*index];
    struct taken taken[MATCHES] = { { 0 } };
    const struct archive_taker taker = { taken, take_begin, take_record, take_end };
    struct fixture fixture;

    make_matches(&fixture);
    fixture_sql(&fixture, c->sql);
    stream(&fixture, &taker);
    cr_expect_not(taken[1].is_whole, "%s", c->label);
    cr_expect_eq(taken[1].begun, taken[1].ended, "%s", c->label);
    cr_expect(taken[0].is_whole, "%s", c->label);
    cr_expect(taken[2].is_whole, "%s", c->label);
    fixture_close(&fixture);
}

/* The store leaves it to rooms that a seat uses an id once. */
Test(store_stream, a_match_with_a_repeated_command_id_is_not_whole)
{
    struct taken taken[MATCHES] = { { 0 } };
    const struct archive_taker taker = { taken, take_begin, take_record, take_end };
    struct store_job *job = job_append(2, 0);
    struct store_record *record;
    struct fixture fixture;

    make_matches(&fixture);
    record = job_add(job, RECORDS + 1, RECORD_SUBMISSION, "{}");
    record->turn = TURNS;
    record->seat = 0;
    record->command_id = copy_of("id-0");
    cr_assert_eq(fixture_result(&fixture, job), STORE_OK);
    stream(&fixture, &taker);
    cr_expect_eq(taken[1].records, RECORDS + 1);
    cr_expect_not(taken[1].is_whole);
    cr_expect(taken[0].is_whole && taken[2].is_whole);
    fixture_close(&fixture);
}

/* ---- many records ------------------------------------------------------------------------ */

#define MANY 2500 /* more than are read at once */

static void
append_many(struct fixture *fixture, int64_t match, uint32_t seq)
{
    struct store_job *job = job_append(match, 0);

    for (uint32_t i = 0; i < MANY; i++) {
        (void)job_add(job, seq + i, RECORD_CLOCK, "{}");
    }
    cr_assert_eq(fixture_result(fixture, job), STORE_OK);
}

static void
append_one(struct fixture *fixture, int64_t match, uint32_t seq)
{
    struct store_job *job = job_append(match, 0);

    (void)job_add(job, seq, RECORD_CLOCK, "{}");
    cr_assert_eq(fixture_result(fixture, job), STORE_OK);
}

Test(store_stream, goes_on_behind_the_records_that_are_read_at_once)
{
    struct taken taken[MATCHES] = { { 0 } };
    const struct archive_taker taker = { taken, take_begin, take_record, take_end };
    struct fixture fixture;

    make_matches(&fixture);
    append_many(&fixture, 2, RECORDS + 1);
    append_one(&fixture, 1, RECORDS + 1);
    stream(&fixture, &taker);
    cr_expect_eq(taken[1].records, RECORDS + MANY);
    cr_expect(taken[0].is_whole && taken[1].is_whole && taken[2].is_whole);
    fixture_close(&fixture);
}

/* It would read all records of the database for one that is far behind. */
Test(store_stream, a_match_with_a_record_that_is_far_behind_is_not_whole)
{
    struct taken taken[MATCHES] = { { 0 } };
    const struct archive_taker taker = { taken, take_begin, take_record, take_end };
    struct fixture fixture;

    make_matches(&fixture);
    fixture_sql(&fixture, "UPDATE record SET id = id + 1000000 WHERE match = 2 AND seq = 12; "
                          "UPDATE chain SET last_record = last_record + 1000000 WHERE match = 2");
    stream(&fixture, &taker);
    cr_expect_eq(taken[1].records, RECORDS - 1);
    cr_expect_eq(taken[1].ended, 1);
    cr_expect_not(taken[1].is_whole);
    cr_expect(taken[0].is_whole && taken[2].is_whole);
    fixture_close(&fixture);
}

/* ---- what is not taken ------------------------------------------------------------------- */

static void *
refuse_second(void *context, uint32_t index, const struct store_job *job)
{
    return index == 1 ? NULL : take_begin(context, index, job);
}

Test(store_stream, a_match_that_is_not_taken_has_no_records)
{
    struct taken taken[MATCHES] = { { 0 } };
    const struct archive_taker taker = { taken, refuse_second, take_record, take_end };
    struct fixture fixture;

    make_matches(&fixture);
    stream(&fixture, &taker);
    cr_expect_eq(taken[1].records + taken[1].ended, 0);
    cr_expect(taken[0].is_whole && taken[2].is_whole);
    fixture_close(&fixture);
}

static bool
take_four(void *it, const struct store_record *record)
{
    return take_record(it, record) && record->seq < 4;
}

Test(store_stream, a_match_whose_rest_is_not_taken_is_not_whole)
{
    struct taken taken[MATCHES] = { { 0 } };
    const struct archive_taker taker = { taken, take_begin, take_four, take_end };
    struct fixture fixture;

    make_matches(&fixture);
    stream(&fixture, &taker);
    for (int i = 0; i < MATCHES; i++) {
        cr_expect_eq(taken[i].records, 4);
        cr_expect_eq(taken[i].ended, 1);
        cr_expect_not(taken[i].is_whole);
    }
    fixture_close(&fixture);
}
