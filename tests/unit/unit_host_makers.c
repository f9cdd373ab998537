/* Limits per address and player: new players, new matches, unfinished matches. */
#include "bots_fixture.h"
#include "server/host/session/player.h"
#include "wide_fixture.h"

#define FEW 3

static struct json_object *
hello(struct table *table, const char *address, int number)
{
    struct peer *peer = table_connect_from(table, address);
    struct json_object *frame;

    say(peer, "{'type':'hello','protocol':1,'name':'p%d'}", number);
    frame = json_object_array_get_idx(peer->inbox, 0);
    cr_assert_not_null(frame);
    return frame;
}

static void
expect_type(struct json_object *frame, const char *type)
{
    cr_assert_str_eq(word_of(frame, "type"), type, "%s", json_object_to_json_string(frame));
}

Test(new_players, of_an_address_are_limited_per_hour)
{
    struct table table;
    struct json_object *error;
    int64_t retry_ms;
    int number = 0;

    table_open(&table);
    table.host->options.players_per_hour = FEW;
    while (number < FEW) {
        expect_type(hello(&table, "192.0.2.1", number++), "welcome");
    }
    error = hello(&table, "192.0.2.1", number++);
    cr_assert_str_eq(word_of(error, "code"), "rate_limited");
    retry_ms = number_of(error, "retry_ms");
    cr_expect_eq(retry_ms, 3600 * 1000 / FEW);
    cr_expect_eq(table.host->counters.limited[LIMIT_PLAYERS], 1u);
    expect_type(hello(&table, "192.0.2.2", number++), "welcome"); /* another address */
    table_jump(&table, retry_ms - 1);
    expect_type(hello(&table, "192.0.2.1", number++), "error");
    table_jump(&table, 1);
    expect_type(hello(&table, "192.0.2.1", number++), "welcome");
    expect_type(hello(&table, "192.0.2.1", number++), "error");
    table_close(&table);
}

Test(new_players, do_not_include_returning_ones)
{
    struct table table;
    struct peer *alice;

    table_open(&table);
    table.host->options.players_per_hour = 1;
    alice = table_player(&table, "alice");
    for (int i = 0; i < FEW; i++) {
        (void)table_return(&table, alice->token);
    }
    expect_type(hello(&table, "127.0.0.1", 1), "error");
    table.host->options.players_per_hour = 0; /* any number */
    for (int i = 2; i < 6; i++) {
        expect_type(hello(&table, "127.0.0.1", i), "welcome");
    }
    table_close(&table);
}

/* Creates a match and ends it. */
static void
create_and_leave(struct peer *peer)
{
    int64_t match = table_create(peer, "");

    say(peer, "{'type':'leave','match':%lld}", (long long)match);
    (void)hear(peer, "done");
    table_wait(peer->table, 1);
}

Test(creates, of_a_player_are_limited_per_minute)
{
    struct table table;
    struct peer *alice;
    int64_t retry_ms;

    table_open(&table);
    table.host->options.creates_per_minute = FEW;
    alice = table_player(&table, "alice");
    for (int i = 0; i < FEW; i++) {
        create_and_leave(alice);
    }
    say(alice, "{'type':'create','id':'c','ruleset':'tactics','params':" TABLE_PIKES "}");
    retry_ms = number_of(hear_error(alice, "rate_limited"), "retry_ms");
    cr_expect_gt(retry_ms, 0);
    cr_expect_leq(retry_ms, 60 * 1000 / FEW);
    cr_expect_eq(table.host->counters.limited[LIMIT_CREATES], 1u);
    table_jump(&table, retry_ms);
    create_and_leave(alice);
    say(alice, "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES "}");
    (void)hear_error(alice, "rate_limited");
    table_close(&table);
}

Test(creates, of_an_address_are_limited_too)
{
    struct table table;
    struct peer *peers[3];

    table_open(&table);
    table.host->options.creates_per_minute = FEW;
    table.host->options.address_factor = 2;
    peers[0] = table_player(&table, "alice");
    peers[1] = table_player(&table, "bob");
    peers[2] = table_player(&table, "carol");
    for (int i = 0; i < 2 * FEW; i++) {
        create_and_leave(peers[i / FEW]);
    }
    say(peers[2], "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES "}");
    (void)hear_error(peers[2], "rate_limited");
    cr_expect_eq(table.host->counters.limited[LIMIT_CREATES], 1u);
    table_close(&table);
}

