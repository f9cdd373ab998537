/*
 * online - runs a command as a player or a spectator on a server: connects, works until the
 * command is done or interrupted, and prints errors.
 */
#ifndef SK_CLI_ONLINE_H
#define SK_CLI_ONLINE_H

#include "server/cli/tokens.h"
#include "server/client/client.h"
#include "server/client/look.h"

struct online {
    const char *command;    /* its name, for messages */
    const char *word;       /* what a guest is called; NULL = as the command */
    const char *token_file; /* NULL = this user's */
    const char *server;     /* whose tokens; NULL = those of its address */
    bool needs_match;       /* to continue: without one it fails */
    bool is_short_lived;    /* the server stops afterwards: no token is saved */
    struct client *client;
    struct tokens tokens;
    struct tokens_player player; /* who this is, and the match that was not over the last time */
    bool keeps_player;           /* its token is in the file */
    bool has_failed;
};

/*
 * Runs the client in online->client, and stops it at SIGINT and SIGTERM.  With a
 * name it is that player if the token is known, else a new one.  Without, it is the
 * player of the last run, or a guest.  True = nothing failed.
 */
bool online_run(struct online *online, const struct client_options *options,
                const struct client_events *events, void *user);

/* Hands a frame to the row of its type in a table of { type, take }; others are ignored. */
#define ONLINE_TAKE(table, user, frame)                                   \
    for (size_t row = 0; row < sizeof(table) / sizeof(*(table)); row++) { \
        if (look_says((frame), "type", (table)[row].type)) {              \
            (table)[row].take((user), (frame));                           \
            break;                                                        \
        }                                                                 \
    }

/* Saves the number of a match to continue in another run; 0 = it is over. */
void online_remember(struct online *online, int64_t match);

/* Prints the first error and stops. */
void online_fail(struct online *online, const char *what, const char *why);

struct json_object;

/* A frame `create`, to which more can be added; `params` is a JSON object or NULL. */
struct json_object *online_create(const char *id, const char *ruleset, const char *params);

/* What `seats` of it says of a bot: `kind` is level, http or name. */
struct json_object *online_bot(const char *kind, const char *word);

/* Sends a frame and frees it. */
void online_send_json(struct online *online, struct json_object *frame);

/* For names and ids that no other run uses. */
uint32_t online_unique_number(void);

/* An `error` in words: the message, and where in the frame it is wrong. */
#define ONLINE_ERROR_MAX 511
void online_error_text(const struct sk_value *frame, char *ret_text, size_t size);

#endif /* SK_CLI_ONLINE_H */
