/* server/store: players, matches and their records, through the port and the thread. */
#include "tests/unit/store_fixture.h"

#include "server/store/address.h"
#include "server/store/heads.h"
#include "tests/support/cases.h"

/* ---- players ----------------------------------------------------------------------------- */

Test(store_player, has_a_name_that_is_unique_without_regard_to_case)
{
    struct fixture fixture;

    fixture_init(&fixture);
    fixture_open(&fixture);
    cr_expect_eq(fixture_player(&fixture, "Ann", 1), 1);
    cr_expect_eq(fixture_result(&fixture, job_player(JOB_PLAYER_CREATE, "aNN", 2)), STORE_TAKEN);
    cr_expect_eq(fixture_result(&fixture, job_player(JOB_PLAYER_CREATE, "Ann", 3)), STORE_TAKEN);
    cr_expect_eq(fixture_player(&fixture, "Anna", 4), fixture_is_postgres() ? 4 : 2,
                 "only PostgreSQL gives a refused one an id");
    fixture_close(&fixture);
}

Test(store_player, logs_in_with_a_token_until_it_is_renewed)
{
    struct fixture fixture;
    struct store_job *job;

    fixture_init(&fixture);
    fixture_open(&fixture);
    job = job_player(JOB_PLAYER_CREATE, "Robot", 7);
    job->player.is_bot = true;
    cr_expect_eq(fixture_result(&fixture, job), STORE_OK);

    job = fixture_run(&fixture, job_player(JOB_PLAYER_LOGIN, NULL, 7));
    cr_expect_eq(job->result, STORE_OK);
    cr_expect_eq(job->player.id, 1);
    cr_expect_str_eq(job->player.name, "Robot");
    cr_expect(job->player.is_bot);
    store_job_free(job);

    job = job_player(JOB_TOKEN_RENEW, NULL, 8);
    job->player.id = 1;
    cr_expect_eq(fixture_result(&fixture, job), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_player(JOB_PLAYER_LOGIN, NULL, 7)), STORE_NOT_FOUND);
    cr_expect_eq(fixture_result(&fixture, job_player(JOB_PLAYER_LOGIN, NULL, 8)), STORE_OK);

    job = job_player(JOB_TOKEN_RENEW, NULL, 9);
    job->player.id = 2;
    cr_expect_eq(fixture_result(&fixture, job), STORE_NOT_FOUND);
    fixture_close(&fixture);
}

/* ---- a match comes back ------------------------------------------------------------------ */

static void
expect_same_record(const struct store_record *got, const struct store_record *sent)
{
    cr_expect_eq(got->seq, sent->seq);
    cr_expect_eq(got->kind, sent->kind);
    cr_expect_eq(got->turn, sent->turn);
    cr_expect_eq(got->seat, sent->seat);
    cr_expect_eq(got->at_ms, sent->at_ms);
    cr_expect_eq(got->body_length, sent->body_length);
    cr_expect_str_eq(got->body, sent->body);
    cr_expect_eq(got->command_id == NULL, sent->command_id == NULL);
    if (got->command_id != NULL && sent->command_id != NULL) {
        cr_expect_str_eq(got->command_id, sent->command_id);
    }
    cr_expect_arr_eq(got->hash, sent->hash, STORE_HASH_BYTES);
}

/* One record of each kind. */
static struct store_job *
job_of_all_kinds(int64_t match)
{
    struct store_job *job = job_append(match, 0);

    for (int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
        struct store_record *record =
            job_add(job, 2 + (uint32_t)kind, (enum store_record_kind)kind, "{\"text\":\"\u00e4\"}");

        record->turn = kind - 1;
        record->seat = kind % 3 - 1;
        record->command_id = kind % 2 == 0 ? copy_of("an id") : NULL;
        record->at_ms = INT64_C(1700000000000) + kind;
        if (record->command_id != NULL) {
            record->command_id[0] = (char)('a' + kind);
        }
    }
    return job;
}

