/*
 * What is due in a room: when an event is over, and when its timer fires.
 */
#ifndef SK_HOST_ROOM_SETTLE_H
#define SK_HOST_ROOM_SETTLE_H

#include "server/host/room/room.h"

/* Called after an event.  For each room that was touched: asks bots, sets the timer, and frees
 * the room if nobody needs it any more. */
void rooms_settle(struct host *host);

/* For host->tick: does what is due now in the timer's room. */
void room_tick(struct timer *timer, int64_t now_ms);

/* When something is due in the room next, or INT64_MAX. */
int64_t room_due_ms(const struct room *room);

/* Called when the host ends. */
void rooms_free(struct host *host);

#endif /* SK_HOST_ROOM_SETTLE_H */
