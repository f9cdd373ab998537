/*
 * Sessions: connections as the host sees them, with their outboxes.
 */
#ifndef SK_HOST_SESSION_H
#define SK_HOST_SESSION_H

#include "server/host/world.h"
#include "server/memory.h"

struct session *session_find(struct host *host, uint64_t number);
void session_free(struct session *session);
void session_send(struct session *session, struct message *message);
void session_send_frame(struct session *session, const void *frame);
void session_close(struct session *session, enum close_code code, const char *reason);

/* Encodes a server frame; the caller gets one reference. */
struct message *message_encode(struct host *host, const void *frame);
void message_free(struct message *message);

#endif /* SK_HOST_SESSION_H */