/* Others play in matches that alice created; they count for alice until they are over. */
Test(live_matches, count_for_their_creator_whoever_has_the_seats)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t matches[FEW];

    table_open(&table);
    table.host->options.matches_per_player_max = FEW;
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    for (int i = 0; i < FEW; i++) {
        matches[i] = table_create(alice, "");
        table_hold(&table);
        say(alice, "{'type':'leave','match':%lld}", (long long)matches[i]);
        say(bob, "{'type':'join','match':%lld}", (long long)matches[i]);
        table_let_go(&table);
        (void)hear(bob, "joined");
    }
    say(alice, "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES "}");
    (void)hear_error(alice, "too_many_matches");
    say(bob, "{'type':'leave','match':%lld}", (long long)matches[0]);
    table_wait(&table, 1);
    (void)table_create(alice, "");
    table_close(&table);
}

Test(live_matches, of_an_address_are_limited)
{
    struct table table;
    struct peer *peers[FEW + 1];
    struct peer *elsewhere;

    table_open(&table);
    table.host->options.matches_per_address_max = FEW;
    for (int i = 0; i <= FEW; i++) {
        char name[16];

        snprintf(name, sizeof(name), "p%d", i);
        peers[i] = table_player(&table, name);
    }
    elsewhere = table_connect_from(&table, "192.0.2.9");
    say(elsewhere, "{'type':'hello','protocol':1,'name':'far'}");
    for (int i = 0; i < FEW; i++) {
        (void)table_create(peers[i], "");
        peer_drop(peers[i]); /* reconnecting changes nothing */
    }
    say(peers[FEW], "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES "}");
    (void)hear_error(peers[FEW], "too_many_matches");
    cr_expect_eq(table.host->counters.limited[LIMIT_MATCHES_OF_ADDRESS], 1u);
    (void)table_create(elsewhere, "");
    table_wait(&table, table.options.unjoined_expire_ms); /* nobody joins */
    (void)table_create(peers[FEW], "");
    table_close(&table);
}

/* ---- bots among themselves ---------------------------------------------------------------- */

#define OF_BOTS \
    "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES BOT_TWO ",'cycle_ms':600000}"

static void
open_bots(struct play *play)
{
    play_open(play);
    play->table.options.bot_matches_per_player_max = FEW;
    play->table.host->options.bot_matches_per_player_max = FEW;
}

Test(bot_matches, count_for_their_creator)
{
    struct play play;
    struct peer *bob;
    char token[sizeof(play.alice->token)];

    open_bots(&play);
    memcpy(token, play.alice->token, sizeof(token));
    bob = table_player(&play.table, "bob");
    for (int i = 0; i < FEW; i++) {
        say(play.alice, OF_BOTS);
        (void)hear(play.alice, "joined");
    }
    say(play.alice, OF_BOTS);
    (void)hear_error(play.alice, "too_many_matches");
    cr_expect_eq(play.table.host->counters.limited[LIMIT_BOTS_OF_PLAYER], 1u);
    say(bob, OF_BOTS); /* they do not count for bob */
    (void)hear(bob, "joined");
    peer_drop(play.alice); /* and they count for alice when alice reconnects, */
    play.alice = table_return(&play.table, token);
    say(play.alice, OF_BOTS);
    (void)hear_error(play.alice, "too_many_matches");
    while (play.minds.count > 0) {
        bot_ask_free(take_first(&play));
    }
    table_restart(&play.table, 1000); /* and after a restart */
    play.alice = table_return(&play.table, token);
    say(play.alice, OF_BOTS);
    (void)hear_error(play.alice, "too_many_matches");
    play_close(&play);
}

