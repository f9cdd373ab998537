/*
 * How a match comes to be: `create`, and the first state.
 */
#ifndef SK_HOST_LOBBY_CREATE_H
#define SK_HOST_LOBBY_CREATE_H

#include "proto/records.h"
#include "server/host/room/room.h"

frame_handler handle_create;

/* A match that somebody wants. */
struct match_plan {
    struct shared_config *config; /* the plan's has no reference of its own */
    struct record_settings settings;
    const struct sk_seed *seed;                 /* NULL: a secret one */
    int64_t rematch_of;                         /* or 0 */
    bool is_rating_asked;                       /* in words: a private match may count */
    struct session *sitters[SK_SEATS_MAX];      /* NULL: a free seat; none is free = it begins */
    const struct known_bot *bots[SK_SEATS_MAX]; /* where nobody sits; NULL: no bot either */
    bool is_of_queue;
    struct waiting_player *queued; /* by whom it is made, taken out of the queue */

    /* The store has answered; the room is NULL if it is not stored.  May be NULL. */
    void (*done)(struct host *host, const struct match_plan *plan, struct room *room);
};

/*
 * Hands it to the store and answers when it is there; or answers now, and
 * false: nothing came of it, and `queued` is still the caller's.
 */
bool room_create(struct session *session, const struct frame_head *head,
                 const struct match_plan *plan);

/* Live play between people, as far as the ruleset has that. */
struct record_settings room_default_settings(const struct shared_config *config);
bool session_may_play(struct session *session, const struct frame_head *head);

#endif /* SK_HOST_LOBBY_CREATE_H */
