/* Addresses, proxies, origins and counts: the parts of the net layer that need no socket. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "server/net/address.h"
#include "server/net/counts.h"
#include "server/net/names.h"
#include "server/net/origin.h"
#include "tests/support/cases.h"

/* ---- addresses --------------------------------------------------------------------------- */

struct address_case {
    const char *text;
    const char *shown; /* NULL = no address */
};

static const struct address_case address_cases[] = {
    { "127.0.0.1", "127.0.0.1" },
    { "::ffff:127.0.0.1", "127.0.0.1" },
    { "255.255.255.255", "255.255.255.255" },
    { "::1", "::1" },
    { "::", "::" },
    { "2001:DB8::1", "2001:db8::1" },
    { "", NULL },
    { "localhost", NULL },
    { "1.2.3", NULL },
    { "1.2.3.256", NULL },
    { "1.2.3.4 ", NULL },
    { "::1%lo", NULL },
};

CASES(net_address, is_read_and_shown, address_cases)
{
    const struct address_case *c = &address_cases[*index];
    struct net_address address;
    char text[NET_ADDRESS_TEXT_SIZE];

    cr_assert_eq(net_address_parse(c->text, &address), c->shown != NULL, "%s", c->text);
    if (c->shown != NULL) {
        net_address_format(&address, text);
        cr_expect_str_eq(text, c->shown);
    }
}

Test(net_address, comes_from_a_socket)
{
    struct sockaddr_in four = { .sin_family = AF_INET };
    struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
    struct sockaddr other = { .sa_family = AF_UNIX };
    struct net_address address;
    char text[NET_ADDRESS_TEXT_SIZE];

    inet_pton(AF_INET, "192.0.2.7", &four.sin_addr);
    inet_pton(AF_INET6, "2001:db8::7", &six.sin6_addr);
    cr_expect(net_address_from_socket((const struct sockaddr *)&four, &address));
    net_address_format(&address, text);
    cr_expect_str_eq(text, "192.0.2.7");
    cr_expect(net_address_from_socket((const struct sockaddr *)&six, &address));
    net_address_format(&address, text);
    cr_expect_str_eq(text, "2001:db8::7");
    cr_expect_not(net_address_from_socket(&other, &address));
}

/* ---- networks ---------------------------------------------------------------------------- */

struct network_case {
    const char *list;
    const char *address; /* NULL = the list is wrong */
    bool is_held;
};

static const struct network_case network_cases[] = {
    { "", "127.0.0.1", false },
    { "127.0.0.1", "127.0.0.1", true },
    { "127.0.0.1", "127.0.0.2", false },
    { "10.0.0.0/8", "10.255.0.1", true },
    { "10.0.0.0/8", "11.0.0.1", false },
    { "10.0.0.0/9", "10.127.0.1", true },
    { "10.0.0.0/9", "10.128.0.1", false },
    { "10.0.0.1/32", "10.0.0.1", true },
    { "10.0.0.1/32", "10.0.0.0", false },
    { "0.0.0.0/0", "203.0.113.9", true },
    { "0.0.0.0/0", "2001:db8::1", false },
    { "::/0", "2001:db8::1", true },
    { "::/0", "203.0.113.9", true },
    { "2001:db8::/33", "2001:db8:7fff::1", true },
    { "2001:db8::/33", "2001:db8:8000::1", false },
    { "::1/128", "::1", true },
    { "192.0.2.1,10.0.0.0/8 ::1", "::1", true },
    { " , 192.0.2.1 ,, ", "192.0.2.1", true },
    { "10.0.0.0/33", NULL, false },
    { "::/129", NULL, false },
    { "10.0.0.0/", NULL, false },
    { "10.0.0.0/x", NULL, false },
    { "10.0.0.0/8x", NULL, false },
    { "10.0.0.0/-1", NULL, false },
    { "10.0.0/8", NULL, false },
    { "localhost", NULL, false },
    { "127.0.0.1; ::1", NULL, false },
    { "1111111111111111111111111111111111111111111111111111111111111111111", NULL, false },
};

CASES(net_networks, hold_their_addresses, network_cases)
{
    const struct network_case *c = &network_cases[*index];
    struct net_networks networks;
    struct net_address address;

    cr_assert_eq(net_networks_parse(c->list, &networks), c->address != NULL, "%s", c->list);
    if (c->address != NULL) {
        cr_assert(net_address_parse(c->address, &address));
        cr_expect_eq(net_networks_hold(&networks, &address), c->is_held, "%s in %s", c->address,
                     c->list);
    }
}

