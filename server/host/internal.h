/*
 * What the files of the host share: host, sessions, players, rooms.
 *
 *   host      owns everything below; one thread
 *   session   one connection; says hello, then belongs to a player
 *   player    somebody who has said hello, with all his sessions
 *   room      one live match
 *   follow    a session that hears of a room, as a seat or as a spectator
 *
 * Sessions may end while a job is under way: jobs know them by number
 * (session_find), never by pointer.  Rooms stay as long as a job of theirs
 * is under way.
 */
#ifndef SK_HOST_INTERNAL_H
#define SK_HOST_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/fault.h"
#include "common/base/rng.h"
#include "common/core/registry.h"
#include "common/core/turn.h"
#include "proto/errors.h"
#include "proto/frames.h"
#include "proto/json_out.h"
#include "proto/json_parse.h"
#include "server/host/host.h"
#include "server/host/id_set.h"
#include "server/host/rate.h"
#include "server/host/timers.h"
#include "server/metrics_page.h"

#define HOST_COMMAND_ID_MAX 64
#define HOST_TOKEN_BYTES    32
#define HOST_CODE_LENGTH    8

/* ---- sessions ---------------------------------------------------------------------------- */

enum session_phase {
    SESSION_NEW,      /* has not said hello */
    SESSION_GREETING, /* hello is with the store */
    SESSION_READY,
    SESSION_CLOSING, /* what is queued is still written */
};

struct outbox {
    struct message **items; /* a ring */
    uint32_t room;
    uint32_t first;
    uint32_t count;
    uint32_t bytes;
};

struct session {
    struct host *host;
    void *connection;
    uint64_t number; /* unique for the life of the process */
    struct session *next_of_player;
    struct player *player;
    struct follow *follows;
    struct outbox outbox;
    enum session_phase phase;
    struct timer timer; /* until hello is said */
    struct bucket bucket;
    struct rate *address;
    int64_t since_ms; /* when it was welcomed, wall clock */
    int32_t malformed;
    int64_t code_match; /* while a join by code is handled: its match */
    int32_t chat_left;  /* of this minute */
    int64_t chat_minute;
    struct show *show; /* a match that is shown to it again, or NULL */
};

/* Whom to answer once the store has come back: the session may be gone by then. */
struct reply {
    uint64_t session;
    bool has_id;
    char id[FRAME_ID_MAX + 1];
};

struct player {
    int64_t id;
    struct player *next; /* in its hash chain */
    struct session *sessions;
    struct rate *rate;
    uint32_t match_count; /* unfinished matches with a seat of his, as stored ... */
    uint32_t joining;     /* ... and those that are on their way there */
    bool is_bot;
    char name[FRAME_PLAYER_NAME_MAX + 1];
};

/* ---- rooms ------------------------------------------------------------------------------- */

/* Params compiled once for all matches that have the same. */
struct shared_config {
    struct shared_config *next;
    const struct sk_ruleset *ruleset;
    uint32_t references;
    char *params; /* JSON as stored, the key */
    size_t params_length;
    char *params_shown; /* JSON of what may be known while the match is on; NULL = all of it */
    void *config;
    size_t config_size;
};

/* What a seat wants for the current turn. */
struct submission {
    uint32_t references; /* the slot's and its job's */
    uint32_t count;
    bool is_ready;
    bool is_refused; /* a verdict is not ok; not known of what was loaded */
    int64_t used_ms; /* how long the seat had thought when it came */
    char command_id[HOST_COMMAND_ID_MAX + 1];
    char *commands; /* JSON text of the list */
    char *verdicts; /* JSON text of the list */
    void *at;       /* `count` structs of the ruleset's */
};

