/*
 * A match that is over, shown again: moment by moment at the pace that its
 * watcher wishes, from any turn; and asked what would have been.
 *
 * What is shown is made elsewhere (see server/review), a page of moments at a
 * time; here they wait until they are due.
 */
#ifndef SK_HOST_SESSION_SHOW_H
#define SK_HOST_SESSION_SHOW_H

#include "server/host/session/session.h"

/* A match that is over, from frame->turn on; the one that was shown ends. */
void show_begin(struct session *session, const struct frame_watch *frame);
void show_end(struct session *session);
bool show_is_of(const struct session *session, int64_t match);

void show_what_if(struct session *session, const struct frame_what_if *frame);

#endif /* SK_HOST_SESSION_SHOW_H */
