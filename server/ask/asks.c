#include "server/ask/asks.h"

#include <stdlib.h>

#include "common/base/status.h"
#include "server/ask/thinkers.h"

struct asks {
    struct bot_port port; /* first */
    struct asks_options options;
    struct ask_queue done;
    struct thinkers *thinkers;
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
    (void)port;
    return who->kind == BOT_OF_LEVEL ? NULL : "this server calls no web services";
}

static bool
ask_one(struct bot_port *port, struct bot_ask *ask)
{
    struct asks *asks = (struct asks *)(void *)port;

    if (ask->who.kind == BOT_OF_LEVEL) {
        return thinkers_put(asks->thinkers, ask);
    }
    ask->failure = BOT_FORBIDDEN; /* of a match from before the configuration changed */
    answered(asks, ask);
    return true;
}

/* ---- opening and closing ----------------------------------------------------------------- */

struct asks *
asks_open(const struct asks_options *options)
{
    struct asks *asks = calloc(1, sizeof(*asks));

    if (asks == NULL) {
        return NULL;
    }
    asks->port = (struct bot_port){ refuses, ask_one };
    asks->options = *options;
    ask_queue_init(&asks->done, ASKS_DONE_MAX);
    asks->thinkers = thinkers_open(answered, asks);
    if (asks->thinkers == NULL) {
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
