/*
 * How the host reaches a connection without knowing the transport.
 *
 * The net layer (and the simulation) opens a session for each WebSocket and
 * passes complete messages to it.  When the socket is writable it asks for the
 * next message.  The session calls back when it has something to write or wants
 * to close.
 *
 * Owner:   connections belong to the transport, sessions to the host; a
 *          message to whoever holds references to it.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_TRANSPORT_H
#define SK_HOST_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* The WebSocket close codes in use. */
enum close_code {
    CLOSE_NORMAL = 1000,
    CLOSE_GOING_AWAY = 1001,
    CLOSE_BAD_DATA = 1007,
    CLOSE_POLICY = 1008,
    CLOSE_TOO_BIG = 1009,
    CLOSE_TRY_AGAIN = 1013,
};

struct transport {
    /* The session has something to write: request a writable callback. */
    void (*want_write)(struct transport *transport, void *connection);

    /* Close once everything queued is written; `reason` is a literal. */
    void (*close)(struct transport *transport, void *connection, enum close_code code,
                  const char *reason);
};

/* One encoded message, shared by all outboxes that it is in. */
struct message {
    uint32_t references;
    uint32_t length;
    char *text; /* with `headroom` bytes before it that the transport may write to */
};

#endif /* SK_HOST_TRANSPORT_H */
