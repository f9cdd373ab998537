/*
 * Repeated frames.
 *
 * A command_id belongs to one submission, withdrawal or resignation of a seat
 * for ever.  The same frame again gets its original answer from the store; the
 * same id with other content is refused.
 */
#ifndef SK_HOST_ROOM_REPEAT_H
#define SK_HOST_ROOM_REPEAT_H

#include "server/host/room/room.h"

/* The contents of a frame with a command_id. */
struct repeat {
    enum store_record_kind kind; /* submission, withdrawn or resigned */
    struct sk_text command_id;
    int32_t turn;                    /* not of a resignation */
    const struct sk_value *commands; /* of a submission */
    bool has_ready;
    bool ready;
};

/* Returns true if the id was used before; then the frame gets its first answer again, or is
 * refused. */
bool room_answer_repeat(struct session *session, struct room *room, uint8_t seat,
                        const struct frame_head *head, const struct repeat *repeat);

#endif /* SK_HOST_ROOM_REPEAT_H */
