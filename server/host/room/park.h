/*
 * Parked messages: they came too early for their room, and are handled when it
 * is loaded or when what they wait for is stored.
 */
#ifndef SK_HOST_ROOM_PARK_H
#define SK_HOST_ROOM_PARK_H

#include "server/host/room/room.h"

/* Parks the current message: it is handled again when the room is unparked. */
void room_park(struct room *room, const struct session *session);
void parked_handle(struct host *host, struct parked *list); /* takes it */
void room_forget_parked(struct room *room);

/* Handles the parked messages, or answers all of them with store_unavailable. */
void room_unpark(struct room *room, bool is_available);

#endif /* SK_HOST_ROOM_PARK_H */
