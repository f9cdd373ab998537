/*
 * Playing a match again.
 *
 * The first who wants it makes the rematch, the others join it, whoever is
 * how fast: while it is looked for or made, frames of others wait.  Which
 * match plays another again is in the store, so that it is found after a
 * restart too.
 */
#ifndef SK_HOST_LOBBY_REMATCH_H
#define SK_HOST_LOBBY_REMATCH_H

#include "server/host/session/session_struct.h"

frame_handler handle_rematch;

#endif /* SK_HOST_LOBBY_REMATCH_H */
