/*
 * Matches that cannot continue here.  Quarantine: their records are damaged or do
 * not lead to the stored states.  Lost: see "nodes" in store_port.h.
 */
#ifndef SK_HOST_ROOM_ASIDE_H
#define SK_HOST_ROOM_ASIDE_H

#include "server/host/room/room.h"

/* It no longer counts among its players' unfinished matches. */
void room_uncount(struct room *room);

/* Another node may run the match, or it is unknown what is stored: sends its followers away, and
 * puts it on the list of matches to load. */
void room_lose(struct room *room);

/* Quarantines the match and informs everybody; does not store it. */
void room_set_aside(struct room *room, const char *reason);

/* The same, and stores it if possible. */
void room_quarantine(struct room *room, const char *reason);

/* Whether the job found that stored records were changed; then the match is quarantined. */
bool room_is_corrupt(struct room *room, const struct store_job *job);

#endif /* SK_HOST_ROOM_ASIDE_H */
