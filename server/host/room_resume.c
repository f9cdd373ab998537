/*
 * Coming back: a client says the last seq it has and gets exactly the frames
 * it missed, made again from the stored records by the same functions that
 * made them first.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/records.h"
#include "server/host/room.h"

#define MISSED_MAX 256 /* further behind than this, a fresh state is the better answer */

struct resuming {
    uint64_t session;
    uint32_t from;
    uint32_t to;
    bool has_id;
    char id[FRAME_ID_MAX + 1];
};

void
room_show_record(struct room *room, const struct store_record *record,
                 const struct pending_turn *turn)
{
    switch (record->kind) {
    case RECORD_JOINED:
        room_show_seated(room, (uint8_t)record->seat, room->phase == ROOM_RUNNING);
        break;
    case RECORD_TURN:
        room_show_turn(room, turn);
        break;
    case RECORD_CLOCK:
        room_show_clock(room);
        break;
    case RECORD_OFFER:
        room_show_offer(room, (uint8_t)record->seat, room->offer < 0);
        break;
    case RECORD_ENDED:
        room_show_over(room);
        break;
    default:
        break;
    }
}

/* What was missed, to the one follow of the room that is nobody's. */
static void
show_missed(struct room *room, const struct store_record *record, const struct pending_turn *turn,
            void *context)
{
    const struct resuming *resuming = context;

    if (room->seq > resuming->from && room->seq <= resuming->to) {
        room_show_record(room, record, turn);
    }
}

/*
 * Jobs come back in the order they were handed over, so what was read is
 * exactly what the room has shown by now: nothing is told twice or left out
 * when the session follows from here on.
 *
 * Plays the match in a room that is nobody's and that only this session follows.
 */
static const char *
replay_for(struct session *session, struct room *room, struct store_job *job,
           struct resuming *resuming)
{
    struct room shadow = { .host = session->host, .id = room->id, .offer = -1 };
    struct follow follow = {
        .room = &shadow,
        .session = session,
        .seat = room_seat_of(room, session),
    };
    const char *trouble;

    shadow.follows = &follow;
    shadow.opened_ms = room->opened_ms;
    shadow.is_shadow = true;
    trouble = room_replay(&shadow, job, show_missed, resuming);
    room_clear(&shadow);
    return trouble;
}

static void
records_read(struct store_job *job, void *context)
{
    struct host *host = context;
    struct resuming *resuming = job->context;
    struct room *room = room_find(host, job->match.id);
    struct session *session = session_find(host, resuming->session);
    struct frame_head head = { .type = SERVER_DONE,
                               .has_id = resuming->has_id,
                               .id = sk_text_of(resuming->id) };

    room->jobs--;
    if (session != NULL && job->result == STORE_OK) {
        resuming->to = (uint32_t)room_seq_for(room, room_seat_of(room, session));
        if (replay_for(session, room, job, resuming) != NULL) {
            room_show_state(room, session, NULL);
        }
        room_follow(room, session);
        room_show_pending(room, session);
        session_send_frame(session, &head);
    } else if (session != NULL) {
        session_error(session, &head, ERROR_STORE_UNAVAILABLE, NULL);
    }
    free(resuming);
    room_release(room);
}

static void
read_records(struct session *session, const struct frame_resume *frame, struct room *room)
{
    struct resuming *resuming = host_memory(sizeof(*resuming));
    struct store_job *job = store_job_alloc(JOB_MATCH_LOAD);

    resuming->session = session->number;
    resuming->from = (uint32_t)frame->seq;
    resuming->has_id = frame->head.has_id;
    if (frame->head.has_id) {
        memcpy(resuming->id, frame->head.id.at, frame->head.id.length);
    }
    job->done = records_read;
    job->context = resuming;
    if (!room_submit_job(room, job)) {
        session_error(session, &frame->head, ERROR_BUSY, NULL);
        free(resuming);
    }
}

void
handle_resume(struct session *session, const union client_frame *any)
{
    const struct frame_resume *frame = &any->resume;
    struct room *room = handler_room(session, &frame->head, frame->match);
    uint8_t seat;
    uint32_t shown;

    if (room == NULL) {
        return;
    }
    seat = room_seat_of(room, session);
    if (seat == SK_SPECTATOR && room->code != NULL) {
        session_error(session, &frame->head, ERROR_NOT_IN_MATCH, NULL);
        return;
    }
    shown = (uint32_t)room_seq_for(room, seat);
    if (frame->seq == 0 || (uint32_t)frame->seq > shown ||
        shown - (uint32_t)frame->seq > MISSED_MAX) {
        room_follow(room, session);
        room_show_state(room, session, &frame->head);
    } else if ((uint32_t)frame->seq == shown) {
        struct frame_head done = frame->head;

        room_follow(room, session);
        room_show_pending(room, session);
        done.type = SERVER_DONE;
        session_send_frame(session, &done);
    } else {
        read_records(session, frame, room);
    }
}
