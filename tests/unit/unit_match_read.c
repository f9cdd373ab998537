/*
 * server/match: reads a match from stored rows and records.  Invalid ones are
 * refused with a reason, and change nothing.
 */
#include "match_fixture.h"

static struct board board;
static struct match *const match = &board.match;

/* ---- rows -------------------------------------------------------------------------------- */

struct row_case {
    const char *ruleset;
    const char *params;
    const char *settings;
    const char *trouble; /* NULL: none */
};

Test(row, that_cannot_be_a_match_is_refused)
{
    static const struct row_case cases[] = {
        { "tactics", BOARD_PIKES, BOARD_CLOCK, NULL },
        { "chess", BOARD_PIKES, BOARD_CLOCK,
          "this program does not have this version of the ruleset" },
        { "tactics", "{", BOARD_CLOCK, "the ruleset refuses the stored params" },
        { "tactics", "{\"rows\":-1}", BOARD_CLOCK, "the ruleset refuses the stored params" },
        { "tactics", BOARD_PIKES, "", "the settings are not JSON" },
        { "tactics", BOARD_PIKES, "{\"clock\":1}", "the settings do not match their schema" },
    };

    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        const char *trouble =
            board_try(&board, cases[i].ruleset, cases[i].params, cases[i].settings);

        cr_expect_str_eq(trouble == NULL ? "" : trouble,
                         cases[i].trouble == NULL ? "" : cases[i].trouble, "%zu", i);
        board_close(&board);
    }
}

Test(row, gives_settings_and_secrets)
{
    cr_assert_null(board_try(&board, "tactics", BOARD_PIKES,
                             "{\"clock\":true,\"turn_ms\":7,\"bank_ms\":8,\"open\":false,"
                             "\"rated\":false,\"spectator_delay\":9,\"cycle\":true,"
                             "\"created_by\":10}"));
    cr_expect(match->clock.has_turn);
    cr_expect(match->clock.is_cycle);
    cr_expect_eq(match->clock.turn_ms, 7);
    cr_expect_eq(match->clock.bank_ms, 8);
    cr_expect_eq(match->spectator_delay, 9);
    cr_expect_eq(match->created_by, 10);
    cr_expect_not(match->is_open);
    cr_expect_not(match->is_rated);
    cr_expect_arr_eq(match->seed.bytes, "seed", 4);
    cr_expect_arr_eq(match->salt.bytes, "salt", 4);
    board_close(&board);
}

/* ---- records that cannot be -------------------------------------------------------------- */

struct record_case {
    enum store_record_kind kind;
    int32_t seat;
    const char *body;
    const char *trouble;
};

#define LIST_OF(commands) "{\"commands\":" commands ",\"verdicts\":[],\"ready\":true,\"used_ms\":0}"
#define TURN_OF(commands)                                                     \
    "{\"commands\":" commands ",\"verdicts\":[[],[]],\"events\":[],\"hash\":" \
    "\"0123456789abcdef\",\"used_ms\":[0,0],\"bank_ms\":[0,0],\"missed\":[0,0]}"
#define NO_SEAT  "a submission has no seat or no id"
#define NO_SEAT2 "a withdrawal has no seat or no id"
#define NO_SEAT3 "an offer has no seat"
#define NO_JOIN  "a record joins a seat that could not be joined"
#define NO_FORM  "a record's body does not match its schema"

