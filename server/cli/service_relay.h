/*
 * service_relay - between a server and a web service: passes questions and answers on, one at a
 * time, and plays tricks that a server, a network or a later version may play, too.
 *
 * Owner:   service_relay_open allocates and starts the thread, service_relay_close ends it and
 *          frees.  The address stays with the caller.
 * Threads: one of its own; all functions may be called from the one that opened it.
 */
#ifndef SK_CLI_SERVICE_RELAY_H
#define SK_CLI_SERVICE_RELAY_H

#include "server/cli/relay.h"

struct service_relay;

/* NULL: there is no port or no thread. */
struct service_relay *service_relay_open(const char *service);
void service_relay_close(struct service_relay *relay);

/* The address for the server. */
const char *service_relay_url(const struct service_relay *relay);

/*
 * RELAY_REFUSES takes the next answer away and gives one that does not count; RELAY_CUTS takes
 * it away and breaks the connection.  Both only once.  RELAY_REPEATS asks everything twice
 * that is answered, RELAY_ADDS adds a member to each question.
 */
void service_relay_set_trick(struct service_relay *relay, enum relay_trick trick);

#endif /* SK_CLI_SERVICE_RELAY_H */
