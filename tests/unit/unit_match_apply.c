/*
 * server/match: the effect of records on a match while they are being stored,
 * when they are stored, and when they fail.
 */
#include "match_fixture.h"

static struct board board;
static struct match *const match = &board.match;

#define READY     board_sends("[]", true, 300)
#define NOT_READY board_sends("[]", false, 300)

static void
open_with(const char *settings)
{
    board_open(&board, "tactics", BOARD_PIKES, settings, 5000);
}

/* ---- which have a number ----------------------------------------------------------------- */

Test(match, of_all_records_these_have_a_number_on_the_wire)
{
    static const bool is_public[RECORD_KIND_COUNT] = {
        [RECORD_CREATED] = true, [RECORD_JOINED] = true, [RECORD_TURN] = true,
        [RECORD_CLOCK] = true,   [RECORD_OFFER] = true,  [RECORD_ENDED] = true,
    };

    for (int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
        cr_expect_eq(fact_is_public((enum store_record_kind)kind), is_public[kind], "%s",
                     store_record_kind_names[kind]);
    }
}

/* ---- seats ------------------------------------------------------------------------------- */

Test(match, waits_until_the_last_seat_is_taken)
{
    cr_assert_null(board_try(&board, "tactics", BOARD_PIKES, BOARD_CLOCK));
    cr_expect_eq(match->status, MATCH_WAITS);
    cr_expect_eq(match->seat_count, 2);
    board_take(&board, RECORD_JOINED, 1, "{\"player\":22,\"bot\":false,\"starts\":false}", 10);
    cr_expect_eq(match->seats[1].player, BOARD_BOB);
    cr_expect_eq(match->seq, 1);
    cr_expect_null(match->state);
    cr_expect_eq(match->deadline_ms, 0);
    board_take(&board, RECORD_JOINED, 1, "{\"player\":null,\"bot\":false,\"starts\":false}", 20);
    cr_expect_eq(match->seats[1].player, 0);
    cr_expect_eq(match->seq, 2);
    cr_expect_eq(match->status, MATCH_WAITS);
    board_close(&board);
}

Test(match, begins_with_full_banks_and_all_clocks_running)
{
    open_with(BOARD_CLOCK);
    cr_expect_eq(match->status, MATCH_RUNS);
    cr_expect_eq(match->seq, 3);
    cr_expect_eq(strlen(match->last_hash), FRAME_HASH_DIGITS);
    cr_expect(match->is_rated);
    cr_expect_eq(match->opened_ms, 5000);
    cr_expect_eq(match->deadline_ms, 5000 + 1000 + 500);
    for (uint8_t seat = 0; seat < 2; seat++) {
        cr_expect(match->seats[seat].is_running);
        cr_expect_eq(match->seats[seat].bank_ms, 500);
        cr_expect_eq(match_left_ms(match, seat, 5400), 1100);
        cr_expect_not(match_is_out_of_time(match, seat, 6499));
        cr_expect(match_is_out_of_time(match, seat, 6500));
        cr_expect_eq(match_left_ms(match, seat, 9000), 0, "never below 0");
    }
    board_close(&board);
}

Test(match, without_a_clock_nobody_is_out_of_time)
{
    open_with(BOARD_NONE);
    cr_expect_eq(match->deadline_ms, 0);
    cr_expect(match->seats[0].is_running, "the match waits for it anyway");
    cr_expect_not(match_is_out_of_time(match, 0, INT64_MAX / 2));
    board_close(&board);
}

struct rating_case {
    const char *first;
    const char *second;
    bool is_rated;
};

Test(match, is_rated_unless_a_bot_plays_or_a_player_did_not_ask_for_it)
{
#define WHO(player, bot, more, starts) \
    "{\"player\":" player ",\"bot\":" bot more ",\"starts\":" starts "}"
    static const struct rating_case cases[] = {
        { WHO("11", "false", "", "false"), WHO("22", "false", "", "true"), true },
        { WHO("11", "true", "", "false"), WHO("22", "false", "", "true"), false },
        { WHO("11", "false", "", "false"), WHO("22", "true", "", "true"), false },
        { WHO("11", "false", ",\"unrated\":true", "false"), WHO("22", "false", "", "true"), false },
        { WHO("11", "false", "", "false"), WHO("22", "false", ",\"unrated\":true", "true"), false },
    };

    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        cr_assert_null(board_try(&board, "tactics", BOARD_PIKES, BOARD_CLOCK));
        board_take(&board, RECORD_JOINED, 0, cases[i].first, 1);
        board_take(&board, RECORD_JOINED, 1, cases[i].second, 2);
        cr_expect_eq(match->is_rated, cases[i].is_rated, "%zu", i);
        board_close(&board);
    }
}

