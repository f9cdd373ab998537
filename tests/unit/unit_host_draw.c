/* Draw offers that cross each other, or the end of their turn, while they are being stored. */
#include "host_fixture.h"
#include "server/host/room/give.h"

static void
offer(const struct game *game, struct peer *peer)
{
    say(peer, "{'type':'offer_draw','match':%lld}", (long long)game->match);
}

static void
answer(const struct game *game, struct peer *peer, bool accepts)
{
    say(peer, "{'type':'answer_draw','match':%lld,'accept':%s}", (long long)game->match,
        accepts ? "true" : "false");
}

static void
expect_offers(struct game *game, const char *count)
{
    cr_assert_str_eq(
        fixture_ask(&game->table.store, "SELECT count(*) FROM record WHERE kind = 'offer'"), count);
}

static void
expect_draw(struct game *game)
{
    cr_assert_str_eq(word_of(hear(game->alice, "over"), "reason"), "draw_agreed");
    cr_assert_str_eq(word_of(hear(game->bob, "over"), "reason"), "draw_agreed");
}

Test(draw, offered_twice_before_it_is_stored_is_offered_once)
{
    struct game game;

    game_open(&game, ",'clock':null");
    table_hold(&game.table);
    offer(&game, game.alice);
    offer(&game, game.alice);
    (void)hear_error(game.alice, "already_offered");
    answer(&game, game.alice, true);
    (void)hear_error(game.alice, "no_offer");
    hear_nothing(game.bob, "draw");
    table_let_go(&game.table);
    (void)hear(game.alice, "done");
    (void)hear(game.bob, "draw");
    hear_nothing(game.bob, "draw");
    expect_offers(&game, "1");
    table_close(&game.table);
}

Test(draw, offered_by_both_at_once_is_agreed)
{
    struct game game;

    game_open(&game, ",'clock':null");
    table_hold(&game.table);
    offer(&game, game.alice);
    offer(&game, game.bob);
    table_let_go(&game.table);
    (void)hear(game.alice, "done");
    (void)hear(game.bob, "done");
    expect_draw(&game);
    expect_offers(&game, "1");
    table_close(&game.table);
}

Test(draw, is_agreed_only_if_the_offer_was_stored)
{
    struct game game;

    game_open(&game, ",'clock':null");
    table_hold(&game.table);
    offer(&game, game.alice);
    offer(&game, game.bob);
    table_refuse(&game.table); /* and the agreement to it */
    (void)hear_error(game.alice, "store_unavailable");
    (void)hear_error(game.bob, "store_unavailable");
    table_let_go(&game.table);
    table_wait(&game.table, 5000);
    hear_nothing(game.alice, "over");
    answer(&game, game.alice, true);
    (void)hear_error(game.alice, "no_offer");
    offer(&game, game.bob);
    (void)hear(game.bob, "done");
    answer(&game, game.alice, true);
    expect_draw(&game);
    table_close(&game.table);
}

Test(draw, that_is_agreed_is_tried_again_when_its_turn_is_not_stored)
{
    struct game game;

    game_open(&game, ",'clock':null");
    offer(&game, game.alice);
    (void)hear(game.alice, "done");
    table_hold(&game.table);
    answer(&game, game.bob, true);
    table_refuse(&game.table);
    hear_nothing(game.bob, "done");
    answer(&game, game.bob, false); /* too late: it is agreed */
    (void)hear_error(game.bob, "store_unavailable");
    (void)hear_error(game.bob, "turn_closed");
    table_let_go(&game.table);
    table_wait(&game.table, 5000);
    (void)hear(game.bob, "done");
    expect_draw(&game);
    table_close(&game.table);
}

Test(draw, declined_twice_before_it_is_stored_is_declined_once)
{
    struct game game;

    game_open(&game, ",'clock':null");
    offer(&game, game.alice);
    table_hold(&game.table);
    answer(&game, game.bob, false);
    answer(&game, game.bob, false);
    (void)hear_error(game.bob, "no_offer");
    answer(&game, game.bob, true);
    (void)hear_error(game.bob, "no_offer");
    offer(&game, game.alice); /* another one, after the first has ended */
    table_let_go(&game.table);
    (void)hear(game.bob, "done");
    expect_offers(&game, "3");
    offer(&game, game.bob);
    expect_draw(&game);
    table_close(&game.table);
}

Test(draw, declined_and_not_stored_is_still_offered)
{
    struct game game;

    game_open(&game, ",'clock':null");
    offer(&game, game.alice);
    table_hold(&game.table);
    answer(&game, game.bob, false);
    table_refuse(&game.table);
    (void)hear_error(game.bob, "store_unavailable");
    table_let_go(&game.table);
    answer(&game, game.bob, true);
    expect_draw(&game);
    table_close(&game.table);
}

