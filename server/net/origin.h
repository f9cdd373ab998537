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

#include <stdbool.h>
#include <stdint.h>

#include "server/server_limits.h"

struct net_origins {
    bool is_any; /* the list contains "*" */
    uint32_t count;
    char items[NET_ORIGINS_MAX][NET_ORIGIN_MAX + 1];
};

/*
 * A list "https://example.org, http://localhost:8080", separated by commas or
 * spaces; "*" allows every page, "null" those without an origin.
 */
bool net_origins_parse(const char *text, struct net_origins *ret_origins);

/* `host` is the request's Host header. */
bool net_origins_allow(const struct net_origins *origins, const char *origin, const char *host);

#endif /* SK_NET_ORIGIN_H */
