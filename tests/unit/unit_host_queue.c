/* The queue: players are paired together, or not at all. */
#include "host_fixture.h"
#include "server/host/lobby/seek.h"
#include "tests/support/cases.h"

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

Test(queue, forgets_a_player_who_cancelled_while_the_match_failed)
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
    say(alice, "{'type':'queue','ruleset':'tactics','cancel':true}");
    (void)hear(alice, "done");
    table_refuse(&table);
    (void)hear_error(bob, "store_unavailable");
    table_let_go(&table);
    queue(carol);
    (void)hear(carol, "queued");
    queue(alice);
    (void)expect_pair(carol, alice);
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

/* ---- ranges of ratings ------------------------------------------------------------------- */

static void
queue_range(struct peer *peer, const char *range)
{
    say(peer, "{'type':'queue','id':'q','ruleset':'tactics','params':" TABLE_PIKES "%s}", range);
}

/* Ann has this rating, Bob has no rated match yet and counts as 1500. */
static void
set_rating(struct table *table, int rating)
{
    char sql[256];

    (void)snprintf(sql, sizeof(sql),
                   "INSERT INTO standing (ruleset, player, games, wins, draws, losses, rating) "
                   "VALUES ('tactics', 1, 9, 9, 0, 0, %d)",
                   rating);
    fixture_sql(&table->store, sql);
}

struct range_case {
    const char *label;
    int rating;        /* of who waits */
    const char *waits; /* members of the frames */
    const char *comes;
    bool is_paired;
};

static const struct range_case range_cases[] = {
    { "no ranges", 1612, "", "", true },
    { "below the least", 1611, "", ",'rating_min':1612", false },
    { "at the least", 1612, "", ",'rating_min':1612", true },
    { "above the least", 1613, "", ",'rating_min':1612", true },
    { "below the most", 1611, "", ",'rating_max':1612", true },
    { "at the most", 1612, "", ",'rating_max':1612", true },
    { "above the most", 1613, "", ",'rating_max':1612", false },
    { "a range of one", 1612, "", ",'rating_min':1612,'rating_max':1612", true },
    { "who waits wants better ones", 1612, ",'rating_min':1501", "", false },
    { "who waits wants such ones", 1612, ",'rating_min':1500,'rating_max':1500", "", true },
    { "only one of them wants", 1612, ",'rating_max':1500", ",'rating_max':1500", false },
    { "both want", 1612, ",'rating_max':1500", ",'rating_min':1600", true },
    { "beyond the limit is at the limit", 4321, "", ",'rating_min':4000", true },
};

CASES(queue, pairs_by_ratings, range_cases)
{
    const struct range_case *c = &range_cases[*index];
    struct table table;
    struct peer *ann;
    struct peer *bob;

    table_open(&table);
    ann = table_player(&table, "ann");
    bob = table_player(&table, "bob");
    set_rating(&table, c->rating);
    queue_range(ann, c->waits);
    (void)hear(ann, "queued");
    queue_range(bob, c->comes);
    if (c->is_paired) {
        (void)hear(bob, "done");
        (void)expect_pair(ann, bob);
    } else {
        (void)hear(bob, "queued");
        hear_nothing(ann, "joined");
    }
    table_close(&table);
}

Test(queue, takes_the_next_one_if_the_first_is_not_in_the_range)
{
    struct table table;
    struct peer *ann;
    struct peer *bob;
    struct peer *cid;

    table_open(&table);
    ann = table_player(&table, "ann");
    bob = table_player(&table, "bob");
    cid = table_player(&table, "cid");
    set_rating(&table, 2000);
    queue_range(ann, "");
    queue_range(bob, "");
    (void)expect_pair(ann, bob);
    queue_range(ann, "");
    (void)hear(ann, "queued");
    queue_range(cid, ",'rating_max':1900");
    (void)hear(cid, "queued");
    queue_range(bob, "");
    (void)expect_pair(ann, bob);
    queue_range(bob, "");
    (void)expect_pair(cid, bob);
    table_close(&table);
}

