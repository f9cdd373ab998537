/* Every way a match can end is sent to everybody with `over` and its reason, and is stored. */
#include "host_fixture.h"
#include "server/host/admin.h"

struct ending {
    struct table table;
    struct peer *alice;
    struct peer *bob;
    struct peer *carol; /* watches */
    int64_t match;
};

struct ending_case {
    const char *label;
    const char *create; /* members of create, the params among them */
    void (*end)(struct ending *it);
    const char *reason;
    int winner; /* -1 = nobody */
};

/* One pike each, as far apart as the case says. */
#define DUEL(limit, at_a, at_b)                                                                    \
    ",'params':{'rows':4,'cols':3,'placement':false,'start_rows':1,'turn_limit':" limit ","        \
    "'patterns':{'step':{'rows':[' x ','x x',' x ']}},"                                            \
    "'models':{'pike':{'description':'','health':10,'power':10,'move':['step'],'attack':['step']}" \
    "},"                                                                                           \
    "'units':[{'id':'a1','model':'pike','seat':0,'at':" at_a "},"                                  \
    "{'id':'b1','model':'pike','seat':1,'at':" at_b "}]}"

static void
both_submit(struct ending *it, const char *alice, const char *bob)
{
    submit(it->alice, it->match, 0, "a", alice);
    submit(it->bob, it->match, 0, "b", bob);
}

static void
one_hits(struct ending *it)
{
    both_submit(it, "{'kind':'attack','unit':'a1','target':[1,1]}", "");
}

static void
both_hit(struct ending *it)
{
    both_submit(it, "{'kind':'attack','unit':'a1','target':[1,1]}",
                "{'kind':'attack','unit':'b1','target':[1,2]}");
}

static void
nobody_does_anything(struct ending *it)
{
    both_submit(it, "", "");
}

static void
resign(const struct ending *it, struct peer *peer)
{
    say(peer, "{'type':'resign','match':%lld,'command_id':'r'}", (long long)it->match);
}

static void
one_resigns(struct ending *it)
{
    resign(it, it->alice);
}

/* `count` stored commands of a seat, which do not close the turn. */
static void
submit_many(struct ending *it, struct peer *peer, int count)
{
    char commands[TABLE_TEXT_MAX] = "";
    size_t length = 0;

    for (int i = 0; i < count; i++) {
        length +=
            (size_t)snprintf(commands + length, sizeof(commands) - length,
                             "%s{'kind':'move','unit':'a1','target':[0,0]}", i == 0 ? "" : ",");
    }
    cr_assert_lt(length, sizeof(commands));
    say(peer,
        "{'type':'submit','match':%lld,'turn':0,'command_id':'m','ready':false,'commands':[%s]}",
        (long long)it->match, commands);
    (void)hear(peer, "accepted");
}

static void
one_resigns_beside_almost_all_commands(struct ending *it)
{
    submit_many(it, it->alice, SK_COMMANDS_MAX - 1);
    resign(it, it->alice);
}

static void
one_resigns_beside_all_commands(struct ending *it)
{
    submit_many(it, it->alice, SK_COMMANDS_MAX);
    resign(it, it->alice);
}

/* Both while a turn is being stored: both wait for the next one. */
static void
both_resign(struct ending *it)
{
    table_hold(&it->table);
    both_submit(it, "", "");
    resign(it, it->alice);
    resign(it, it->bob);
    table_let_go(&it->table);
    (void)hear(it->alice, "done");
    (void)hear(it->bob, "done");
}

static void
both_agree(struct ending *it)
{
    say(it->alice, "{'type':'offer_draw','match':%lld}", (long long)it->match);
    say(it->bob, "{'type':'answer_draw','match':%lld,'accept':true}", (long long)it->match);
}

static void
both_agree_beside_all_commands(struct ending *it)
{
    submit_many(it, it->alice, SK_COMMANDS_MAX);
    both_agree(it);
}