Test(bot_matches, of_an_address_are_limited)
{
    struct play play;
    struct peer *bob;

    play_open(&play);
    play.table.host->options.bot_matches_per_address_max = FEW;
    bob = table_player(&play.table, "bob");
    for (int i = 0; i < FEW; i++) {
        say(i == 0 ? bob : play.alice, OF_BOTS);
    }
    forget(play.alice);
    say(play.alice, OF_BOTS);
    (void)hear_error(play.alice, "too_many_matches");
    cr_expect_eq(play.table.host->counters.limited[LIMIT_BOTS_OF_ADDRESS], 1u);
    play_close(&play);
}

Test(bot_matches, that_nobody_watches_end_after_a_time)
{
    struct play play;
    struct peer *bob;
    struct room_look look;
    int64_t match;

    play_open(&play);
    play.table.host->options.bot_unwatched_ms = 60 * 1000;
    say(play.alice, OF_BOTS);
    match = number_of(hear(play.alice, "joined"), "match");
    table_wait(&play.table, 5 * 60 * 1000); /* alice watches */
    cr_assert(look_at(play.table.host, match, &look) && look.phase == ROOM_RUNNING);
    peer_drop(play.alice);
    table_wait(&play.table, 59 * 1000);
    bob = table_player(&play.table, "bob");
    say(bob, "{'type':'watch','match':%lld}", (long long)match);
    (void)hear(bob, "state");
    table_wait(&play.table, 5 * 1000);
    peer_drop(bob);
    table_wait(&play.table, 59 * 1000);
    cr_assert(look_at(play.table.host, match, &look) && look.phase == ROOM_RUNNING);
    cr_expect_eq(play.table.host->counters.limited[LIMIT_UNWATCHED], 0u);
    table_wait(&play.table, 1000);
    cr_expect_eq(play.table.host->counters.limited[LIMIT_UNWATCHED], 1u);
    cr_assert_not(look_at(play.table.host, match, &look));
    cr_expect_str_eq(fixture_ask(&play.table.store, "SELECT reason FROM match"), "draw_agreed");
    play_close(&play);
}

#define UNITS    12
#define CYCLE_MS 100

/* Both bots' answers, then the end of the cycle. */
static void
play_turn(struct play *play, bool is_long)
{
    for (int seat = 0; seat < 2; seat++) {
        char commands[TABLE_TEXT_MAX];
        char list[TABLE_TEXT_MAX + 2];

        wide_attacks(commands, "ab"[seat], UNITS);
        (void)snprintf(list, sizeof(list), "[%s]", is_long ? commands : "");
        answer(play, list);
    }
    table_wait(&play->table, CYCLE_MS);
}

static int
turns_of(const struct play *play)
{
    return atoi(fixture_ask(&play->table.store, "SELECT count(*) FROM record WHERE kind = 'turn'"));
}

static void
expect_pause(const char *pace)
{
    struct play play;
    char params[TABLE_TEXT_MAX];
    struct host_options *options;

    play_open(&play);
    wide_params(params, UNITS, 15);
    say(play.alice, "{'type':'create','ruleset':'tactics','params':%s" BOT_TWO "%s}", params, pace);
    (void)hear(play.alice, "joined");
    options = &play.table.host->options;
    options->frames_per_second = 1;
    options->frames_burst = 1;
    options->account_factor = 1;
    play_turn(&play, false);
    play_turn(&play, false);
    cr_assert_eq(turns_of(&play), 2, "%s: short ones follow each other", pace);
    play_turn(&play, true);
    cr_assert_eq(turns_of(&play), 3);
    play_turn(&play, false);
    table_wait(&play.table, 1000 - 3 * CYCLE_MS);
    cr_assert_eq(turns_of(&play), 3, "%s: a second of a frame per second", pace);
    table_wait(&play.table, 2 * CYCLE_MS);
    cr_assert_eq(turns_of(&play), 4);
    play_turn(&play, false);
    cr_assert_eq(turns_of(&play), 5, "%s: as before", pace);
    play_close(&play);
}

/* Until the creator of the match could have sent as much. */
Test(bot_matches, pause_after_a_turn_that_is_long)
{
    expect_pause(",'cycle_ms':100");
    expect_pause(",'clock':{'turn_ms':600000}");
}

