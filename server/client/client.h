/*
 * client - a connection to a running server, of a player or a spectator.
 *
 * It connects, says hello and passes on every frame.  After a lost connection it
 * reconnects with the same token and resumes every match that it follows from
 * the last frame seen.  So its user gets each frame of a match once, in order, or
 * a `state`.
 *
 * Of many nodes behind one address it is connected to one at a time.  When the
 * last match that it follows there has moved it goes to that node; when a node is
 * lost it asks any other.  Then `welcome` comes again: what was answered by
 * `moved` was not done, and is sent again by the user.
 *
 * It sends no faster than `welcome` allows.
 *
 * What was sent and not yet answered when a connection broke may be lost; the
 * frames that follow say what the server knows.
 *
 * Owner:   client_open allocates, client_close frees; all callbacks come
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
#define CLIENT_RETRIES_MAX 20 /* in a row; then it gives up */
#define CLIENT_ANSWER_MS   30000
#define CLIENT_MOVES_FREE  3        /* in a row without a pause */
#define CLIENT_MOVES_MAX   30       /* in a row; then it gives up */
#define CLIENT_ID          "client" /* of frames without an id */

struct client;

/* `frame` is the whole message, an object with a `type`; it is borrowed. */
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
    bool is_spectator; /* has neither name nor token */
    const char *code;  /* of the private match that a spectator follows, or NULL */
};

/* Nothing is sent before client_run.  An invalid URL is a fault. */
enum sk_status client_open(const struct client_options *options, const struct client_events *events,
                           void *user, struct client **ret_client, struct sk_fault *ret_fault);
void client_close(struct client *client);

/* Runs until client_stop.  A fault says why it could not connect, or why the server refused the
 * player. */
enum sk_status client_run(struct client *client, struct sk_fault *ret_fault);
void client_stop(struct client *client);

/* Stops as soon as everything sent is answered, the hello too, and the frames that follow the
 * answers have come.  No answer within CLIENT_ANSWER_MS is a fault. */
void client_finish(struct client *client);

/* Writes a frame; what it points to may go away at once. */
void client_send(struct client *client, const union client_frame *frame);

/* The same with a frame's text, which has an `id`. */
void client_send_text(struct client *client, struct sk_text text);

/* The token of the player, once welcome. */
const char *client_token(const struct client *client);
const char *client_name(const struct client *client);

/* Is it welcome on a connection?  What is sent without one is lost. */
bool client_is_connected(const struct client *client);

/* The match need not be followed any longer after a broken connection. */
void client_forget(struct client *client, int64_t match);

#endif /* SK_CLIENT_H */
