/*
 * How many matches one player may play at a time: counted in the store, not since hello.  And
 * limits that need one test each.
 */
#include "host_fixture.h"

#define MATCHES_MAX 3

static void
open_few(struct table *table)
{
    table_open(table);
    table->options.matches_per_player_max = MATCHES_MAX;
    table->host->options.matches_per_player_max = MATCHES_MAX;
}

static void
create(struct peer *peer)
{
    say(peer, "{'type':'create','ruleset':'tactics','params':" TABLE_PIKES "}");
}

Test(matches_per_player, may_be_reached_and_not_passed)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t match = 0;

    open_few(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    for (int i = 0; i < MATCHES_MAX; i++) {
        match = table_create(alice, "");
    }
    create(alice);
    (void)hear_error(alice, "too_many_matches");
    say(alice, "{'type':'queue','ruleset':'tactics'}");
    (void)hear_error(alice, "too_many_matches");
    say(alice, "{'type':'join','match':%lld}", (long long)table_create(bob, ""));
    (void)hear_error(alice, "too_many_matches");
    cr_expect_eq(table.host->counters.limited[LIMIT_MATCHES_OF_PLAYER], 3u);
    /* a finished match no longer counts, so another may be joined */
    say(bob, "{'type':'join','match':%lld}", (long long)match);
    say(alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)match);
    (void)hear(alice, "over");
    match = table_create(alice, "");
    create(alice);
    (void)hear_error(alice, "too_many_matches");
    say(alice, "{'type':'leave','match':%lld}", (long long)match);
    (void)hear(alice, "done");
    table_wait(&table, 1); /* until it is over it counts for its creator */
    (void)table_create(alice, "");
    table_close(&table);
}

/* So leaving does not allow more matches. */
Test(matches_per_player, of_a_match_that_nobody_sits_in_there_is_soon_none)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t match;

    open_few(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    match = table_create(alice, "");
    say(bob, "{'type':'watch','match':%lld}", (long long)match);
    say(alice, "{'type':'leave','match':%lld}", (long long)match);
    (void)hear(alice, "done");
    table_wait(&table, 1);
    cr_expect_str_eq(word_of(hear(bob, "over"), "reason"), "expired");
    say(bob, "{'type':'join','match':%lld}", (long long)match);
    (void)hear_error(bob, "match_over");
    table_close(&table);
}

/* A player who joins just then gets the seat and the full time. */
Test(matches_per_player, of_a_match_that_is_left_and_joined_goes_on)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t match;

    open_few(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    match = table_create(alice, "");
    table_hold(&table);
    say(alice, "{'type':'leave','match':%lld}", (long long)match);
    say(bob, "{'type':'join','match':%lld}", (long long)match);
    table_let_go(&table);
    (void)hear(bob, "joined");
    table_wait(&table, 60 * 1000);
    say(alice, "{'type':'join','match':%lld}", (long long)match);
    (void)hear(alice, "joined");
    table_close(&table);
}

Test(matches_per_player, of_a_match_that_was_left_before_a_restart_there_is_none_after_it)
{
    struct table table;
    struct peer *alice;
    char token[sizeof(alice->token)];
    int64_t match;

    open_few(&table);
    alice = table_player(&table, "alice");
    memcpy(token, alice->token, sizeof(token));
    match = table_create(alice, "");
    say(alice, "{'type':'leave','match':%lld}", (long long)match);
    (void)hear(alice, "done");
    table_restart(&table, 1000);
    alice = table_return(&table, token);
    table_wait(&table, 1);
    say(alice, "{'type':'join','match':%lld}", (long long)match);
    (void)hear_error(alice, "match_over");
    table_close(&table);
}

Test(matches_per_player, are_counted_for_a_returning_player)
{
    struct table table;
    struct peer *alice;
    struct peer *other;

    open_few(&table);
    alice = table_player(&table, "alice");
    for (int i = 0; i < MATCHES_MAX; i++) {
        (void)table_create(alice, "");
    }
    other = table_return(&table, alice->token);
    peer_drop(alice);
    create(other);
    (void)hear_error(other, "too_many_matches");
    peer_drop(other);
    other = table_return(&table, alice->token);
    create(other);
    (void)hear_error(other, "too_many_matches");
    table_close(&table);
}

