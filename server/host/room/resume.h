/*
 * Coming back: a client says the last seq it has and gets exactly the frames
 * it missed, made again from the stored records by the same functions that
 * made them first.
 */
#ifndef SK_HOST_ROOM_RESUME_H
#define SK_HOST_ROOM_RESUME_H

#include "server/host/room/room.h"

frame_handler handle_resume;

/* Is the session being told what it missed?  It follows when it has been. */
bool room_is_resuming(const struct room *room, const struct session *session);

#endif /* SK_HOST_ROOM_RESUME_H */
