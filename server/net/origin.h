/*
 * net_origins - the web pages from which a browser may connect.
 *
 * A browser sends the page's origin.  Programs that send none are allowed, and
 * so are pages served by this host.  All other origins must be listed.
 *
 * Owner:   the caller; holds no pointers.
 * Threads: any.
 */
#ifndef SK_NET_ORIGIN_H
#define SK_NET_ORIGIN_H

#include "server/net/address.h"

/*
 * A list "https://example.org, http://localhost:8080", separated by commas or
 * spaces; "*" allows every page, "null" those without an origin.
 */
bool net_origins_parse(const char *text, struct net_list *ret_origins);

/* `host` is the request's Host header. */
bool net_origins_allow(const struct net_list *origins, const char *origin, const char *host);

#endif /* SK_NET_ORIGIN_H */
