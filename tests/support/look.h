/*
 * What tests see of a live match: a copy, made here and nowhere else, so that
 * no other test knows how the host keeps a match.
 *
 * Owner:   the caller; only `reason` is the room's, until the host goes on.
 */
#ifndef SK_LOOK_H
#define SK_LOOK_H

#include "server/host/room/audience.h"
#include "server/host/room/bots.h"
#include "server/host/room/load.h"
#include "server/host/room/node.h"
#include "server/host/room/room.h"
#include "server/host/room/settle.h"
#include "server/match/clock.h"

struct seat_look {
    int64_t player;  /* 0: free */
    bool is_played;  /* by a bot of the server's */
    bool owes;       /* the open turn waits for it */
    bool has_latest; /* it has sent something, perhaps not stored yet, ... */
    bool is_ready;   /* ... and is ready */
    bool is_running; /* its clock */
    bool is_given;   /* the host has something to say for it */
    uint32_t here;   /* sessions that follow as this seat; a bot is one */
    uint32_t missed; /* deadlines in a row */
    int64_t bank_ms;
    int64_t left_ms;
};

struct room_look {
    int64_t id;
    enum room_phase phase;
    bool is_simultaneous;
    bool is_decided; /* the state is one after which nothing can be played */
    bool is_busy;    /* something of it is with the store */
    bool is_closing; /* the turn is on its way there */
    bool is_seating; /* somebody takes or leaves a seat */
    bool is_behind;  /* spectators have a room of their own */
    uint32_t turn;
    uint32_t seq;
    int offer;      /* the seat, or -1 */
    int offer_next; /* once all is stored */
    int64_t opened_ms;
    int64_t deadline_ms; /* 0: none */
    int64_t retry_ms;    /* 0: nothing has failed */
    int64_t shift_ms;    /* downtime that is not stored yet */
    const char *reason;  /* of quarantine */
    uint8_t seat_count;
    struct seat_look seats[SK_SEATS_MAX];
};

static inline void
look_at_seats(const struct room *room, int64_t now_ms, struct room_look *look)
{
    uint32_t owing =
        room->match.state == NULL || room->match.state->outcome.is_over
            ? 0
            : sk_turn_owing(room->match.ruleset, room->match.config->config, room->match.state);

    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        const struct seat *it = &room->match.seats[seat];

        look->seats[seat] = (struct seat_look){
            .player = it->player,
            .is_played = room->bots[seat] != NULL,
            .owes = (owing >> seat & 1) != 0,
            .has_latest = it->latest != NULL,
            .is_ready = it->latest != NULL && it->latest->is_ready,
            .is_running = it->is_running,
            .is_given = room->asks.given[seat] != 0,
            .here = room->audience.presence[seat].here,
            .missed = it->missed,
            .bank_ms = it->bank_ms,
            .left_ms = match_left_ms(&room->match, seat, now_ms),
        };
    }
}

static inline bool
look_is_busy(const struct room *room)
{
    return room->holds > 0 || room->log.entries != NULL;
}

/* False where the match is not live. */
static inline bool
look_at(struct host *host, int64_t match, struct room_look *ret_look)
{
    const struct room *room = room_find(host, match);

    if (room == NULL) {
        return false;
    }
    *ret_look = (struct room_look){
        .id = room->match.id,
        .phase = room_phase(room),
        .is_simultaneous = room->match.ruleset != NULL && room->match.ruleset->is_simultaneous,
        .is_decided = room->match.state != NULL && room->match.state->outcome.is_over,
        .is_busy = look_is_busy(room),
        .is_closing = room->match.pending != NULL,
        .is_seating = room_log_has(&room->log, RECORD_JOINED),
        .is_behind = room->audience.behind != NULL,
        .turn = room->match.state == NULL ? 0 : room->match.state->turn,
        .seq = room->match.seq,
        .offer = room->match.offer,
        .offer_next = room->match.offer_next,
        .opened_ms = room->match.opened_ms,
        .deadline_ms = room->match.deadline_ms,
        .retry_ms = room->retry_ms,
        .shift_ms = room->shift_ms,
        .reason = room->reason,
        .seat_count = room->match.seat_count,
    };
    look_at_seats(room, host_now_ms(host), ret_look);
    return true;
}

/* The match itself while nothing of it is under way; else NULL. */
static inline const struct match *
look_at_rest(struct host *host, int64_t match)
{
    const struct room *room = room_find(host, match);

    return room == NULL || look_is_busy(room) || room->aside != 0 || room->match.ruleset == NULL
               ? NULL
               : &room->match;
}

/* As what the session follows the match; false: it does not. */
static inline bool
look_at_follow(struct host *host, int64_t match, const struct session *session, uint8_t *ret_seat)
{
    const struct room *room = room_find(host, match);
    const struct follow *follow = room == NULL ? NULL : room_follow_of(room, session);

    if (follow != NULL) {
        *ret_seat = follow->seat;
    }
    return follow != NULL;
}

/* The seat of the session's player, or SK_SPECTATOR. */
static inline uint8_t
look_seat_of(const struct room_look *look, const struct session *session)
{
    for (uint8_t seat = 0; seat < look->seat_count; seat++) {
        if (session->player != NULL && look->seats[seat].player == session->player->id) {
            return seat;
        }
    }
    return SK_SPECTATOR;
}

/* A match that is not looked at when something in it is due, or that is before; 0: none. */
static inline int64_t
look_for_mistimed(const struct host *host)
{
    if (node_is_fenced(host)) {
        return 0; /* nothing is done before the next beat */
    }
    for (uint32_t i = 0; i < HOST_BUCKETS; i++) {
        for (const struct room *room = host->rooms[i]; room != NULL; room = room->next) {
            if ((room->timer.place == 0 ? TIMER_NEVER : room->timer.due_ms) != room_due_ms(room)) {
                return room->match.id;
            }
        }
    }
    return 0;
}

#endif /* SK_LOOK_H */
