/*
 * The queue: players who wait for others who want the same.
 *
 * A player waits once, on the connection that asked last.  As soon as there
 * are as many as the match has seats it is handed to the store with all of
 * them, so that nobody ends up in half a match; if it cannot be stored they
 * wait on as before.
 */
#ifndef SK_HOST_LOBBY_QUEUE_H
#define SK_HOST_LOBBY_QUEUE_H

#include "server/host/session/session.h"
#include "server/host/session/session_struct.h"

frame_handler handle_queue;

void queue_forget(struct session *session); /* it is going */
void queue_free(struct host *host, struct waiting_player *list);

#endif /* SK_HOST_LOBBY_QUEUE_H */
