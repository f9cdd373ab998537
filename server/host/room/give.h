/*
 * What ends a match early: resigning, claiming, draws.
 *
 * match.offer is what is stored and was shown; match.offer_next is what it
 * will be once everything on its way to the store is there, and decides what
 * may be said next.  To agree is a turn of its own, built on the offer: it
 * falls with it.
 */
#ifndef SK_HOST_ROOM_GIVE_H
#define SK_HOST_ROOM_GIVE_H

#include "server/host/session/session_struct.h"

frame_handler handle_resign, handle_claim, handle_offer_draw, handle_answer_draw;

#endif /* SK_HOST_ROOM_GIVE_H */
