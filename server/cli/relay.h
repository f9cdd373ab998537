/*
 * relay - between a bot and a server: passes on what both say, looks at what the server says, can
 * cut or delay it, and plays tricks that a server, a network or a later version may play, too.
 *
 * It accepts connections on a free port of this machine, and opens one to the server for each.
 *
 * Owner:   relay_open allocates and starts the thread, relay_close ends it and frees.
 * Threads: one of its own; all functions may be called from the one that opened it.
 */
#ifndef SK_CLI_RELAY_H
#define SK_CLI_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RELAY_WORDS_MAX 255
#define RELAY_NOTES_MAX 8
#define RELAY_URL_MAX   63

struct relay;

/* One kind of thing that the server told the bot. */
struct relay_note {
    char word[64];                  /* the code of an error, or the verdict of a refused command */
    char text[RELAY_WORDS_MAX + 1]; /* what the server said, or the check */
    uint32_t count;
};

struct relay_report {
    uint32_t connections;
    uint64_t sent;      /* bytes from the bot */
    uint64_t sent_held; /* those that came while nothing was passed on to it */
    int32_t turn;       /* whose commands were accepted last */
    struct relay_note errors[RELAY_NOTES_MAX];
    struct relay_note refusals[RELAY_NOTES_MAX];
};

/* `server` is an address like http://127.0.0.1:7777/.  NULL: there is no port or no thread. */
struct relay *relay_open(const char *server);
void relay_close(struct relay *relay);

/* The address for the bot. */
const char *relay_url(const struct relay *relay);

/* Cuts all connections, and accepts none for this long.  They are cut when it returns. */
void relay_cut(struct relay *relay, int64_t closed_ms);

/* Passes nothing on from the server for this long, after the bot's next text; 0 = no more. */
void relay_hold(struct relay *relay, int64_t held_ms);

#define RELAY_VERDICT "out_of_bounds"

enum relay_trick {
    RELAY_NO_TRICK,
    RELAY_REFUSES, /* the next commands, all of them; then none */
    RELAY_REPEATS, /* each turn: the one before it follows, and the turn again */
    RELAY_ADDS,    /* a member to each frame, and a frame of an unknown type after each turn */
    RELAY_CUTS,    /* the connection to a web service, once */
};

#define RELAY_MORE \
    "{\"from_a_later_version\":{\"list\":[1,null,\"x\"]}," /* a message that begins so */

void relay_set_trick(struct relay *relay, enum relay_trick trick);

/* For relays: a free port of this machine, or -1; and all of the bytes, or false. */
int relay_listen(const char *scheme, char ret_url[RELAY_URL_MAX + 1]);
bool relay_send(int to, const char *at, size_t length);

/* What happened since the last call. */
void relay_take(struct relay *relay, struct relay_report *ret_report);

/* The same, and it stays. */
void relay_look(struct relay *relay, struct relay_report *ret_report);

#endif /* SK_CLI_RELAY_H */
