/* Slow readers, absent players, a busy store: what the host does when it must wait. */
#include "host_fixture.h"

/* ---- slow readers ------------------------------------------------------------------------ */

Test(slow_reader, is_closed_at_the_limit_and_resumes_without_a_gap)
{
    struct game game;
    struct peer *other;
    int turn = 0;

    game_open(&game, ",'clock':null");
    game.table.host->options.outbox_bytes_max = 8000;
    game.bob->is_deaf = true;
    while (!game.bob->wants_close) {
        char id[16];

        cr_assert_lt(turn, 100, "nobody closes it");
        (void)snprintf(id, sizeof(id), "t-%d", turn);
        submit(game.alice, game.match, turn, id, "");
        submit(game.bob, game.match, turn, id, "");
        (void)hear(game.alice, "turn");
        turn++;
        if (game.bob->session == NULL) {
            break;
        }
    }
    cr_assert_eq(game.bob->close_code, CLOSE_TRY_AGAIN);
    cr_assert_gt(turn, 3, "it had not had much to read yet");
    other = table_return(&game.table, game.bob->token);
    say(other, "{'type':'resume','match':%lld,'seq':3}", (long long)game.match);
    cr_assert_eq(other->close_code, 0, "what was missed may be more than that");
    for (int i = 0; i < turn; i++) {
        cr_assert_eq(number_of(hear(other, "turn"), "seq"), 4 + i);
    }
    (void)hear(other, "done");
    table_close(&game.table);
}

Test(slow_reader, at_the_limit_is_not_closed_yet)
{
    struct table table;
    struct peer *alice;
    uint32_t length;

    table_open(&table);
    alice = table_player(&table, "alice");
    alice->is_deaf = true;
    say(alice, "{'type':'ping'}");
    length = alice->session->outbox.bytes;
    table.host->options.outbox_bytes_max = (int32_t)(2 * length);
    say(alice, "{'type':'ping'}");
    cr_assert_not(alice->wants_close);
    say(alice, "{'type':'ping'}");
    cr_assert_eq(alice->close_code, CLOSE_TRY_AGAIN);
    table_close(&table);
}

/* ---- absence without a clock ------------------------------------------------------------- */

#define HOUR_MS (60 * 60 * 1000)

static void
claim(const struct game *game, struct peer *peer)
{
    say(peer, "{'type':'claim','match':%lld}", (long long)game->match);
}

Test(claim, is_announced_an_hour_before)
{
    struct game game;

    game_open(&game, ",'clock':null");
    game.table.host->options.claim_after_ms = HOUR_MS + 5000;
    peer_drop(game.bob);
    table_settle(&game.table);
    cr_assert_eq(number_of(hear(game.alice, "presence"), "claim_ms"), HOUR_MS + 5000);
    table_wait(&game.table, 4999);
    hear_nothing(game.alice, "presence");
    table_wait(&game.table, 1);
    cr_assert_eq(number_of(hear(game.alice, "presence"), "claim_ms"), HOUR_MS);
    table_wait(&game.table, 2000);
    hear_nothing(game.alice, "presence"); /* once */
    table_jump(&game.table, HOUR_MS - 2001);
    claim(&game, game.alice);
    (void)hear_error(game.alice, "too_early");
    table_jump(&game.table, 1);
    claim(&game, game.alice);
    (void)hear(game.alice, "done");
    cr_assert_str_eq(word_of(hear(game.alice, "over"), "reason"), "abandoned");
    table_close(&game.table);
}

Test(claim, begins_anew_when_the_player_was_here)
{
    struct game game;
    struct peer *bob;

    game_open(&game, ",'clock':null");
    game.table.host->options.claim_after_ms = HOUR_MS + 5000;
    peer_drop(game.bob);
    table_jump(&game.table, HOUR_MS);
    bob = table_return(&game.table, game.bob->token);
    follow_again(bob, game.match);
    forget(game.alice);
    peer_drop(bob);
    table_settle(&game.table);
    cr_assert_eq(number_of(hear(game.alice, "presence"), "claim_ms"), HOUR_MS + 5000);
    table_jump(&game.table, HOUR_MS + 4999);
    claim(&game, game.alice);
    (void)hear_error(game.alice, "too_early");
    table_jump(&game.table, 1);
    claim(&game, game.alice);
    (void)hear(game.alice, "done");
    table_close(&game.table);
}

/* ---- a store that takes no more ---------------------------------------------------------- */

struct busy_case {
    const char *label;
    const char *frame;
    const char *answer; /* once the store takes it */
};

