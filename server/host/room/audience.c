#include "server/host/room/audience.h"

#include <stdlib.h>

#include "server/match/apply.h"

struct follow *
room_follow_of(const struct room *room, const struct session *session)
{
    struct follow *follow = session->follows;

    while (follow != NULL && follow->room != room) {
        follow = follow->next_of_session;
    }
    return follow;
}

struct room *
room_known(struct room *room, uint8_t seat)
{
    return seat == SK_SPECTATOR && room->audience.known != NULL ? room->audience.known : room;
}

int32_t
room_seq_for(struct room *room, uint8_t seat)
{
    return (int32_t)room_known(room, seat)->match.seq;
}

/* ---- sending --------------------------------------------------------------------------------- */

static void
send_to(struct room *room, uint8_t audience, struct message *message)
{
    struct follow *next;

    for (struct follow *follow = room->audience.follows; follow != NULL; follow = next) {
        next = follow->next_of_room;
        if (follow->seat == audience) {
            session_send(follow->session, message);
        }
    }
}

static bool
has_audience(const struct room *room, uint8_t audience)
{
    const struct follow *follow = room->audience.follows;

    while (follow != NULL && follow->seat != audience) {
        follow = follow->next_of_room;
    }
    return follow != NULL;
}

/* Delayed spectators get their frames from the delayed room only. */
static bool
tells(const struct room *room, uint8_t audience)
{
    return audience == SK_SPECTATOR ? room->audience.behind == NULL : !room->is_behind;
}

static bool
is_up_to_date(const struct room *room, uint8_t audience)
{
    return audience != SK_SPECTATOR || room->match.spectator_delay == 0;
}

static bool
is_anybody(const struct room *room, uint8_t audience)
{
    (void)room;
    (void)audience;
    return true;
}

bool
audience_listens(const struct room *room, uint8_t audience)
{
    return has_audience(room, audience) && tells(room, audience);
}

void
room_send_seat(struct room *room, uint8_t seat, const void *frame)
{
    struct message *message;

    if (has_audience(room, seat)) {
        message = message_encode(room->host, frame);
        send_to(room, seat, message);
        message_free(message);
    }
}

static void
send_all(struct room *room, const void *frame, bool (*hears)(const struct room *, uint8_t audience))
{
    struct message *message;

    if (room->audience.follows == NULL) {
        return;
    }
    message = message_encode(room->host, frame);
    for (uint8_t i = 0; i <= room->match.seat_count; i++) {
        uint8_t audience = i == room->match.seat_count ? SK_SPECTATOR : i;

        if (hears(room, audience)) {
            send_to(room, audience, message);
        }
    }
    message_free(message);
}

void
room_send_all(struct room *room, const void *frame)
{
    send_all(room, frame, tells);
}

void
room_send_now(struct room *room, const void *frame)
{
    send_all(room, frame, is_up_to_date);
}

void
room_error_all(struct room *room, enum error_code code)
{
    struct server_error frame = {
        .head = { .type = SERVER_ERROR },
        .code = sk_text_of(sk_error_code(code)),
        .message = sk_text_of(sk_error_meaning(code)),
        .has_match = true,
        .match = room->match.id,
    };

    send_all(room, &frame, is_anybody);
}

/* ---- claims: a match without a clock that somebody left --------------------------------- */

#define CLAIM_WARNING_MS (60 * 60 * 1000)

int64_t
room_waited_from_ms(const struct room *room, uint8_t seat)
{
    int64_t since_ms = room->match.seats[seat].since_ms;
    int64_t away_ms = room->audience.presence[seat].away_since_ms;

    return since_ms > away_ms ? since_ms : away_ms;
}

/* When the others may claim against the seat; INT64_MAX while the match does not wait for it. */
static int64_t
claimable_ms(const struct room *room, uint8_t seat)
{
    int64_t from_ms = room_waited_from_ms(room, seat);

    if (room->match.clock.has_turn || room_phase(room) != ROOM_RUNNING ||
        room->audience.presence[seat].here > 0 || !room->match.seats[seat].is_running) {
        return INT64_MAX;
    }
    return from_ms + room->host->options.claim_after_ms;
}