struct seat {
    int64_t player; /* 0 = free */
    char name[FRAME_PLAYER_NAME_MAX + 1];
    bool is_bot;
    struct bot_seat *bot;      /* the server's own player, or NULL: see room_bot.h */
    struct submission *latest; /* the newest, perhaps still on its way to the store */
    struct submission *stored; /* the newest that is stored, or NULL */
    uint32_t sent;             /* submissions and withdrawals of this turn, since the start */
    int64_t bank_ms;
    int64_t going_ms;      /* used of this clock in the turns before: see clock_goes_on */
    int64_t used_ms;       /* used in this turn, ... */
    int64_t since_ms;      /* ... while is_running without what was used since then */
    bool is_running;       /* it owes and is not ready */
    int64_t away_since_ms; /* 0 = here */
    bool is_warned;        /* that it may be claimed against */
    uint32_t here;         /* sessions that follow as this seat */
    uint32_t missed;       /* deadlines in a row while away */
};

enum room_phase {
    ROOM_LOADING,
    ROOM_WAITING,
    ROOM_RUNNING,
    ROOM_OVER,
    ROOM_QUARANTINED
};

struct room_clock {
    bool has_turn; /* a limit for each turn ... */
    bool has_bank; /* ... and a bank for what goes beyond it */
    bool is_cycle; /* every turn takes all of it, whoever is ready */
    int64_t turn_ms;
    int64_t bank_ms;
};

/* What a turn does to a seat's clock. */
struct clock_step {
    int64_t used_ms;  /* in this turn */
    int64_t bank_ms;  /* left after it */
    int64_t going_ms; /* used of a clock that goes on with the next turn */
    uint32_t missed;  /* deadlines in a row while away, this one included */
};

/* A turn that is resolved and on its way to the store. */
struct pending_turn {
    struct pending_turn *next;      /* of the same list of commands, stored together */
    uint32_t turn;                  /* its number */
    struct sk_state *state;         /* after it */
    char *commands[SK_SEATS_MAX];   /* JSON as used, for the record */
    char *verdicts[SK_SEATS_MAX];   /* JSON for each seat */
    char *events[SK_SEATS_MAX + 1]; /* for each audience that is not shown all; last: spectators */
    char *all_events;               /* JSON, for the record */
    char *failures;                 /* JSON: see room_failures_text; NULL: none */
    struct clock_step clocks[SK_SEATS_MAX];
    bool clock_goes_on;
    uint32_t given[SK_SEATS_MAX];     /* the room's, as used; of the first turn */
    char hash[FRAME_HASH_DIGITS + 1]; /* of the new state */
};

/* Somebody who hears `done` once the turn that he caused is stored. */
struct asker {
    struct asker *next;
    struct reply reply;
    uint8_t seat;
    uint8_t kind;                             /* the shared command that he asked for */
    bool is_served;                           /* by the turn that is on its way to the store */
    bool is_repeat;                           /* another has the same id: it is stored once */
    char command_id[HOST_COMMAND_ID_MAX + 1]; /* "" = it has none */
};

struct delayed {
    struct delayed *next;
    struct message *message;
    uint32_t turn; /* shown to spectators when the match has reached this turn */
};

struct room {
    struct host *host;
    struct room *next;  /* in its hash chain */
    struct timer timer; /* when it is to be looked at: see room_due_ms */
    int64_t id;
    enum room_phase phase;
    const struct sk_ruleset *ruleset;
    struct shared_config *config;
    struct sk_seed seed;
    struct sk_seed salt;
    struct sk_state *state;
    size_t state_size;
    struct seat seats[SK_SEATS_MAX];
    uint8_t seat_count;
    struct follow *follows;
    struct parked *parked;
    struct resuming *resumings; /* sessions that are being told what they missed */
    uint32_t jobs;              /* under way */
    bool is_seating;            /* somebody takes or leaves a seat; stored next */
    bool is_shadow;             /* nobody\'s: made to tell one session what it missed */
    bool is_of_start;           /* while it is loaded: the start waits for it */
    bool is_missing;            /* there is no such match ... */
    bool is_pruned;             /* ... any more, but for its result ... */
    bool is_unavailable; /* ... or the store did not answer; freed with the last parked frame */

    bool is_open;
    bool is_rated;
    char *code;
    int32_t spectator_delay;
    struct room_clock clock;
    struct sk_state **past; /* the last spectator_delay states, newest last */
    uint32_t past_count;
    struct delayed *delayed;

