/*
 * Commands that the host gives for a seat (resign, abandon, agree_draw), and
 * the clients that asked for them.
 *
 * A client that asked gets `done` when the turn with its command is stored.
 * While another turn is being stored, the command waits for the next one.  If
 * the store fails (room/commit.h), the command stays given and the client waits
 * on: a second later the turn is closed again.
 *
 * Owner:   an asker belongs to its room, until it is answered.
 */
#ifndef SK_HOST_ROOM_ASKS_H
#define SK_HOST_ROOM_ASKS_H

#include "server/host/room/room.h"

/* A client that gets `done` once the turn that it caused is stored. */
struct asker {
    struct asker *next;
    struct reply reply;
    uint8_t seat;
    uint8_t kind;                              /* the shared command that it asked for */
    bool is_served;                            /* in the turn that is being stored */
    bool is_repeat;                            /* an earlier one has the same id */
    char command_id[MATCH_COMMAND_ID_MAX + 1]; /* "" = none */
};

struct asker *room_add_asker(struct room *room, uint8_t seat, uint8_t kind,
                             const struct session *session, const struct frame_head *head);

/* The asker that resigns with this id and waits for it to be stored, or NULL. */
const struct asker *room_asker_of(const struct room *room, uint8_t seat, struct sk_text command_id);

/* Takes effect with the next turn that closes. */
void room_set_given(struct room *room, uint8_t seat, uint8_t kind);

/* Whether a command was given for a seat: the turn then closes with it, whatever else is sent. */
bool room_is_ending(const struct room *room);

/* The turn that is now handed to the store includes everything asked for so far ... */
void room_serve_askers(struct room *room, const struct pending_turn *pending);
bool asker_is_given(const struct pending_turn *pending, const struct asker *asker);

/* ... and once it is stored, clears what it used, ends an offer, and answers those askers. */
void room_clear_given(struct room *room, const struct pending_turn *pending);
void room_answer_askers(struct room *room);

/* The store has failed: askers wait again, and agreements to an offer that is not stored are
 * dropped. */
void room_asks_fall_back(struct room *room);

void room_take_back_all(struct room *room); /* the rules do not accept them */
void room_drop_claims(struct room *room);
void room_forget_askers(struct room *room);
void room_refuse_askers(struct room *room, enum error_code code);

#endif /* SK_HOST_ROOM_ASKS_H */
