/*
 * Which params are rated: the ruleset's default, and those that the operator
 * lists.
 */
#ifndef SK_HOST_LOBBY_RATED_H
#define SK_HOST_LOBBY_RATED_H

#include "server/host/session/session.h"

/* Whether matches with these params are rated. */
bool rated_is_allowed(struct host *host, const struct shared_config *config);
void rated_free(struct host *host);

#endif /* SK_HOST_LOBBY_RATED_H */
