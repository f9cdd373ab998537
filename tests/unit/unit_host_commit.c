/*
 * server/host/room/commit: what a room stores.  The test is the store, and
 * the room has only its match: a commit is accepted or refused, and comes back
 * stored or failed.
 */
#include "match_fixture.h"
#include "proto/records.h"
#include "server/host/room/commit.h"
#include "tests/support/look.h"

#define JOBS_MAX 8
#define NOW_MS   5000

/* ---- a store, a host, a room ------------------------------------------------------------- */

static struct store {
    struct store_port port; /* first */
    struct store_job *jobs[JOBS_MAX];
    uint32_t count;
    uint32_t refuses; /* so many of the next */
} store;

static bool
submit(struct store_port *port, struct store_job *job)
{
    (void)port;
    if (store.refuses > 0) {
        store.refuses--;
        return false;
    }
    cr_assert_lt(store.count, JOBS_MAX);
    store.jobs[store.count++] = job;
    return true;
}

static int64_t
tell_time(void *context)
{
    (void)context;
    return NOW_MS;
}

static void
draw_random(void *context, uint8_t *bytes, size_t size)
{
    (void)context;
    memset(bytes, 7, size);
}

static void
take_line(void *context, int level, const char *message)
{
    (void)context;
    (void)level;
    (void)message;
}

static void
want_write(struct transport *transport, void *connection)
{
    (void)transport;
    (void)connection;
}

static struct transport transport = { .want_write = want_write };
static struct host *host;
static struct room *room;

static void
sit_down(uint8_t seat, int64_t player, bool starts)
{
    struct fact fact = { .kind = RECORD_JOINED,
                         .seat = seat,
                         .joined = { .player = player, .starts = starts } };

    match_apply(&host->work, &room->match, &fact, NOW_MS);
}

static void
open_room(void)
{
    struct host_world world = { .store = &store.port,
                                .transport = &transport,
                                .now_ms = tell_time,
                                .wall_ms = tell_time,
                                .random = draw_random,
                                .log = take_line };
    struct host_options options = { .jobs_max = JOBS_MAX, .outbox_bytes_max = 65536 };
    struct store_match row = board_row("tactics", BOARD_PIKES, BOARD_NONE);

    store = (struct store){ .port.submit = submit };
    host = host_alloc(&options, &world);
    room = room_add(host, row.id);
    cr_assert_null(match_begin(&host->work, &row, &room->match));
    sit_down(0, BOARD_ADA, false);
    sit_down(1, BOARD_BOB, true);
    room->log.handed_seq = 3;
    room->log.stored_seq = 3;
}

/* Returns the oldest job to the log. */
static void
answer(enum store_result result)
{
    struct store_job *job = store.jobs[0];

    cr_assert_gt(store.count, 0);
    memmove(&store.jobs[0], &store.jobs[1], --store.count * sizeof(store.jobs[0]));
    job->result = result;
    job->message = result == STORE_OK ? NULL : strdup("the test says so");
    host_job_done(host, job);
}

static void
close_room(void)
{
    while (store.count > 0) {
        store_job_free(store.jobs[--store.count]);
    }
    host_free(host);
}

/* ---- commits ----------------------------------------------------------------------------- */

/* The callbacks of commits, in order. */
static struct outcome_heard {
    bool is_stored;
    bool is_first;
    enum error_code code;
    uint32_t seq; /* of its first record */
} heard[JOBS_MAX];
static uint32_t heard_count;

static void
hear_stored(struct room *of, struct commit *commit)
{
    heard[heard_count++] =
        (struct outcome_heard){ .is_stored = true, .seq = commit->job->records[0].seq };
    match_apply(&of->host->work, &of->match, &commit->fact, NOW_MS);
}

static void
hear_failed(struct room *of, const struct commit *commit, enum error_code code, bool is_first)
{
    (void)of;
    heard[heard_count++] = (struct outcome_heard){ .is_first = is_first,
                                                   .code = code,
                                                   .seq = commit->job->records[0].seq };
}

