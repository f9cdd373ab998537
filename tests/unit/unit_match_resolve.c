/*
 * server/match: which commands a turn uses when it closes, and its effect on
 * clocks.  Also with `counting`, whose seats take turns.
 */
#include "match_fixture.h"
#include "tests/support/counting_registry.h"

#define COUNT   "{\"kind\":\"count\"}"
#define STUMBLE "{\"kind\":\"stumble\"}"
#define RESIGN  (SK_COMMAND_RESIGN + 1u)
#define AGREE   (SK_COMMAND_AGREE_DRAW + 1u)
#define STEP    "[{\"kind\":\"move\",\"unit\":\"a1\",\"target\":[1,2]}]"

#define SLICE(text) (int)(text).length, (text).at /* for %.*s */

static struct board board;
static struct match *const match = &board.match;

/* Is it in the text? */
static bool
has(struct sk_text text, const char *words)
{
    return memmem(text.at, text.length, words, strlen(words)) != NULL;
}

static void
expect_text(struct sk_text text, const char *expected)
{
    cr_expect(has(text, expected), "%s is not in %.*s", expected, (int)text.length, text.at);
}

static bool
is_text(struct sk_text text, const char *expected)
{
    return text.length == strlen(expected) && memcmp(text.at, expected, text.length) == 0;
}

/* ---- of all at once ---------------------------------------------------------------------- */

Test(closing, changes_nothing_of_the_match)
{
    struct pending_turn *pending;
    char hash[FRAME_HASH_DIGITS + 1];

    board_open(&board, "tactics", BOARD_PIKES, BOARD_CLOCK, 0);
    memcpy(hash, match->last_hash, sizeof(hash));
    board_take(&board, RECORD_SUBMISSION, 0, board_sends(STEP, true, 10), 10);
    pending = board_closes(&board, 20, 0, NULL);
    cr_expect_str_neq(pending->hash, hash);
    cr_expect_str_eq(match->last_hash, hash);
    cr_expect_eq(match->state->turn, 0);
    cr_expect_not_null(match->seats[0].latest);
    cr_expect_null(match->pending);
    expect_text(pending->commands[0], "\"unit\":\"a1\"");
    expect_text(pending->verdicts[0], "\"ok\"");
    cr_expect(is_text(pending->commands[1], "[]"), "seat 1 has time left");
    pending_free(pending);
    board_close(&board);
}

Test(closing, gives_a_timeout_to_a_seat_that_ran_out_of_time)
{
    struct pending_turn *pending;

    board_open(&board, "tactics", BOARD_PIKES, BOARD_CLOCK, 0);
    board_take(&board, RECORD_SUBMISSION, 0, board_sends(STEP, false, 10), 10);
    pending = board_closes(&board, 1500, 0, NULL);
    expect_text(pending->commands[0], "\"timeout\"");
    expect_text(pending->commands[0], "\"unit\":\"a1\"");
    expect_text(pending->commands[1], "\"timeout\"");
    pending_free(pending);
    board_close(&board);
    board_open(&board, "tactics", BOARD_PIKES, BOARD_CYCLE, 0);
    board_take(&board, RECORD_SUBMISSION, 0, board_sends("[]", true, 10), 10);
    pending = board_closes(&board, 1000, 0, NULL);
    cr_expect(is_text(pending->commands[0], "[]"),
              "in a cycle a seat that has sent something is in time");
    expect_text(pending->commands[1], "\"timeout\"");
    pending_free(pending);
    board_close(&board);
}

/* The list is full. */
static const char *
full_list(void)
{
    static char list[8192] = "[";
    size_t used = 1;

    for (int i = 0; i < SK_COMMANDS_MAX; i++) {
        used += (size_t)snprintf(list + used, sizeof(list) - used,
                                 "%s{\"kind\":\"move\",\"unit\":\"a1\",\"target\":[1,2]}",
                                 i == 0 ? "" : ",");
    }
    snprintf(list + used, sizeof(list) - used, "]");
    return list;
}

