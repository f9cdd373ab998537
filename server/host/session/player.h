/*
 * Players: clients that have said hello, with all their sessions; and hello
 * itself.
 */
#ifndef SK_HOST_SESSION_PLAYER_H
#define SK_HOST_SESSION_PLAYER_H

#include "server/host/session/reply.h"

frame_handler handle_hello, handle_renew_token;

bool name_is_reserved(struct sk_text name); /* it looks like a name of the server's */
void player_leave(struct session *session);
bool token_hash(struct sk_text token, uint8_t ret_hash[STORE_HASH_BYTES]);
struct player *player_find(struct host *host, int64_t id);

/* The player comes or goes: the next beat stores when. */
void player_seen(struct host *host, int64_t player);

/* Counts the player's matches: a seat goes to the store, is stored, or is free again. */
void player_joins(struct host *host, int64_t id);
void player_joined(struct host *host, int64_t id, bool is_stored);
void player_left(struct host *host, int64_t id);
bool player_may_join(const struct host *host, const struct player *player);

/* Before a refusal: on a shared database some of the player's matches may have ended elsewhere.
 * Returns true if the store is counting them again, so that the client must try again later. */
bool player_is_counted_again(struct host *host, struct player *player);

#endif /* SK_HOST_SESSION_PLAYER_H */