static void
expect_same_match(const struct store_match *got, const struct store_match *sent)
{
    cr_expect_str_eq(got->ruleset, sent->ruleset);
    cr_expect_eq(got->version, sent->version);
    cr_expect_str_eq(got->params, sent->params);
    cr_expect_arr_eq(got->seed, sent->seed, STORE_SEED_BYTES);
    cr_expect_arr_eq(got->salt, sent->salt, STORE_SEED_BYTES);
    cr_expect_str_eq(got->settings, sent->settings);
    cr_expect_str_eq(got->code, sent->code);
    cr_expect_eq(got->is_open, sent->is_open);
    cr_expect_eq(got->is_rated, sent->is_rated);
    cr_expect_eq(got->seat_count, sent->seat_count);
    cr_expect_eq(got->status, sent->status);
    cr_expect_eq(got->created_at_ms, sent->created_at_ms);
    cr_expect_eq(got->started_at_ms, sent->started_at_ms);
    cr_expect_eq(got->ended_at_ms, sent->ended_at_ms);
    cr_expect_eq(got->winner, sent->winner);
    cr_expect_null(got->reason);
}

Test(store_match, comes_back_as_it_was_written_also_from_a_file_opened_again)
{
    struct fixture fixture;
    struct store_job *created;
    struct store_job *appended;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    created = job_create(1);
    created->match.code = copy_of("QX7");
    created->match.is_open = false;
    created->seats[1].is_bot = true;
    (void)fixture_run(&fixture, created);
    cr_assert_eq(created->result, STORE_OK, "%s", created->message);
    cr_expect_eq(created->match.id, 1);
    appended = fixture_run(&fixture, job_of_all_kinds(1));
    cr_assert_eq(appended->result, STORE_OK, "%s", appended->message);

    for (int round = 0; round < 2; round++) {
        struct store_job *loaded = job_load(1);

        (void)fixture_run(&fixture, loaded);
        cr_assert_eq(loaded->result, STORE_OK, "%s", loaded->message);
        expect_same_match(&loaded->match, &created->match);
        cr_expect_eq(loaded->seats[0].player, 1);
        cr_expect_str_eq(loaded->seats[0].name, "Ann");
        cr_expect_not(loaded->seats[0].is_bot);
        cr_expect_eq(loaded->seats[1].player, 0);
        cr_expect_null(loaded->seats[1].name);
        cr_expect(loaded->seats[1].is_bot);
        cr_assert_eq(loaded->record_count, 1 + appended->record_count);
        expect_same_record(&loaded->records[0], &created->records[0]);
        for (uint32_t i = 0; i < appended->record_count; i++) {
            expect_same_record(&loaded->records[1 + i], &appended->records[i]);
        }
        store_job_free(loaded);
        fixture_reopen(&fixture);
    }
    store_job_free(created);
    store_job_free(appended);
    fixture_close(&fixture);
}

Test(store_match, goes_on_where_its_chain_ended_after_a_restart)
{
    struct fixture fixture;
    struct store_job *job;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, 2, "a")), STORE_OK);
    fixture_reopen(&fixture);
    job = job_load(1);
    job->load.claims = true;
    cr_expect_eq(fixture_result(&fixture, job), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, 3, "b")), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_OK);
    fixture_close(&fixture);
}

/* ---- changes ----------------------------------------------------------------------------- */

Test(store_match, takes_seats_starts_and_ends_with_its_records)
{
    struct fixture fixture;
    struct store_job *job;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_player(&fixture, "Bob", 2);
    (void)fixture_match(&fixture, 1);
    cr_expect_eq(fixture_result(&fixture, job_join(1, 0, 2, 2)), STORE_OK);
    job = fixture_run(&fixture, job_load(1));
    cr_expect_eq(job->match.status, MATCH_RUNNING);
    cr_expect_eq(job->match.started_at_ms, 2000);
    cr_expect_str_eq(job->seats[1].name, "Bob");
    store_job_free(job);

    cr_expect_eq(fixture_result(&fixture, job_end(1, 0, 3, 0)), STORE_OK);
    job = fixture_run(&fixture, job_load(1));
    cr_expect_eq(job->match.status, MATCH_OVER);
    cr_expect_eq(job->match.ended_at_ms, 9000);
    cr_expect_eq(job->match.winner, 0);
    cr_expect_str_eq(job->match.reason, "eliminated");
    store_job_free(job);

    cr_expect_neq(fixture_result(&fixture, job_end(1, 1, 4, 1)), STORE_OK, "it is over");
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 2, 4, "late")), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_OK, "the end moved with it");
    fixture_close(&fixture);
}

