/*
 * Seats that bots play.
 *
 * A bot is a player whom nobody has a token for; which one it is stands in
 * its row of the store, so a match finds its bots again after a restart.  When
 * a turn opens, those that owe are asked (bot_port.h); what they answer is
 * submitted for them as if it had come in a frame.
 *
 * An answer that does not count is told to everybody in the match, at once
 * and with the turn, whose record keeps it, and to the bot in its next
 * question.  It is asked again a few times; then it has
 * nothing to say in this turn.  In a match with a cycle it is asked once.
 *
 * Threads: the loop's only.
 */
#ifndef SK_HOST_ROOM_BOT_H
#define SK_HOST_ROOM_BOT_H

#include "server/host/room.h"

#define BOT_TRIES_MAX 3   /* answers of a turn that do not count */
#define BOT_RETRY_MS  200 /* after the first of them; twice as long after the next */
#define BOT_BUSY_MS   50  /* when the port takes no more questions */

/* What a room knows of a bot. */
struct bot_seat {
    struct bot_who who;
    char *text;          /* the same as JSON, as it is stored */
    uint64_t asked;      /* the number of the question that is under way, or 0 */
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

/* ---- room_bot.c -------------------------------------------------------------------------- */

/* Asks all bots of the room that owe and are not asked yet. */
void room_ask_bots(struct room *room);

/* The turn closes: who has not answered by now and has no time left was too slow. */
void room_note_late_bots(struct room *room);

/* JSON of the bots whose newest answer in the open turn did not count; NULL: none. */
char *room_failures_text(struct room *room);

/* When one of them is to be asked again, or INT64_MAX. */
int64_t room_bots_due_ms(const struct room *room);

/* ---- room_bot_seat.c --------------------------------------------------------------------- */

/* Bots whose players are known: their rows need not be asked for again. */
struct known_bot {
    struct known_bot *next;
    int64_t player;
    char name[FRAME_PLAYER_NAME_MAX + 1];
    struct bot_who who;
    char *text;
};

#define KNOWN_BOTS_MAX 256

/*
 * The bots that the frame gives seats to.  False: the frame is answered, or
 * will be handled again when the store has said who they are.
 */
bool bots_of_create(struct session *session, const struct frame_create *frame,
                    const struct known_bot *ret_bots[SK_SEATS_MAX]);

/* The bot of a seat that plays on in another match; NULL: a person's seat, or it is forgotten. */
const struct known_bot *bots_again(struct host *host, const struct seat *seat);
void bots_forget(struct host *host);

/* The seat's player is this bot; `text` as it is stored.  False: the text is none. */
bool seat_set_bot(struct seat *seat, const char *text);
char *bot_text(const struct bot_who *who); /* as it is stored, on the heap */
void seat_forget_bot(struct seat *seat);
bool room_is_of_bots(const struct room *room);

/* Nobody sits in it, or only bots that wait for somebody. */
bool room_is_deserted(const struct room *room);

#endif /* SK_HOST_ROOM_BOT_H */
