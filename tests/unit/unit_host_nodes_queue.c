/* The queue of several nodes, at one of them.  The other nodes are the test. */
#include "nodes_fixture.h"
#include "tests/support/cases.h"

Test(host_nodes_queue, who_waits_longest_at_another_node_gets_the_first_seat)
{
    struct game game;
    struct json_object *joined;

    nodes_open(&game, "");
    wait_elsewhere(game.bob->session->player->id, "bob"); /* a player that the store knows */
    forget(game.bob);
    say(game.alice, "{'type':'queue','id':'2','ruleset':'tactics'}");
    cr_expect_str_eq(word_of(hear(game.alice, "queued"), "id"), "2");
    joined = hear(game.alice, "joined");
    cr_expect_eq(number_of(joined, "seat"), 1);
    cr_expect_eq(others.tickets[0], 1);
    cr_expect_eq(others.tickets[1], 2);
    hear_nothing(game.alice, "error");
    others.waiting_count = 0; /* the create has used them up */
    follow_again(game.bob, number_of(joined, "match"));
    others.comparisons = 0;
    table_wait(&game.table, 10000);
    cr_expect_leq(others.comparisons, 1, "nobody waits");
    table_close(&game.table);
}

Test(host_nodes_queue, two_who_wait_at_one_node_are_paired)
{
    struct game game;

    nodes_open(&game, "");
    say(game.alice, "{'type':'queue','id':'2','ruleset':'tactics'}");
    (void)hear(game.alice, "queued");
    hear_nothing(game.alice, "joined");
    say(game.bob, "{'type':'queue','id':'3','ruleset':'tactics'}");
    (void)hear(game.bob, "queued");
    cr_expect_eq(number_of(hear(game.alice, "joined"), "seat"), 0);
    cr_expect_eq(number_of(hear(game.bob, "joined"), "seat"), 1);
    table_close(&game.table);
}

Test(host_nodes_queue, a_player_who_was_seated_by_another_node_is_sent_there)
{
    struct game game;

    nodes_open(&game, "");
    say(game.alice, "{'type':'queue','id':'2','ruleset':'tactics'}");
    (void)hear(game.alice, "queued");
    others.seated = 77;
    table_wait(&game.table, 1000);
    expect_moved(game.alice, "", 77, PATH);
    others.seated = 0;
    table_wait(&game.table, 1000);
    cr_expect_eq(others.waiting_count, 0);
    table_close(&game.table);
}

Test(host_nodes_queue, of_two_nodes_that_seat_a_player_one_goes_on_waiting)
{
    struct game game;

    nodes_open(&game, "");
    wait_elsewhere(game.bob->session->player->id, "bob");
    others.is_seated = true;
    say(game.alice, "{'type':'queue','id':'2','ruleset':'tactics'}");
    (void)hear(game.alice, "queued");
    hear_nothing(game.alice, "joined");
    hear_nothing(game.alice, "error");
    others.is_seated = false;
    table_wait(&game.table, 1000);
    (void)hear(game.alice, "joined");
    table_close(&game.table);
}

Test(host_nodes_queue, who_cancels_or_leaves_is_taken_out_of_the_stored_queue)
{
    struct game game;

    nodes_open(&game, "");
    say(game.alice, "{'type':'queue','ruleset':'tactics'}");
    cr_expect_eq(others.waiting_count, 1);
    say(game.alice, "{'type':'queue','id':'3','ruleset':'tactics','cancel':true}");
    cr_expect_str_eq(word_of(hear(game.alice, "done"), "id"), "3");
    table_wait(&game.table, 1000);
    cr_expect_eq(others.waiting_count, 0);
    say(game.bob, "{'type':'queue','ruleset':'tactics'}");
    cr_expect_eq(others.waiting_count, 1);
    peer_drop(game.bob);
    table_wait(&game.table, 1000);
    cr_expect_eq(others.waiting_count, 0);
    table_close(&game.table);
}

