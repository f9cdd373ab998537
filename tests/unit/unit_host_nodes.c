/*
 * A node among others that share the database: a match elsewhere, a lost one, the
 * lease, claims, and the drain.  The other nodes are the test.
 */
#include "bots_fixture.h"
#include "nodes_fixture.h"
#include "tests/support/cases.h"

/* ---- a match elsewhere ------------------------------------------------------------------- */

Test(host_nodes, every_frame_that_names_a_match_elsewhere_is_answered_by_moved)
{
    static const char *const frames[] = {
        "{'type':'join','id':'7','match':%lld}",
        "{'type':'leave','id':'7','match':%lld}",
        "{'type':'watch','id':'7','match':%lld}",
        "{'type':'resume','id':'7','match':%lld,'seq':0}",
        "{'type':'submit','id':'7','match':%lld,'turn':0,'command_id':'c','commands':[]}",
        "{'type':'withdraw','id':'7','match':%lld,'turn':0,'command_id':'c'}",
        "{'type':'resign','id':'7','match':%lld,'command_id':'c'}",
        "{'type':'claim','id':'7','match':%lld}",
        "{'type':'offer_draw','id':'7','match':%lld}",
        "{'type':'answer_draw','id':'7','match':%lld,'accept':true}",
        "{'type':'hints','id':'7','match':%lld}",
        "{'type':'what_if','id':'7','match':%lld,'commands':[[],[]]}",
        "{'type':'chat','id':'7','match':%lld,'text':'hello'}",
        "{'type':'rematch','id':'7','match':%lld}",
    };
    struct game game;

    nodes_open(&game, "");
    others.elsewhere = game.match;
    lose_all(&game);
    table_wait(&game.table, 1000);
    for (size_t i = 0; i < SK_COUNT_OF(frames); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        say(game.alice, frames[i], (long long)game.match);
#pragma GCC diagnostic pop
        expect_moved(game.alice, "7", game.match, PATH);
        hear_nothing(game.alice, "error");
    }
    table_close(&game.table);
}

Test(host_nodes, a_match_that_comes_back_is_played_on)
{
    struct game game;

    nodes_open(&game, "");
    others.elsewhere = game.match;
    lose_all(&game);
    say(game.alice, "{'type':'resume','match':%lld,'seq':0}", (long long)game.match);
    expect_moved(game.alice, "", game.match, PATH);
    others.elsewhere = 0;
    follow_again(game.alice, game.match);
    submit(game.alice, game.match, 0, "a0", "");
    (void)hear(game.alice, "accepted");
    table_close(&game.table);
}

Test(host_nodes, a_code_leads_to_the_node_of_its_match)
{
    struct game game;
    char code[64];

    nodes_open(&game, "");
    say(game.alice, "{'type':'create','ruleset':'tactics','visibility':'private'}");
    snprintf(code, sizeof(code), "%s", word_of(hear(game.alice, "joined"), "code"));
    others.elsewhere = game.match + 1;
    others.beat = STORE_LOST;
    table_wait(&game.table, 1000);
    forget(game.bob);
    say(game.bob, "{'type':'join','id':'3','code':'%s'}", code);
    expect_moved(game.bob, "3", game.match + 1, PATH);
    table_close(&game.table);
}

Test(host_nodes, of_two_nodes_that_make_a_rematch_one_sends_its_player_to_the_other)
{
    struct game game;

    nodes_open(&game, "");
    say(game.alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)game.match);
    (void)hear(game.alice, "over");
    others.rematch = game.match + 7;
    others.elsewhere = game.match + 7;
    forget(game.alice);
    say(game.alice, "{'type':'rematch','id':'6','match':%lld}", (long long)game.match);
    expect_moved(game.alice, "6", game.match + 7, PATH);
    cr_expect_eq(json_object_array_length(game.alice->inbox), 0);
    table_close(&game.table);
}

/* ---- lost -------------------------------------------------------------------------------- */

