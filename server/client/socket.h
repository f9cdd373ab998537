/*
 * client_socket - a WebSocket to a server: whole messages in and out.
 *
 * It knows nothing of what is said on it, and libwebsockets is known to it
 * alone (whose headers and ours do not go together: OpenSSL has an sk_value
 * of its own).
 *
 * Owner:   client_socket_open allocates, client_socket_close gives back; all
 *          callbacks come from within client_socket_work.
 * Threads: one.
 */
#ifndef SK_CLIENT_SOCKET_H
#define SK_CLIENT_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"

#define CLIENT_URL_MAX     511
#define CLIENT_TICK_MS     100
#define CLIENT_MESSAGE_MAX (8u << 20) /* bytes of a message from the server */

struct client_socket;

struct client_socket_events {
    void (*opened)(void *user);
    void (*message)(void *user, const char *text, size_t length);
    void (*lost)(void *user, const char *why); /* or never opened */
    void (*tick)(void *user);                  /* every CLIENT_TICK_MS */
};

/* Nothing happens before client_socket_connect. */
enum sk_status client_socket_open(const char *url, const char *subprotocol,
                                  const struct client_socket_events *events, void *user,
                                  struct client_socket **ret_socket, struct sk_fault *ret_fault);
void client_socket_close(struct client_socket *socket);

/* Connects after so long. */
void client_socket_connect(struct client_socket *socket, uint32_t wait_ms);

/* Sends, or forgets the message when there is no connection. */
void client_socket_send(struct client_socket *socket, const char *text, size_t length);

/* From now on, on this connection, no faster than so many messages per second and at once; 0 = as
 * fast as can be. */
void client_socket_pace(struct client_socket *socket, int32_t per_second, int32_t burst);

/* Waits for something to do and does it; false = it cannot go on. */
bool client_socket_work(struct client_socket *socket);

#endif /* SK_CLIENT_SOCKET_H */
