/* How many frames a connection, a player and an address may send. */
#include "rates_fixture.h"

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
        uint64_t refused = 0;

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
            refused += (uint64_t)(it->count - it->heard[at]);
        }
        cr_expect_eq(table.host->counters.limited[LIMIT_FRAMES], refused, "%s", it->label);
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

/* Each frame is answered once, and after the time in the answer the next one is accepted. */
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
        cr_expect_eq(pongs(alice, 1, ""), 1, "%s: at the time given", it->label);
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
    int left; /* how many of BURST further frames are accepted */
    int then; /* and how many after the time for two */
};

/* A frame takes one token at least, and a debt is at most the bucket's size. */
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

/* Other connections of the player and of the address pay too, those from elsewhere do not. */
Test(rates, a_costly_frame_is_charged_to_player_and_address)
{
    struct table table;
    struct peer *alice;
    struct peer *again;
    struct peer *bob;
    struct peer *dave;
    struct peer *carol;

    table_open(&table);
    alice = table_player(&table, "alice");
    again = table_return(&table, alice->token);
    bob = table_player(&table, "bob");
    dave = table_player(&table, "dave");
    carol = table_connect_from(&table, "192.0.2.7");
    set_limits(&table, 1, 2);
    table.host->options.frame_work_us = WORK_US;
    table.host->world.cpu_us = cpu_us;
    work_us = 3 * WORK_US; /* with its own token all four of the player's, four are left */
    say(alice, "{'type':'list'}");
    cr_expect_eq(pongs(again, BURST, "this player"), 0);
    cr_expect_eq(pongs(bob, BURST, ""), 4);
    cr_expect_eq(pongs(dave, BURST, "this address"), 0);
    cr_expect_eq(pongs(carol, BURST, ""), 4);
    table_close(&table);
}

struct work_case {
    const char *label;
    int64_t work_us; /* of each of two connections' frames */
    bool is_heard;   /* a third connection of the address, right behind them */
};

static const struct work_case work_cases[] = {
    { "less than one connection may take", BURST *WORK_US / 2 - 1, true },
    { "as much", BURST *WORK_US / 2, true },
    { "more", BURST *WORK_US / 2 + 1, false },
};

/* However many frames an address may send, together they use no more of the loop at once than
 * one connection. */
Test(rates, connections_of_an_address_take_no_more_of_the_loop_at_once_than_one)
{
    for (size_t i = 0; i < SK_COUNT_OF(work_cases); i++) {
        struct table table;
        struct peer *peers[3];
        struct peer *elsewhere;

        table_open(&table);
        peers[0] = table_player(&table, "alice");
        peers[1] = table_player(&table, "bob");
        peers[2] = table_player(&table, "carol");
        elsewhere = table_connect_from(&table, "192.0.2.7");
        set_limits(&table, 0, 100);
        table.host->options.frame_work_us = WORK_US;
        table.host->world.cpu_us = cpu_us;
        work_us = work_cases[i].work_us;
        say(peers[0], "{'type':'list'}");
        say(peers[1], "{'type':'list'}");
        cr_expect_eq(pongs(peers[2], 1, "this address"), work_cases[i].is_heard, "%s",
                     work_cases[i].label);
        cr_expect_eq(pongs(elsewhere, 1, ""), 1);
        table_wait(&table, 1);
        cr_expect_eq(pongs(peers[2], 1, ""), 1, "%s, later", work_cases[i].label);
        table_close(&table);
    }
}

/* New names from many addresses leave nothing in memory. */
Test(rates, of_players_who_left_are_forgotten)
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

/* A proxy that does not name its client. */
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

/* ---- floods ------------------------------------------------------------------------------- */

#define REFUSED 10

/* Sends frames that are refused; each is answered until the connection is closed. */
static void
flood(struct peer *peer, int count, const char *padding)
{
    for (int i = 0; i < count; i++) {
        cr_assert_not_null(peer->session, "closed after %d", i);
        say(peer, "{'type':'ping','id':'f%d'%s}", i, padding);
        (void)hear_error(peer, "rate_limited");
    }
}

static struct peer *
tired_player(struct table *table, const char *name)
{
    struct peer *peer = table_player(table, name);

    while (find_frame(peer, "error") == NULL) {
        say(peer, "{'type':'ping'}");
    }
    forget(peer);
    return peer;
}

Test(floods, of_a_connection_are_cut_when_it_was_told_so_often_enough)
{
    struct table table;
    struct peer *alice;

    table_open(&table);
    table.host->options.refused_per_minute = REFUSED;
    alice = tired_player(&table, "alice");
    flood(alice, REFUSED - 1, "");
    cr_assert_not_null(alice->session);
    say(alice, "{'type':'ping','id':'last'}"); /* one more than may be */
    cr_expect_str_eq(word_of(hear_error(alice, "rate_limited"), "id"), "last");
    (void)hear(alice, "closing");
    cr_assert_null(alice->session);
    cr_assert_eq(alice->close_code, CLOSE_POLICY);
    cr_expect_eq(table.host->counters.limited[LIMIT_REFUSED], 1u);
    table_close(&table);
}

