/*
 * net_address, net_network - addresses of clients, and networks whose proxies
 * are trusted; net_list - the other lists of the configuration.
 *
 * IPv4 addresses are stored in their IPv6 form (::ffff:a.b.c.d), so that one
 * comparison serves both.
 *
 * Owner:   the caller; nothing here holds pointers.
 * Threads: any.
 */
#ifndef SK_NET_ADDRESS_H
#define SK_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "server/server_limits.h"

#define NET_ADDRESS_TEXT_SIZE 46 /* INET6_ADDRSTRLEN */

struct net_address {
    uint8_t bytes[16];
};

struct net_network {
    struct net_address address;
    uint8_t bits; /* leading bits of the 128 that must agree */
};

struct net_networks {
    uint32_t count;
    struct net_network items[NET_NETWORKS_MAX];
};

/* Numeric addresses only: looking up a name would block the loop. */
bool net_address_parse(const char *text, struct net_address *ret_address);
bool net_address_from_socket(const struct sockaddr *from, struct net_address *ret_address);
void net_address_format(const struct net_address *address, char text[NET_ADDRESS_TEXT_SIZE]);

bool net_address_is_loopback(const struct net_address *address);

/*
 * The unit that limits apply to: an IPv4 address, or the upper 64 bits of an
 * IPv6 address, which a provider assigns to one customer.
 */
struct net_address net_address_of_client(const struct net_address *address);

/* A list "127.0.0.1, 10.0.0.0/8 ::1", separated by commas or spaces; "" is the empty list. */
bool net_networks_parse(const char *text, struct net_networks *ret_networks);
bool net_networks_hold(const struct net_networks *networks, const struct net_address *address);

/*
 * The client that a chain of proxies speaks for, from X-Forwarded-For: the last
 * address that is not a trusted proxy.  Anything before it may be forged.
 * Returns false if there is none.
 */
bool net_forwarded_client(const char *header, const struct net_networks *trusted,
                          struct net_address *ret_address);

/* A list of words, separated by commas or spaces; "*" stands for any word. */
struct net_list {
    bool is_any;
    uint32_t count;
    char items[NET_LIST_MAX][NET_WORD_MAX + 1];
};

/* False if a word is too long or not right, or if there are too many. */
bool net_list_parse(const char *text, bool (*is_right)(const char *word),
                    struct net_list *ret_list);

/* Upper and lower case do not matter. */
bool net_list_holds(const struct net_list *list, const char *word);

#endif /* SK_NET_ADDRESS_H */
