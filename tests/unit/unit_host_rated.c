/* With which params matches are rated: the default, and those that the operator lists. */
#include "host_fixture.h"

static bool
is_rated(struct peer *peer, const char *params)
{
    say(peer, "{'type':'create','ruleset':'tactics','params':%s}", params);
    (void)hear(peer, "joined");
    return number_of(hear(peer, "state"), "rated") != 0;
}

static enum sk_status
list(struct table *table, const char *text, struct sk_fault *ret_fault)
{
    return host_rate_params(table->host, text, strlen(text), ret_fault);
}

/* The same text, repeated. */
static char *
many(uint32_t count)
{
    static char text[4096];
    size_t used = (size_t)sprintf(text, "{\"tactics\":[{}");

    for (uint32_t i = 1; i < count; i++) {
        used += (size_t)sprintf(text + used, ",{}");
    }
    sprintf(text + used, "]}");
    return text;
}

Test(rated, params_are_the_default_and_those_that_are_listed)
{
    struct table table;
    struct sk_fault fault;
    struct peer *alice;

    table_open(&table);
    alice = table_player(&table, "alice");
    cr_assert(is_rated(alice, "{}"));
    cr_assert_not(is_rated(alice, "{'turn_limit':50}"));
    cr_assert_eq(list(&table,
                      "{\"halma\":[],\"tactics\":[{\"turn_limit\":40},{\"turn_limit\":50}]}",
                      &fault),
                 SK_OK);
    cr_assert(is_rated(alice, "{}"));
    cr_assert(is_rated(alice, "{'turn_limit':40}"));
    cr_assert(is_rated(alice, "{'placement':true,'turn_limit':50}"), "the same, said otherwise");
    cr_assert_not(is_rated(alice, "{'turn_limit':51}"));
    cr_assert_eq(list(&table, "{\"tactics\":[{\"turn_limit\":51}]}", &fault), SK_OK);
    cr_assert(is_rated(alice, "{'turn_limit':51}"), "instead of those before");
    cr_assert_not(is_rated(alice, "{'turn_limit':50}"));
    cr_assert_eq(list(&table, "{}", &fault), SK_OK);
    cr_assert_not(is_rated(alice, "{'turn_limit':51}"));
    table_close(&table);
}

static const struct {
    const char *text;
    const char *at;
} wrong[] = {
    { "", "" },
    { "[]", "" },
    { "{\"tactics\":[{}]", "" },
    { "{\"chess\":[{}]}", "/chess" },
    { "{\"tactics\":{}}", "/tactics" },
    { "{\"tactics\":[{\"turn_limit\":70}, 7]}", "/tactics/1" },
    { "{\"halma\":[{}],\"tactics\":[{},{\"turn_limit\":0}]}", "/tactics/1/turn_limit" },
    { "{\"tactics\":[{\"size\":7}]}", "/tactics/0/size" },
};

Test(rated, params_that_are_wrong_are_located_and_change_nothing)
{
    struct table table;
    struct sk_fault fault;
    struct peer *alice;

    table_open(&table);
    alice = table_player(&table, "alice");
    cr_assert_eq(list(&table, "{\"tactics\":[{\"turn_limit\":50}]}", &fault), SK_OK);
    for (size_t i = 0; i < SK_COUNT_OF(wrong); i++) {
        cr_assert_neq(list(&table, wrong[i].text, &fault), SK_OK, "%s", wrong[i].text);
        cr_expect_str_eq(fault.at, wrong[i].at, "%s: %s", wrong[i].text, fault.at);
    }
    cr_assert(is_rated(alice, "{'turn_limit':50}"));
    cr_assert_not(is_rated(alice, "{'turn_limit':70}"));
    table_close(&table);
}

Test(rated, params_are_so_many)
{
    struct table table;
    struct sk_fault fault;

    table_open(&table);
    cr_assert_eq(list(&table, many(HOST_RATED_PARAMS_MAX - 1), &fault), SK_OK);
    cr_assert_eq(list(&table, many(HOST_RATED_PARAMS_MAX), &fault), SK_OK);
    cr_assert_neq(list(&table, many(HOST_RATED_PARAMS_MAX + 1), &fault), SK_OK);
    cr_assert_str_eq(fault.at, "/tactics");
    table_close(&table);
}

/* Whoever starts it: all who sit are looked at. */
Test(rated, a_match_is_not_in_which_a_bot_took_the_seat_that_its_creator_left)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    struct peer *bot;
    int64_t match;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    bot = table_connect(&table);
    say(bot, "{'type':'hello','protocol':1,'name':'bot','bot':true}");
    say(alice, "{'type':'create','ruleset':'tactics'}");
    match = number_of(hear(alice, "joined"), "match");
    cr_assert_eq(number_of(hear(alice, "state"), "rated"), 1);
    say(alice, "{'type':'leave','match':%lld}", (long long)match);
    say(bot, "{'type':'join','match':%lld}", (long long)match);
    cr_assert_eq(number_of(hear(bot, "joined"), "seat"), 0);
    say(bob, "{'type':'join','match':%lld}", (long long)match);
    (void)hear(bob, "joined");
    cr_expect_str_eq(fixture_ask(&table.store, "SELECT status || is_rated FROM match"), "running0");
    table_close(&table);
}
