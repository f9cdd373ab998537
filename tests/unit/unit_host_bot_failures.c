/* Answers of bots that do not count: how they are reported, and how often bots are asked. */
#include "bots_fixture.h"

Test(bot_failures, a_bot_that_fails_is_asked_three_times_and_then_has_nothing_to_say)
{
    struct play play;

    play_begin(&play, BOT_ONE);
    submit(play.alice, play.match, 0, "a", "");
    fail(&play, BOT_STATUS);
    hear_failure(&play, "http_status");
    cr_assert_eq(play.minds.count, 0u, "not at once");
    table_wait(&play.table, BOT_RETRY_MS);
    cr_assert_eq(play.minds.asks[0]->last_failure, BOT_STATUS);
    answer(&play, "{'commands':1");
    hear_failure(&play, "not_json");
    table_wait(&play.table, BOT_RETRY_MS);
    cr_assert_eq(play.minds.count, 0u, "each time later");
    table_wait(&play.table, BOT_RETRY_MS);
    hear_nothing(play.alice, "turn");
    answer(&play, "{'commands':1}");
    hear_failure(&play, "bad_form");
    (void)hear(play.alice, "turn");
    cr_assert_eq(play.minds.count, 1u, "the next turn is another");
    play_close(&play);
}

/* On the largest level a list has at most 23: see lists in unit_host_costs.c. */
Test(bot_failures, a_list_that_would_keep_the_loop_busy_is_refused)
{
    char list[TABLE_TEXT_MAX] = "[{'kind':'move','to':null}";
    struct play play;

    play_open(&play);
    say(play.alice,
        "{'type':'create','ruleset':'snarl','clock':null,'params':{'heroes':['ada'],'levels':"
        "[{'rooms':[{'origin':[0,0],'bounds':{'rows':1,'columns':3},'layout':[[1,1,1]]},"
        "{'origin':[199,199],'bounds':{'rows':1,'columns':1},'layout':[[1]]}],"
        "'hallways':[],'objects':[{'type':'exit','position':[0,2]}],'starts':{'heroes':[[0,0]],"
        "'adversaries':[]}}]},'seats':[{'bot':{'level':'greedy'}}]}");
    for (int i = 1; i < 24; i++) {
        strcat(list, ",{'kind':'move','to':null}");
    }
    answer(&play, strcat(list, "]"));
    cr_assert_str_eq(word_of(hear(play.alice, "bot_failed"), "error"), "bad_form");
    table_wait(&play.table, BOT_RETRY_MS);
    list[strlen(list) - strlen(",{'kind':'move','to':null}]")] = '\0';
    answer(&play, strcat(list, "]"));
    cr_assert_str_eq(fixture_ask(&play.table.store, "SELECT count(*) FROM record "
                                                    "WHERE kind = 'turn'"),
                     "23");
    play_close(&play);
}

Test(bot_failures, a_refused_command_counts_and_is_told)
{
    struct play play;

    play_begin(&play, BOT_ONE);
    submit(play.alice, play.match, 0, "a", "");
    answer(&play, "[{'unit':'a1','kind':'move','target':[1,1]}]");
    hear_failure(&play, "refused");
    (void)hear(play.alice, "turn");
    cr_assert_eq(play.minds.asks[0]->last_failure, BOT_REFUSED);
    cr_assert_not_null(strstr(play.minds.asks[0]->last_verdicts, "not_your_unit"));
    play_close(&play);
}

/* The member of the turn, or "" when it has none; valid until the next frame. */
static const char *
failures_of(struct json_object *turn)
{
    struct json_object *failures;

    return json_object_object_get_ex(turn, "failures", &failures)
               ? json_object_to_json_string_ext(failures, JSON_C_TO_STRING_PLAIN)
               : "";
}

#define STORED_FAILURES                                                                          \
    "SELECT group_concat(turn || ' ' || seat || ' ' || name || ' ' || error || ' ' || message, " \
    "';')"                                                                                       \
    " FROM match_failure"

Test(bot_failures, a_turn_keeps_why_an_answer_did_not_count)
{
    struct play play;

    play_begin(&play, ",'cycle_ms':50" BOT_ONE);
    answer(&play, "[{'kind':'move','target':[1,1]}]");
    cr_assert_str_eq(word_of(hear(play.alice, "bot_failed"), "message"),
                     "The answer was JSON, but not of the form that was asked for "
                     "(/0/unit: this member is missing).");
    table_wait(&play.table, 50);
    cr_assert_str_eq(
        failures_of(hear(play.alice, "turn")),
        "[{\"seat\":1,\"error\":\"bad_form\",\"message\":\"The answer was JSON, but "
        "not of the form that was asked for (\\/0\\/unit: this member is missing).\"}]");
    answer(&play, STEP);
    table_wait(&play.table, 50);
    cr_assert_str_eq(failures_of(hear(play.alice, "turn")), "", "the next answer is fine");
    table_wait(&play.table, 50);
    cr_assert_str_eq(failures_of(hear(play.alice, "turn")),
                     "[{\"seat\":1,\"error\":\"http_timeout\",\"message\":\"No whole answer came "
                     "in time.\"}]",
                     "none came until the cycle was over");
    hear_failure(&play, "http_timeout");
    cr_assert_str_eq(fixture_ask(&play.table.store, STORED_FAILURES),
                     "0 1 greedy bot bad_form The answer was JSON, but not of the form that was "
                     "asked for (/0/unit: this member is missing).;"
                     "2 1 greedy bot http_timeout No whole answer came in time.");
    play_close(&play);
}

