#include "server/host/dispatch.h"

#include "server/host/lobby/create.h"
#include "server/host/lobby/lobby.h"
#include "server/host/lobby/queue.h"
#include "server/host/lobby/rematch.h"
#include "server/host/room/give.h"
#include "server/host/room/resume.h"
#include "server/host/room/settle.h"
#include "server/host/room/submit.h"
#include "server/host/room/talk.h"
#include "server/host/session/player.h"

static void
handle_ping(struct session *session, const union client_frame *frame)
{
    struct host *host = session->host;
    struct server_pong pong = {
        .head = frame->head,
        .time_ms = host_wall_ms(host),
    };

    pong.head.type = SERVER_PONG;
    session_send_frame(session, &pong);
}

/* Whose frame it may be. */
enum sender {
    ANYBODY,   /* also before hello */
    SPECTATOR, /* everybody who has said hello */
    PLAYER,
};

struct handler {
    frame_handler *run;
    enum sender sender;
    bool is_measured; /* may take long: the loop's time is charged to the sender */
};

static const struct handler handlers[FRAME_COUNT] = {
    [FRAME_HELLO] = { handle_hello, ANYBODY, false },
    [FRAME_RENEW_TOKEN] = { handle_renew_token, PLAYER, false },
    [FRAME_CREATE] = { handle_create, PLAYER, true },
    [FRAME_JOIN] = { handle_join, PLAYER, true },
    [FRAME_LEAVE] = { handle_leave, SPECTATOR, false },
    [FRAME_WATCH] = { handle_watch, SPECTATOR, true },
    [FRAME_QUEUE] = { handle_queue, PLAYER, true },
    [FRAME_LIST] = { handle_list, SPECTATOR, true },
    [FRAME_SUBMIT] = { handle_submit, PLAYER, false },
    [FRAME_WITHDRAW] = { handle_withdraw, PLAYER, false },
    [FRAME_HINTS] = { handle_hints, PLAYER, true },
    [FRAME_WHAT_IF] = { handle_what_if, PLAYER, true },
    [FRAME_RESIGN] = { handle_resign, PLAYER, false },
    [FRAME_OFFER_DRAW] = { handle_offer_draw, PLAYER, false },
    [FRAME_ANSWER_DRAW] = { handle_answer_draw, PLAYER, false },
    [FRAME_REMATCH] = { handle_rematch, PLAYER, true },
    [FRAME_CLAIM] = { handle_claim, PLAYER, false },
    [FRAME_CHAT] = { handle_chat, PLAYER, false },
    [FRAME_MUTE] = { handle_mute, PLAYER, false },
    [FRAME_RESUME] = { handle_resume, SPECTATOR, true },
    [FRAME_PING] = { handle_ping, ANYBODY, false },
};

/* ---- messages ---------------------------------------------------------------------------- */

/* Finds the `id` of a message that cannot be read, for the answer to it. */
static struct frame_head
head_of_unread(const char *text, size_t length, char id[FRAME_ID_MAX + 1])
{
    bool has_id = sk_frame_find_id(text, length, id);

    return (struct frame_head){ .has_id = has_id, .id = sk_text_of(has_id ? id : "") };
}

/* A client that only sends malformed frames is disconnected. */
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
    int64_t from_us;

    if (handler->sender != ANYBODY && session->phase != SESSION_READY) {
        session_error(session, &frame->head, ERROR_HELLO_FIRST, NULL);
        return;
    }
    if (handler->sender == PLAYER && session->player == NULL) {
        session_error(session, &frame->head, ERROR_NOT_ALLOWED,
                      "this connection only watches; to play, connect with a name or a token");
        return;
    }
    session->host->counters.frames[frame->head.type]++;
    if (handler->is_measured) {
        from_us = host_cpu_us(session->host);
        handler->run(session, frame);
        rate_charge(session, 0, host_cpu_us(session->host) - from_us);
    } else {
        handler->run(session, frame);
    }
}

static bool
carries_params(uint8_t type)
{
    return type == FRAME_CREATE || type == FRAME_QUEUE;
}

void
handle_text(struct session *session, const struct heard *heard)
{
    struct host *host = session->host;
    const char *text = heard->text.at;
    size_t length = heard->text.length;
    union client_frame frame;
    struct sk_value *json;
    struct sk_fault fault;
    char id[FRAME_ID_MAX + 1];

    if (session->phase == SESSION_CLOSING) {
        return;
    }
    host->work.arena.used = 0;
    if (sk_json_parse(text, length, &json, &fault) != SK_OK) {
        frame.head = head_of_unread(text, length, id);
        malformed(session, &frame.head, &fault);
        return;
    }
    if (sk_frame_read(json, &host->work.arena, &frame, &fault) != SK_OK) {
        malformed(session, &frame.head, &fault);
    } else if (length > FRAME_BYTES_MAX && !carries_params(frame.head.type)) {
        session_error(session, &frame.head, ERROR_TOO_LARGE, NULL);
    } else {
        host->heard = *heard;
        if (frame.head.type == FRAME_JOIN && !frame.join.has_match) {
            frame.join.match = heard->match;
        }
        dispatch(session, &frame);
    }
    sk_json_free(json);
}

void
host_message(struct session *session, const char *text, size_t length)
{
    char id[FRAME_ID_MAX + 1];
    const char *refusal;
    int32_t retry_ms;

    if (session->phase == SESSION_CLOSING) {
        return;
    }
    refusal = rate_refuses(session, &retry_ms);
    if (refusal != NULL) {
        struct frame_head head = head_of_unread(text, length, id);

        session_error_until(session, &head, ERROR_RATE_LIMITED, refusal, retry_ms);
        if (rate_is_flood(session, length)) {
            session_close(session, CLOSE_POLICY, "too many frames after many refusals");
        }
        return;
    }
    rate_charge(session, length, 0);
    handle_text(session, &(struct heard){ { text, (uint32_t)length }, 0 });
    rooms_settle(session->host);
}

size_t
host_message_max(const struct session *session)
{
    bool is_player = session->phase == SESSION_READY && session->player != NULL;

    return is_player ? FRAME_CREATE_BYTES_MAX : FRAME_BYTES_MAX;
}
