/* server/store: jobs to the storage thread, single ones and many at once. */
#include "tests/support/cases.h"
#include "tests/unit/store_fixture.h"

Test(store_queue, refuses_what_is_too_much_until_jobs_are_collected)
{
    struct fixture fixture;
    struct store_job *job = store_job_alloc(JOB_FLUSH);
    struct store_port *port;

    fixture_init(&fixture);
    fixture.options.jobs_max = 3;
    fixture_open(&fixture);
    port = store_port(fixture.store);
    for (int i = 0; i < 3; i++) {
        fixture_submit(&fixture, store_job_alloc(JOB_FLUSH));
    }
    cr_expect_not(port->submit(port, job));
    fixture_free_all(fixture_collect(&fixture, 3));
    cr_expect(port->submit(port, job));
    fixture_close(&fixture);
}

Test(store_queue, is_worked_off_before_the_store_closes)
{
    struct fixture fixture;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    for (uint32_t seq = 2; seq < 700; seq++) {
        fixture_submit(&fixture, job_submission(1, 0, seq, NULL));
    }
    fixture_reopen(&fixture);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT max(seq) FROM record"), "699");
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_OK);
    fixture_close(&fixture);
}

/* On a shared database, a store that is opened again is another node. */
static void
claim_match(struct fixture *fixture)
{
    struct store_job *job = job_load(1);

    job->load.claims = true;
    job->place = STORE_FOR_PLAYERS; /* the queue stays empty */
    cr_assert_eq(fixture_result(fixture, job), STORE_OK);
}

/* A store whose jobs wait until they are handed over, with this many jobs of one match. */
static void
collect_submissions(struct fixture *fixture, uint32_t count)
{
    fixture_init(fixture);
    fixture_open(fixture);
    (void)fixture_player(fixture, "Ann", 1);
    (void)fixture_match(fixture, 1);
    fixture->options.collects = true;
    fixture_reopen(fixture);
    claim_match(fixture);
    for (uint32_t seq = 2; seq < 2 + count; seq++) {
        fixture_submit(fixture, job_submission(1, 0, seq, NULL));
    }
}

Test(store_queue, that_collects_gives_what_is_handed_over_one_transaction)
{
    struct fixture fixture;
    struct store_figures figures;

    collect_submissions(&fixture, 300);
    store_figures(fixture.store, &figures);
    cr_expect_eq(figures.jobs, 0, "nothing is worked on yet");
    cr_expect_eq(figures.jobs_waiting, 300);
    store_hand_over(fixture.store);
    fixture_free_all(fixture_collect(&fixture, 300));
    store_figures(fixture.store, &figures);
    cr_expect_eq(figures.jobs, 300);
    cr_expect_eq(figures.commits, 1);
    store_hand_over(fixture.store); /* nothing: no harm */
    fixture_close(&fixture);
}

Test(store_queue, that_collects_is_worked_off_too_before_the_store_closes)
{
    struct fixture fixture;

    collect_submissions(&fixture, 300);
    fixture.options.collects = false;
    fixture_reopen(&fixture);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT max(seq) FROM record"), "301");
    fixture_close(&fixture);
}

/* Two records, of which the second has a command id. */
static struct store_job *
job_of_two(uint32_t seq, uint32_t second_seq, const char *second_id, uint32_t generation)
{
    struct store_job *job = job_submission(1, generation, seq, NULL);
    struct store_record *record = store_job_add_record(job);

    *record = job->records[0];
    record->seq = second_seq;
    record->command_id = copy_of(second_id);
    record->body = copy_of(job->records[0].body);
    return job;
}

/* Everything in one transaction: between the jobs of a match its chain must be complete.
 * PostgreSQL stores all appends of a group before its loads. */
Test(store_queue, of_one_transaction_keeps_chains_complete_for_every_reader)
{
    const bool is_postgres = fixture_is_postgres();
    const enum store_result wrong = is_postgres ? STORE_LOST : STORE_CORRUPT;
    struct {
        const char *label;
        struct store_job *job;
        enum store_result result;
        uint32_t record_count;
    } rows[] = {
        { "a record", job_submission(1, 0, 2, "a"), STORE_OK, 1 },
        { "one of two does not follow", job_of_two(3, 5, "a", 0), wrong, 2 },
        { "continues", job_submission(1, 2, 3, "b"), STORE_OK, 1 },
        { "stored already", job_submission(1, 2, 3, "b"), wrong, 1 },
        { "continues again", job_submission(1, 3, 4, "c"), STORE_OK, 1 },
        { "a load", job_load(1), STORE_OK, is_postgres ? 7 : 4 },
        { "two", job_of_two(5, 6, "d", 3), STORE_OK, 2 },
        { "another load", job_load(1), STORE_OK, is_postgres ? 7 : 6 },
        { "the last", job_submission(1, 3, 7, "e"), STORE_OK, 1 },
    };
    struct fixture fixture;
    struct store_figures figures;
    struct store_job *done;

    collect_submissions(&fixture, 0);
    for (size_t i = 0; i < SK_COUNT_OF(rows); i++) {
        fixture_submit(&fixture, rows[i].job);
    }
    store_hand_over(fixture.store);
    done = fixture_collect(&fixture, SK_COUNT_OF(rows));
    for (size_t i = 0; i < SK_COUNT_OF(rows); i++) {
        struct store_job *next = done->next;

        cr_expect_eq(done->result, rows[i].result, "%s: %d, %s", rows[i].label, (int)done->result,
                     done->message == NULL ? "" : done->message);
        cr_expect_eq(done->record_count, rows[i].record_count, "%s", rows[i].label);
        store_job_free(done);
        done = next;
    }
    store_figures(fixture.store, &figures);
    cr_expect_eq(figures.commits, 1);
    fixture.options.collects = false;
    fixture_reopen(&fixture);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT last_seq FROM chain"), "7");
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_OK);
    fixture_close(&fixture);
}