Test(host_nodes, a_submission_that_is_lost_is_not_shown_and_can_be_sent_again)
{
    struct game game;

    nodes_open(&game, "");
    others.lost = game.match;
    say(game.alice,
        "{'type':'submit','id':'9','match':%lld,'turn':0,'command_id':'a0','commands':[]}",
        (long long)game.match);
    expect_moved(game.alice, "", game.match, "/");
    expect_moved(game.alice, "9", game.match, "/");
    expect_moved(game.bob, "", game.match, "/");
    hear_nothing(game.alice, "accepted");
    hear_nothing(game.alice, "error");
    hear_nothing(game.bob, "ready");

    others.lost = 0;
    submit(game.alice, game.match, 0, "a0", "");
    cr_expect_not(json_object_object_get_ex(hear(game.alice, "accepted"), "superseded", NULL));
    follow_again(game.bob, game.match);
    submit(game.bob, game.match, 0, "b0", "");
    (void)hear(game.alice, "turn");
    table_close(&game.table);
}

Test(host_nodes, a_submission_that_was_stored_although_it_is_lost_gets_its_stored_answer)
{
    struct game game;

    nodes_open(&game, "");
    others.lost = game.match;
    others.is_lost_unknown = true;
    submit(game.alice, game.match, 0, "a0", "");
    hear_nothing(game.alice, "accepted");
    others.lost = 0;
    forget(game.alice);
    submit(game.alice, game.match, 0, "a0", "");
    (void)hear(game.alice, "accepted");
    submit(game.alice, game.match, 0, "a0", "{'kind':'move','unit':'a1','to':[1,2]}");
    (void)hear_error(game.alice, "id_reused");
    table_close(&game.table);
}

Test(host_nodes, a_turn_that_is_lost_is_not_shown)
{
    struct game game;

    nodes_open(&game, "");
    submit(game.alice, game.match, 0, "a0", "");
    (void)hear(game.alice, "accepted");
    table_hold(&game.table);
    submit(game.bob, game.match, 0, "b0", "");
    table_pass(&game.table); /* the submission; the turn follows */
    (void)hear(game.bob, "accepted");
    others.lost = game.match;
    table_let_go(&game.table);
    expect_moved(game.alice, "", game.match, "/");
    expect_moved(game.bob, "", game.match, "/");
    hear_nothing(game.alice, "turn");
    hear_nothing(game.alice, "error");

    others.lost = 0;
    table_wait(&game.table, 2000); /* it is loaded, and closes the turn */
    say(game.alice, "{'type':'resume','match':%lld,'seq':3}", (long long)game.match);
    (void)hear(game.alice, "turn");
    table_close(&game.table);
}

Test(host_nodes, frames_wait_until_the_jobs_of_a_lost_match_are_back)
{
    struct game game;
    struct room_look look;

    nodes_open(&game, "");
    table_hold(&game.table);
    submit(game.alice, game.match, 0, "a0", "");
    submit(game.bob, game.match, 0, "b0", "");
    others.lost = game.match;
    table_pass(&game.table);
    cr_assert(look_at(game.table.host, game.match, &look));
    cr_expect_eq(look.phase, ROOM_LOST);
    forget(game.alice);
    say(game.alice, "{'type':'resume','id':'5','match':%lld,'seq':0}", (long long)game.match);
    hear_nothing(game.alice, "state");
    hear_nothing(game.alice, "moved");
    table_pass(&game.table);
    others.lost = 0;
    table_let_go(&game.table);
    (void)hear(game.alice, "state");
    table_close(&game.table);
}

Test(host_nodes, a_lost_resignation_is_answered_by_moved)
{
    struct game game;

    nodes_open(&game, "");
    others.lost = game.match;
    say(game.alice, "{'type':'resign','id':'4','match':%lld,'command_id':'r'}",
        (long long)game.match);
    expect_moved(game.alice, "4", game.match, "/");
    hear_nothing(game.alice, "done");
    others.lost = 0;
    forget(game.alice);
    say(game.alice, "{'type':'resign','id':'5','match':%lld,'command_id':'r'}",
        (long long)game.match);
    cr_expect_str_eq(word_of(hear(game.alice, "done"), "id"), "5");
    table_close(&game.table);
}

