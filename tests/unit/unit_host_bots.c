/* Seats that bots play: the test is the bots, and answers when it likes. */
#include "bots_fixture.h"

static const char *
allow_all(struct bot_port *port, const struct bot_who *who)
{
    (void)port;
    (void)who;
    return NULL;
}

#define SERVICE(name) "{'bot':{'http':'https://a.example:81/b'" name "}}"

Test(bots, a_seat_of_create_is_a_bots_and_the_match_begins_at_once)
{
    struct play play;
    struct json_object *state;
    struct json_object *players;

    play_open(&play);
    play.match = table_create(play.alice, BOT_ONE);
    state = hear(play.alice, "state");
    cr_assert_str_eq(word_of(state, "status"), "running");
    cr_assert_str_eq(word_of(state, "rated"), "false");
    cr_assert(json_object_object_get_ex(state, "players", &players));
    cr_assert_str_eq(json_object_to_json_string_ext(json_object_array_get_idx(players, 1),
                                                    JSON_C_TO_STRING_PLAIN),
                     "{\"name\":\"greedy bot\",\"bot\":true,\"is_here\":true}");
    cr_assert_eq(play.minds.count, 1u);
    cr_assert_eq(play.minds.asks[0]->seat, 1);
    cr_assert_str_eq(play.minds.asks[0]->who.word, "greedy");
    cr_assert_str_eq(play.minds.asks[0]->ruleset, "tactics");
    cr_assert_not_null(strstr(play.minds.asks[0]->view, "\"units\""));
    cr_assert_null(play.minds.asks[0]->hints, "it finds out itself");
    play_close(&play);
}

Test(bots, a_web_service_is_told_its_hints)
{
    struct play play;

    play_open(&play);
    play.minds.port.refuses = allow_all;
    (void)table_create(play.alice, ",'seats':[null," SERVICE("") "]");
    cr_assert_eq(play.minds.count, 1u);
    cr_assert_not_null(strstr(play.minds.asks[0]->hints, "\"b1\""));
    cr_assert_null(strstr(play.minds.asks[0]->hints, "\"a1\""));
    play_close(&play);
}

static const struct {
    const char *clock;
    int32_t limit_ms;
} limit_cases[] = {
    { ",'clock':null", 5000 },
    { ",'clock':{'turn_ms':5001}", 5000 },
    { ",'clock':{'turn_ms':5000}", 5000 },
    { ",'clock':{'turn_ms':4999}", 4999 },
};

Test(bots, have_so_long_to_answer_and_no_longer_than_their_turn)
{
    for (size_t i = 0; i < SK_COUNT_OF(limit_cases); i++) {
        char more[sizeof(BOT_ONE) + 40];
        struct play play;

        play_open(&play);
        play.table.host->options.bot_answer_ms = 5000;
        (void)snprintf(more, sizeof(more), BOT_ONE "%s", limit_cases[i].clock);
        (void)table_create(play.alice, more);
        cr_expect_eq(play.minds.asks[0]->limit_ms, limit_cases[i].limit_ms, "%s: %d",
                     limit_cases[i].clock, play.minds.asks[0]->limit_ms);
        play_close(&play);
    }
}

Test(bots, what_a_bot_answers_is_its_seats_submission)
{
    struct play play;
    struct json_object *turn;

    play_begin(&play, BOT_ONE);
    answer(&play, STEP);
    cr_assert_str_eq(word_of(hear(play.alice, "ready"), "seat"), "1");
    submit(play.alice, play.match, 0, "a", "");
    turn = hear(play.alice, "turn");
    cr_assert_not_null(strstr(json_object_to_json_string_ext(turn, JSON_C_TO_STRING_PLAIN),
                              "{\"kind\":\"moved\",\"unit\":\"b1\""));
    cr_assert_eq(play.minds.count, 1u, "it is asked about the next turn");
    cr_assert_eq(play.minds.asks[0]->turn, 1u);
    cr_assert_eq(play.minds.asks[0]->last_latency_ms, 7);
    cr_assert_str_eq(play.minds.asks[0]->last_verdicts, "[{\"verdict\":\"ok\"}]");
    cr_assert_str_eq(fixture_ask(&play.table.store, "SELECT command_id FROM record WHERE kind = "
                                                    "'submission' AND seat = 1"),
                     "bot-0-0");
    play_close(&play);
}

