/*
 * What the parts of the host share.
 *
 *   session   one connection; says hello, then belongs to a player
 *   player    somebody who has said hello, with all their sessions
 *   room      one live match
 *   follow    a session that gets a room's frames, as a seat or as a spectator
 *
 * A header in these folders that does not say otherwise means what this one says:
 *
 * Owner:   the host, from host_alloc to host_free; each list belongs to the part
 *          that it is named after.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_STRUCT_H
#define SK_HOST_STRUCT_H

#include "proto/errors.h"
#include "proto/frames.h"
#include "server/host/host.h"
#include "server/host/room/wanted.h"
#include "server/host/timers.h"
#include "server/match/work.h"

#define HOST_BUCKETS     4096u
#define HOST_TOKEN_BYTES 32

/* Limits that clients exceeded, by the name of their option. */
#define HOST_LIMITS(X)                                  \
    X(LIMIT_HELLO, "hello-timeout")                     \
    X(LIMIT_FRAMES, "frames-per-second")                \
    X(LIMIT_PLAYERS, "players-per-hour")                \
    X(LIMIT_CREATES, "creates-per-minute")              \
    X(LIMIT_MATCHES_OF_PLAYER, "matches-per-player")    \
    X(LIMIT_MATCHES_OF_ADDRESS, "matches-per-address")  \
    X(LIMIT_BOTS, "bot-matches-max")                    \
    X(LIMIT_BOTS_OF_PLAYER, "bot-matches-per-player")   \
    X(LIMIT_BOTS_OF_ADDRESS, "bot-matches-per-address") \
    X(LIMIT_UNWATCHED, "bot-unwatched")                 \
    X(LIMIT_OUTBOX, "outbox-max")                       \
    X(LIMIT_OUTBOX_ADDRESS, "outbox-address-max")       \
    X(LIMIT_OUTBOX_TOTAL, "outbox-total-max")           \
    X(LIMIT_REFUSED, "refused-per-minute")              \
    X(LIMIT_HTTP_RATE, "http-rate")                     \
    X(LIMIT_READS_OF_PLAYER, "reads-per-player")        \
    X(LIMIT_READS_OF_ADDRESS, "reads-per-address")      \
    X(LIMIT_READS, "reads-max")                         \
    X(LIMIT_HTTP_ANSWERS, "http-answers-max")

#define HOST_LIMIT_NUMBER(number, word) number,
enum host_limit {
    HOST_LIMITS(HOST_LIMIT_NUMBER) LIMIT_COUNT
};
#undef HOST_LIMIT_NUMBER

/* Counts of one ruleset's commands, by the verdict sent. */
struct verdict_counts;

struct host_counters {
    uint64_t frames[FRAME_COUNT];
    uint64_t limited[LIMIT_COUNT];
    uint64_t malformed;
    uint64_t errors[ERROR_COUNT];            /* by their code */
    uint64_t bot_answers[BOT_FAILURE_COUNT]; /* by failure; 0: the answer counted */
    uint64_t submissions;
    uint64_t turns;
    uint64_t failed_jobs;
    uint64_t claims; /* matches taken over from other nodes */
    uint64_t lost;   /* rooms dropped, because another node may run the match */
    uint64_t fenced; /* appends that were not stored for this reason */
    struct metrics_durations takeover;
    struct verdict_counts *verdicts;
    struct metrics_durations ack;
    struct metrics_durations turn;
    struct metrics_durations job;
};

/* A message as received, and what is known about it if it is handled again. */
struct heard {
    struct sk_text text;
    int64_t match; /* the match that the code of a `join` belongs to, or 0 */
};

/* A player in the queue. */
struct waiting_player {
    struct waiting_player *next;
    int64_t player;
    uint64_t session;
    struct shared_config *config;
    uint64_t number; /* never used twice */
    int64_t ticket;  /* of a shared database; 0 = none yet */
    bool was_sent;   /* there: a comparison that failed may have stored it */
    int64_t older;   /* there: see struct store_wait */
    int32_t rating_min;
    int32_t rating_max;
    bool has_rating; /* it is known: see queue.h */
    int32_t rating;
    char *seek; /* what others are shown: JSON */
};

/* The queue, if several nodes share the database. */
struct shared_queue {
    uint64_t number;   /* the last one given */
    int64_t next_ms;   /* when it is compared with the stored one again */
    bool has_changed;  /* since then */
    bool is_under_way; /* it is being compared */
    uint32_t creating; /* matches for it that are being stored */
    struct queue_cancel *cancels;
    const struct queue_cancel *sent; /* those of the comparison that is under way; its job's */
};