Test(host_nodes, a_lost_match_is_not_quarantined)
{
    struct game game;
    struct host_status status;

    nodes_open(&game, "");
    others.lost = game.match;
    submit(game.alice, game.match, 0, "a0", "");
    others.lost = 0;
    table_wait(&game.table, 3000);
    host_status(game.table.host, &status);
    cr_expect_eq(status.matches_quarantined, 0);
    follow_again(game.alice, game.match);
    table_close(&game.table);
}

/* ---- the lease --------------------------------------------------------------------------- */

Test(host_nodes, a_node_that_was_declared_dead_drops_its_rooms_and_loads_them_again)
{
    struct game game;
    struct room_look look;

    nodes_open(&game, "");
    lose_all(&game);
    table_wait(&game.table, 1000);
    cr_assert(look_at(game.table.host, game.match, &look), "it is loaded without a request");
    cr_expect_eq(look.phase, ROOM_RUNNING);
    follow_again(game.alice, game.match);
    table_close(&game.table);
}

Test(host_nodes, beats_come_every_second)
{
    struct game game;

    nodes_open(&game, "");
    others.beats = 0;
    table_wait(&game.table, 10000);
    cr_expect_eq(others.beats, 10);
    table_close(&game.table);
}

Test(host_nodes, what_is_created_before_the_first_beat_stays)
{
    struct game game;

    nodes_open(&game, "");
    table_stop(&game.table);
    others.beat = STORE_UNAVAILABLE;
    table_start(&game.table);
    table_wait(&game.table, 0);
    game.alice = table_player(&game.table, "carol");
    say(game.alice, "{'type':'create','ruleset':'tactics'}");
    others.owned = number_of(hear(game.alice, "joined"), "match");
    others.beat = STORE_OK;
    table_wait(&game.table, 2000);
    cr_expect(is_ready(&game.table));
    hear_nothing(game.alice, "moved");
    table_close(&game.table);
}

Test(host_nodes, a_deadline_before_the_first_beat_is_seen_after_it)
{
    struct play play;

    others = (struct others){ .beat = STORE_UNAVAILABLE };
    play_open(&play);
    table_stop(&play.table);
    play.table.gate.is_shared = true;
    play.table.answers = others_answer;
    table_start(&play.table);
    play.alice = table_player(&play.table, "bob");
    others.owned = table_create(play.alice, BOT_ONE ",'clock':{'turn_ms':500,'bank_ms':0}");
    table_wait(&play.table, 1500);
    hear_nothing(play.alice, "turn");
    others.beat = STORE_OK;
    table_wait(&play.table, 2500);
    (void)hear(play.alice, "turn");
    play_close(&play);
}

Test(host_nodes, without_a_beat_no_room_is_served)
{
    struct game game;
    struct room_look look;

    nodes_open(&game, ",'clock':{'turn_ms':60000,'bank_ms':0}");
    cr_expect(is_ready(&game.table));
    others.beat = STORE_UNAVAILABLE;
    table_wait(&game.table, STORE_LEASE_MS);
    submit(game.alice, game.match, 0, "a0", "");
    cr_expect_gt(number_of(hear_error(game.alice, "store_unavailable"), "retry_ms"), 0);
    say(game.bob, "{'type':'resume','match':%lld,'seq':0}", (long long)game.match);
    (void)hear_error(game.bob, "store_unavailable");
    cr_expect_not(is_ready(&game.table));
    table_wait(&game.table, 30000);

    others.beat = STORE_OK;
    table_wait(&game.table, 2000);
    cr_expect(is_ready(&game.table));
    expect_moved(game.alice, "", game.match, "/");
    follow_again(game.alice, game.match);
    cr_assert(look_at(game.table.host, game.match, &look));
    cr_expect_geq(look.deadline_ms - game.table.now_ms, 54000, "the outage is not charged");
    cr_expect_leq(look.deadline_ms - game.table.now_ms, 60000);
    table_close(&game.table);
}

