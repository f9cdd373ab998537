/*
 * The gate: checks every frame of a player before the ruleset sees it.
 *
 * There are two tables: the result for each phase of the room, and a list of
 * checks like those of the rulesets.  The first check that fails decides, and
 * its name is in the answer.
 */
#ifndef SK_HOST_ROOM_GATE_H
#define SK_HOST_ROOM_GATE_H

#include "server/host/room/room.h"

#define GATE_ANY_TURN (-1)

/* What a frame concerns. */
enum gate_class {
    GATE_KNOWS,     /* the match in any phase */
    GATE_PLAYS,     /* its open turn */
    GATE_JOINS,     /* a seat of it */
    GATE_REMATCHES, /* a rematch */
    GATE_CLASS_COUNT
};

/* Each returns false if the frame was refused and answered, or waits. */
bool gate_lets(struct session *session, const struct frame_head *head, struct room *room,
               enum gate_class what);
bool gate_plays(struct session *session, const struct frame_head *head, struct room *room,
                uint8_t seat, int32_t turn); /* which must be open; or GATE_ANY_TURN */

/* The room of the frame's match if it is live and visible to the session; else NULL, and the
 * frame is answered. */
struct room *handler_room(struct session *session, const struct frame_head *head, int64_t match);

/* The same, and the session's seat in it; and if the match is running. */
struct room *seat_room(struct session *session, const struct frame_head *head, int64_t match,
                       uint8_t *ret_seat);
struct room *running_room(struct session *session, const struct frame_head *head, int64_t match,
                          uint8_t *ret_seat);

#endif /* SK_HOST_ROOM_GATE_H */