Test(bot_failures, a_failure_that_a_better_answer_followed_is_not_the_turns)
{
    struct play play;

    play_begin(&play, BOT_ONE);
    submit(play.alice, play.match, 0, "a", "");
    fail(&play, BOT_STATUS);
    table_wait(&play.table, BOT_RETRY_MS);
    answer(&play, STEP);
    cr_assert_str_eq(failures_of(hear(play.alice, "turn")), "");
    play_close(&play);
}

Test(bot_failures, a_resume_sends_the_failures_of_missed_turns)
{
    struct play play;
    struct peer *again;
    int64_t seq;

    play_open(&play);
    play.match = table_create(play.alice, ",'cycle_ms':50" BOT_ONE);
    seq = number_of(hear(play.alice, "state"), "seq");
    fail(&play, BOT_UNREACHABLE);
    table_wait(&play.table, 50);
    again = table_return(&play.table, play.alice->token);
    say(again, "{'type':'resume','match':%lld,'seq':%lld}", (long long)play.match, (long long)seq);
    cr_assert_str_eq(failures_of(hear(again, "turn")),
                     "[{\"seat\":1,\"error\":\"http_failed\",\"message\":\"There was no "
                     "connection, or it ended before the answer.\"}]");
    play_close(&play);
}

Test(bot_failures, commands_that_are_the_hosts_to_give_are_no_answer)
{
    struct play play;

    play_begin(&play, BOT_ONE);
    answer(&play, "[{'kind':'resign'}]");
    hear_failure(&play, "bad_form");
    hear_nothing(play.alice, "over");
    play_close(&play);
}

Test(bot_failures, what_was_not_stored_is_asked_for_again)
{
    struct play play;

    play_begin(&play, BOT_ONE);
    table_hold(&play.table);
    answer(&play, STEP);
    table_refuse(&play.table);
    table_let_go(&play.table);
    cr_assert_eq(play.minds.count, 0u);
    table_wait(&play.table, 1100);
    cr_assert_eq(play.minds.count, 1u);
    answer(&play, STEP);
    submit(play.alice, play.match, 0, "a", "");
    (void)hear(play.alice, "turn");
    play_close(&play);
}

Test(bot_failures, a_silent_bot_whose_silence_was_not_stored_is_silent_again)
{
    struct play play;

    play_begin(&play, BOT_ONE);
    submit(play.alice, play.match, 0, "a", "");
    for (int i = 0; i < BOT_TRIES_MAX; i++) {
        if (i == BOT_TRIES_MAX - 1) {
            table_hold(&play.table);
        }
        fail(&play, BOT_UNREACHABLE);
        table_wait(&play.table, 4 * BOT_RETRY_MS);
    }
    table_refuse(&play.table);
    table_let_go(&play.table);
    table_wait(&play.table, 2000);
    (void)hear(play.alice, "turn");
    cr_assert_eq(play.minds.asked, (uint32_t)BOT_TRIES_MAX + 1u);
    play_close(&play);
}

Test(bot_failures, when_all_minds_are_busy_it_is_asked_a_little_later)
{
    struct play play;

    play_open(&play);
    play.minds.is_full = true;
    play.match = table_create(play.alice, BOT_ONE);
    table_wait(&play.table, 3 * BOT_BUSY_MS);
    hear_nothing(play.alice, "bot_failed");
    play.minds.is_full = false;
    table_wait(&play.table, BOT_BUSY_MS);
    cr_assert_eq(play.minds.count, 1u);
    play_close(&play);
}

Test(bot_failures, an_answer_to_a_turn_that_is_over_is_worth_nothing)
{
    struct play play;

    play_begin(&play, ",'clock':{'turn_ms':500}" BOT_ONE);
    cr_assert_leq(play.minds.asks[0]->limit_ms, 500);
    table_wait(&play.table, 600);
    (void)hear(play.alice, "turn");
    hear_failure(&play, "http_timeout");
    cr_assert_eq(play.minds.count, 1u);
    answer(&play, STEP);
    hear_nothing(play.alice, "ready");
    cr_assert_eq(play.minds.count, 1u);
    cr_assert_eq(play.minds.asks[0]->last_failure, BOT_TOO_SLOW);
    play_close(&play);
}

Test(bot_failures, a_bot_that_stays_silent_never_abandons_the_match)
{
    struct play play;

    play_begin(&play, ",'clock':{'turn_ms':500}" BOT_ONE);
    table_wait(&play.table, 5000);
    hear_nothing(play.alice, "over");
    play_close(&play);
}

/* Its own time is over, and the turn waits for somebody who has more of it. */
Test(bot_failures, a_bot_whose_time_is_over_is_not_asked_again)
{
    struct play play;

    play_begin(&play, ",'clock':{'bank_ms':4000}" BOT_ONE);
    submit(play.alice, play.match, 0, "a", "");
    table_wait(&play.table, 3000);
    answer(&play, STEP);
    (void)hear(play.alice, "turn");
    table_wait(&play.table, 1000);
    fail(&play, BOT_TOO_SLOW);
    hear_failure(&play, "http_timeout");
    cr_expect_eq(play.minds.count, 0u);
    table_wait(&play.table, 1000);
    cr_expect_eq(play.minds.count, 0u);
    hear_nothing(play.alice, "turn");
    submit(play.alice, play.match, 1, "b", "");
    table_wait(&play.table, 1);
    cr_expect_str_neq(failures_of(hear(play.alice, "turn")), "");
    play_close(&play);
}
