/*
 * What a player in the queue wants: a range of ratings, and what others are
 * shown of it.
 *
 * With one node the host pairs players itself, and needs their ratings only if
 * one of them has a range.  It asks the store then, and handles the frame again.
 * On a shared database the store knows the ratings and pairs them.
 */
#ifndef SK_HOST_LOBBY_SEEK_H
#define SK_HOST_LOBBY_SEEK_H

#include "server/host/session/reply.h"
#include "server/match/work.h"

#define SEEK_PARAMS_MAX  512 /* bytes of params that others are shown */
#define SEEK_LIST_MAX    50
#define SEEK_RATINGS_MAX 256 /* asked for at once; the rest when the frame is handled again */

/* In `heard.match` of a frame that is handled again: this plus the player's own rating. */
#define SEEK_RATED 1000000

/* Whether the two can play together. */
bool seek_fits(const struct waiting_player *one, const struct waiting_player *other);

/* Whether somebody has a range, and the rating of somebody who wants the same match is unknown. */
bool seek_needs_ratings(const struct host *host, const struct waiting_player *seeker);

/* Handles the frame again when the ratings of the player and of those who wait for such a match are
 * known; ruleset and config may be NULL. */
void seek_ask(struct session *session, const struct frame_head *head,
              const struct sk_ruleset *ruleset, const struct shared_config *config);

/* What others are shown of the player, as JSON on the heap. */
char *seek_text(struct host *host, const struct waiting_player *waiting,
                const struct sk_json *params);

/* Who waits at this node, for QUERY_QUEUE; on the heap. */
char *seek_list(struct host *host, size_t *ret_length);

#endif /* SK_HOST_LOBBY_SEEK_H */
