/*
 * What operators do at other nodes, and matches that ended there.
 */
#include "nodes_fixture.h"
#include "server/host/admin.h"

/* ---- operators --------------------------------------------------------------------------- */

/* An operator did this at another node. */
static void
happen(int64_t id, const char *command, int64_t match, int64_t player, const char *detail)
{
    cr_assert_lt(others.notice_count, SK_COUNT_OF(others.notices));
    others.notices[others.notice_count++] = (struct store_notice){
        .id = id,
        .command = (char *)(uintptr_t)command,
        .match = match,
        .player = player,
        .detail = (char *)(uintptr_t)detail,
    };
}

static int64_t
player_id(const struct peer *peer)
{
    return peer->session->player->id;
}

static char said[1024]; /* the last answer to an operator */

static void
take_answer(struct admin_request *request, const char *text, size_t length)
{
    (void)request;
    snprintf(said, sizeof(said), "%.*s", (int)length, text);
}

static void
operate(struct table *table, const char *line)
{
    static struct admin_request request = { .answer = take_answer };

    said[0] = '\0';
    host_admin(table->host, &request, line, strlen(line));
}

Test(host_operators, an_announcement_elsewhere_is_sent_here_once)
{
    struct game game;

    nodes_open(&game, "");
    happen(7, "announce", 0, 0, "{\"command\":\"announce\",\"text\":\"soon\"}");
    table_wait(&game.table, 1000);
    cr_expect_str_eq(word_of(hear(game.alice, "announce"), "text"), "soon");
    (void)hear(game.bob, "announce");
    table_wait(&game.table, 3000);
    hear_nothing(game.alice, "announce");
    table_close(&game.table);
}

/* A transaction that began earlier may be committed later; what is not ours to read is skipped. */
Test(host_operators, what_is_committed_late_is_done_and_what_cannot_be_read_is_not)
{
    struct game game;

    nodes_open(&game, "");
    happen(70, "announce", 0, 0, "{\"command\":\"announce\",\"text\":\"first\"}");
    table_wait(&game.table, 1000);
    (void)hear(game.alice, "announce");
    happen(7, "announce", 0, 0, "{\"command\":\"announce\",\"text\":\"late\"}");
    happen(71, "announce", 0, 0, "{}");
    happen(72, "who", 0, 0, "{\"command\":\"who\"}");
    table_wait(&game.table, 1000);
    cr_expect_str_eq(word_of(hear(game.alice, "announce"), "text"), "late");
    table_wait(&game.table, 1000);
    hear_nothing(game.alice, "announce");
    table_close(&game.table);
}

Test(host_operators, what_was_done_before_the_start_is_not_done_again)
{
    struct game game;

    nodes_open(&game, "");
    happen(7, "announce", 0, 0, "{\"command\":\"announce\",\"text\":\"old\"}");
    table_stop(&game.table);
    table_start(&game.table);
    table_wait(&game.table, 0);
    game.alice = table_player(&game.table, "carol");
    happen(8, "announce", 0, 0, "{\"command\":\"announce\",\"text\":\"new\"}");
    table_wait(&game.table, 2000);
    cr_expect_str_eq(word_of(hear(game.alice, "announce"), "text"), "new");
    hear_nothing(game.alice, "announce");
    table_close(&game.table);
}

/* The beat may bring the row before the job is back. */
Test(host_operators, what_is_done_here_is_done_once)
{
    struct game game;

    nodes_open(&game, "");
    table_hold(&game.table);
    operate(&game.table, "{\"command\":\"announce\",\"text\":\"hello\"}");
    game.table.is_holding = false;
    happen(1, "announce", 0, 0, "{\"command\":\"announce\",\"text\":\"hello\"}");
    table_wait(&game.table, 1000);
    hear_nothing(game.alice, "announce");
    table_let_go(&game.table);
    (void)hear(game.alice, "announce");
    cr_expect_not_null(strstr(said, "sent to 2 connections"), "%s", said);
    table_wait(&game.table, 2000);
    hear_nothing(game.alice, "announce");
    table_close(&game.table);
}

struct closing_case {
    const char *command;
    const char *detail;
    const char *told; /* before the connection is closed, or NULL */
    bool is_ended;    /* the player's match */
};

static const struct closing_case closings[] = {
    { "kick", "{\"command\":\"kick\",\"player\":\"alice\",\"reason\":\"calm\"}", "calm", false },
    { "ban", "{\"command\":\"ban\",\"player\":\"alice\",\"hours\":2}", NULL, false },
    { "ban", "{\"command\":\"ban\"}", NULL, false },
    { "forget", "{\"command\":\"forget\"}", NULL, true },
    { "forget", "{}", NULL, true },
};

