/*
 * What the host asks of storage, and how it hears of it.
 *
 * A job is filled in by the host, handed over, worked on by the storage
 * thread together with all others that wait (one transaction), and handed
 * back on the loop through its `done` function once the transaction is on
 * disk.  `accepted` and `turn` go out only from there: what is shown is
 * stored.
 *
 * A match's jobs are worked on in the order they were handed over.  When one
 * fails, all later ones of the same match with the same generation fail too;
 * the host then takes back what it had built on them and goes on with the
 * next generation.
 *
 * Owner:   a job and everything it points to moves with it: host -> storage
 *          -> host.  store_job_free frees all of it.
 * Threads: fields are touched by one side at a time; `done` runs on the loop.
 */
#ifndef SK_HOST_STORE_PORT_H
#define SK_HOST_STORE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/text.h"

#define STORE_HASH_BYTES 32
#define STORE_SEED_BYTES 32
#define STORE_SEATS_MAX  4

struct store_job;

/* ---- records ----------------------------------------------------------------------------- */

/* The kinds of records, once: enum, the column's words and the documents come from here. */
#define STORE_RECORD_KINDS(X)          \
    X(RECORD_CREATED, "created")       \
    X(RECORD_JOINED, "joined")         \
    X(RECORD_SUBMISSION, "submission") \
    X(RECORD_WITHDRAWN, "withdrawn")   \
    X(RECORD_RESIGNED, "resigned")     \
    X(RECORD_TURN, "turn")             \
    X(RECORD_CLOCK, "clock")           \
    X(RECORD_OFFER, "offer")           \
    X(RECORD_ENDED, "ended")           \
    X(RECORD_SNAPSHOT, "snapshot")

#define STORE_WORD_NUMBER(number, word) number,
enum store_record_kind {
    STORE_RECORD_KINDS(STORE_WORD_NUMBER) RECORD_KIND_COUNT
};
#undef STORE_WORD_NUMBER

extern const char *const store_record_kind_names[RECORD_KIND_COUNT];

/* False when it is none of these words. */
bool store_record_kind_read(struct sk_text word, enum store_record_kind *ret_kind);

#define STORE_NO_TURN (-1)
#define STORE_NO_SEAT (-1)

/* One row of the append-only table.  Bodies hold player ids, never names. */
struct store_record {
    uint32_t seq; /* 1, 2, 3 ... of the match, private records included */
    enum store_record_kind kind;
    int32_t turn;
    int32_t seat;
    char *command_id; /* NULL where there is none */
    char *body;       /* JSON */
    size_t body_length;
    char *name;    /* read only: of who took the seat and has left it since, filled in by a load */
    int64_t epoch; /* read only: filled in by a load */
    int64_t at_ms; /* wall clock */
    uint8_t hash[STORE_HASH_BYTES]; /* of all this and the hash before; written by storage */
};

/* ---- matches ----------------------------------------------------------------------------- */

enum store_match_status {
    MATCH_WAITING,
    MATCH_RUNNING,
    MATCH_OVER,
    MATCH_QUARANTINED
};

/* The column's words. */
extern const char *const store_match_status_names[MATCH_QUARANTINED + 1];

#define STORE_NOBODY (-1)

/* The match's row; `created` holds what must be proven, this what is asked for. */
struct store_match {
    int64_t id;
    char *ruleset;
    uint32_t version;
    char *params; /* JSON, complete: defaults written out */
    uint8_t seed[STORE_SEED_BYTES];
    uint8_t salt[STORE_SEED_BYTES];
    char *settings; /* JSON: clock, visibility, spectator delay, rated */
    char *code;     /* join code of a private match, or NULL */
    bool is_open;   /* shown in lists */
    bool is_rated;
    int32_t seat_count;
    enum store_match_status status;
    int64_t created_at_ms;
    int64_t started_at_ms; /* 0 = not yet */
    int64_t ended_at_ms;
    int32_t winner;     /* a seat or STORE_NOBODY */
    char *reason;       /* why it ended or was quarantined, or NULL */
    int64_t rematch_of; /* the match it plays again, or 0 */
    int64_t epoch;      /* read only, with `has_owner`: filled in by a load */
    bool has_owner;
    int64_t origin; /* it came from elsewhere, where it had this number; 0 = it did not */
};

struct store_seat {
    int64_t player; /* 0 = free */
    char *name;     /* read only: filled in by a load */
    bool is_bot;
    bool is_forgotten;     /* the name stands for nobody any more */
    int64_t origin_player; /* of an imported match: how its records name him, 0 = nobody */
    char *bot;             /* likewise: which bot of the server's plays it; NULL: who has a token */
};

