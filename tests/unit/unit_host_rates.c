/* How many frames a connection, a player and an address may send. */
#include "host_fixture.h"

#define BURST      4
#define PER_SECOND 10

/* From now on, with every bucket full. */
static void
set_limits(struct table *table, int32_t account_factor, int32_t address_factor)
{
    struct host_options *options = &table->host->options;

    options->frames_burst = BURST;
    options->frames_per_second = PER_SECOND;
    options->account_factor = account_factor;
    options->address_factor = address_factor;
}

/* Of so many pings, those that were heard; the others must be refused with these words. */
static int
pongs(struct peer *peer, int count, const char *refusal)
{
    int heard = 0;

    forget(peer);
    for (int i = 0; i < count; i++) {
        say(peer, "{'type':'ping'}");
        if (find_frame(peer, "pong") != NULL) {
            heard++;
        } else {
            struct json_object *error = hear_error(peer, "rate_limited");

            cr_assert_not_null(strstr(word_of(error, "message"), refusal), "%s",
                               word_of(error, "message"));
        }
        forget(peer);
    }
    return heard;
}

struct rate_case {
    const char *label;
    int account_factor;
    int address_factor;
    int count;    /* pings of each connection */
    int heard[5]; /* of alice's three connections, of bob's, of carol's from elsewhere */
    const char *refusal;
};

static const struct rate_case rate_cases[] = {
    { "less than a connection may", 0, 0, BURST - 1, { 3, 3, 3, 3, 3 }, "" },
    { "as much as a connection may", 0, 0, BURST, { 4, 4, 4, 4, 4 }, "" },
    { "more than a connection may", 0, 0, BURST + 1, { 4, 4, 4, 4, 4 }, "this connection" },
    { "less than a player may", 3, 0, BURST - 1, { 3, 3, 3, 3, 3 }, "" },
    { "as much as a player may", 3, 0, BURST, { 4, 4, 4, 4, 4 }, "" },
    { "more than a player may", 2, 0, BURST, { 4, 4, 0, 4, 4 }, "this player" },
    { "a player who may no more than a connection", 1, 0, BURST, { 4, 0, 0, 4, 4 }, "this player" },
    { "less than an address may", 0, 4, BURST - 1, { 3, 3, 3, 3, 3 }, "" },
    { "as much as an address may", 0, 4, BURST, { 4, 4, 4, 4, 4 }, "" },
    { "more than an address may", 0, 3, BURST, { 4, 4, 4, 0, 4 }, "this address" },
    { "what one is refused is not taken from the others",
      2,
      3,
      BURST,
      { 4, 4, 0, 4, 4 },
      "this player" },
};

Test(rates, are_limited_by_connection_player_and_address)
{
    for (size_t i = 0; i < SK_COUNT_OF(rate_cases); i++) {
        const struct rate_case *it = &rate_cases[i];
        struct table table;
        struct peer *peers[5];

        table_open(&table);
        peers[0] = table_player(&table, "alice");
        peers[1] = table_return(&table, peers[0]->token);
        peers[2] = table_return(&table, peers[0]->token);
        peers[3] = table_player(&table, "bob");
        peers[4] = table_connect_from(&table, "192.0.2.7");
        say(peers[4], "{'type':'hello','protocol':1,'name':'carol'}");
        set_limits(&table, it->account_factor, it->address_factor);
        for (size_t at = 0; at < SK_COUNT_OF(peers); at++) {
            cr_expect_eq(pongs(peers[at], it->count, it->refusal), it->heard[at],
                         "%s: connection %zu", it->label, at);
        }
        table_close(&table);
    }
}

struct refusal_case {
    const char *label;
    const char *text; /* as `say` takes it */
    const char *id;   /* NULL = none can be read */
};

static const struct refusal_case refusal_cases[] = {
    { "with an id", "{'type':'ping','id':'p7'}", "p7" },
    { "without", "{'type':'ping'}", NULL },
    { "of an unknown type", "{'type':'dance','id':'p7'}", "p7" },
    { "no JSON", "{'id':'p7','type':", "p7" },
    { "behind commands", "{'type':'submit','commands':[{'id':'x'}],'id':'p7'}", "p7" },
};

