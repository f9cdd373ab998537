/*
 * Rooms: found by their match, and told apart by what they know.
 *
 * An event (a frame, an answer of the store, a timer) touches rooms; when it
 * is over, rooms_settle (room/settle.h) does what is left to do in them.  So
 * no room is freed while an event is handled.
 */
#ifndef SK_HOST_ROOM_H
#define SK_HOST_ROOM_H

#include "server/host/room/room_struct.h"
#include "server/host/session/reply.h"

struct room *room_find(struct host *host, int64_t id);
struct room *room_add(struct host *host, int64_t id);

/* It has changed: when the event is over it is looked at. */
void room_touch(struct room *room, enum room_todo todo);
void room_wait_for_others(struct room *room); /* from now on, as long as an open seat is kept */

/* Only bots play it, and its last turn was longer than they may play one after the other. */
bool room_pauses(const struct room *room);

/* The seat of the session's player, or SK_SPECTATOR. */
uint8_t room_seat_of(const struct room *room, const struct session *session);

/* A match that is not private needs none. */
bool room_code_fits(const struct room *room, struct sk_text code);

/* For how long the server was down is no matter any more. */
void room_forget_shift(struct room *room);

/* Command ids that the seat has used in this match; forgotten are those that were not stored. */
bool room_knows_id(const struct room *room, uint8_t seat, struct sk_text id);
void room_note_id(struct room *room, uint8_t seat, struct sk_text id);
void room_forget_id(struct room *room, uint8_t seat, struct sk_text id);

#endif /* SK_HOST_ROOM_H */
