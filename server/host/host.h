/*
 * The host: sessions, lobby and rooms.  Everything in the daemon except sockets
 * and the database.
 *
 * It runs on one thread, the loop.  Messages come in through host_message,
 * finished store jobs through host_job_done, time through host_tick.  Frames to
 * send wait in each session's outbox until the transport takes them.  The host
 * never blocks, and it gets the time only through its options, so a simulation
 * can run it with a simulated clock, transport and store.
 *
 * Owner:   host_alloc's caller; sessions belong to the host, connections to
 *          the transport.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_H
#define SK_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/host/bot_port.h"
#include "server/host/store_port.h"
#include "server/host/transport.h"

struct host;
struct session;

/* Limits that the configuration can change; host_options_init sets the defaults. */
struct host_options {
    int32_t hello_timeout_ms;
    int32_t frames_per_second; /* token bucket of a connection ... */
    int32_t frames_burst;      /* ... and how many may come at once */
    int32_t account_factor;    /* this many times as much for all connections of a player ... */
    int32_t address_factor;    /* ... and for all from one address; 0 = no limit */
    int32_t frame_work_us; /* loop time included in a frame; longer ones count as several frames */
    int32_t refused_per_minute;       /* refused frames that get an answer; then it is closed */
    int32_t outbox_bytes_max;         /* a slower reader is closed; it can resume */
    int32_t outbox_address_bytes_max; /* of one address: then its slow readers are closed */
    int32_t outbox_total_bytes_max;
    int32_t jobs_max;           /* jobs waiting for the store; more are answered `busy` */
    int32_t players_per_hour;   /* new players per address; 0 = no limit, here and below */
    int32_t creates_per_minute; /* per player; per address address_factor times as many */
    int32_t matches_per_player_max;
    int32_t matches_per_address_max;
    int32_t rated_params;      /* HOST_RATED_LISTED or HOST_RATED_ANY */
    int32_t rated_turns_min;   /* shorter matches are not rated; 0 = no limit, also for the next */
    int32_t rated_repeats_max; /* rated matches of the same two players per day */
    int32_t submissions_per_turn_max; /* per seat, including withdrawals: each is stored */
    int32_t chat_per_minute;          /* per player; 0 = none */
    int32_t malformed_max;            /* malformed messages before the connection is closed */
    int32_t unjoined_expire_ms;
    int32_t claim_after_ms;             /* allowed absence in a match without a clock */
    int32_t snapshot_every;             /* turns between snapshots */
    int32_t bot_answer_ms;              /* the longest time for a bot's answer */
    int32_t bot_matches_max;            /* live matches that only bots play ... */
    int32_t bot_matches_per_player_max; /* ... and of these that one player has created */
    int32_t bot_matches_per_address_max;
    int32_t bot_unwatched_ms;  /* a match that nobody watches for this long ends */
    int32_t bot_calls_kept;    /* of web services, in the store */
    int32_t http_rate;         /* token bucket for an address's HTTP requests: HTTP_COST_API ... */
    int32_t http_burst;        /* ... and how many may come at once; 0 = no limit */
    int32_t http_work_us;      /* time of other threads that is included in a token */
    int32_t reads_per_player;  /* reads over WebSockets; 0 = no limit */
    int32_t reads_per_address; /* reads on other threads, or answers waiting; 0 = no limit ... */
    int32_t reads_max;         /* ... and of all addresses together */
    int32_t http_answers_max;  /* bytes of answers that clients have not read yet */
};

/* Values of rated_params: the defaults and what host_rate_params lists, or any params. */
#define HOST_RATED_LISTED     0
#define HOST_RATED_ANY        1
#define HOST_RATED_PARAMS_MAX 64

void host_options_init(struct host_options *options);

/* What the host needs from outside; the daemon and the simulation implement it. */
struct host_world {
    struct store_port *store;
    struct store_port *reviews; /* executes JOB_REVIEW; NULL: finished matches cannot be shown */
    struct transport *transport;
    struct bot_port *bots;             /* NULL: there are none */
    int64_t (*now_ms)(void *context);  /* monotonic, for deadlines; read once per round */
    int64_t (*wall_ms)(void *context); /* wall clock, for records */
    int64_t (*now_us)(void *context);  /* to measure work; NULL: now_ms is used */
    int64_t (*cpu_us)(void *context);  /* of this thread, to charge frames; NULL: no charge */
    void (*random)(void *context, uint8_t *bytes, size_t size);
    void (*log)(void *context, int level, const char *message);
    void *context;
};

enum host_log_level {
    HOST_LOG_ERROR,
    HOST_LOG_WARNING,
    HOST_LOG_INFO,
    HOST_LOG_DEBUG
};

/* Returns NULL if there is not enough memory. */
struct host *host_alloc(const struct host_options *options, const struct host_world *world);
void host_free(struct host *host);

