#include "server/host/room/asks.h"

#include <stdlib.h>

#include "server/host/room/audience.h"

/* ---- who asked ------------------------------------------------------------------------------- */

struct asker *
room_add_asker(struct room *room, uint8_t seat, uint8_t kind, const struct session *session,
               const struct frame_head *head)
{
    struct asker *asker = heap_memory(sizeof(*asker));

    asker->reply = reply_to(session, head);
    asker->seat = seat;
    asker->kind = kind;
    asker->next = room->asks.askers;
    room->asks.askers = asker;
    return asker;
}

const struct asker *
room_asker_of(const struct room *room, uint8_t seat, struct sk_text command_id)
{
    const struct asker *asker = room->asks.askers;

    while (asker != NULL &&
           (asker->seat != seat || !sk_text_same(sk_text_of(asker->command_id), command_id))) {
        asker = asker->next;
    }
    return asker;
}

/* Removes an asker and answers: `code` ERROR_COUNT means done. */
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
                      code == ERROR_NOT_ALLOWED ? "the rules do not allow it" : NULL);
    }
    free(asker);
}

/* Clients that asked while the turn was being stored wait for the next one, if any. */
void
room_answer_askers(struct room *room)
{
    struct asker **at = &room->asks.askers;

    while (*at != NULL) {
        if ((*at)->is_served) {
            answer_asker(room, at, ERROR_COUNT);
        } else if (room_phase(room) != ROOM_RUNNING) {
            answer_asker(room, at, ERROR_MATCH_OVER);
        } else {
            at = &(*at)->next;
        }
    }
}

/* A later command replaces the earlier one: agreeing to a draw and then resigning resigns. */
bool
asker_is_given(const struct pending_turn *pending, const struct asker *asker)
{
    uint32_t given = pending->given[asker->seat];

    return given == asker->kind + 1u ||
           (given == SK_COMMAND_RESIGN + 1u && asker->kind == SK_COMMAND_ABANDON);
}

void
room_serve_askers(struct room *room, const struct pending_turn *pending)
{
    for (struct asker *asker = room->asks.askers; asker != NULL; asker = asker->next) {
        asker->is_served = asker_is_given(pending, asker);
    }
}

/* Whether somebody asked for it too late for the turn. */
static bool
is_asked_again(const struct room *room, uint8_t seat)
{
    const struct asker *asker = room->asks.askers;

    while (asker != NULL && (asker->seat != seat || asker->is_served)) {
        asker = asker->next;
    }
    return asker != NULL;
}

void
room_forget_askers(struct room *room)
{
    while (room->asks.askers != NULL) {
        struct asker *asker = room->asks.askers;

        room->asks.askers = asker->next;
        free(asker);
    }
}

void
room_refuse_askers(struct room *room, enum error_code code)
{
    for (struct asker *asker = room->asks.askers; asker != NULL; asker = asker->next) {
        room_refuse(room, &asker->reply, code);
    }
    room_forget_askers(room);
}

/* ---- commands that are given ----------------------------------------------------------------- */

void
room_set_given(struct room *room, uint8_t seat, uint8_t kind)
{
    if (room->asks.given[seat] != SK_COMMAND_RESIGN + 1u) { /* it cannot be taken back */
        room->asks.given[seat] = kind + 1u;
    }
}

bool
room_is_ending(const struct room *room)
{
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (room->asks.given[seat] != 0) {
            return true;
        }
    }
    return false;
}

static void
take_back(struct room *room, uint8_t kind, enum error_code code)
{
    struct asker **at = &room->asks.askers;

    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (room->asks.given[seat] == kind + 1u) {
            room->asks.given[seat] = 0;
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
room_take_back_all(struct room *room)
{
    for (uint8_t kind = 0; kind < SK_COMMAND_OWN; kind++) {
        take_back(room, kind, ERROR_NOT_ALLOWED);
    }
}

/* While a claim could not be stored, the absent seat may have come back or sent its commands. */
void
room_drop_claims(struct room *room)
{
    struct asker **at = &room->asks.askers;

    while (*at != NULL) {
        uint8_t seat = (*at)->seat;

        if ((*at)->kind == SK_COMMAND_ABANDON && room_claim_ms(room, seat) > 0) {
            room->asks.given[seat] =
                room->asks.given[seat] == SK_COMMAND_ABANDON + 1u ? 0 : room->asks.given[seat];
            answer_asker(room, at, ERROR_TOO_EARLY);
        } else {
            at = &(*at)->next;
        }
    }
}

void
room_asks_fall_back(struct room *room)
{
    int offer = room->match.offer; /* a seat cannot agree to its own */

    if (offer < 0 || room->asks.given[offer] == SK_COMMAND_AGREE_DRAW + 1u) {
        take_back(room, SK_COMMAND_AGREE_DRAW, ERROR_STORE_UNAVAILABLE);
    }
    for (struct asker *asker = room->asks.askers; asker != NULL; asker = asker->next) {
        asker->is_served = false;
    }
}

/* A turn ends the offer that was made in it, and an agreement to it that could not be stored. */
static void
offer_end(struct room *room)
{
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (room->asks.given[seat] == SK_COMMAND_AGREE_DRAW + 1u) {
            take_back(room, SK_COMMAND_AGREE_DRAW, ERROR_STORE_UNAVAILABLE);
        }
    }
}

/* Clears the commands that the turn used, so that the next turn does not use them again. */
void
room_clear_given(struct room *room, const struct pending_turn *pending)
{
    for (uint8_t seat = 0; seat < room->match.seat_count; seat++) {
        if (room->asks.given[seat] == pending->given[seat] && !is_asked_again(room, seat)) {
            room->asks.given[seat] = 0; /* otherwise it came later and is for the next turn */
        }
    }
    offer_end(room);
}