static const struct commit_kind heard_kind = { .stored = hear_stored, .failed = hear_failed };
static const struct commit_kind deaf_kind;

/* Commits an offer of that seat, because its effect is easy to see. */
static struct commit *
draft(const struct commit_kind *kind, uint8_t seat)
{
    struct record_offer body = { 0 };
    struct commit *commit = commit_draft(room, kind, RECORD_OFFER, seat);

    (void)commit_record(commit, RECORD_OFFER, seat, &sk_record_offer, &body);
    return commit;
}

static bool
offer(uint8_t seat)
{
    return room_commit(draft(&heard_kind, seat));
}

static void
expect_heard(struct outcome_heard expected)
{
    cr_assert_eq(heard_count, 1);
    cr_expect_eq(heard[0].is_stored, expected.is_stored);
    cr_expect_eq(heard[0].is_first, expected.is_first);
    cr_expect_eq(heard[0].code, expected.code);
    cr_expect_eq(heard[0].seq, expected.seq);
    heard_count = 0;
}

/* ---- drafts ------------------------------------------------------------------------------ */

Test(draft, is_numbered_and_counts_when_the_store_takes_it)
{
    struct record_offer body = { 0 };
    struct commit *commit;

    open_room();
    commit = draft(&heard_kind, 1);
    (void)commit_record(commit, RECORD_OFFER, 1, &sk_record_offer, &body);
    cr_expect_eq(room->match.offer_next, -1, "not before it is handed over");
    cr_expect_null(room->log.entries);
    cr_assert(room_commit(commit));
    cr_expect_eq(room->log.handed_seq, 5);
    cr_expect_eq(room->log.stored_seq, 3);
    cr_expect_not_null(room->log.entries);
    cr_expect_eq(room->match.offer_next, 1, "it counts already");
    cr_expect_eq(room->match.offer, -1);
    cr_assert_eq(store.count, 1);
    cr_expect_eq(store.jobs[0]->kind, JOB_MATCH_APPEND);
    cr_expect_eq(store.jobs[0]->match_id, 7);
    cr_expect_eq(store.jobs[0]->append.generation, room->log.generation);
    cr_expect_eq(store.jobs[0]->records[0].seq, 4);
    cr_expect_eq(store.jobs[0]->records[1].seq, 5);
    cr_expect_str_eq(store.jobs[0]->records[0].body, "{\"declined\":false}");
    answer(STORE_OK);
    cr_expect_eq(room->log.stored_seq, 5);
    close_room();
}

Test(draft, that_the_store_does_not_take_was_never_there)
{
    open_room();
    store.refuses = 1;
    cr_expect_not(offer(0));
    cr_expect_eq(room->log.handed_seq, 3);
    cr_expect_null(room->log.entries);
    cr_expect_eq(room->match.offer_next, -1);
    cr_expect_eq(heard_count, 0);
    cr_expect_eq(room->retry_ms, 0, "whether it is tried again is the caller's to say");
    cr_assert(offer(0), "the next one has its numbers");
    cr_expect_eq(store.jobs[0]->records[0].seq, 4);
    answer(STORE_OK);
    close_room();
}

/* ---- an outage in front of everything ----------------------------------------------------- */

Test(outage, is_handed_over_in_front_of_the_next_record)
{
    open_room();
    store.refuses = 1;
    room_shift(room, 900);
    cr_expect_eq(store.count, 0, "the store took none");
    cr_assert(offer(0));
    cr_assert_eq(store.count, 2);
    cr_expect_eq(store.jobs[0]->records[0].kind, RECORD_CLOCK);
    cr_expect_eq(store.jobs[0]->records[0].seq, 4);
    cr_expect_str_eq(store.jobs[0]->records[0].body, "{\"shift_ms\":900}");
    cr_expect_eq(store.jobs[1]->records[0].kind, RECORD_OFFER);
    cr_expect_eq(store.jobs[1]->records[0].seq, 5);
    answer(STORE_OK);
    cr_expect_eq(room->shift_ms, 0);
    answer(STORE_OK);
    cr_expect_eq(room->log.stored_seq, 5);
    close_room();
}