Test(match, a_bot_that_left_again_does_not_make_it_unrated)
{
    cr_assert_null(board_try(&board, "tactics", BOARD_PIKES, BOARD_CLOCK));
    board_take(&board, RECORD_JOINED, 0, WHO("33", "true", ",\"unrated\":true", "false"), 1);
    board_take(&board, RECORD_JOINED, 0, WHO("null", "false", "", "false"), 2);
    board_take(&board, RECORD_JOINED, 0, WHO("11", "false", "", "false"), 3);
    board_take(&board, RECORD_JOINED, 1, WHO("22", "false", "", "true"), 4);
    cr_expect(match->is_rated);
    board_close(&board);
}

/* ---- submissions ------------------------------------------------------------------------- */

Test(match, what_is_sent_counts_before_it_is_stored)
{
    struct fact fact;

    open_with(BOARD_CLOCK);
    fact = board_hand_in(&board, RECORD_SUBMISSION, 0, READY, 5300);
    cr_expect_not_null(match->seats[0].latest);
    cr_expect_null(match->seats[0].stored);
    cr_expect_eq(match->seats[0].sent, 1);
    cr_expect_not(match->seats[0].is_running, "a ready seat's clock stops");
    cr_expect_eq(seat_used_ms(&match->seats[0], 9000), 300);
    cr_expect(match->seats[1].is_running);
    board_store(&board, &fact, 5900);
    cr_expect_eq(match->seats[0].stored, match->seats[0].latest);
    cr_expect_eq(match->seq, 3, "it has no number on the wire");
    board_close(&board);
}

Test(match, the_deadline_is_that_of_the_last_running_clock)
{
    open_with(BOARD_CLOCK);
    board_take(&board, RECORD_SUBMISSION, 0, READY, 5300);
    cr_expect_eq(match->deadline_ms, 6500, "seat 1's clock still runs");
    board_take(&board, RECORD_SUBMISSION, 1, READY, 5400);
    cr_expect_eq(match->deadline_ms, 0, "no clock runs");
    board_take(&board, RECORD_WITHDRAWN, 0, "{\"used_ms\":300}", 5700);
    cr_expect_eq(match->deadline_ms, 5700 + 1500 - 300);
    board_close(&board);
}

Test(match, the_clock_runs_on_for_a_seat_that_is_not_ready_and_in_a_cycle)
{
    open_with(BOARD_CLOCK);
    board_take(&board, RECORD_SUBMISSION, 0, NOT_READY, 5300);
    cr_expect(match->seats[0].is_running);
    cr_expect_eq(seat_used_ms(&match->seats[0], 5400), 400);
    board_close(&board);
    open_with(BOARD_CYCLE);
    board_take(&board, RECORD_SUBMISSION, 0, READY, 5300);
    cr_expect(match->seats[0].is_running);
    cr_expect_eq(match->deadline_ms, 6000);
    board_close(&board);
}

Test(match, what_is_withdrawn_is_gone_when_that_is_stored)
{
    struct fact fact;

    open_with(BOARD_CLOCK);
    board_take(&board, RECORD_SUBMISSION, 0, READY, 5300);
    fact = board_hand_in(&board, RECORD_WITHDRAWN, 0, "{\"used_ms\":300}", 5700);
    cr_expect_null(match->seats[0].latest);
    cr_expect_not_null(match->seats[0].stored);
    cr_expect_eq(match->seats[0].sent, 2);
    cr_expect(match->seats[0].is_running);
    cr_expect_eq(seat_used_ms(&match->seats[0], 5800), 400, "not the time while it was ready");
    board_store(&board, &fact, 5900);
    cr_expect_null(match->seats[0].stored);
    board_close(&board);
}

Test(match, of_two_on_their_way_the_first_is_stored_while_the_second_is_the_latest)
{
    struct fact first;
    struct fact second;

    open_with(BOARD_CLOCK);
    first = board_hand_in(&board, RECORD_SUBMISSION, 0, READY, 5300);
    second = board_hand_in(&board, RECORD_SUBMISSION, 0, NOT_READY, 5400);
    board_store(&board, &first, 5500);
    cr_expect(match->seats[0].stored->is_ready);
    cr_expect_not(match->seats[0].latest->is_ready);
    board_store(&board, &second, 5600);
    cr_expect_not(match->seats[0].stored->is_ready);
    board_close(&board);
}