/* A client that is too fast now and then is not disconnected. */
Test(floods, are_forgotten_with_time)
{
    struct table table;
    struct peer *alice;

    table_open(&table);
    table.host->options.refused_per_minute = REFUSED;
    table.host->options.frames_burst = 1;
    table.host->options.frames_per_second = 1;
    table.host->options.account_factor = 0;
    alice = tired_player(&table, "alice");
    for (int i = 0; i < 20; i++) {
        flood(alice, REFUSED / 2, "");
        table_jump(&table, 30 * 1000);
        say(alice, "{'type':'ping'}");
        (void)hear(alice, "pong");
    }
    table_close(&table);
}

Test(floods, of_long_frames_are_cut_sooner)
{
    static char padding[2 * RATE_FRAME_BYTES];
    struct table table;
    struct peer *alice;

    table_open(&table);
    table.host->options.refused_per_minute = REFUSED;
    alice = tired_player(&table, "alice");
    memset(padding, ' ', RATE_FRAME_BYTES);
    flood(alice, REFUSED / 2 - 1, padding);
    say(alice, "{'type':'ping'%s}", padding);
    cr_assert_eq(alice->close_code, CLOSE_POLICY);
    table_close(&table);
}

Test(floods, of_an_address_are_cut_on_every_connection)
{
    struct table table;
    struct peer *peers[3];

    table_open(&table);
    table.host->options.refused_per_minute = REFUSED;
    table.host->options.address_factor = 2;
    for (int i = 0; i < 3; i++) {
        char name[16];

        snprintf(name, sizeof(name), "p%d", i);
        peers[i] = table_player(&table, name);
    }
    for (int i = 0; i < 2; i++) {
        while (find_frame(peers[i], "error") == NULL) {
            say(peers[i], "{'type':'ping'}");
        }
        forget(peers[i]);
        flood(peers[i], REFUSED - 1, "");
        cr_assert_not_null(peers[i]->session);
    }
    say(peers[2], "{'type':'ping'}");
    (void)hear_error(peers[2], "rate_limited");       /* the address has no token left ... */
    cr_assert_eq(peers[2]->close_code, CLOSE_POLICY); /* ... and has got enough refusals */
    table_close(&table);
}

/* ---- slow readers ------------------------------------------------------------------------- */

#define FAIR (64 * 1024)

/* Sends about 700 bytes at a time, until this much waits or the connection is closed. */
static void
fill(struct peer *peer, int64_t match, uint32_t bytes)
{
    while (!peer->wants_close && peer->session->outbox.bytes <= bytes) {
        say(peer, "{'type':'resume','match':%lld,'seq':0}", (long long)match);
        table_jump(peer->table, 100);
    }
}

static void
open_readers(struct table *table, struct peer *peers[4], int64_t *ret_match)
{
    table_open(table);
    table->host->options.frames_per_second = 10000;
    table->host->options.frames_burst = 10000;
    for (int i = 0; i < 4; i++) {
        char name[16];

        snprintf(name, sizeof(name), "p%d", i);
        peers[i] = table_player(table, name);
    }
    *ret_match = table_create(peers[0], "");
    for (int i = 0; i < 3; i++) {
        peers[i]->is_deaf = true;
    }
}

struct outbox_case {
    const char *label;
    int32_t of_one;
    int32_t of_address;
    int32_t of_all;
    enum host_limit limit;
};

static const struct outbox_case outbox_cases[] = {
    { "one reader", 2 * FAIR, 1 << 30, 1 << 30, LIMIT_OUTBOX },
    { "an address", 1 << 30, 4 * FAIR, 1 << 30, LIMIT_OUTBOX_ADDRESS },
    { "all together", 1 << 30, 1 << 30, 4 * FAIR, LIMIT_OUTBOX_TOTAL },
};

Test(slow_readers, are_closed_when_too_much_waits_and_nothing_is_kept_for_them)
{
    for (size_t i = 0; i < SK_COUNT_OF(outbox_cases); i++) {
        const struct outbox_case *it = &outbox_cases[i];
        struct table table;
        struct peer *peers[4];
        int64_t match;

        open_readers(&table, peers, &match);
        table.host->options.outbox_bytes_max = it->of_one;
        table.host->options.outbox_address_bytes_max = it->of_address;
        table.host->options.outbox_total_bytes_max = it->of_all;
        fill(peers[0], match, FAIR + FAIR / 2);
        fill(peers[1], match, FAIR + FAIR / 2);
        cr_assert_not(peers[0]->wants_close || peers[1]->wants_close, "%s", it->label);
        fill(peers[2], match, 3 * FAIR);
        cr_expect_eq(peers[2]->close_code, CLOSE_TRY_AGAIN, "%s", it->label);
        cr_expect_eq(table.host->counters.limited[it->limit], 1u, "%s", it->label);
        cr_expect_not(peers[0]->wants_close || peers[1]->wants_close, "%s", it->label);
        cr_expect_lt(table.host->waiting_bytes, 4 * FAIR, "%s", it->label);
        say(peers[3], "{'type':'ping'}"); /* a client that reads is accepted */
        (void)hear(peers[3], "pong");
        for (int at = 0; at < 3; at++) {
            peer_drop(peers[at]);
        }
        cr_expect_eq(table.host->waiting_bytes, 0);
        table_close(&table);
    }
}