static void
one_stays_away(struct ending *it)
{
    peer_drop(it->bob);
    table_wait(&it->table, 3 * 1000);
    it->bob = table_return(&it->table, it->bob->token);
    say(it->bob, "{'type':'resume','match':%lld,'seq':6}", (long long)it->match);
}

static void
one_is_claimed_against(struct ending *it)
{
    peer_drop(it->bob);
    table_jump(&it->table, it->table.options.claim_after_ms);
    say(it->alice, "{'type':'claim','match':%lld}", (long long)it->match);
    it->bob = table_return(&it->table, it->bob->token);
    say(it->bob, "{'type':'resume','match':%lld,'seq':3}", (long long)it->match);
}

static const struct ending_case cases[] = {
    { "one is hit", DUEL("9", "[1,2]", "[1,1]"), one_hits, "eliminated", 0 },
    { "both are hit", DUEL("9", "[1,2]", "[1,1]"), both_hit, "draw_eliminated", -1 },
    { "the last turn", DUEL("1", "[1,3]", "[1,0]"), nobody_does_anything, "draw_turn_limit", -1 },
    { "one resigns", DUEL("9", "[1,3]", "[1,0]"), one_resigns, "resignation", 1 },
    { "one resigns beside one command less than there may be", DUEL("9", "[1,3]", "[1,0]"),
      one_resigns_beside_almost_all_commands, "resignation", 1 },
    { "one resigns beside as many commands as there may be", DUEL("9", "[1,3]", "[1,0]"),
      one_resigns_beside_all_commands, "resignation", 1 },
    { "both resign", DUEL("9", "[1,3]", "[1,0]"), both_resign, "draw_resigned", -1 },
    { "both agree", DUEL("9", "[1,3]", "[1,0]"), both_agree, "draw_agreed", -1 },
    { "both agree beside as many commands as there may be", DUEL("9", "[1,3]", "[1,0]"),
      both_agree_beside_all_commands, "draw_agreed", -1 },
    { "one stays away", ",'clock':{'turn_ms':1000}" DUEL("9", "[1,3]", "[1,0]"), one_stays_away,
      "abandoned", 0 },
    { "one is claimed against", ",'clock':null" DUEL("9", "[1,3]", "[1,0]"), one_is_claimed_against,
      "abandoned", 0 },
};

static void
open_ending(struct ending *it, const char *create)
{
    table_open(&it->table);
    it->alice = table_player(&it->table, "alice");
    it->bob = table_player(&it->table, "bob");
    it->carol = table_player(&it->table, "carol");
    say(it->alice, "{'type':'create','ruleset':'tactics'%s}", create);
    it->match = number_of(hear(it->alice, "joined"), "match");
    say(it->bob, "{'type':'join','match':%lld}", (long long)it->match);
    say(it->carol, "{'type':'watch','match':%lld}", (long long)it->match);
}

static void
expect_outcome(struct json_object *outcome, const struct ending_case *it)
{
    struct json_object *winner = NULL;

    cr_assert_str_eq(word_of(outcome, "reason"), it->reason, "%s", it->label);
    cr_assert(json_object_object_get_ex(outcome, "winner", &winner));
    cr_assert_eq(winner == NULL ? -1 : json_object_get_int(winner), it->winner, "%s", it->label);
    cr_assert_eq(strlen(word_of(outcome, "head")), 64, "%s", it->label);
}

static void
expect_stored(struct ending *ending, const struct ending_case *it)
{
    struct json_object *outcome = NULL;
    char token[sizeof(ending->alice->token)];

    cr_assert_str_eq(
        fixture_ask(&ending->table.store, "SELECT status || ' ' || reason FROM match") +
            strlen("over "),
        it->reason, "%s", it->label);
    memcpy(token, ending->alice->token, sizeof(token));
    table_restart(&ending->table, 1000);
    ending->alice = table_return(&ending->table, token);
    say(ending->alice, "{'type':'resume','match':%lld,'seq':0}", (long long)ending->match);
    cr_assert(json_object_object_get_ex(hear(ending->alice, "state"), "outcome", &outcome));
    expect_outcome(outcome, it);
}