/* Rated besides the rulesets' defaults; holds references to the configs. */
struct rated_params {
    struct shared_config *items[HOST_RATED_PARAMS_MAX];
    uint32_t count;
};

/* This node, if several share the database: see "nodes" in store_port.h. */
struct node {
    int64_t leased_until_ms; /* monotonic; no room is served after that */
    int64_t ahead_ms;        /* how far the database's clock is ahead of this machine's */
    int64_t claims_from_ms;  /* no claims before that: the leases of others may be stale, too */
    uint32_t match_count;    /* unfinished matches that it runs, as of the last beat */
    uint32_t life;           /* counts how often it may have been declared dead */
    bool is_beating;         /* a beat is under way */
    bool is_name_taken;      /* another process has a lease under it: this one has none */
    bool has_paused;         /* the lease had run out; the store does not know it yet */
    bool is_claiming;
    int64_t sweep_ms; /* when to list what it owns ... */
    int64_t swept;    /* ... after this match */

    /* What operators do, here and at other nodes: see "beat" in store_port.h. */
    bool is_listening;     /* what is older than the first beat is not done */
    int64_t notice_last;   /* the largest id */
    uint64_t notices_done; /* bit n: that of notice_last - n is done */
    uint32_t admin_jobs;   /* under way: notices wait, because some may be their own */
};

struct host {
    struct host_options options;
    struct host_world world;
    struct work work;
    struct rated_params rated;
    struct heard heard;        /* the message being handled */
    struct room *touched;      /* rooms to settle after the event, in order ... */
    struct room **touched_end; /* ... and the link for the next one */

    /* Functions that lower folders call; set by host_alloc. */
    void (*handle)(struct session *session, const struct heard *heard);
    void (*tick)(struct timer *timer, int64_t now_ms);
    void (*hear_notices)(struct host *host, const struct store_beat *beat);

    struct session **slots; /* by the low half of a session's number */
    uint32_t slot_count;
    uint32_t *free_slots;
    uint32_t free_count;
    uint32_t session_count;
    int64_t waiting_bytes; /* in all outboxes */
    uint32_t serial;
    struct player *players[HOST_BUCKETS];
    uint32_t player_count;
    struct rate *rates[HOST_BUCKETS];
    uint32_t rate_count;
    struct room *rooms[HOST_BUCKETS];
    uint32_t room_count;
    int32_t bot_matches; /* unfinished matches that only bots play */
    uint32_t generation; /* for all rooms: never used twice */
    struct timers timers;
    struct waiting_player *waiting; /* who has waited longest comes first */
    struct shared_queue shared_queue;
    struct known_bot *bots; /* the last used first: see room/bot.h */
    uint64_t ask_number;    /* the number of the last question to a bot */

    int64_t *load_ids; /* unfinished matches that the start has not loaded yet */
    uint32_t load_count;
    uint32_t load_next;
    uint32_t loads;               /* how many of them are being loaded */
    struct restoring *restorings; /* restored in host_tick ... */
    int32_t piece_ms;             /* ... for at most this long at a time */
    struct loading *early;        /* requested before is_started */
    int64_t load_from;            /* the ids after this one ... */
    bool has_more_loads;          /* ... but not all of them */
    bool has_failed_load;
    struct node node;
    struct wanted_matches wanted;
    int64_t wanted_retry_ms; /* a load failed: not before that */
    bool is_loaded;          /* every unfinished match is live or quarantined */
    int64_t start_retry_ms;
    uint32_t quarantined_count; /* quarantined matches in the store */

    int32_t reads;       /* see host_options.reads_max */
    uint64_t http_bytes; /* bytes of answers not read yet */
    struct http_document *documents;
    uint32_t jobs;
    bool is_started;
    bool is_closed_to_new; /* `drain`: no new matches */
    bool is_draining;
    bool is_flushed;
    bool is_store_failing; /* the last write failed; the beat retries every second */
    int64_t last_beat_ms;  /* the last beat of the previous process, wall clock; 0 = none; of this
                              process if the database is shared */
    int64_t next_beat_ms;
    int64_t *seen; /* players who came or went since the last beat; grows */
    uint32_t seen_count;
    uint32_t seen_capacity;
    uint32_t shifts; /* rooms with a downtime that is not stored yet: no beat until then */
    struct host_counters counters;
};

#endif /* SK_HOST_STRUCT_H */
