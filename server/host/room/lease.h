/*
 * This node's lease, which the beat renews (node.h).
 *
 * Owner:   the host.
 * Threads: the loop.
 */
#ifndef SK_HOST_ROOM_LEASE_H
#define SK_HOST_ROOM_LEASE_H

#include "server/host/host_struct.h"

/* Whether the lease has run out: no room may be served before the next beat. */
bool node_is_fenced(const struct host *host);

/* Whether matches of other nodes may be claimed: not before these have had time to come back. */
bool node_may_claim(const struct host *host);

#endif /* SK_HOST_ROOM_LEASE_H */
