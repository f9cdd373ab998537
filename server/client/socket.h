/*
 * client_socket - a WebSocket to a server: whole messages in and out.
 *
 * It knows nothing about the messages.  It is the only client file that includes
 * libwebsockets: those headers conflict with ours (OpenSSL has an sk_value, too).
 *
 * Owner:   client_socket_open allocates, client_socket_close frees; all
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

/* Connects after `wait_ms`. */
void client_socket_connect(struct client_socket *socket, uint32_t wait_ms);

/* Connects to this path of the same address from now on; NULL = to that of the URL. */
void client_socket_path(struct client_socket *socket, const char *path);

/* Ends the connection; `lost` follows. */
void client_socket_cut(struct client_socket *socket);

/* Sends; drops the message when there is no connection. */
void client_socket_send(struct client_socket *socket, const char *text, size_t length);

/*
 * Limits this connection to `per_second` messages, and `burst` at once; 0 = no limit.  The server
 * counts a message some time before it answers, so a message is under way until its answer.  The
 * caller reports each answer; `refused` means that the message came too fast.
 */
void client_socket_pace(struct client_socket *socket, int32_t per_second, int32_t burst);
void client_socket_answered(struct client_socket *socket);
void client_socket_refused(struct client_socket *socket, int32_t retry_ms);

/* Waits for events and handles them; false = the loop failed. */
bool client_socket_work(struct client_socket *socket);

#endif /* SK_CLIENT_SOCKET_H */
