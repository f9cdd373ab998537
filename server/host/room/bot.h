/*
 * Seats that bots play: which bots, and the state of their answers.
 *
 * A bot is a player without a token.  Its row in the store says which bot it
 * is, so a match finds its bots again after a restart.
 *
 * If an answer does not count, everybody in the match is informed, at once and
 * with the turn, whose record keeps it.  The bot is informed in its next
 * question.
 *
 * Owner:   a bot_seat belongs to its room.
 */
#ifndef SK_HOST_ROOM_BOT_H
#define SK_HOST_ROOM_BOT_H

#include "server/host/room/room.h"

/* The state of a bot in a room. */
struct bot_seat {
    struct bot_who who;
    char *text;          /* the same text as it is stored */
    uint64_t asked;      /* number of the question under way, or 0 */
    uint64_t out;        /* likewise, even if its turn is over meanwhile */
    uint32_t turn;       /* the turn it was last asked about, with: */
    uint32_t tries;      /* answers that did not count */
    bool is_silent;      /* has finished this turn */
    bool has_declined;   /* a draw in this turn: once is enough, because each offer is stored */
    int64_t retry_ms;    /* earliest time for the next question; 0 = now */
    char *last_verdicts; /* of its last answer */
    enum bot_failure last_failure;
    int32_t last_latency_ms;
    enum bot_failure failure; /* of the newest answer in this turn, and its message: */
    char message[FRAME_FAILURE_MESSAGE_MAX + 1];
};

/* Parses the stored form of a bot, or returns false; and writes it, on the heap.  `given` is
 * the name that a web service was given, or "". */
bool bot_who_read(const char *text, struct bot_who *ret_who);
char *bot_text(const struct bot_who *who, struct sk_text given);

/* Makes this bot the seat's player; `text` is its stored form, or NULL for a person. */
void room_set_bot(struct room *room, uint8_t seat, const char *text);
void room_forget_bot(struct room *room, uint8_t seat);
bool room_is_of_bots(const struct room *room);

/* Whether its seats have no person, only bots that wait for one. */
bool room_is_deserted(const struct room *room);

/* Whether the turn is open to bots; and whether it waits for this one, which was not asked yet. */
bool room_asks_bots(const struct room *room);
bool room_awaits_bot(const struct room *room, uint8_t seat);

/* When one of them must be asked again, or INT64_MAX. */
int64_t room_bots_due_ms(const struct room *room);

/* Reports a failure at once.  The turn reports it again when it closes, unless a valid answer
 * comes first. */
void room_note_failure(struct room *room, uint8_t seat, enum bot_failure failure,
                       const char *detail);
void bot_write_message(enum bot_failure failure, const char *detail,
                       char message[FRAME_FAILURE_MESSAGE_MAX + 1]);

/* The turn closes: bots that have not answered and have no time left failed as too slow. */
void room_note_late_bots(struct room *room);

/* JSON of the bots whose newest answer in the open turn did not count; NULL if there are none. */
char *room_failures_text(struct room *room);

#endif /* SK_HOST_ROOM_BOT_H */
