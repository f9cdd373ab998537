/*
 * Gives seats to bots: from `create` to a player in the store.
 *
 * Owner:   the host; a bot may be dropped from the cache as soon as the event
 *          is over.
 */
#ifndef SK_HOST_LOBBY_BOT_FIND_H
#define SK_HOST_LOBBY_BOT_FIND_H

#include "server/host/room/room.h"

/* Cached bots whose players are known. */
struct known_bot {
    struct known_bot *next;
    int64_t player;
    char name[FRAME_PLAYER_NAME_MAX + 1];
    struct bot_who who;
    char *text;
};

#define KNOWN_BOTS_MAX 256

/*
 * Finds the bots that the frame gives seats to.  Returns false if the frame is
 * answered, or will be handled again when the store has found them.
 */
bool bots_of_create(struct session *session, const struct frame_create *frame,
                    const struct known_bot *ret_bots[SK_SEATS_MAX]);

/* The bot of a seat, for another match; NULL: a person, or the bot was dropped from the cache. */
const struct known_bot *bots_again(const struct room *room, uint8_t seat);
void bots_forget(struct host *host);

#endif /* SK_HOST_LOBBY_BOT_FIND_H */
