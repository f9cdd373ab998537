#include "server/net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAPPED_BITS 96 /* IPv4 addresses are in ::ffff:0:0/96 */

/* Fits "255.255.255.255/32", and an IPv6 address with brackets, a port or a prefix. */
#define WORD_MAX 63

static const uint8_t mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };

static bool
is_mapped(const struct net_address *address)
{
    return memcmp(address->bytes, mapped, sizeof(mapped)) == 0;
}

static void
set_mapped(struct net_address *address, const void *four_bytes)
{
    memcpy(address->bytes, mapped, sizeof(mapped));
    memcpy(address->bytes + sizeof(mapped), four_bytes, 4);
}

bool
net_address_parse(const char *text, struct net_address *ret_address)
{
    struct net_address address;
    struct in_addr four;

    if (inet_pton(AF_INET, text, &four) == 1) {
        set_mapped(&address, &four);
    } else if (inet_pton(AF_INET6, text, address.bytes) != 1) {
        return false;
    }
    *ret_address = address;
    return true;
}

bool
net_address_from_socket(const struct sockaddr *from, struct net_address *ret_address)
{
    if (from->sa_family == AF_INET) {
        set_mapped(ret_address, &((const struct sockaddr_in *)(const void *)from)->sin_addr);
        return true;
    }
    if (from->sa_family == AF_INET6) {
        memcpy(ret_address->bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr,
               sizeof(ret_address->bytes));
        return true;
    }
    return false;
}

void
net_address_format(const struct net_address *address, char text[NET_ADDRESS_TEXT_SIZE])
{
    bool is_four = is_mapped(address);
    const uint8_t *from = is_four ? address->bytes + sizeof(mapped) : address->bytes;

    if (inet_ntop(is_four ? AF_INET : AF_INET6, from, text, NET_ADDRESS_TEXT_SIZE) == NULL) {
        text[0] = '\0';
    }
}

bool
net_address_is_loopback(const struct net_address *address)
{
    static const uint8_t six[16] = { [15] = 1 };
    static const uint8_t four[13] = { [10] = 0xff, [11] = 0xff, [12] = 127 };

    return memcmp(address->bytes, six, sizeof(six)) == 0 ||
           memcmp(address->bytes, four, sizeof(four)) == 0;
}

struct net_address
net_address_of_client(const struct net_address *address)
{
    struct net_address client = *address;

    if (!is_mapped(address)) {
        memset(client.bytes + 8, 0, 8);
    }
    return client;
}

/* ---- lists ------------------------------------------------------------------------------- */

static bool
is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t';
}

/* Returns the next word of a list and moves `*list` past it; NULL at the end. */
static const char *
next_word(const char **list, size_t *ret_length)
{
    const char *start = *list;
    const char *end;

    while (is_separator(*start)) {
        start++;
    }
    end = start;
    while (*end != '\0' && !is_separator(*end)) {
        end++;
    }
    *list = end;
    *ret_length = (size_t)(end - start);
    return end == start ? NULL : start;
}

bool
net_list_parse(const char *text, bool (*is_right)(const char *word), struct net_list *ret_list)
{
    struct net_list list = { 0 };
    const char *word;
    size_t length;

    while ((word = next_word(&text, &length)) != NULL) {
        if (length == 1 && word[0] == '*') {
            list.is_any = true;
            continue;
        }
        if (length > NET_WORD_MAX || list.count == NET_LIST_MAX) {
            return false;
        }
        memcpy(list.items[list.count], word, length); /* the rest is zero */
        if (!is_right(list.items[list.count++])) {
            return false;
        }
    }
    *ret_list = list;
    return true;
}

bool
net_list_holds(const struct net_list *list, const char *word)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcasecmp(list->items[i], word) == 0) {
            return true;
        }
    }
    return list->is_any;
}

/* Parses a prefix length up to `max`. */
static bool
parse_bits(const char *digits, unsigned long max, uint8_t *ret_bits)
{
    char *end;
    unsigned long bits;

    if (*digits < '0' || *digits > '9') {
        return false;
    }
    bits = strtoul(digits, &end, 10);
    if (*end != '\0' || bits > max) {
        return false;
    }
    *ret_bits = (uint8_t)bits;
    return true;
}

static bool
parse_network(const char *text, size_t length, struct net_network *ret_network)
{
    char word[WORD_MAX + 1];
    char *slash;
    struct net_network network = { .bits = 128 };
    uint8_t bits;

    if (length > WORD_MAX) {
        return false;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    slash = strchr(word, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    if (!net_address_parse(word, &network.address)) {
        return false;
    }
    if (slash != NULL) {
        bool is_four = strchr(word, ':') == NULL;

        if (!parse_bits(slash + 1, is_four ? 32 : 128, &bits)) {
            return false;
        }
        network.bits = (uint8_t)(is_four ? MAPPED_BITS + bits : bits);
    }
    *ret_network = network;
    return true;
}

bool
net_networks_parse(const char *text, struct net_networks *ret_networks)
{
    struct net_networks networks = { 0 };
    const char *word;
    size_t length;

    while ((word = next_word(&text, &length)) != NULL) {
        if (networks.count == NET_NETWORKS_MAX ||
            !parse_network(word, length, &networks.items[networks.count])) {
            return false;
        }
        networks.count++;
    }
    *ret_networks = networks;
    return true;
}

static bool
network_holds(const struct net_network *network, const struct net_address *address)
{
    size_t whole = network->bits / 8u;
    unsigned rest = network->bits % 8u;
    uint8_t mask = (uint8_t)(0xff00u >> rest);

    if (memcmp(network->address.bytes, address->bytes, whole) != 0) {
        return false;
    }
    return rest == 0 || ((network->address.bytes[whole] ^ address->bytes[whole]) & mask) == 0;
}

bool
net_networks_hold(const struct net_networks *networks, const struct net_address *address)
{
    for (uint32_t i = 0; i < networks->count; i++) {
        if (network_holds(&networks->items[i], address)) {
            return true;
        }
    }
    return false;
}

/* ---- proxies ----------------------------------------------------------------------------- */

/* Parses one element: an address, perhaps with a port ("1.2.3.4:80") or brackets ("[::1]:80"). */
static bool
parse_element(const char *text, size_t length, struct net_address *ret_address)
{
    char word[WORD_MAX + 1];
    char *start = word;
    char *colon;

    if (length > WORD_MAX) {
        return false;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    if (word[0] == '[') {
        start = word + 1;
        colon = strchr(start, ']');
        if (colon == NULL) {
            return false;
        }
        *colon = '\0';
    } else {
        colon = strchr(start, ':');
        if (colon != NULL && strchr(colon + 1, ':') == NULL) {
            *colon = '\0';
        }
    }
    return net_address_parse(start, ret_address);
}

bool
net_forwarded_client(const char *header, const struct net_networks *trusted,
                     struct net_address *ret_address)
{
    const char *end = header + strlen(header);

    while (end > header) {
        const char *start;
        struct net_address address;

        while (end > header && is_separator(end[-1])) {
            end--;
        }
        start = end;
        while (start > header && !is_separator(start[-1])) {
            start--;
        }
        if (start == end || !parse_element(start, (size_t)(end - start), &address)) {
            return false;
        }
        if (!net_networks_hold(trusted, &address)) {
            *ret_address = address;
            return true;
        }
        end = start;
    }
    return false;
}