/* In this order in one match: 1 runs, 2 is over, 3 waits for players. */
static const struct busy_case busy_cases[] = {
    { "create", "'type':'create','ruleset':'tactics'", "joined" },
    { "join", "'type':'join','match':3", "joined" },
    { "list", "'type':'list'", "matches" },
    { "renew_token", "'type':'renew_token'", "token" },
    { "join by a code", "'type':'join','code':'nobody'", "error" },
    { "a match that is not in memory", "'type':'watch','match':999", "error" },
    { "resume", "'type':'resume','match':1,'seq':2", "done" },
    { "submit", "'type':'submit','match':1,'turn':0,'command_id':'c-1','commands':[],'ready':false",
      "accepted" },
    { "a repeat",
      "'type':'submit','match':1,'turn':0,'command_id':'c-1','commands':[],'ready':false",
      "accepted" },
    { "withdraw", "'type':'withdraw','match':1,'turn':0,'command_id':'c-2'", "withdrawn" },
    { "offer_draw", "'type':'offer_draw','match':1", "done" },
    { "rematch", "'type':'rematch','match':2", "joined" },
};

Test(busy_store, refuses_what_it_cannot_take_and_takes_it_later)
{
    struct game game;
    struct peer *carol;
    struct peer *bob; /* a connection that does not follow the match yet */

    game_open(&game, ",'clock':null");
    carol = table_player(&game.table, "carol");
    cr_assert_eq(table_pair(carol, game.bob, ",'clock':null"), 2);
    say(carol, "{'type':'resign','match':2,'command_id':'r'}");
    cr_assert_eq(table_create(carol, ""), 3);
    bob = table_return(&game.table, game.bob->token);
    for (size_t i = 0; i < SK_COUNT_OF(busy_cases); i++) {
        const struct busy_case *it = &busy_cases[i];

        game.table.is_full = true;
        say(bob, "{%s,'id':'x'}", it->frame);
        cr_expect_str_eq(word_of(hear_error(bob, "busy"), "id"), "x", "%s", it->label);
        game.table.is_full = false;
        say(bob, "{%s,'id':'x'}", it->frame);
        cr_expect_str_eq(word_of(hear(bob, it->answer), "id"), "x", "%s", it->label);
        forget(bob);
    }
    table_close(&game.table);
}

Test(busy_store, does_not_keep_a_turn_from_closing_later)
{
    struct game game;

    game_open(&game, ",'clock':null");
    submit(game.alice, game.match, 0, "a", "");
    table_hold(&game.table);
    submit(game.bob, game.match, 0, "b", "");
    /* the submission was taken; a resignation that finds the store full waits */
    table_let_go(&game.table);
    (void)hear(game.bob, "turn");
    game.table.is_full = true;
    say(game.bob, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    hear_nothing(game.bob, "done");
    game.table.is_full = false;
    table_wait(&game.table, 3000);
    (void)hear(game.bob, "done");
    cr_assert_str_eq(word_of(hear(game.alice, "over"), "reason"), "resignation");
    table_close(&game.table);
}

Test(failing_store, does_not_lose_a_resignation)
{
    struct game game;

    game_open(&game, ",'clock':null");
    table_hold(&game.table);
    say(game.bob, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    table_refuse(&game.table);
    table_let_go(&game.table);
    (void)hear_error(game.alice, "store_unavailable");
    (void)hear_error(game.bob, "store_unavailable"); /* of the turn; the resignation waits */
    hear_nothing(game.bob, "done");
    table_wait(&game.table, 3000);
    (void)hear(game.bob, "done");
    cr_assert_str_eq(word_of(hear(game.alice, "over"), "reason"), "resignation");
    table_close(&game.table);
}

/* A store that cannot list the matches may need longer than clients should wait. */
Test(busy_store, at_the_start_keeps_nobody_waiting)
{
    struct game game;
    struct peer *alice;
    char token[sizeof(game.alice->token)];

    game_open(&game, ",'clock':null");
    memcpy(token, game.alice->token, sizeof(token));
    table_stop(&game.table);
    game.table.is_holding = true;
    table_start(&game.table);
    table_refuse(&game.table); /* the list of unfinished matches */
    table_let_go(&game.table);
    alice = table_return(&game.table, token);
    say(alice, "{'type':'resume','match':%lld,'seq':0}", (long long)game.match);
    (void)hear_error(alice, "store_unavailable");
    table_wait(&game.table, 3000);
    say(alice, "{'type':'resume','match':%lld,'seq':0}", (long long)game.match);
    (void)hear(alice, "state");
    table_close(&game.table);
}

Test(busy_store, does_not_greet)
{
    struct table table;
    struct peer *peer;

    table_open(&table);
    peer = table_connect(&table);
    table.is_full = true;
    say(peer, "{'type':'hello','protocol':1,'name':'zoe'}");
    (void)hear_error(peer, "busy");
    table.is_full = false;
    say(peer, "{'type':'hello','protocol':1,'name':'zoe'}");
    (void)hear(peer, "welcome");
    table_close(&table);
}
