/*
 * Delayed spectators.
 *
 * While somebody watches a match with a delay, it has a second, hidden room:
 * the match as spectators know it.  It is built from the stored records up to
 * the turn that they may see, and advances record by record with the match.
 * So it needs one state, however long the delay, and nothing while nobody
 * watches.
 *
 * Owner:   the delayed room belongs to the room whose match it shows.
 */
#ifndef SK_HOST_ROOM_BEHIND_H
#define SK_HOST_ROOM_BEHIND_H

#include "server/host/room/room.h"
#include "server/match/apply.h"

/*
 * Whether the session can follow now.  False: it is a spectator and the
 * delayed room is being read; the frame is handled again then.
 */
bool behind_is_ready(struct session *session, struct room *room);
bool behind_is_coming(const struct room *room); /* being read for the first time */

/* Applies a fact that is stored; delayed spectators may then see more. */
void room_apply(struct room *room, const struct fact *fact);

void behind_release(struct room *room); /* if nobody watches any more */
void behind_free(struct room *room);

#endif /* SK_HOST_ROOM_BEHIND_H */
