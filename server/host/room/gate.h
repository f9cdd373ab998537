/*
 * The gate: what is asked of every frame of a player before the ruleset is.
 *
 * Two tables.  What a room's phase says to a frame, whatever it is about;
 * then checks like the rulesets' own: the first that fails decides, and its
 * name is in the answer.
 */
#ifndef SK_HOST_ROOM_GATE_H
#define SK_HOST_ROOM_GATE_H

#include "server/host/room/room.h"

#define GATE_ANY_TURN (-1)

struct gate_in {
    struct session *session;
    struct room *room;
    uint8_t seat;
    int32_t turn; /* that the frame names and must be open; or GATE_ANY_TURN */
};

/* What a frame is about. */
enum gate_class {
    GATE_KNOWS,     /* the match, whatever it does */
    GATE_PLAYS,     /* its open turn */
    GATE_JOINS,     /* a seat of it */
    GATE_REMATCHES, /* playing it again */
    GATE_CLASS_COUNT
};

/* Each: false when the frame is refused, and answered then, or waits. */
bool gate_lets(struct session *session, const struct frame_head *head, struct room *room,
               enum gate_class what);
bool gate_has_seat(const struct gate_in *in, const struct frame_head *head);
bool gate_plays(const struct gate_in *in, const struct frame_head *head);

/* The room of the frame's match if it is live and the session may know of it; else answered. */
struct room *handler_room(struct session *session, const struct frame_head *head, int64_t match);

/* The same, and the session's seat in it, if it runs. */
struct room *running_room(struct session *session, const struct frame_head *head, int64_t match,
                          uint8_t *ret_seat);

#endif /* SK_HOST_ROOM_GATE_H */
