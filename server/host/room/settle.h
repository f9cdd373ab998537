/*
 * What is due in a room: when an event is over, and when its timer fires.
 */
#ifndef SK_HOST_ROOM_SETTLE_H
#define SK_HOST_ROOM_SETTLE_H

#include "server/host/room/room.h"

/* The event is over.  In each room that was touched: bots are asked, the timer is set anew, and
 * the room is freed if nobody needs it any more. */
void rooms_settle(struct host *host);

/* For host->tick: what is due now in the timer's room. */
void room_tick(struct timer *timer, int64_t now_ms);

/* When the room wants to be looked at next, or INT64_MAX. */
int64_t room_due_ms(const struct room *room);

/* When the host ends. */
void rooms_free(struct host *host);

#endif /* SK_HOST_ROOM_SETTLE_H */
