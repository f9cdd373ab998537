/*
 * call_targets - which addresses may be called.
 *
 * Strangers may write the URL, so it is checked twice: as text before anything
 * is done (scheme, host and port against the operator's list), and again when
 * the name is resolved, because a name may resolve to any address.  Addresses
 * that only this machine or its network can reach are refused unless the
 * operator has listed them.
 *
 * Owner:   the caller; holds no pointers.
 * Threads: any.
 */
#ifndef SK_CALL_TARGET_H
#define SK_CALL_TARGET_H

#include <stdbool.h>

#include "server/net/address.h"

#define CALL_URL_MAX 500

struct call_targets {
    struct net_list hosts;        /* "host" or "host:port" */
    struct net_networks networks; /* allowed although they are not public */
    bool allows_plain;            /* http is allowed, not only https */
};

/* A list "bots.example.org, 127.0.0.1:8001", separated by commas or spaces; "*" is every host. */
bool call_hosts_parse(const char *text, struct net_list *ret_hosts);

/*
 * Returns NULL if the URL's text is acceptable, else the reason.  A URL from
 * the operator's configuration need not be in the list of hosts.
 */
const char *call_targets_refuse(const struct call_targets *targets, const char *url,
                                bool is_operators);

/* Whether a connection may be made to a resolved address. */
bool call_targets_hold(const struct call_targets *targets, const struct net_address *address);

#endif /* SK_CALL_TARGET_H */