Test(store_match, frees_a_seat_and_can_be_set_aside)
{
    struct fixture fixture;
    struct store_job *job;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    job = job_append(1, 0);
    job->append.change.has_seat = true;
    cr_expect_eq(fixture_result(&fixture, job), STORE_OK);
    job = job_append(1, 0);
    job->append.change.is_quarantined = true;
    job->append.change.reason = copy_of("its hash is another");
    cr_expect_eq(fixture_result(&fixture, job), STORE_OK);

    job = fixture_run(&fixture, job_load(1));
    cr_expect_eq(job->seats[0].player, 0);
    cr_expect_eq(job->match.status, MATCH_QUARANTINED);
    cr_expect_str_eq(job->match.reason, "its hash is another");
    store_job_free(job);
    job = fixture_run(&fixture, store_job_alloc(JOB_UNFINISHED));
    cr_expect_eq(job->unfinished.ids.count, 0, "nobody loads it again");
    store_job_free(job);
    fixture_close(&fixture);
}

/* ---- what is refused --------------------------------------------------------------------- */

/* Rooms make sure, from memory, that an id is used once. */
Test(store_match, shows_a_command_id_that_one_seat_used_twice_when_it_is_read)
{
    struct fixture fixture;
    struct store_job *job;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    (void)fixture_match(&fixture, 1);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, 2, "same")), STORE_OK);
    job = job_submission(1, 0, 3, "same");
    job->records[0].seat = 1;
    cr_expect_eq(fixture_result(&fixture, job), STORE_OK, "another seat's");
    cr_expect_eq(fixture_result(&fixture, job_submission(2, 0, 2, "same")), STORE_OK,
                 "another match's");
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, 4, NULL)), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, 5, NULL)), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_OK);
    job = fixture_run(&fixture, job_submission(1, 0, 6, "same"));
    cr_expect_eq(job->result, fixture_is_postgres() ? STORE_UNAVAILABLE : STORE_OK,
                 "PostgreSQL does not even store it");
    store_job_free(job);
    job = fixture_run(&fixture, job_load(1));
    if (fixture_is_postgres()) {
        cr_expect_eq(job->result, STORE_OK);
    } else {
        cr_expect_eq(job->result, STORE_CORRUPT);
        cr_expect_str_eq(job->message, "match 1: record 6 has a command id that was used before");
    }
    store_job_free(job);
    cr_expect_eq(fixture_result(&fixture, job_load(2)), STORE_OK);
    fixture_close(&fixture);
}

static const uint32_t wrong_seqs[] = { 0, 1, 2, 4, UINT32_MAX };

CASES(store_match, refuses_a_record_that_does_not_follow, wrong_seqs)
{
    struct fixture fixture;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, 2, "a")), STORE_OK);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, wrong_seqs[*index], "b")),
                 fixture_is_postgres() ? STORE_LOST : STORE_CORRUPT);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 1, 3, "b")), STORE_OK);
    fixture_close(&fixture);
}

/* Each fails after a part of it was written. */
static struct store_job *
job_half_right(size_t which)
{
    struct store_job *job = job_submission(1, 0, 3, "new");

    switch (which) {
    case 0: /* its second record is of a seat that cannot be */
        job_add(job, 4, RECORD_SUBMISSION, "{}")->seat = STORE_NO_SEAT - 1;
        break;
    case 1: /* a player nobody knows */
        job->append.change.has_seat = true;
        job->append.change.player = 99;
        break;
    case 2: /* a seat that is not there */
        job->append.change.has_seat = true;
        job->append.change.seat = 2;
        break;
    default: /* a gap */
        (void)job_add(job, 5, RECORD_WITHDRAWN, "{}");
        break;
    }
    return job;
}