static const struct record_case record_cases[] = {
    { RECORD_OFFER, 0, "", "a record's body is not JSON" },
    { RECORD_OFFER, 0, "{}", NO_FORM },
    { RECORD_OFFER, -1, "{\"declined\":false}", NO_SEAT3 },
    { RECORD_OFFER, 2, "{\"declined\":true}", NO_SEAT3 },
    { RECORD_OFFER, 255, "{\"declined\":false}", NO_SEAT3 },
    { RECORD_OFFER, 256, "{\"declined\":false}", NO_SEAT3 },
    { RECORD_CLOCK, -1, "{\"shift_ms\":-1}", NO_FORM },
    { RECORD_JOINED, 0, "{\"player\":11,\"bot\":false}", NO_FORM },
    { RECORD_JOINED, 0, "{\"player\":11,\"bot\":false,\"starts\":false}", NO_JOIN },
    { RECORD_SUBMISSION, -1, LIST_OF("[]"), NO_SEAT },
    { RECORD_SUBMISSION, 2, LIST_OF("[]"), NO_SEAT },
    { RECORD_SUBMISSION, 0, LIST_OF("[{\"kind\":\"castle\"}]"),
      "a submission's commands do not match the ruleset's schema" },
    { RECORD_SUBMISSION, 0, LIST_OF("7"),
      "a submission's commands do not match the ruleset's schema" },
    { RECORD_WITHDRAWN, -1, "{\"used_ms\":0}", NO_SEAT2 },
    { RECORD_WITHDRAWN, 2, "{\"used_ms\":0}", NO_SEAT2 },
    { RECORD_TURN, -1, TURN_OF("[[]]"), "a turn's commands are for the wrong number of seats" },
    { RECORD_TURN, -1, TURN_OF("[[],[],[]]"),
      "a turn's commands are for the wrong number of seats" },
    { RECORD_TURN, -1, TURN_OF("[[],[{\"kind\":\"castle\"}]]"),
      "a turn's commands do not match the ruleset's schema" },
};

Test(record, that_cannot_stand_there_is_refused)
{
    struct fact fact;

    for (size_t i = 0; i < SK_COUNT_OF(record_cases); i++) {
        const struct record_case *it = &record_cases[i];
        struct store_record record;
        const char *trouble;

        board_open(&board, "tactics", BOARD_PIKES, BOARD_CLOCK, 0);
        record = board_record(&board, it->kind, it->seat, it->body);
        trouble = match_read(&board.work, match, NULL, &record, &board.turn, &fact);
        cr_expect_str_eq(trouble == NULL ? "" : trouble, it->trouble, "%s", it->body);
        cr_expect_null(fact.submission);
        cr_expect_null(fact.pending);
        board_close(&board);
    }
}

Test(record, of_play_is_refused_before_the_match_runs)
{
    static const struct record_case cases[] = {
        { RECORD_SUBMISSION, 0, LIST_OF("[]"), NO_SEAT },
        { RECORD_WITHDRAWN, 0, "{\"used_ms\":0}", NO_SEAT2 },
        { RECORD_TURN, -1, TURN_OF("[[],[]]"), "a turn is recorded where none is possible" },
        { RECORD_JOINED, 2, "{\"player\":11,\"bot\":false,\"starts\":false}", NO_JOIN },
        { RECORD_JOINED, -1, "{\"player\":11,\"bot\":false,\"starts\":false}", NO_JOIN },
    };
    struct fact fact;

    cr_assert_null(board_try(&board, "tactics", BOARD_PIKES, BOARD_CLOCK));
    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        struct store_record record =
            board_record(&board, cases[i].kind, cases[i].seat, cases[i].body);
        const char *trouble = match_read(&board.work, match, NULL, &record, &board.turn, &fact);

        cr_expect_str_eq(trouble == NULL ? "" : trouble, cases[i].trouble, "%zu", i);
    }
    board_close(&board);
}

Test(record, without_the_id_that_it_must_have_is_refused)
{
    struct store_record record;
    struct fact fact;

    board_open(&board, "tactics", BOARD_PIKES, BOARD_CLOCK, 0);
    record = board_record(&board, RECORD_SUBMISSION, 0, LIST_OF("[]"));
    record.command_id = NULL;
    cr_expect_str_eq(match_read(&board.work, match, NULL, &record, &board.turn, &fact), NO_SEAT);
    record = board_record(&board, RECORD_WITHDRAWN, 0, "{\"used_ms\":0}");
    record.command_id = NULL;
    cr_expect_str_eq(match_read(&board.work, match, NULL, &record, &board.turn, &fact), NO_SEAT2);
    board_close(&board);
}

/* ---- turns ------------------------------------------------------------------------------- */

