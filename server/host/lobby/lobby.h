/*
 * The lobby: joining, leaving, watching and lists.
 */
#ifndef SK_HOST_LOBBY_H
#define SK_HOST_LOBBY_H

#include "server/host/room/room.h"

frame_handler handle_join, handle_leave, handle_watch, handle_list;

struct seat_wish {
    bool has_seat; /* false: the first free one */
    int32_t seat;
    bool is_rating_asked; /* asks that a private match is rated, if its creator did too */
};

/* Takes a seat; answers when it is stored. */
void room_join(struct session *session, const struct frame_head *head, struct room *room,
               const struct seat_wish *wish);

#endif /* SK_HOST_LOBBY_H */