Test(closing, a_full_list_is_cut_for_a_leaving_seat_but_not_for_a_timeout)
{
    const uint32_t given[SK_SEATS_MAX] = { RESIGN };
    struct pending_turn *pending;

    board_open(&board, "tactics", BOARD_PIKES, BOARD_CLOCK, 0);
    board_take(&board, RECORD_SUBMISSION, 0, board_sends(full_list(), false, 10), 10);
    cr_assert_eq(match->seats[0].latest->count, SK_COMMANDS_MAX);
    pending = board_closes(&board, 20, 0, given);
    cr_expect(is_text(pending->commands[0], "[{\"kind\":\"resign\"}]"));
    cr_expect(pending->state->outcome.is_over);
    cr_expect_eq(pending->state->outcome.winner, 1);
    cr_expect_eq(pending->given[0], RESIGN);
    pending_free(pending);
    pending = board_closes(&board, 1500, 0, NULL);
    cr_expect_not(has(pending->commands[0], "timeout"));
    cr_expect_not(pending->state->outcome.is_over);
    pending_free(pending);
    board_close(&board);
}

Test(closing, a_seat_that_resigns_and_sends_commands_has_sent_both)
{
    const uint32_t given[SK_SEATS_MAX] = { 0, RESIGN };
    struct pending_turn *pending;

    board_open(&board, "tactics", BOARD_PIKES, BOARD_NONE, 0);
    board_take(&board, RECORD_SUBMISSION, 0, board_sends(STEP, false, 10), 10);
    pending = board_closes(&board, 20, 0, given);
    expect_text(pending->commands[0], "\"unit\":\"a1\"");
    cr_expect(is_text(pending->commands[1], "[{\"kind\":\"resign\"}]"));
    cr_expect_eq(pending->state->outcome.winner, 0);
    pending_free(pending);
    board_close(&board);
}

/* ---- clocks ------------------------------------------------------------------------------ */

struct clock_case {
    const char *name;
    int64_t closes_ms;
    int used_ms; /* of seat 0's submission, which is ready; -1: it sends nothing */
    uint32_t here;
    uint32_t given;
    int64_t bank_ms; /* expected of seat 0 */
    uint32_t missed; /* likewise: it had missed one */
};

static const struct clock_case clock_cases[] = {
    { "within the turn", 900, 900, 0, 0, 500, 0 },
    { "exactly the turn", 1000, 1000, 0, 0, 500, 0 },
    { "beyond it", 1200, 1200, 0, 0, 300, 0 },
    { "out of time, away", 1500, -1, 0, 0, 0, 2 },
    { "long out of time", 9000, -1, 0, 0, 0, 2 },
    { "out of time, but here", 1500, -1, 1, 0, 0, 0 },
    { "not yet out of time", 1400, -1, 0, 0, 100, 1 },
    { "leaves, out of time", 1500, -1, 0, RESIGN, 0, 0 },
};

Test(closing, clocks_pay_from_the_bank_and_deadlines_are_counted)
{
    for (size_t i = 0; i < SK_COUNT_OF(clock_cases); i++) {
        const struct clock_case *it = &clock_cases[i];
        const uint32_t given[SK_SEATS_MAX] = { it->given };
        struct pending_turn *pending;

        board_open(&board, "tactics", BOARD_PIKES, BOARD_CLOCK, 0);
        match->seats[0].missed = 1;
        if (it->used_ms >= 0) {
            board_take(&board, RECORD_SUBMISSION, 0, board_sends("[]", true, it->used_ms),
                       it->used_ms);
        }
        pending = board_closes(&board, it->closes_ms, it->here, given);
        cr_expect_eq(pending->clocks[0].bank_ms, it->bank_ms, "%s", it->name);
        cr_expect_eq(pending->clocks[0].missed, it->missed, "%s", it->name);
        cr_expect_eq(pending->clocks[0].used_ms,
                     it->used_ms >= 0 ? (int64_t)it->used_ms : it->closes_ms, "%s", it->name);
        pending_free(pending);
        board_close(&board);
    }
}

/* ---- one after the other ----------------------------------------------------------------- */

#define TWO_SEATS "{\"seats\":2,\"numbers\":2,\"last\":100}"
#define ALONE     "{\"seats\":1,\"numbers\":9,\"last\":1000}"