Test(queue, refuses_a_range_without_ratings)
{
    static const char *const ranges[] = { ",'rating_min':1501,'rating_max':1500",
                                          ",'rating_min':-1", ",'rating_max':4001",
                                          ",'rating_min':'high'" };
    struct table table;
    struct peer *ann;

    table_open(&table);
    ann = table_player(&table, "ann");
    for (size_t i = 0; i < SK_COUNT_OF(ranges); i++) {
        queue_range(ann, ranges[i]);
        (void)hear_error(ann, "malformed");
    }
    queue_range(ann, ",'rating_min':0,'rating_max':4000");
    (void)hear(ann, "queued");
    table_close(&table);
}

/* Frames are handled in their order, though one of them waits for ratings. */
Test(queue, is_left_by_a_cancel_that_follows_at_once)
{
    struct table table;
    struct peer *ann;
    struct peer *bob;

    table_open(&table);
    ann = table_player(&table, "ann");
    bob = table_player(&table, "bob");
    table_hold(&table);
    queue_range(ann, ",'rating_min':1500");
    say(ann, "{'type':'queue','id':'c','ruleset':'tactics','cancel':true}");
    hear_nothing(ann, "done");
    table_let_go(&table);
    (void)hear(ann, "queued");
    cr_assert_str_eq(word_of(hear(ann, "done"), "id"), "c");
    queue_range(bob, "");
    (void)hear(bob, "queued");
    table_close(&table);
}

Test(queue, is_as_it_was_when_ratings_cannot_be_read)
{
    struct table table;
    struct peer *ann;

    table_open(&table);
    ann = table_player(&table, "ann");
    table_hold(&table);
    queue_range(ann, ",'rating_min':1500");
    table_refuse(&table);
    (void)hear_error(ann, "store_unavailable");
    table_let_go(&table);
    table.is_full = true;
    queue_range(ann, ",'rating_min':1500");
    (void)hear_error(ann, "busy");
    table.is_full = false;
    queue_range(ann, ",'rating_min':1500");
    (void)hear(ann, "queued");
    table_close(&table);
}

struct ratings_case {
    const char *label;
    uint32_t count; /* who waits, Ann included */
    uint32_t first; /* asked for at once, with who comes */
    uint32_t then;  /* and when the frame is handled again */
};

static const struct ratings_case ratings_cases[] = {
    { "one less than may be", SEEK_RATINGS_MAX - 2, SEEK_RATINGS_MAX - 1, 0 },
    { "as many as may be", SEEK_RATINGS_MAX - 1, SEEK_RATINGS_MAX, 0 },
    { "one more", SEEK_RATINGS_MAX, SEEK_RATINGS_MAX, 2 },
};

static void
expect_ratings_asked(struct table *table, uint32_t count)
{
    cr_assert_eq(table->held_count, 1);
    cr_assert_eq(table->held->kind, JOB_RATINGS);
    cr_expect_eq(table->held->ratings.count, count);
    table_pass(table);
}

/* So many wait only if their matches could not be stored; here they are copies of Ann. */
CASES(queue, asks_for_so_many_ratings_at_once, ratings_cases)
{
    static struct waiting_player copies[SEEK_RATINGS_MAX];
    const struct ratings_case *c = &ratings_cases[*index];
    struct waiting_player *first;
    struct table table;
    struct peer *ann;
    struct peer *bob;

    table_open(&table);
    ann = table_player(&table, "ann");
    bob = table_player(&table, "bob");
    queue_range(ann, "");
    (void)hear(ann, "queued");
    first = table.host->waiting;
    for (uint32_t i = 0; i + 1 < c->count; i++) {
        copies[i] = *first;
        copies[i].player = 1000 + i;
        copies[i].next = i + 2 < c->count ? &copies[i + 1] : NULL;
    }
    first->next = copies;
    table_hold(&table);
    queue_range(bob, ",'rating_min':1501");
    expect_ratings_asked(&table, c->first);
    if (c->then > 0) {
        expect_ratings_asked(&table, c->then);
    }
    (void)hear(bob, "queued");
    for (uint32_t i = 0; i + 1 < c->count; i++) {
        cr_expect(copies[i].has_rating);
    }
    first->next = copies[c->count - 2].next;
    table_let_go(&table);
    table_close(&table);
}