Test(host_nodes_queue, who_cancels_is_answered_when_no_match_can_follow)
{
    struct game game;

    nodes_open(&game, "");
    table_hold(&game.table);
    say(game.alice, "{'type':'queue','id':'2','ruleset':'tactics'}");
    (void)hear(game.alice, "queued");
    say(game.alice, "{'type':'queue','id':'3','ruleset':'tactics','cancel':true}");
    others.seated = 77; /* by another node, at the same moment */
    hear_nothing(game.alice, "done");
    table_pass(&game.table);
    expect_moved(game.alice, "", 77, PATH);
    hear_nothing(game.alice, "done");
    others.seated = 0;
    table_pass(&game.table);
    cr_expect_str_eq(word_of(hear(game.alice, "done"), "id"), "3");
    cr_expect_eq(others.waiting_count, 0);
    table_close(&game.table);
}

Test(host_nodes_queue, who_cancels_twice_is_not_answered_before_the_stored_queue_decides)
{
    struct game game;
    struct peer *other;

    nodes_open(&game, "");
    other = table_return(&game.table, game.alice->token);
    say(game.alice, "{'type':'queue','id':'2','ruleset':'tactics'}");
    table_hold(&game.table);
    say(game.alice, "{'type':'queue','id':'3','ruleset':'tactics','cancel':true}");
    say(game.alice, "{'type':'queue','id':'4','ruleset':'tactics','cancel':true}");
    cr_expect_str_eq(word_of(hear(game.alice, "error"), "code"), "busy");
    say(other, "{'type':'queue','id':'5','ruleset':'tactics','cancel':true}");
    say(game.bob, "{'type':'queue','id':'6','ruleset':'tactics','cancel':true}"); /* never waited */
    cr_expect_str_eq(word_of(hear(game.bob, "done"), "id"), "6");
    hear_nothing(game.alice, "done");
    hear_nothing(other, "done");
    table_pass(&game.table);
    cr_expect_str_eq(word_of(hear(game.alice, "done"), "id"), "3");
    hear_nothing(other, "done");
    table_pass(&game.table);
    cr_expect_str_eq(word_of(hear(other, "done"), "id"), "5");
    say(game.alice, "{'type':'queue','id':'7','ruleset':'tactics','cancel':true}");
    cr_expect_str_eq(word_of(hear(game.alice, "done"), "id"), "7");
    table_close(&game.table);
}

Test(host_nodes_queue, who_cancels_while_the_queue_cannot_be_stored_is_answered_later)
{
    struct game game;

    nodes_open(&game, "");
    say(game.alice, "{'type':'queue','id':'2','ruleset':'tactics'}");
    others.is_queue_down = true;
    say(game.alice, "{'type':'queue','id':'3','ruleset':'tactics','cancel':true}");
    table_wait(&game.table, 3000);
    hear_nothing(game.alice, "done");
    hear_nothing(game.alice, "error");
    say(game.alice, "{'type':'queue','id':'4','ruleset':'tactics','cancel':true}");
    cr_expect_str_eq(word_of(hear(game.alice, "error"), "code"), "busy");
    others.is_queue_down = false;
    table_wait(&game.table, 1000);
    cr_expect_str_eq(word_of(hear(game.alice, "done"), "id"), "3");
    cr_expect_eq(others.waiting_count, 0);
    say(game.alice, "{'type':'queue','id':'5','ruleset':'tactics','cancel':true}");
    cr_expect_str_eq(word_of(hear(game.alice, "done"), "id"), "5");
    table_close(&game.table);
}

/* What somebody does while they are compared. */
struct second_thought {
    const char *label;
    const char *frame;
    bool is_seated; /* what the next comparison does */
};

static const struct second_thought second_thoughts[] = {
    { "cancels", "{'type':'queue','id':'4','ruleset':'tactics','cancel':true}", false },
    { "queues anew", "{'type':'queue','id':'4','ruleset':'tactics'}", true },
};

