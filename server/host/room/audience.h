/*
 * The audience of a room: who follows as which seat, who is away, and what is
 * sent to them.
 *
 * A frame is encoded once for each audience (a seat, or the spectators) and
 * shared by all sessions in it.  Spectators may be some turns behind: then
 * they are told by a room of their own (room/behind.h).
 */
#ifndef SK_HOST_ROOM_AUDIENCE_H
#define SK_HOST_ROOM_AUDIENCE_H

#include "server/host/room/room.h"

/* Followed as the seat of the session's player, who is there then; or as a spectator. */
void room_follow(struct room *room, struct session *session);
void room_unfollow(struct follow *follow);
struct follow *room_follow_of(const struct room *room, const struct session *session);

/* The match as who sits there, or watches, knows it; and the seq of what it was told last. */
struct room *room_known(struct room *room, uint8_t seat);
int32_t room_seq_for(struct room *room, uint8_t seat);

/* Is anybody there whom this room tells what is new? */
bool audience_listens(const struct room *room, uint8_t seat);
void audience_tell(struct room *room, uint8_t seat, struct message *message);

void room_send_seat(struct room *room, uint8_t seat, const void *frame);
void room_send_all(struct room *room, const void *frame);
void room_send_now(struct room *room, const void *frame); /* without a seq: not to who is behind */
void room_error_all(struct room *room, enum error_code code);

/* ---- absence in a match without a clock --------------------------------------------------- */

/* Since when the match waits for a seat that is away. */
int64_t room_waited_from_ms(const struct room *room, uint8_t seat);

/* In how long the others may claim the match because this seat stays away; INT64_MAX = they may
 * not. */
int64_t room_claim_ms(const struct room *room, uint8_t seat);

/* When the others are to be warned that they may claim soon, or INT64_MAX. */
int64_t room_warning_ms(const struct room *room, uint8_t seat);

void room_show_presence(struct room *room, uint8_t seat);

/* Who comes when the others were told already shall know too when they may claim. */
void room_show_claims(const struct room *room, struct session *session, uint8_t seat);

#endif /* SK_HOST_ROOM_AUDIENCE_H */
