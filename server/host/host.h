/*
 * The host: sessions, lobby and rooms; everything of the daemon that is
 * neither a socket nor a database.
 *
 * It runs on one thread, the loop.  Messages come in through host_message,
 * finished store jobs through host_job_done, time through host_tick; what
 * goes out waits in each session's outbox until the transport takes it.
 * It never blocks and asks the clock only through its options, so a
 * simulation can run it on a clock, a transport and a store of its own.
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

/* The limits that a configuration may change; host_options_init writes the defaults. */
struct host_options {
    int32_t hello_timeout_ms;
    int32_t frames_per_second; /* token bucket of a connection ... */
    int32_t frames_burst;      /* ... and how many may come at once */
    int32_t account_factor;    /* so many times that for all connections of a player ... */
    int32_t address_factor;    /* ... and for all from one address; 0 = no limit */
    int32_t frame_work_us; /* of the loop's time that a frame pays for; more costs more frames */
    int32_t refused_per_minute; /* frames of a connection that are told so; then it is closed */
    int32_t outbox_bytes_max;   /* a reader slower than this is closed; it can resume */
    int32_t outbox_address_bytes_max; /* all of an address: of these the slow ones are closed */
    int32_t outbox_total_bytes_max;
    int32_t jobs_max;           /* that wait for the store at once; more are answered `busy` */
    int32_t players_per_hour;   /* new ones, of an address; 0 = no limit, as of all below */
    int32_t creates_per_minute; /* of a player; of an address address_factor times as many */
    int32_t matches_per_player_max;
    int32_t matches_per_address_max;
    int32_t rated_params;      /* HOST_RATED_LISTED or HOST_RATED_ANY */
    int32_t rated_turns_min;   /* fewer do not count for ratings; 0 = no limit, as of the next */
    int32_t rated_repeats_max; /* matches of the same two that count within a day */
    int32_t submissions_per_turn_max; /* of one seat, withdrawals included: each is stored */
    int32_t chat_per_minute;          /* of a player; 0 = none */
    int32_t malformed_max;            /* malformed messages before the connection is closed */
    int32_t unjoined_expire_ms;
    int32_t claim_after_ms;             /* absence in a match without a clock */
    int32_t snapshot_every;             /* turns between snapshots */
    int32_t bot_answer_ms;              /* a bot has no longer than this for an answer */
    int32_t bot_matches_max;            /* live matches that only bots play ... */
    int32_t bot_matches_per_player_max; /* ... and of these that one player has created */
    int32_t bot_matches_per_address_max;
    int32_t bot_unwatched_ms; /* one that nobody watches for so long ends */
    int32_t bot_calls_kept;   /* of web services, in the store */
    int32_t http_rate;    /* token bucket of an address's HTTP requests; see HTTP_COST_API ... */
    int32_t http_burst;   /* ... and how many may come at once; 0 = no limit */
    int32_t http_work_us; /* of other threads' time that a token pays for */
    int32_t reads_per_player;  /* of these over WebSockets; 0 = any number */
    int32_t reads_per_address; /* worked on apart, or answers that wait; 0 = any number ... */
    int32_t reads_max;         /* ... and of all addresses together */
    int32_t http_answers_max;  /* bytes of answers that wait to be read */
};

/* The values of rated_params: the rulesets' defaults and what host_rate_params lists, or any. */
#define HOST_RATED_LISTED     0
#define HOST_RATED_ANY        1
#define HOST_RATED_PARAMS_MAX 64

void host_options_init(struct host_options *options);

