/*
 * Loading: a match that is not in memory is read from the store, and frames
 * for it wait meanwhile.  Matches that are unfinished at the start are loaded
 * without a request; if several nodes share the database, those that this one
 * has claimed.
 *
 * The records are restored into a separate room (restore.h).  The room itself
 * stays ROOM_LOADING until the result is moved into it.
 */
#ifndef SK_HOST_ROOM_LOAD_H
#define SK_HOST_ROOM_LOAD_H

#include "server/host/session/session.h"

/* Starts to load it unless it is loaded; charged to `session`, 0: nobody.  Returns false if the
 * store is full. */
bool room_load(struct host *host, int64_t id, uint64_t session);

/* Starts to load the unfinished matches, in the background. */
void loads_begin(struct host *host);

/* Loads some of the host's wanted matches. */
void load_wanted(struct host *host);
bool loads_are_under_way(const struct host *host);
void loads_forget(struct host *host);

#endif /* SK_HOST_ROOM_LOAD_H */
