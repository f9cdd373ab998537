/*
 * Playing a match again.
 *
 * The first who wants it makes the rematch, the others join it, whoever is
 * how fast: while it is looked for or made, frames of others wait.  Which
 * match plays another again is in the store, so that it is found after a
 * restart too.
 */
#include "server/host/room_bot.h"

/* Does it wait, or is it played?  What is over may be played again. */
static bool
has_live_rematch(const struct room *room)
{
    const struct room *next = room->rematch == 0 ? NULL : room_find(room->host, room->rematch);

    if (next == NULL) { /* while matches are still being loaded it may be one of them */
        return room->rematch != 0 && host_is_loading(room->host);
    }
    return next->is_unavailable || /* the store did not bring it, just now */
           (next->phase != ROOM_OVER && next->phase != ROOM_QUARANTINED);
}

/* Seats change, so that nobody keeps an advantage. */
static uint8_t
next_seat(const struct room *room, uint8_t seat)
{
    return (uint8_t)((seat + 1) % room->seat_count);
}

/* ---- one that is there ------------------------------------------------------------------- */

static void
join_rematch(struct session *session, const struct frame_head *head, uint8_t seat, int64_t match)
{
    struct room *next = handler_room(session, head, match);

    if (next == NULL) {
        return; /* it is being loaded: the frame comes again */
    }
    if (room_seat_of(next, session) == SK_SPECTATOR) {
        room_join(session, head, next, next->seats[seat].player == 0, seat);
        return;
    }
    room_follow(next, session);
    room_show_joined(next, session, head);
    room_show_state(next, session, NULL);
}

/* ---- looking for it ---------------------------------------------------------------------- */

static void
rematch_found(struct store_job *job, void *context)
{
    struct room *room = job->context;

    (void)context;
    room->jobs--;
    room->is_rematching = false;
    room->is_rematch_known = job->result == STORE_OK || job->result == STORE_NOT_FOUND;
    room->rematch = job->result == STORE_OK ? job->match.id : 0;
    room_unpark(room, room->is_rematch_known);
}

static void
find_rematch(struct session *session, const struct frame_head *head, struct room *room)
{
    struct store_job *job = store_job_alloc(JOB_REMATCH_FIND);

    job->match.rematch_of = room->id;
    job->done = rematch_found;
    job->context = room;
    if (!room_submit_job(room, job)) {
        session_error(session, head, ERROR_BUSY, NULL);
        return;
    }
    room->is_rematching = true;
    host_park(session, room);
}

/* ---- making it --------------------------------------------------------------------------- */

static void
make_rematch(struct session *session, const struct frame_head *head, struct room *room,
             uint8_t seat)
{
    struct match_plan plan = {
        .config = room->config,
        .settings = {
            .has_clock = room->clock.has_turn,
            .has_turn_ms = room->clock.turn_ms > 0,
            .turn_ms = (int32_t)room->clock.turn_ms,
            .bank_ms = (int32_t)room->clock.bank_ms,
            .is_open = room->is_open,
            .is_rated = room->is_rated,
            .spectator_delay = room->spectator_delay,
            .is_cycle = room->clock.is_cycle,
        },
        .rematch_of = room->id,
    };

    if (!session_may_play(session, head)) {
        return;
    }
    for (uint8_t other = 0; other < room->seat_count; other++) {
        plan.bots[next_seat(room, other)] = bots_again(room->host, &room->seats[other]);
    }
    plan.sitters[seat] = session;
    if (room_create(session, head, &plan)) {
        room->is_rematching = true;
        room->jobs++; /* it stays until it has heard of it */
    }
}

void
room_rematch_made(struct host *host, int64_t of, struct room *room)
{
    struct room *before = room_find(host, of);
    struct server_rematch frame = { .head = { .type = SERVER_REMATCH }, .match = of };

    before->jobs--;
    before->is_rematching = false;
    if (room != NULL) {
        before->rematch = room->id;
        frame.next = room->id;
        frame.code = sk_text_of(room->code == NULL ? "" : room->code);
        for (uint8_t seat = 0; seat < before->seat_count; seat++) {
            room_show_seat(before, seat, &frame);
        }
    }
    room_unpark(before, true);
}

/* ---- the frame --------------------------------------------------------------------------- */

void
handle_rematch(struct session *session, const union client_frame *any)
{
    const struct frame_head *head = &any->head;
    struct room *room = handler_room(session, head, any->match.match);
    uint8_t seat = room == NULL ? SK_SPECTATOR : room_seat_of(room, session);

    if (room == NULL) {
        return;
    }
    if (seat == SK_SPECTATOR) {
        session_error(session, head, ERROR_NOT_YOUR_SEAT, NULL);
    } else if (room->phase != ROOM_OVER) {
        session_error(session, head, ERROR_NOT_ALLOWED, "the match is not over");
    } else if (room->is_rematching) {
        host_park(session, room);
    } else if (!room->is_rematch_known) {
        find_rematch(session, head, room);
    } else if (has_live_rematch(room)) {
        join_rematch(session, head, next_seat(room, seat), room->rematch);
    } else {
        make_rematch(session, head, room, next_seat(room, seat));
    }
}