Test(net_networks, have_a_limit)
{
    struct net_networks networks;
    char list[(NET_NETWORKS_MAX + 1) * 4 + 1] = "";

    for (int i = 0; i < NET_NETWORKS_MAX; i++) {
        strcat(list, "::1 ");
    }
    cr_expect(net_networks_parse(list, &networks));
    cr_expect_eq(networks.count, NET_NETWORKS_MAX);
    strcat(list, "::1 ");
    cr_expect_not(net_networks_parse(list, &networks));
}

/* ---- proxies ----------------------------------------------------------------------------- */

struct forwarded_case {
    const char *label;
    const char *header;
    const char *client; /* NULL = none */
};

/* Trusted are 10.0.0.0/8 and ::1. */
static const struct forwarded_case forwarded_cases[] = {
    { "one", "192.0.2.1", "192.0.2.1" },
    { "the last counts", "6.6.6.6, 192.0.2.1", "192.0.2.1" },
    { "before trusted ones", "6.6.6.6, 192.0.2.1, 10.0.0.1, ::1", "192.0.2.1" },
    { "with a port", "192.0.2.1:5555", "192.0.2.1" },
    { "in brackets", "[2001:db8::1]", "2001:db8::1" },
    { "in brackets with a port", "[2001:db8::1]:80", "2001:db8::1" },
    { "IPv6 as it is", "2001:db8::1", "2001:db8::1" },
    { "without blanks", "6.6.6.6,192.0.2.1", "192.0.2.1" },
    { "blanks at the end", "192.0.2.1 , ", "192.0.2.1" },
    { "only trusted ones", "10.0.0.1, 10.0.0.2", NULL },
    { "nothing", "", NULL },
    { "blanks", " , ", NULL },
    { "no address", "unknown", NULL },
    { "no address behind a good one", "192.0.2.1, unknown", NULL },
    { "half a bracket", "[2001:db8::1", NULL },
    { "very long", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", NULL },
};

CASES(net_forwarded, names_the_last_that_is_not_ours, forwarded_cases)
{
    const struct forwarded_case *c = &forwarded_cases[*index];
    struct net_networks trusted;
    struct net_address client;
    char text[NET_ADDRESS_TEXT_SIZE];

    cr_assert(net_networks_parse("10.0.0.0/8, ::1", &trusted));
    cr_assert_eq(net_forwarded_client(c->header, &trusted, &client), c->client != NULL, "%s",
                 c->label);
    if (c->client != NULL) {
        net_address_format(&client, text);
        cr_expect_str_eq(text, c->client, "%s", c->label);
    }
}

/* ---- origins ----------------------------------------------------------------------------- */

struct origin_case {
    const char *label;
    const char *list; /* an origin of NULL = the list is wrong */
    const char *origin;
    const char *host;
    bool is_allowed;
};

static const struct origin_case origin_cases[] = {
    { "this host", "", "http://a:7777", "a:7777", true },
    { "this host by TLS", "", "https://a", "a", true },
    { "upper case", "", "HTTP://A", "a", true },
    { "another port", "", "http://a:7778", "a:7777", false },
    { "another host", "", "http://b", "a", false },
    { "no host", "", "http://", "", false },
    { "no scheme", "", "a", "a", false },
    { "another scheme", "", "file://a", "a", false },
    { "null", "", "null", "a", false },
    { "null is listed", "null", "null", "a", true },
    { "listed", "https://b", "https://b", "a", true },
    { "listed, upper case", "https://B", "HTTPS://b", "a", true },
    { "listed with another scheme", "https://b", "http://b", "a", false },
    { "listed, longer", "https://b", "https://b.c", "a", false },
    { "second of the list", "https://b, https://c", "https://c", "a", true },
    { "any", "*", "https://b", "a", true },
    { "any, null", "*", "null", "a", true },
    { "wrong: no scheme", "b", NULL, NULL, false },
    { "wrong: a path", "https://b/", NULL, NULL, false },
    { "wrong: no host", "https://", NULL, NULL, false },
    { "wrong: a user", "https://x@b", NULL, NULL, false },
    { "wrong: a star in it", "https://*.b, *x", NULL, NULL, false },
};

CASES(net_origins, decide_which_pages_may_connect, origin_cases)
{
    const struct origin_case *c = &origin_cases[*index];
    struct net_list origins;

    cr_assert_eq(net_origins_parse(c->list, &origins), c->origin != NULL, "%s", c->label);
    if (c->origin != NULL) {
        cr_expect_eq(net_origins_allow(&origins, c->origin, c->host), c->is_allowed, "%s",
                     c->label);
    }
}

/* ---- names ------------------------------------------------------------------------------- */

struct name_case {
    const char *label;
    const char *list; /* a host of NULL = the list is wrong */
    const char *host;
    bool is_near_right; /* from this machine */
    bool is_far_right;  /* from elsewhere */
};

static const struct name_case name_cases[] = {
    { "no host", "", "", true, true },
    { "an address", "", "127.0.0.1", true, true },
    { "an address with a port", "", "192.168.1.5:7777", true, true },
    { "an IPv6 address", "", "[::1]:7777", true, true },
    { "localhost", "", "localhost:7777", true, true },
    { "localhost, written otherwise", "", "LOCALHOST.", true, true },
    { "a name under localhost", "", "skirmish.localhost:7777", true, true },
    { "a name that only ends so", "", "evil.example.evillocalhost", false, true },
    { "a name without a dot", "", "gamebox:7777", true, true },
    { "a name without a dot, with a list", "a.example", "gamebox", false, false },
    { "a name", "", "evil.example:7777", false, true },
    { "a name that looks like an address", "", "127.0.0.1.evil.example", false, true },
    { "a number that is no address", "", "1.2.3", false, true },
    { "listed", "a.example", "a.example:7777", true, true },
    { "listed, written otherwise", "A.example", "a.EXAMPLE.", true, true },
    { "second of the list", "a.example, b.example", "b.example", true, true },
    { "another than listed", "a.example", "b.example", false, false },
    { "a longer one", "a.example", "b.a.example", false, false },
    { "an address, with a list", "a.example", "10.0.0.1:80", true, true },
    { "localhost, with a list", "a.example", "localhost", true, true },
    { "any", "*", "evil.example", true, true },
    { "any, with others", "a.example *", "evil.example", true, true },
    { "wrong: a port", "a.example:80", NULL, false, false },
    { "wrong: a scheme", "http://a.example", NULL, false, false },
    { "wrong: a star in it", "*.a.example", NULL, false, false },
};

CASES(net_names, decide_what_this_server_may_be_called, name_cases)
{
    const struct name_case *c = &name_cases[*index];
    struct net_names names;

    cr_assert_eq(net_names_parse(c->list, &names), c->host != NULL, "%s", c->label);
    if (c->host != NULL) {
        cr_expect_eq(net_names_allow(&names, c->host, true), c->is_near_right, "%s", c->label);
        cr_expect_eq(net_names_allow(&names, c->host, false), c->is_far_right, "%s", c->label);
    }
}

Test(net_names, of_the_machine_itself_are_right)
{
    struct net_names names;

    cr_assert(net_names_parse("", &names));
    cr_expect(names.own[0] == '\0' || net_names_allow(&names, names.own, true));
}

Test(net_names, have_a_limit)
{
    struct net_names names;
    char list[(NET_LIST_MAX + 1) * 2 + 1] = "";
    char name[NET_NAME_MAX + 2];

    for (int i = 0; i < NET_LIST_MAX; i++) {
        strcat(list, "a ");
    }
    cr_expect(net_names_parse(list, &names));
    strcat(list, "a ");
    cr_expect_not(net_names_parse(list, &names));
    memset(name, 'a', sizeof(name));
    name[NET_NAME_MAX + 1] = '\0';
    cr_expect_not(net_names_parse(name, &names));
    cr_assert(net_names_parse("b", &names));
    cr_expect_not(net_names_allow(&names, name, false), "too long to be any");
    name[NET_NAME_MAX] = '\0';
    cr_assert(net_names_parse(name, &names));
    cr_expect(net_names_allow(&names, name, true));
}

Test(net_origins, have_a_limit)
{
    struct net_list origins;
    char list[(NET_LIST_MAX + 1) * 9 + 1] = "";

    for (int i = 0; i < NET_LIST_MAX; i++) {
        strcat(list, "http://a ");
    }
    cr_expect(net_origins_parse(list, &origins));
    cr_expect_eq(origins.count, NET_LIST_MAX);
    strcat(list, "http://a ");
    cr_expect_not(net_origins_parse(list, &origins));
}

Test(net_origins, of_one_origin_has_a_limit)
{
    struct net_list origins;
    char text[NET_WORD_MAX + 2];

    memset(text, 'a', sizeof(text));
    memcpy(text, "http://", 7);
    text[NET_WORD_MAX] = '\0';
    cr_expect(net_origins_parse(text, &origins));
    text[NET_WORD_MAX] = 'a';
    text[NET_WORD_MAX + 1] = '\0';
    cr_expect_not(net_origins_parse(text, &origins));
}

/* ---- counts ------------------------------------------------------------------------------ */

static struct net_address
address_of(const char *text)
{
    struct net_address address;

    cr_assert(net_address_parse(text, &address));
    return address;
}

Test(net_counts, count_clients)
{
    struct net_counts counts = { .key = { 1, 2 } };
    struct net_address four = address_of("192.0.2.1");
    struct net_address next = address_of("192.0.2.2");
    struct net_count *first = net_counts_take(&counts, &four);
    struct net_count *second = net_counts_take(&counts, &four);

    cr_expect_eq(net_counts_held(&counts, &four), 2);
    cr_expect_eq(net_counts_held(&counts, &next), 0);
    net_counts_give_back(&counts, first);
    cr_expect_eq(net_counts_held(&counts, &four), 1);
    net_counts_give_back(&counts, second);
    cr_expect_eq(net_counts_held(&counts, &four), 0);
    net_counts_free(&counts);
}

Test(net_counts, take_an_ipv6_network_for_one_client)
{
    struct net_counts counts = { .key = { 1, 2 } };
    struct net_address one = address_of("2001:db8::1");
    struct net_address neighbour = address_of("2001:db8::ffff:ffff:ffff:ffff");
    struct net_address other = address_of("2001:db8:0:1::1");

    net_counts_take(&counts, &one);
    cr_expect_eq(net_counts_held(&counts, &neighbour), 1);
    cr_expect_eq(net_counts_held(&counts, &other), 0);
    net_counts_free(&counts);
}

Test(net_counts, keep_apart_what_shares_a_chain)
{
    enum {
        CLIENTS = 4 * NET_COUNTS_CHAINS
    };
    struct net_counts counts = { .key = { 3, 4 } };
    static struct net_count *held[CLIENTS];
    struct net_address address = address_of("10.0.0.0");

    for (uint32_t i = 0; i < CLIENTS; i++) {
        address.bytes[14] = (uint8_t)(i >> 8);
        address.bytes[15] = (uint8_t)i;
        held[i] = net_counts_take(&counts, &address);
        cr_assert_eq(net_counts_held(&counts, &address), 1);
    }
    for (uint32_t i = 0; i < CLIENTS; i += 2) {
        net_counts_give_back(&counts, held[i]);
    }
    for (uint32_t i = 0; i < CLIENTS; i++) {
        address.bytes[14] = (uint8_t)(i >> 8);
        address.bytes[15] = (uint8_t)i;
        cr_assert_eq(net_counts_held(&counts, &address), (int32_t)(i % 2));
    }
    net_counts_free(&counts);
}

#define CONNECTS_PER_SECOND 10
#define CONNECTS_AT_ONCE    (CONNECTS_PER_SECOND * NET_CONNECTS_AT_ONCE_S)
#define SECOND_US           INT64_C(1000000)

static int
connects(struct net_counts *counts, const struct net_address *address, int wanted, int64_t now_us)
{
    int allowed = 0;

    for (int i = 0; i < wanted; i++) {
        allowed += net_counts_connects(counts, address, CONNECTS_PER_SECOND, now_us) ? 1 : 0;
    }
    return allowed;
}

Test(net_counts, limit_how_fast_a_client_comes)
{
    struct net_counts counts = { .key = { 1, 2 } };
    struct net_address one = address_of("2001:db8::1");
    struct net_address neighbour = address_of("2001:db8::2");
    struct net_address other = address_of("192.0.2.1");

    cr_expect_eq(connects(&counts, &one, CONNECTS_AT_ONCE - 1, 5 * SECOND_US),
                 CONNECTS_AT_ONCE - 1);
    cr_expect_eq(connects(&counts, &neighbour, 2, 5 * SECOND_US), 1);
    cr_expect_eq(connects(&counts, &other, 2, 5 * SECOND_US), 2);
    cr_expect_eq(connects(&counts, &one, 100, 6 * SECOND_US), CONNECTS_PER_SECOND);
    cr_expect_eq(connects(&counts, &one, 100, 60 * SECOND_US), CONNECTS_AT_ONCE);
    net_counts_free(&counts);
}

Test(net_counts, set_no_limit_with_0)
{
    struct net_counts counts = { .key = { 1, 2 } };
    struct net_address one = address_of("192.0.2.1");

    for (int i = 0; i < 10000; i++) {
        cr_assert(net_counts_connects(&counts, &one, 0, 1));
    }
    net_counts_free(&counts);
}

Test(net_counts, remember_clients_that_left_only_as_long_as_needed)
{
    struct net_counts counts = { .key = { 1, 2 } };
    struct net_address one = address_of("192.0.2.1");
    struct net_count *held;

    cr_expect_eq(connects(&counts, &one, 100, 0), CONNECTS_AT_ONCE);
    held = net_counts_take(&counts, &one);
    net_counts_give_back(&counts, held);
    cr_expect_eq(connects(&counts, &one, 100, 0), 0, "reconnecting does not help");
    cr_expect(net_counts_connects(&counts, &one, 0, 60 * SECOND_US));
    for (size_t i = 0; i < NET_COUNTS_CHAINS; i++) {
        cr_assert_null(counts.chains[i]);
    }
    net_counts_free(&counts);
}
