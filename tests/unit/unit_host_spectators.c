/* Spectators: delayed ones, what they get and what it costs, and connections without a player. */
#include "rates_fixture.h"
#include "tests/support/cases.h"

#if defined(__SANITIZE_ADDRESS__)
size_t __sanitizer_get_current_allocated_bytes(void);

static size_t
memory_in_use(void)
{
    return __sanitizer_get_current_allocated_bytes();
}
#else
#include <malloc.h>
static size_t
memory_in_use(void)
{
    return mallinfo2().uordblks;
}
#endif

/* Both move back and forth; their inboxes are emptied. */
static void
play_turns(struct game *game, int from, int to)
{
    for (int turn = from; turn < to; turn++) {
        char id[32];
        char commands[128];

        snprintf(id, sizeof(id), "c%d", turn);
        snprintf(commands, sizeof(commands), "{'kind':'move','unit':'a1','target':[1,%d]}",
                 turn % 2 == 0 ? 2 : 3);
        submit(game->alice, game->match, turn, id, commands);
        submit(game->bob, game->match, turn, id, "");
        table_jump(&game->table, 100); /* not too fast for the rate limit */
        forget(game->alice);
        forget(game->bob);
    }
}

static struct peer *
watch(struct game *game)
{
    struct peer *carol = table_player(&game->table, "carol");

    say(carol, "{'type':'watch','match':%lld}", (long long)game->match);
    (void)hear(carol, "joined");
    return carol;
}

/* The turns received, each once and in order. */
static void
hear_turns(struct peer *peer, int from, int to)
{
    for (int turn = from; turn <= to; turn++) {
        cr_assert_eq(number_of(hear(peer, "turn"), "turn"), turn);
    }
    hear_nothing(peer, "turn");
}

static int64_t
turn_shown(struct peer *peer)
{
    struct json_object *view = NULL;

    cr_assert(json_object_object_get_ex(hear(peer, "state"), "view", &view));
    return number_of(view, "turn");
}

/* How much more memory a match uses after many turns than after a few. */
static size_t
growth(const char *more)
{
    struct game game;
    size_t few;
    size_t many;

    game_open(&game, more);
    play_turns(&game, 0, 8);
    few = memory_in_use() - game.alice->heard_length - game.bob->heard_length;
    play_turns(&game, 8, 88);
    many = memory_in_use() - game.alice->heard_length - game.bob->heard_length;
    table_close(&game.table);
    return many < few ? 0 : many - few;
}

Test(spectators, that_are_absent_cost_no_memory)
{
    size_t without = growth("");
    size_t with = growth(",'spectator_delay':1000");

    cr_expect_leq(with, without + 8192, "%zu bytes instead of %zu", with, without);
}

struct delay_case {
    const char *label;
    const char *more;
    int played; /* turns when the spectator comes */
    int shown;  /* what they see then */
};

static const struct delay_case delay_cases[] = {
    { "before the first turn", ",'spectator_delay':3", 0, 0 },
    { "the first turns", ",'spectator_delay':3", 2, 0 },
    { "as many turns as the delay", ",'spectator_delay':3", 3, 0 },
    { "one more", ",'spectator_delay':3", 4, 1 },
    { "behind a snapshot", ",'spectator_delay':3", 70, 67 },
    { "just at a snapshot", ",'spectator_delay':6", 70, 64 },
    { "in front of a snapshot", ",'spectator_delay':7", 70, 63 },
    { "a delay longer than the match", ",'spectator_delay':1000", 70, 0 },
};