Test(bots, the_creator_of_a_match_between_bots_watches_it)
{
    struct play play;
    struct json_object *joined;

    play_open(&play);
    say(play.alice,
        "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES BOT_TWO ",'cycle_ms':null}");
    joined = hear(play.alice, "joined");
    cr_assert_str_eq(json_object_to_json_string(json_object_object_get(joined, "seat")), "null");
    play.match = number_of(joined, "match");
    cr_assert_eq(play.minds.count, 2u, "both are asked together");
    answer(&play, "[]");
    hear_nothing(play.alice, "turn");
    answer(&play, "[]");
    (void)hear(play.alice, "turn");
    cr_assert_eq(play.minds.count, 2u);
    play_close(&play);
}

struct wish_case {
    const char *label;
    const char *more;
    const char *code;
};

static const struct wish_case wishes[] = {
    { "a seat that is a bot's", ",'seat':1" BOT_ONE, "seat_taken" },
    { "a seat that is not there", ",'seats':[null,null,{'bot':{'level':'greedy'}}]", "seat_taken" },
    { "too many seats", ",'seats':[null,null,null,null,null]", "malformed" },
    { "no bot of that kind", ",'seats':[null,{'bot':{'level':'genius'}}]", "malformed" },
    { "two bots in one", ",'seats':[null,{'bot':{'level':'greedy','name':'x'}}]", "malformed" },
    { "a level with an address", ",'seats':[null,{'bot':{'level':'greedy','http':'http://x/'}}]",
      "malformed" },
    { "a name of line ends", ",'seats':[null,{'bot':{'http':'http://x/','name':'a\\nb'}}]",
      "malformed" },
    { "no bot at all", ",'seats':[null,{'bot':{}}]", "malformed" },
    { "a seat for nobody", ",'seats':[null,{}]", "malformed" },
    { "a service that may not be called", ",'seats':[null,{'bot':{'http':'http://x/'}}]",
      "not_allowed" },
    { "a name that is not known", ",'seats':[null,{'bot':{'name':'x'}}]", "not_allowed" },
    { "a cycle and a clock", ",'cycle_ms':50,'clock':{'turn_ms':50}", "not_allowed" },
    { "a cycle that is too short", ",'cycle_ms':9", "malformed" },
    { "a cycle that is too long", ",'cycle_ms':600001", "malformed" },
};

Test(bots, seats_that_cannot_be_given_are_refused_and_nothing_comes_of_them)
{
    struct play play;

    play_open(&play);
    play.table.options.malformed_max = 1000;
    host_reload(play.table.host, &play.table.options);
    for (size_t i = 0; i < SK_COUNT_OF(wishes); i++) {
        say(play.alice, "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES "%s}",
            wishes[i].more);
        cr_assert_str_eq(word_of(hear(play.alice, "error"), "code"), wishes[i].code, "%s",
                         wishes[i].label);
    }
    cr_assert_str_eq(fixture_ask(&play.table.store, "SELECT count(*) FROM match"), "0");
    play_close(&play);
}

Test(bots, without_bots_create_is_refused)
{
    struct table table;
    struct peer *alice;

    table_open(&table);
    alice = table_player(&table, "alice");
    say(alice, "{'type':'create','ruleset':'tactics'" BOT_ONE "}");
    (void)hear_error(alice, "not_allowed");
    table_close(&table);
}

Test(bots, a_match_goes_on_with_its_bots_after_a_restart)
{
    struct play play;
    char token[sizeof(play.alice->token)];

    play_begin(&play, BOT_ONE);
    memcpy(token, play.alice->token, sizeof(token));
    table_stop(&play.table);
    bot_ask_free(take_first(&play)); /* lost with the process */
    play.table.now_ms = 9000;
    table_start(&play.table);
    cr_assert_eq(play.minds.count, 1u, "it is asked again");
    answer(&play, STEP);
    play.alice = table_return(&play.table, token);
    follow_again(play.alice, play.match);
    submit(play.alice, play.match, 0, "a", "");
    (void)hear(play.alice, "turn");
    cr_assert_eq(play.minds.asks[0]->turn, 1u);
    play_close(&play);
}

