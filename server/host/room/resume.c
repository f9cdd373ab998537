#include "server/host/room/resume.h"

#include <stdlib.h>

#include "server/host/room/aside.h"
#include "server/host/room/audience.h"
#include "server/host/room/behind.h"
#include "server/host/room/gate.h"
#include "server/host/room/node.h"
#include "server/host/room/restore.h"
#include "server/host/room/tell.h"
#include "server/host/session/reads.h"

#define MISSED_MAX 256 /* if more frames are missing, a new state is sent instead ... */
#define ROUNDS_MAX 4   /* ... also after this many rounds in which the match was faster */

struct resuming {
    struct resuming_session it; /* first, in the room's list */
    int64_t match;
    struct reply reply;
    uint8_t seat;         /* or SK_SPECTATOR */
    struct follow follow; /* in the hidden room */
    uint32_t from;        /* last seq that the session has, */
    uint32_t to;          /* and that it has after this round */
    int rounds;
};

bool
room_is_resuming(const struct room *room, const struct session *session)
{
    const struct resuming_session *it = room->audience.resumings;

    while (it != NULL && it->session != session->number) {
        it = it->next;
    }
    return it != NULL;
}

/* ---- rounds: read, send, and repeat if the match continued meanwhile --------------------- */

static void
resume_answer(struct room *room, struct session *session, const struct resuming *resuming)
{
    room_follow(room, session);
    room_show_pending(room, session);
    reply_done(room->host, &resuming->reply);
}

/* Sends a state instead of frames: too many are missing. */
static void
resume_with_state(struct room *room, struct session *session, const struct resuming *resuming)
{
    room_show_state(room, session, NULL);
    resume_answer(room, session, resuming);
}

static void
resuming_free(struct host *host, struct resuming *resuming)
{
    struct room *room = room_find(host, resuming->match);
    struct resuming_session **at = &room->audience.resumings;

    while (*at != &resuming->it) {
        at = &(*at)->next;
    }
    *at = resuming->it.next;
    free(resuming);
    room_let_go(room);
}

static bool read_records(struct room *room, struct resuming *resuming);

/* The session has everything up to `to`. */
static void
round_done(struct restoring *in)
{
    struct resuming *resuming = in->context;
    struct session *session = reply_session(in->host, &resuming->reply);
    struct room *room = room_find(in->host, resuming->match);
    uint32_t shown;

    if (session == NULL) {
        resuming_free(in->host, resuming);
        return;
    }
    shown = (uint32_t)room_seq_for(room, room_seat_of(room, session));
    resuming->to = in->room.match.seq < resuming->to ? in->room.match.seq : resuming->to;
    if (room_phase(room) == ROOM_QUARANTINED || room_phase(room) == ROOM_LOST) { /* meanwhile */
        room_refuse(room, &resuming->reply, ERROR_QUARANTINED);
    } else if (node_is_fenced(in->host)) {
        reply_error(in->host, &resuming->reply, ERROR_STORE_UNAVAILABLE);
    } else if (resuming->seat == SK_SPECTATOR && behind_is_coming(room)) {
        reply_error(in->host, &resuming->reply, ERROR_BUSY);
    } else if (in->trouble != NULL || resuming->it.has_followed) {
        resume_with_state(room, session, resuming);
    } else if (resuming->to == shown) {
        resume_answer(room, session, resuming);
    } else if (resuming->rounds == ROUNDS_MAX) {
        resume_with_state(room, session, resuming);
    } else {
        resuming->from = resuming->to;
        if (read_records(room, resuming)) {
            return;
        }
        reply_error(in->host, &resuming->reply, ERROR_BUSY);
    }
    resuming_free(in->host, resuming);
}

/* Since the last piece the session may have gone, or got the match by `watch`. */
static bool
is_wanted(struct restoring *in)
{
    struct resuming *resuming = in->context;
    struct session *session = reply_session(in->host, &resuming->reply);

    resuming->follow.session = session;
    return session != NULL && !resuming->it.has_followed;
}

/* Sends what was missed to the single follower of the hidden room. */
static void
show_missed(struct restoring *in, const struct store_record *record,
            const struct pending_turn *turn)
{
    const struct resuming *resuming = in->context;

    if (in->room.match.seq <= resuming->to) {
        room_show_record(&in->room, record, turn);
    }
}

