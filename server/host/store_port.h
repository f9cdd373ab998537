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
#include "common/base/limits.h"
#include "common/base/text.h"

#define STORE_HASH_BYTES 32
#define STORE_SEED_BYTES 32
#define STORE_SEATS_MAX  SK_SEATS_MAX

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
    int64_t origin_player; /* of an imported match: how its records name them, 0 = nobody */
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
    JOB_MATCH_LOAD,   /* in: match.id, from_turn or first_seq and limit, turn_end, wants_keys; out:
                         match, seats, records, keys */
    JOB_COMMAND_FIND, /* in: match.id, records[0].seat, .command_id; out: records[0],
                         is_superseded; NOT_FOUND */
    JOB_MATCH_BY_CODE,  /* in: match.code; out: match.id; NOT_FOUND */
    JOB_REMATCH_FIND,   /* in: match.rematch_of; out: match.id, if it is unfinished; NOT_FOUND */
    JOB_UNFINISHED,     /* in: after, limit; out: ids, in order; last_beat_ms, quarantined_count */
    JOB_PLAYER_MATCHES, /* in: player.id; out: ids of the player's unfinished matches */
    JOB_MATCH_IMPORT,   /* in: match with its origin, seats by name, records with their hashes;
                           out: id; TAKEN: it is there already, as match.id */
    JOB_ADMIN,          /* in: at_ms, admin, perhaps match.id and player.name; out: player.id;
                           NOT_FOUND: there is no such player, or they are not banned */
    JOB_BOT_CALL,       /* in: match.id, at_ms, bot_call */
    JOB_TEXT,           /* in: query; out: text (JSON) for HTTP and lists, is_packed */
    JOB_BEAT,           /* in: at_ms: the clocks ran until now; ids: players last seen now */
    JOB_FLUSH,  /* nothing; done when everything before it is on disk.  The last thing that is
                           asked: QUERY_STATISTICS is unavailable from then on */
    JOB_REVIEW, /* in and out: review; for the port of reviews, not for the store */
};

enum store_result {
    STORE_OK,
    STORE_UNAVAILABLE, /* nothing of it is stored; trying again later may help */
    STORE_NOT_FOUND,
    STORE_TAKEN,   /* the name, or the match, is there already */
    STORE_CORRUPT, /* what is stored is not what was written; `message` says what */
    STORE_BANNED,
    STORE_REFUSED,   /* it cannot be answered as it was asked; the review's fault says why */
    STORE_PRUNED,    /* the records of the match were dropped */
    STORE_ABANDONED, /* nobody wanted the answer any more, or the daemon stops */
};

enum store_query {
    QUERY_MATCHES,     /* filters: status, ruleset, player; after, limit */
    QUERY_MATCH,       /* one match: match_id */
    QUERY_REPLAY,      /* its turns as NDJSON lines: match_id, after (turn), limit */
    QUERY_LEADERBOARD, /* filters: ruleset; limit */
    QUERY_STATISTICS,  /* figures over many matches; never in front of others */
    QUERY_MOMENTS,     /* the host's word for a review: match_id, audience, after, limit */
    QUERY_PACK,        /* the job's own text, packed: for what is answered again and again */
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

#define STORE_CODE_MAX 32

struct store_text_query {
    enum store_query kind;
    int64_t match_id;
    int64_t after;
    int32_t limit;
    int32_t turn_max;  /* QUERY_REPLAY: turns that may be seen as long as the match is not over */
    bool hides_params; /* QUERY_MATCH and QUERY_REPLAY: as long as the match is not over */
    char status[16];   /* "" = any */
    char ruleset[32];
    int64_t player;                /* 0 = any */
    char code[STORE_CODE_MAX + 1]; /* of a private match, or "" */
    uint8_t audience;
    bool takes_gzip; /* a long text may come packed; then `is_packed` is set */
};

/* ---- reviews ----------------------------------------------------------------------------- */

enum review_kind {
    REVIEW_MOMENTS, /* in: match, audience, after, limit; out: text (NDJSON), after (the turn to ask
                       on from, or -1), turn (that the last moment stands at) */
    REVIEW_WHAT_IF, /* in: match, turn, commands; out: turn, verdicts, events, view (a spectator's),
                       state, outcome */
};

/* A match that is over, looked at again: what takes longer than a loop should wait. */
struct review {
    enum review_kind kind;
    int64_t match;
    int64_t player;                /* who asks, or 0: private matches are their players' ... */
    char code[STORE_CODE_MAX + 1]; /* ... and whose who have the code, or "" */
    uint8_t audience;              /* a seat, SK_SPECTATOR or REVIEW_EVERYTHING */
    int64_t after;                 /* moments of later turns only; -1 = all */
    int32_t limit;                 /* how many ... */
    size_t bytes_max;              /* ... and, from the second on, of how many bytes together */
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

/* Where a job is worked on.  Only what reads can go elsewhere than in the order. */
enum store_place {
    STORE_IN_ORDER,    /* with the match's other jobs, before those handed over later */
    STORE_FOR_PLAYERS, /* apart from these, of WebSockets: sees what is on disk when it begins */
    STORE_FOR_HTTP,    /* likewise, of HTTP requests */
};

struct store_job {
    struct store_job *next; /* storage's and the host's lists */
    enum store_job_kind kind;
    enum store_place place;
    enum store_result result;
    char *message; /* for the log, when the result is not STORE_OK */