Test(bots, a_bot_that_has_submitted_is_not_asked_again_after_a_restart)
{
    struct play play;

    play_begin(&play, BOT_ONE);
    answer(&play, STEP);
    table_restart(&play.table, 10);
    cr_assert_eq(play.minds.count, 0u);
    play_close(&play);
}

/* ---- where seats take turns -------------------------------------------------------------- */

static void
race(struct play *play)
{
    play_open(play);
    play->minds.port.refuses = allow_all;
    say(play->alice, "{'type':'create','ruleset':'racers','seat':1,'clock':null,"
                     "'seats':[" SERVICE("") "]}");
    play->match = number_of(hear(play->alice, "joined"), "match");
    forget(play->alice);
}

Test(bots, where_seats_take_turns_a_bot_is_asked_until_it_is_anothers)
{
    struct play play;
    char first[200];
    int actions = 0;

    race(&play);
    cr_assert_eq(play.minds.count, 1u);
    for (; play.minds.count > 0; actions++) { /* the dark may end its turn early */
        const char *hints = play.minds.asks[0]->hints;

        (void)snprintf(first, sizeof(first), "%.*s]", (int)(strchr(hints, '}') - hints + 1), hints);
        answer(&play, first);
    }
    cr_assert(actions >= 1 && actions <= 3, "%d actions", actions);
    hear_nothing(play.alice, "bot_failed");
    (void)hear(play.alice, "turn");
    play_close(&play);
}

Test(bots, where_seats_take_turns_a_silent_bots_time_is_over)
{
    struct play play;

    race(&play);
    for (int i = 0; i < BOT_TRIES_MAX; i++) {
        answer(&play, "[]");
        table_wait(&play.table, 4 * BOT_RETRY_MS);
    }
    (void)hear(play.alice, "turn");
    cr_assert_eq(play.minds.count, 0u, "it is the person's turn");
    play_close(&play);
}

/* ---- cycles ------------------------------------------------------------------------------ */

Test(bots, a_cycle_ends_on_time_even_if_all_are_ready)
{
    struct play play;

    play_open(&play);
    say(play.alice,
        "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES BOT_TWO ",'cycle_ms':50}");
    (void)hear(play.alice, "joined");
    cr_assert_eq(number_of(hear(play.alice, "state"), "cycle_ms"), 50);
    cr_assert_eq(play.minds.count, 2u);
    cr_assert_leq(play.minds.asks[0]->limit_ms, 50);
    answer(&play, "[{'unit':'a1','kind':'move','target':[1,2]}]");
    answer(&play, STEP);
    table_wait(&play.table, 49);
    hear_nothing(play.alice, "turn");
    table_wait(&play.table, 1);
    (void)hear(play.alice, "turn");
    cr_assert_eq(play.minds.count, 2u, "both are asked about the next");
    cr_assert_str_eq(fixture_ask(&play.table.store, "SELECT json_extract(body, '$.verdicts') FROM "
                                                    "record WHERE kind = 'turn'"),
                     "[[{\"verdict\":\"ok\"}],[{\"verdict\":\"ok\"}]]");
    play_close(&play);
}

Test(bots, a_cycle_in_which_both_are_ready_ends_after_a_restart_too)
{
    struct play play;
    char token[sizeof(play.alice->token)];

    play_begin(&play, ",'cycle_ms':50" BOT_ONE);
    memcpy(token, play.alice->token, sizeof(token));
    answer(&play, STEP);
    submit(play.alice, play.match, 0, "a", "");
    hear_nothing(play.alice, "turn");
    table_restart(&play.table, 10);
    play.alice = table_return(&play.table, token);
    follow_again(play.alice, play.match);
    table_wait(&play.table, 1000);
    (void)hear(play.alice, "turn");
    play_close(&play);
}

Test(bots, in_a_cycle_a_bot_is_asked_once_and_what_is_in_counts)
{
    struct play play;

    play_begin(&play, ",'cycle_ms':50" BOT_ONE);
    fail(&play, BOT_UNREACHABLE);
    hear_failure(&play, "http_failed");
    table_wait(&play.table, 50);
    (void)hear(play.alice, "turn");
    cr_assert_eq(play.minds.asked, 2u);
    cr_assert_eq(play.minds.asks[0]->last_failure, BOT_UNREACHABLE);
    play_close(&play);
}

