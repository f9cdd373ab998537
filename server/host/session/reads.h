/*
 * What is read for one session or HTTP request, apart from the writer: its
 * address pays for it.
 */
#ifndef SK_HOST_SESSION_READS_H
#define SK_HOST_SESSION_READS_H

#include "server/host/session/session.h"

/* May the session cause what other threads take long for?  Else it is told when. */
bool session_may_read(struct session *session, const struct frame_head *to);

/* As host_submit, of a job that is apart, whose work the session's address pays for: call
 * read_back when it is done. */
bool session_read(struct session *session, struct store_job *job);
void read_back(struct host *host, struct store_job *job);

/* Counts one more of the address's reads; the limit that refuses it, or LIMIT_COUNT. */
enum host_limit read_begins(struct host *host, struct rate *rate);
void read_ends(struct host *host, struct rate *rate);

#endif /* SK_HOST_SESSION_READS_H */
