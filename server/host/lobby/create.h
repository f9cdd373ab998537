/*
 * Creates matches: `create`, and the first state.
 *
 * Owner:   the caller owns a plan; room_create copies what it needs.
 */
#ifndef SK_HOST_LOBBY_CREATE_H
#define SK_HOST_LOBBY_CREATE_H

#include "proto/records.h"
#include "server/host/room/room.h"

frame_handler handle_create;

/* A match that is to be created. */
struct match_plan {
    struct shared_config *config; /* the plan holds no reference */
    struct record_settings settings;
    const struct sk_seed *seed;                 /* NULL: a random one */
    int64_t rematch_of;                         /* or 0 */
    bool is_rating_asked;                       /* the creator asks that a private match is rated */
    struct session *sitters[SK_SEATS_MAX];      /* NULL: free; if none is free the match starts */
    const struct known_bot *bots[SK_SEATS_MAX]; /* of seats without a person; NULL: no bot either */
    const struct store_partner *partners; /* of every seat, from the queue of all nodes; or NULL */
    bool is_of_queue;
    struct waiting_player *queued; /* the players that were taken out of the queue */

    /* Called when the store has answered; the room is NULL if it failed.  May be NULL. */
    void (*done)(struct host *host, const struct match_plan *plan, struct room *room);
};

/*
 * Hands the match to the store and answers once it is stored.  Returns false
 * if it was refused and answered at once; `queued` then still belongs to the
 * caller.
 */
bool room_create(struct session *session, const struct frame_head *head,
                 const struct match_plan *plan);

/* The settings of live play between people, as far as the ruleset allows it. */
struct record_settings room_default_settings(const struct shared_config *config);
bool session_may_play(struct session *session, const struct frame_head *head);

#endif /* SK_HOST_LOBBY_CREATE_H */