/* What an append changes beside adding records; flags say which. */
struct store_match_change {
    bool has_seat;
    int32_t seat;
    int64_t player; /* 0 frees the seat */
    bool has_started;
    int64_t started_at_ms;
    bool is_unrated; /* with has_started: a bot plays, whatever `create` wished */
    bool has_ended;
    int64_t ended_at_ms;
    int32_t winner;
    char *reason;
    bool is_quarantined; /* with `reason` */
};

/* ---- calls of bots ----------------------------------------------------------------------- */

/* What a web service was asked and answered, for whoever wants to know why it plays as it does. */
struct store_bot_call {
    int32_t turn;
    int32_t seat;
    char *bot; /* as in store_seat */
    int32_t latency_ms;
    int32_t status;    /* of HTTP, 0 = none */
    const char *error; /* a constant; NULL: it counted */
    char *message;     /* the same for people; NULL likewise */
    char *request;     /* UTF-8; NULL: too long to be kept */
    char *answer;      /* likewise, or there was none */
    int32_t kept;      /* so many of the newest are kept */
};

/* ---- jobs -------------------------------------------------------------------------------- */

enum store_job_kind {
    JOB_PLAYER_CREATE, /* in: player name, token_hash, is_bot; out: player.id; TAKEN */
    JOB_PLAYER_LOGIN,  /* in: token_hash, at_ms; out: player; NOT_FOUND, BANNED (message: why) */
    JOB_TOKEN_RENEW,   /* in: player.id, token_hash */
    JOB_BOT_PLAYER,    /* in: player name (a wish), token_hash (nobody's), bot; out: id, name */
    JOB_MATCH_CREATE, /* in: match, seats, records (one `created`, perhaps one `joined`); out: id */
    JOB_MATCH_APPEND, /* in: match.id, generation, records, change */
    JOB_MATCH_LOAD,   /* in: match.id, tail_turns, wants_keys; out: match, seats, records, keys */
    JOB_COMMAND_FIND, /* in: match.id, records[0].seat, .command_id; out: records[0],
                         is_superseded; NOT_FOUND */
    JOB_MATCH_BY_CODE,  /* in: match.code; out: match.id; NOT_FOUND */
    JOB_REMATCH_FIND,   /* in: match.rematch_of; out: match.id, if it is unfinished; NOT_FOUND */
    JOB_UNFINISHED,     /* in: after, limit; out: ids, in order; last_beat_ms, quarantined_count */
    JOB_PLAYER_MATCHES, /* in: player.id; out: ids of the player's unfinished matches */
    JOB_MATCH_IMPORT,   /* in: match with its origin, seats by name, records with their hashes;
                           out: id; TAKEN: it is there already, as match.id */
    JOB_ADMIN,          /* in: at_ms, admin, perhaps match.id and player.name; out: player.id;
                           NOT_FOUND: there is no such player, or he is not banned */
    JOB_BOT_CALL,       /* in: match.id, at_ms, bot_call */
    JOB_TEXT,           /* in: query; out: text (JSON) for HTTP and lists */
    JOB_BEAT,           /* in: at_ms: the clocks ran until now; ids: players last seen now */
    JOB_FLUSH,  /* nothing; done when everything before it is on disk.  The last thing that is
                           asked: QUERY_STATISTICS is unavailable from then on */
    JOB_REVIEW, /* in and out: review; for the port of reviews, not for the store */
};

enum store_result {
    STORE_OK,
    STORE_UNAVAILABLE, /* nothing of it is stored; trying again later may help */
    STORE_NOT_FOUND,
    STORE_TAKEN,   /* the name, or the command id, is there already */
    STORE_CORRUPT, /* what is stored is not what was written; `message` says what */
    STORE_BANNED,
    STORE_REFUSED, /* it cannot be answered as it was asked; the review's fault says why */
    STORE_PRUNED,  /* the records of the match were dropped */
};

enum store_query {
    QUERY_MATCHES,     /* filters: status, ruleset, player; after, limit */
    QUERY_MATCH,       /* one match: match_id */
    QUERY_REPLAY,      /* its turns as NDJSON lines: match_id, after (turn), limit */
    QUERY_LEADERBOARD, /* filters: ruleset; limit */
    QUERY_STATISTICS,  /* figures over many matches; never in front of others */
    QUERY_MOMENTS,     /* the host's word for a review: match_id, audience, after, limit */
};

/* How the names of forgotten players begin; nobody else may have such a name. */
#define STORE_FORGOTTEN "forgotten-"

struct store_player {
    int64_t id;
    char *name;
    bool is_bot;
    char *bot; /* a bot of the server's: which one */
    uint8_t token_hash[STORE_HASH_BYTES];
};