Test(host_operators, a_player_who_is_kicked_banned_or_forgotten_elsewhere_is_so_here)
{
    for (size_t i = 0; i < SK_COUNT_OF(closings); i++) {
        const struct closing_case *it = &closings[i];
        struct game game;
        struct room_look look;

        nodes_open(&game, "");
        happen(9, it->command, 0, player_id(game.alice), it->detail);
        table_wait(&game.table, 1000);
        cr_expect_null(game.alice->session, "%s", it->detail);
        cr_expect_eq(game.alice->close_code, CLOSE_POLICY);
        if (it->told != NULL) {
            cr_expect_str_eq(word_of(hear(game.alice, "announce"), "text"), it->told);
        }
        cr_expect_not_null(game.bob->session);
        cr_expect_eq(look_at(game.table.host, game.match, &look) && look.phase == ROOM_RUNNING,
                     !it->is_ended, "%s", it->detail);
        table_close(&game.table);
    }
}

Test(host_operators, a_match_that_is_to_end_is_ended_by_the_node_that_has_it)
{
    struct game game;
    struct json_object *over;

    nodes_open(&game, "");
    happen(1, "end", game.match + 1, 0, "{\"command\":\"end\",\"match\":99}");
    happen(2, "end", game.match, 0, "{\"command\":\"end\",\"match\":1,\"seat\":7}");
    happen(3, "end", game.match, 0, "{\"command\":\"end\",\"match\":1,\"seat\":2}");
    table_wait(&game.table, 1000);
    hear_nothing(game.alice, "over");
    happen(4, "end", game.match, 0,
           "{\"command\":\"end\",\"match\":1,\"seat\":0,\"reason\":\"it hangs\"}");
    table_wait(&game.table, 1000);
    cr_expect_not_null(strstr(word_of(hear(game.bob, "announce"), "text"), "it hangs"));
    over = hear(game.bob, "over");
    cr_expect_str_eq(word_of(over, "reason"), "abandoned");
    cr_expect_eq(number_of(over, "winner"), 1);
    table_close(&game.table);
}

Test(host_operators, a_match_that_is_to_end_while_it_is_loaded_ends_after_that)
{
    struct game game;
    struct room_look look;

    nodes_open(&game, "");
    others.holds_loads = true;
    lose_all(&game);
    others.holds_loads = false;
    say(game.alice, "{'type':'resume','match':%lld,'seq':0}", (long long)game.match);
    cr_assert(look_at(game.table.host, game.match, &look));
    cr_assert_eq(look.phase, ROOM_LOADING);
    game.table.is_holding = false;
    happen(3, "end", game.match, 0, "{\"command\":\"end\",\"match\":1}");
    table_wait(&game.table, 1000);
    table_let_go(&game.table);
    (void)hear(game.alice, "state");
    hear_nothing(game.alice, "over");
    table_wait(&game.table, 1000);
    cr_expect_str_eq(word_of(hear(game.alice, "over"), "reason"), "draw_agreed");
    table_close(&game.table);
}

Test(host_operators, the_end_of_a_match_elsewhere_is_left_to_its_node)
{
    struct game game;
    char line[64];

    nodes_open(&game, "");
    others.elsewhere = game.match + 5;
    snprintf(line, sizeof(line), "{\"command\":\"end\",\"match\":%lld,\"seat\":1}",
             (long long)game.match + 5);
    operate(&game.table, line);
    table_settle(&game.table);
    cr_expect_not_null(strstr(said, "true,\"message\":\"it is at " PATH ", which ends it"), "%s",
                       said);
    others.elsewhere = 0;
    operate(&game.table, line);
    table_settle(&game.table);
    cr_expect_not_null(strstr(said, "false,\"message\":\"there is no such match"), "%s", said);
    table_close(&game.table);
}

/* ---- limits ------------------------------------------------------------------------------ */

Test(host_operators, nobody_is_refused_for_matches_that_ended_elsewhere)
{
    struct game game;

    nodes_open(&game, "");
    game.table.host->options.matches_per_player_max = 1;
    others.elsewhere = game.match;
    lose_all(&game);
    others.is_counted = true;
    others.count = 1;
    for (int i = 0; i < 2; i++) {
        say(game.alice, "{'type':'create','ruleset':'tactics'}");
        cr_expect_gt(number_of(hear_error(game.alice, "busy"), "retry_ms"), 0);
        say(game.alice, "{'type':'create','ruleset':'tactics'}");
        (void)hear_error(game.alice, "too_many_matches");
    }
    say(game.alice, "{'type':'create','ruleset':'tactics'}");
    (void)hear_error(game.alice, "busy");
    table_wait(&game.table, 60000);
    others.count = 0;
    say(game.alice, "{'type':'create','ruleset':'tactics'}");
    (void)hear_error(game.alice, "busy");
    say(game.alice, "{'type':'create','ruleset':'tactics'}");
    (void)hear(game.alice, "joined");
    table_close(&game.table);
}
