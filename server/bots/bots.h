/*
 * bots - the daemon's side of the host's bot port: who answers a question,
 * and how the answer comes back to the loop.
 *
 * Questions go to the server's own bots (thinkers.h), or to web services
 * (services.h) where the operator allows that.
 *
 * Owner:   bots_open's caller; it must live longer than the host.
 * Threads: the loop's, except what its parts run on threads of their own;
 *          `wake` is called there whenever answers are ready.
 */
#ifndef SK_BOTS_H
#define SK_BOTS_H

#include "server/bots/services.h"
#include "server/host/bot_port.h"

#define BOTS_DONE_MAX 65536u /* answers that wait for the loop: as many as can be under way */

struct bots;

struct bots_options {
    struct services_options services;
    void (*wake)(void *context);
    void *context;
};

/* NULL with a message when the options are wrong, or there are no threads. */
struct bots *bots_open(const struct bots_options *options, char error[SERVER_ERROR_MAX + 1]);

/* Questions that are not answered are freed.  NULL is allowed. */
void bots_close(struct bots *bots);

struct bot_port *bots_port(struct bots *bots);

/* Those that are answered, linked by `next`, or NULL: for host_bot_answered. */
struct bot_ask *bots_take_done(struct bots *bots);

#endif /* SK_BOTS_H */
