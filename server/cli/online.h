/*
 * online - a command's time on a running server: connect, work until it is
 * done or interrupted, say what went wrong.
 */
#ifndef SK_CLI_ONLINE_H
#define SK_CLI_ONLINE_H

#include "server/cli/tokens.h"
#include "server/client/client.h"

struct online {
    const char *command;    /* for what is said */
    const char *word;       /* what a guest is called; NULL = as the command */
    const char *token_file; /* NULL = this user's */
    const char *server;     /* whose tokens; NULL = those of its address */
    bool needs_match;       /* to go on with: who has none is not let in */
    bool is_short_lived;    /* the server goes away afterwards: no token is kept */
    struct client *client;
    struct tokens tokens;
    struct tokens_player player; /* who this is, and the match that was not over the last time */
    bool keeps_player;           /* its token is in the file */
    bool has_failed;
};

/*
 * Runs the client in online->client, and stops it at SIGINT and SIGTERM.  Who is
 * named is that player if the token is known, else a new one; who is not, is the
 * player of the last run, or a guest.  True = nothing went wrong.
 */
bool online_run(struct online *online, const struct client_options *options,
                const struct client_events *events, void *user);

/* Keeps the number of a match to go on with in another run; 0 = it is over. */
void online_remember(struct online *online, int64_t match);

/* Says why, once, and stops. */
void online_fail(struct online *online, const char *what, const char *why);

/* An `error` in words: the message, and where in the frame it is wrong. */
#define ONLINE_ERROR_MAX 511
void online_error_text(const struct sk_value *frame, char *ret_text, size_t size);

#endif /* SK_CLI_ONLINE_H */
