/*
 * server/host/room/log: the log alone, with a store that is the test, and
 * without a room.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "server/host/room/log.h"
#include "server/memory.h"

#define JOBS_MAX 8

/* ---- a store and a log ------------------------------------------------------------------- */

static struct store {
    struct store_port port; /* first */
    struct store_job *jobs[JOBS_MAX];
    uint32_t count;
    bool is_full;
} store;

static struct host *host;
static struct room_log rec; /* what was handed over */

/* What the last entry was told. */
static struct heard_of {
    const struct log_entry *entry;
    enum log_answer answer;
} told;

static bool
submit(struct store_port *port, struct store_job *job)
{
    (void)port;
    if (store.is_full) {
        return false;
    }
    store.jobs[store.count++] = job;
    return true;
}

static int64_t
tell_time(void *context)
{
    (void)context;
    return 0;
}

static void
open_log(void)
{
    struct host_world world = { .store = &store.port, .now_ms = tell_time };
    struct host_options options = { .jobs_max = JOBS_MAX };

    store = (struct store){ .port.submit = submit };
    told = (struct heard_of){ 0 };
    host = host_alloc(&options, &world);
    rec = (struct room_log){ .generation = ++host->generation, .handed_seq = 3, .stored_seq = 3 };
}

static void
listen(struct log_entry *entry, enum log_answer answer)
{
    told = (struct heard_of){ entry, answer };
}

static bool
hand_over(struct log_entry *entry, enum store_record_kind kind, uint32_t record_count)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_APPEND);

    for (uint32_t i = 0; i < record_count; i++) {
        store_job_add_record(job)->kind = kind;
    }
    *entry = (struct log_entry){ .kind = kind, .answered = listen };
    return room_log_hand_over(&rec, host, entry, job);
}

/* Answers the oldest job. */
static void
answer(enum store_result result)
{
    struct store_job *job = store.jobs[0];

    memmove(&store.jobs[0], &store.jobs[1], --store.count * sizeof(store.jobs[0]));
    job->result = result;
    job->done(job, host);
    store_job_free(job);
}

static void
expect_told(const struct log_entry *entry, enum log_answer expected)
{
    cr_expect_eq(told.entry, entry);
    cr_expect_eq(told.answer, expected);
    told = (struct heard_of){ 0 };
}

/* ---- tests ------------------------------------------------------------------------------- */

Test(log, numbers_records_when_the_store_takes_them)
{
    struct log_entry first;
    struct log_entry second;

    open_log();
    cr_assert(hand_over(&first, RECORD_TURN, 2));
    cr_assert(hand_over(&second, RECORD_OFFER, 1));
    cr_expect_eq(store.jobs[0]->records[0].seq, 4);
    cr_expect_eq(store.jobs[0]->records[1].seq, 5);
    cr_expect_eq(store.jobs[1]->records[0].seq, 6);
    cr_expect_eq(store.jobs[1]->append.generation, rec.generation);
    cr_expect_eq(rec.handed_seq, 6);
    cr_expect_eq(rec.stored_seq, 3);
    cr_expect(room_log_has(&rec, RECORD_TURN));
    cr_expect(room_log_has(&rec, RECORD_OFFER));
    cr_expect_not(room_log_has(&rec, RECORD_ENDED));
    answer(STORE_OK);
    expect_told(&first, LOG_STORED);
    cr_expect_eq(rec.stored_seq, 5);
    cr_expect_not(room_log_has(&rec, RECORD_TURN));
    answer(STORE_OK);
    expect_told(&second, LOG_STORED);
    cr_expect_eq(rec.stored_seq, 6);
    cr_expect_null(rec.entries);
    host_free(host);
}

Test(log, is_unchanged_by_what_the_store_does_not_take)
{
    struct log_entry entry;

    open_log();
    store.is_full = true;
    cr_expect_not(hand_over(&entry, RECORD_TURN, 2));
    cr_expect_eq(rec.handed_seq, 3);
    cr_expect_null(rec.entries);
    store.is_full = false;
    cr_assert(hand_over(&entry, RECORD_TURN, 1));
    cr_expect_eq(store.jobs[0]->records[0].seq, 4);
    answer(STORE_OK);
    host_free(host);
}

Test(log, falls_back_once_for_all_that_fail_together)
{
    static const enum store_result results[] = { STORE_UNAVAILABLE, STORE_TAKEN, STORE_CORRUPT,
                                                 STORE_NOT_FOUND };

    for (size_t i = 0; i < SK_COUNT_OF(results); i++) {
        struct log_entry entries[4];
        uint32_t generation;

        open_log();
        generation = rec.generation;
        (void)hand_over(&entries[0], RECORD_SUBMISSION, 1);
        (void)hand_over(&entries[1], RECORD_SUBMISSION, 1);
        (void)hand_over(&entries[2], RECORD_TURN, 2);
        answer(STORE_OK);
        expect_told(&entries[0], LOG_STORED);
        answer(results[i]);
        expect_told(&entries[1], LOG_FAILED);
        cr_expect_eq(rec.handed_seq, 4, "its number is free again");
        cr_expect_eq(rec.stored_seq, 4);
        cr_expect_neq(rec.generation, generation);
        generation = rec.generation;
        (void)hand_over(&entries[3], RECORD_SUBMISSION, 1); /* before the third is answered */
        answer(results[i]);
        expect_told(&entries[2], LOG_FAILED_LATER);
        cr_expect_eq(rec.generation, generation);
        cr_expect_eq(rec.handed_seq, 5, "the new one stays");
        cr_expect_eq(store.jobs[0]->records[0].seq, 5);
        answer(STORE_OK);
        expect_told(&entries[3], LOG_STORED);
        host_free(host);
    }
}
