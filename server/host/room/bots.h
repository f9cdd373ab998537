/*
 * Asking bots, and taking their answers.
 *
 * When a turn opens, the bots that owe commands are asked (bot_port.h).  Their
 * answers are submitted for them as if they had come in a frame.  After an
 * answer that does not count, a bot is asked again a few times, and then does
 * nothing in this turn.  In a match with a cycle it is asked once.  One of the
 * server's own bots is asked again only after it has answered, even too late,
 * so questions do not pile up.
 */
#ifndef SK_HOST_ROOM_BOTS_H
#define SK_HOST_ROOM_BOTS_H

#include "server/host/room/room.h"

#define BOT_TRIES_MAX 3   /* failed answers per turn */
#define BOT_RETRY_MS  200 /* pause after the first; doubled after each further one */
#define BOT_BUSY_MS   50  /* if the port is full */

/* Asks all bots of the room that owe commands and were not asked yet. */
void room_ask_bots(struct room *room);

/* Takes the answer to one of these questions. */
void room_take_answer(struct host *host, struct bot_ask *ask);

#endif /* SK_HOST_ROOM_BOTS_H */
