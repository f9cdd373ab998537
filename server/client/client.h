/*
 * client - a player's connection to a running server.
 *
 * It connects, says hello, hands over every frame that comes, and keeps on:
 * a connection that breaks is made again with the same token, and every
 * match that was followed is resumed from the last frame seen.  So whoever
 * uses it gets each frame of a match once, in order, or a `state`.
 *
 * It sends no faster than the server hears, which `welcome` says.
 *
 * What was sent and not yet answered when a connection broke may be lost; the
 * frames that follow say what the server knows.
 *
 * Owner:   client_open allocates, client_close gives back; all callbacks come
 *          from within client_run.
 * Threads: one.
 */
#ifndef SK_CLIENT_H
#define SK_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "proto/frames.h"
#include "proto/json_value.h"
#include "server/client/socket.h"

#define CLIENT_URL_DEFAULT "ws://127.0.0.1:7777/"
#define CLIENT_RETRIES_MAX 20 /* in a row; then the server is gone */
#define CLIENT_ANSWER_MS   30000
#define CLIENT_ID          "client" /* of a frame that was given none */

struct client;

/* Who is told.  `frame` is the whole message, an object with a `type`; it is borrowed. */
struct client_events {
    /* Said hello; matches that were followed are being resumed if `is_again`. */
    void (*welcome)(void *user, bool is_again);
    void (*frame)(void *user, const struct sk_value *frame);
    void (*tick)(void *user); /* every CLIENT_TICK_MS; may be NULL */
};

struct client_options {
    const char *url;
    const char *name;  /* of a new player */
    const char *token; /* of one who comes back, or NULL; a server that does not know it, because
                          its database is another one, gets a new player of that name */
    bool is_bot;
};

/* Nothing is sent before client_run.  A URL that is none is a fault. */
enum sk_status client_open(const struct client_options *options, const struct client_events *events,
                           void *user, struct client **ret_client, struct sk_fault *ret_fault);
void client_close(struct client *client);

/* Works until client_stop; or until there is no connection to be had, or the server refuses the
 * player: then it is a fault that says why. */
enum sk_status client_run(struct client *client, struct sk_fault *ret_fault);
void client_stop(struct client *client);

/* Stops as soon as all that was sent is answered, the hello and what answers lead to included.  No
 * answer in CLIENT_ANSWER_MS is a fault. */
void client_finish(struct client *client);

/* Writes a frame; what it points to may go away at once. */
void client_send(struct client *client, const union client_frame *frame);

/* The same with a frame's text, which has an `id`. */
void client_send_text(struct client *client, struct sk_text text);

/* The token of the player, once welcome. */
const char *client_token(const struct client *client);
const char *client_name(const struct client *client);

/* The match need not be followed any longer after a broken connection. */
void client_forget(struct client *client, int64_t match);

#endif /* SK_CLIENT_H */
