/*
 * One non-blocking WebSocket connection of a client, with as little work per message as possible,
 * because the load must not be what is measured.
 *
 * Messages are passed on in the receive buffer; only an incomplete rest is kept after a read.
 * Outgoing data is masked and written at once; what the socket does not accept waits.
 *
 * Owner:   the caller; wire_close frees what a connection holds.
 * Threads: one at a time.
 */
#ifndef SK_BENCH_WIRE_H
#define SK_BENCH_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_phase {
    WIRE_CLOSED,
    WIRE_CONNECTING,
    WIRE_UPGRADING, /* the request is sent */
    WIRE_OPEN
};

struct wire {
    int epoll;
    void *user;       /* what epoll and the events say of it */
    const char *path; /* to ask for; the user's */
    int file;         /* -1 = none */
    enum wire_phase phase;
    bool wants_write; /* as registered with epoll */
    char *in;         /* an incomplete message */
    size_t in_length;
    size_t in_capacity;
    char *out; /* what the socket did not take */
    size_t out_length;
};

/* Callbacks; all may send. */
struct wire_events {
    void (*opened)(void *user);
    void (*message)(void *user, const char *text, size_t length);
};

/* False = it could not start. */
bool wire_connect(struct wire *wire, int epoll, uint16_t port, const char *path, void *user);

void wire_close(struct wire *wire);

/* Writes a text message.  Losses show in the next wire_work. */
void wire_send(struct wire *wire, const char *text, size_t length);

/* Handles events of epoll; false = the connection is lost. */
bool wire_work(struct wire *wire, uint32_t what, const struct wire_events *events);

/* How many sockets this process may have open. */
bool wire_allow(uint32_t count);

#endif /* SK_BENCH_WIRE_H */