CASES_COUNTED(store_match, leaves_nothing_of_a_job_that_fails_in_the_middle, 4)
{
    struct fixture fixture;
    struct store_job *jobs;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    (void)fixture_match(&fixture, 1);
    fixture_submit(&fixture, job_submission(1, 0, 2, "first"));
    fixture_submit(&fixture, job_half_right(*index));
    fixture_submit(&fixture, job_submission(1, 0, 3, "same generation"));
    fixture_submit(&fixture, job_submission(2, 0, 2, "other match"));
    fixture_submit(&fixture, job_submission(1, 1, 3, "next generation"));
    fixture_submit(&fixture, job_load(1));
    jobs = fixture_collect(&fixture, 6);

    for (int i = 0; jobs != NULL; i++) {
        static const bool is_fine[] = { true, false, false, true, true, true };
        struct store_job *next = jobs->next;

        cr_expect_eq(jobs->result == STORE_OK, is_fine[i], "job %d: %s", i,
                     jobs->message != NULL ? jobs->message : "fine");
        if (jobs->kind == JOB_MATCH_LOAD) {
            cr_assert_eq(jobs->record_count, 3);
            cr_expect_str_eq(jobs->records[2].command_id, "next generation");
            cr_expect_eq(jobs->seats[0].player, 1);
        }
        store_job_free(jobs);
        jobs = next;
    }
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT count(*) FROM record WHERE match = 1"), "3");
    fixture_close(&fixture);
}

Test(store_match, needs_known_players_and_a_free_code)
{
    struct fixture fixture;
    struct store_job *job;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    job = job_create(5);
    cr_expect_eq(fixture_result(&fixture, job), STORE_NOT_FOUND);
    job = job_create(1);
    job->match.code = copy_of("ABC");
    cr_expect_eq(fixture_result(&fixture, job), STORE_OK);
    job = fixture_run(&fixture, job_create(1));
    cr_expect_eq(job->match_id, 2);
    store_job_free(job);
    job = job_create(1);
    job->match.code = copy_of("ABC");
    job = fixture_run(&fixture, job);
    cr_expect_eq(job->result, STORE_TAKEN);
    cr_expect_eq(job->match_id, 0);
    store_job_free(job);
    fixture_close(&fixture);
}

Test(store_match, that_is_unknown_is_not_found)
{
    struct fixture fixture;
    struct store_job *job;

    fixture_init(&fixture);
    fixture_open(&fixture);
    cr_expect_eq(fixture_result(&fixture, job_load(1)), STORE_NOT_FOUND);
    cr_expect_eq(fixture_result(&fixture, job_load(0)), STORE_NOT_FOUND);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, 1, "a")), STORE_NOT_FOUND);
    cr_expect_eq(fixture_result(&fixture, job_submission(0, 0, 1, "a")), STORE_NOT_FOUND);
    cr_expect_eq(fixture_result(&fixture, job_text(QUERY_MATCH, 1)), STORE_NOT_FOUND);
    cr_expect_eq(fixture_result(&fixture, job_text(QUERY_REPLAY, 1)), STORE_NOT_FOUND);
    job = store_job_alloc(JOB_MATCH_BY_CODE);
    job->code = copy_of("NO");
    cr_expect_eq(fixture_result(&fixture, job), STORE_NOT_FOUND);
    fixture_close(&fixture);
}

Test(store_match, that_plays_another_again_is_found_while_it_is_unfinished)
{
    static const struct {
        const char *label;
        const char *status;
        enum store_result result;
    } cases[] = {
        { "waits", "waiting", STORE_OK },
        { "is played", "running", STORE_OK },
        { "is over", "over", STORE_NOT_FOUND },
        { "is quarantined", "quarantined", STORE_NOT_FOUND },
    };
    struct fixture fixture;
    struct store_job *job;
    int64_t again;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    job = job_create(1);
    job->match.rematch_of = 1;
    job = fixture_run(&fixture, job);
    again = job->match_id;
    store_job_free(job);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char sql[128];

        (void)snprintf(sql, sizeof(sql), "UPDATE match SET status = '%s' WHERE id = 2",
                       cases[i].status);
        fixture_sql(&fixture, sql);
        job = store_job_alloc(JOB_REMATCH_FIND);
        job->rematch_of = 1;
        job = fixture_run(&fixture, job);
        cr_expect_eq(job->result, cases[i].result, "%s", cases[i].label);
        cr_expect_eq(job->match_id, job->result == STORE_OK ? again : 0, "%s", cases[i].label);
        store_job_free(job);
    }
    job = fixture_run(&fixture, job_load(again));
    cr_expect_eq(job->match.rematch_of, 1);
    store_job_free(job);
    fixture_close(&fixture);
}

