/*
 * Loading: a match that is not in memory is asked of the store, and frames
 * for it wait until it is there; those that were unfinished at the start are
 * loaded by themselves.
 *
 * What the store brings is restored beside the room (restore.h), which stays
 * ROOM_LOADING for everybody until the result is put in its place.
 */
#ifndef SK_HOST_ROOM_LOAD_H
#define SK_HOST_ROOM_LOAD_H

#include "server/host/session/session.h"

/* Asks the store for it unless it is there; `session` pays, 0: nobody.  False when the store takes
 * no more. */
bool room_load(struct host *host, int64_t id, uint64_t session);

/* Asks the store for unfinished matches; they become live in the background. */
void loads_begin(struct host *host);
bool loads_are_under_way(const struct host *host);
void loads_forget(struct host *host);

#endif /* SK_HOST_ROOM_LOAD_H */