Test(host_nodes, the_first_beat_after_a_pause_stops_the_clocks)
{
    struct game game;

    nodes_open(&game, "");
    others.has_paused = false;
    table_wait(&game.table, 10000);
    cr_expect_not(others.has_paused);
    others.beat = STORE_UNAVAILABLE;
    table_wait(&game.table, 2 * STORE_LEASE_MS);
    others.has_paused = false;
    others.beat = STORE_OK;
    table_wait(&game.table, 1000);
    cr_expect(others.has_paused);
    others.has_paused = false;
    table_wait(&game.table, 10000);
    cr_expect_not(others.has_paused, "once");
    table_close(&game.table);
}

Test(host_nodes, a_beat_whose_answer_is_late_is_followed_by_one_that_stops_the_clocks)
{
    struct game game;

    nodes_open(&game, "");
    others.has_paused = false;
    others.is_answered_late = true;
    table_wait(&game.table, 1000);
    expect_moved(game.alice, "", game.match, "/");
    table_wait(&game.table, 1000);
    cr_expect(others.has_paused);
    table_close(&game.table);
}

/* ---- claims ------------------------------------------------------------------------------ */

/* How far the database's clock is ahead of this machine's. */
static const int64_t clocks[] = { 0, 3600000, -3600000 };

CASES(host_nodes, a_claimed_match_is_loaded_and_charges_nobody_for_the_outage, clocks)
{
    struct game game;
    struct room_look look;

    others.ahead_ms = clocks[*index];
    nodes_open(&game, ",'clock':{'turn_ms':60000,'bank_ms':0}");
    table_wait(&game.table, 10000); /* of the first turn */
    others.elsewhere = game.match;
    others.owned = 0;
    lose_all(&game);
    table_wait(&game.table, 1000);
    cr_expect_not(look_at(game.table.host, game.match, &look));
    others.elsewhere = 0;
    /* There 2 s of it were used, then it died. */
    others.stopped_at_ms = game.table.wall_ms + others.ahead_ms;
    table_wait(&game.table, 40000);
    others.claimable = game.match;
    table_wait(&game.table, 1000);
    cr_assert(look_at(game.table.host, game.match, &look));
    cr_expect_eq(look.phase, ROOM_RUNNING);
    cr_expect_geq(look.deadline_ms - game.table.now_ms, 47000);
    cr_expect_leq(look.deadline_ms - game.table.now_ms, 48000);
    say(game.alice, "{'type':'resume','match':%lld,'seq':3}", (long long)game.match);
    (void)hear(game.alice, "clock");
    table_close(&game.table);
}

CASES(host_nodes, the_log_says_which_clock_is_ahead, clocks)
{
    static const char *const logs[] = {
        "",
        "the database's clock is 3600000 ms ahead of this machine's",
        "the database's clock is 3600000 ms behind this machine's",
    };
    struct game game;

    others.ahead_ms = clocks[*index];
    nodes_open(&game, "");
    cr_expect_str_eq(game.table.logged, logs[*index]);
    table_close(&game.table);
}

/* An outage of the database ends all leases: nobody takes the matches of who is not back yet. */
Test(host_nodes, after_an_outage_nothing_is_claimed_for_the_time_of_a_lease)
{
    struct game game;
    struct room_look look;

    nodes_open(&game, "");
    others.elsewhere = game.match;
    lose_all(&game);
    others.elsewhere = 0;
    others.claimable = game.match;
    table_wait(&game.table, STORE_LEASE_MS - 1000);
    cr_expect_eq(others.claimable, game.match);
    cr_expect_not(look_at(game.table.host, game.match, &look));
    table_wait(&game.table, 2000);
    cr_expect_eq(others.claimable, 0);
    cr_expect(look_at(game.table.host, game.match, &look));
    table_close(&game.table);
}

Test(host_nodes, a_match_whose_claim_was_stored_without_an_answer_is_loaded)
{
    struct game game;
    struct room_look look;

    nodes_open(&game, "");
    others.elsewhere = game.match;
    lose_all(&game);
    table_wait(&game.table, STORE_LEASE_MS); /* until it claims again */
    others.elsewhere = 0;
    others.claimable = game.match;
    others.is_claim_lost = true;
    table_wait(&game.table, 1000);
    cr_expect_not(look_at(game.table.host, game.match, &look));
    table_wait(&game.table, 2000);
    cr_assert(look_at(game.table.host, game.match, &look), "nobody has asked for it");
    cr_expect_eq(look.phase, ROOM_RUNNING);
    table_close(&game.table);
}

