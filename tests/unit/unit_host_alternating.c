/*
 * Rulesets whose seats take turns: a list is played at once, one turn per
 * command, and stored with the submission; one clock covers the whole turn of
 * a player.  Played with `counting` (tests/support/counting.h).
 */
#include "host_fixture.h"
#include "tests/support/counting_registry.h"

/* ---- matches ----------------------------------------------------------------------------- */

#define COUNT   "{'kind':'count'}"
#define STUMBLE "{'kind':'stumble'}"
#define PASS    "{'kind':'pass'}"

struct round {
    struct table table;
    struct peer *players[SK_SEATS_MAX];
    uint32_t count;
    int64_t match;
};

static const char *const names[SK_SEATS_MAX] = { "ann", "ben", "cat", "dan" };

/* A running match with this many seats. */
static void
open_round(struct round *round, uint32_t seats, const char *params, const char *more)
{
    table_open(&round->table);
    round->count = seats;
    for (uint32_t i = 0; i < seats; i++) {
        round->players[i] = table_player(&round->table, names[i]);
    }
    say(round->players[0], "{'type':'create','ruleset':'counting','params':{'seats':%u%s}%s}",
        seats, params, more);
    round->match = number_of(hear(round->players[0], "joined"), "match");
    for (uint32_t i = 1; i < seats; i++) {
        say(round->players[i], "{'type':'join','match':%lld}", (long long)round->match);
    }
    for (uint32_t i = 0; i < seats; i++) {
        forget(round->players[i]);
    }
}

static void
come_back(struct round *round)
{
    char tokens[SK_SEATS_MAX][sizeof(round->players[0]->token)];

    for (uint32_t i = 0; i < round->count; i++) {
        memcpy(tokens[i], round->players[i]->token, sizeof(tokens[i]));
    }
    table_restart(&round->table, 4000);
    for (uint32_t i = 0; i < round->count; i++) {
        round->players[i] = table_return(&round->table, tokens[i]);
        follow_again(round->players[i], round->match);
        forget(round->players[i]);
    }
}

/* "ok stumbled not_your_turn" of an answer or a turn. */
static const char *
verdicts_of(struct json_object *frame)
{
    static char text[256];
    struct json_object *verdicts = NULL;

    text[0] = '\0';
    cr_assert(json_object_object_get_ex(frame, "verdicts", &verdicts));
    for (size_t i = 0; i < json_object_array_length(verdicts); i++) {
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i == 0 ? "" : " ",
                       word_of(json_object_array_get_idx(verdicts, i), "verdict"));
    }
    return text;
}

static struct json_object *
member(struct json_object *frame, const char *name)
{
    struct json_object *value = NULL;

    cr_assert(json_object_object_get_ex(frame, name, &value), "no %s", name);
    return value;
}

static int
number_said(struct json_object *turn)
{
    struct json_object *events = member(turn, "events");

    return json_object_array_length(events) == 0
               ? 0
               : (int)number_of(json_object_array_get_idx(events, 0), "number");
}

static int64_t
view_number(struct round *round, uint32_t player, const char *name)
{
    struct json_object *state;

    say(round->players[player], "{'type':'resume','match':%lld,'seq':0}", (long long)round->match);
    state = hear(round->players[player], "state");
    return number_of(member(state, "view"), name);
}

/* ---- lists ------------------------------------------------------------------------------- */

struct list_case {
    const char *label;
    int seat; /* who sends it; seat 0 owes */
    const char *commands;
    const char *more;
    const char *verdicts;
    bool is_ready;
    int turns;
};

static const struct list_case cases[] = {
    { "one of one", 0, COUNT, "", "ok", true, 1 },
    { "both numbers", 0, COUNT "," COUNT, "", "ok ok", true, 2 },
    { "more than the turn has", 0, COUNT "," COUNT "," COUNT, "", "ok ok not_your_turn", true, 2 },
    { "a refusal ends the list", 0, COUNT "," STUMBLE "," COUNT, "", "ok stumbled not_your_turn",
      true, 1 },
    { "refused at once", 0, STUMBLE "," COUNT, "", "stumbled not_your_turn", false, 0 },
    { "refused, even with ready", 0, STUMBLE, ",'ready':true", "stumbled", false, 0 },
    { "nothing", 0, "", "", "", false, 0 },
    { "not yet", 0, COUNT "," COUNT, ",'ready':false", "ok not_your_turn", false, 0 },
    { "refused, and not yet", 0, STUMBLE "," COUNT, ",'ready':false", "stumbled not_your_turn",
      false, 0 },
    { "the other's turn", 1, COUNT, "", "not_your_turn", false, 0 },
    { "passed on", 0, PASS "," COUNT, "", "ok not_your_turn", true, 1 },
};