/* What an operator does: a row of admin_log, and what follows from it. */
struct store_admin {
    int64_t uid;
    const char *command; /* a literal */
    char *detail;        /* JSON */
    bool bans;           /* player.name, until `until_ms` (0 = for ever), for `reason` */
    bool unbans;
    bool forgets; /* player.name becomes a name that says nothing, and out */
    int64_t until_ms;
    char *reason;
};

struct store_text_query {
    enum store_query kind;
    int64_t match_id;
    int64_t after;
    int32_t limit;
    int32_t turn_max;  /* QUERY_REPLAY: turns that may be seen as long as the match is not over */
    bool hides_params; /* QUERY_MATCH and QUERY_REPLAY: as long as the match is not over */
    char status[16];   /* "" = any */
    char ruleset[32];
    int64_t player; /* 0 = any */
    uint8_t audience;
};

/* ---- reviews ----------------------------------------------------------------------------- */

enum review_kind {
    REVIEW_MOMENTS, /* in: match, audience, after, limit; out: text (NDJSON), after (the turn to ask
                       on from, or -1), turn (that the last moment stands at) */
    REVIEW_WHAT_IF, /* in: match, turn, commands; out: turn, verdicts, events, view (a spectator's),
                       state, outcome */
    REVIEW_PACK,    /* in and out: the job's text, which is then compressed with gzip */
};

#define REVIEW_CODE_MAX 32

/* A match that is over, looked at again: what takes longer than a loop should wait. */
struct review {
    enum review_kind kind;
    int64_t match;
    int64_t player;                 /* who asks, or 0: private matches are their players' ... */
    char code[REVIEW_CODE_MAX + 1]; /* ... and whose who have the code, or "" */
    uint8_t audience;               /* a seat, SK_SPECTATOR or REVIEW_EVERYTHING */
    int64_t after;                  /* moments of later turns only; -1 = all */
    int32_t limit;                  /* how many */
    int32_t turn;
    char *commands; /* JSON, a list a seat */
    char *verdicts; /* JSON texts */
    char *events;
    char *view;
    char *state;
    char *outcome;
    struct sk_fault fault; /* with STORE_REFUSED */
};

#define REVIEW_EVERYTHING 0xfe

struct store_job {
    struct store_job *next; /* storage's and the host's lists */
    enum store_job_kind kind;
    enum store_result result;
    char *message; /* for the log, when the result is not STORE_OK */

    /* The host's own: storage does not look at these. */
    void (*done)(struct store_job *job, void *host);
    void *context;
    int64_t context_number;
    int64_t handed_over_us;

    struct store_player player;
    struct store_match match;
    struct store_seat seats[STORE_SEATS_MAX];
    uint32_t generation;
    struct store_record *records;
    uint32_t record_count;
    int32_t tail_turns;
    bool wants_keys;
    uint64_t *keys;     /* of all command ids, in no order */
    bool is_superseded; /* the seat has sent something else for the same turn since */
    uint32_t key_count;
    struct store_match_change change;
    struct store_bot_call bot_call;

    int64_t after;
    int32_t limit;
    int64_t at_ms;
    int64_t last_beat_ms;
    uint32_t quarantined_count;
    int64_t *ids;
    uint32_t id_count;

    struct store_admin admin;

    struct review *review; /* JOB_REVIEW only */
    struct store_text_query query;
    char *text;
    size_t text_length;
};

/* Zeroed; never NULL: out of memory ends the process, which then recovers. */
struct store_job *store_job_alloc(enum store_job_kind kind);
void store_job_free(struct store_job *job);

/* Moves all that the job has into another one, for a `done` that needs it longer. */
struct store_job *store_job_take(struct store_job *job);

/* Adds a zeroed record to the job and returns it until the next is added. */
struct store_record *store_job_add_record(struct store_job *job);

/*
 * JOB_MATCH_LOAD gives the first record, and then all from the newest snapshot on that has at
 * least `tail_turns` turns after it (STORE_ALL_TURNS or none such: from the first record on).  In
 * front of a snapshot stands the turn that it was made after.  The chain is verified as far as it
 * is read.
 */
#define STORE_ALL_TURNS INT32_MAX

/* Does the load begin in the middle?  Then records[1] is a turn and records[2] its snapshot. */
bool store_job_has_snapshot(const struct store_job *job);

/* What stands for a command id: to remember all that a match has used takes 8 bytes each. */
uint64_t store_command_key(int32_t seat, const char *id, size_t length);

/* ---- the port ---------------------------------------------------------------------------- */

/* Implemented by server/store, by the simulation's faulty store, and for JOB_REVIEW by
 * server/review. */
struct store_port {
    /* Takes the job.  False when the queue is full: the caller keeps it and answers `busy`. */
    bool (*submit)(struct store_port *port, struct store_job *job);
};

#endif /* SK_HOST_STORE_PORT_H */
