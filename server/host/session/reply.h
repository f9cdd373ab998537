/*
 * Answers to frames: errors, `done`, and answers that wait for the store.
 */
#ifndef SK_HOST_SESSION_REPLY_H
#define SK_HOST_SESSION_REPLY_H

#include "server/host/session/session.h"
#include "server/host/session/session_struct.h"

/* An error with its code's sentence, or more about it. */
void session_error(struct session *session, const struct frame_head *to, enum error_code code,
                   const char *more);
/* The same where it is known when trying again makes sense. */
void session_error_until(struct session *session, const struct frame_head *to, enum error_code code,
                         const char *more, int32_t retry_ms);
/* What is wrong with params: the ruleset's own word stands as the check. */
void session_params_fault(struct session *session, const struct frame_head *to,
                          struct sk_fault *fault);
void session_fault(struct session *session, const struct frame_head *to,
                   const struct sk_fault *fault);

/* The same with the name of the check that refused it. */
void session_refusal(struct session *session, const struct frame_head *to, enum error_code code,
                     const char *check, int64_t match);

/* What was asked for is done and stored. */
void session_done(struct session *session, const struct frame_head *to);

struct reply reply_to(const struct session *session, const struct frame_head *head);
struct session *reply_session(struct host *host, const struct reply *reply); /* NULL = gone */
struct frame_head reply_head(const struct reply *reply); /* its id is the reply's */

/* To who is still there. */
void reply_error(struct host *host, const struct reply *reply, enum error_code code);
void reply_done(struct host *host, const struct reply *reply);

#endif /* SK_HOST_SESSION_REPLY_H */
