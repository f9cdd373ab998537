/*
 * Turns: closed, resolved on scratch, stored, and only then shown.
 *
 * From closing until the store has answered, room->match.pending is there and
 * the turn takes no more commands.  If the store fails, pending is dropped
 * and the same inputs are resolved again later.
 */
#ifndef SK_HOST_ROOM_TURN_H
#define SK_HOST_ROOM_TURN_H

#include "server/host/room/commit.h"
#include "server/match/resolve.h"

/* Closes and resolves the turn, if every seat that owes commands is ready; or in any case. */
void room_close_if_ready(struct room *room);
void room_close(struct room *room);

/* Gives a command for the seat (room/asks.h), which closes this turn or the next one. */
void room_give(struct room *room, uint8_t seat, uint8_t kind);

/* A turn has opened: closes it at once if nothing prevents that. */
void room_go_on(struct room *room);

/* Input for resolving that is not part of the match. */
struct play_in room_play_in(const struct room *room, uint8_t seat);

/* Adds the records of the turns, and of the end if the match is over, to a commit ... */
void room_add_turns(struct commit *commit, const struct pending_turn *pending);

/* ... and applies the pending turns when they are stored. */
void room_turns_stored(struct room *room, const struct commit *commit);

/* Charges the players for the turns as if they had sent their records.  Bots without a person pause
 * until the creator of their match could have sent them. */
void room_charge_turns(struct room *room, size_t bytes, int64_t cpu_us);

/* Ends a match that nobody joined. */
void room_expire(struct room *room);

#endif /* SK_HOST_ROOM_TURN_H */
