/*
 * Commands that the host gives for a seat (resign, abandon, agree_draw), and
 * who asked for them.
 *
 * Whoever asked for one hears `done` when the turn that it makes is stored.
 * While another turn is on its way there it waits for the next one.
 */
#ifndef SK_HOST_ROOM_ASKS_H
#define SK_HOST_ROOM_ASKS_H

#include "server/host/room/room.h"

/* Somebody who hears `done` once the turn that they caused is stored. */
struct asker {
    struct asker *next;
    struct reply reply;
    uint8_t seat;
    uint8_t kind;                              /* the shared command that they asked for */
    bool is_served;                            /* by the turn that is on its way to the store */
    bool is_repeat;                            /* another has the same id: it is stored once */
    char command_id[MATCH_COMMAND_ID_MAX + 1]; /* "" = it has none */
};

struct asker *room_add_asker(struct room *room, uint8_t seat, uint8_t kind,
                             const struct session *session, const struct frame_head *head);

/* Who resigns under this id and waits for it to be stored, or NULL. */
const struct asker *room_asker_of(const struct room *room, uint8_t seat, struct sk_text command_id);

/* From the next turn on that is closed. */
void room_set_given(struct room *room, uint8_t seat, uint8_t kind);

/* A command was given for a seat: the turn will close with it, whatever else is sent. */
bool room_is_ending(const struct room *room);

/* The turn on its way to the store is that of everybody who has asked so far ... */
void room_serve_askers(struct room *room, const struct pending_turn *pending);
bool asker_is_given(const struct pending_turn *pending, const struct asker *asker);

/* ... and when it is there, what it used is not given for the next turn, an offer has ended, and
 * they are answered. */
void room_clear_given(struct room *room, const struct pending_turn *pending);
void room_answer_askers(struct room *room);

/* The store has failed: who was served is not, who agreed to what is not stored has not agreed. */
void room_asks_fall_back(struct room *room);

void room_take_back_all(struct room *room); /* the rules do not take them */
void room_drop_claims(struct room *room);
void room_forget_askers(struct room *room);
void room_refuse_askers(struct room *room, enum error_code code);

#endif /* SK_HOST_ROOM_ASKS_H */
