/* Rematches: the first player who asks creates it, the others join it. */
#include "host_fixture.h"

struct over {
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t match;
};

static void
end_match(struct over *over, const char *more)
{
    over->match = table_pair(over->alice, over->bob, more);
    say(over->alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)over->match);
    (void)hear(over->bob, "over");
    forget(over->alice);
    forget(over->bob);
}

static void
open_over(struct over *over, const char *more)
{
    table_open(&over->table);
    over->alice = table_player(&over->table, "alice");
    over->bob = table_player(&over->table, "bob");
    end_match(over, more);
}

static void
ask(struct peer *peer, int64_t match)
{
    say(peer, "{'type':'rematch','id':'again','match':%lld}", (long long)match);
}

/* The match that the answer seats the peer in. */
static int64_t
answered(struct peer *peer, int seat)
{
    struct json_object *joined = hear(peer, "joined");

    cr_assert_str_eq(word_of(joined, "id"), "again");
    cr_assert_eq(number_of(joined, "seat"), seat);
    return number_of(joined, "match");
}

Test(rematch, the_second_player_joins_the_match_of_the_first)
{
    struct over over;
    int64_t next;

    open_over(&over, ",'clock':null");
    ask(over.alice, over.match);
    next = answered(over.alice, 1);
    cr_assert_eq(number_of(hear(over.bob, "rematch"), "next"), next);
    ask(over.bob, over.match);
    cr_assert_eq(answered(over.bob, 0), next);
    cr_assert_str_eq(word_of(hear(over.bob, "state"), "status"), "running");
    submit(over.bob, next, 0, "b", "");
    (void)hear(over.bob, "accepted");
    table_close(&over.table);
}

Test(rematch, two_players_who_ask_at_once_get_one_match)
{
    struct over over;
    int64_t next;

    open_over(&over, "");
    table_hold(&over.table);
    ask(over.alice, over.match);
    ask(over.bob, over.match);
    hear_nothing(over.bob, "error");
    table_let_go(&over.table);
    next = answered(over.alice, 1);
    cr_assert_eq(answered(over.bob, 0), next);
    cr_assert_str_eq(fixture_ask(&over.table.store, "SELECT count(*) FROM match"), "2");
    table_close(&over.table);
}

Test(rematch, a_player_who_waited_for_one_that_was_not_stored_creates_it)
{
    struct over over;

    open_over(&over, "");
    table_hold(&over.table);
    ask(over.alice, over.match);
    table_pass(&over.table); /* there is none yet */
    ask(over.bob, over.match);
    table_refuse(&over.table);
    (void)hear_error(over.alice, "store_unavailable");
    table_let_go(&over.table);
    (void)answered(over.bob, 0);
    hear_nothing(over.alice, "joined");
    (void)hear(over.alice, "rematch");
    table_close(&over.table);
}

Test(rematch, a_repeated_request_gets_the_same_answer)
{
    struct over over;
    int64_t next;

    open_over(&over, "");
    ask(over.alice, over.match);
    next = answered(over.alice, 1);
    ask(over.alice, over.match);
    cr_assert_eq(answered(over.alice, 1), next);
    ask(over.bob, over.match);
    cr_assert_eq(answered(over.bob, 0), next);
    ask(over.bob, over.match);
    cr_assert_eq(answered(over.bob, 0), next);
    cr_assert_str_eq(fixture_ask(&over.table.store, "SELECT count(*) FROM match"), "2");
    table_close(&over.table);
}

Test(rematch, that_its_creator_has_left_is_replaced_by_another)
{
    struct over over;
    int64_t first;
    int64_t second;

    open_over(&over, "");
    ask(over.alice, over.match);
    first = answered(over.alice, 1);
    say(over.alice, "{'type':'leave','match':%lld}", (long long)first);
    (void)hear(over.alice, "done");
    table_wait(&over.table, 1);
    ask(over.bob, over.match);
    second = answered(over.bob, 0);
    cr_assert_neq(first, second);
    ask(over.alice, over.match);
    cr_assert_eq(answered(over.alice, 1), second);
    (void)hear(over.bob, "seated");
    table_close(&over.table);
}

Test(rematch, that_expired_is_followed_by_another)
{
    struct over over;
    int64_t first;
    int64_t second;

    open_over(&over, "");
    over.table.host->options.unjoined_expire_ms = 5000;
    ask(over.alice, over.match);
    first = answered(over.alice, 1);
    table_wait(&over.table, 5000);
    cr_assert_str_eq(word_of(hear(over.alice, "over"), "reason"), "expired");
    ask(over.bob, over.match);
    second = answered(over.bob, 0);
    cr_assert_neq(first, second);
    ask(over.alice, over.match);
    cr_assert_eq(answered(over.alice, 1), second);
    table_close(&over.table);
}