static uint32_t
count_turns(const struct pending_turn *pending)
{
    uint32_t count = 0;

    for (; pending != NULL; pending = pending->next) {
        count++;
    }
    return count;
}

/* Seat 0's submission is played when it comes. */
static struct pending_turn *
play_list(const char *commands, int64_t now_ms)
{
    static const uint32_t nothing[SK_SEATS_MAX];
    struct play_in in = { .seat = 0, .now_ms = now_ms, .here = 3, .given = nothing };
    struct fact fact = board_fact(&board, RECORD_SUBMISSION, 0, board_sends(commands, true, 0));
    struct playing playing;

    match_play_begin(&board.work, match, &in, &playing);
    playing.turn.commands[0] = (struct sk_commands){ fact.submission->at, fact.submission->count };
    match_play(&playing);
    fact_fini(&fact);
    return playing.first;
}

Test(list, makes_one_turn_of_each_command)
{
    struct pending_turn *first;

    board_open(&board, "counting", TWO_SEATS, BOARD_CLOCK, 0);
    first = play_list("[" COUNT "," COUNT "]", 1200);
    cr_assert_eq(count_turns(first), 2);
    cr_expect_eq(first->turn, 0);
    cr_expect_eq(first->next->turn, 1);
    cr_expect(is_text(first->commands[0], "[" COUNT "]"), "each has its own command");
    cr_expect(is_text(first->next->commands[0], "[" COUNT "]"));
    cr_expect(first->clock_goes_on, "its clock covers both");
    cr_expect_eq(first->clocks[0].going_ms, 1200);
    cr_expect_eq(first->clocks[0].bank_ms, 500, "nothing is paid yet");
    cr_expect_not(first->next->clock_goes_on);
    cr_expect_eq(first->next->clocks[0].used_ms, 0, "a list takes no time");
    cr_expect_eq(first->next->clocks[0].going_ms, 0);
    cr_expect_eq(first->next->clocks[0].bank_ms, 300);
    cr_expect_eq(first->next->clocks[1].bank_ms, 500, "seat 1 did not owe");
    pending_free(first);
    board_close(&board);
}

Test(list, is_played_up_to_what_is_refused)
{
    static const char *const lists[] = { "[" STUMBLE "," COUNT "]", "[" COUNT "," STUMBLE "]" };

    for (uint32_t i = 0; i < SK_COUNT_OF(lists); i++) {
        struct pending_turn *first;

        board_open(&board, "counting", TWO_SEATS, BOARD_NONE, 0);
        first = play_list(lists[i], 10);
        cr_expect_eq(count_turns(first), i, "%s", lists[i]);
        pending_free(first);
        board_close(&board);
    }
}

/* A record holds one command of a list, the last one too, and its verdict only. */
Test(list, of_the_most_commands_each_turn_has_its_own)
{
    static char list[8192];
    struct pending_turn *first;
    size_t used = 1;

    cr_assert_null(board_try(&board, "counting", ALONE, BOARD_NONE));
    board_take(&board, RECORD_JOINED, 0, "{\"player\":11,\"bot\":false,\"starts\":true}", 0);
    list[0] = '[';
    for (int i = 0; i < SK_COMMANDS_MAX; i++) {
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s" COUNT, i == 0 ? "" : ",");
    }
    snprintf(list + used, sizeof(list) - used, "]");
    first = play_list(list, 0);
    cr_expect_eq(count_turns(first), SK_COMMANDS_MAX);
    for (const struct pending_turn *it = first; it != NULL; it = it->next) {
        cr_expect(is_text(it->commands[0], "[" COUNT "]"), "turn %u", it->turn);
        cr_expect(is_text(it->verdicts[0], "[{\"verdict\":\"ok\"}]"), "turn %u", it->turn);
    }
    pending_free(first);
    board_close(&board);
}

