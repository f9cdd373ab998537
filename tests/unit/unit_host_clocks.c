/* Clocks to the millisecond, with and without a restart in between. */
#include "host_fixture.h"

/* Milliseconds in alice's state for the seat. */
static int64_t
left_of(struct game *game, size_t seat)
{
    struct json_object *open = NULL;
    struct json_object *deadlines = NULL;

    say(game->alice, "{'type':'resume','match':%lld,'seq':0}", (long long)game->match);
    cr_assert(json_object_object_get_ex(hear(game->alice, "state"), "turn_open", &open));
    cr_assert(json_object_object_get_ex(open, "deadline_ms", &deadlines));
    return json_object_get_int64(json_object_array_get_idx(deadlines, seat));
}

static void
withdraw(struct game *game, struct peer *peer, const char *id)
{
    say(peer, "{'type':'withdraw','match':%lld,'turn':0,'command_id':'%s'}", (long long)game->match,
        id);
    (void)hear(peer, "withdrawn");
}

static void
maybe_restart(struct game *game, bool is_restarted)
{
    if (is_restarted) {
        game_restart(game, 7777);
    }
}

Test(clock, of_a_seat_that_is_ready_stands)
{
    for (int restarts = 0; restarts < 2; restarts++) {
        struct game game;

        game_open(&game, ",'clock':{'turn_ms':10000,'bank_ms':5000}");
        table_wait(&game.table, 2000);
        submit(game.alice, game.match, 0, "a", "");
        table_wait(&game.table, 3000);
        maybe_restart(&game, restarts == 1);
        cr_assert_eq(left_of(&game, 0), 13000, "%d", restarts);
        cr_assert_eq(left_of(&game, 1), 10000, "%d", restarts);
        table_wait(&game.table, 1000);
        cr_assert_eq(left_of(&game, 0), 13000, "%d", restarts);
        cr_assert_eq(left_of(&game, 1), 9000, "%d", restarts);
        table_close(&game.table);
    }
}

Test(clock, goes_on_where_it_stood_when_the_seat_is_ready_no_more)
{
    for (int restarts = 0; restarts < 4; restarts++) {
        struct game game;

        game_open(&game, ",'clock':{'turn_ms':10000,'bank_ms':5000}");
        table_wait(&game.table, 2000);
        submit(game.alice, game.match, 0, "a", "");
        table_wait(&game.table, 8000);
        maybe_restart(&game, (restarts & 1) != 0);
        withdraw(&game, game.alice, "w");
        table_wait(&game.table, 1000);
        maybe_restart(&game, (restarts & 2) != 0);
        cr_assert_eq(left_of(&game, 0), 12000, "%d", restarts);
        cr_assert_eq(left_of(&game, 1), 4000, "%d", restarts);
        table_close(&game.table);
    }
}

/* The clocks in the turn's record. */
static void
expect_clocks(struct game *game, int turn, const char *used, const char *banks)
{
    char sql[200];

    (void)snprintf(sql, sizeof(sql),
                   "SELECT used_ms || ' ' || bank_ms FROM match_turn WHERE turn = %d", turn);
    {
        char wanted[200];

        (void)snprintf(wanted, sizeof(wanted), "%s %s", used, banks);
        cr_assert_str_eq(fixture_ask(&game->table.store, sql), wanted);
    }
}

Test(clock, charges_the_bank_what_goes_beyond_the_turn)
{
    for (int restarts = 0; restarts < 2; restarts++) {
        struct game game;

        game_open(&game, ",'clock':{'turn_ms':2000,'bank_ms':5000}");
        table_wait(&game.table, 1000);
        submit(game.alice, game.match, 0, "a", "");
        table_wait(&game.table, 3000);
        maybe_restart(&game, restarts == 1);
        submit(game.bob, game.match, 0, "b", "");
        expect_clocks(&game, 0, "[1000,4000]", "[5000,3000]");
        cr_assert_eq(left_of(&game, 0), 7000);
        cr_assert_eq(left_of(&game, 1), 5000);
        maybe_restart(&game, restarts == 1);
        cr_assert_eq(left_of(&game, 1), 5000);
        table_close(&game.table);
    }
}