/* One node makes one rematch, as the host sees to; of two nodes the second is refused. */
Test(store, a_second_unfinished_rematch_is_taken_where_nodes_share_the_database)
{
    struct fixture fixture;
    enum store_result second = fixture_is_postgres() ? STORE_TAKEN : STORE_OK;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    for (int i = 0; i < 3; i++) {
        struct store_job *job = job_create(1);

        job->match.rematch_of = 1;
        job = fixture_run(&fixture, job);
        cr_expect_eq(job->result, i == 1 ? second : STORE_OK, "%d: %s", i,
                     job->message == NULL ? "" : job->message);
        store_job_free(job);
        if (i == 1) {
            fixture_sql(&fixture, "UPDATE match SET status = 'over' WHERE rematch_of = 1");
        }
    }
    fixture_close(&fixture);
}

/* ---- small reads ------------------------------------------------------------------------- */

Test(store_read, finds_a_command_by_its_id)
{
    struct fixture fixture;
    struct store_job *job;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    cr_expect_eq(fixture_result(&fixture, job_submission(1, 0, 2, "mine")), STORE_OK);
    for (int32_t seat = 0; seat < 2; seat++) {
        job = store_job_alloc(JOB_COMMAND_FIND);
        job->match_id = 1;
        store_job_add_record(job)->seat = seat;
        job->records[0].command_id = copy_of("mine");
        job = fixture_run(&fixture, job);
        cr_expect_eq(job->result, seat == 0 ? STORE_OK : STORE_NOT_FOUND);
        if (seat == 0) {
            cr_assert_eq(job->record_count, 1);
            cr_expect_eq(job->records[0].seq, 2);
            cr_expect_eq(job->records[0].turn, 0);
            cr_expect_eq(job->records[0].kind, RECORD_SUBMISSION);
            cr_expect_str_eq(job->records[0].body, "{\"commands\":[]}");
        }
        store_job_free(job);
    }
    fixture_close(&fixture);
}

Test(store_read, lists_unfinished_matches_in_pages_with_the_last_beat)
{
    struct fixture fixture;
    struct store_job *job;
    int64_t after = 0;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    for (int i = 0; i < 40; i++) {
        (void)fixture_match(&fixture, 1);
    }
    cr_expect_eq(fixture_result(&fixture, job_end(7, 0, 2, STORE_NOBODY)), STORE_OK);
    for (int64_t beat = 5000; beat < 5003; beat++) {
        job = store_job_alloc(JOB_BEAT);
        job->at_ms = beat;
        cr_expect_eq(fixture_result(&fixture, job), STORE_OK);
    }
    for (int64_t expected = 1; expected <= 40;) {
        job = store_job_alloc(JOB_UNFINISHED);
        job->unfinished.after = after;
        job->unfinished.limit = 10;
        job = fixture_run(&fixture, job);
        cr_expect_eq(job->unfinished.last_beat_ms, fixture_is_postgres() ? 0 : 5002);
        cr_assert(job->unfinished.ids.count > 0);
        for (uint32_t i = 0; i < job->unfinished.ids.count; i++, expected++) {
            expected += expected == 7;
            cr_expect_eq(job->unfinished.ids.at[i], expected);
            after = expected;
        }
        store_job_free(job);
    }
    job = store_job_alloc(JOB_PLAYER_MATCHES);
    job->player.id = 1;
    job = fixture_run(&fixture, job);
    cr_expect_eq(job->matches.count, 39);
    store_job_free(job);
    fixture_close(&fixture);
}

Test(store_read, finds_a_private_match_by_its_code)
{
    struct fixture fixture;
    struct store_job *job;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_match(&fixture, 1);
    job = job_create(1);
    job->match.code = copy_of("JOIN-ME");
    cr_expect_eq(fixture_result(&fixture, job), STORE_OK);
    job = store_job_alloc(JOB_MATCH_BY_CODE);
    job->code = copy_of("JOIN-ME");
    job = fixture_run(&fixture, job);
    cr_expect_eq(job->result, STORE_OK);
    cr_expect_eq(job->match_id, 2);
    store_job_free(job);
    fixture_close(&fixture);
}

