/* server/host: long matches are loaded and resumed in pieces, between other events. */
#include "tests/unit/host_fixture.h"

#define TURNS 60

struct long_match {
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t match;
    int turn;
    char token[2 * HOST_TOKEN_BYTES + 1]; /* alice's */
};

static void
play_turn(struct long_match *game)
{
    char id[16];

    (void)snprintf(id, sizeof(id), "t%d", game->turn);
    submit(game->alice, game->match, game->turn, id, "");
    submit(game->bob, game->match, game->turn, id, "");
    (void)hear(game->alice, "turn");
    game->turn++;
    forget(game->alice);
    forget(game->bob);
}

/* Plays this many turns without a snapshot. */
static void
open_game(struct long_match *game, int turns)
{
    *game = (struct long_match){ .turn = 0 };
    table_open(&game->table);
    game->table.host->options.snapshot_every = 1000000;
    game->alice = table_player(&game->table, "alice");
    game->bob = table_player(&game->table, "bob");
    memcpy(game->token, game->alice->token, sizeof(game->token));
    game->match = table_pair(game->alice, game->bob, ",'clock':null");
    while (game->turn < turns) {
        play_turn(game);
        game->table.now_ms += 1000; /* no rate limits */
    }
}

/* From now on time passes and work waits. */
static void
be_lazy(struct long_match *game)
{
    game->table.is_lazy = true;
    game->table.step_ms = 1;
}

static void
finish_work(struct table *table)
{
    do {
        (void)host_work(table->host);
        table_settle(table);
    } while (host_has_work(table->host));
}

static bool
is_answered(struct peer *peer)
{
    say(peer, "{'type':'ping'}");
    if (find_frame(peer, "pong") == NULL) {
        return false;
    }
    (void)hear(peer, "pong");
    return true;
}

/* Checks that the turns received are consecutive; returns their number. */
static void
expect_turns(struct peer *peer, int64_t first, int64_t last)
{
    while (find_frame(peer, "turn") != NULL) {
        cr_assert_eq(number_of(hear(peer, "turn"), "seq"), first);
        first++;
    }
    cr_assert_eq(first, last + 1);
}

/* created, two joined: the first turn has number 4. */
#define SEQ_OF(turn) ((int64_t)(turn) + 3)

Test(host_restore, tells_what_was_missed_in_pieces_and_serves_others_between_them)
{
    struct long_match game;
    struct peer *other;
    int pieces = 0;

    open_game(&game, TURNS);
    other = table_return(&game.table, game.token);
    be_lazy(&game);
    say(other, "{'type':'resume','match':%lld,'seq':4,'id':'r'}", (long long)game.match);
    while (host_work(game.table.host)) {
        pieces++;
        cr_assert(is_answered(game.bob));
        cr_assert_null(find_frame(other, "done"));
    }
    table_settle(&game.table);
    cr_expect_geq(pieces, 4, "%d pieces", pieces);
    (void)hear(other, "done");
    expect_turns(other, 5, SEQ_OF(TURNS));
    table_close(&game.table);
}

Test(host_restore, of_a_match_that_goes_on_leaves_nothing_out_and_repeats_nothing)
{
    struct long_match game;
    struct peer *other;

    open_game(&game, TURNS);
    other = table_return(&game.table, game.token);
    be_lazy(&game);
    say(other, "{'type':'resume','match':%lld,'seq':10,'id':'r'}", (long long)game.match);
    cr_assert(host_work(game.table.host));
    play_turn(&game);
    play_turn(&game);
    finish_work(&game.table);
    (void)hear(other, "done");
    play_turn(&game);
    expect_turns(other, 11, SEQ_OF(TURNS + 3));
    hear_nothing(other, "state");
    table_close(&game.table);
}

Test(host_restore, of_a_match_that_is_too_fast_for_it_ends_with_a_state)
{
    struct long_match game;
    struct peer *other;

    open_game(&game, TURNS);
    other = table_return(&game.table, game.token);
    be_lazy(&game);
    say(other, "{'type':'resume','match':%lld,'seq':10,'id':'r'}", (long long)game.match);
    for (int i = 0; i < 100 && find_frame(other, "done") == NULL; i++) {
        (void)host_work(game.table.host);
        play_turn(&game);
    }
    (void)hear(other, "done");
    cr_assert_eq(number_of(hear(other, "state"), "seq"), SEQ_OF(game.turn) - 1);
    play_turn(&game);
    table_close(&game.table);
}

Test(host_restore, of_a_client_that_leaves_meanwhile_ends)
{
    struct long_match game;
    struct peer *other;

    open_game(&game, TURNS);
    other = table_return(&game.table, game.token);
    be_lazy(&game);
    say(other, "{'type':'resume','match':%lld,'seq':10,'id':'r'}", (long long)game.match);
    cr_assert(host_work(game.table.host));
    peer_drop(other);
    finish_work(&game.table);
    play_turn(&game);
    table_close(&game.table);
}

