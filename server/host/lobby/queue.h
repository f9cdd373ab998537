/*
 * The queue: players who wait for others to play the same match with.
 *
 * A player has one place in the queue, for the connection that asked last.  As
 * soon as there are enough players for the match, it is handed to the store
 * with all of them in one job.  If it cannot be stored they keep their places.
 *
 * On a shared database the stored queue decides ("nodes" in store_port.h): it is
 * compared with this node's when a player comes, and every second while anybody
 * waits.
 */
#ifndef SK_HOST_LOBBY_QUEUE_H
#define SK_HOST_LOBBY_QUEUE_H

#include "server/host/session/session.h"
#include "server/host/session/session_struct.h"

frame_handler handle_queue;

void queue_forget(struct session *session); /* the session ends */
void queue_fini(struct host *host);

/* Compares the queue with that of other nodes, when it is time for it. */
void queue_tick(struct host *host, int64_t now_ms);

#endif /* SK_HOST_LOBBY_QUEUE_H */
