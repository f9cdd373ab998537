/*
 * The HTTP API: lists, matches, replays, rulesets, as JSON.
 *
 * With a bearer token the player also sees private matches of their own.  While
 * a match is running, its replay ends where spectators are; if the ruleset
 * hides anything, there is no replay until the match is over.
 *
 * Owner:   a request belongs to the caller of host_http_begin, until
 *          host_http_end.
 */
#ifndef SK_HOST_HTTP_H
#define SK_HOST_HTTP_H

#include "server/host/session/session.h"

/* Called when the host ends. */
void http_documents_free(struct host *host);

#endif /* SK_HOST_HTTP_H */
