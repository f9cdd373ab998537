/*
 * No byte reaches a seat that depends on what it may not know.
 *
 * The same conversation is held on two hosts with the same seed and clock.
 * Only bob's commands differ, in a way that nobody else may see before the
 * turn resolves.  Everybody else must get the same bytes.
 */
#include "host_fixture.h"

#define ASKED_MAX 16

/* Two units each in a placement turn. */
static const char params[] =
    "{'rows':4,'cols':4,'placement':true,'start_rows':1,'turn_limit':20,"
    "'patterns':{'step':{'rows':[' x ','x x',' x ']}},"
    "'models':{'pike':{'description':'','health':10,'power':5,'move':['step'],'attack':['step']}},"
    "'units':[{'id':'a1','model':'pike','seat':0,'at':[0,3]},"
    "{'id':'a2','model':'pike','seat':0,'at':[1,3]},"
    "{'id':'b1','model':'pike','seat':1,'at':[0,0]},"
    "{'id':'b2','model':'pike','seat':1,'at':[1,0]}]}";

struct listeners {
    struct table table;
    struct peer *alice; /* plays against bob */
    struct peer *bob;
    struct peer *carol; /* watches */
};

struct hidden_case {
    const char *label;
    const char *bob; /* the commands of bob's submission */
    const char *more;
};

/* All of one group look the same to others. */
static const struct hidden_case ready_cases[] = {
    { "nothing", "", ",'ready':true" },
    { "one unit", "{'kind':'place','unit':'b1','target':[3,0]}", ",'ready':true" },
    { "the other unit", "{'kind':'place','unit':'b2','target':[2,0]}", ",'ready':true" },
    { "both units",
      "{'kind':'place','unit':'b1','target':[3,0]},{'kind':'place','unit':'b2','target':[0,0]}",
      ",'ready':true" },
    { "a place that is refused", "{'kind':'place','unit':'b1','target':[3,3]}", ",'ready':true" },
    { "a unit of the other seat", "{'kind':'place','unit':'a1','target':[3,0]}", ",'ready':true" },
    { "ready by its verdicts", "{'kind':'place','unit':'b1','target':[2,0]}", "" },
};

static const struct hidden_case unready_cases[] = {
    { "refused", "{'kind':'place','unit':'b1','target':[3,3]}", "" },
    { "not to be used yet", "{'kind':'place','unit':'b1','target':[3,0]}", ",'ready':false" },
    { "nothing yet", "", ",'ready':false" },
};

static void
open_listeners(struct listeners *all)
{
    long long match;

    table_open(&all->table);
    all->alice = table_player(&all->table, "alice");
    all->bob = table_player(&all->table, "bob");
    all->carol = table_player(&all->table, "carol");
    say(all->alice, "{'type':'create','ruleset':'tactics','params':%s}", params);
    match = (long long)number_of(hear(all->alice, "joined"), "match");
    say(all->bob, "{'type':'join','match':%lld}", match);
    say(all->carol, "{'type':'watch','match':%lld}", match);
}

/* Everything that a client can send while the turn is open. */
static void
ask_everything(struct listeners *all)
{
    static const char *const asked[ASKED_MAX] = {
        "{'type':'hints','id':'h','match':1}",
        "{'type':'what_if','id':'w','match':1,'commands':[[{'kind':'place','unit':'a1',"
        "'target':[3,3]}],[{'kind':'place','unit':'b1','target':[3,0]}]]}",
        "{'type':'submit','id':'s','match':1,'turn':0,'command_id':'a-1','ready':false,"
        "'commands':[{'kind':'place','unit':'a1','target':[2,3]}]}",
        "{'type':'submit','id':'s','match':1,'turn':0,'command_id':'a-1','ready':false,"
        "'commands':[{'kind':'place','unit':'a1','target':[2,3]}]}",
        "{'type':'submit','id':'s2','match':1,'turn':0,'command_id':'a-2','ready':false,"
        "'commands':[{'kind':'place','unit':'b1','target':[2,3]}]}",
        "{'type':'withdraw','id':'w2','match':1,'turn':0,'command_id':'a-3'}",
        "{'type':'withdraw','id':'w3','match':1,'turn':0,'command_id':'a-4'}",
        "{'type':'resume','id':'r','match':1,'seq':0}",
        "{'type':'resume','id':'r2','match':1,'seq':2}",
        "{'type':'resume','id':'r3','match':1,'seq':3}",
        "{'type':'watch','id':'w4','match':1}",
        "{'type':'list','id':'l'}",
        "{'type':'claim','id':'c','match':1}",
        "{'type':'answer_draw','id':'d','match':1,'accept':true}",
    };

    for (size_t i = 0; i < ASKED_MAX && asked[i] != NULL; i++) {
        say(all->alice, "%s", asked[i]);
        say(all->carol, "%s", asked[i]);
    }
}

