/*
 * Frames besides commands: chat, hints, what-if.
 */
#ifndef SK_HOST_ROOM_TALK_H
#define SK_HOST_ROOM_TALK_H

#include "server/host/session/session_struct.h"

frame_handler handle_chat, handle_mute, handle_hints, handle_what_if;

#endif /* SK_HOST_ROOM_TALK_H */
