/* The cache of statistics: answers and failures. */
#include "server/store/statistics.h"
#include "store_fixture.h"

static enum store_result
ask(struct statistics *statistics)
{
    atomic_bool is_unwanted = false;
    struct store_job *job = store_job_alloc(JOB_TEXT);
    enum store_result result;

    statistics_work(statistics, job, &is_unwanted);
    result = job->result;
    store_job_free(job);
    return result;
}

/* A failure takes as long as an answer, so it is cached too. */
Test(statistics, that_fail_are_not_computed_again_for_every_request)
{
    struct fixture fixture;
    struct statistics statistics = { 0 };

    fixture_init(&fixture);
    statistics.path = fixture.path;
    cr_assert_eq(ask(&statistics), STORE_UNAVAILABLE, "there is no file");
    fixture_open(&fixture);
    cr_assert_eq(ask(&statistics), STORE_UNAVAILABLE, "the failure is kept");
    statistics.until_ms = 1; /* its time is over */
    cr_assert_eq(ask(&statistics), STORE_OK);
    store_close(fixture.store);
    cr_assert_eq(unlink(fixture.path), 0);
    cr_assert_eq(ask(&statistics), STORE_OK, "the answer is kept, too");
    statistics.until_ms = 1;
    cr_assert_eq(ask(&statistics), STORE_UNAVAILABLE);
    statistics_fini(&statistics);
    fixture_open(&fixture);
    fixture_close(&fixture);
}