Test(outage, that_the_store_does_not_take_keeps_all_others_out)
{
    open_room();
    store.refuses = 2;
    room_shift(room, 900);
    cr_expect_not(offer(0));
    cr_expect_eq(store.count, 0);
    cr_expect_eq(room->log.handed_seq, 3);
    cr_expect_eq(room->match.offer_next, -1);
    cr_expect_eq(room->retry_ms, NOW_MS + 1000, "the outage is tried again by itself");
    close_room();
}

Test(outage, is_handed_over_once_and_again_when_it_was_not_stored)
{
    open_room();
    room_shift(room, 900);
    cr_assert(offer(0));
    cr_expect_eq(store.count, 2, "it is on its way already");
    answer(STORE_UNAVAILABLE);
    answer(STORE_UNAVAILABLE);
    cr_expect_eq(room->shift_ms, 900, "it is still owed");
    cr_assert(offer(1));
    cr_assert_eq(store.count, 2);
    cr_expect_eq(store.jobs[0]->records[0].kind, RECORD_CLOCK);
    cr_expect_eq(store.jobs[0]->records[0].seq, 4);
    answer(STORE_OK);
    answer(STORE_OK);
    close_room();
}

/* ---- answers ----------------------------------------------------------------------------- */

Test(answer, that_it_is_stored_counts_once)
{
    open_room();
    (void)offer(1);
    answer(STORE_OK);
    expect_heard((struct outcome_heard){ .is_stored = true, .seq = 4 });
    cr_expect_null(room->log.entries);
    cr_expect_eq(room->log.stored_seq, 4);
    cr_expect_eq(room->match.offer, 1);
    cr_expect_eq(room->retry_ms, 0);
    close_room();
}

Test(answer, that_it_is_not_stored_takes_the_room_back)
{
    static const enum store_result results[] = { STORE_UNAVAILABLE, STORE_TAKEN };

    for (size_t i = 0; i < SK_COUNT_OF(results); i++) {
        uint32_t generation;

        open_room();
        generation = room->log.generation;
        (void)offer(1);
        answer(results[i]);
        expect_heard(
            (struct outcome_heard){ .is_first = true, .code = ERROR_STORE_UNAVAILABLE, .seq = 4 });
        cr_expect_null(room->log.entries);
        cr_expect_neq(room->log.generation, generation);
        cr_expect_eq(room->log.handed_seq, 3);
        cr_expect_eq(room->match.offer_next, -1);
        cr_expect_eq(room->retry_ms, NOW_MS + 1000);
        cr_expect_eq(room_phase(room), ROOM_RUNNING);
        (void)offer(0);
        cr_expect_eq(store.jobs[0]->records[0].seq, 4, "its number is free again");
        cr_expect_eq(store.jobs[0]->append.generation, room->log.generation);
        answer(STORE_OK);
        heard_count = 0;
        close_room();
    }
}

Test(answer, of_an_old_generation_undoes_nothing)
{
    uint32_t generation;

    open_room();
    (void)offer(0);
    (void)offer(1);
    answer(STORE_UNAVAILABLE);
    expect_heard(
        (struct outcome_heard){ .is_first = true, .code = ERROR_STORE_UNAVAILABLE, .seq = 4 });
    generation = room->log.generation;
    (void)offer(0); /* before the second one is answered */
    cr_expect_eq(room->match.offer_next, 0);
    answer(STORE_UNAVAILABLE);
    expect_heard((struct outcome_heard){ .code = ERROR_STORE_UNAVAILABLE, .seq = 5 });
    cr_expect_eq(room->log.generation, generation);
    cr_expect_eq(room->match.offer_next, 0, "the newer one stands");
    cr_expect_eq(room->log.handed_seq, 4);
    cr_expect_not_null(room->log.entries);
    answer(STORE_OK);
    expect_heard((struct outcome_heard){ .is_stored = true, .seq = 4 });
    cr_expect_eq(room->match.offer, 0);
    close_room();
}

