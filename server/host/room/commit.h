/*
 * What a room stores, and what follows when it is stored or not.
 *
 * A commit is drafted, gets its records, and is handed to the room's log; from
 * then on its fact counts.  What happens when the store fails is decided in
 * fall_back of commit.c, for submissions, turns, resignations, offers and ends
 * alike.
 *
 * Owner:   a commit belongs to its drafter until room_commit, then to the room.
 */
#ifndef SK_HOST_ROOM_COMMIT_H
#define SK_HOST_ROOM_COMMIT_H

#include "server/host/room/room.h"
#include "server/match/apply.h"

struct commit;

/* A constant in the file that makes the commits.  Either function may be NULL. */
struct commit_kind {
    void (*stored)(struct room *room, struct commit *commit);

    /* Not stored.  `is_first`: no earlier commit failed for the same reason. */
    void (*failed)(struct room *room, const struct commit *commit, enum error_code code,
                   bool is_first);
    bool unparks; /* frames wait for its result */
};

struct commit {
    struct log_entry entry; /* first */
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

/* Hands the commit over.  On false it is freed and nothing has changed. */
bool room_commit(struct commit *commit);

/* Whether the match is over by it: it is stored, although the room may be lost. */
bool commit_has_ended(const struct commit *commit);

/* The size of its records' bodies, before room_commit. */
size_t commit_bytes(const struct commit *commit);

/* Whether a commit with a command of this id is under way. */
bool room_commits_id(const struct room *room, uint8_t seat, struct sk_text id);

/* Notes that the server was down for this long: it is stored before everything else ... */
void room_shift(struct room *room, int64_t shift_ms);

/* ... unless it is stored already or no longer matters.  After a failure it is retried a second
 * later. */
void room_store_shift(struct room *room);
void room_retry_later(struct room *room);

#endif /* SK_HOST_ROOM_COMMIT_H */
