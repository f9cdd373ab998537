/*
 * From a message to its handler: checks the rate, reads JSON and frame, expects
 * hello first, and calls the handler of the frame's type.
 */
#ifndef SK_HOST_DISPATCH_H
#define SK_HOST_DISPATCH_H

#include "server/host/session/session.h"

/* For host->handle: handles a parked message, if its session still exists. */
void handle_text(struct session *session, const struct heard *heard);

#endif /* SK_HOST_DISPATCH_H */