Test(lists, are_played_at_once_one_turn_a_command)
{
    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        const struct list_case *it = &cases[i];
        struct round round;
        struct peer *sender;
        struct json_object *accepted;

        open_round(&round, 2, "", ",'clock':null");
        sender = round.players[it->seat];
        for (int again = 0; again < 3; again++) { /* also sent again, now and after a restart */
            if (again == 2) {
                come_back(&round);
                sender = round.players[it->seat];
            }
            say(sender, "{'type':'submit','match':1,'turn':0,'command_id':'x','commands':[%s]%s}",
                it->commands, it->more);
            accepted = hear(sender, "accepted");
            cr_assert_str_eq(verdicts_of(accepted), it->verdicts, "%s", it->label);
            cr_assert_eq(number_of(accepted, "ready"), it->is_ready, "%s", it->label);
            for (int turn = 0; again == 0 && turn < it->turns; turn++) {
                for (uint32_t player = 0; player < 2; player++) {
                    struct json_object *frame = hear(round.players[player], "turn");

                    cr_assert_eq(number_of(frame, "seq"), 4 + turn, "%s", it->label);
                    cr_assert_eq(number_of(frame, "turn"), 1 + turn, "%s", it->label);
                    cr_assert_str_eq(verdicts_of(frame), (int)player == it->seat ? "ok" : "", "%s",
                                     it->label);
                }
            }
            hear_nothing(round.players[0], "turn");
            hear_nothing(round.players[1], "turn");
        }
        table_close(&round.table);
    }
}

Test(lists, are_one_job_with_their_submission)
{
    struct round round;

    open_round(&round, 2, "", ",'clock':null");
    table_hold(&round.table);
    submit(round.players[0], round.match, 0, "x", COUNT "," COUNT);
    cr_assert_eq(round.table.held_count, 1);
    hear_nothing(round.players[0], "accepted");
    hear_nothing(round.players[1], "turn");
    /* meanwhile the turn is closed */
    submit(round.players[0], round.match, 0, "y", COUNT);
    (void)hear_error(round.players[0], "turn_closed");
    table_let_go(&round.table);
    (void)hear(round.players[0], "accepted");
    cr_assert_str_eq(fixture_ask(&round.table.store,
                                 "SELECT group_concat(kind || ifnull(turn, '')) FROM (SELECT kind, "
                                 "turn FROM record WHERE seq > 3 ORDER BY seq)"),
                     "submission0,turn0,turn1");
    cr_assert_str_eq(
        fixture_ask(&round.table.store, "SELECT count(DISTINCT state_hash) FROM match_turn"), "2");
    table_close(&round.table);
}

Test(lists, that_are_not_stored_have_never_been)
{
    struct round round;

    open_round(&round, 2, "", ",'clock':null");
    table_hold(&round.table);
    submit(round.players[0], round.match, 0, "x", COUNT "," COUNT);
    table_refuse(&round.table);
    (void)hear_error(round.players[0], "store_unavailable");
    hear_nothing(round.players[1], "error");
    table_let_go(&round.table);
    table_wait(&round.table, 5000);
    hear_nothing(round.players[1], "turn");
    cr_assert_eq(view_number(&round, 0, "number"), 0);
    submit(round.players[0], round.match, 0, "x", COUNT); /* the id is free */
    (void)hear(round.players[0], "accepted");
    cr_assert_eq(view_number(&round, 1, "number"), 1);
    table_close(&round.table);
}

