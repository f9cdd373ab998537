/*
 * Resuming: a client sends the last seq it has and gets exactly the frames it
 * missed, made from the stored records by the same functions as the first
 * time.
 */
#ifndef SK_HOST_ROOM_RESUME_H
#define SK_HOST_ROOM_RESUME_H

#include "server/host/room/room.h"

frame_handler handle_resume;

/* Whether the session is still being sent what it missed; it follows afterwards. */
bool room_is_resuming(const struct room *room, const struct session *session);

#endif /* SK_HOST_ROOM_RESUME_H */
