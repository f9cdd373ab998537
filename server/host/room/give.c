#include "server/host/room/give.h"

#include <string.h>

#include "proto/records.h"
#include "server/host/room/asks.h"
#include "server/host/room/audience.h"
#include "server/host/room/behind.h"
#include "server/host/room/gate.h"
#include "server/host/room/repeat.h"
#include "server/host/room/tell.h"
#include "server/host/room/turn.h"

/* ---- giving ------------------------------------------------------------------------------ */

static void
give_for(struct room *room, uint8_t seat, uint8_t kind, const struct session *session,
         const struct frame_head *head)
{
    (void)room_add_asker(room, seat, kind, session, head);
    room_give(room, seat, kind);
}

/* ---- resigning --------------------------------------------------------------------------- */

void
handle_resign(struct session *session, const union client_frame *any)
{
    const struct frame_resign *frame = &any->resign;
    struct repeat repeat = { .kind = RECORD_RESIGNED, .command_id = frame->command_id };
    uint8_t seat;
    struct room *room = seat_room(session, &frame->head, frame->match, &seat);
    const struct asker *same = room == NULL ? NULL : room_asker_of(room, seat, frame->command_id);
    struct asker *asker;

    if (same != NULL) {
        asker = room_add_asker(room, seat, SK_COMMAND_RESIGN, session, &frame->head);
        asker->is_served = same->is_served;
        asker->is_repeat = true;
        return;
    }
    if (room == NULL || room_answer_repeat(session, room, seat, &frame->head, &repeat) ||
        !gate_plays(session, &frame->head, room, seat, GATE_ANY_TURN)) {
        return;
    }
    room_note_id(room, seat, frame->command_id);
    asker = room_add_asker(room, seat, SK_COMMAND_RESIGN, session, &frame->head);
    memcpy(asker->command_id, frame->command_id.at, frame->command_id.length);
    room_give(room, seat, SK_COMMAND_RESIGN);
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* Without this, a match without a clock would never end if a player stays away. */
void
handle_claim(struct session *session, const union client_frame *any)
{
    uint8_t seat;
    struct room *room = running_room(session, &any->head, any->match.match, &seat);

    if (room == NULL) {
        return;
    }
    for (uint8_t other = 0; other < room->match.seat_count; other++) {
        if (other != seat && room_claim_ms(room, other) == 0) {
            give_for(room, other, SK_COMMAND_ABANDON, session, &any->head);
            return;
        }
    }
    session_error(session, &any->head, ERROR_TOO_EARLY, NULL);
}

/* ---- draws ----------------------------------------------------------------------------------- */

static void
offer_stored(struct room *room, struct commit *commit)
{
    room_apply(room, &commit->fact);
    reply_done(room->host, &commit->reply);
    room_show_offer(room, commit->fact.seat, commit->fact.is_declined);
    room_touch(room, ROOM_ASKS_BOTS);
}

static bool
store_offer(struct room *room, uint8_t seat, bool is_declined, struct reply reply)
{
    static const struct commit_kind kind = { .stored = offer_stored };
    struct record_offer body = { .is_declined = is_declined };
    struct commit *commit = commit_draft(room, &kind, RECORD_OFFER, seat);

    commit->reply = reply;
    commit->fact.is_declined = is_declined;
    (void)commit_record(commit, RECORD_OFFER, seat, &sk_record_offer, &body);
    return room_commit(commit);
}

static void
store_offer_of(struct session *session, const struct frame_head *head, struct room *room,
               uint8_t seat, bool is_declined)
{
    if (!store_offer(room, seat, is_declined, reply_to(session, head))) {
        session_error(session, head, ERROR_BUSY, NULL);
    }
}

static bool
can_draw(const struct room *room)
{
    return room->match.pending == NULL && !room_is_ending(room);
}

bool
room_decline_for(struct room *room, uint8_t seat)
{
    int offer = room->match.offer;

    return offer >= 0 && offer != seat && room->match.offer_next == offer && can_draw(room) &&
           store_offer(room, seat, true, (struct reply){ 0 });
}

/* The room and the seat if a draw can be offered or answered now; else the frame is answered. */
static struct room *
drawable_room(struct session *session, const struct frame_head *head, int64_t match,
              uint8_t *ret_seat)
{
    struct room *room = running_room(session, head, match, ret_seat);

    if (room == NULL) {
        return NULL;
    }
    if (room->match.seat_count != 2) {
        session_error(session, head, ERROR_NOT_ALLOWED, "draws are for matches of two seats");
    } else if (!can_draw(room)) {
        session_error(session, head, ERROR_TURN_CLOSED, NULL);
    } else {
        return room;
    }
    return NULL;
}

void
handle_offer_draw(struct session *session, const union client_frame *any)
{
    uint8_t seat;
    struct room *room = drawable_room(session, &any->head, any->match.match, &seat);

    if (room == NULL) {
        return;
    }
    if (room->match.offer_next == seat) {
        session_error(session, &any->head, ERROR_ALREADY_OFFERED, NULL);
    } else if (room->match.offer_next >= 0) {
        give_for(room, seat, SK_COMMAND_AGREE_DRAW, session, &any->head); /* both want it */
    } else if (room->match.seats[seat].offers_next >= OFFERS_PER_TURN_MAX) {
        session_error(session, &any->head, ERROR_NOT_ALLOWED,
                      "you have offered a draw as often as one turn allows");
    } else {
        store_offer_of(session, &any->head, room, seat, false);
    }
}

void
handle_answer_draw(struct session *session, const union client_frame *any)
{
    uint8_t seat;
    struct room *room = drawable_room(session, &any->head, any->answer_draw.match, &seat);

    if (room == NULL) {
        return;
    }
    if (room->match.offer_next < 0 || room->match.offer_next == seat) {
        session_error(session, &any->head, ERROR_NO_OFFER, NULL);
    } else if (any->answer_draw.accept) {
        give_for(room, seat, SK_COMMAND_AGREE_DRAW, session, &any->head);
    } else {
        store_offer_of(session, &any->head, room, seat, true);
    }
}