Test(answer, what_was_stored_before_a_failure_stays)
{
    open_room();
    (void)offer(0);
    (void)offer(1);
    answer(STORE_OK);
    expect_heard((struct outcome_heard){ .is_stored = true, .seq = 4 });
    answer(STORE_UNAVAILABLE);
    expect_heard(
        (struct outcome_heard){ .is_first = true, .code = ERROR_STORE_UNAVAILABLE, .seq = 5 });
    cr_expect_eq(room->log.stored_seq, 4);
    cr_expect_eq(room->log.handed_seq, 4);
    cr_expect_eq(room->match.offer, 0);
    cr_expect_eq(room->match.offer_next, 0);
    close_room();
}

Test(answer, that_nothing_can_be_appended_sets_the_match_aside)
{
    static const enum store_result results[] = { STORE_CORRUPT, STORE_NOT_FOUND };

    for (size_t i = 0; i < SK_COUNT_OF(results); i++) {
        open_room();
        (void)offer(0);
        (void)offer(1);
        answer(results[i]);
        expect_heard(
            (struct outcome_heard){ .is_first = true, .code = ERROR_QUARANTINED, .seq = 4 });
        cr_expect_eq(room_phase(room), ROOM_QUARANTINED);
        cr_expect_str_eq(room->reason, "the test says so");
        cr_expect_eq(room->retry_ms, 0, "trying again is of no use");
        cr_expect_eq(room->match.offer_next, -1);
        cr_assert_eq(store.count, 2);
        cr_expect(store.jobs[1]->append.change.is_quarantined, "that is stored, if it can be");
        cr_expect_eq(store.jobs[1]->record_count, 0);
        answer(results[i]);
        expect_heard((struct outcome_heard){ .code = ERROR_QUARANTINED, .seq = 5 });
        cr_expect_eq(store.count, 1, "once");
        answer(results[i]);
        cr_expect_null(room->log.entries);
        close_room();
    }
}

Test(answer, of_what_nobody_listens_for_does_the_same)
{
    open_room();
    cr_assert(room_commit(draft(&deaf_kind, 0)));
    answer(STORE_OK);
    cr_expect_eq(room->log.stored_seq, 4);
    cr_assert(room_commit(draft(&deaf_kind, 0)));
    answer(STORE_UNAVAILABLE);
    cr_expect_eq(room->log.handed_seq, 4);
    cr_expect_null(room->log.entries);
    close_room();
}

struct told_case {
    enum store_result result;
    const char *text; /* NULL: nothing */
};

Test(answer, tells_the_sender_that_it_is_not_stored)
{
    static const struct told_case cases[] = {
        { STORE_OK, NULL },
        { STORE_UNAVAILABLE, "\"code\":\"store_unavailable\"" },
        { STORE_CORRUPT, "\"code\":\"quarantined\"" },
    };
    const struct frame_head head = { .has_id = true, .id = SK_TEXT("q7") };

    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        const struct message *message;
        struct session *session;
        struct commit *commit;

        open_room();
        session = host_connect(host, &store, "192.0.2.1");
        commit = draft(&heard_kind, 0);
        commit->reply = reply_to(session, &head);
        cr_assert(room_commit(commit));
        answer(cases[i].result);
        message = host_next_message(session);
        cr_expect_eq(message != NULL, cases[i].text != NULL, "%zu", i);
        if (message != NULL && cases[i].text != NULL) {
            cr_expect(strstr(message->text, cases[i].text) != NULL, "%s", message->text);
            cr_expect(strstr(message->text, "\"id\":\"q7\"") != NULL, "%s", message->text);
        }
        host_disconnect(host, session);
        heard_count = 0;
        close_room();
    }
}