/* Else questions of turns that are long over pile up before the threads that think. */
Test(bots, one_that_is_slower_than_the_cycle_has_one_question_at_a_time)
{
    struct play play;

    play_begin(&play, ",'cycle_ms':50" BOT_ONE);
    for (int i = 0; i < 10; i++) {
        table_wait(&play.table, 50);
    }
    cr_assert_eq(play.minds.count, 1u);
    answer(&play, STEP);
    hear_nothing(play.alice, "ready");
    cr_assert_eq(play.minds.count, 1u, "about the turn that is on");
    cr_assert_geq(play.minds.asks[0]->turn, 9u);
    answer(&play, STEP);
    (void)hear(play.alice, "ready");
    play_close(&play);
}

Test(bots, once_the_match_is_over_no_bot_is_asked)
{
    struct play play;

    play_begin(&play, ",'cycle_ms':50" BOT_ONE);
    say(play.alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)play.match);
    (void)hear(play.alice, "over");
    answer(&play, STEP);
    table_wait(&play.table, 500);
    cr_assert_eq(play.minds.asked, 1u);
    hear_nothing(play.alice, "bot_failed");
    play_close(&play);
}

Test(bots, bots_alone_have_a_cycle_of_a_second_unless_told_otherwise)
{
    static const struct {
        const char *more;
        const char *cycle;
    } cases[] = {
        { BOT_TWO, "1000" },
        { BOT_TWO ",'clock':null", "1000" },
        { BOT_TWO ",'cycle_ms':10", "10" },
        { BOT_TWO ",'cycle_ms':600000", "600000" },
        { BOT_TWO ",'cycle_ms':null", "" },
        { BOT_TWO ",'clock':{'turn_ms':100}", "" },
        { BOT_ONE, "" },
    };
    struct play play;

    play_open(&play);
    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        say(play.alice, "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES "%s}",
            cases[i].more);
        (void)hear(play.alice, "joined");
        cr_assert_str_eq(word_of(hear(play.alice, "state"), "cycle_ms"), cases[i].cycle, "%s",
                         cases[i].more);
    }
    play_close(&play);
}

Test(bots, the_params_of_halma_may_ask_for_a_cycle)
{
    static const struct {
        const char *more;
        const char *cycle;
    } cases[] = {
        { "", "700" },
        { ",'cycle_ms':50", "50" },
        { ",'cycle_ms':null", "" },
        { ",'clock':null", "700" },
        { BOT_TWO, "700" },
    };
    struct play play;

    play_open(&play);
    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        say(play.alice, "{'type':'create','ruleset':'halma','params':{'cycle_ms':700}%s}",
            cases[i].more);
        (void)hear(play.alice, "joined");
        cr_assert_str_eq(word_of(hear(play.alice, "state"), "cycle_ms"), cases[i].cycle, "%s",
                         cases[i].more);
    }
    say(play.alice, "{'type':'create','ruleset':'halma','params':{'cycle_ms':700},"
                    "'clock':{'turn_ms':50}}");
    (void)hear_error(play.alice, "not_allowed");
    say(play.alice, "{'type':'create','ruleset':'racers','cycle_ms':50}");
    (void)hear_error(play.alice, "not_allowed");
    play_close(&play);
}

/* ---- the rest ---------------------------------------------------------------------------- */

Test(bots, a_rematch_has_the_same_bot_in_the_other_seat)
{
    struct play play;

    play_begin(&play, BOT_ONE);
    say(play.alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)play.match);
    forget(play.alice);
    say(play.alice, "{'type':'rematch','match':%lld}", (long long)play.match);
    cr_assert_eq(number_of(hear(play.alice, "joined"), "seat"), 1);
    cr_assert_str_eq(word_of(hear(play.alice, "state"), "status"), "running");
    cr_assert_eq(play.minds.asks[1]->seat, 0);
    cr_assert_str_eq(play.minds.asks[1]->who.word, "greedy");
    play_close(&play);
}

