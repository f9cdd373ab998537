/*
 * Shows a finished match moment by moment, from any turn, at the pace that the
 * watcher wants; and answers what-if questions about it.
 *
 * The moments are made by server/review, several at a time, and wait here
 * until they are due.
 *
 * Owner:   a show belongs to its session.
 */
#ifndef SK_HOST_SESSION_SHOW_H
#define SK_HOST_SESSION_SHOW_H

#include "server/host/session/session.h"

/* Shows a finished match from frame->turn on; ends an earlier show. */
void show_begin(struct session *session, const struct frame_watch *frame);
void show_end(struct session *session);
bool show_is_of(const struct session *session, int64_t match);

/* Asks about a finished match; and answers, also about a running one. */
void show_what_if(struct session *session, const struct frame_what_if *frame);
void show_answer(struct session *session, const struct frame_head *to, int64_t match,
                 const struct what_if *answer);

#endif /* SK_HOST_SESSION_SHOW_H */
