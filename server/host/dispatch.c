/*
 * From a message to its handler: rate, JSON, frame, hello, dispatch.
 */
#include <stdlib.h>
#include <string.h>

#include "server/host/room.h"

struct handler {
    frame_handler *run;
    bool before_hello;
    bool is_measured; /* it may take long, so the loop's time is counted against the sender */
};

static const struct handler handlers[FRAME_COUNT] = {
    [FRAME_HELLO] = { handle_hello, true, false },
    [FRAME_RENEW_TOKEN] = { handle_renew_token, false, false },
    [FRAME_CREATE] = { handle_create, false, true },
    [FRAME_JOIN] = { handle_join, false, true },
    [FRAME_LEAVE] = { handle_leave, false, false },
    [FRAME_WATCH] = { handle_watch, false, true },
    [FRAME_QUEUE] = { handle_queue, false, true },
    [FRAME_LIST] = { handle_list, false, true },
    [FRAME_SUBMIT] = { handle_submit, false, false },
    [FRAME_WITHDRAW] = { handle_withdraw, false, false },
    [FRAME_HINTS] = { handle_hints, false, true },
    [FRAME_WHAT_IF] = { handle_what_if, false, true },
    [FRAME_RESIGN] = { handle_resign, false, false },
    [FRAME_OFFER_DRAW] = { handle_offer_draw, false, false },
    [FRAME_ANSWER_DRAW] = { handle_answer_draw, false, false },
    [FRAME_REMATCH] = { handle_rematch, false, true },
    [FRAME_CLAIM] = { handle_claim, false, false },
    [FRAME_CHAT] = { handle_chat, false, false },
    [FRAME_MUTE] = { handle_mute, false, false },
    [FRAME_RESUME] = { handle_resume, false, true },
    [FRAME_PING] = { handle_ping, true, false },
};

/* ---- errors ------------------------------------------------------------------------------ */

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

/* ---- answers that wait for the store ------------------------------------------------------- */

void
session_done(struct session *session, const struct frame_head *to)
{
    struct frame_head frame = *to;

    frame.type = SERVER_DONE;
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

/* ---- messages ---------------------------------------------------------------------------- */

/* The answer goes to the `id` of a message that is not read, if one can be found. */
static struct frame_head
head_of_unread(struct host *host, const char *text, size_t length, char id[FRAME_ID_MAX + 1])
{
    bool has_id = sk_frame_find_id(&host->reader, text, length, id);

    return (struct frame_head){ .has_id = has_id, .id = sk_text_of(has_id ? id : "") };
}

/* A client that cannot write frames is not helped by being told for ever. */
static void
malformed(struct session *session, const struct frame_head *to, const struct sk_fault *fault)
{
    session_fault(session, to, fault);
    session->host->counters.malformed++;
    if (++session->malformed >= session->host->options.malformed_max) {
        session_close(session, CLOSE_POLICY, "too many malformed messages");
    }
}

static void
dispatch(struct session *session, const union client_frame *frame)
{
    const struct handler *handler = &handlers[frame->head.type];
    const struct host_world *world = &session->host->world;

    if (!handler->before_hello && session->phase != SESSION_READY) {
        session_error(session, &frame->head, ERROR_HELLO_FIRST, NULL);
        return;
    }
    session->host->counters.frames[frame->head.type]++;
    if (handler->is_measured && world->cpu_us != NULL) {
        int64_t from_us = world->cpu_us(world->context);

        handler->run(session, frame);
        rate_charge(session, 0, world->cpu_us(world->context) - from_us);
    } else {
        handler->run(session, frame);
    }
}

static bool
carries_params(uint8_t type)
{
    return type == FRAME_CREATE || type == FRAME_QUEUE;
}

static void
handle_text(struct session *session, const char *text, size_t length)
{
    struct host *host = session->host;
    union client_frame frame;
    struct sk_value *json;
    struct sk_fault fault;
    char id[FRAME_ID_MAX + 1];

    memset(&frame, 0, sizeof(frame));
    host->arena.used = 0;
    if (sk_json_parse(&host->reader, text, length, &json, &fault) != SK_OK) {
        frame.head = head_of_unread(host, text, length, id);
        malformed(session, &frame.head, &fault);
        return;
    }
    if (sk_frame_read(json, &host->arena, &frame, &fault) != SK_OK) {
        malformed(session, &frame.head, &fault);
    } else if (length > FRAME_BYTES_MAX && !carries_params(frame.head.type)) {
        session_error(session, &frame.head, ERROR_TOO_LARGE, NULL);
    } else {
        host->message = (struct sk_text){ text, (uint32_t)length };
        dispatch(session, &frame);
    }
    sk_json_free(json);
}

void
host_message(struct host *host, struct session *session, const char *text, size_t length)
{
    char id[FRAME_ID_MAX + 1];
    const char *refusal;
    int32_t retry_ms;

    if (session->phase == SESSION_CLOSING) {
        return;
    }
    refusal = rate_refuses(session, &retry_ms);
    if (refusal != NULL) {
        struct frame_head head = head_of_unread(host, text, length, id);

        session_error_until(session, &head, ERROR_RATE_LIMITED, refusal, retry_ms);
        return;
    }
    rate_charge(session, length, 0);
    handle_text(session, text, length);
}

/* A room that is being loaded hears of the message again once it is there. */
void
host_park(struct session *session, struct room *room)
{
    struct sk_text message = session->host->message;

    room_park(room, session, message.at, message.length);
}

void
host_unpark(struct session *session, const char *text, size_t length)
{
    if (session->phase != SESSION_CLOSING) {
        handle_text(session, text, length);
    }
}

size_t
host_message_max(const struct session *session)
{
    return session->phase == SESSION_READY ? FRAME_CREATE_BYTES_MAX : FRAME_BYTES_MAX;
}

void
handle_ping(struct session *session, const union client_frame *frame)
{
    struct host *host = session->host;
    struct server_pong pong = {
        .head = frame->head,
        .time_ms = host->world.wall_ms(host->world.context),
    };

    pong.head.type = SERVER_PONG;
    session_send_frame(session, &pong);
}