Test(bots, the_same_bot_is_always_the_same_player)
{
    struct play play;

    play_open(&play);
    (void)table_player(&play.table, "guest");
    cr_assert_str_eq(fixture_ask(&play.table.store, "UPDATE player SET name = 'Greedy Bot' "
                                                    "WHERE name = 'guest' RETURNING name"),
                     "Greedy Bot"); /* a guest has the name, from before it was reserved */
    (void)table_create(play.alice, BOT_ONE);
    (void)table_create(play.alice, BOT_ONE);
    table_restart(&play.table, 10);
    play.alice = table_player(&play.table, "alice2");
    (void)table_create(play.alice, BOT_ONE);
    cr_assert_str_eq(fixture_ask(&play.table.store, "SELECT count(DISTINCT player) || ' ' || "
                                                    "count(*) FROM seat WHERE is_bot"),
                     "1 3");
    cr_assert_str_eq(fixture_ask(&play.table.store, "SELECT name || ' ' || bot FROM player "
                                                    "WHERE bot IS NOT NULL"),
                     "greedy bot 3 level:greedy");
    play_close(&play);
}

Test(bots, bots_play_only_so_many_matches_among_themselves)
{
    struct play play;

    play_open(&play);
    play.table.options.bot_matches_max = 2;
    host_reload(play.table.host, &play.table.options);
    (void)table_create(play.alice, BOT_TWO);
    (void)table_create(play.alice, BOT_TWO);
    say(play.alice, "{'type':'create','ruleset':'tactics'" BOT_TWO "}");
    (void)hear_error(play.alice, "too_many_matches");
    cr_expect_eq(play.table.host->counters.limited[LIMIT_BOTS], 1u);
    (void)table_create(play.alice, BOT_ONE);
    play_close(&play);
}

/* ---- the record -------------------------------------------------------------------------- */

Test(bots, a_web_service_has_the_name_that_it_was_given)
{
    struct play play;

    play_open(&play);
    play.minds.port.refuses = allow_all;
    (void)table_create(play.alice, ",'seats':[" SERVICE(",'name':'Deep Hal'") "," SERVICE("") "]");
    (void)table_create(play.alice, ",'seats':[" SERVICE(",'name':'alice'") ",null]");
    table_restart(&play.table, 10);
    cr_assert_str_eq(play.minds.asks[0]->who.word, "https://a.example:81/b");
    play.alice = table_player(&play.table, "alice2");
    (void)table_create(play.alice, ",'seats':[" SERVICE(",'name':'Deep Hal'") "," SERVICE("") "]");
    cr_assert_str_eq(fixture_ask(&play.table.store,
                                 "SELECT group_concat(match || ' ' || name, '; ') FROM match_seat "
                                 "WHERE is_bot"),
                     "1 Deep Hal; 1 a.example:81; 2 alice 4; 3 Deep Hal; 3 a.example:81",
                     "the name of a person stays theirs");
    play_close(&play);
}

Test(bots, only_the_newest_calls_of_web_services_are_kept)
{
    struct play play;

    play_open(&play);
    play.minds.port.refuses = allow_all;
    play.table.options.bot_calls_kept = 2;
    host_reload(play.table.host, &play.table.options);
    play.match = table_create(play.alice, ",'seats':[null,{'bot':{'http':'https://a.example/b'}}]");
    for (int turn = 0; turn < 4; turn++) {
        char id[16];

        (void)snprintf(id, sizeof(id), "t%d", turn);
        play.minds.asks[0]->request = heap_text(SK_TEXT("{}"));
        play.minds.asks[0]->reply = heap_text(SK_TEXT("a\xff\xc3\xa4"));
        play.minds.asks[0]->reply_length = 4;
        play.minds.asks[0]->status = 200;
        answer(&play, turn == 3 ? "nonsense" : "[]");
        submit(play.alice, play.match, turn, id, "");
    }
    cr_assert_str_eq(
        fixture_ask(&play.table.store,
                    "SELECT group_concat(turn || ' ' || bot || ' ' || status || ' ' || "
                    "ifnull(error, '-') || ' ' || answer, '; ') FROM bot_call"),
        "2 http:https://a.example/b 200 - a?\xc3\xa4; "
        "3 http:https://a.example/b 200 not_json a?\xc3\xa4");
    play_close(&play);
}

Test(bots, calls_of_the_servers_own_bots_are_not_recorded)
{
    struct play play;

    play_begin(&play, BOT_ONE);
    answer(&play, "[]");
    cr_assert_str_eq(fixture_ask(&play.table.store, "SELECT count(*) FROM bot_call"), "0");
    play_close(&play);
}
