/*
 * Rooms: finding, creating, and what is true of them.
 *
 * An event (a frame, an answer of the store, a timer) touches rooms.  After
 * the event rooms_settle (room/settle.h) does the remaining work in them.  So
 * no room is freed while an event is handled.
 */
#ifndef SK_HOST_ROOM_H
#define SK_HOST_ROOM_H

#include "server/host/room/room_struct.h"
#include "server/host/session/reply.h"

struct room *room_find(struct host *host, int64_t id);
struct room *room_add(struct host *host, int64_t id);

/* Marks it as changed: it is settled after the event. */
void room_touch(struct room *room, enum room_todo todo);

/* Keeps the room while something that it started is under way besides its log. */
void room_hold(struct room *room);
void room_let_go(struct room *room);
void room_wait_for_others(struct room *room); /* starts the time for which an open seat is kept */

/* Whether a match that only bots play must wait, because its last turn was expensive. */
bool room_pauses(const struct room *room);

/* The seat of the session's player, or SK_SPECTATOR. */
uint8_t room_seat_of(const struct room *room, const struct session *session);

/* Whether the code opens the match; one that is not private needs none. */
bool room_code_fits(const struct room *room, struct sk_text code);

/* Where to ask for a match whose node is not known: any node finds it. */
#define ROOM_PATH_ANYWHERE "/"

/* Answers a frame that could not be done: with `moved` if the room is lost, else with the error. */
void room_refuse(const struct room *room, const struct reply *reply, enum error_code code);

/* Drops a downtime that no longer matters. */
void room_forget_shift(struct room *room);

/* Command ids that the seat has used in this match; those that were not stored are forgotten. */
bool room_knows_id(const struct room *room, uint8_t seat, struct sk_text id);
void room_note_id(struct room *room, uint8_t seat, struct sk_text id);
void room_forget_id(struct room *room, uint8_t seat, struct sk_text id);

/* Parks the current message, which came too early: it is handled again when the room is loaded, or
 * when what it waits for is stored. */
void room_park(struct room *room, const struct session *session);
void parked_handle(struct host *host, struct kept_message *list); /* takes it */
void room_forget_parked(struct room *room);

/* Handles the parked messages, or answers all of them with store_unavailable. */
void room_unpark(struct room *room, bool is_available);

#endif /* SK_HOST_ROOM_H */