/* What she agreed to was not stored, and her own offer is open again. */
Test(draw, offered_back_and_not_stored_is_not_agreed)
{
    struct game game;

    game_open(&game, ",'clock':null");
    offer(&game, game.alice);
    (void)hear(game.alice, "done");
    table_hold(&game.table);
    answer(&game, game.bob, false);
    offer(&game, game.bob);
    offer(&game, game.alice);
    table_refuse(&game.table);
    table_let_go(&game.table);
    (void)hear_error(game.alice, "store_unavailable");
    table_wait(&game.table, 5000);
    hear_nothing(game.alice, "over");
    answer(&game, game.bob, true);
    expect_draw(&game);
    table_close(&game.table);
}

Test(draw, offered_while_the_turn_closes_ends_with_the_turn)
{
    struct game game;

    game_open(&game, ",'clock':null");
    submit(game.alice, game.match, 0, "a", "");
    forget(game.alice);
    table_hold(&game.table);
    offer(&game, game.alice);
    submit(game.bob, game.match, 0, "b", "");
    offer(&game, game.bob);
    (void)hear_error(game.bob, "turn_closed");
    answer(&game, game.bob, true);
    (void)hear_error(game.bob, "turn_closed");
    table_let_go(&game.table);
    (void)hear(game.alice, "done");
    cr_assert_eq(number_of(hear(game.alice, "draw"), "seq"), 4);
    cr_assert_eq(number_of(hear(game.alice, "turn"), "seq"), 5);
    answer(&game, game.bob, true);
    (void)hear_error(game.bob, "no_offer");
    game_restart(&game, 1000);
    answer(&game, game.bob, true);
    (void)hear_error(game.bob, "no_offer");
    offer(&game, game.alice);
    (void)hear(game.alice, "done");
    table_close(&game.table);
}

Test(draw, offered_and_stored_is_open_after_a_restart)
{
    struct game game;

    game_open(&game, ",'clock':null");
    offer(&game, game.alice);
    game_restart(&game, 1000);
    offer(&game, game.alice);
    (void)hear_error(game.alice, "already_offered");
    offer(&game, game.bob);
    (void)hear(game.bob, "done");
    expect_draw(&game);
    table_close(&game.table);
}

Test(draw, agreed_and_not_stored_before_a_crash_is_offered_still)
{
    struct game game;

    game_open(&game, ",'clock':null");
    offer(&game, game.alice);
    table_hold(&game.table);
    answer(&game, game.bob, true);
    hear_nothing(game.bob, "done");
    game_restart(&game, 1000);
    answer(&game, game.bob, true);
    (void)hear(game.bob, "done");
    expect_draw(&game);
    table_close(&game.table);
}

/* ---- how often --------------------------------------------------------------------------- */

static void
offer_and_decline(const struct game *game)
{
    offer(game, game->alice);
    (void)hear(game->alice, "done");
    answer(game, game->bob, false);
    (void)hear(game->bob, "done");
}

Test(draw, may_be_offered_so_often_per_turn_and_not_more)
{
    struct game game;

    game_open(&game, ",'clock':null");
    for (int turn = 0; turn < 2; turn++) { /* as many in the next turn */
        for (int i = 0; i < OFFERS_PER_TURN_MAX; i++) {
            offer_and_decline(&game);
        }
        offer(&game, game.alice);
        cr_expect_str_eq(word_of(hear_error(game.alice, "not_allowed"), "message"),
                         "you have offered a draw as often as one turn allows");
        submit(game.alice, game.match, turn, turn == 0 ? "1" : "2", "");
        submit(game.bob, game.match, turn, turn == 0 ? "1" : "2", "");
        (void)hear(game.alice, "turn");
        (void)hear(game.bob, "turn");
        forget(game.alice);
        forget(game.bob);
    }
    expect_offers(&game, "12"); /* three per turn, and each was declined */
    table_close(&game.table);
}

Test(draw, may_be_offered_by_each_seat_and_agreed_by_one_that_has_no_offer_left)
{
    struct game game;

    game_open(&game, ",'clock':null");
    for (int i = 0; i < OFFERS_PER_TURN_MAX; i++) {
        offer_and_decline(&game);
    }
    offer(&game, game.bob);
    (void)hear(game.bob, "done");
    offer(&game, game.alice);
    expect_draw(&game);
    table_close(&game.table);
}

Test(draw, that_was_not_stored_does_not_count_as_offered)
{
    struct game game;

    game_open(&game, ",'clock':null");
    for (int i = 0; i < OFFERS_PER_TURN_MAX - 1; i++) {
        offer_and_decline(&game);
    }
    table_hold(&game.table);
    offer(&game, game.alice);
    table_refuse(&game.table);
    (void)hear_error(game.alice, "store_unavailable");
    table_let_go(&game.table);
    table_wait(&game.table, 5000);
    offer_and_decline(&game);
    offer(&game, game.alice);
    (void)hear_error(game.alice, "not_allowed");
    table_close(&game.table);
}
