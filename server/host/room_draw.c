/*
 * Draws: offered, declined, agreed.
 *
 * room->offer is what is stored and was shown; room->offer_next is what it
 * will be once everything on its way to the store is there, and decides what
 * may be said next.  To agree is a turn of its own, built on the offer: it
 * falls with it.
 */
#include <stdlib.h>

#include "proto/records.h"
#include "server/host/room.h"

struct offering {
    struct reply reply;
    uint8_t seat;
    bool is_declined;
};

static void
offer_stored(struct store_job *job, void *context)
{
    struct host *host = context;
    struct offering *offering = job->context;
    struct room *room = room_find(host, job->match.id);
    struct session *session = reply_session(host, &offering->reply);
    struct frame_head head = reply_head(&offering->reply);

    room->jobs--;
    if (job->result == STORE_OK) {
        room->stored_seq = job->records[0].seq;
        room->offer = offering->is_declined ? -1 : offering->seat;
        room->seq++;
        if (session != NULL) {
            session_done(session, &head);
        }
        room_show_offer(room, offering->seat, offering->is_declined);
    } else {
        enum error_code code = room_fall_back(room, job);

        if (session != NULL) {
            session_error(session, &head, code, NULL);
        }
    }
    free(offering);
    room_release(room);
}

static void
store_offer(struct session *session, const struct frame_head *head, struct room *room, uint8_t seat,
            bool is_declined)
{
    struct offering *offering = host_memory(sizeof(*offering));
    struct record_offer body = { .is_declined = is_declined };
    struct store_job *job = room_append(room, offer_stored);

    offering->reply = reply_to(session, head);
    offering->seat = seat;
    offering->is_declined = is_declined;
    job->context = offering;
    room_record(room, job, RECORD_OFFER, seat, &sk_record_offer, &body);
    if (!room_submit_job(room, job)) {
        room->record_seq--;
        session_error(session, head, ERROR_BUSY, NULL);
        free(offering);
        return;
    }
    room->offer_next = is_declined ? -1 : seat;
}

/* The store has failed: who agreed to an offer that is not there has agreed to nothing. */
void
room_offer_fall_back(struct room *room)
{
    room->offer_next = room->offer;
    if (room->offer < 0) {
        room_take_back(room, SK_COMMAND_AGREE_DRAW);
    }
}

/* A turn ends what was offered in it, and with that an agreement that could not be stored. */
void
room_offer_end(struct room *room)
{
    room->offer = -1;
    room->offer_next = -1;
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (room->given[seat] == SK_COMMAND_AGREE_DRAW + 1u) {
            room_take_back(room, SK_COMMAND_AGREE_DRAW);
        }
    }
}

/* The room and the seat if draws can be spoken of now; else the frame is answered. */
static struct room *
drawable_room(struct session *session, const struct frame_head *head, int64_t match,
              uint8_t *ret_seat)
{
    struct room *room = running_room(session, head, match, ret_seat);

    if (room == NULL) {
        return NULL;
    }
    if (room->seat_count != 2) {
        session_error(session, head, ERROR_NOT_ALLOWED, "a draw is agreed between two");
    } else if (room->pending != NULL || room_is_ending(room)) {
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
    if (room->offer_next == seat) {
        session_error(session, &any->head, ERROR_ALREADY_OFFERED, NULL);
    } else if (room->offer_next >= 0) {
        room_give_for(room, seat, SK_COMMAND_AGREE_DRAW, session, &any->head); /* both want it */
    } else {
        store_offer(session, &any->head, room, seat, false);
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
    if (room->offer_next < 0 || room->offer_next == seat) {
        session_error(session, &any->head, ERROR_NO_OFFER, NULL);
    } else if (any->answer_draw.accept) {
        room_give_for(room, seat, SK_COMMAND_AGREE_DRAW, session, &any->head);
    } else {
        store_offer(session, &any->head, room, seat, true);
    }
}
