/*
 * Matches that cannot go on.
 */
#ifndef SK_HOST_ROOM_ASIDE_H
#define SK_HOST_ROOM_ASIDE_H

#include "server/host/room/room.h"

/* It is none of its players' unfinished matches any more. */
void room_uncount(struct room *room);

/* Told to everybody; the store knows it already. */
void room_set_aside(struct room *room, const char *reason);

/* The same, and stored if possible. */
void room_quarantine(struct room *room, const char *reason);

/* Is what was read of the room's match not what was written?  Then it is set aside. */
bool room_is_corrupt(struct room *room, const struct store_job *job);

#endif /* SK_HOST_ROOM_ASIDE_H */