Test(rematch, that_was_played_is_followed_by_another)
{
    struct over over;
    int64_t first;

    open_over(&over, "");
    ask(over.alice, over.match);
    first = answered(over.alice, 1);
    ask(over.bob, over.match);
    (void)answered(over.bob, 0);
    say(over.bob, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)first);
    (void)hear(over.bob, "over");
    ask(over.bob, over.match);
    cr_assert_neq(answered(over.bob, 0), first);
    table_close(&over.table);
}

Test(rematch, of_a_private_match_needs_no_code_from_its_players)
{
    struct over over;
    struct peer *carol;
    int64_t next;

    table_open(&over.table);
    over.alice = table_player(&over.table, "alice");
    over.bob = table_player(&over.table, "bob");
    carol = table_player(&over.table, "carol");
    say(over.alice, "{'type':'create','ruleset':'tactics','visibility':'private'}");
    {
        struct json_object *joined = hear(over.alice, "joined");

        over.match = number_of(joined, "match");
        say(over.bob, "{'type':'join','code':'%s'}", word_of(joined, "code"));
    }
    say(over.bob, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)over.match);
    (void)hear(over.alice, "over");
    forget(over.bob);
    ask(over.alice, over.match);
    {
        struct json_object *joined = hear(over.alice, "joined");

        next = number_of(joined, "match");
        cr_assert_neq(word_of(joined, "code")[0], '\0');
    }
    say(carol, "{'type':'join','match':%lld}", (long long)next);
    (void)hear_error(carol, "wrong_code");
    ask(carol, over.match);
    (void)hear_error(carol, "not_your_seat");
    ask(over.bob, over.match);
    cr_assert_eq(answered(over.bob, 0), next);
    table_close(&over.table);
}

Test(rematch, with_a_bot_is_unrated_and_the_bot_may_want_it)
{
    struct over over;
    struct peer *bot;
    int64_t next;

    table_open(&over.table);
    over.alice = table_player(&over.table, "alice");
    bot = table_connect(&over.table);
    say(bot, "{'type':'hello','protocol':1,'name':'bot','bot':true}");
    (void)hear(bot, "welcome");
    over.bob = bot;
    end_match(&over, "");
    ask(bot, over.match);
    next = answered(bot, 0);
    ask(over.alice, over.match);
    cr_assert_eq(answered(over.alice, 1), next);
    cr_assert_eq(number_of(hear(over.alice, "state"), "rated"), 0);
    table_close(&over.table);
}

Test(rematch, is_found_again_after_a_restart)
{
    struct over over;
    int64_t next;
    char alice[sizeof(over.alice->token)];
    char bob[sizeof(over.bob->token)];

    open_over(&over, "");
    ask(over.alice, over.match);
    next = answered(over.alice, 1);
    memcpy(alice, over.alice->token, sizeof(alice));
    memcpy(bob, over.bob->token, sizeof(bob));
    table_restart(&over.table, 1000);
    over.bob = table_return(&over.table, bob);
    over.alice = table_return(&over.table, alice);
    ask(over.bob, over.match);
    cr_assert_eq(answered(over.bob, 0), next);
    ask(over.alice, over.match);
    cr_assert_eq(answered(over.alice, 1), next);
    table_close(&over.table);
}

Test(rematch, that_is_over_is_not_found_after_a_restart)
{
    struct over over;
    int64_t first;
    char bob[sizeof(over.bob->token)];

    open_over(&over, "");
    ask(over.alice, over.match);
    first = answered(over.alice, 1);
    ask(over.bob, over.match);
    (void)answered(over.bob, 0);
    say(over.bob, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)first);
    (void)hear(over.bob, "over");
    memcpy(bob, over.bob->token, sizeof(bob));
    table_restart(&over.table, 1000);
    over.bob = table_return(&over.table, bob);
    ask(over.bob, over.match);
    cr_assert_neq(answered(over.bob, 0), first);
    table_close(&over.table);
}

Test(rematch, whose_seats_others_took_is_full)
{
    struct over over;
    struct peer *carol;
    int64_t next;

    open_over(&over, "");
    carol = table_player(&over.table, "carol");
    ask(over.alice, over.match);
    next = answered(over.alice, 1);
    say(carol, "{'type':'join','match':%lld}", (long long)next);
    (void)hear(carol, "joined");
    ask(over.bob, over.match);
    (void)hear_error(over.bob, "match_full");
    table_close(&over.table);
}