    struct id_set command_ids; /* all that were stored or are on their way there, for repeats */
    uint8_t head[STORE_HASH_BYTES];        /* of the chain, once the match is over */
    char last_hash[FRAME_HASH_DIGITS + 1]; /* of the last state */

    uint32_t record_seq; /* of the last record handed to the store ... */
    uint32_t stored_seq; /* ... and of the last that is there */
    uint32_t seq;        /* of the last public record shown */
    uint32_t generation;
    uint32_t snapshot_turn;       /* of the newest snapshot; 0 = there is none */
    struct pending_turn *pending; /* not NULL = the turn is closed */
    int64_t retry_ms;
    int64_t opened_ms;     /* when the current turn opened, monotonic */
    int64_t deadline_ms;   /* 0 = none */
    int64_t shift_ms;      /* for how long the server was down, until that is stored */
    bool is_shifting;      /* it is on its way to the store */
    int64_t expires_ms;    /* while it waits for players */
    bool is_ending_alone;  /* its end, without a turn, is on its way to the store */
    int offer;             /* the seat that offers a draw, or -1 */
    int offer_next;        /* the same when all is stored that is on its way there */
    char *reason;          /* of quarantine */
    int64_t rematch;       /* the match that plays this one again, or 0 */
    bool is_rematch_known; /* the store was asked for it */
    bool is_rematching;    /* it is looked for or made: who wants it too waits */
    struct asker *askers;
    uint32_t given[SK_SEATS_MAX]; /* a shared command that the host gives for the seat, + 1 */
};

struct follow {
    struct room *room;
    struct session *session;
    struct follow *next_of_room;
    struct follow *next_of_session;
    uint8_t seat; /* or SK_SPECTATOR */
    bool is_muted;
};

/* ---- host -------------------------------------------------------------------------------- */

#define HOST_BUCKETS 4096u

struct waiting_player {
    struct waiting_player *next;
    int64_t player;
    uint64_t session;
    struct shared_config *config;
};

/* Commands of one ruleset, by what their sender was told. */
struct verdict_counts {
    struct verdict_counts *next;
    const struct sk_ruleset *ruleset;
    uint64_t counts[]; /* see count_place */
};

struct host_counters {
    uint64_t frames[FRAME_COUNT];
    uint64_t malformed;
    uint64_t errors[ERROR_COUNT];            /* by their code */
    uint64_t bot_answers[BOT_FAILURE_COUNT]; /* by what became of them; 0: they counted */
    uint64_t submissions;
    uint64_t turns;
    uint64_t failed_jobs;
    struct verdict_counts *verdicts;
    struct metrics_durations ack;
    struct metrics_durations resolve;
    struct metrics_durations turn;
    struct metrics_durations job;
};

struct host {
    struct host_options options;
    struct host_world world;
    struct sk_json_reader reader;
    struct sk_arena arena;   /* of the message being handled */
    struct sk_text message;  /* its text */
    struct sk_arena config;  /* for building configs */
    struct sk_arena scratch; /* likewise */
    char *out;               /* for encoding; grows */
    size_t out_size;
    void *turn_memory; /* for one resolution at a time; grows */
    size_t turn_memory_size;

    struct session **slots; /* by the low half of a session's number */
    uint32_t slot_count;
    uint32_t *free_slots;
    uint32_t free_count;
    uint32_t session_count;
    uint32_t serial;
    struct player *players[HOST_BUCKETS];
    uint32_t player_count;
    struct rate *rates[HOST_BUCKETS];
    uint32_t rate_count;
    struct room *rooms[HOST_BUCKETS];
    uint32_t room_count;
    uint32_t generation; /* of all rooms: none is used twice */
    struct timers timers;
    struct shared_config *configs;
    struct waiting_player *waiting; /* the longest first */
    struct known_bot *bots;         /* the last used first: see room_bot.h */
    uint64_t ask_number;            /* of the last question to a bot */