#define MOVES 100

/* Each move is a turn, and the bot alone has one after the other. */
/* The clock is shorter than the pause: who is not asked yet does not lose time. */
Test(bot_matches, in_which_seats_alternate_pause_likewise)
{
    struct play play;
    char list[TABLE_TEXT_MAX] = "[{'kind':'move','to':null}";
    struct host_options *options;

    play_open(&play);
    say(play.alice,
        "{'type':'create','ruleset':'snarl','clock':{'turn_ms':500},'params':{'heroes':['ada'],"
        "'levels':[{'rooms':[{'origin':[0,0],'bounds':{'rows':1,'columns':3},'layout':[[1,1,1]]}],"
        "'hallways':[],'objects':[{'type':'exit','position':[0,2]}],'starts':{'heroes':[[0,0]],"
        "'adversaries':[]}}]},'seats':[{'bot':{'level':'greedy'}}]}");
    (void)hear(play.alice, "joined");
    options = &play.table.host->options;
    options->frames_per_second = 1;
    options->frames_burst = 1;
    options->account_factor = 1;
    for (int i = 0; i < 2; i++) {
        answer(&play, "[{'kind':'move','to':null}]");
        cr_assert_eq(play.minds.count, 1u, "short ones follow each other");
    }
    cr_assert_eq(turns_of(&play), 2);
    for (int i = 1; i < MOVES; i++) {
        strcat(list, ",{'kind':'move','to':null}");
    }
    answer(&play, strcat(list, "]"));
    cr_assert_eq(turns_of(&play), 2 + MOVES);
    cr_assert_eq(play.minds.count, 0u);
    table_wait(&play.table, 999);
    cr_assert_eq(play.minds.count, 0u, "a second of a frame per second");
    table_wait(&play.table, 1);
    cr_assert_eq(play.minds.count, 1u);
    answer(&play, "[{'kind':'move','to':null}]");
    cr_assert_eq(turns_of(&play), 3 + MOVES);
    cr_assert_eq(play.minds.count, 1u, "as before");
    play_close(&play);
}

Test(bot_matches, are_asked_for_as_their_makers)
{
    struct play play;
    struct peer *bob;

    play_open(&play);
    bob = table_player(&play.table, "bob");
    say(play.alice, OF_BOTS);
    (void)table_create(bob, BOT_ONE);
    cr_assert_eq(play.minds.count, 3u);
    cr_expect_eq(play.minds.asks[0]->maker, play.alice->session->player->id);
    cr_expect_eq(play.minds.asks[1]->maker, play.alice->session->player->id);
    cr_expect_eq(play.minds.asks[2]->maker, bob->session->player->id);
    play_close(&play);
}

/* ---- names -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool is_reserved;
} name_cases[] = {
    { "admin", true },        { "Admin", true },     { "ADM1N", true },
    { "a d m i n", true },    { "4dm!n", true },     { "admin.", true },
    { "server", true },       { "5erver", true },    { "search bot", true },
    { "Search_Bot", true },   { "searchb0t", true }, { "greedy bot", true },
    { "random-bot", true },   { "sysadmin", false }, { "administer", false },
    { "serverin", false },    { "admin 7", true },   { "adam", false },
    { "bot", false },         { "robot", false },    { "search", false },
    { "search bot 2", true }, { "alice", false },    { "research bot", false },
};

Test(names, that_look_like_the_servers_are_nobodys)
{
    struct table table;
    struct peer *peer;

    for (size_t i = 0; i < SK_COUNT_OF(name_cases); i++) {
        cr_expect_eq(name_is_reserved(sk_text_of(name_cases[i].name)), name_cases[i].is_reserved,
                     "%s", name_cases[i].name);
    }
    table_open(&table);
    peer = table_connect(&table);
    say(peer, "{'type':'hello','protocol':1,'name':'Adm1n'}");
    (void)hear_error(peer, "bad_name");
    say(peer, "{'type':'hello','protocol':1,'name':'adam'}");
    (void)hear(peer, "welcome");
    table_close(&table);
}