Test(list, what_a_turn_comes_to_is_read_again_from_its_record)
{
    struct pending_turn *first;
    struct store_record record;
    struct fact fact;
    char body[4096];

    board_open(&board, "counting", TWO_SEATS, BOARD_CLOCK, 0);
    first = play_list("[" COUNT "," COUNT "]", 1200);
    for (const struct pending_turn *it = first; it != NULL; it = it->next) {
        snprintf(
            body, sizeof(body),
            "{\"commands\":[%.*s,%.*s],\"verdicts\":[%.*s,%.*s],\"events\":%.*s,\"hash\":\"%s\","
            "\"used_ms\":[0,0],\"bank_ms\":[%d,500],\"missed\":[0,0]}",
            SLICE(it->commands[0]), SLICE(it->commands[1]), SLICE(it->verdicts[0]),
            SLICE(it->verdicts[1]), SLICE(it->all_events), it->hash, (int)it->clocks[0].bank_ms);
        record = board_record(&board, RECORD_TURN, STORE_NO_SEAT, body);
        cr_assert_null(match_read(&board.work, match, NULL, &record, &board.turn, &fact));
        cr_expect(fact.is_as_stored, "turn %u", it->turn);
        match_hand_in(match, &fact, 1200);
        board_store(&board, &fact, 1200);
    }
    cr_expect_str_eq(match->last_hash, first->next->hash);
    cr_expect_eq(match->seats[0].bank_ms, 300);
    pending_free(first);
    board_close(&board);
}

Test(deadline, plays_what_is_in_and_then_a_timeout_if_it_still_owes)
{
    struct pending_turn *first;

    board_open(&board, "counting", TWO_SEATS, BOARD_CLOCK, 0);
    board_take(&board, RECORD_SUBMISSION, 0, board_sends("[" COUNT "]", false, 10), 10);
    first = board_closes(&board, 1500, 0, NULL);
    cr_assert_eq(count_turns(first), 2);
    cr_expect(is_text(first->commands[0], "[" COUNT "]"));
    cr_expect(is_text(first->next->commands[0], "[{\"kind\":\"timeout\"}]"));
    cr_expect_eq(first->next->clocks[0].bank_ms, 0);
    pending_free(first);
    board_close(&board);
    board_open(&board, "counting", TWO_SEATS, BOARD_CLOCK, 0);
    board_take(&board, RECORD_SUBMISSION, 0, board_sends("[" COUNT "," COUNT "]", false, 10), 10);
    first = board_closes(&board, 1500, 0, NULL);
    cr_expect_eq(count_turns(first), 2, "it owes no more");
    cr_expect(is_text(first->next->commands[0], "[" COUNT "]"));
    pending_free(first);
    board_close(&board);
}

Test(given, of_two_one_leaves_and_it_is_over)
{
    const uint32_t given[SK_SEATS_MAX] = { 0, RESIGN };
    struct pending_turn *first;

    board_open(&board, "counting", TWO_SEATS, BOARD_NONE, 0);
    first = board_closes(&board, 10, 0, given);
    cr_assert_eq(count_turns(first), 1);
    cr_expect_eq(first->state->outcome.winner, 0);
    cr_expect_eq(first->given[1], RESIGN);
    pending_free(first);
    board_close(&board);
}

/* In snarl the other one plays on. */
Test(given, a_leaving_seat_takes_no_time_from_the_others)
{
    const uint32_t given[SK_SEATS_MAX] = { 0, RESIGN };
    struct pending_turn *first;

    board_open(&board, "snarl", NULL, BOARD_CLOCK, 0);
    cr_assert(match->seats[0].is_running);
    first = board_closes(&board, 700, 0, given);
    cr_assert_eq(count_turns(first), 1);
    cr_expect_not(first->state->outcome.is_over);
    cr_expect(first->clock_goes_on);
    cr_expect_eq(first->clocks[0].going_ms, 700, "seat 0 has thought so long");
    cr_expect_eq(first->clocks[0].bank_ms, 500);
    pending_free(first);
    board_close(&board);
}

Test(given, an_agreement_and_a_resignation_at_once_are_distinguished)
{
    const uint32_t given[SK_SEATS_MAX] = { AGREE, RESIGN };
    struct pending_turn *first;

    board_open(&board, "counting", TWO_SEATS, BOARD_NONE, 0);
    first = board_closes(&board, 10, 0, given);
    cr_assert_eq(count_turns(first), 1);
    cr_expect(first->state->outcome.is_over);
    pending_free(first);
    board_close(&board);
}
