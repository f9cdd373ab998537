/* Questions to web services and their answers; which addresses may be called; failing services. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/bots/ask_queue.h"
#include "server/bots/bot_file.h"
#include "server/bots/forms.h"
#include "server/bots/thinkers.h"
#include "server/net/call/breaker.h"
#include "server/net/call/target.h"
#include "tests/support/temp.h"

/* ---- forms ------------------------------------------------------------------------------- */

/* Written with ' for ". */
static char *
quoted(const char *text)
{
    char *copy = strdup(text);

    cr_assert_not_null(copy);
    for (char *at = copy; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    return copy;
}

static struct bot_ask *
ask_about(const char *ruleset, const char *params, const char *view)
{
    struct bot_ask *ask = bot_ask_alloc();

    ask->ruleset = ruleset;
    ask->version = 1;
    ask->match = 3;
    ask->turn = 2;
    ask->seat = 1;
    ask->limit_ms = 50;
    ask->params = quoted(params);
    ask->view = quoted(view);
    ask->hints = quoted("[]");
    return ask;
}

#define HALMA_PARAMS                                    \
    "{'size':6,'pieces':[[[0,5],[1,5]],[[5,5],[4,5]]]," \
    "'destinations':[[[5,0]],[[0,0]]],'turn_limit':9,'stall_limit':5,'cycle_ms':0}"

/* b1 and a2 share a square, b2 is damaged. */
#define HALMA_VIEW                                                                           \
    "{'turn':2,'seat':1,'owing':[0,1],'units':[{'id':'a1','seat':0,'at':[0,5],'damage':0},"  \
    "{'id':'a2','seat':0,'at':[4,4],'damage':5},{'id':'b1','seat':1,'at':[4,4],'damage':5}," \
    "{'id':'b2','seat':1,'at':[4,4],'damage':2}],'faults':[0,0]}"

Test(forms, halma_is_asked_in_its_own_form_seen_from_the_seat)
{
    struct forms *forms = forms_alloc();
    struct bot_ask *ask = ask_about("halma", HALMA_PARAMS, HALMA_VIEW);
    char *text = forms_question(forms, ask);
    char *expected = quoted("{'boardSize':6,'pieces':[{'x':4,'y':4,'damage':5},"
                            "{'x':4,'y':4,'damage':2}],'destinations':[{'x':0,'y':0}],"
                            "'enemy':[{'x':0,'y':5,'damage':0},{'x':4,'y':4,'damage':5}],"
                            "'enemydestinations':[{'x':5,'y':0}]}");

    cr_assert_not_null(text);
    cr_assert_str_eq(text, expected);
    free(expected);
    free(text);
    bot_ask_free(ask);
    forms_free(forms);
}

struct answer_case {
    const char *label;
    const char *ruleset;
    const char *answer;
    enum bot_failure failure;
    const char *commands;
};

static const struct answer_case answers[] = {
    { "a step", "halma", "{'from':{'x':4,'y':4},'to':[{'x':4,'y':3}]}", BOT_ANSWERED,
      "[{'kind':'move','unit':'b1','path':[[4,3]]}]" },
    { "the one with that damage", "halma", "{'from':{'x':4,'y':4,'damage':2},'to':[{'x':4,'y':3}]}",
      BOT_ANSWERED, "[{'kind':'move','unit':'b2','path':[[4,3]]}]" },
    { "nobody has that damage", "halma", "{'from':{'x':4,'y':4,'damage':3},'to':[{'x':4,'y':3}]}",
      BOT_ANSWERED, "[{'kind':'move','unit':'nobody','path':[[4,3]]}]" },
    { "the enemy's piece", "halma", "{'from':{'x':0,'y':5},'to':[{'x':0,'y':4}]}", BOT_ANSWERED,
      "[{'kind':'move','unit':'a1','path':[[0,4]]}]" },
    { "an empty square", "halma", "{'from':{'x':-1,'y':99},'to':[{'x':0,'y':4}]}", BOT_ANSWERED,
      "[{'kind':'move','unit':'nobody','path':[[0,4]]}]" },
    { "a chain", "halma", "{'from':{'x':4,'y':4},'to':[{'x':4,'y':2},{'x':2,'y':2}]}", BOT_ANSWERED,
      "[{'kind':'move','unit':'b1','path':[[4,2],[2,2]]}]" },
    { "no square", "halma", "{'from':{'x':4,'y':4},'to':[]}", BOT_ANSWERED,
      "[{'kind':'move','unit':'b1','path':[]}]" },
    { "no from", "halma", "{'to':[]}", BOT_BAD_FORM, NULL },
    { "no to", "halma", "{'from':{'x':4,'y':4}}", BOT_BAD_FORM, NULL },
    { "two moves", "halma", "[{'from':{'x':4,'y':4},'to':[]},{'from':{'x':4,'y':4},'to':[]}]",
      BOT_NOT_ONE_MOVE, NULL },
    { "more than a move", "halma", "{'from':{'x':4,'y':4},'to':[],'why':1}", BOT_BAD_FORM, NULL },
    { "half a square: there are whole numbers only", "halma", "{'from':{'x':4.5,'y':4},'to':[]}",
      BOT_NOT_JSON, NULL },
    { "a number of 33 bits", "halma", "{'from':{'x':4294967296,'y':4},'to':[]}", BOT_NOT_JSON,
      NULL },
    { "words", "halma", "a4 to a5", BOT_NOT_JSON, NULL },
    { "nothing", "halma", "", BOT_NOT_JSON, NULL },
    { "the other form", "halma", "{'commands':[]}", BOT_BAD_FORM, NULL },
    { "commands", "tactics", "{'commands':[{'kind':'move'}]}", BOT_ANSWERED, "[{'kind':'move'}]" },
    { "no commands", "tactics", "{}", BOT_BAD_FORM, NULL },
    { "commands of null", "tactics", "{'commands':null}", BOT_BAD_FORM, NULL },
    { "two keys of one name", "tactics", "{'commands':[],'commands':[]}", BOT_NOT_JSON, NULL },
    { "halma's form", "tactics", "{'from':{'x':4,'y':4},'to':[]}", BOT_BAD_FORM, NULL },
};

Test(forms, every_answer_becomes_commands_or_a_word)
{
    struct forms *forms = forms_alloc();

    for (size_t i = 0; i < SK_COUNT_OF(answers); i++) {
        struct bot_ask *ask = ask_about(answers[i].ruleset, HALMA_PARAMS, HALMA_VIEW);
        char *text = quoted(answers[i].answer);
        enum bot_failure failure = forms_answer(forms, ask, text, strlen(text));

        cr_assert_eq(failure, answers[i].failure, "%s: %d", answers[i].label, (int)failure);
        if (answers[i].commands != NULL) {
            char *commands = quoted(answers[i].commands);

            cr_assert_str_eq(ask->commands, commands, "%s", answers[i].label);
            cr_assert_eq(ask->commands_length, strlen(commands));
            free(commands);
        } else {
            cr_assert_null(ask->commands, "%s", answers[i].label);
        }
        free(text);
        bot_ask_free(ask);
    }
    forms_free(forms);
}

Test(forms, a_path_longer_than_the_rules_allow_is_theirs_to_refuse)
{
    struct forms *forms = forms_alloc();
    struct bot_ask *ask = ask_about("halma", HALMA_PARAMS, HALMA_VIEW);
    char text[20000] = "{\"from\":{\"x\":4,\"y\":4},\"to\":[";
    uint32_t count = 0;

    for (int i = 0; i < 257; i++) {
        strcat(text, i == 0 ? "{\"x\":1,\"y\":1}" : ",{\"x\":1,\"y\":1}");
    }
    strcat(text, "]}");
    cr_assert_eq(forms_answer(forms, ask, text, strlen(text)), BOT_ANSWERED);
    for (const char *at = ask->commands; (at = strstr(at, "[1,1]")) != NULL; at++) {
        count++;
    }
    cr_assert_eq(count, 257u);
    bot_ask_free(ask);
    forms_free(forms);
}

/* ---- where may be called ----------------------------------------------------------------- */

static struct call_targets
targets_of(const char *hosts, const char *networks, bool allows_plain)
{
    struct call_targets targets = { .allows_plain = allows_plain };

    cr_assert(call_hosts_parse(hosts, &targets.hosts));
    cr_assert(net_networks_parse(networks, &targets.networks));
    return targets;
}

struct url_case {
    const char *hosts;
    bool allows_plain;
    const char *url;
    bool is_fine;
};

static const struct url_case urls[] = {
    { "", true, "https://example.org/", false },
    { "example.org", false, "https://example.org/", true },
    { "example.org", false, "https://EXAMPLE.org/bot?x=1", true },
    { "example.org", false, "https://example.org:8443/", true },
    { "example.org:443", false, "https://example.org/", true },
    { "example.org:443", false, "https://example.org:8443/", false },
    { "example.org", false, "https://example.org.evil.net/", false },
    { "example.org", false, "https://evil.net/example.org", false },
    { "example.org", false, "https://example.org@evil.net/", false },
    { "example.org", false, "https://me:secret@example.org/", false },
    { "example.org", false, "https://sub.example.org/", false },
    { "example.org", false, "http://example.org/", false },
    { "example.org", true, "http://example.org/", true },
    { "*", true, "http://anybody.example/", true },
    { "*", true, "ftp://example.org/", false },
    { "*", true, "file:///etc/passwd", false },
    { "*", true, "gopher://example.org/", false },
    { "*", true, "example.org", false },
    { "*", true, "https://example.org/\r\nHost: x", false },
    { "*", true, "https://exa mple.org/", false },
    { "*", true, "", false },
    { "[::1]:8080", true, "http://[::1]:8080/", true },
};

Test(target, an_address_is_judged_by_scheme_host_and_port)
{
    for (size_t i = 0; i < SK_COUNT_OF(urls); i++) {
        struct call_targets targets = targets_of(urls[i].hosts, "", urls[i].allows_plain);
        const char *why = call_targets_refuse(&targets, urls[i].url, false);

        cr_assert_eq(why == NULL, urls[i].is_fine, "%s of %s: %s", urls[i].url, urls[i].hosts,
                     why == NULL ? "fine" : why);
    }
}

Test(target, an_address_has_a_longest)
{
    struct call_targets targets = targets_of("*", "", false);
    char url[CALL_URL_MAX + 2];

    memset(url, 'a', sizeof(url));
    memcpy(url, "https://example.org/", 20);
    url[CALL_URL_MAX + 1] = '\0';
    cr_assert_not_null(call_targets_refuse(&targets, url, false));
    url[CALL_URL_MAX] = '\0';
    cr_assert_null(call_targets_refuse(&targets, url, false));
}

struct address_case {
    const char *address;
    bool is_public;
};

static const struct address_case addresses[] = {
    { "0.0.0.0", false },
    { "1.1.1.1", true },
    { "9.255.255.255", true },
    { "10.0.0.0", false },
    { "10.255.255.255", false },
    { "11.0.0.0", true },
    { "100.63.255.255", true },
    { "100.64.0.0", false },
    { "100.127.255.255", false },
    { "100.128.0.0", true },
    { "126.255.255.255", true },
    { "127.0.0.1", false },
    { "127.255.255.255", false },
    { "128.0.0.0", true },
    { "169.253.255.255", true },
    { "169.254.0.0", false },
    { "169.254.169.254", false },
    { "169.255.0.0", true },
    { "172.15.255.255", true },
    { "172.16.0.0", false },
    { "172.31.255.255", false },
    { "172.32.0.0", true },
    { "192.167.255.255", true },
    { "192.168.0.0", false },
    { "192.169.0.0", true },
    { "198.18.0.0", false },
    { "198.20.0.0", true },
    { "223.255.255.255", true },
    { "224.0.0.1", false },
    { "255.255.255.255", false },
    { "::", false },
    { "::1", false },
    { "::7f00:1", false },
    { "::ffff:127.0.0.1", false },
    { "::ffff:10.1.2.3", false },
    { "::ffff:1.1.1.1", true },
    { "64:ff9b::a00:1", false },
    { "2002:a00:1::", false },
    { "fc00::1", false },
    { "fdff::1", false },
    { "fe80::1", false },
    { "febf::1", false },
    { "fec0::1", false },
    { "ff02::1", false },
    { "2001:db8::1", false },
    { "2606:4700::1111", true },
    /* IANA's registries of special-purpose addresses, by row */
    { "192.0.0.0", false },
    { "192.0.0.8", false },
    { "192.0.0.255", false },
    { "192.0.1.0", true },
    { "192.0.2.1", false },
    { "192.31.196.1", true }, /* AS112 and AMT are reachable by everybody */
    { "192.52.193.1", true },
    { "192.88.99.1", false },
    { "192.175.48.1", true },
    { "198.19.255.255", false },
    { "198.51.100.1", false },
    { "203.0.113.1", false },
    { "239.255.255.255", false },
    { "240.0.0.1", false },
    { "::ffff:0:0:0", false },     /* IPv4-translated */
    { "::ffff:0:7f00:1", false },  /* 127.0.0.1 */
    { "::ffff:0:101:101", false }, /* also of a public one: translation is the network's matter */
    { "0:0:0:0:1::", false },
    { "64:ff9b::101:101", false },
    { "64:ff9b:1:ffff::1", false },
    { "100::1", false },
    { "100:0:0:1::1", false },
    { "1fff:ffff::1", false }, /* below all that is assigned to be reachable */
    { "2000::1", true },
    { "2001::1", false }, /* Teredo */
    { "2001:1::1", false },
    { "2001:2::1", false },
    { "2001:3::1", false },
    { "2001:4:112::1", false },
    { "2001:10::1", false },
    { "2001:2f:ffff::1", false },
    { "2001:30::1", false },
    { "2001:1ff:ffff::1", false },
    { "2001:200::1", true },
    { "2001:db7:ffff::1", true },
    { "2001:db9::1", true },
    { "2002:101:101::1", false },
    { "2003::1", true },
    { "2620:4f:8000::1", true },
    { "3ffe:ffff::1", true },
    { "3fff::1", false },
    { "3fff:fff:ffff::1", false },
    { "3fff:1000::1", true },
    { "4000::1", false },
    { "5f00::1", false },
    { "fe00::1", false },
};

Test(target, what_is_not_public_is_not_called_unless_it_is_named)
{
    struct call_targets none = targets_of("*", "", true);
    struct call_targets some = targets_of("*", "0.0.0.0/0, ::/0", true);

    for (size_t i = 0; i < SK_COUNT_OF(addresses); i++) {
        struct net_address address;

        cr_assert(net_address_parse(addresses[i].address, &address), "%s", addresses[i].address);
        cr_assert_eq(call_targets_hold(&none, &address), addresses[i].is_public, "%s",
                     addresses[i].address);
        cr_assert(call_targets_hold(&some, &address), "%s", addresses[i].address);
    }
}

/* ---- who is left alone ------------------------------------------------------------------- */

#define URL "https://example.org/"

static void
fail_often(struct call_breaker *breaker, int count, int64_t now_ms)
{
    for (int i = 0; i < count; i++) {
        cr_assert(breaker_lets_pass(breaker, URL, now_ms));
        breaker_note(breaker, URL, BREAKER_DOWN, now_ms);
    }
}

Test(breaker, a_pause_begins_after_the_limit_of_failures_in_a_row_and_not_before)
{
    static struct call_breaker breaker;

    fail_often(&breaker, BREAKER_FAILURES - 1, 100);
    cr_assert(breaker_lets_pass(&breaker, URL, 100));
    breaker_note(&breaker, URL, BREAKER_FINE, 100);
    fail_often(&breaker, BREAKER_FAILURES, 100);
    cr_assert_not(breaker_lets_pass(&breaker, URL, 100));
    cr_assert_not(breaker_lets_pass(&breaker, URL, 100 + BREAKER_PAUSE_MS - 1));
    cr_assert(breaker_lets_pass(&breaker, "https://another.example/", 100));
}

Test(breaker, after_the_pause_one_call_is_made_and_its_result_decides)
{
    static struct call_breaker breaker;
    int64_t now_ms = 100;

    fail_often(&breaker, BREAKER_FAILURES, now_ms);
    for (int32_t pause_ms = BREAKER_PAUSE_MS; pause_ms < 4 * BREAKER_PAUSE_MAX_MS; pause_ms *= 2) {
        int32_t expected_ms = pause_ms < BREAKER_PAUSE_MAX_MS ? pause_ms : BREAKER_PAUSE_MAX_MS;

        cr_assert_not(breaker_lets_pass(&breaker, URL, now_ms + expected_ms - 1));
        now_ms += expected_ms;
        cr_assert(breaker_lets_pass(&breaker, URL, now_ms), "after %d", pause_ms);
        cr_assert_not(breaker_lets_pass(&breaker, URL, now_ms), "one only");
        breaker_note(&breaker, URL, BREAKER_DOWN, now_ms);
    }
    now_ms += BREAKER_PAUSE_MAX_MS;
    cr_assert(breaker_lets_pass(&breaker, URL, now_ms));
    breaker_note(&breaker, URL, BREAKER_UNKNOWN, now_ms);
    cr_assert(breaker_lets_pass(&breaker, URL, now_ms), "another may try");
    breaker_note(&breaker, URL, BREAKER_FINE, now_ms);
    fail_often(&breaker, BREAKER_FAILURES - 1, now_ms);
    cr_assert(breaker_lets_pass(&breaker, URL, now_ms), "all is forgotten");
}

Test(breaker, it_remembers_a_limited_number_of_services)
{
    static struct call_breaker breaker;
    char url[64];

    for (int i = 0; i < BREAKER_ENTRIES + 100; i++) {
        (void)snprintf(url, sizeof(url), "https://example.org/%d", i);
        breaker_note(&breaker, url, BREAKER_DOWN, i);
    }
    cr_assert_eq(breaker.count, (uint32_t)BREAKER_ENTRIES);
}

/* ---- the operator's file ----------------------------------------------------------------- */

struct file_case {
    const char *label;
    const char *text;
    const char *error; /* part of it, or NULL */
    uint32_t count;
};

static const struct file_case files[] = {
    { "nothing", "", NULL, 0 },
    { "comments and blanks", "# who\n\n   \n\t# more\n", NULL, 0 },
    { "with and without a secret", "a https://a.example/\nb https://b.example/ word # secret\n",
      NULL, 2 },
    { "an address with a hash", "a https://a.example/#x\n", NULL, 1 },
    { "a name alone", "a\n", "a name and an address are needed", 0 },
    { "too much", "a https://a.example/ secret more\n", "something after name", 0 },
    { "twice", "a https://a.example/\n\na https://b.example/\n", ":3: the name is used twice", 0 },
    { "a long name", "abcdefghijklmnopqrstuvwxyz https://a.example/\n", "a name has", 0 },
};

Test(bot_file, lines_are_name_address_and_perhaps_a_secret)
{
    char path[TEMP_PATH_MAX];
    int handle;

    temp_path(path, sizeof(path), "skirmish-bots");
    handle = mkstemp(path);
    cr_assert(handle >= 0);
    for (size_t i = 0; i < SK_COUNT_OF(files); i++) {
        static struct bot_file file;
        char error[SERVER_ERROR_MAX + 1] = "";
        bool is_fine;

        cr_assert(ftruncate(handle, 0) == 0);
        cr_assert(pwrite(handle, files[i].text, strlen(files[i].text), 0) ==
                  (ssize_t)strlen(files[i].text));
        is_fine = bot_file_read(path, &file, error);
        cr_assert_eq(is_fine, files[i].error == NULL, "%s: %s", files[i].label, error);
        if (is_fine) {
            cr_assert_eq(file.count, files[i].count, "%s", files[i].label);
        } else {
            cr_assert_not_null(strstr(error, files[i].error), "%s: %s", files[i].label, error);
        }
        if (files[i].count == 2) {
            cr_assert_str_eq(bot_file_find(&file, "b")->secret, "word");
            cr_assert_str_eq(bot_file_find_url(&file, "https://a.example/")->name, "a");
            cr_assert_null(bot_file_find(&file, "c"));
        }
    }
    (void)close(handle);
    (void)unlink(path);
}

/* ---- turns of the makers ------------------------------------------------------------------ */

struct turns_case {
    const char *label;
    const char *put;   /* whose questions, a letter each; - takes one */
    const char *taken; /* in this order, those taken on the way too */
    int left;          /* that the first of them competed with */
};

static const struct turns_case turns_cases[] = {
    { "one maker's in their order", "aaa", "aaa", 2 },
    { "two makers take turns", "aaaabb", "ababaa", 4 },
    { "who comes later is in the round that is on", "aaaa-b", "aabaa", 3 },
    { "and has no more than the others", "aaaa-bbb", "aababab", 3 },
    { "many who ask once", "abcd", "abcd", 3 },
    { "of another maker one counts", "abbbb", "abbbb", 1 },
};

Test(ask_queue, says_that_a_thread_is_wanted_while_somebody_waits_and_after_its_end)
{
    struct ask_queue queue;
    struct bot_ask *ask = bot_ask_alloc();
    uint32_t left;

    ask_queue_init(&queue, 16);
    cr_expect_not(queue.is_wanted);
    cr_assert(ask_queue_put(&queue, ask));
    cr_expect(queue.is_wanted);
    cr_assert_eq(ask_queue_take(&queue, &left), ask);
    cr_expect_not(queue.is_wanted);
    bot_ask_free(ask);
    ask_queue_end(&queue);
    cr_expect(queue.is_wanted);
    ask_queue_fini(&queue);
}

Test(ask_queue, makers_take_turns)
{
    for (size_t i = 0; i < SK_COUNT_OF(turns_cases); i++) {
        const struct turns_case *it = &turns_cases[i];
        struct ask_queue queue;
        char taken[16] = "";
        uint32_t left;
        uint32_t first = UINT32_MAX;
        size_t count = 0;

        ask_queue_init(&queue, 16);
        for (const char *at = it->put; count < strlen(it->taken);) {
            struct bot_ask *ask;

            if (*at != '\0' && *at != '-') {
                ask = bot_ask_alloc();
                ask->maker = *at++;
                cr_assert(ask_queue_put(&queue, ask));
                continue;
            }
            at += *at == '-' ? 1 : 0;
            ask = ask_queue_take(&queue, &left);
            first = first == UINT32_MAX ? left : first;
            taken[count++] = (char)ask->maker;
            bot_ask_free(ask);
        }
        cr_expect_str_eq(taken, it->taken, "%s: %s", it->label, taken);
        cr_expect_eq(first, (uint32_t)it->left, "%s: %u", it->label, first);
        ask_queue_fini(&queue);
    }
}

/* ---- the time of a search ----------------------------------------------------------------- */

struct time_case {
    const char *label;
    int32_t limit_ms;
    int64_t waited_ms; /* in the queue */
    uint32_t left;
    struct thinkers_time time;
};

#define LONGEST_MS (2 * (THINKERS_BUDGET_MS + THINKERS_WAIT_MAX_MS))

static const struct time_case time_cases[] = {
    { "longer below the most",
      LONGEST_MS - 2,
      0,
      0,
      { THINKERS_BUDGET_MS, THINKERS_WAIT_MAX_MS - 1 } },
    { "longer by the most", LONGEST_MS, 0, 0, { THINKERS_BUDGET_MS, THINKERS_WAIT_MAX_MS } },
    { "no longer than the most",
      LONGEST_MS + 2,
      0,
      0,
      { THINKERS_BUDGET_MS, THINKERS_WAIT_MAX_MS } },
    { "ten minutes", 600000, 0, 0, { THINKERS_BUDGET_MS, THINKERS_WAIT_MAX_MS } },
    { "ten minutes, another waits", 600000, 0, 1, { THINKERS_BUDGET_MS, 0 } },
    { "half of what the queue has left",
      10000,
      9000,
      0,
      { THINKERS_BUDGET_MS, 500 - THINKERS_BUDGET_MS } },
    { "the queue has left just the budget", 10000, 9600, 0, { THINKERS_BUDGET_MS, 0 } },
    { "the queue has left less", 10000, 9800, 0, { 100, 0 } },
    { "the queue has left nothing", 10000, 10000, 0, { THINKERS_LEAST_MS, 0 } },
    { "the queue took too long", 10000, 20000, 0, { THINKERS_LEAST_MS, 0 } },
    { "many wait", 10000, 0, 3 * THINKERS_COUNT, { THINKERS_BUDGET_MS / 4, 0 } },
};

Test(thinkers, a_search_has_half_of_the_time_that_is_left_and_keeps_a_stop_waiting_for_a_second)
{
    cr_expect_leq(THINKERS_BUDGET_MS + THINKERS_WAIT_MAX_MS, 1000);
    for (size_t i = 0; i < SK_COUNT_OF(time_cases); i++) {
        const struct time_case *it = &time_cases[i];
        struct bot_ask ask = { .limit_ms = it->limit_ms, .handed_over_ms = 5000000000 };
        struct thinkers_time time = thinkers_time_of(&ask, it->left, 5000000000 + it->waited_ms);

        cr_expect_eq(time.budget_ms, it->time.budget_ms, "%s: %u", it->label, time.budget_ms);
        cr_expect_eq(time.wait_ms, it->time.wait_ms, "%s: %u longer", it->label, time.wait_ms);
    }
}
