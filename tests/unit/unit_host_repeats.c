/* A repeated frame has one effect and gets the first answer; the same id with other content is
 * refused. */
#include "host_fixture.h"

#define MOVE "{'kind':'move','unit':'a1','target':[1,2]}"

/* Frames of alice without the match, and their answers as a repeat of the first. */
struct repeat_case {
    const char *label;
    const char *first;
    const char *again;
    const char *answer; /* a type of frame, or the code of an error */
};

static const struct repeat_case cases[] = {
    { "the same submission", "'type':'submit','turn':0,'command_id':'x','commands':[" MOVE "]",
      "'type':'submit','turn':0,'command_id':'x','commands':[" MOVE "]", "accepted" },
    { "members in another order", "'type':'submit','turn':0,'command_id':'x','commands':[" MOVE "]",
      "'commands':[{'target':[1,2],'unit':'a1','kind':'move'}],'command_id':'x','turn':0,"
      "'type':'submit'",
      "accepted" },
    { "other commands", "'type':'submit','turn':0,'command_id':'x','commands':[" MOVE "]",
      "'type':'submit','turn':0,'command_id':'x','commands':[]", "id_reused" },
    { "another target", "'type':'submit','turn':0,'command_id':'x','commands':[" MOVE "]",
      "'type':'submit','turn':0,'command_id':'x',"
      "'commands':[{'kind':'move','unit':'a1','target':[0,3]}]",
      "id_reused" },
    { "invalid commands", "'type':'submit','turn':0,'command_id':'x','commands':[" MOVE "]",
      "'type':'submit','turn':0,'command_id':'x','commands':[{'kind':'fly'}]", "id_reused" },
    { "another turn", "'type':'submit','turn':0,'command_id':'x','commands':[]",
      "'type':'submit','turn':1,'command_id':'x','commands':[]", "id_reused" },
    { "ready added", "'type':'submit','turn':0,'command_id':'x','commands':[]",
      "'type':'submit','turn':0,'command_id':'x','commands':[],'ready':true", "id_reused" },
    { "ready left out", "'type':'submit','turn':0,'command_id':'x','commands':[],'ready':true",
      "'type':'submit','turn':0,'command_id':'x','commands':[]", "id_reused" },
    { "ready, then not", "'type':'submit','turn':0,'command_id':'x','commands':[],'ready':true",
      "'type':'submit','turn':0,'command_id':'x','commands':[],'ready':false", "id_reused" },
    { "not ready, as before",
      "'type':'submit','turn':0,'command_id':'x','commands':[],'ready':false",
      "'type':'submit','turn':0,'command_id':'x','commands':[],'ready':false", "accepted" },
    { "withdrawn under the same id", "'type':'submit','turn':0,'command_id':'x','commands':[]",
      "'type':'withdraw','turn':0,'command_id':'x'", "id_reused" },
    { "resigned under the same id", "'type':'submit','turn':0,'command_id':'x','commands':[]",
      "'type':'resign','command_id':'x'", "id_reused" },
    { "the same withdrawal", "'type':'withdraw','turn':0,'command_id':'x'",
      "'type':'withdraw','turn':0,'command_id':'x'", "withdrawn" },
    { "a withdrawal of another turn", "'type':'withdraw','turn':0,'command_id':'x'",
      "'type':'withdraw','turn':1,'command_id':'x'", "id_reused" },
    { "submitted under a withdrawal's id", "'type':'withdraw','turn':0,'command_id':'x'",
      "'type':'submit','turn':0,'command_id':'x','commands':[]", "id_reused" },
    { "the same resignation", "'type':'resign','command_id':'x'",
      "'type':'resign','command_id':'x'", "done" },
    { "submitted under a resignation's id", "'type':'resign','command_id':'x'",
      "'type':'submit','turn':0,'command_id':'x','commands':[]", "id_reused" },
    { "withdrawn under a resignation's id", "'type':'resign','command_id':'x'",
      "'type':'withdraw','turn':0,'command_id':'x'", "id_reused" },
    { "another resignation", "'type':'resign','command_id':'x'", "'type':'resign','command_id':'y'",
      "match_over" },
};

/* The answer to a frame of alice, as JSON. */
static const char *
answer_to(struct game *game, const char *frame)
{
    static char text[TABLE_TEXT_MAX];
    struct json_object *inbox;

    say(game->alice, "{%s,'id':'i','match':%lld}", frame, (long long)game->match);
    inbox = game->alice->inbox;
    for (size_t i = 0; i < json_object_array_length(inbox); i++) {
        struct json_object *it = json_object_array_get_idx(inbox, i);

        if (strcmp(word_of(it, "id"), "i") == 0) {
            (void)snprintf(text, sizeof(text), "%s", json_object_to_json_string(it));
            json_object_array_del_idx(inbox, i, 1);
            return text;
        }
    }
    cr_assert_fail("no answer to %s", frame);
    return NULL;
}

static void
expect_answer(struct game *game, const struct repeat_case *it, const char *first, const char *when)
{
    const char *answer = answer_to(game, it->again);
    char wanted[80];

    (void)snprintf(wanted, sizeof(wanted), "\"%s\"", it->answer);
    cr_assert_not_null(strstr(answer, wanted), "%s, %s: %s", it->label, when, answer);
    if (strstr(answer, "\"error\"") == NULL) {
        cr_assert_str_eq(answer, first, "%s, %s", it->label, when);
    }
}

