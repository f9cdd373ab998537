/*
 * Answers to frames: errors, `done`, and answers that wait for the store.
 */
#ifndef SK_HOST_SESSION_REPLY_H
#define SK_HOST_SESSION_REPLY_H

#include "server/host/session/session.h"
#include "server/host/session/session_struct.h"

/* Sends an error, with the usual sentence of its code or with this message. */
void session_error(struct session *session, const struct frame_head *to, enum error_code code,
                   const char *more);
/* The same, with the time after which to try again. */
void session_error_until(struct session *session, const struct frame_head *to, enum error_code code,
                         const char *more, int32_t retry_ms);
/* For faulty params: the ruleset's own word becomes the check. */
void session_params_fault(struct session *session, const struct frame_head *to,
                          struct sk_fault *fault);
void session_fault(struct session *session, const struct frame_head *to,
                   const struct sk_fault *fault);

/* The same, with the name of the check that failed. */
void session_refusal(struct session *session, const struct frame_head *to, enum error_code code,
                     const char *check, int64_t match);

/* Sends `moved`: another node runs the match, at this path. */
void session_moved(struct session *session, const struct frame_head *to, int64_t match,
                   const char *path);

/* Sends `done`: the request is executed and stored. */
void session_done(struct session *session, const struct frame_head *to);

struct reply reply_to(const struct session *session, const struct frame_head *head);
struct reply *reply_keep(const struct session *session, const struct frame_head *head); /* heap */
struct session *reply_session(struct host *host, const struct reply *reply); /* NULL = gone */
struct frame_head reply_head(const struct reply *reply); /* points to the reply's id */

/* Each sends to the session, if it still exists. */
void reply_error(struct host *host, const struct reply *reply, enum error_code code);
void reply_done(struct host *host, const struct reply *reply);
void reply_moved(struct host *host, const struct reply *reply, int64_t match, const char *path);

/* A message that is handled again when the store has answered. */
struct kept_message {
    struct kept_message *next; /* in a list of its owner */
    struct reply reply;
    int64_t match; /* as in struct heard */
    uint32_t length;
    char text[];
};

/* Keeps the message that is being handled. */
struct kept_message *message_keep(const struct session *session, const struct frame_head *head);

/* Handles it now if the session still exists; or answers it with an error.  Frees it. */
void message_again(struct host *host, struct kept_message *kept);
void message_refuse(struct host *host, struct kept_message *kept, enum error_code code);

#endif /* SK_HOST_SESSION_REPLY_H */
