/*
 * The log of a room: records under way to the store.  Only the log counts
 * jobs, numbers records, and decides what happens when the store fails.
 *
 * A commit is drafted, gets its records, and is handed over; from then on its
 * fact counts.  Each commit is answered once, in the order of handing over.
 * When one fails, all later ones of its generation fail too: the first failure
 * takes the room back to what is stored and starts the next generation.  Later
 * failures of the old generation are only reported to the clients that asked.
 *
 * So what happens when the store fails is decided in fall_back of log.c, for
 * submissions, turns, resignations, offers and ends alike.  A resignation is in
 * the job of its turn: unless the match is quarantined, it stays given
 * (room/asks.h), and the turn is closed and handed over again a second later.
 *
 * Owner:   a commit belongs to its drafter until room_commit, then to the log.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_ROOM_LOG_H
#define SK_HOST_ROOM_LOG_H

#include "server/host/room/room.h"
#include "server/match/apply.h"

/* A constant in the file that makes the commits.  Either function may be NULL. */
struct commit_kind {
    void (*stored)(struct room *room, struct commit *commit);

    /* Not stored.  `is_first`: it is the first failure of its generation. */
    void (*failed)(struct room *room, const struct commit *commit, enum error_code code,
                   bool is_first);
    bool unparks; /* frames wait for its result */
};

struct commit {
    struct commit *next; /* under way in the same room */
    struct room *room;
    const struct commit_kind *kind;
    struct store_job *job;
    struct fact fact;
    struct reply reply; /* who gets the error if it is not stored; all zeros: nobody */
    int64_t player;     /* whose seat it concerns */
    char command_id[FRAME_COMMAND_ID_MAX + 1];
};

struct commit *commit_draft(struct room *room, const struct commit_kind *kind,
                            enum store_record_kind what, uint8_t seat);

/* Adds a record; `body` is encoded by the schema. */
struct store_record *commit_record(struct commit *commit, enum store_record_kind kind, int32_t seat,
                                   const struct sk_schema *schema, const void *body);

/* Numbers the records and hands them over.  On false the commit is freed and nothing has
 * changed. */
bool room_commit(struct commit *commit);

/* The size of its records' bodies, before room_commit. */
size_t commit_bytes(const struct commit *commit);

/* Notes that the server was down for this long: it is stored before everything else ... */
void room_shift(struct room *room, int64_t shift_ms);

/* ... unless it is stored already or no longer matters.  After a failure it is retried a second
 * later. */
void room_store_shift(struct room *room);
void room_retry_later(struct room *room);

/* Whether a commit whose first record is of this kind is under way. */
bool room_commits(const struct room *room, enum store_record_kind what);

#endif /* SK_HOST_ROOM_LOG_H */
