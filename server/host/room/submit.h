/*
 * Submissions and withdrawals: from a frame to the store, and the answer
 * once they are there.
 *
 * What the gate lets pass is judged by the ruleset against the seat's view;
 * refused commands are stored with the others, because a seat may rely on
 * what it was told.  Commands of an alternating ruleset are played at once:
 * the submission and the turns that it makes are stored together.
 */
#ifndef SK_HOST_ROOM_SUBMIT_H
#define SK_HOST_ROOM_SUBMIT_H

#include "server/host/room/room.h"

frame_handler handle_submit, handle_withdraw;

/* Shared commands are the host's to give; a player has frames of their own for them. */
bool room_has_shared_kinds(const struct room *room, const struct sk_list *commands);

/* What the rules say to the commands, and the turns that come of them if they are played now. */
struct submission *room_judge(struct room *room, uint8_t seat, const struct frame_submit *frame,
                              const struct sk_list *commands, struct pending_turn **ret_turns);

/*
 * Takes both over.  False when the store takes no more; who sent it is told
 * that too, and NULL is nobody.
 */
bool room_store_submission(struct session *session, struct room *room, uint8_t seat,
                           const struct frame_submit *frame, struct submission *submission,
                           struct pending_turn *turns);

#endif /* SK_HOST_ROOM_SUBMIT_H */
