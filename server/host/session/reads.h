/*
 * Reads for a session or an HTTP request, on other threads than the writer's;
 * charged to its address.
 *
 * Owner:   as with host_submit, the job moves with the call.
 */
#ifndef SK_HOST_SESSION_READS_H
#define SK_HOST_SESSION_READS_H

#include "server/host/session/session.h"

/* Whether the session may start a read.  If not, an error with the time to retry is sent. */
bool session_may_read(struct session *session, const struct frame_head *to);

/* Like host_submit, for a job on another thread, charged to the session's address.  Its `done`
 * must call read_back. */
bool session_read(struct session *session, struct store_job *job);
void read_back(struct host *host, struct store_job *job);

/* Counts one more read of the address.  Returns the limit that is exceeded, or LIMIT_COUNT. */
enum host_limit read_begins(struct host *host, struct rate *rate);
void read_ends(struct host *host, struct rate *rate);

#endif /* SK_HOST_SESSION_READS_H */
