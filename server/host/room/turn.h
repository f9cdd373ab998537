/*
 * Turns: closed, resolved on scratch, stored, and only then shown.
 *
 * From closing until the store has answered, room->match.pending is there and
 * the turn takes no more commands.  If the store fails, pending is dropped
 * and the same inputs are resolved again later.
 */
#ifndef SK_HOST_ROOM_TURN_H
#define SK_HOST_ROOM_TURN_H

#include "server/host/room/log.h"
#include "server/match/resolve.h"

/* Closes and resolves it if everybody who owes is ready; or with what is in. */
void room_close_if_ready(struct room *room);
void room_close(struct room *room);

/* Gives a command for the seat (room/asks.h): the turn closes with it, or the next one. */
void room_give(struct room *room, uint8_t seat, uint8_t kind);

/* A turn is open: does anything keep it from closing at once? */
void room_go_on(struct room *room);

/* What the match does not know of itself when a turn is resolved. */
struct play_in room_play_in(const struct room *room, uint8_t seat);

/* Adds the turns' records to a commit, and that of the end if it is one ... */
void room_add_turns(struct commit *commit, const struct pending_turn *pending);

/* They cost those who play as much as if they had sent them; bots among themselves pause until
 * whoever made their match could have. */
void room_charge_turns(struct room *room, size_t bytes, int64_t cpu_us);

/* ... and takes what is pending over when they are stored. */
void room_turns_stored(struct room *room, const struct commit *commit);

/* A match that nobody joined ends. */
void room_expire(struct room *room);

#endif /* SK_HOST_ROOM_TURN_H */
