/*
 * online - a command's time on a running server: connect, work until it is
 * done or interrupted, say what went wrong.
 */
#ifndef SK_CLI_ONLINE_H
#define SK_CLI_ONLINE_H

#include "server/client/client.h"

struct online {
    const char *command; /* for what is said */
    struct client *client;
    bool has_failed;
};

/* Runs the client in online->client, and stops it at SIGINT and SIGTERM.  A player without a name
 * gets that of a guest.  True = nothing went wrong. */
bool online_run(struct online *online, const struct client_options *options,
                const struct client_events *events, void *user);

/* Says why, once, and stops. */
void online_fail(struct online *online, const char *what, const char *why);

#endif /* SK_CLI_ONLINE_H */
