/*
 * asks - the daemon's side of the host's bot port: who answers a question,
 * and how the answer comes back to the loop.
 *
 * Questions go to the server's own bots (thinkers.h), or to web services
 * (services.h) where the operator allows that.
 *
 * Owner:   asks_open's caller; it must live until the host asks no more.
 * Threads: the loop's, except what its parts run on threads of their own;
 *          `wake` is called there whenever answers are ready.
 */
#ifndef SK_ASKS_H
#define SK_ASKS_H

#include "server/ask/services.h"
#include "server/host/bot_port.h"

#define ASKS_DONE_MAX 65536u /* answers that wait for the loop: as many as can be under way */

struct asks;

struct asks_options {
    struct services_options services;
    void (*wake)(void *context);
    void *context;
};

/* NULL with a message when the options are wrong, or there are no threads. */
struct asks *asks_open(const struct asks_options *options, char error[SERVER_ERROR_MAX + 1]);

/* Questions that are not answered are freed.  NULL is fine. */
void asks_close(struct asks *asks);

struct bot_port *asks_port(struct asks *asks);

/* Those that are answered, linked by `next`, or NULL: for host_bot_answered. */
struct bot_ask *asks_take_done(struct asks *asks);

#endif /* SK_ASKS_H */