Test(repeats, get_their_first_answer_or_are_refused_now_later_and_after_a_restart)
{
    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        const struct repeat_case *it = &cases[i];
        struct game game;
        char first[TABLE_TEXT_MAX];

        game_open(&game, ",'clock':null");
        if (strstr(it->first, "withdraw") != NULL) {
            submit(game.alice, game.match, 0, "before", "");
        }
        (void)snprintf(first, sizeof(first), "%s", answer_to(&game, it->first));
        expect_answer(&game, it, first, "at once");
        game_restart(&game, 1000);
        expect_answer(&game, it, first, "after a restart");
        /* the turn ends, then the match */
        if (strstr(it->first, "resign") == NULL) {
            submit(game.alice, game.match, 0, "later", "");
            submit(game.bob, game.match, 0, "b", "");
            if (strcmp(it->answer, "accepted") != 0) {
                expect_answer(&game, it, first, "after the turn");
            }
            say(game.bob, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
            if (strcmp(it->answer, "accepted") != 0) {
                expect_answer(&game, it, first, "after the end");
            }
        }
        table_close(&game.table);
    }
}

Test(repeats, of_a_set_that_was_replaced_say_so_for_ever)
{
    struct game game;
    struct json_object *superseded = NULL;

    game_open(&game, ",'clock':null");
    submit(game.alice, game.match, 0, "first", "");
    submit(game.alice, game.match, 0, "second", MOVE);
    submit(game.bob, game.match, 0, "b", "");
    forget(game.alice);
    for (int is_restarted = 0; is_restarted < 2; is_restarted++) {
        if (is_restarted != 0) {
            game_restart(&game, 1000);
        }
        submit(game.alice, game.match, 0, "first", "");
        cr_assert(
            json_object_object_get_ex(hear(game.alice, "accepted"), "superseded", &superseded));
        submit(game.alice, game.match, 0, "second", MOVE);
        cr_assert_not(
            json_object_object_get_ex(hear(game.alice, "accepted"), "superseded", &superseded));
    }
    table_close(&game.table);
}

Test(repeats, of_a_resignation_that_waits_for_a_turn_are_all_answered)
{
    struct game game;

    game_open(&game, ",'clock':null");
    table_hold(&game.table);
    submit(game.alice, game.match, 0, "a", "");
    submit(game.bob, game.match, 0, "b", "");
    say(game.alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    say(game.alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    say(game.alice, "{'type':'resign','match':%lld,'command_id':'r2'}", (long long)game.match);
    submit(game.alice, game.match, 1, "r", "");
    (void)hear_error(game.alice, "id_reused");
    table_let_go(&game.table);
    for (int i = 0; i < 3; i++) {
        (void)hear(game.alice, "done");
    }
    cr_assert_str_eq(fixture_ask(&game.table.store,
                                 "SELECT group_concat(command_id) FROM (SELECT command_id FROM "
                                 "record WHERE kind = 'resigned' ORDER BY command_id)"),
                     "r,r2");
    cr_assert_str_eq(word_of(hear(game.bob, "over"), "reason"), "resignation");
    table_close(&game.table);
}

Test(repeats, of_a_resignation_that_came_too_late_may_use_its_id_again)
{
    struct game game;

    game_open(&game, ",'clock':null");
    table_hold(&game.table);
    say(game.bob, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    say(game.alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    table_let_go(&game.table);
    (void)hear(game.bob, "done");
    (void)hear_error(game.alice, "match_over");
    say(game.alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    (void)hear_error(game.alice, "match_over");
    table_close(&game.table);
}

Test(repeats, of_what_was_not_stored_are_new)
{
    struct game game;

    game_open(&game, ",'clock':null");
    table_hold(&game.table);
    submit(game.alice, game.match, 0, "a", "");
    table_refuse(&game.table);
    (void)hear_error(game.alice, "store_unavailable");
    table_let_go(&game.table);
    submit(game.alice, game.match, 0, "a", MOVE); /* even with other content */
    (void)hear(game.alice, "accepted");
    table_close(&game.table);
}

Test(answers, go_to_the_sender_with_the_id_and_to_the_players_other_connections_without)
{
    struct game game;
    struct peer *other;

    game_open(&game, ",'clock':null");
    other = table_return(&game.table, game.alice->token);
    follow_again(other, game.match);
    table_hold(&game.table);
    say(game.alice, "{'type':'submit','id':'s','match':1,'turn':0,'command_id':'a','commands':[]}");
    say(game.alice, "{'type':'leave','id':'l','match':1}");
    table_let_go(&game.table);
    cr_assert_str_eq(word_of(hear(game.alice, "accepted"), "id"), "s");
    cr_assert_str_eq(word_of(hear(other, "accepted"), "id"), "");
    say(other, "{'type':'withdraw','id':'w','match':1,'turn':0,'command_id':'w'}");
    cr_assert_str_eq(word_of(hear(other, "withdrawn"), "id"), "w");
    follow_again(game.alice, game.match);
    submit(other, game.match, 0, "a2", "");
    say(other, "{'type':'withdraw','id':'w','match':1,'turn':0,'command_id':'w2'}");
    cr_assert_str_eq(word_of(hear(game.alice, "withdrawn"), "command_id"), "w2");
    table_close(&game.table);
}
