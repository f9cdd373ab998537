/*
 * Coming back: a client says the last seq it has and gets exactly the frames
 * it missed, made again from the stored records by the same functions that
 * made them first.
 */
#include <stdlib.h>
#include <string.h>

#include "server/host/restore.h"

#define MISSED_MAX 256 /* further behind than this, a fresh state is the better answer ... */
#define ROUNDS_MAX 4   /* ... and when the match goes on faster than it can be told */

struct resuming {
    struct resuming *next; /* in the room's list */
    int64_t match;
    uint64_t session;
    struct follow follow; /* of the room that is nobody's */
    uint32_t from;        /* what the session has, */
    uint32_t to;          /* and what it has after this round */
    int rounds;
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

bool
room_is_resuming(const struct room *room, const struct session *session)
{
    const struct resuming *it = room->resumings;

    while (it != NULL && it->session != session->number) {
        it = it->next;
    }
    return it != NULL;
}

/* ---- rounds: read, tell, and again if the match went on meanwhile ------------------------ */

static void
resume_answer(struct room *room, struct session *session, const struct resuming *resuming)
{
    struct frame_head head = { .type = SERVER_DONE,
                               .has_id = resuming->has_id,
                               .id = sk_text_of(resuming->id) };

    room_follow(room, session);
    room_show_pending(room, session);
    session_send_frame(session, &head);
}

/* A state instead of frames: from what the session has to this is further than we go. */
static void
resume_with_state(struct room *room, struct session *session, const struct resuming *resuming)
{
    room_show_state(room, session, NULL);
    resume_answer(room, session, resuming);
}

static void
resume_error(struct session *session, const struct resuming *resuming, enum error_code code)
{
    struct frame_head head = { .has_id = resuming->has_id, .id = sk_text_of(resuming->id) };

    session_error(session, &head, code, NULL);
}

static void
resuming_free(struct host *host, struct resuming *resuming)
{
    struct room *room = room_find(host, resuming->match);
    struct resuming **at = &room->resumings;

    while (*at != resuming) {
        at = &(*at)->next;
    }
    *at = resuming->next;
    room->jobs--;
    free(resuming);
    room_release(room);
}

static bool read_records(struct room *room, struct resuming *resuming);

/* The session has all up to `to`. */
static void
round_done(struct restoring *in)
{
    struct resuming *resuming = in->context;
    struct session *session = session_find(in->host, resuming->session);
    struct room *room = room_find(in->host, resuming->match);
    uint32_t shown;

    if (session == NULL) {
        resuming_free(in->host, resuming);
        return;
    }
    shown = (uint32_t)room_seq_for(room, room_seat_of(room, session));
    if (in->trouble != NULL || resuming->rounds == ROUNDS_MAX ||
        room_follow_of(room, session) != NULL) {
        resume_with_state(room, session, resuming);
    } else if (resuming->to == shown) {
        resume_answer(room, session, resuming);
    } else {
        resuming->from = resuming->to;
        if (read_records(room, resuming)) {
            return;
        }
        resume_error(session, resuming, ERROR_BUSY);
    }
    resuming_free(in->host, resuming);
}

/* The session may have gone since the last piece, or have been shown the match by `watch`. */
static bool
is_wanted(struct restoring *in)
{
    struct resuming *resuming = in->context;
    struct session *session = session_find(in->host, resuming->session);

    resuming->follow.session = session;
    return session != NULL && room_follow_of(room_find(in->host, resuming->match), session) == NULL;
}

/* What was missed, to the one follow of the room that is nobody's. */
static void
show_missed(struct restoring *in, const struct store_record *record,
            const struct pending_turn *turn)
{
    const struct resuming *resuming = in->context;

    if (in->room.seq <= resuming->to) {
        room_show_record(&in->room, record, turn);
    }
}

/*
 * Jobs come back in the order they were handed over, so what was read is
 * exactly what the room has shown by now.  It is played in a room that is
 * nobody's and that only this session follows.
 */
static void
tell_missed(struct host *host, struct room *room, struct session *session,
            struct resuming *resuming, struct store_job *job)
{
    struct restoring *in = restore_alloc(host, job);
    uint8_t seat = room_seat_of(room, session);

    resuming->to = (uint32_t)room_seq_for(room, seat);
    resuming->follow = (struct follow){ .room = &in->room, .session = session, .seat = seat };
    in->room.follows = &resuming->follow;
    in->room.is_shadow = true;
    in->shown_after = resuming->from;
    in->shown = show_missed;
    in->begins = is_wanted;
    in->done = round_done;
    in->context = resuming;
    restore_start(in);
}

static void
records_read(struct store_job *job, void *context)
{
    struct host *host = context;
    struct resuming *resuming = job->context;
    struct room *room = room_find(host, resuming->match);
    struct session *session = session_find(host, resuming->session);
    enum error_code code = ERROR_STORE_UNAVAILABLE;

    if (session != NULL && job->result == STORE_OK) {
        tell_missed(host, room, session, resuming, job);
        return;
    }
    if (room_is_corrupt(room, job)) {
        code = ERROR_QUARANTINED;
    }
    if (session != NULL) {
        resume_error(session, resuming, code);
    }
    resuming_free(host, resuming);
}

/* As many turns as there are frames missing are enough, and those that are stored before this
 * is read.  False when the store takes no more. */
static bool
read_records(struct room *room, struct resuming *resuming)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_LOAD);
    int32_t coming = 0;

    resuming->rounds++;
    job->match.id = room->id;
    for (const struct pending_turn *turn = room->pending; turn != NULL; turn = turn->next) {
        coming++;
    }
    job->tail_turns = (int32_t)(room->seq - resuming->from) + coming;
    job->done = records_read;
    job->context = resuming;
    return host_submit(room->host, job);
}

static void
resume_missed(struct session *session, const struct frame_resume *frame, struct room *room)
{
    struct resuming *resuming = host_memory(sizeof(*resuming));

    resuming->match = room->id;
    resuming->session = session->number;
    resuming->from = (uint32_t)frame->seq;
    resuming->has_id = frame->head.has_id;
    if (frame->head.has_id) {
        memcpy(resuming->id, frame->head.id.at, frame->head.id.length);
    }
    if (!read_records(room, resuming)) {
        resume_error(session, resuming, ERROR_BUSY);
        free(resuming);
        return;
    }
    resuming->next = room->resumings;
    room->resumings = resuming;
    room->jobs++; /* until it is told: the room must not go */
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
    if (room_is_resuming(room, session)) {
        session_error(session, &frame->head, ERROR_BUSY, "the answer to the first is on its way");
        return;
    }
    shown = (uint32_t)room_seq_for(room, seat);
    if (frame->seq == 0 || (uint32_t)frame->seq > shown ||
        shown - (uint32_t)frame->seq > MISSED_MAX ||
        (room_follow_of(room, session) != NULL && (uint32_t)frame->seq < shown)) {
        room_follow(room, session);
        room_show_state(room, session, &frame->head);
    } else if ((uint32_t)frame->seq == shown) {
        struct frame_head done = frame->head;

        room_follow(room, session);
        room_show_pending(room, session);
        done.type = SERVER_DONE;
        session_send_frame(session, &done);
    } else {
        resume_missed(session, frame, room);
    }
}