CASES(host_nodes_queue, who_changes_their_mind_while_compared_is_not_seated_by_that,
      second_thoughts)
{
    const struct second_thought *it = &second_thoughts[*index];
    struct game game;

    nodes_open(&game, "");
    say(game.alice, "{'type':'queue','id':'2','ruleset':'tactics'}");
    (void)hear(game.alice, "queued");
    table_hold(&game.table);
    say(game.bob, "{'type':'queue','id':'3','ruleset':'tactics'}");
    (void)hear(game.bob, "queued");
    say(game.alice, it->frame);
    others.tickets[0] = 0;
    table_pass(&game.table); /* the comparison, which pairs them */
    table_let_go(&game.table);
    cr_expect_eq(others.tickets[0], 0, "%s: a match was created", it->label);
    hear_nothing(game.bob, "joined");
    table_wait(&game.table, 2000);
    cr_expect_eq(find_frame(game.alice, "joined") != NULL, it->is_seated, "%s", it->label);
    cr_expect_eq(find_frame(game.bob, "joined") != NULL, it->is_seated, "%s", it->label);
    cr_expect(it->is_seated || others.waiting_count == 1, "%s", it->label);
    table_close(&game.table);
}

/* Whether the match is stored. */
static const bool creates[] = { true, false };

CASES(host_nodes_queue, who_cancels_while_their_match_is_created_is_answered_after_it, creates)
{
    struct game game;

    nodes_open(&game, "");
    say(game.alice, "{'type':'queue','id':'2','ruleset':'tactics'}");
    table_hold(&game.table);
    say(game.bob, "{'type':'queue','id':'3','ruleset':'tactics'}");
    table_pass(&game.table); /* the comparison, which pairs them */
    say(game.alice, "{'type':'queue','id':'4','ruleset':'tactics','cancel':true}");
    hear_nothing(game.alice, "done");
    if (creates[*index]) {
        table_pass(&game.table);
        (void)hear(game.alice, "joined");
    } else {
        table_refuse(&game.table);
        cr_expect_eq(others.waiting_count, 2, "other nodes can still seat them");
    }
    hear_nothing(game.alice, "done");
    table_let_go(&game.table);
    table_wait(&game.table, 1000);
    cr_expect_str_eq(word_of(hear(game.alice, "done"), "id"), "4");
    cr_expect_eq(others.waiting_count, creates[*index] ? 0 : 1);
    table_close(&game.table);
}

Test(host_nodes_queue, a_queue_that_cannot_be_stored_is_stored_later)
{
    struct game game;

    nodes_open(&game, "");
    others.is_queue_down = true;
    say(game.alice, "{'type':'queue','ruleset':'tactics'}");
    (void)hear(game.alice, "queued");
    table_wait(&game.table, 3000);
    cr_expect_eq(others.waiting_count, 0);
    others.is_queue_down = false;
    table_wait(&game.table, 1000);
    cr_expect_eq(others.waiting_count, 1);
    table_close(&game.table);
}

/* While it is unknown whether a wait is stored, a match of its player may be of it or older. */
Test(host_nodes_queue, a_comparison_is_told_what_those_before_it_have_found)
{
    struct game game;

    nodes_open(&game, "");
    others.is_queue_down = true;
    others.finds_older = 5;
    say(game.alice, "{'type':'queue','ruleset':'tactics'}");
    (void)hear(game.alice, "queued");
    cr_expect_not(others.compared.was_sent);
    table_wait(&game.table, 1000);
    cr_expect(others.compared.was_sent);
    cr_expect_eq(others.compared.older, 5);

    others.is_queue_down = false;
    others.gives_no_tickets = true;
    table_wait(&game.table, 1000);
    cr_expect(others.compared.was_sent);
    table_wait(&game.table, 1000);
    cr_expect_not(others.compared.was_sent, "it is known not to be stored");
    table_close(&game.table);
}