    /* The host's own: storage does not look at these. */
    void (*done)(struct store_job *job, void *host);
    void *context;
    int64_t context_number;
    int64_t handed_over_us;

    /* Of jobs that are apart. */
    void *payer;     /* who caused it: one payer's jobs do not keep all others' waiting */
    void *reader;    /* likewise the player, if it was one */
    int64_t work_us; /* out: processor time that it took */

    struct store_match match;
    uint32_t generation;
    uint32_t record_count;
    struct store_record *records; /* by store_job_add_record only: the first lies in the job */
    struct store_record first;
    struct store_match_change change;

    /* JOB_MATCH_APPEND, of which a turn takes three, ends here: it has none of the following. */
    struct store_player player;
    struct store_seat seats[STORE_SEATS_MAX];
    int32_t from_turn;
    uint32_t first_seq; /* not 0: from this record on instead, at most `limit` */
    bool has_turn_end;  /* not beyond this turn: the record that ends it is not read */
    int32_t turn_end;
    bool wants_keys;
    uint64_t *keys;     /* of all command ids, in no order */
    bool is_superseded; /* the seat has sent something else for the same turn since */
    uint32_t key_count;
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
    bool is_packed;
};

/* Zeroed; never NULL: out of memory ends the process, which then recovers. */
struct store_job *store_job_alloc(enum store_job_kind kind);
void store_job_free(struct store_job *job);

/* Moves all that the job has into another one, for a `done` that needs it longer. */
struct store_job *store_job_take(struct store_job *job);

/* Whether the job changes what is stored. */
bool store_job_writes(const struct store_job *job);

/* Adds a zeroed record to the job and returns it until the next is added. */
struct store_record *store_job_add_record(struct store_job *job);
void store_job_drop_record(struct store_job *job); /* the last one */
void store_job_clear_records(struct store_job *job);

/*
 * JOB_MATCH_LOAD gives the first record, and then all from the newest snapshot on that is of
 * `from_turn` or before it (STORE_FROM_START, or none such: from the first record on).  In front
 * of a snapshot stands the turn that it was made after.  The chain is verified as far as it is
 * read; that it ends where it should, if it is read to its end.
 */
#define STORE_FROM_START  0
#define STORE_FROM_NEWEST INT32_MAX

/* Does the load begin in the middle?  Then records[1] is a turn and records[2] its snapshot. */
bool store_job_has_snapshot(const struct store_job *job);

/* What stands for a command id: to remember all that a match has used takes 8 bytes each. */
uint64_t store_command_key(int32_t seat, const char *id, size_t length);

/* Rooms see to it that an id has one effect; a whole match proves that they did.  A record whose id
 * its seat had used before, or NULL. */
const struct store_record *store_repeated_id(const struct store_job *job);

/* ---- the port ---------------------------------------------------------------------------- */

/* Implemented by server/store, by the simulation's faulty store, and for JOB_REVIEW by
 * server/review. */
struct store_port {
    /* Takes the job.  False when the queue is full: the caller keeps it and answers `busy`. */
    bool (*submit)(struct store_port *port, struct store_job *job);

    /* Nobody wants the answer any more: if the job is apart it comes back soon, undone.  May be
     * NULL: then it comes back as ever. */
    void (*cancel)(struct store_port *port, struct store_job *job);
};

#endif /* SK_HOST_STORE_PORT_H */