/* ---- what is remembered between jobs ----------------------------------------------------- */

Test(store_heads, are_kept_while_there_is_room_and_failures_always)
{
    struct heads heads;
    uint32_t known = 0;

    heads_init(&heads);
    for (int64_t match = 1; match <= 3 * (int64_t)STORE_HEADS_MAX; match++) {
        struct head *head = heads_of(&heads, match);

        cr_assert_not(head->is_known);
        *head = (struct head){ .match = match, .last_seq = match, .is_known = true };
        if (match % 1000 == 0) {
            heads_fail(&heads, match, 7);
        }
        cr_assert_eq(heads_of(&heads, match)->last_seq, match);
    }
    cr_expect(heads.size <= 4 * STORE_HEADS_MAX, "%u places", heads.size);
    for (int64_t match = 1; match <= 3 * (int64_t)STORE_HEADS_MAX; match++) {
        cr_assert_eq(heads_has_failed(&heads, match, 7), match % 1000 == 0);
    }
    for (uint32_t i = 0; i < heads.size; i++) {
        known += heads.places[i].is_known;
    }
    cr_expect(known > STORE_HEADS_MAX / 2, "%u are known", known);
    cr_expect_not(heads_has_failed(&heads, 1000, 8), "another generation");
    cr_expect_not(heads_has_failed(&heads, 1000, 7), "clears the failure");
    heads_fini(&heads);
}

Test(store_heads, that_say_nothing_any_more_take_no_space)
{
    struct heads heads;

    heads_init(&heads);
    for (int64_t match = 1; match <= 100000; match++) {
        heads_of(&heads, match)->is_known = true;
        heads_forget(&heads, match);
    }
    cr_expect(heads.size <= 1024, "%u places", heads.size);
    heads_fini(&heads);
}

/* ---- addresses --------------------------------------------------------------------------- */

static const struct {
    const char *address;
    const char *shown;
} shown_cases[] = {
    { "/var/lib/a?b@c.db", "/var/lib/a?b@c.db" },
    { "postgres://db/name", "postgres://db/name" },
    { "postgres://me@db:5432/name?sslmode=require", "postgres://me@db:5432/name" },
    { "postgres://me:secret@db/name", "postgres://me:***@db/name" },
    { "postgres://me:secret@db/name?password=secret", "postgres://me:***@db/name" },
    { "postgres://db:5432/name?password=se@cret", "postgres://db:***" },
    { "postgres://me:se@cret@db/name", "postgres://me:***@db/name" },
    { "postgres://me:se/cret@db/name", "postgres://me:***@db/name" },
    { "postgres://me:se@c?ret@db/name", "postgres://me:***" },
};

Test(store_address, is_shown_without_a_password)
{
    for (size_t i = 0; i < SK_COUNT_OF(shown_cases); i++) {
        char shown[ADDRESS_SHOWN_MAX];

        address_show(shown_cases[i].address, shown);
        cr_expect_str_eq(shown, shown_cases[i].shown, "%s", shown_cases[i].address);
    }
}

static const struct {
    const char *address;
    bool is_escaped;
} escaped_cases[] = {
    { "postgres://", true },
    { "postgres:///name", true },
    { "postgres://db:5432/name", true },
    { "postgres://me@/name?host=/tmp/a@b", true },
    { "postgresql://me:se%40cr%2Fet@db1:5432,db2/name?password=se@cret", true },
    { "postgres://me:se/cret@db/name", false },
    { "postgres://me:se@cret@db/name", false },
    { "postgres://me:se@cr/et@db/name", false },
    { "postgres://me:se?cret@db/name", false },
    { "postgres://db:5432?password=se@cret", false }, /* for libpq cret is the host */
};

Test(store_address, a_password_that_is_not_escaped_is_noticed)
{
    for (size_t i = 0; i < SK_COUNT_OF(escaped_cases); i++) {
        cr_expect_eq(address_is_escaped(escaped_cases[i].address), escaped_cases[i].is_escaped,
                     "%s", escaped_cases[i].address);
    }
}