/* Each frame is answered once, and who waits as long as it says is heard. */
Test(rates, refusals_carry_the_id_and_when_to_try_again)
{
    for (size_t i = 0; i < SK_COUNT_OF(refusal_cases); i++) {
        const struct refusal_case *it = &refusal_cases[i];
        struct table table;
        struct peer *alice;
        struct json_object *error;
        struct json_object *id = NULL;
        int64_t retry_ms;

        table_open(&table);
        alice = table_player(&table, "alice");
        set_limits(&table, 2, 3);
        cr_assert_eq(pongs(alice, BURST, ""), BURST);
        say(alice, "%s", it->text);
        error = hear_error(alice, "rate_limited");
        (void)json_object_object_get_ex(error, "id", &id);
        cr_expect_eq(id != NULL, it->id != NULL, "%s", it->label);
        if (id != NULL && it->id != NULL) {
            cr_expect_str_eq(json_object_get_string(id), it->id, "%s", it->label);
        }
        retry_ms = number_of(error, "retry_ms");
        cr_expect_eq(retry_ms, 1000 / PER_SECOND, "%s", json_object_to_json_string(error));
        table_wait(&table, retry_ms - 1);
        cr_expect_eq(pongs(alice, 1, "this connection"), 0, "%s: a moment too early", it->label);
        table_wait(&table, 1);
        cr_expect_eq(pongs(alice, 1, ""), 1, "%s: when it was told to", it->label);
        table_close(&table);
    }
}

struct wait_case {
    const char *label;
    int account_factor;
    int address_factor;
    int retry_ms;
};

/* How soon depends on whose bucket is empty. */
static const struct wait_case wait_cases[] = {
    { "a connection's", 0, 0, 1000 / PER_SECOND },
    { "a player's", 1, 0, 1000 / PER_SECOND },
    { "an address's", 0, 2, 1000 / PER_SECOND / 2 },
};

Test(rates, say_when_the_empty_bucket_has_a_token_again)
{
    for (size_t i = 0; i < SK_COUNT_OF(wait_cases); i++) {
        const struct wait_case *it = &wait_cases[i];
        struct table table;
        struct peer *peers[3];
        struct json_object *error;

        table_open(&table);
        peers[0] = table_player(&table, "alice");
        peers[1] = table_return(&table, peers[0]->token);
        peers[2] = table_player(&table, "bob");
        set_limits(&table, it->account_factor, it->address_factor);
        for (size_t at = 0; at < SK_COUNT_OF(peers); at++) {
            (void)pongs(peers[at], BURST, "");
        }
        say(peers[2], "{'type':'ping'}");
        error = hear_error(peers[2], "rate_limited");
        cr_expect_eq(number_of(error, "retry_ms"), it->retry_ms, "%s: %s", it->label,
                     json_object_to_json_string(error));
        table_close(&table);
    }
}

/* In 100 ms a connection gets one token, a player two, an address three. */
Test(rates, come_back_with_time)
{
    struct table table;
    struct peer *alice;
    struct peer *again;
    struct peer *bob;

    table_open(&table);
    alice = table_player(&table, "alice");
    again = table_return(&table, alice->token);
    bob = table_player(&table, "bob");
    set_limits(&table, 2, 3);
    cr_expect_eq(pongs(alice, 5, "this connection"), 4);
    cr_expect_eq(pongs(again, 5, "this connection"), 4);
    cr_expect_eq(pongs(bob, 5, "this connection"), 4);
    table_wait(&table, 1000 / PER_SECOND);
    cr_expect_eq(pongs(alice, 2, "this connection"), 1);
    cr_expect_eq(pongs(again, 2, "this connection"), 1);
    cr_expect_eq(pongs(bob, 2, "this connection"), 1);
    table_wait(&table, 60 * 1000);
    cr_expect_eq(pongs(alice, 5, "this connection"), 4, "no more than it holds");
    table_close(&table);
}

Test(rates, are_not_made_anew_by_coming_anew)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    set_limits(&table, 1, 0);
    cr_expect_eq(pongs(alice, 4, ""), 4);
    peer_drop(alice);
    alice = table_return(&table, alice->token);
    cr_expect_eq(pongs(alice, 1, "this player"), 0);
    set_limits(&table, 0, 1);
    cr_expect_eq(pongs(bob, 3, "this address"), 0, "nothing filled it yet");
    table_wait(&table, 1000 / PER_SECOND * BURST);
    cr_expect_eq(pongs(bob, 4, ""), 4);
    peer_drop(bob);
    bob = table_connect(&table);
    cr_expect_eq(pongs(bob, 1, "this address"), 0);
    table_close(&table);
}

/* ---- what a frame costs ------------------------------------------------------------------ */

#define WORK_US 100

static int64_t work_us; /* that a frame takes */

/* Asked before and after each frame that is measured. */
static int64_t
cpu_us(void *context)
{
    static int64_t now_us;
    static bool is_after;

    (void)context;
    now_us += is_after ? work_us : 0;
    is_after = !is_after;
    return now_us;
}

