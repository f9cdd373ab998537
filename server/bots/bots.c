#include "server/bots/bots.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/status.h"
#include "server/bots/thinkers.h"
#include "server/memory.h"

struct bots {
    struct bot_port port; /* first */
    struct bots_options options;
    struct ask_queue done;
    struct thinkers *thinkers;
    struct services *services;
};

/* On any thread. */
static void
answered(void *context, struct bot_ask *ask)
{
    struct bots *bots = context;

    SK_ASSERT(ask_queue_put(&bots->done, ask));
    bots->options.wake(bots->options.context);
}

/* ---- the port ---------------------------------------------------------------------------- */

static const char *
refuses(struct bot_port *port, const struct bot_who *who)
{
    struct bots *bots = (struct bots *)(void *)port;

    return who->kind == BOT_OF_LEVEL ? NULL : services_refuse(bots->services, who);
}

static bool
ask_one(struct bot_port *port, struct bot_ask *ask)
{
    struct bots *bots = (struct bots *)(void *)port;

    return ask->who.kind == BOT_OF_LEVEL ? thinkers_put(bots->thinkers, ask)
                                         : services_put(bots->services, ask);
}

/* ---- opening and closing ----------------------------------------------------------------- */

struct bots *
bots_open(const struct bots_options *options, char error[SERVER_ERROR_MAX + 1])
{
    struct bots *bots = heap_memory(sizeof(*bots));

    (void)snprintf(error, SERVER_ERROR_MAX + 1, "not enough threads for bots");
    bots->port = (struct bot_port){ refuses, ask_one };
    bots->options = *options;
    ask_queue_init(&bots->done, BOTS_DONE_MAX);
    bots->thinkers = thinkers_open(answered, bots);
    bots->services =
        bots->thinkers == NULL ? NULL : services_open(&options->services, answered, bots, error);
    if (bots->services == NULL) {
        bots_close(bots);
        return NULL;
    }
    return bots;
}

void
bots_close(struct bots *bots)
{
    if (bots != NULL) {
        thinkers_close(bots->thinkers);
        services_close(bots->services);
        ask_queue_fini(&bots->done);
        free(bots);
    }
}

struct bot_port *
bots_port(struct bots *bots)
{
    return &bots->port;
}

struct bot_ask *
bots_take_done(struct bots *bots)
{
    return ask_queue_take_all(&bots->done);
}
