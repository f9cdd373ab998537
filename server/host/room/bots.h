/*
 * Asking bots, and taking their answers.
 *
 * When a turn opens, those that owe are asked (bot_port.h); what they answer
 * is submitted for them as if it had come in a frame.  Who gave an answer
 * that does not count is asked again a few times, and then has nothing to say
 * in this turn.  In a match with a cycle it is asked once.  Before one of the
 * server's own is asked again it has answered, also if that comes too late:
 * questions do not pile up where nobody waits for the answer.
 */
#ifndef SK_HOST_ROOM_BOTS_H
#define SK_HOST_ROOM_BOTS_H

#include "server/host/room/room.h"

#define BOT_TRIES_MAX 3   /* answers of a turn that do not count */
#define BOT_RETRY_MS  200 /* after the first of them; twice as long after the next */
#define BOT_BUSY_MS   50  /* when the port takes no more questions */

/* Asks all bots of the room that owe and are not asked yet. */
void room_ask_bots(struct room *room);

/* The answer to one of these questions has come. */
void room_take_answer(struct host *host, struct bot_ask *ask);

#endif /* SK_HOST_ROOM_BOTS_H */
