/*
 * Commands that the host gives for a seat: resign, abandon, agree_draw.
 *
 * Whoever asked for one hears `done` when the turn that it makes is stored.
 * While another turn is on its way there it waits for the next one.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "server/host/room.h"

/* ---- who asked --------------------------------------------------------------------------- */

/* Takes an asker out and answers him: `code` ERROR_COUNT = done. */
static void
answer_asker(struct room *room, struct asker **at, enum error_code code)
{
    struct asker *asker = *at;
    struct session *session = reply_session(room->host, &asker->reply);
    struct frame_head head = reply_head(&asker->reply);

    *at = asker->next;
    if (code != ERROR_COUNT && asker->command_id[0] != '\0' && !asker->is_repeat) {
        room_forget_id(room, asker->seat, sk_text_of(asker->command_id));
    }
    if (session != NULL && code == ERROR_COUNT) {
        session_done(session, &head);
    } else if (session != NULL) {
        session_error(session, &head, code,
                      code == ERROR_NOT_ALLOWED ? "the rules make nothing of it" : NULL);
    }
    free(asker);
}

/* Who came while the turn was on its way waits for the next, if there is one. */
void
room_answer_askers(struct room *room)
{
    struct asker **at = &room->askers;

    while (*at != NULL) {
        if ((*at)->is_served) {
            answer_asker(room, at, ERROR_COUNT);
        } else if (room->phase != ROOM_RUNNING) {
            answer_asker(room, at, ERROR_MATCH_OVER);
        } else {
            at = &(*at)->next;
        }
    }
}

/* A seat may have thought better of it: who agrees and then resigns, resigns. */
static bool
is_given(const struct pending_turn *pending, const struct asker *asker)
{
    uint32_t given = pending->given[asker->seat];

    return given == asker->kind + 1u ||
           (given == SK_COMMAND_RESIGN + 1u && asker->kind == SK_COMMAND_ABANDON);
}

void
room_serve_askers(struct room *room, const struct pending_turn *pending)
{
    for (struct asker *asker = room->askers; asker != NULL; asker = asker->next) {
        asker->is_served = is_given(pending, asker);
    }
}

/* Has somebody asked for it who was too late for the turn? */
bool
room_is_asked_again(const struct room *room, uint8_t seat)
{
    const struct asker *asker = room->askers;

    while (asker != NULL && (asker->seat != seat || asker->is_served)) {
        asker = asker->next;
    }
    return asker != NULL;
}

/* That turn did not come to be; another one may be stored before they are served. */
void
room_askers_fall_back(struct room *room)
{
    for (struct asker *asker = room->askers; asker != NULL; asker = asker->next) {
        asker->is_served = false;
    }
}

void
room_forget_askers(struct room *room)
{
    while (room->askers != NULL) {
        struct asker *asker = room->askers;

        room->askers = asker->next;
        free(asker);
    }
}

void
room_refuse_askers(struct room *room, enum error_code code)
{
    for (struct asker *asker = room->askers; asker != NULL; asker = asker->next) {
        struct session *session = reply_session(room->host, &asker->reply);
        struct frame_head head = reply_head(&asker->reply);

        if (session != NULL) {
            session_error(session, &head, code, NULL);
        }
    }
    room_forget_askers(room);
}

static void
take_back(struct room *room, uint8_t kind, enum error_code code)
{
    struct asker **at = &room->askers;

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (room->given[seat] == kind + 1u) {
            room->given[seat] = 0;
        }
    }
    while (*at != NULL) {
        if ((*at)->kind == kind) {
            answer_asker(room, at, code);
        } else {
            at = &(*at)->next;
        }
    }
}

void
room_take_back(struct room *room, uint8_t kind)
{
    take_back(room, kind, ERROR_STORE_UNAVAILABLE);
}

void
room_take_back_all(struct room *room)
{
    for (uint8_t kind = 0; kind < SK_COMMAND_OWN; kind++) {
        take_back(room, kind, ERROR_NOT_ALLOWED);
    }
}

/* ---- giving ------------------------------------------------------------------------------ */

bool
room_is_ending(const struct room *room)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (room->given[seat] != 0) {
            return true;
        }
    }
    return false;
}

void
room_give(struct room *room, uint8_t seat, uint8_t kind)
{
    if (room->given[seat] != SK_COMMAND_RESIGN + 1u) { /* nobody takes that back */
        room->given[seat] = kind + 1u;
    }
    room_close_if_ready(room);
}

static struct asker *
add_asker(struct room *room, uint8_t seat, uint8_t kind, const struct session *session,
          const struct frame_head *head)
{
    struct asker *asker = host_memory(sizeof(*asker));

    asker->reply = reply_to(session, head);
    asker->seat = seat;
    asker->kind = kind;
    asker->next = room->askers;
    room->askers = asker;
    return asker;
}

void
room_give_for(struct room *room, uint8_t seat, uint8_t kind, const struct session *session,
              const struct frame_head *head)
{
    (void)add_asker(room, seat, kind, session, head);
    room_give(room, seat, kind);
}

/* ---- resigning --------------------------------------------------------------------------- */

/* The id is stored with the turn that the resignation makes. */
void
room_add_resignations(struct room *room, struct store_job *job, const struct pending_turn *pending)
{
    for (const struct asker *asker = room->askers; asker != NULL; asker = asker->next) {
        if (asker->command_id[0] != '\0' && !asker->is_repeat && is_given(pending, asker)) {
            room_record(room, job, RECORD_RESIGNED, asker->seat, &sk_record_nothing, asker)
                ->command_id = host_text(sk_text_of(asker->command_id));
        }
    }
}

const struct asker *
room_asker_of(const struct room *room, uint8_t seat, struct sk_text command_id)
{
    const struct asker *asker = room->askers;

    while (asker != NULL &&
           (asker->seat != seat || !sk_text_same(sk_text_of(asker->command_id), command_id))) {
        asker = asker->next;
    }
    return asker;
}

void
handle_resign(struct session *session, const union client_frame *any)
{
    const struct frame_resign *frame = &any->resign;
    struct room *room = handler_room(session, &frame->head, frame->match);
    struct gate_in in = { .session = session, .room = room, .turn = GATE_ANY_TURN };
    struct repeat repeat = { .kind = RECORD_RESIGNED, .command_id = frame->command_id };
    struct asker *asker;

    if (room == NULL) {
        return;
    }
    in.seat = room_seat_of(room, session);
    if (!room_pass_gate(&in, GATE_BEGIN, GATE_SEAT, &frame->head)) {
        return;
    }
    if (room_asker_of(room, in.seat, frame->command_id) != NULL) {
        asker = add_asker(room, in.seat, SK_COMMAND_RESIGN, session, &frame->head);
        asker->is_served = room_asker_of(room, in.seat, frame->command_id)->is_served;
        asker->is_repeat = true;
        return;
    }
    if (room_answer_repeat(session, room, in.seat, &frame->head, &repeat) ||
        !room_pass_gate(&in, GATE_SEAT, GATE_RUNS, &frame->head)) {
        return;
    }
    room_note_id(room, in.seat, frame->command_id);
    asker = add_asker(room, in.seat, SK_COMMAND_RESIGN, session, &frame->head);
    memcpy(asker->command_id, frame->command_id.at, frame->command_id.length);
    room_give(room, in.seat, SK_COMMAND_RESIGN);
}