static void
hold_conversation(struct listeners *all, const struct hidden_case *it)
{
    open_listeners(all);
    table_wait(&all->table, 700);
    say(all->bob,
        "{'type':'submit','id':'b','match':1,'turn':0,'command_id':'b-1','commands':[%s]%s}",
        it->bob, it->more);
    (void)hear(all->bob, "accepted");
    table_wait(&all->table, 700);
    ask_everything(all);
}

static void
expect_same(const struct peer *a, const struct peer *b, const char *who, const char *label)
{
    cr_assert_gt(a->heard_length, 1000);
    cr_expect_eq(a->heard_length, b->heard_length, "%s hears of %s by a length", who, label);
    cr_expect_str_eq(a->heard, b->heard, "%s hears of %s", who, label);
}

static void
compare(const struct hidden_case *cases, size_t count)
{
    struct listeners first;

    hold_conversation(&first, &cases[0]);
    for (size_t i = 1; i < count; i++) {
        struct listeners other;

        hold_conversation(&other, &cases[i]);
        expect_same(first.alice, other.alice, "alice", cases[i].label);
        expect_same(first.carol, other.carol, "carol", cases[i].label);
        cr_expect_str_neq(first.bob->heard, other.bob->heard, "bob gets bob's own: %s",
                          cases[i].label);
        table_close(&other.table);
    }
    table_close(&first.table);
}

Test(hidden, is_what_a_seat_that_is_ready_has_sent)
{
    compare(ready_cases, SK_COUNT_OF(ready_cases));
}

Test(hidden, is_what_a_seat_that_is_not_ready_has_sent)
{
    compare(unready_cases, SK_COUNT_OF(unready_cases));
}

/* Checks the test: once the turn is resolved, the difference shows. */
Test(hidden, is_shown_when_the_turn_resolves)
{
    struct listeners one;
    struct listeners other;

    hold_conversation(&one, &ready_cases[1]);
    hold_conversation(&other, &ready_cases[2]);
    cr_assert_str_eq(one.alice->heard, other.alice->heard);
    submit(one.alice, 1, 0, "a-9", "");
    submit(other.alice, 1, 0, "a-9", "");
    (void)hear(one.alice, "turn");
    cr_assert_str_neq(one.alice->heard, other.alice->heard);
    cr_assert_str_neq(one.carol->heard, other.carol->heard);
    table_close(&one.table);
    table_close(&other.table);
}

/* The same across a restart. */
Test(hidden, stays_hidden_after_a_restart)
{
    struct listeners all[2];

    for (int i = 0; i < 2; i++) {
        char token[sizeof(all[i].alice->token)];

        hold_conversation(&all[i], &ready_cases[i + 1]);
        memcpy(token, all[i].alice->token, sizeof(token));
        table_restart(&all[i].table, 3000);
        all[i].alice = table_return(&all[i].table, token);
        all[i].carol = table_player(&all[i].table, "dave");
        ask_everything(&all[i]);
    }
    expect_same(all[0].alice, all[1].alice, "alice", "another unit");
    expect_same(all[0].carol, all[1].carol, "dave", "another unit");
    table_close(&all[0].table);
    table_close(&all[1].table);
}