CASES(spectators, are_shown_what_they_may_know, delay_cases)
{
    const struct delay_case *it = &delay_cases[*index];
    struct game game;
    struct peer *carol;

    game_open(&game, it->more);
    play_turns(&game, 0, it->played);
    carol = watch(&game);
    cr_expect_eq(turn_shown(carol), it->shown, "%s", it->label);
    play_turns(&game, it->played, it->played + 5);
    if (it->shown > 0) {
        hear_turns(carol, it->shown + 1, it->shown + 5);
    }
    /* the end shows everything */
    say(game.alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    while (find_frame(carol, "turn") != NULL) {
        (void)hear(carol, "turn");
    }
    cr_expect_eq(number_of(hear(carol, "over"), "seq"), 3 + it->played + 5 + 2, "%s", it->label);
    table_close(&game.table);
}

/* What is left at the end is read in pieces of 64 records; the last piece may be the end alone. */
Test(spectators, hear_of_the_end_however_much_is_left_to_read)
{
    for (int delay = 83; delay <= 87; delay++) {
        struct game game;
        struct peer *carol;
        char more[64];

        snprintf(more, sizeof(more), ",'spectator_delay':%d", delay);
        game_open(&game, more);
        play_turns(&game, 0, delay + 2);
        carol = watch(&game);
        cr_assert_eq(turn_shown(carol), 2);
        say(game.alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
        hear_turns(carol, 3, delay + 3);
        cr_expect_not_null(find_frame(carol, "over"), "a delay of %d turns", delay);
        table_close(&game.table);
    }
}

Test(spectators, that_follow_when_the_first_turn_ends_are_delayed_from_then_on)
{
    struct game game;
    struct peer *carol;

    game_open(&game, ",'spectator_delay':2");
    carol = watch(&game);
    play_turns(&game, 0, 2);
    hear_nothing(carol, "turn");
    play_turns(&game, 2, 6);
    hear_turns(carol, 1, 4);
    table_close(&game.table);
}

/* A failed read is retried; clients that ask meanwhile get an error. */
Test(spectators, miss_nothing_when_the_store_fails)
{
    struct game game;
    struct peer *carol;
    struct peer *dave;

    game_open(&game, ",'spectator_delay':1");
    play_turns(&game, 0, 3);
    carol = watch(&game);
    cr_expect_eq(turn_shown(carol), 2);
    table_hold(&game.table);
    submit(game.alice, game.match, 3, "x", "");
    submit(game.bob, game.match, 3, "x", "");
    while (game.table.held->kind != JOB_MATCH_LOAD) {
        table_pass(&game.table);
    }
    table_refuse(&game.table);
    table_let_go(&game.table);
    hear_nothing(carol, "turn");
    table_wait(&game.table, 1000);
    hear_turns(carol, 3, 3);
    peer_drop(carol);
    dave = table_player(&game.table, "dave");
    table_hold(&game.table);
    say(dave, "{'type':'watch','match':%lld}", (long long)game.match);
    table_refuse(&game.table);
    (void)hear_error(dave, "store_unavailable");
    table_let_go(&game.table);
    say(dave, "{'type':'watch','match':%lld}", (long long)game.match);
    (void)hear(dave, "joined");
    cr_expect_eq(turn_shown(dave), 3);
    table_close(&game.table);
}

/* One state, and nothing once they are gone. */
Test(spectators, that_leave_leave_nothing_behind)
{
    struct game game;
    struct room_look look;
    struct peer *carol;

    game_open(&game, ",'spectator_delay':1");
    play_turns(&game, 0, 3);
    carol = watch(&game);
    cr_expect(look_at(game.table.host, game.match, &look) && look.is_behind);
    peer_drop(carol);
    cr_expect(look_at(game.table.host, game.match, &look) && !look.is_behind);
    play_turns(&game, 3, 6);
    table_close(&game.table);
}

/* ---- connections that are no player's -------------------------------------------------------- */

static struct peer *
only_watch(struct table *table)
{
    struct peer *peer = table_connect(table);
    struct json_object *frame;

    say(peer, "{'type':'hello','protocol':1,'spectator':true}");
    frame = hear(peer, "welcome");
    cr_expect_null(json_object_object_get(frame, "player"));
    cr_expect_null(json_object_object_get(frame, "name"));
    cr_expect_str_eq(word_of(frame, "token"), "");
    return peer;
}

Test(spectators, without_an_account_list_watch_leave_and_resume)
{
    struct game game;
    struct peer *carol;

    game_open(&game, "");
    carol = only_watch(&game.table);
    say(carol, "{'type':'list'}");
    (void)hear(carol, "matches");
    say(carol, "{'type':'watch','match':%lld}", (long long)game.match);
    cr_expect_null(json_object_object_get(hear(carol, "joined"), "seat"));
    play_turns(&game, 0, 2);
    hear_turns(carol, 1, 2);
    say(carol, "{'type':'leave','match':%lld}", (long long)game.match);
    (void)hear(carol, "done");
    play_turns(&game, 2, 4);
    hear_nothing(carol, "turn");
    say(carol, "{'type':'resume','match':%lld,'seq':%d}", (long long)game.match, 5);
    hear_turns(carol, 3, 4);
    peer_drop(carol);
    table_close(&game.table);
}

/* What needs a player; %lld stands for the match. */
static const char *const players_frames[] = {
    "{'type':'renew_token'}",
    "{'type':'create','ruleset':'tactics'}",
    "{'type':'join','match':%lld}",
    "{'type':'join','code':'ABCDEF'}",
    "{'type':'queue','ruleset':'tactics'}",
    "{'type':'queue','ruleset':'tactics','cancel':true}",
    "{'type':'list','mine':true}",
    "{'type':'submit','match':%lld,'turn':0,'command_id':'x','commands':[]}",
    "{'type':'withdraw','match':%lld,'turn':0,'command_id':'x'}",
    "{'type':'hints','match':%lld}",
    "{'type':'what_if','match':%lld,'commands':[]}",
    "{'type':'resign','match':%lld,'command_id':'x'}",
    "{'type':'offer_draw','match':%lld}",
    "{'type':'answer_draw','match':%lld,'accept':true}",
    "{'type':'rematch','match':%lld}",
    "{'type':'claim','match':%lld}",
    "{'type':'chat','match':%lld,'text':'x'}",
    "{'type':'mute','match':%lld,'muted':true}",
};

Test(spectators, without_an_account_may_do_nothing_that_needs_one)
{
    struct game game;
    struct peer *carol;

    game_open(&game, "");
    carol = only_watch(&game.table);
    for (size_t i = 0; i < SK_COUNT_OF(players_frames); i++) {
        char frame[256];
        const char *hole = strstr(players_frames[i], "%lld");

        snprintf(frame, sizeof(frame), "%.*s%.0lld%s",
                 hole == NULL ? (int)strlen(players_frames[i]) : (int)(hole - players_frames[i]),
                 players_frames[i], hole == NULL ? 0LL : (long long)game.match,
                 hole == NULL ? "" : hole + 4);
        say(carol, "%s", frame);
        (void)hear_error(carol, "not_allowed");
    }
    say(carol, "{'type':'hello','protocol':1,'name':'carol'}");
    (void)hear_error(carol, "already_hello");
    say(carol, "{'type':'ping'}");
    (void)hear(carol, "pong");
    table_close(&game.table);
}

/* Only a player may create a match, which takes a long frame. */
Test(spectators, without_an_account_send_short_frames)
{
    struct table table;

    table_open(&table);
    cr_expect_eq(host_message_max(table_player(&table, "alice")->session), FRAME_CREATE_BYTES_MAX);
    cr_expect_eq(host_message_max(only_watch(&table)->session), FRAME_BYTES_MAX);
    cr_expect_eq(host_message_max(table_connect(&table)->session), FRAME_BYTES_MAX);
    table_close(&table);
}

static const char *const bad_hellos[] = {
    "",
    ",'spectator':false",
    ",'spectator':true,'name':'carol'",
    ",'spectator':true,'token':'0000'",
    ",'spectator':true,'bot':true",
};

Test(spectators, without_an_account_are_nobody_else)
{
    struct table table;

    table_open(&table);
    for (size_t i = 0; i < SK_COUNT_OF(bad_hellos); i++) {
        struct peer *peer = table_connect(&table);

        say(peer, "{'type':'hello','protocol':1%s}", bad_hellos[i]);
        (void)hear_error(peer, "malformed");
    }
    table_close(&table);
}

Test(spectators, without_an_account_share_the_limits_of_their_address)
{
    struct table table;
    struct peer *peers[3];

    table_open(&table);
    for (size_t i = 0; i < SK_COUNT_OF(peers); i++) {
        peers[i] = only_watch(&table);
    }
    set_limits(&table, 0, 2);
    cr_expect_eq(pongs(peers[0], BURST, ""), BURST);
    cr_expect_eq(pongs(peers[1], BURST + 1, "this connection"), BURST);
    cr_expect_eq(pongs(peers[2], BURST, "this address"), 0);
    table_close(&table);
}
