/*
 * orders - what a person sends for a seat, kept until it is answered.
 *
 * Every frame has a command_id, so it can be sent again on the next connection
 * and takes effect once.
 *
 * Owner:   the caller; begins zeroed but for the prefix, orders_fini frees.
 * Threads: one.
 */
#ifndef SK_CLI_ORDERS_H
#define SK_CLI_ORDERS_H

#include "server/cli/choices.h"
#include "server/client/client.h"

struct orders {
    uint32_t prefix; /* of command ids: another one for each run */
    uint32_t count;
    char *unanswered; /* the last frame, or NULL */
};

void orders_fini(struct orders *orders);

void orders_submit(struct orders *orders, struct client *client, int64_t match, int32_t turn,
                   const struct choices *choices);
void orders_resign(struct orders *orders, struct client *client, int64_t match);

/* After a broken connection.  If the turn is another by now, the server says so. */
void orders_send_again(const struct orders *orders, struct client *client);

/* Any frame from the server: perhaps the answer. */
void orders_take(struct orders *orders, const struct sk_value *frame);

#endif /* SK_CLI_ORDERS_H */