int64_t
room_claim_ms(const struct room *room, uint8_t seat)
{
    const struct host *host = room->host;
    int64_t at_ms = claimable_ms(room, seat);
    int64_t left_ms = at_ms - host_now_ms(host);

    return at_ms == INT64_MAX ? INT64_MAX : left_ms < 0 ? 0 : left_ms;
}

int64_t
room_warning_ms(const struct room *room, uint8_t seat)
{
    bool is_warned = room->audience.presence[seat].warned_ms == room_waited_from_ms(room, seat);
    int64_t at_ms = is_warned ? INT64_MAX : claimable_ms(room, seat);

    return at_ms == INT64_MAX ? INT64_MAX : at_ms - CLAIM_WARNING_MS;
}

/* ---- presence ---------------------------------------------------------------------------- */

static struct server_presence
presence_of(const struct room *room, uint8_t seat)
{
    struct server_presence frame = {
        .head = { .type = SERVER_PRESENCE },
        .match = room->match.id,
        .seat = seat,
        .is_here = room->audience.presence[seat].here > 0,
    };

    if (room_claim_ms(room, seat) != INT64_MAX) {
        frame.has_claim_ms = true;
        frame.claim_ms = room_claim_ms(room, seat);
    }
    return frame;
}

void
room_show_presence(struct room *room, uint8_t seat)
{
    struct server_presence frame = presence_of(room, seat);

    if (room_phase(room) != ROOM_WAITING && room_phase(room) != ROOM_RUNNING) {
        return;
    }
    for (uint8_t other = 0; other < room->match.seat_count; other++) {
        if (other != seat) {
            room_send_seat(room, other, &frame);
        }
    }
}

void
room_show_claims(const struct room *room, struct session *session, uint8_t seat)
{
    for (uint8_t other = 0; other < room->match.seat_count && seat != SK_SPECTATOR; other++) {
        struct server_presence frame = presence_of(room, other);

        if (other != seat && frame.has_claim_ms) {
            session_send_frame(session, &frame);
        }
    }
}

static void
come(struct room *room, uint8_t seat)
{
    if (seat != SK_SPECTATOR && room->audience.presence[seat].here++ == 0) {
        room->audience.presence[seat].away_since_ms = 0;
        room->audience.presence[seat].warned_ms = 0;
        match_came(&room->match, seat);
        room_show_presence(room, seat);
    }
}

static void
go(struct room *room, uint8_t seat)
{
    struct host *host = room->host;

    if (seat != SK_SPECTATOR && --room->audience.presence[seat].here == 0) {
        room->audience.presence[seat].away_since_ms = host_now_ms(host);
        room_show_presence(room, seat);
    }
}

void
room_follow(struct room *room, struct session *session)
{
    struct follow *follow = room_follow_of(room, session);
    uint8_t seat = room_seat_of(room, session);

    if (follow != NULL && follow->seat == seat) {
        return;
    }
    if (follow == NULL) {
        follow = heap_memory(sizeof(*follow));
        follow->room = room;
        follow->session = session;
        follow->seat = SK_SPECTATOR;
        follow->next_of_room = room->audience.follows;
        room->audience.follows = follow;
        follow->next_of_session = session->follows;
        session->follows = follow;
        for (struct resuming_session *it = room->audience.resumings; it != NULL; it = it->next) {
            it->has_followed = it->has_followed || it->session == session->number;
        }
    }
    go(room, follow->seat);
    follow->seat = seat;
    come(room, seat);
    room_touch(room, ROOM_TOUCHED);
}

void
room_unfollow(struct follow *follow)
{
    struct room *room = follow->room;
    struct follow **at;

    for (at = &room->audience.follows; *at != follow; at = &(*at)->next_of_room) {
    }
    *at = follow->next_of_room;
    for (at = &follow->session->follows; *at != follow; at = &(*at)->next_of_session) {
    }
    *at = follow->next_of_session;
    go(room, follow->seat);
    free(follow);
    if (room->audience.follows == NULL) {
        room->audience.unwatched_ms = host_now_ms(room->host);
    }
    room_touch(room, ROOM_TOUCHED);
}
