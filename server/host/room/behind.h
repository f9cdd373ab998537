/*
 * Spectators who are some turns behind.
 *
 * While somebody watches a match with a delay, there is a second room for it
 * that is nobody's: the match as spectators know it.  It is made from the
 * stored records up to the turn that they may see, and goes on record by
 * record when the match does.  So what is held for them is one state, however
 * long the delay, and nothing while nobody watches.
 */
#ifndef SK_HOST_ROOM_BEHIND_H
#define SK_HOST_ROOM_BEHIND_H

#include "server/host/room/room.h"
#include "server/match/apply.h"

/*
 * May the session follow as what it is?  False: it is a spectator, and the
 * match as spectators know it is being read; then the frame comes again.
 */
bool behind_is_ready(struct session *session, struct room *room);
bool behind_is_coming(const struct room *room); /* it is being read for the first time */

/* The fact is stored: it is applied, and spectators who are behind may know more then. */
void room_apply(struct room *room, const struct fact *fact);

void behind_release(struct room *room); /* if there is nobody left who watches */
void behind_free(struct room *room);

#endif /* SK_HOST_ROOM_BEHIND_H */
