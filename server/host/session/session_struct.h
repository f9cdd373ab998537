/*
 * A session, and the player that it belongs to after hello.
 *
 * A session may end while a job is under way: jobs refer to it by its number
 * (session_find), never by pointer.
 *
 * Owner:   the host, from host_connect to host_disconnect; a player until the last
 *          of its sessions ends.
 */
#ifndef SK_HOST_SESSION_STRUCT_H
#define SK_HOST_SESSION_STRUCT_H

#include "proto/frames.h"
#include "server/host/timers.h"

/* Of tokens: see rate.h. */
struct bucket {
    int64_t tokens; /* in thousandths */
    int64_t filled_ms;
};

enum session_phase {
    SESSION_NEW,      /* before hello */
    SESSION_GREETING, /* the store is asked for the player */
    SESSION_READY,
    SESSION_CLOSING, /* queued messages are still written */
};

struct outbox {
    struct message **items; /* a ring ... */
    uint32_t size;          /* ... of this capacity */
    uint32_t first;
    uint32_t count;
    uint32_t bytes;
    struct message *few[4]; /* the first ring */
};

struct session {
    struct host *host;
    void *connection;
    uint64_t number; /* unique for the life of the process */
    struct session *next_of_player;
    struct player *player; /* NULL before hello, and for a spectator */
    struct follow *follows;
    struct outbox outbox;
    enum session_phase phase;
    struct timer timer; /* until hello is said */
    struct bucket bucket;
    struct rate *address;
    int64_t since_ms; /* when it was welcomed, wall clock */
    int32_t malformed;
    uint32_t queue_asks; /* frames `queue` that wait for ratings: later ones wait too */
    int64_t refused_us;  /* of its quota of refused frames: see rate.c */
    struct show *show;   /* the replay that is shown to it, or NULL */
};

/* Where to send the answer once the store has replied; the session may be gone by then. */
struct reply {
    uint64_t session;
    bool has_id;
    char id[FRAME_ID_MAX + 1];
};

/* Handles a frame. */
typedef void frame_handler(struct session *session, const union client_frame *frame);

struct player {
    int64_t id;
    struct player *next; /* in its hash chain */
    struct session *sessions;
    struct rate *rate;
    uint32_t match_count; /* unfinished matches in which they have a stored seat ... */
    uint32_t joining;     /* ... and those whose seat is being stored */
    bool is_counting;     /* the store counts them again ... */
    int64_t counted_ms;   /* ... and did so then, monotonic; 0 = not since the last refusal */
    uint64_t cancelled;   /* places in the queue up to this number are given up */
    bool is_bot;
    char name[FRAME_PLAYER_NAME_MAX + 1];
};

#endif /* SK_HOST_SESSION_STRUCT_H */
