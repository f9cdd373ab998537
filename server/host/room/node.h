/*
 * The beat, and this node's life among others that share the database: its lease,
 * claims, and what happens when it was declared dead ("nodes" in store_port.h).
 *
 * The lease counts from the moment when the beat was sent, so this node stops
 * serving its rooms before another one may claim them.
 */
#ifndef SK_HOST_ROOM_NODE_H
#define SK_HOST_ROOM_NODE_H

#include "server/host/room/lease.h"

/* Sends a beat and claims matches, when it is time for it. */
void node_tick(struct host *host, int64_t now_ms);

#endif /* SK_HOST_ROOM_NODE_H */