    int64_t *load_ids; /* unfinished matches of the start that are not loaded yet */
    uint32_t load_count;
    uint32_t load_next;
    uint32_t loads;               /* of these under way */
    struct restoring *restorings; /* worked on in host_tick ... */
    int32_t piece_ms;             /* ... for so long at once */
    struct loading *early;        /* asked for before is_started */
    int64_t load_from;            /* the ids are those after this one ... */
    bool has_more_loads;          /* ... and not all of them */
    bool has_failed_load;
    bool is_loaded; /* every unfinished match is live, or set aside */
    int64_t start_retry_ms;
    uint32_t quarantined_count; /* matches in the store that are set aside */

    uint64_t show_number;
    uint32_t jobs;
    bool is_started;
    bool is_closed_to_new; /* the operator wants no new matches */
    bool is_draining;
    bool is_flushed;
    bool is_store_failing; /* the last write was refused; a beat tries each second */
    int64_t last_beat_ms;  /* of the process before, wall clock; 0 = never ran */
    int64_t next_beat_ms;
    int64_t *seen; /* players who came or went since the last beat, for the next one; grows */
    uint32_t seen_count;
    uint32_t seen_room;
    uint32_t shifts; /* rooms whose time of standing still is not stored yet: then no beat */
    struct host_counters counters;
};

/* ---- session.c --------------------------------------------------------------------------- */

struct session *session_find(struct host *host, uint64_t number);
void session_send(struct session *session, struct message *message);
void session_send_frame(struct session *session, const void *frame);
void session_close(struct session *session, enum close_code code, const char *reason);

/* The answer to a frame: an error with its code's sentence, or more about it. */
void session_error(struct session *session, const struct frame_head *to, enum error_code code,
                   const char *more);
/* The same, for what it is known when trying again makes sense. */
void session_error_until(struct session *session, const struct frame_head *to, enum error_code code,
                         const char *more, int32_t retry_ms);
/* What is wrong with params: the ruleset's own word stands as the check. */
void session_params_fault(struct session *session, const struct frame_head *to,
                          struct sk_fault *fault);
void session_fault(struct session *session, const struct frame_head *to,
                   const struct sk_fault *fault);

/* The same with the name of the check that refused it. */
void session_refusal(struct session *session, const struct frame_head *to, enum error_code code,
                     const char *check, int64_t match);

/* What was asked for is done and stored. */
void session_done(struct session *session, const struct frame_head *to);

struct reply reply_to(const struct session *session, const struct frame_head *head);
struct session *reply_session(struct host *host, const struct reply *reply); /* NULL = gone */
struct frame_head reply_head(const struct reply *reply); /* its id is the reply's */

/* Encodes a server frame; the caller holds one reference. */
struct message *message_encode(struct host *host, const void *frame);
void message_free(struct message *message);

/* Copies of texts that outlive a message; out of memory ends the process, which then recovers. */
void *host_memory(size_t size);
char *host_text(struct sk_text text);
void host_log(struct host *host, enum host_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- metrics.c --------------------------------------------------------------------------- */

int64_t host_now_us(const struct host *host);
void count_error(struct host *host, struct sk_text code);

/* The seat's judgements, as they were made when it sent its commands. */
void count_commands(struct host *host, const struct sk_turn *turn, uint8_t seat);

/* A job came back: how long it took, and what that is called. */
void count_job(struct host *host, const struct store_job *job);
void counters_fini(struct host_counters *counters);

/* ---- show.c ------------------------------------------------------------------------------ */

/* False (and the job freed) when no more reviews are taken. */
bool host_review(struct host *host, struct store_job *job);

/* A match that is over, from frame->turn on; the one that was shown ends. */
void show_begin(struct session *session, const struct frame_watch *frame);
void show_end(struct session *session);
bool show_is_of(const struct session *session, int64_t match);

void show_what_if(struct session *session, const struct frame_what_if *frame);

/* ---- store jobs -------------------------------------------------------------------------- */

/* False (and the job freed) when the store takes no more. */
bool host_submit(struct host *host, struct store_job *job);

/* The player comes or goes: the store notes when. */
void host_saw(struct host *host, int64_t player);

#endif /* SK_HOST_INTERNAL_H */