Test(host_nodes, what_this_node_owns_is_listed_now_and_then_and_rooms_stay)
{
    struct game game;

    nodes_open(&game, "");
    others.owned = game.match;
    others.lists = 0;
    table_wait(&game.table, 60000);
    cr_expect_geq(others.lists, 4);
    cr_expect_leq(others.lists, 7);
    hear_nothing(game.alice, "moved");
    submit(game.alice, game.match, 0, "a0", "");
    (void)hear(game.alice, "accepted");
    table_close(&game.table);
}

Test(host_nodes, a_room_that_another_node_has_taken_unnoticed_is_lost)
{
    struct game game;

    nodes_open(&game, "");
    others.elsewhere = game.match;
    table_wait(&game.table, 12000);
    expect_moved(game.alice, "", game.match, "/");
    say(game.alice, "{'type':'resume','id':'7','match':%lld,'seq':0}", (long long)game.match);
    expect_moved(game.alice, "7", game.match, PATH);
    table_close(&game.table);
}

static int64_t unplayable;      /* of a ruleset's version that only other nodes have */
static uint32_t loads_of_other; /* of that match */

static bool
answer_unplayable(struct table *table, struct store_job *job)
{
    if (job->kind != JOB_MATCH_LOAD || job->match_id != unplayable) {
        return others_answer(table, job);
    }
    job->result = STORE_UNAVAILABLE;
    job->load.is_unplayable = true;
    loads_of_other++;
    return true;
}

Test(host_nodes, a_match_that_only_other_nodes_can_play_is_not_loaded_again_unless_it_is_touched)
{
    struct game game;

    nodes_open(&game, "");
    unplayable = game.match + 7;
    game.table.answers = answer_unplayable;
    for (uint32_t i = 1; i <= 2; i++) {
        say(game.alice, "{'type':'resume','match':%lld,'seq':0}", (long long)unplayable);
        cr_expect_gt(number_of(hear_error(game.alice, "store_unavailable"), "retry_ms"), 0);
        table_wait(&game.table, 10000);
        cr_expect_eq(loads_of_other, i);
    }
    table_close(&game.table);
}

static int64_t newer; /* a match that is over, of a ruleset's version that this program lacks */

static void
twist_newer(struct table *table, struct store_job *job)
{
    others_twist(table, job);
    if (job->kind == JOB_MATCH_LOAD && job->match_id == newer) {
        cr_assert_eq(job->result, STORE_OK);
        job->match.version = 99;
    }
}

Test(host_nodes, a_match_that_is_over_and_needs_a_newer_program_is_not_damaged)
{
    struct host_status status;
    struct game game;

    nodes_open(&game, "");
    newer = game.match;
    game.table.twists = twist_newer;
    say(game.alice, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)newer);
    (void)hear(game.bob, "over");
    table_stop(&game.table);
    table_start(&game.table);
    table_wait(&game.table, 0);
    game.alice = table_player(&game.table, "carol");
    say(game.alice, "{'type':'watch','match':%lld}", (long long)newer);
    (void)hear_error(game.alice, "store_unavailable");
    host_status(game.table.host, &status);
    cr_expect_eq(status.matches_quarantined, 0);
    table_close(&game.table);
}

/* ---- the drain --------------------------------------------------------------------------- */

Test(host_nodes, clients_are_sent_away_after_the_matches_are_released)
{
    struct game game;

    nodes_open(&game, "");
    table_hold(&game.table);
    host_drain(game.table.host);
    table_settle(&game.table);
    while (game.table.held_count > 0) {
        hear_nothing(game.alice, "closing");
        cr_expect_not(game.alice->wants_close);
        cr_expect_not(host_is_drained(game.table.host));
        table_pass(&game.table);
    }
    cr_expect_str_eq(others.order, "FR");
    cr_expect(host_is_drained(game.table.host));
    cr_expect_gt(number_of(hear(game.alice, "closing"), "retry_ms"), 0);
    cr_expect_null(game.alice->session);
    table_close(&game.table);
}
