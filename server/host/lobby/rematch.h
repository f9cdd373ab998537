/*
 * Rematches.
 *
 * The first player who asks creates the rematch, the others join it.  While it
 * is searched or created, the frames of the others wait, so there is only one.
 * The store knows which match is a rematch of which, so it is found after a
 * restart too.
 */
#ifndef SK_HOST_LOBBY_REMATCH_H
#define SK_HOST_LOBBY_REMATCH_H

#include "server/host/session/session_struct.h"

frame_handler handle_rematch;

#endif /* SK_HOST_LOBBY_REMATCH_H */