struct cost_case {
    const char *label;
    const char *frame;
    size_t padding; /* bytes of white space in front of it */
    int64_t work_us;
    int left; /* of BURST frames that may come at once, how many more are heard */
    int then; /* and how many after the time of two */
};

/* A frame takes a token by itself, and no bucket owes more than it holds. */
static const struct cost_case cost_cases[] = {
    { "almost more work than one frame", "{'type':'list'}", 0, WORK_US - 1, 3, 4 },
    { "the work of one frame more", "{'type':'list'}", 0, WORK_US, 2, 4 },
    { "the work of three more", "{'type':'list'}", 0, 3 * WORK_US, 0, 2 },
    { "the work of four more", "{'type':'list'}", 0, 4 * WORK_US, 0, 1 },
    { "the work of thousands", "{'type':'list'}", 0, 9999 * WORK_US, 0, 0 },
    { "work of a frame that is never long", "{'type':'ping'}", 0, 9999 * WORK_US, 3, 4 },
    { "almost 4096 bytes", "{'type':'ping'}", 4080, 0, 3, 4 },
    { "4096 bytes", "{'type':'ping'}", 4081, 0, 2, 4 },
};

Test(rates, a_frame_that_is_long_or_takes_long_counts_as_several)
{
    for (size_t i = 0; i < SK_COUNT_OF(cost_cases); i++) {
        const struct cost_case *it = &cost_cases[i];
        struct table table;
        struct peer *alice;

        table_open(&table);
        alice = table_player(&table, "alice");
        set_limits(&table, 0, 0);
        table.host->options.frame_work_us = WORK_US;
        table.host->world.cpu_us = cpu_us;
        work_us = it->work_us;
        say(alice, "%*s%s", (int)it->padding, "", it->frame);
        cr_expect_eq(pongs(alice, BURST, "this connection"), it->left, "%s", it->label);
        table_wait(&table, 2 * 1000 / PER_SECOND);
        if (it->left > 0) {
            table_wait(&table, 60 * 1000);
        }
        cr_expect_eq(pongs(alice, BURST, "this connection"), it->then, "%s, later", it->label);
        table_close(&table);
    }
}

/* Another connection from the same address pays too, another player does not. */
Test(rates, a_costly_frame_is_charged_to_player_and_address)
{
    struct table table;
    struct peer *alice;
    struct peer *again;
    struct peer *bob;
    struct peer *carol;

    table_open(&table);
    alice = table_player(&table, "alice");
    again = table_return(&table, alice->token);
    bob = table_player(&table, "bob");
    carol = table_connect_from(&table, "192.0.2.7");
    set_limits(&table, 2, 3);
    table.host->options.frame_work_us = WORK_US;
    table.host->world.cpu_us = cpu_us;
    work_us =
        7 *
        WORK_US; /* with its own token all eight of the player's, four are left to the address */
    say(alice, "{'type':'list'}");
    cr_expect_eq(pongs(again, BURST, "this player"), 0);
    cr_expect_eq(pongs(bob, BURST, "this connection"), 4);
    cr_expect_eq(pongs(carol, BURST, "this connection"), 4);
    table_close(&table);
}

/* Who comes from everywhere under ever new names leaves nothing behind. */
Test(rates, of_those_who_left_are_forgotten)
{
    struct table table;
    struct peer *peer;

    table_open(&table);
    set_limits(&table, 2, 3);
    for (int i = 0; i < 3; i++) {
        char address[32];

        (void)snprintf(address, sizeof(address), "192.0.2.%d", i);
        peer = table_connect_from(&table, address);
        say(peer, "{'type':'hello','protocol':1,'name':'guest%d'}", i);
        cr_expect_eq(pongs(peer, 1, ""), 1);
        peer_drop(peer);
    }
    cr_expect_eq(table.host->rate_count, 6, "they are not full yet");
    table_wait(&table, 60 * 1000);
    for (uint32_t i = 0; i < 3; i++) {
        char address[32];

        (void)snprintf(address, sizeof(address), "192.0.2.%u", i);
        rate_release(table.host, rate_of_address(table.host, address));
        rate_release(table.host, rate_of_account(table.host, i + 1));
    }
    cr_expect_eq(table.host->rate_count, 0);
    peer = table_connect_from(&table, "192.0.2.1");
    cr_expect_eq(table.host->rate_count, 1);
    peer_drop(peer);
    cr_expect_eq(table.host->rate_count, 0, "it is full");
    table_close(&table);
}

/* A proxy that does not say whom it speaks for. */
Test(rates, of_no_address_have_no_limit)
{
    struct table table;

    table_open(&table);
    set_limits(&table, 1, 1);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(pongs(table_connect_from(&table, ""), 4, ""), 4);
    }
    table_close(&table);
}
