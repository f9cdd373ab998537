/*
 * net_names - the host names by which this server may be addressed.
 *
 * A foreign web page can make a browser send requests to this server under the
 * page's own name: the name is redirected here after the page is loaded (DNS
 * rebinding).  The browser then treats both as one origin.  The Host header
 * still has the page's name, so checking it prevents the attack.
 *
 * Numeric addresses, "localhost" and this machine's own name are always
 * accepted, because nobody else can make them lead elsewhere.  Other names must
 * be listed.  If none is listed, clients on other machines may use any name.
 * On this machine only names without a dot are accepted: nobody on the Internet
 * can own such a name.
 *
 * Owner:   the caller; holds no pointers.
 * Threads: any.
 */
#ifndef SK_NET_NAMES_H
#define SK_NET_NAMES_H

#include "server/net/address.h"

struct net_names {
    struct net_list list;
    char own[NET_NAME_MAX + 1]; /* this machine's own name, or "" */
};

/* A list "play.example.org, game.lan", separated by commas or spaces; "*" is every name. */
bool net_names_parse(const char *text, struct net_names *ret_names);

/* `host` is the request's Host header or ""; `is_near`: the request comes from this machine. */
bool net_names_allow(const struct net_names *names, const char *host, bool is_near);

#endif /* SK_NET_NAMES_H */
