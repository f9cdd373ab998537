/*
 * A room: one live match, the records that are on their way to the store,
 * who is told of it, and what the host says in it.
 *
 * Rooms stay as long as a job of theirs is under way.
 */
#ifndef SK_HOST_ROOM_STRUCT_H
#define SK_HOST_ROOM_STRUCT_H

#include "server/host/room/id_set.h"
#include "server/host/session/rate.h"
#include "server/host/timers.h"
#include "server/match/match.h"

/* The first are the match's own: see room_phase. */
enum room_phase {
    ROOM_LOADING = MATCH_IS_NOT_THERE,
    ROOM_WAITING = MATCH_WAITS,
    ROOM_RUNNING = MATCH_RUNS,
    ROOM_OVER = MATCH_ENDED,
    ROOM_MISSING,     /* there is no such match ... */
    ROOM_PRUNED,      /* ... any more, but for its result ... */
    ROOM_UNAVAILABLE, /* ... or the store did not bring it */
    ROOM_QUARANTINED,
    ROOM_PHASE_COUNT
};

/* Jobs and records on their way to the store. */
struct room_log {
    uint32_t generation;
    uint32_t handed_seq;    /* of the last record handed to the store ... */
    uint32_t stored_seq;    /* ... and of the last that is there */
    struct commit *commits; /* under way: see room/log.h */
    int64_t retry_ms;
    int64_t shift_ms; /* for how long the server was down, until that is stored */
};

struct presence {
    uint32_t here;         /* sessions that follow as this seat; of a bot 1 */
    int64_t away_since_ms; /* 0 = here */
    int64_t warned_ms;     /* since when it was waited for when the others were told of it; or 0 */
};

/* A session that is being told what it missed: see resume.c. */
struct resuming_session {
    struct resuming_session *next;
    uint64_t session;
    bool has_followed; /* meanwhile: it was shown the match, whether it still follows it or not */
};

/* Who is told of the match. */
struct audience {
    struct follow *follows;
    struct resuming_session *resumings;
    struct behind *behind;      /* who reads for spectators who are behind, or NULL */
    struct room *known;         /* the match as those know it, once it is read; or NULL */
    struct presence presence[SK_SEATS_MAX];
    int64_t unwatched_ms; /* since when nobody follows it, monotonic */
};

/* What the host says for seats, and who asked for it. */
struct asks {
    struct asker *askers;
    uint32_t given[SK_SEATS_MAX]; /* a shared command that the host gives for the seat, + 1 */
};

struct rematch {
    int64_t match;     /* that plays this one again, or 0 */
    bool is_known;     /* the store was asked for it */
    bool is_under_way; /* it is looked for or made: who wants it too waits */
};

/* Bits. */
enum room_todo {
    ROOM_TOUCHED = 1,   /* its timer is set anew, and it is freed if nobody needs it */
    ROOM_ASKS_BOTS = 2, /* first those that owe are asked */
};

struct room {
    struct host *host;
    struct room *next;     /* in its hash chain */
    struct timer timer;    /* when it is to be looked at: see room_due_ms */
    enum room_phase aside; /* from ROOM_MISSING on; 0: the match decides */
    struct match match;
    struct room_log log;
    struct audience audience;
    struct asks asks;
    struct rematch rematch;
    struct bot_seat *bots[SK_SEATS_MAX]; /* the server's own players: see room/bot.h */
    struct id_set command_ids; /* all that were stored or are on their way there, for repeats */
    struct parked *parked;
    struct room *next_touched; /* in the host's list, while `todo` is not 0 */
    enum room_todo todo;       /* when the event is over: see rooms_settle */
    uint32_t jobs;             /* under way */
    bool is_shadow;            /* nobody's: made to tell one session what it missed */
    bool is_behind;            /* it is that of another room: only spectators are told */
    bool is_of_start;          /* while it is loaded: the start waits for it */
    bool is_refusing;          /* frames that were parked: the store did not answer */
    char *code;
    char *reason;       /* of quarantine */
    int64_t made_by;    /* the player whose share of the bots' time it uses, or 0 */
    struct maker maker; /* whom it counts for, until it is over */
    int64_t expires_ms; /* while it waits for players */
    int64_t paced_ms;   /* no turn before: see room_pauses */
};

static inline enum room_phase
room_phase(const struct room *room)
{
    return room->aside != 0 ? room->aside : (enum room_phase)room->match.status;
}

/* Nothing more will happen in it, and it is not kept for anything. */
static inline bool
room_is_past(const struct room *room)
{
    return room_phase(room) >= ROOM_OVER && room_phase(room) <= ROOM_UNAVAILABLE;
}

struct follow {
    struct room *room;
    struct session *session;
    struct follow *next_of_room;
    struct follow *next_of_session;
    uint8_t seat; /* or SK_SPECTATOR */
    bool is_muted;
};

#endif /* SK_HOST_ROOM_STRUCT_H */
