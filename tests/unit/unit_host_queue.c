/* The queue: players are paired together, or not at all. */
#include "host_fixture.h"

static void
queue(struct peer *peer)
{
    say(peer, "{'type':'queue','id':'q','ruleset':'tactics','params':" TABLE_PIKES "}");
}

static void
expect_count(struct table *table, const char *sql, const char *count)
{
    cr_assert_str_eq(fixture_ask(&table->store, sql), count, "%s", sql);
}

/* The match that both got in `joined`. */
static int64_t
expect_pair(struct peer *first, struct peer *second)
{
    int64_t match;
    struct json_object *joined = hear(first, "joined");

    match = number_of(joined, "match");
    cr_assert_eq(number_of(joined, "seat"), 0, "who waited longer has the first seat");
    cr_assert_str_eq(word_of(joined, "id"), "");
    joined = hear(second, "joined");
    cr_assert_eq(number_of(joined, "match"), match);
    cr_assert_eq(number_of(joined, "seat"), 1);
    cr_assert_str_eq(word_of(hear(first, "state"), "status"), "running");
    cr_assert_str_eq(word_of(hear(second, "state"), "status"), "running");
    return match;
}

Test(queue, pairs_with_the_player_who_has_waited_longest)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    struct peer *carol;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    carol = table_player(&table, "carol");
    queue(alice);
    (void)hear(alice, "queued");
    /* a player who waits for another match */
    say(bob, "{'type':'queue','ruleset':'tactics'}");
    (void)hear(bob, "queued");
    queue(carol);
    (void)hear(carol, "done");
    (void)expect_pair(alice, carol);
    hear_nothing(bob, "joined");
    table_close(&table);
}

Test(queue, is_first_come_first_served)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    struct peer *carol;
    struct peer *dave;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    carol = table_player(&table, "carol");
    dave = table_player(&table, "dave");
    table.host->options.matches_per_player_max = 1;
    queue(alice);
    (void)hear(alice, "queued");
    (void)table_create(alice, ""); /* now alice may not play another match: alice is skipped */
    forget(alice);
    queue(bob);
    (void)hear(bob, "queued");
    queue(carol);
    (void)expect_pair(bob, carol);
    hear_nothing(alice, "joined");
    queue(dave);
    (void)hear(dave, "queued");
    table_close(&table);
}

Test(queue, makes_a_match_with_both_or_none)
{
    static const char *const labels[] = { "nobody goes", "who waited goes", "who came goes",
                                          "both go" };

    for (int goes = 0; goes < 4; goes++) {
        struct table table;
        struct peer *alice;
        struct peer *bob;

        table_open(&table);
        alice = table_player(&table, "alice");
        bob = table_player(&table, "bob");
        queue(alice);
        table_hold(&table);
        queue(bob);
        if ((goes & 1) != 0) {
            peer_drop(alice);
        }
        if ((goes & 2) != 0) {
            peer_drop(bob);
        }
        table_let_go(&table);
        cr_assert_str_eq(fixture_ask(&table.store,
                                     "SELECT status || (SELECT count(*) FROM seat WHERE player) "
                                     "FROM match"),
                         "running2", "%s", labels[goes]);
        /* a player who reconnects finds it */
        alice = table_return(&table, alice->token);
        follow_again(alice, 1);
        submit(alice, 1, 0, "a", "");
        (void)hear(alice, "accepted");
        table_close(&table);
    }
}

Test(queue, goes_on_as_it_was_when_the_match_is_not_stored)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    struct peer *carol;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    carol = table_player(&table, "carol");
    queue(alice);
    (void)hear(alice, "queued");
    table_hold(&table);
    queue(bob);
    hear_nothing(bob, "done");
    table_refuse(&table);
    cr_assert_str_eq(word_of(hear_error(bob, "store_unavailable"), "id"), "q");
    hear_nothing(alice, "error");
    table_let_go(&table);
    queue(carol);
    (void)hear(carol, "done");
    (void)expect_pair(alice, carol);
    expect_count(&table, "SELECT count(*) FROM match", "1");
    table_close(&table);
}

Test(queue, goes_on_as_it_was_when_the_store_is_busy)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    queue(alice);
    (void)hear(alice, "queued");
    table.is_full = true;
    queue(bob);
    (void)hear_error(bob, "busy");
    table.is_full = false;
    queue(bob);
    (void)hear(bob, "done");
    (void)expect_pair(alice, bob);
    table_close(&table);
}

Test(queue, forgets_a_player_who_left_while_the_match_failed)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    struct peer *carol;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    carol = table_player(&table, "carol");
    queue(alice);
    table_hold(&table);
    queue(bob);
    peer_drop(alice);
    table_refuse(&table);
    (void)hear_error(bob, "store_unavailable");
    table_let_go(&table);
    queue(carol);
    (void)hear(carol, "queued");
    table_close(&table);
}

Test(queue, has_a_player_only_once_for_all_connections)
{
    struct table table;
    struct peer *alice;
    struct peer *other;
    struct peer *bob;
    struct peer *carol;

    table_open(&table);
    alice = table_player(&table, "alice");
    other = table_return(&table, alice->token);
    bob = table_player(&table, "bob");
    carol = table_player(&table, "carol");
    queue(alice);
    queue(other); /* replaces the first, and is not paired with it */
    (void)hear(other, "queued");
    queue(bob);
    (void)expect_pair(other, bob);
    hear_nothing(alice, "joined");
    queue(carol);
    (void)hear(carol, "queued");
    expect_count(&table, "SELECT count(*) FROM match", "1");
    table_close(&table);
}

Test(queue, cancelled_while_the_match_is_stored_comes_too_late)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    queue(alice);
    table_hold(&table);
    queue(bob);
    say(alice, "{'type':'queue','ruleset':'tactics','cancel':true}");
    (void)hear(alice, "done");
    table_let_go(&table);
    (void)expect_pair(alice, bob);
    table_close(&table);
}

Test(queue, of_bots_is_unrated)
{
    struct table table;
    struct peer *alice;
    struct peer *bot;

    table_open(&table);
    alice = table_player(&table, "alice");
    bot = table_connect(&table);
    say(bot, "{'type':'hello','protocol':1,'name':'bot','bot':true}");
    (void)hear(bot, "welcome");
    queue(alice);
    queue(bot);
    (void)expect_pair(alice, bot);
    expect_count(&table, "SELECT is_rated FROM match", "0");
    table_close(&table);
}

Test(queue, match_is_the_same_after_a_restart)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    char token[sizeof(alice->token)];
    int64_t match;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    memcpy(token, alice->token, sizeof(token));
    queue(alice);
    queue(bob);
    match = expect_pair(alice, bob);
    table_restart(&table, 1000);
    alice = table_return(&table, token);
    say(alice, "{'type':'resume','match':%lld,'seq':1}", (long long)match);
    cr_assert_eq(number_of(hear(alice, "seated"), "seat"), 0);
    cr_assert_eq(number_of(hear(alice, "seated"), "seat"), 1);
    (void)hear(alice, "done");
    table_close(&table);
}
