/*
 * Submissions and withdrawals: from a frame to the store, and the answer once
 * they are stored.
 *
 * After the gate, the ruleset judges the commands against the seat's view.
 * Refused commands are stored with the others, because the seat has seen their
 * verdicts.  Commands of an alternating ruleset are played at once: the
 * submission and its turns are stored together.
 */
#ifndef SK_HOST_ROOM_SUBMIT_H
#define SK_HOST_ROOM_SUBMIT_H

#include "server/host/room/room.h"

frame_handler handle_submit, handle_withdraw;

/* Whether the list contains shared commands.  Only the host gives them; players have other
 * frames for them. */
bool room_has_shared_kinds(const struct room *room, const struct sk_list *commands);

/* Returns the verdicts on the commands, and the turns they make if they are played at once. */
struct submission *room_judge(struct room *room, uint8_t seat, const struct frame_submit *frame,
                              const struct sk_list *commands, struct pending_turn **ret_turns);

/*
 * Takes ownership of both.  Returns false if the store is full; the sender
 * gets an error (`session` NULL: no sender).
 */
bool room_store_submission(struct session *session, struct room *room, uint8_t seat,
                           const struct frame_submit *frame, struct submission *submission,
                           struct pending_turn *turns);

#endif /* SK_HOST_ROOM_SUBMIT_H */