Test(host_restore, of_a_match_that_is_left_by_all_meanwhile_frees_it_in_the_end)
{
    struct long_match game;
    struct peer *other;
    struct host_status status;

    open_game(&game, TURNS);
    other = table_return(&game.table, game.token);
    say(game.bob, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    be_lazy(&game);
    say(other, "{'type':'resume','match':%lld,'seq':10,'id':'r'}", (long long)game.match);
    cr_assert(host_work(game.table.host));
    peer_drop(game.alice);
    peer_drop(game.bob);
    peer_drop(other);
    host_status(game.table.host, &status);
    cr_expect_eq(status.matches_live, 1, "a resume still needs it");
    finish_work(&game.table);
    host_status(game.table.host, &status);
    cr_expect_eq(status.matches_live, 0);
    table_close(&game.table);
}

Test(host_restore, shows_a_match_only_when_it_is_whole)
{
    struct long_match game;
    int pieces = 0;

    open_game(&game, TURNS);
    be_lazy(&game);
    table_restart(&game.table, 1000);
    game.alice = table_return(&game.table, game.token);
    say(game.alice, "{'type':'resume','match':%lld,'seq':0}", (long long)game.match);
    while (host_work(game.table.host)) {
        pieces++;
        hear_nothing(game.alice, "state");
        cr_assert(is_answered(game.alice));
    }
    table_settle(&game.table);
    cr_expect_geq(pieces, 4, "%d pieces", pieces);
    cr_expect_eq(number_of(hear(game.alice, "state"), "seq"), SEQ_OF(TURNS));
    table_close(&game.table);
}

Test(host_restore, does_not_keep_a_stop_waiting)
{
    struct long_match game;

    open_game(&game, TURNS);
    be_lazy(&game);
    table_restart(&game.table, 1000);
    cr_assert(host_work(game.table.host), "there is more to do");
    host_drain(game.table.host);
    cr_expect_not(host_has_work(game.table.host));
    table_settle(&game.table);
    cr_expect(host_is_drained(game.table.host));
    table_close(&game.table);
}

/* A beat says that all clocks ran, so there is none while matches are being loaded. */
Test(host_restore, is_over_before_the_clocks_beat)
{
    struct long_match game;
    char before[32];

    open_game(&game, TURNS);
    table_wait(&game.table, 2000);
    (void)snprintf(before, sizeof(before), "%.31s",
                   fixture_ask(&game.table.store, "SELECT at FROM beat"));
    be_lazy(&game);
    table_restart(&game.table, 100000);
    game.table.is_holding = true; /* the tick's jobs wait where the test sees them */
    (void)host_tick(game.table.host);
    cr_expect_null(game.table.held, "no beat yet");
    game.table.is_holding = false;
    finish_work(&game.table);
    game.table.step_ms = 0;
    table_wait(&game.table, 2000);
    cr_expect_str_neq(fixture_ask(&game.table.store, "SELECT at FROM beat"), before);
    table_close(&game.table);
}

/* Else a later load would begin too far back. */
Test(restore, a_snapshot_that_could_not_be_stored_is_taken_again_after_the_next_turn)
{
    struct long_match game;

    open_game(&game, 2);
    game.table.host->options.snapshot_every = 3;
    table_hold(&game.table);
    submit(game.alice, game.match, 2, "t2", "");
    submit(game.bob, game.match, 2, "t2", "");
    for (int i = 0; i < 3; i++) { /* both submissions and the turn */
        table_pass(&game.table);
    }
    cr_assert_eq(game.table.held_count, 1u);
    cr_assert_eq(game.table.held->records[0].kind, RECORD_SNAPSHOT);
    table_refuse(&game.table);
    table_let_go(&game.table);
    game.turn = 3;
    forget(game.alice);
    forget(game.bob);
    game.table.now_ms += 2000;
    play_turn(&game);
    cr_expect_str_eq(fixture_ask(&game.table.store,
                                 "SELECT group_concat(turn) FROM record WHERE kind = 'snapshot'"),
                     "4");
    table_close(&game.table);
}

/* All who asked while the store was reading get its answer. */
Test(restore, a_match_that_is_not_there_is_looked_for_once_however_many_ask)
{
    struct table table;
    struct peer *alice;

    table_open(&table);
    alice = table_player(&table, "alice");
    table_hold(&table);
    for (int i = 0; i < 3; i++) {
        say(alice, "{'type':'watch','match':999}");
    }
    cr_assert_eq(table.held_count, 1u);
    table_pass(&table);
    cr_expect_eq(table.held_count, 0u, "it is looked for again");
    for (int i = 0; i < 3; i++) {
        cr_expect_str_eq(word_of(hear(alice, "error"), "code"), "unknown_match");
    }
    table_let_go(&table);
    table_close(&table);
}

/* There was no turn whose hash it could be: it is that of the first state. */
Test(restore, a_match_that_its_params_decide_has_the_same_hash_after_a_restart)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    char token[sizeof(alice->token)];
    char hash[FRAME_HASH_DIGITS + 1];
    struct json_object *outcome;
    int64_t match;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    memcpy(token, alice->token, sizeof(token));
    say(alice, "{'type':'create','ruleset':'tactics','params':%s}", TABLE_PIKES_OF(TABLE_PIKE_A));
    match = number_of(hear(alice, "joined"), "match");
    say(bob, "{'type':'join','match':%lld}", (long long)match);
    (void)snprintf(hash, sizeof(hash), "%s", word_of(hear(alice, "over"), "hash"));
    cr_assert_eq(strlen(hash), FRAME_HASH_DIGITS);
    table_restart(&table, 1000);
    alice = table_return(&table, token);
    say(alice, "{'type':'watch','match':%lld}", (long long)match);
    cr_assert(json_object_object_get_ex(hear(alice, "state"), "outcome", &outcome));
    cr_expect_str_eq(word_of(outcome, "hash"), hash);
    say(alice, "{'type':'leave','match':%lld}", (long long)match);
    say(alice, "{'type':'resume','match':%lld,'seq':1}", (long long)match);
    cr_expect_str_eq(word_of(hear(alice, "over"), "hash"), hash);
    table_close(&table);
}