/*
 * The records that were read may end before or after what the room has shown
 * by now.  They are replayed in a hidden room that only this session follows.
 */
static void
tell_missed(struct host *host, struct room *room, struct session *session,
            struct resuming *resuming, struct store_job *job)
{
    struct restoring *in = restore_alloc(host, job);
    uint8_t seat = room_seat_of(room, session);

    if (seat != SK_SPECTATOR || room->match.spectator_delay == 0) { /* else `to` stays as it was */
        resuming->to = (uint32_t)room_seq_for(room, seat);
    }
    resuming->follow = (struct follow){ .room = &in->room, .session = session, .seat = seat };
    in->room.audience.follows = &resuming->follow;
    in->room.is_shadow = true;
    in->shown_after = resuming->from;
    in->shown = show_missed;
    in->begins = is_wanted;
    in->done = round_done;
    in->context = resuming;
    restore_start(in);
}

static void
records_read(struct store_job *job, struct host *host)
{
    struct resuming *resuming = job->context;
    struct room *room = room_find(host, resuming->match);
    struct session *session = reply_session(host, &resuming->reply);
    enum error_code code = ERROR_STORE_UNAVAILABLE;

    read_back(host, job);
    if (session != NULL && job->result == STORE_OK && room_phase(room) != ROOM_LOST) {
        tell_missed(host, room, session, resuming, job);
        return;
    }
    if (room_is_corrupt(room, job)) {
        code = ERROR_QUARANTINED;
    }
    room_refuse(room, &resuming->reply, code);
    resuming_free(host, resuming);
}

/* Reads as many turns as there are frames missing, which is enough.  What was shown is on disk,
 * so it is read on another thread.  Returns false if the store is full. */
static bool
read_records(struct room *room, struct resuming *resuming)
{
    struct store_job *job = host_job(JOB_MATCH_LOAD, records_read, resuming);
    const struct room *known = room_known(room, resuming->seat);
    struct session *session = reply_session(room->host, &resuming->reply);
    int32_t turn = known->match.state == NULL ? 0 : (int32_t)known->match.state->turn;
    int32_t missed = (int32_t)(known->match.seq - resuming->from);

    resuming->rounds++;
    resuming->to = known->match.seq;
    job->match_id = room->match.id;
    job->load.from_turn = turn > missed ? turn - missed : STORE_FROM_START;
    job->load.has_turn_end = known != room;
    job->load.turn_end = turn;
    job->place = STORE_FOR_PLAYERS;
    return session_read(session, job);
}

static void
resume_missed(struct session *session, const struct frame_resume *frame, struct room *room)
{
    struct resuming *resuming = heap_memory(sizeof(*resuming));

    resuming->match = room->match.id;
    resuming->reply = reply_to(session, &frame->head);
    resuming->seat = room_seat_of(room, session);
    resuming->from = (uint32_t)frame->seq;
    if (!read_records(room, resuming)) {
        reply_error(session->host, &resuming->reply, ERROR_BUSY);
        free(resuming);
        return;
    }
    resuming->it.session = session->number;
    resuming->it.next = room->audience.resumings;
    room->audience.resumings = &resuming->it;
    room_hold(room);
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
    if (seat == SK_SPECTATOR && !room_code_fits(room, frame->code)) {
        session_error(session, &frame->head, ERROR_NOT_IN_MATCH, NULL);
        return;
    }
    if (!behind_is_ready(session, room)) {
        return;
    }
    if (room_is_resuming(room, session)) {
        session_error(session, &frame->head, ERROR_BUSY,
                      "an earlier resume is still being answered");
        return;
    }
    shown = (uint32_t)room_seq_for(room, seat);
    if (frame->seq == 0 || (uint32_t)frame->seq > shown ||
        shown - (uint32_t)frame->seq > MISSED_MAX ||
        (room_follow_of(room, session) != NULL && (uint32_t)frame->seq < shown)) {
        room_follow(room, session);
        room_show_state(room, session, &frame->head);
    } else if ((uint32_t)frame->seq == shown) {
        room_follow(room, session);
        room_show_pending(room, session);
        session_done(session, &frame->head);
    } else if (session_may_read(session, &frame->head)) {
        resume_missed(session, frame, room);
    }
}