Test(matches_per_player, are_counted_after_a_restart_too)
{
    struct table table;
    struct peer *alice;
    char token[sizeof(alice->token)];
    int64_t match = 0;

    open_few(&table);
    alice = table_player(&table, "alice");
    memcpy(token, alice->token, sizeof(token));
    for (int i = 0; i < MATCHES_MAX; i++) {
        match = table_create(alice, "");
    }
    table_restart(&table, 1000);
    alice = table_return(&table, token);
    create(alice);
    (void)hear_error(alice, "too_many_matches");
    say(alice, "{'type':'leave','match':%lld}", (long long)match);
    (void)hear(alice, "done");
    (void)table_create(alice, "");
    table_close(&table);
}

Test(matches_per_player, include_those_on_their_way_to_the_store)
{
    struct table table;
    struct peer *alice;

    open_few(&table);
    alice = table_player(&table, "alice");
    table_hold(&table);
    for (int i = 0; i < MATCHES_MAX; i++) {
        create(alice);
    }
    create(alice);
    (void)hear_error(alice, "too_many_matches");
    table_refuse(&table); /* one cannot be stored */
    (void)hear_error(alice, "store_unavailable");
    table_let_go(&table);
    for (int i = 0; i < MATCHES_MAX - 1; i++) {
        (void)hear(alice, "joined");
    }
    (void)table_create(alice, "");
    create(alice);
    (void)hear_error(alice, "too_many_matches");
    table_close(&table);
}

Test(matches_per_player, are_counted_for_a_player_who_left_while_they_were_stored)
{
    struct table table;
    struct peer *alice;
    struct peer *other;

    open_few(&table);
    alice = table_player(&table, "alice");
    table_hold(&table);
    for (int i = 0; i < MATCHES_MAX; i++) {
        create(alice);
    }
    peer_drop(alice);
    table_let_go(&table);
    other = table_return(&table, alice->token);
    create(other);
    (void)hear_error(other, "too_many_matches");
    table_close(&table);
}

Test(hello, that_the_store_fails_may_be_said_again)
{
    struct table table;
    struct peer *alice;
    struct peer *other;

    open_few(&table);
    alice = table_player(&table, "alice");
    for (int jobs = 0; jobs < 2; jobs++) { /* the token is looked up, then the matches */
        other = table_connect(&table);
        table_hold(&table);
        say(other, "{'type':'hello','protocol':1,'token':'%s'}", alice->token);
        for (int i = 0; i < jobs; i++) {
            table_pass(&table);
        }
        say(other, "{'type':'hello','protocol':1,'token':'%s'}", alice->token);
        (void)hear_error(other, "already_hello");
        table_refuse(&table);
        (void)hear_error(other, "store_unavailable");
        table_let_go(&table);
        say(other, "{'type':'hello','protocol':1,'token':'%s'}", alice->token);
        (void)hear(other, "welcome");
    }
    table_close(&table);
}

/* ---- one test each ----------------------------------------------------------------------- */

Test(hello_timeout, closes_connections_without_a_hello)
{
    struct table table;
    struct peer *late;
    struct peer *soon;

    table_open(&table);
    table.host->options.hello_timeout_ms = 5000;
    late = table_connect(&table);
    soon = table_connect(&table);
    table_wait(&table, 4999);
    cr_assert_not_null(late->session);
    say(soon, "{'type':'hello','protocol':1,'name':'soon'}");
    table_wait(&table, 1);
    cr_expect_eq(late->close_code, CLOSE_POLICY);
    cr_expect_eq(table.host->counters.limited[LIMIT_HELLO], 1u);
    table_wait(&table, 5000);
    cr_expect_not_null(soon->session);
    table_close(&table);
}