Test(match, what_is_stored_after_its_turn_is_not_of_the_next)
{
    struct fact late;

    open_with(BOARD_CLOCK);
    late = board_hand_in(&board, RECORD_SUBMISSION, 0, READY, 5300);
    board_plays(&board, 5400, 0);
    board_store(&board, &late, 5500);
    cr_expect_eq(match->state->turn, 1);
    cr_expect_null(match->seats[0].stored);
    cr_expect_null(match->seats[0].latest);
    board_close(&board);
}

/* ---- turns ------------------------------------------------------------------------------- */

Test(match, a_turn_is_closed_when_it_is_handed_in_and_over_when_it_is_stored)
{
    struct fact fact;
    char before[FRAME_HASH_DIGITS + 1];

    open_with(BOARD_CLOCK);
    memcpy(before, match->last_hash, sizeof(before));
    board_take(&board, RECORD_SUBMISSION, 0, READY, 5300);
    board_take(&board, RECORD_OFFER, 0, "{\"declined\":false}", 5400);
    fact = (struct fact){ .kind = RECORD_TURN, .pending = board_closes(&board, 6700, 0, NULL) };
    match_hand_in(match, &fact, 6700);
    cr_expect_eq(match->pending, fact.pending);
    cr_expect_eq(match->state->turn, 0);
    board_store(&board, &fact, 6900);
    cr_expect_eq(match->state->turn, 1);
    cr_expect_str_neq(match->last_hash, before);
    cr_expect_eq(match->seq, 5);
    cr_expect_eq(match->offer, -1, "a turn ends what was offered in it");
    cr_expect_eq(match->offer_next, -1);
    cr_expect_eq(match->opened_ms, 6900, "when it was stored");
    cr_expect_eq(match->seats[0].bank_ms, 500);
    cr_expect_eq(match->seats[1].bank_ms, 0, "it thought 700 ms beyond its turn");
    cr_expect_eq(match->seats[1].missed, 1, "and was away");
    cr_expect_eq(match->deadline_ms, 6900 + 1000 + 500);
    for (uint8_t seat = 0; seat < 2; seat++) {
        cr_expect_null(match->seats[seat].latest);
        cr_expect_null(match->seats[seat].stored);
        cr_expect_eq(match->seats[seat].sent, 0);
        cr_expect_eq(match->seats[seat].used_ms, 0);
        cr_expect(match->seats[seat].is_running);
    }
    board_close(&board);
}

Test(match, a_turn_that_ends_it_leaves_nothing_due)
{
    const uint32_t given[SK_SEATS_MAX] = { SK_COMMAND_RESIGN + 1u };
    uint8_t head[MATCH_HEAD_BYTES] = { 1, 2, 3 };
    struct fact fact = { .kind = RECORD_ENDED, .head = head };

    open_with(BOARD_CLOCK);
    fact = (struct fact){ .kind = RECORD_TURN, .pending = board_closes(&board, 5100, 3, given) };
    match_hand_in(match, &fact, 5100);
    board_store(&board, &fact, 5200);
    cr_expect_eq(match->status, MATCH_ENDED);
    cr_expect_eq(match->state->outcome.winner, 1);
    cr_expect_eq(match->deadline_ms, 0);
    fact = (struct fact){ .kind = RECORD_ENDED, .head = head };
    board_store(&board, &fact, 5200);
    cr_expect_arr_eq(match->head, head, sizeof(head));
    cr_expect_eq(match->seq, 5);
    board_close(&board);
}

/* ---- clocks, offers, snapshots ----------------------------------------------------------- */

Test(match, an_outage_is_given_back_to_all_running_clocks)
{
    open_with(BOARD_CLOCK);
    board_take(&board, RECORD_CLOCK, STORE_NO_SEAT, "{\"shift_ms\":200}", 5900);
    cr_expect_eq(match->seq, 4);
    cr_expect_eq(match_left_ms(match, 0, 5900), 1500 - 700);
    board_close(&board);
}

Test(match, an_offer_stands_in_the_way_before_it_is_one)
{
    struct fact fact;

    open_with(BOARD_CLOCK);
    fact = board_hand_in(&board, RECORD_OFFER, 1, "{\"declined\":false}", 5100);
    cr_expect_eq(match->offer, -1);
    cr_expect_eq(match->offer_next, 1);
    board_store(&board, &fact, 5200);
    cr_expect_eq(match->offer, 1);
    fact = board_hand_in(&board, RECORD_OFFER, 0, "{\"declined\":true}", 5300);
    cr_expect_eq(match->offer, 1);
    cr_expect_eq(match->offer_next, -1);
    board_store(&board, &fact, 5400);
    cr_expect_eq(match->offer, -1);
    cr_expect_eq(match->seq, 5);
    board_close(&board);
}

