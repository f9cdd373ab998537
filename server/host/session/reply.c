#include "server/host/session/reply.h"

#include <stdlib.h>
#include <string.h>

#include "server/host/session/metrics.h"

static void
send_error(struct session *session, const struct frame_head *to, struct server_error *frame)
{
    frame->head.type = SERVER_ERROR;
    count_error(session->host, frame->code);
    if (to != NULL) {
        frame->head.has_id = to->has_id;
        frame->head.id = to->id;
    }
    session_send_frame(session, frame);
}

void
session_error_until(struct session *session, const struct frame_head *to, enum error_code code,
                    const char *more, int32_t retry_ms)
{
    struct server_error frame = {
        .code = sk_text_of(sk_error_code(code)),
        .message = sk_text_of(more == NULL ? sk_error_meaning(code) : more),
        .has_retry_ms = retry_ms > 0,
        .retry_ms = retry_ms,
    };

    send_error(session, to, &frame);
}

void
session_error(struct session *session, const struct frame_head *to, enum error_code code,
              const char *more)
{
    session_error_until(session, to, code, more, sk_error_retry_ms(code));
}

void
session_refusal(struct session *session, const struct frame_head *to, enum error_code code,
                const char *check, int64_t match)
{
    struct server_error frame = {
        .code = sk_text_of(sk_error_code(code)),
        .message = sk_text_of(sk_error_meaning(code)),
        .check = sk_text_of(check),
        .has_match = true,
        .match = match,
        .has_retry_ms = sk_error_retry_ms(code) > 0,
        .retry_ms = sk_error_retry_ms(code),
    };

    send_error(session, to, &frame);
}

void
session_fault(struct session *session, const struct frame_head *to, const struct sk_fault *fault)
{
    struct server_error frame = {
        .code = sk_text_of(fault->code),
        .message = sk_text_of(fault->message),
        .at = sk_text_of(fault->at),
    };

    send_error(session, to, &frame);
}

void
session_params_fault(struct session *session, const struct frame_head *to, struct sk_fault *fault)
{
    bool is_shape = strcmp(fault->code, sk_error_code(ERROR_MALFORMED)) == 0 ||
                    strcmp(fault->code, sk_error_code(ERROR_TOO_LARGE)) == 0;
    struct server_error frame = {
        .code = sk_text_of(is_shape ? fault->code : sk_error_code(ERROR_INVALID_PARAMS)),
        .message = sk_text_of(fault->message),
        .check = sk_text_of(is_shape ? "" : fault->code),
    };

    sk_fault_inside(fault, SK_TEXT("params"));
    frame.at = sk_text_of(fault->at);
    send_error(session, to, &frame);
}

/* ---- answers that wait for the store --------------------------------------------------------- */

void
session_done(struct session *session, const struct frame_head *to)
{
    struct frame_head frame = *to;

    frame.type = SERVER_DONE;
    session_send_frame(session, &frame);
}

void
session_moved(struct session *session, const struct frame_head *to, int64_t match, const char *path)
{
    struct server_moved frame = { .head = *to, .match = match, .path = sk_text_of(path) };

    frame.head.type = SERVER_MOVED;
    session_send_frame(session, &frame);
}

struct reply
reply_to(const struct session *session, const struct frame_head *head)
{
    struct reply reply = { .session = session->number, .has_id = head->has_id };

    if (head->has_id) {
        memcpy(reply.id, head->id.at, head->id.length);
    }
    return reply;
}

struct reply *
reply_keep(const struct session *session, const struct frame_head *head)
{
    struct reply *reply = heap_memory(sizeof(*reply));

    *reply = reply_to(session, head);
    return reply;
}

struct session *
reply_session(struct host *host, const struct reply *reply)
{
    return session_find(host, reply->session);
}

struct frame_head
reply_head(const struct reply *reply)
{
    return (struct frame_head){ .has_id = reply->has_id, .id = sk_text_of(reply->id) };
}

void
reply_error(struct host *host, const struct reply *reply, enum error_code code)
{
    struct session *session = reply_session(host, reply);
    struct frame_head head = reply_head(reply);

    if (session != NULL) {
        session_error(session, &head, code, NULL);
    }
}

void
reply_done(struct host *host, const struct reply *reply)
{
    struct session *session = reply_session(host, reply);
    struct frame_head head = reply_head(reply);

    if (session != NULL) {
        session_done(session, &head);
    }
}

void
reply_moved(struct host *host, const struct reply *reply, int64_t match, const char *path)
{
    struct session *session = reply_session(host, reply);
    struct frame_head head = reply_head(reply);

    if (session != NULL) {
        session_moved(session, &head, match, path);
    }
}

/* ---- messages that wait for the store -------------------------------------------------------- */

struct kept_message *
message_keep(const struct session *session, const struct frame_head *head)
{
    const struct heard *heard = &session->host->heard;
    struct kept_message *kept = heap_memory(sizeof(*kept) + heard->text.length);

    kept->reply = reply_to(session, head);
    kept->match = heard->match;
    kept->length = heard->text.length;
    memcpy(kept->text, heard->text.at, kept->length);
    return kept;
}

void
message_again(struct host *host, struct kept_message *kept)
{
    struct session *session = reply_session(host, &kept->reply);

    if (session != NULL) {
        host->handle(session, &(struct heard){ { kept->text, kept->length }, kept->match });
    }
    free(kept);
}

void
message_refuse(struct host *host, struct kept_message *kept, enum error_code code)
{
    reply_error(host, &kept->reply, code);
    free(kept);
}
