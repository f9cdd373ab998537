/*
 * Ends a match early: resignations, claims, draws.
 *
 * match.offer is stored and was shown; match.offer_next is the offer once
 * everything under way is stored, and decides which frames are allowed.  An
 * agreement is a turn of its own, based on the offer: if the offer cannot be
 * stored, the agreement is dropped too.  Only room/commit.c decides what happens
 * when the store fails, for resignations too.
 */
#ifndef SK_HOST_ROOM_GIVE_H
#define SK_HOST_ROOM_GIVE_H

#include "server/host/room/room.h"
#include "server/host/session/session_struct.h"

/* Of one seat: each is stored, and so is each refusal, so that two players could fill the disk. */
#define OFFERS_PER_TURN_MAX 3

/* Declines the other seat's draw offer, if there is one; true = it is being stored. */
bool room_decline_for(struct room *room, uint8_t seat);

frame_handler handle_resign, handle_claim, handle_offer_draw, handle_answer_draw;

#endif /* SK_HOST_ROOM_GIVE_H */
