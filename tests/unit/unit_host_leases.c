/* A node without a lease, and the leases of others after an outage. */
#include "nodes_fixture.h"

Test(host_leases, a_node_whose_name_another_process_has_serves_nothing_and_says_why)
{
    struct game game;
    struct room_look look;

    nodes_open(&game, "");
    others.beat = STORE_TAKEN;
    table_wait(&game.table, 1000);
    expect_moved(game.alice, "", game.match, "/");
    expect_moved(game.bob, "", game.match, "/");
    cr_expect_str_eq(game.table.logged, "another process has its name");
    game.table.logged[0] = '\0';
    table_wait(&game.table, 30000);
    cr_expect_not(is_ready(&game.table));
    cr_expect_not(look_at(game.table.host, game.match, &look));
    cr_expect_str_eq(game.table.logged, "", "it is said once");

    others.beat = STORE_LOST; /* the other one has stopped: this one has a lease again */
    table_wait(&game.table, 2000);
    cr_expect(is_ready(&game.table));
    follow_again(game.alice, game.match);
    table_close(&game.table);
}

static bool
answer_dead(struct table *table, struct store_job *job)
{
    if (job->kind != JOB_MATCH_LOAD || !job->load.awaits_leases) {
        return others_answer(table, job);
    }
    job->result = STORE_UNAVAILABLE;
    return true;
}

Test(host_leases, after_an_outage_a_match_that_is_touched_is_not_claimed_either)
{
    struct game game;
    struct room_look look;

    nodes_open(&game, "");
    others.elsewhere = game.match;
    lose_all(&game);
    others.elsewhere = 0;
    game.table.answers = answer_dead;
    say(game.alice, "{'type':'resume','match':%lld,'seq':0}", (long long)game.match);
    cr_expect_gt(number_of(hear_error(game.alice, "store_unavailable"), "retry_ms"), 0);
    table_wait(&game.table, STORE_LEASE_MS - 1000);
    cr_expect_not(look_at(game.table.host, game.match, &look));
    table_wait(&game.table, 2000);
    cr_expect(look_at(game.table.host, game.match, &look));
    table_close(&game.table);
}
