/*
 * How a seat comes to be a bot's: from `create` to a player of the store.
 */
#ifndef SK_HOST_LOBBY_BOT_FIND_H
#define SK_HOST_LOBBY_BOT_FIND_H

#include "server/host/room/room.h"

/* Bots whose players are known: their rows need not be asked for again. */
struct known_bot {
    struct known_bot *next;
    int64_t player;
    char name[FRAME_PLAYER_NAME_MAX + 1];
    struct bot_who who;
    char *text;
};

#define KNOWN_BOTS_MAX 256

/*
 * The bots that the frame gives seats to.  False: the frame is answered, or
 * will be handled again when the store has said who they are.
 */
bool bots_of_create(struct session *session, const struct frame_create *frame,
                    const struct known_bot *ret_bots[SK_SEATS_MAX]);

/* The bot of a seat that plays on in another match; NULL: a person's seat, or it is forgotten. */
const struct known_bot *bots_again(const struct room *room, uint8_t seat);
void bots_forget(struct host *host);

#endif /* SK_HOST_LOBBY_BOT_FIND_H */