Test(turn, is_resolved_again_and_compared_with_its_record)
{
    struct pending_turn *pending;
    struct store_record record;
    struct fact fact;
    char body[1024];

    board_open(&board, "tactics", BOARD_PIKES, BOARD_CLOCK, 0);
    pending = board_closes(&board, 100, 0, NULL);
    snprintf(body, sizeof(body),
             "{\"commands\":[[],[]],\"verdicts\":[[],[]],\"events\":[],\"hash\":\"%s\","
             "\"used_ms\":[100,100],\"bank_ms\":[400,300],\"missed\":[1,2],\"going_ms\":[5,6],"
             "\"failures\":[{\"seat\":1}]}",
             pending->hash);
    record = board_record(&board, RECORD_TURN, STORE_NO_SEAT, body);
    cr_assert_null(match_read(&board.work, match, NULL, &record, &board.turn, &fact));
    cr_expect(fact.is_as_stored);
    cr_expect_eq(fact.pending->clocks[0].bank_ms, 400);
    cr_expect_eq(fact.pending->clocks[1].bank_ms, 300);
    cr_expect_eq(fact.pending->clocks[1].missed, 2);
    cr_expect_eq(fact.pending->clocks[1].going_ms, 6);
    cr_expect_str_eq(fact.pending->failures, "[{\"seat\":1}]");
    fact_fini(&fact);
    record = board_record(&board, RECORD_TURN, STORE_NO_SEAT, TURN_OF("[[],[]]"));
    cr_assert_null(match_read(&board.work, match, NULL, &record, &board.turn, &fact));
    cr_expect_not(fact.is_as_stored, "the record has another result");
    fact_fini(&fact);
    record.turn = 1;
    cr_expect_str_eq(match_read(&board.work, match, NULL, &record, &board.turn, &fact),
                     "a turn is recorded where none is possible");
    pending_free(pending);
    board_close(&board);
}

Test(turn, without_clocks_leaves_banks_as_they_are)
{
    struct record_turn body = { 0 };
    struct clock_step clocks[SK_SEATS_MAX];

    board_open(&board, "tactics", BOARD_PIKES, BOARD_CLOCK, 0);
    match_read_clocks(match, &body, clocks);
    cr_expect_eq(clocks[0].bank_ms, 500);
    cr_expect_eq(clocks[1].missed, 0);
    board_close(&board);
}

/* ---- names ------------------------------------------------------------------------------- */

static struct fact_joined
joined_of(const struct store_job *people, const char *left, const char *body)
{
    struct store_record record = board_record(&board, RECORD_JOINED, 0, body);
    struct fact fact;

    record.name = (char *)(uintptr_t)left;
    cr_assert_null(match_read(&board.work, match, people, &record, &board.turn, &fact));
    return fact.joined;
}

Test(names, are_those_that_the_store_has_added)
{
    static const char ann[] = "{\"player\":4,\"bot\":true,\"starts\":false}";
    struct store_job *people = store_job_alloc(JOB_MATCH_LOAD);

    cr_assert_null(board_try(&board, "tactics", BOARD_PIKES, BOARD_CLOCK));
    people->seats[1].player = 4;
    people->seats[1].name = strdup("ann");
    cr_expect_str_eq(joined_of(people, NULL, ann).name, "ann");
    cr_expect(joined_of(people, NULL, ann).is_bot);
    cr_expect_str_eq(joined_of(NULL, NULL, ann).name, "", "nobody has a name");
    cr_expect_str_eq(joined_of(people, "ben", ann).name, "ben", "a player who has left");
    cr_expect_eq(joined_of(people, "ben", ann).player, 4);
    cr_expect_str_eq(
        joined_of(people, NULL, "{\"player\":null,\"bot\":false,\"starts\":false}").name, "");
    store_job_free(people);
    board_close(&board);
}

Test(names, of_an_imported_match_are_those_of_the_players_here)
{
    struct store_job *people = store_job_alloc(JOB_MATCH_LOAD);
    struct fact_joined joined;

    cr_assert_null(board_try(&board, "tactics", BOARD_PIKES, BOARD_CLOCK));
    people->match.origin = 77;
    people->seats[1].player = 4;
    people->seats[1].origin_player = 900;
    people->seats[1].name = strdup("ann");
    joined = joined_of(people, NULL, "{\"player\":900,\"bot\":false,\"starts\":false}");
    cr_expect_eq(joined.player, 4);
    cr_expect_str_eq(joined.name, "ann");
    joined = joined_of(people, NULL, "{\"player\":901,\"bot\":false,\"starts\":false}");
    cr_expect_eq(joined.player, -1, "a player unknown here");
    cr_expect_str_eq(joined.name, "");
    store_job_free(people);
    board_close(&board);
}