Test(lists, end_with_the_match)
{
    struct round round;

    open_round(&round, 2, ",'last':2,'numbers':5", ",'clock':null");
    submit(round.players[0], round.match, 0, "x", COUNT "," COUNT "," COUNT);
    cr_assert_str_eq(verdicts_of(hear(round.players[0], "accepted")), "ok ok match_over");
    for (uint32_t i = 0; i < 2; i++) {
        cr_assert_eq(number_said(hear(round.players[i], "turn")), 1);
        cr_assert_eq(number_said(hear(round.players[i], "turn")), 2);
        cr_assert_str_eq(word_of(hear(round.players[i], "over"), "reason"), "counted_out");
    }
    come_back(&round);
    submit(round.players[0], round.match, 0, "x", COUNT "," COUNT "," COUNT);
    cr_assert_str_eq(verdicts_of(hear(round.players[0], "accepted")), "ok ok match_over");
    table_close(&round.table);
}

Test(lists, are_the_same_in_a_resume)
{
    struct round round;
    char first[2 * TABLE_TEXT_MAX];

    open_round(&round, 2, ",'numbers':3", ",'clock':null");
    free(round.players[1]->heard);
    round.players[1]->heard = NULL;
    round.players[1]->heard_length = 0;
    submit(round.players[0], round.match, 0, "x", COUNT "," COUNT);
    submit(round.players[0], round.match, 2, "y", COUNT);
    (void)snprintf(first, sizeof(first), "%s", round.players[1]->heard);
    for (int is_restarted = 0; is_restarted < 2; is_restarted++) {
        char token[sizeof(round.players[1]->token)];
        struct peer *again;

        memcpy(token, round.players[1]->token, sizeof(token));
        if (is_restarted != 0) {
            table_restart(&round.table, 1000);
        }
        again = table_return(&round.table, token);
        round.players[1] = again;
        free(again->heard);
        again->heard = NULL;
        again->heard_length = 0;
        say(again, "{'type':'resume','match':%lld,'seq':3}", (long long)round.match);
        cr_assert_not_null(strstr(again->heard, first), "%s\nis not in\n%s", first, again->heard);
    }
    table_close(&round.table);
}

Test(a_resignation, waits_for_the_list_on_its_way)
{
    struct round round;

    open_round(&round, 2, "", ",'clock':null");
    table_hold(&round.table);
    submit(round.players[0], round.match, 0, "x", COUNT "," COUNT);
    say(round.players[1], "{'type':'resign','match':%lld,'command_id':'r'}",
        (long long)round.match);
    table_let_go(&round.table);
    (void)hear(round.players[1], "done");
    cr_assert_eq(number_of(hear(round.players[0], "turn"), "turn"), 1);
    cr_assert_eq(number_of(hear(round.players[0], "turn"), "turn"), 2);
    cr_assert_eq(number_of(hear(round.players[0], "turn"), "turn"), 3);
    cr_assert_str_eq(word_of(hear(round.players[0], "over"), "reason"), "resignation");
    table_close(&round.table);
}

Test(what_if, plays_a_whole_list)
{
    struct round round;
    struct json_object *answer;

    open_round(&round, 2, "", ",'clock':null");
    say(round.players[0],
        "{'type':'what_if','match':1,'commands':[[" COUNT "," COUNT "," COUNT "],[]]}");
    answer = hear(round.players[0], "what_if");
    cr_assert_eq(number_of(answer, "turn"), 2);
    cr_assert_eq(json_object_array_length(member(answer, "events")), 2);
    cr_assert_eq(number_of(member(answer, "view"), "number"), 2);
    cr_assert_eq(view_number(&round, 0, "number"), 0);
    table_close(&round.table);
}

/* ---- seats ------------------------------------------------------------------------------- */

Test(matches_of, one_seat_begin_at_once)
{
    struct round round;

    table_open(&round.table);
    round.players[0] = table_player(&round.table, "ann");
    round.count = 1;
    round.match = 1;
    say(round.players[0], "{'type':'create','ruleset':'counting','params':{'seats':1}}");
    (void)hear(round.players[0], "joined");
    {
        struct json_object *state = hear(round.players[0], "state");

        cr_assert_str_eq(word_of(state, "status"), "running");
        cr_assert_eq(number_of(state, "rated"), 0);
    }
    submit(round.players[0], 1, 0, "x", COUNT "," COUNT "," COUNT);
    cr_assert_str_eq(verdicts_of(hear(round.players[0], "accepted")), "ok ok ok");
    come_back(&round);
    submit(round.players[0], 1, 3, "y", COUNT);
    cr_assert_eq(number_said(hear(round.players[0], "turn")), 4);
    table_close(&round.table);
}