Test(every_end, is_told_to_everybody_and_stored)
{
    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        struct ending it;

        open_ending(&it, cases[i].create);
        cases[i].end(&it);
        expect_outcome(hear(it.alice, "over"), &cases[i]);
        expect_outcome(hear(it.bob, "over"), &cases[i]);
        expect_outcome(hear(it.carol, "over"), &cases[i]);
        expect_stored(&it, &cases[i]);
        table_close(&it.table);
    }
}

Test(every_end, of_a_match_that_nobody_joins_is_told_too)
{
    static const struct ending_case expired = { .label = "nobody joins",
                                                .reason = "expired",
                                                .winner = -1 };
    struct ending it;

    table_open(&it.table);
    it.table.host->options.unjoined_expire_ms = 5000;
    it.alice = table_player(&it.table, "alice");
    it.carol = table_player(&it.table, "carol");
    it.match = table_create(it.alice, "");
    say(it.carol, "{'type':'watch','match':%lld}", (long long)it.match);
    table_wait(&it.table, 4999);
    hear_nothing(it.alice, "over");
    table_wait(&it.table, 1);
    expect_outcome(hear(it.alice, "over"), &expired);
    expect_outcome(hear(it.carol, "over"), &expired);
    say(it.carol, "{'type':'join','match':%lld}", (long long)it.match);
    (void)hear_error(it.carol, "match_over");
    expect_stored(&it, &expired);
    table_close(&it.table);
}

static void
take_answer(struct admin_request *request, const char *text, size_t length)
{
    (void)text;
    (void)length;
    ++*(int *)request->context;
}

Test(every_end, that_is_asked_for_twice_comes_once)
{
    int answers = 0;
    struct admin_request request = { .answer = take_answer, .context = &answers };
    struct table table;
    struct peer *alice;
    char line[64];

    table_open(&table);
    alice = table_player(&table, "alice");
    snprintf(line, sizeof(line), "{\"command\":\"end\",\"match\":%lld}",
             (long long)table_create(alice, ""));
    table_hold(&table);
    host_admin(table.host, &request, line, strlen(line));
    host_admin(table.host, &request, line, strlen(line));
    table_pass(&table); /* what is written of the operator, */
    table_pass(&table); /* before the match has ended */
    table_let_go(&table);
    cr_expect_eq(answers, 2);
    (void)hear(alice, "over");
    hear_nothing(alice, "error");
    table_close(&table);
}

/* Everybody is away when the server starts; nobody loses because of that. */
Test(absence, before_a_start_of_the_server_does_not_count)
{
    struct game game;
    char token[sizeof(game.alice->token)];
    int64_t day_ms;

    game_open(&game, ",'clock':null");
    day_ms = game.table.options.claim_after_ms;
    peer_drop(game.bob);
    table_jump(&game.table, day_ms - 1000);
    say(game.alice, "{'type':'claim','match':%lld}", (long long)game.match);
    (void)hear_error(game.alice, "too_early");
    memcpy(token, game.alice->token, sizeof(token));
    table_restart(&game.table, 3600 * 1000);
    game.alice = table_return(&game.table, token);
    follow_again(game.alice, game.match);
    table_jump(&game.table, day_ms - 1000);
    say(game.alice, "{'type':'claim','match':%lld}", (long long)game.match);
    (void)hear_error(game.alice, "too_early");
    table_jump(&game.table, 1000);
    say(game.alice, "{'type':'claim','match':%lld}", (long long)game.match);
    cr_assert_str_eq(word_of(hear(game.alice, "over"), "reason"), "abandoned");
    table_close(&game.table);
}
