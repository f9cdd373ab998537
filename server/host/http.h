/*
 * The HTTP API: lists, matches, replays, rulesets, as JSON.
 *
 * A bearer token shows its owner what others may not see.  While a match is
 * on, its replay goes as far as spectators are; where a ruleset hides
 * things, it is there only when the match is over.
 */
#ifndef SK_HOST_HTTP_H
#define SK_HOST_HTTP_H

#include "server/host/session/session.h"

/* When the host ends. */
void http_documents_free(struct host *host);

#endif /* SK_HOST_HTTP_H */