Test(matches_of, three_and_four_seats_go_around)
{
    for (uint32_t seats = 3; seats <= SK_SEATS_MAX; seats++) {
        struct round round;

        open_round(&round, seats, ",'numbers':1", ",'clock':{'turn_ms':10000}");
        for (uint32_t turn = 0; turn < 2 * seats; turn++) {
            char id[16];

            (void)snprintf(id, sizeof(id), "t-%u", turn);
            if (turn == seats) {
                come_back(&round);
            }
            table_wait(&round.table, 1000);
            submit(round.players[turn % seats], round.match, (int)turn, id, COUNT);
            (void)hear(round.players[turn % seats], "accepted");
            forget(round.players[turn % seats]);
        }
        cr_assert_eq(view_number(&round, seats - 1, "number"), 2 * seats);
        say(round.players[0], "{'type':'offer_draw','match':%lld}", (long long)round.match);
        (void)hear_error(round.players[0], "not_allowed");
        table_close(&round.table);
    }
}

Test(matches_of, three_seats_are_made_by_the_queue)
{
    struct table table;
    struct peer *peers[3];

    table_open(&table);
    for (int i = 0; i < 3; i++) {
        peers[i] = table_player(&table, names[i]);
        say(peers[i], "{'type':'queue','ruleset':'counting','params':{'seats':3}}");
    }
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(number_of(hear(peers[i], "joined"), "seat"), i);
    }
    table_close(&table);
}

/* ---- clocks ------------------------------------------------------------------------------ */

static int64_t
left_of(struct round *round, size_t seat)
{
    struct json_object *open;
    struct json_object *left;

    say(round->players[0], "{'type':'resume','match':%lld,'seq':0}", (long long)round->match);
    open = member(hear(round->players[0], "state"), "turn_open");
    left = json_object_array_get_idx(member(open, "deadline_ms"), seat);
    return left == NULL ? -1 : json_object_get_int64(left);
}

Test(clock, covers_all_actions_of_a_players_turn)
{
    for (int restarts = 0; restarts < 4; restarts++) {
        struct round round;

        open_round(&round, 2, "", ",'clock':{'turn_ms':10000,'bank_ms':5000}");
        table_wait(&round.table, 3000);
        cr_assert_eq(left_of(&round, 0), 12000);
        cr_assert_eq(left_of(&round, 1), -1, "who does not owe has no running clock");
        submit(round.players[0], round.match, 0, "x", COUNT);
        if ((restarts & 1) != 0) {
            come_back(&round);
        }
        cr_assert_eq(left_of(&round, 0), 12000, "the clock goes on");
        table_wait(&round.table, 9000);
        if ((restarts & 2) != 0) {
            come_back(&round);
        }
        cr_assert_eq(left_of(&round, 0), 3000);
        submit(round.players[0], round.match, 1, "y", COUNT);
        cr_assert_eq(left_of(&round, 0), -1);
        cr_assert_eq(left_of(&round, 1), 15000, "the other has all its time");
        table_wait(&round.table, 1000);
        submit(round.players[1], round.match, 2, "z", PASS);
        cr_assert_eq(left_of(&round, 0), 13000, "two seconds came from the bank");
        cr_assert_str_eq(fixture_ask(&round.table.store, "SELECT group_concat(used_ms || bank_ms) "
                                                         "FROM match_turn"),
                         "[3000,0][5000,5000],[9000,0][3000,5000],[0,1000][3000,5000]");
        table_close(&round.table);
    }
}

