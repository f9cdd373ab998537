/* How many matches one player may play at a time: counted in the store, not since hello. */
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

Test(matches_per_player, are_counted_for_who_comes_back)
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

Test(matches_per_player, of_who_went_while_they_were_stored_are_counted_when_he_comes_back)
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
