#include "server/ask/asks.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/status.h"
#include "server/ask/thinkers.h"

struct asks {
    struct bot_port port; /* first */
    struct asks_options options;
    struct ask_queue done;
    struct thinkers *thinkers;
    struct services *services;
};

/* On any thread. */
static void
answered(void *context, struct bot_ask *ask)
{
    struct asks *asks = context;

    SK_ASSERT(ask_queue_put(&asks->done, ask));
    asks->options.wake(asks->options.context);
}

/* ---- the port ---------------------------------------------------------------------------- */

static const char *
refuses(struct bot_port *port, const struct bot_who *who)
{
    struct asks *asks = (struct asks *)(void *)port;

    return who->kind == BOT_OF_LEVEL ? NULL : services_refuse(asks->services, who);
}

static bool
ask_one(struct bot_port *port, struct bot_ask *ask)
{
    struct asks *asks = (struct asks *)(void *)port;

    return ask->who.kind == BOT_OF_LEVEL ? thinkers_put(asks->thinkers, ask)
                                         : services_put(asks->services, ask);
}

/* ---- opening and closing ----------------------------------------------------------------- */

struct asks *
asks_open(const struct asks_options *options, char error[SERVER_ERROR_MAX + 1])
{
    struct asks *asks = calloc(1, sizeof(*asks));

    (void)snprintf(error, SERVER_ERROR_MAX + 1, "no threads or no memory for bots");
    if (asks == NULL) {
        return NULL;
    }
    asks->port = (struct bot_port){ refuses, ask_one };
    asks->options = *options;
    ask_queue_init(&asks->done, ASKS_DONE_MAX);
    asks->thinkers = thinkers_open(answered, asks);
    asks->services =
        asks->thinkers == NULL ? NULL : services_open(&options->services, answered, asks, error);
    if (asks->services == NULL) {
        asks_close(asks);
        return NULL;
    }
    return asks;
}

void
asks_close(struct asks *asks)
{
    if (asks != NULL) {
        thinkers_close(asks->thinkers);
        services_close(asks->services);
        ask_queue_fini(&asks->done);
        free(asks);
    }
}

struct bot_port *
asks_port(struct asks *asks)
{
    return &asks->port;
}

struct bot_ask *
asks_take_done(struct asks *asks)
{
    return ask_queue_take_all(&asks->done);
}
