/*
 * A room: one live match, its log to the store, its audience, and the commands
 * that the host gives in it.
 *
 * The files of this folder work on it: README.md of server/host says which of
 * them decides what.
 *
 * Owner:   the host; rooms_settle frees it, but never one with records under way
 *          or with holds.
 */
#ifndef SK_HOST_ROOM_STRUCT_H
#define SK_HOST_ROOM_STRUCT_H

#include "server/host/room/id_set.h"
#include "server/host/room/log.h"
#include "server/host/session/rate.h"
#include "server/host/timers.h"
#include "server/match/match.h"

/* The first ones are those of the match: see room_phase. */
enum room_phase {
    ROOM_LOADING = MATCH_IS_NOT_THERE,
    ROOM_WAITING = MATCH_WAITS,
    ROOM_RUNNING = MATCH_RUNS,
    ROOM_OVER = MATCH_ENDED,
    ROOM_MISSING,     /* there is no such match ... */
    ROOM_PRUNED,      /* ... or only its result is left ... */
    ROOM_UNAVAILABLE, /* ... or the store could not load it ... */
    ROOM_ELSEWHERE,   /* ... or another node runs it, at `path` */
    ROOM_LOST,        /* another node may run it: it is loaded anew when its jobs are back */
    ROOM_QUARANTINED,
    ROOM_PHASE_COUNT
};

struct presence {
    uint32_t here;         /* sessions that follow as this seat; 1 for a bot */
    int64_t away_since_ms; /* 0 = here */
    int64_t warned_ms;     /* since when the match waits for it, if others were warned; or 0 */
};

/* A session that is being sent what it missed: see resume.c. */
struct resuming_session {
    struct resuming_session *next;
    uint64_t session;
    bool has_followed; /* meanwhile it was shown the match, whether it still follows it or not */
};

/* Who follows the match. */
struct audience {
    struct follow *follows;
    struct resuming_session *resumings;
    struct behind *behind; /* reads for delayed spectators, or NULL */
    struct room *known;    /* the match as they know it, once it is read; or NULL */
    struct presence presence[SK_SEATS_MAX];
    int64_t unwatched_ms; /* since when nobody follows it, monotonic */
};

/* Commands that the host gives for seats, and who asked for them. */
struct asks {
    struct asker *askers;
    uint32_t given[SK_SEATS_MAX]; /* 1 + the shared command that the host gives for the seat */
};

struct rematch {
    int64_t match;     /* the rematch, or 0 */
    int64_t known_ms;  /* until when it is known: others may make one on another node */
    bool is_under_way; /* it is searched or created: others who want it wait */
};

/* Bits. */
enum room_todo {
    ROOM_TOUCHED = 1,   /* set the timer, and free it if nobody needs it */
    ROOM_ASKS_BOTS = 2, /* first ask the bots that owe commands */
};

struct room {
    struct host *host;
    struct room *next;     /* in its hash chain */
    struct timer timer;    /* the next time that something is due: see room_due_ms */
    enum room_phase aside; /* ROOM_MISSING or later; 0: the match's own phase */
    struct match match;
    struct room_log log;
    struct audience audience;
    struct asks asks;
    struct rematch rematch;
    struct bot_seat *bots[SK_SEATS_MAX]; /* the server's own players: see room/bot.h */
    struct id_set command_ids;           /* all that are stored or under way, for repeats */
    struct kept_message *parked;
    struct room *next_touched; /* in the host's list while `todo` is not 0 */
    enum room_todo todo;       /* work after the event: see rooms_settle */
    uint32_t holds;            /* not 0: it must stay: see room_hold */
    int64_t retry_ms;          /* when to store again what could not be stored; 0: now */
    int64_t shift_ms;          /* downtime of the server that is not stored yet */
    bool is_shadow;            /* hidden: made to send one session what it missed */
    bool is_behind;            /* delayed room of another one: for spectators only */
    bool is_of_start;          /* being loaded: the start waits for it */
    bool is_refusing;          /* answer parked frames: the store did not reply */
    char *code;
    char *reason;       /* of the quarantine */
    char *path;         /* of the node that runs the match */
    int64_t stopped_ms; /* until when the clocks ran, wall clock; 0: see start_clocks */
    int64_t made_by;    /* the player whose share of bot time it uses, or 0 */
    struct maker maker; /* who it counts for, until it is over */
    int64_t expires_ms; /* while it waits for players */
    int64_t paced_ms;   /* no turn before this time: see room_pauses */
};

static inline enum room_phase
room_phase(const struct room *room)
{
    return room->aside != 0 ? room->aside : (enum room_phase)room->match.status;
}

/* Nothing more happens in it, and nothing keeps it. */
static inline bool
room_is_past(const struct room *room)
{
    return room_phase(room) >= ROOM_OVER && room_phase(room) <= ROOM_ELSEWHERE;
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
