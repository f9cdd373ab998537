/*
 * What a room shows: the frames for each audience, from what is stored.
 */
#ifndef SK_HOST_ROOM_TELL_H
#define SK_HOST_ROOM_TELL_H

#include "server/host/room/room.h"

/* The frame of one public record, as it was shown when the record was new. */
void room_show_record(struct room *room, const struct store_record *record,
                      const struct pending_turn *turn);
void room_show_seated(struct room *room, uint8_t seat, bool starts);
void room_show_turn(struct room *room, const struct pending_turn *pending);
void room_show_clock(struct room *room);
void room_show_offer(struct room *room, uint8_t seat, bool is_declined);
void room_show_over(struct room *room);

void room_show_ready(struct room *room, uint8_t seat, bool is_ready);

/* Sends to one session. */
void room_show_joined(struct room *room, struct session *session, const struct frame_head *to);
void room_show_state(struct room *room, struct session *session, const struct frame_head *to);

/* Sends the seat's stored submission of the open turn, as `accepted`. */
void room_show_pending(struct room *room, struct session *session);
struct server_accepted accepted_frame(const struct room *room, uint32_t turn,
                                      const struct submission *submission);

#endif /* SK_HOST_ROOM_TELL_H */