/* Refused frames that are well-formed do not count. */
Test(malformed_max, closes_connections_that_send_as_many)
{
    struct table table;
    struct peer *alice;

    table_open(&table);
    table.host->options.malformed_max = 3;
    alice = table_player(&table, "alice");
    for (uint64_t i = 1; i < 3; i++) {
        say(alice, "{'type':'dance'}");
        (void)hear_error(alice, "malformed");
        say(alice, "{'type':'join','match':77}");
        (void)hear_error(alice, "unknown_match");
        cr_assert_eq(table.host->counters.malformed, i);
    }
    cr_assert_not_null(alice->session);
    say(alice, "no JSON");
    (void)hear_error(alice, "malformed");
    cr_expect_eq(alice->close_code, CLOSE_POLICY);
    cr_expect_eq(table.host->counters.malformed, 3u);
    table_close(&table);
}

static void
submit_unready(const struct game *game, int turn, const char *id)
{
    say(game->alice,
        "{'type':'submit','match':%lld,'turn':%d,'command_id':'%s','commands':[],'ready':false}",
        (long long)game->match, turn, id);
}

Test(submissions_per_turn, may_be_reached_and_not_passed)
{
    struct game game;

    game_open(&game, ",'clock':null");
    game.table.host->options.submissions_per_turn_max = 2;
    submit_unready(&game, 0, "1");
    (void)hear(game.alice, "accepted");
    submit(game.alice, game.match, 0, "2", "");
    submit(game.bob, game.match, 0, "1", "");
    (void)hear(game.alice, "turn");
    forget(game.alice);
    for (int i = 3; i <= 4; i++) { /* as many in the next turn */
        submit_unready(&game, 1, i == 3 ? "3" : "4");
        (void)hear(game.alice, "accepted");
    }
    submit(game.alice, game.match, 1, "5", "");
    (void)hear_error(game.alice, "too_many_submissions");
    cr_expect_eq(game.table.host->counters.errors[ERROR_TOO_MANY_SUBMISSIONS], 1u);
    submit(game.bob, game.match, 1, "2", ""); /* bob has sent none */
    (void)hear(game.bob, "accepted");
    table_close(&game.table);
}

Test(jobs_max, is_how_many_wait_for_the_store)
{
    struct table table;
    struct peer *alice;

    table_open(&table);
    alice = table_player(&table, "alice");
    table_hold(&table);
    table.host->options.jobs_max = 3;
    for (int i = 0; i < 3; i++) {
        create(alice);
        hear_nothing(alice, "error");
    }
    cr_assert_eq(table.held_count, 3u);
    create(alice);
    (void)hear_error(alice, "busy");
    cr_expect_eq(table.host->counters.errors[ERROR_BUSY], 1u);
    cr_expect_eq(table.held_count, 3u);
    table_let_go(&table);
    for (int i = 0; i < 3; i++) {
        (void)hear(alice, "joined");
    }
    (void)table_create(alice, "");
    table_close(&table);
}

static void
ask_what_if(struct peer *peer, int64_t match)
{
    say(peer, "{'type':'what_if','match':%lld,'turn':0,'commands':[[],[]]}", (long long)match);
}

Test(reads_per_player, may_be_reached_and_not_passed)
{
    struct game game;
    struct peer *again;

    game_open(&game, ",'clock':null");
    again = table_return(&game.table, game.alice->token);
    say(game.bob, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    forget(game.alice);
    table_hold(&game.table);
    game.table.host->world.reviews = &game.table.gate;
    game.table.host->options.reads_per_player = 2;
    ask_what_if(game.alice, game.match);
    ask_what_if(again, game.match);
    hear_nothing(game.alice, "error");
    hear_nothing(again, "error");
    ask_what_if(again, game.match);
    (void)hear_error(again, "busy");
    cr_expect_eq(game.table.host->counters.limited[LIMIT_READS_OF_PLAYER], 1u);
    ask_what_if(game.bob, game.match);
    hear_nothing(game.bob, "error");
    cr_expect_eq(game.table.held_count, 3u);
    table_refuse(&game.table);
    (void)hear_error(game.alice, "store_unavailable");
    ask_what_if(game.alice, game.match); /* one has ended */
    hear_nothing(game.alice, "error");
    game.table.host->options.reads_per_player = 0; /* any number */
    ask_what_if(game.alice, game.match);
    hear_nothing(game.alice, "error");
    cr_expect_eq(game.table.held_count, 4u);
    table_close(&game.table);
}