/* Changes the limits.  What has begun under the old ones may end under them. */
void host_reload(struct host *host, const struct host_options *options);

/*
 * Sets the params that are rated besides the rulesets' defaults, as JSON like
 * {"tactics":[{"turn_limit":50}]}.  Replaces the earlier list.  On failure
 * nothing changes.
 */
enum sk_status host_rate_params(struct host *host, const char *text, size_t length,
                                struct sk_fault *ret_fault);

/* Starts to load the unfinished matches, in the background. */
void host_start(struct host *host);

/* ---- connections ------------------------------------------------------------------------- */

/* A WebSocket was opened.  `address` is for limits and the log.  Returns NULL to refuse it. */
struct session *host_connect(struct host *host, void *connection, const char *address);
void host_disconnect(struct host *host, struct session *session);

/* Handles one complete text message. */
void host_message(struct session *session, const char *text, size_t length);

/* Returns the message to write next, or NULL. The host keeps it until host_written. */
const struct message *host_next_message(struct session *session);
void host_written(struct host *host, struct session *session);

/* Bytes in front of a message's text that the transport may overwrite (LWS_PRE). */
#define HOST_MESSAGE_HEADROOM 16

/* The largest message a session may send now.  After hello it is larger, for `create`. */
size_t host_message_max(const struct session *session);

/* ---- time and storage -------------------------------------------------------------------- */

/*
 * Does what is due, and a part of any long work.  Returns in how many
 * milliseconds it must be called again; 0 = there is more work.
 */
int32_t host_tick(struct host *host);

/* Milliseconds until the next timer is due, at most `most_ms`; includes timers set since the
 * last tick. */
int32_t host_due_in_ms(const struct host *host, int32_t most_ms);

/* Does a part of the long work only; returns false if there is none left. */
bool host_work(struct host *host);
bool host_has_work(const struct host *host);

/* Takes a finished job: calls its `done` and frees it. */
void host_job_done(struct host *host, struct store_job *job);

/* Takes an answered question of a bot, and frees it. */
void host_bot_answered(struct host *host, struct bot_ask *ask);

/* ---- HTTP -------------------------------------------------------------------------------- */

/* What a request costs, in thousandths of a token.  The page consists of many files. */
#define HTTP_COST_FREE 0
#define HTTP_COST_FILE 100
#define HTTP_COST_API  1000

struct http_answer {
    int status;
    const char *content_type;
    char *body; /* owned by the receiver, who frees it, unless is_constant */
    size_t length;
    bool is_constant; /* the body lives as long as the host */
    bool is_packed;   /* gzip */
    int32_t retry_ms; /* 429 and 503: when to ask again */
};

/*
 * One request, from host_http_begin to host_http_end.  `answer` is called at
 * most once: at once, or when the store has answered.
 */
struct http_request {
    void (*answer)(struct http_request *request, const struct http_answer *answer);
    void *context;
    bool takes_gzip; /* the client accepts gzip */

    /* The host's. */
    struct rate *rate;     /* of the client's address */
    struct store_job *job; /* while it waits for the job */
    bool is_reading;       /* counts as a read of its address */
    size_t bytes;          /* of the answer, counted in all answers */
};

/* Checks the request limit; if it is exceeded the caller answers 429.  `address` is as in
 * host_connect. */
bool host_http_begin(struct host *host, struct http_request *request, const char *address,
                     int32_t cost);

/* Handles a GET of the API. `token` is the bearer token or NULL; `query` the part after '?' or
 * "". */
void host_http_get(struct host *host, struct http_request *request, const char *path,
                   const char *query, const char *token);

/*
 * Handles a GET of a link to a match, by its query: join=7, match=7 or replay=7, with turn and
 * code.  The body of the answer is HTML, to be added to the page's head: see card.h.  An error's
 * is JSON.
 */
void host_http_card(struct host *host, struct http_request *request, const char *query);

/* The answer is not waited for any more: `answer` will not be called. */
void host_http_abandon(struct host *host, struct http_request *request);

/* The answer was written, or the client is gone. */
void host_http_end(struct host *host, struct http_request *request);

/* ---- state of the whole ------------------------------------------------------------------ */

struct host_status {
    bool is_ready; /* accepts new matches; the unfinished ones are loaded or being loaded */
    bool is_draining;
    bool is_closed_to_new; /* by `skirmish admin drain` */
    uint32_t sessions;
    uint32_t players;
    uint32_t matches_live;
    uint32_t matches_quarantined;
    uint32_t jobs_waiting;
};

void host_status(const struct host *host, struct host_status *ret_status);

/* Everything counted. */
struct metrics_out;
void host_metrics(const struct host *host, struct metrics_out *out);

/* Stops new matches and turns, informs all clients and flushes.  Returns true once all is on
 * disk. */
void host_drain(struct host *host);
bool host_is_drained(const struct host *host);

#endif /* SK_HOST_H */