Test(deadline, is_a_timeout_of_the_seat_that_owes)
{
    struct round round;
    struct json_object *turn;

    open_round(&round, 2, "", ",'clock':{'turn_ms':1000}");
    table_wait(&round.table, 400);
    submit(round.players[0], round.match, 0, "x", COUNT);
    table_wait(&round.table, 599);
    (void)hear(round.players[0], "turn");
    hear_nothing(round.players[0], "turn");
    table_wait(&round.table, 1);
    turn = hear(round.players[0], "turn");
    cr_assert_eq(number_said(turn), 0);
    cr_assert_str_eq(verdicts_of(turn), "ok");
    cr_assert_eq(view_number(&round, 0, "active"), 1);
    cr_assert_str_eq(
        fixture_ask(&round.table.store, "SELECT seat || kind FROM match_command WHERE turn = 1"),
        "0timeout");
    table_close(&round.table);
}

Test(deadline, plays_what_waits_and_then_times_out)
{
    static const struct {
        const char *label;
        const char *commands;
        const char *kinds; /* of the turns */
    } waiting[] = {
        { "one of two", COUNT, "count,timeout" },
        { "all of them", COUNT "," COUNT, "count,count" },
        { "a refused one", STUMBLE, "timeout" },
        { "one and a refused one", COUNT "," STUMBLE, "count,timeout" },
        { "a pass", PASS, "pass" },
    };

    for (size_t i = 0; i < SK_COUNT_OF(waiting); i++) {
        struct round round;

        open_round(&round, 2, "", ",'clock':{'turn_ms':1000}");
        say(round.players[0],
            "{'type':'submit','match':1,'turn':0,'command_id':'x','ready':false,'commands':[%s]}",
            waiting[i].commands);
        table_wait(&round.table, 1000);
        cr_assert_str_eq(
            fixture_ask(&round.table.store, "SELECT group_concat(kind) FROM match_command"),
            waiting[i].kinds, "%s", waiting[i].label);
        cr_assert_eq(view_number(&round, 0, "active"), 1, "%s", waiting[i].label);
        table_close(&round.table);
    }
}

Test(deadline, missed_three_times_while_away_abandons_the_match)
{
    for (int is_restarted = 0; is_restarted < 2; is_restarted++) {
        struct round round;
        char token[sizeof(round.players[0]->token)];
        int turn = 1;

        open_round(&round, 2, "", ",'clock':{'turn_ms':1000}");
        memcpy(token, round.players[1]->token, sizeof(token));
        peer_drop(round.players[0]);
        /* seat 0 misses its deadlines; seat 1 plays in between */
        for (int lap = 0; lap < 2; lap++) {
            char id[16];

            table_wait(&round.table, 1000);
            (void)snprintf(id, sizeof(id), "r-%d", lap);
            submit(round.players[1], round.match, turn, id, PASS);
            cr_assert_str_eq(verdicts_of(hear(round.players[1], "accepted")), "ok");
            turn += 2;
            if (is_restarted != 0 && lap == 1) {
                table_restart(&round.table, 1000);
                round.players[1] = table_return(&round.table, token);
                follow_again(round.players[1], round.match);
            }
        }
        hear_nothing(round.players[1], "over");
        table_wait(&round.table, 1000);
        cr_assert_str_eq(word_of(hear(round.players[1], "over"), "reason"), "abandoned");
        table_close(&round.table);
    }
}

/* ---- absence without a clock ------------------------------------------------------------- */

Test(claim, is_only_against_a_seat_that_owes)
{
    struct round round;
    struct peer *ben;

    open_round(&round, 2, "", ",'clock':null");
    round.table.host->options.claim_after_ms = 1000;
    peer_drop(round.players[1]);
    table_jump(&round.table, 5000);
    say(round.players[0], "{'type':'claim','match':%lld}", (long long)round.match);
    (void)hear_error(round.players[0], "too_early"); /* the match waits for the one who asks */
    submit(round.players[0], round.match, 0, "x", PASS);
    table_jump(&round.table, 999);
    say(round.players[0], "{'type':'claim','match':%lld}", (long long)round.match);
    (void)hear_error(round.players[0], "too_early");
    table_jump(&round.table, 1);
    ben = table_return(&round.table, round.players[1]->token);
    say(round.players[0], "{'type':'claim','match':%lld}", (long long)round.match);
    (void)hear(round.players[0], "done");
    (void)ben;
    table_close(&round.table);
}