Test(clock, is_as_it_was_when_what_should_stop_it_is_not_stored)
{
    struct game game;

    game_open(&game, ",'clock':{'turn_ms':10000,'bank_ms':0}");
    table_wait(&game.table, 1000);
    submit(game.alice, game.match, 0, "a", "");
    table_wait(&game.table, 1000);
    table_hold(&game.table);
    say(game.alice, "{'type':'withdraw','match':1,'turn':0,'command_id':'w'}");
    game.table.now_ms += 500;
    game.table.wall_ms += 500;
    table_refuse(&game.table);
    (void)hear_error(game.alice, "store_unavailable");
    table_let_go(&game.table);
    cr_assert_eq(left_of(&game, 0), 9000, "it is ready, as stored");
    table_close(&game.table);
}

/* ---- deadlines missed while away --------------------------------------------------------- */

static void
expect_missed(struct game *game, int turn, const char *missed)
{
    char sql[200];

    (void)snprintf(sql, sizeof(sql),
                   "SELECT json_extract(body, '$.missed') FROM record WHERE kind = 'turn' AND "
                   "turn = %d",
                   turn);
    cr_assert_str_eq(fixture_ask(&game->table.store, sql), missed, "turn %d", turn);
}

Test(three_deadlines, missed_in_a_row_while_away_abandon_the_match_restart_or_not)
{
    for (int restarted = 0; restarted < 8; restarted++) { /* after which of the turns, as bits */
        struct game game;
        char alice[sizeof(game.alice->token)];

        game_open(&game, ",'clock':{'turn_ms':1000}");
        memcpy(alice, game.alice->token, sizeof(alice));
        peer_drop(game.bob);
        for (int turn = 0; turn < 3; turn++) {
            table_wait(&game.table, 1000);
            cr_assert_eq(number_of(hear(game.alice, "turn"), "turn"), turn + 1, "%d", restarted);
            if ((restarted >> turn & 1) != 0) {
                table_restart(&game.table, 5000);
                game.alice = table_return(&game.table, alice);
                if (turn < 2) {
                    follow_again(game.alice, game.match);
                } else {
                    say(game.alice, "{'type':'resume','match':1,'seq':6}");
                }
            }
        }
        cr_assert_str_eq(word_of(hear(game.alice, "over"), "reason"), "abandoned", "%d", restarted);
        expect_missed(&game, 0, "[0,1]");
        expect_missed(&game, 2, "[0,3]");
        table_close(&game.table);
    }
}

Test(three_deadlines, are_not_in_a_row_when_the_seat_was_here_or_sent_something)
{
    struct game game;
    struct peer *bob;

    game_open(&game, ",'clock':{'turn_ms':1000}");
    peer_drop(game.bob);
    table_wait(&game.table, 2000);
    expect_missed(&game, 1, "[0,2]");
    bob = table_return(&game.table, game.bob->token);
    submit(bob, game.match, 2, "b", "");
    peer_drop(bob);
    table_wait(&game.table, 1000);
    expect_missed(&game, 2, "[0,0]");
    table_wait(&game.table, 1000);
    bob = table_return(&game.table, game.bob->token);
    follow_again(bob, game.match);
    table_wait(&game.table, 1000);
    expect_missed(&game, 4, "[0,0]");
    hear_nothing(game.alice, "over");
    table_close(&game.table);
}

/* ---- expiry ------------------------------------------------------------------------------ */

Test(expiry, waits_for_a_join_that_is_being_stored)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t match;

    table_open(&table);
    table.host->options.unjoined_expire_ms = 5000;
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    match = table_create(alice, "");
    table_wait(&table, 4000);
    table_hold(&table);
    say(bob, "{'type':'join','match':%lld}", (long long)match);
    table_wait(&table, 1500);
    table_let_go(&table);
    (void)hear(bob, "joined");
    table_wait(&table, 3000);
    hear_nothing(alice, "over");
    table_close(&table);
}

Test(expiry, comes_before_a_later_join)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t match;

    table_open(&table);
    table.host->options.unjoined_expire_ms = 5000;
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    match = table_create(alice, "");
    table_wait(&table, 4500);
    table_hold(&table);
    table_wait(&table, 500);
    say(bob, "{'type':'join','match':%lld}", (long long)match);
    hear_nothing(bob, "error");
    while (table.held->kind == JOB_BEAT) {
        table_pass(&table);
    }
    table_refuse(&table); /* the end */
    table_let_go(&table);
    (void)hear(bob, "joined"); /* it has not expired: there is room again */
    table_close(&table);
}
