/*
 * Seats that bots play: who they are, and what is known of their answers.
 *
 * A bot is a player whom nobody has a token for; which one it is stands in
 * its row of the store, so a match finds its bots again after a restart.
 *
 * An answer that does not count is told to everybody in the match, at once
 * and with the turn, whose record keeps it, and to the bot in its next
 * question.
 */
#ifndef SK_HOST_ROOM_BOT_H
#define SK_HOST_ROOM_BOT_H

#include "server/host/room/room.h"

/* What a room knows of a bot. */
struct bot_seat {
    struct bot_who who;
    char *text;          /* the same as JSON, as it is stored */
    uint64_t asked;      /* the number of the question that is under way, or 0 */
    uint64_t out;        /* likewise, also if its turn is over meanwhile */
    uint32_t turn;       /* that it was last asked about, with: */
    uint32_t tries;      /* answers that did not count */
    bool is_silent;      /* it has nothing more to say in this turn */
    int64_t retry_ms;    /* not to be asked before; 0 = now */
    char *last_verdicts; /* of its last answer */
    enum bot_failure last_failure;
    int32_t last_latency_ms;
    enum bot_failure failure; /* of the newest answer in this turn, and what people are told: */
    char message[FRAME_FAILURE_MESSAGE_MAX + 1];
};

/* Which bot it is, from what is stored; false: none.  And as it is stored, on the heap, with the
 * name that a web service was given or "". */
bool bot_who_read(const char *text, struct bot_who *ret_who);
char *bot_text(const struct bot_who *who, struct sk_text given);

/* The seat's player is this bot; `text` as it is stored, or NULL: a person. */
void room_set_bot(struct room *room, uint8_t seat, const char *text);
void room_forget_bot(struct room *room, uint8_t seat);
bool room_is_of_bots(const struct room *room);

/* Nobody sits in it, or only bots that wait for somebody. */
bool room_is_deserted(const struct room *room);

/* Is the turn open to bots?  And does it wait for this one, whom nobody has asked? */
bool room_asks_bots(const struct room *room);
bool room_awaits_bot(const struct room *room, uint8_t seat);

/* When one of them is to be asked again, or INT64_MAX. */
int64_t room_bots_due_ms(const struct room *room);

/* Told at once; the turn tells it again when it closes, unless a better answer comes before. */
void room_note_failure(struct room *room, uint8_t seat, enum bot_failure failure,
                       const char *detail);
void bot_write_message(enum bot_failure failure, const char *detail,
                       char message[FRAME_FAILURE_MESSAGE_MAX + 1]);

/* The turn closes: who has not answered by now and has no time left was too slow. */
void room_note_late_bots(struct room *room);

/* JSON of the bots whose newest answer in the open turn did not count; NULL: none. */
char *room_failures_text(struct room *room);

#endif /* SK_HOST_ROOM_BOT_H */