Test(match, remembers_its_newest_snapshot)
{
    struct fact fact = { .kind = RECORD_SNAPSHOT, .turn = 4 };

    open_with(BOARD_CLOCK);
    match_hand_in(match, &fact, 5100);
    cr_expect_eq(match->snapshot_turn, 0, "it is not stored");
    board_store(&board, &fact, 5200);
    cr_expect_eq(match->snapshot_turn, 4);
    cr_expect_eq(match->seq, 3);
    board_close(&board);
}

/* ---- falling back ------------------------------------------------------------------------ */

Test(match, falls_back_to_what_is_stored)
{
    struct fact first;
    struct fact second;
    struct fact offer;

    open_with(BOARD_CLOCK);
    first = board_hand_in(&board, RECORD_SUBMISSION, 0, READY, 5300);
    board_store(&board, &first, 5400);
    second = board_hand_in(&board, RECORD_WITHDRAWN, 0, "{\"used_ms\":300}", 5500);
    offer = board_hand_in(&board, RECORD_OFFER, 1, "{\"declined\":false}", 5600);
    match_fall_back(match, 5700);
    cr_expect_eq(match->seats[0].latest, match->seats[0].stored);
    cr_expect_not(match->seats[0].is_running);
    cr_expect_eq(seat_used_ms(&match->seats[0], 9000), 300, "as when it came");
    cr_expect_eq(match->offer_next, -1);
    cr_expect_eq(match->deadline_ms, 6500, "of seat 1");
    fact_fini(&second);
    fact_fini(&offer);
    board_close(&board);
}

Test(match, a_clock_that_stood_for_what_is_not_stored_runs_from_now_on)
{
    struct fact fact;

    open_with(BOARD_CLOCK);
    fact = board_hand_in(&board, RECORD_SUBMISSION, 0, READY, 5300);
    match_fall_back(match, 5900);
    cr_expect_null(match->seats[0].latest);
    cr_expect(match->seats[0].is_running);
    cr_expect_eq(seat_used_ms(&match->seats[0], 6000), 400, "the store's time is not charged");
    cr_expect_eq(match->deadline_ms, 5900 + 1500 - 300);
    fact_fini(&fact);
    board_close(&board);
}

Test(match, in_a_cycle_time_runs_on_through_a_failure)
{
    struct fact second;

    open_with(BOARD_CYCLE);
    board_take(&board, RECORD_SUBMISSION, 0, READY, 5300);
    second = board_hand_in(&board, RECORD_SUBMISSION, 0, board_sends("[]", true, 600), 5600);
    match_fall_back(match, 5900);
    cr_expect_eq(match->seats[0].latest, match->seats[0].stored);
    cr_expect(match->seats[0].is_running);
    cr_expect_eq(match->deadline_ms, 6000, "a cycle ends when it ends");
    fact_fini(&second);
    board_close(&board);
}

Test(match, a_turn_that_is_not_stored_is_open_again)
{
    struct fact fact;

    open_with(BOARD_CLOCK);
    board_take(&board, RECORD_SUBMISSION, 0, READY, 5300);
    fact = (struct fact){ .kind = RECORD_TURN, .pending = board_closes(&board, 6500, 0, NULL) };
    match_hand_in(match, &fact, 6500);
    match_fall_back(match, 6600);
    cr_expect_null(match->pending);
    cr_expect_eq(match->state->turn, 0);
    cr_expect_not_null(match->seats[0].latest, "what is stored stays");
    cr_expect(match_is_out_of_time(match, 1, 6600), "who had no time left has none now");
    board_close(&board);
}

/* ---- read, and going on ------------------------------------------------------------------ */

Test(match, goes_on_where_its_clocks_stopped)
{
    open_with(BOARD_CLOCK);
    board_take(&board, RECORD_SUBMISSION, 0, READY, 5300);
    match_go_on(match, 5600, 70);
    cr_expect_eq(match->opened_ms, 70);
    cr_expect_eq(seat_used_ms(&match->seats[0], 999), 300, "it stood");
    cr_expect_eq(seat_used_ms(&match->seats[1], 70), 600);
    cr_expect_eq(match->deadline_ms, 70 + 1500 - 600);
    cr_expect_eq(match->seats[0].sent, 0);
    board_close(&board);
}

Test(match, takes_no_time_back_when_clocks_stopped_before_its_last_record)
{
    open_with(BOARD_CLOCK);
    match_go_on(match, 4000, 70);
    cr_expect_eq(seat_used_ms(&match->seats[1], 70), 0);
    cr_expect_eq(match->deadline_ms, 70 + 1500);
    board_close(&board);
}