/* The world outside, for the daemon and for simulations. */
struct host_world {
    struct store_port *store;
    struct store_port *reviews; /* takes JOB_REVIEW; NULL: matches that are over are not shown */
    struct transport *transport;
    struct bot_port *bots;             /* NULL: there are none */
    int64_t (*now_ms)(void *context);  /* monotonic: deadlines; may stand still for a round */
    int64_t (*wall_ms)(void *context); /* wall clock: records */
    int64_t (*now_us)(void *context);  /* how long work took; NULL: now_ms is fine enough */
    int64_t (*cpu_us)(void *context);  /* of this thread: what a frame costs; NULL: nothing */
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

/* NULL when there is not enough memory. */
struct host *host_alloc(const struct host_options *options, const struct host_world *world);
void host_free(struct host *host);

/* Other limits from now on; what has begun under the old ones may end under them. */
void host_reload(struct host *host, const struct host_options *options);

/*
 * Params that are rated besides the rulesets' defaults, instead of those named
 * before: JSON like {"tactics":[{"turn_limit":50}]}.  On failure nothing changes.
 */
enum sk_status host_rate_params(struct host *host, const char *text, size_t length,
                                struct sk_fault *ret_fault);

/* Asks the store for unfinished matches; they become live in the background. */
void host_start(struct host *host);

/* ---- connections ------------------------------------------------------------------------- */

/* A WebSocket is open.  `address` is for limits and the log.  NULL = refused, close it. */
struct session *host_connect(struct host *host, void *connection, const char *address);
void host_disconnect(struct host *host, struct session *session);

/* One whole text message. */
void host_message(struct session *session, const char *text, size_t length);

/* The message to write next, or NULL.  It stays the host's; host_written takes it off. */
const struct message *host_next_message(struct session *session);
void host_written(struct host *host, struct session *session);

/* Bytes in front of a message's text that the transport may overwrite (LWS_PRE). */
#define HOST_MESSAGE_HEADROOM 16

/* The largest message a session may send now: `create` is larger, but only after hello. */
size_t host_message_max(const struct session *session);

/* ---- time and storage -------------------------------------------------------------------- */

/*
 * Does what is due, and a piece of what takes longer; returns in how many
 * milliseconds it wants to be called again, 0 = there is more of that.
 */
int32_t host_tick(struct host *host);

/* In how many milliseconds a timer is due, at most `most_ms`; those set since the last tick too. */
int32_t host_due_in_ms(const struct host *host, int32_t most_ms);

/* That piece alone; false when there is no more. */
bool host_work(struct host *host);
bool host_has_work(const struct host *host);

/* A job came back.  Calls its `done` and frees it. */
void host_job_done(struct host *host, struct store_job *job);

/* A question to a bot came back.  Frees it. */
void host_bot_answered(struct host *host, struct bot_ask *ask);

/* ---- HTTP -------------------------------------------------------------------------------- */

/* What a request costs an address, in thousandths of a token.  The page is many files. */
#define HTTP_COST_FREE 0
#define HTTP_COST_FILE 100
#define HTTP_COST_API  1000

struct http_answer {
    int status;
    const char *content_type;
    char *body; /* is taken over, and freed with free, unless it is constant */
    size_t length;
    bool is_constant; /* the body lives as long as the host */
    bool is_packed;   /* with gzip */
    int32_t retry_ms; /* 429 and 503: when it makes sense to ask again */
};

/*
 * One request, from host_http_begin to host_http_end.  Answers come through
 * `answer`, at once or when the store has answered, at most once.
 */
struct http_request {
    void (*answer)(struct http_request *request, const struct http_answer *answer);
    void *context;
    bool takes_gzip; /* the client unpacks by itself */

    /* The host's. */
    struct rate *rate;     /* of where it comes from */
    struct store_job *job; /* while it waits for one */
    bool is_reading;       /* it counts as one of the reads of its address */
    size_t bytes;          /* of the answer, likewise of all answers */
};

/* May it be?  Else it is answered with 429.  `address` is as in host_connect. */
bool host_http_begin(struct host *host, struct http_request *request, const char *address,
                     int32_t cost);

/* A GET of the API.  `token` is the bearer token or NULL; `query` the part behind '?' or "". */
void host_http_get(struct host *host, struct http_request *request, const char *path,
                   const char *query, const char *token);

/* The answer is written, or nobody wants it any more. */
void host_http_end(struct host *host, struct http_request *request);

/* ---- state of the whole ------------------------------------------------------------------ */

struct host_status {
    bool is_ready; /* new matches are taken, and unfinished ones are being loaded or are */
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
struct metrics_page;
void host_metrics(const struct host *host, struct metrics_page *page);

/* No new matches and turns; tells everybody; flushes.  True once all is on disk. */
void host_drain(struct host *host);
bool host_is_drained(const struct host *host);

#endif /* SK_HOST_H */
