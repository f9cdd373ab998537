/*
 * How the host reaches a connection without knowing what carries it.
 *
 * The net layer (and the simulation) makes a struct session for each
 * WebSocket, hands it whole messages, asks it for the next message to write
 * when the socket can take one, and is told when a session wants to write or
 * to end.
 *
 * Threads: the loop's only.
 */
#ifndef SK_HOST_TRANSPORT_H
#define SK_HOST_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* WebSocket close codes that we use. */
enum close_code {
    CLOSE_NORMAL = 1000,
    CLOSE_GOING_AWAY = 1001,
    CLOSE_BAD_DATA = 1007,
    CLOSE_POLICY = 1008,
    CLOSE_TOO_BIG = 1009,
    CLOSE_TRY_AGAIN = 1013,
};

struct transport {
    /* The session has something to write: ask for a writable callback. */
    void (*want_write)(struct transport *transport, void *connection);

    /* Close after what is queued has been written; `reason` is a literal. */
    void (*close)(struct transport *transport, void *connection, enum close_code code,
                  const char *reason);
};

/* One encoded message, shared by all outboxes it waits in. */
struct message {
    uint32_t references;
    uint32_t length;
    char *text; /* with `headroom` bytes before it that the transport may write to */
};

#endif /* SK_HOST_TRANSPORT_H */
