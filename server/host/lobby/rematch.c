#include "server/host/lobby/rematch.h"

#include "server/host/lobby/bot_find.h"
#include "server/host/lobby/create.h"
#include "server/host/lobby/lobby.h"
#include "server/host/room/audience.h"
#include "server/host/room/gate.h"
#include "server/host/room/load.h"
#include "server/host/room/tell.h"

#define KNOWN_MS 1000 /* if the database is shared */

/* Whether the rematch is waiting or running.  If it is over there may be another one. */
static bool
has_live_rematch(const struct room *room)
{
    const struct host *host = room->host;
    const struct room *next =
        room->rematch.match == 0 ? NULL : room_find(room->host, room->rematch.match);

    if (next == NULL) { /* it may be among the matches that are still being loaded, or elsewhere */
        return room->rematch.match != 0 &&
               (loads_are_under_way(host) || host->world.store->is_shared);
    }
    return room_phase(next) == ROOM_UNAVAILABLE || /* the store could not load it just now */
           room_phase(next) == ROOM_ELSEWHERE ||
           (!room_is_past(next) && room_phase(next) != ROOM_QUARANTINED);
}

/* Seats rotate, so that nobody keeps an advantage. */
static uint8_t
next_seat(const struct room *room, uint8_t seat)
{
    return (uint8_t)((seat + 1) % room->match.seat_count);
}

/* ---- joining one that exists ------------------------------------------------------------- */

static void
join_rematch(struct session *session, const struct frame_head *head, uint8_t seat, int64_t match)
{
    struct room *next = handler_room(session, head, match);

    if (next == NULL) {
        return; /* it is being loaded: the frame is handled again */
    }
    if (room_seat_of(next, session) == SK_SPECTATOR) {
        room_join(session, head, next,
                  &(struct seat_wish){ next->match.seats[seat].player == 0, seat, true });
        return;
    }
    room_follow(next, session);
    room_show_joined(next, session, head);
    room_show_state(next, session, NULL);
}

/* ---- searching for it -------------------------------------------------------------------- */

static void
rematch_found(struct store_job *job, struct host *host)
{
    struct room *room = job->context;
    bool is_known = job->result == STORE_OK || job->result == STORE_NOT_FOUND;

    room_let_go(room);
    room->rematch.is_under_way = false;
    room->rematch.known_ms = !is_known                       ? 0
                             : !host->world.store->is_shared ? INT64_MAX
                                                             : host_now_ms(host) + KNOWN_MS;
    room->rematch.match = job->result == STORE_OK ? job->match_id : 0;
    room_unpark(room, is_known);
}

static void
find_rematch(struct session *session, const struct frame_head *head, struct room *room)
{
    struct store_job *job = host_job(JOB_REMATCH_FIND, rematch_found, room);

    job->rematch_of = room->match.id;
    if (!host_submit(room->host, job)) {
        session_error(session, head, ERROR_BUSY, NULL);
        return;
    }
    room_hold(room);
    room->rematch.is_under_way = true;
    room_park(room, session);
}

/* ---- creating it ------------------------------------------------------------------------- */

static void
rematch_made(struct host *host, const struct match_plan *plan, struct room *room)
{
    struct room *before = room_find(host, plan->rematch_of);
    struct server_rematch frame = { .head = { .type = SERVER_REMATCH }, .match = plan->rematch_of };

    room_let_go(before);
    before->rematch.is_under_way = false;
    if (room == NULL && host->world.store->is_shared) {
        before->rematch.known_ms = 0; /* another node may have made it */
    }
    if (room != NULL) {
        before->rematch.match = room->match.id;
        frame.next = room->match.id;
        frame.code = sk_text_of(room->code == NULL ? "" : room->code);
        for (uint8_t seat = 0; seat < before->match.seat_count; seat++) {
            room_send_seat(before, seat, &frame);
        }
    }
    room_unpark(before, true);
}

static void
make_rematch(struct session *session, const struct frame_head *head, struct room *room,
             uint8_t seat)
{
    struct match_plan plan = {
        .config = room->match.config,
        .settings = {
            .has_clock = room->match.clock.has_turn,
            .has_turn_ms = room->match.clock.turn_ms > 0,
            .turn_ms = (int32_t)room->match.clock.turn_ms,
            .bank_ms = (int32_t)room->match.clock.bank_ms,
            .is_open = room->match.is_open,
            .is_rated = room->match.is_rated,
            .spectator_delay = room->match.spectator_delay,
            .is_cycle = room->match.clock.is_cycle,
        },
        .rematch_of = room->match.id,
        .is_rating_asked = room->match.is_rated,
        .done = rematch_made,
    };

    if (!session_may_play(session, head)) {
        return;
    }
    for (uint8_t other = 0; other < room->match.seat_count; other++) {
        plan.bots[next_seat(room, other)] = bots_again(room, other);
    }
    plan.sitters[seat] = session;
    if (room_create(session, head, &plan)) {
        room->rematch.is_under_way = true;
        room_hold(room); /* until the rematch is announced */
    }
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
    } else if (!gate_lets(session, head, room, GATE_REMATCHES)) {
        return;
    } else if (room->rematch.is_under_way) {
        room_park(room, session);
    } else if (host_now_ms(room->host) >= room->rematch.known_ms) {
        find_rematch(session, head, room);
    } else if (has_live_rematch(room)) {
        join_rematch(session, head, next_seat(room, seat), room->rematch.match);
    } else {
        make_rematch(session, head, room, next_seat(room, seat));
    }
}
