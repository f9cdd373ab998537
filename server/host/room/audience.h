/*
 * The audience of a room: who follows as which seat, who is away, and the
 * frames for them.
 *
 * A frame is encoded once for each audience (a seat, or the spectators) and
 * shared by all sessions in it.  Spectators may be delayed by some turns: then
 * they follow a second, delayed room (room/behind.h).
 *
 * Owner:   a follow belongs to the audience and ends with its session, or
 *          earlier.
 */
#ifndef SK_HOST_ROOM_AUDIENCE_H
#define SK_HOST_ROOM_AUDIENCE_H

#include "server/host/room/room.h"

/* The session follows as its player's seat, who then counts as present, or as a spectator. */
void room_follow(struct room *room, struct session *session);
void room_unfollow(struct follow *follow);
struct follow *room_follow_of(const struct room *room, const struct session *session);

/* The match as this seat or a spectator knows it, and the last seq they were sent. */
struct room *room_known(struct room *room, uint8_t seat);
int32_t room_seq_for(struct room *room, uint8_t seat);

/* Whether anybody gets new frames from this room. */
bool audience_listens(const struct room *room, uint8_t seat);
void room_send_seat(struct room *room, uint8_t seat, const void *frame);
void room_send_all(struct room *room, const void *frame);
void room_send_now(struct room *room, const void *frame); /* no seq: not if delayed */
void room_error_all(struct room *room, enum error_code code);

/* ---- absence in a match without a clock --------------------------------------------------- */

/* Since when the match waits for a seat that is away. */
int64_t room_waited_from_ms(const struct room *room, uint8_t seat);

/* Time until the others may claim the match because this seat is away; INT64_MAX = never. */
int64_t room_claim_ms(const struct room *room, uint8_t seat);

/* When to warn the others that they may claim soon, or INT64_MAX. */
int64_t room_warning_ms(const struct room *room, uint8_t seat);

void room_show_presence(struct room *room, uint8_t seat);

/* Tells a newcomer when the match may be claimed, if the others know it already. */
void room_show_claims(const struct room *room, struct session *session, uint8_t seat);

#endif /* SK_HOST_ROOM_AUDIENCE_H */
