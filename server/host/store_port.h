/*
 * The port to the store: jobs, and their results.
 *
 * The host fills in a job and hands it over.  The storage thread executes it
 * together with all other waiting jobs, in one transaction.  Once the
 * transaction is on disk, the loop calls the job's `done` function.
 * `accepted` and `turn` are sent only from there, so what is shown is stored.
 *
 * The jobs of a match are executed in the order in which they were handed
 * over.  When one fails, all later ones of the same match and generation fail
 * too; the host then undoes what it had based on them and continues with the
 * next generation.
 *
 * Owner:   a job and everything it points to moves with it: host -> storage
 *          -> host.  store_job_free frees all of it.
 * Threads: only one side uses the fields at a time; `done` runs on the loop.
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

struct host;
struct store_job;

/* ---- records ----------------------------------------------------------------------------- */

/* The kinds of records.  The enum and the words of the column come from this list. */
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

/* Returns false if it is none of these words. */
bool store_record_kind_read(struct sk_text word, enum store_record_kind *ret_kind);

#define STORE_NO_TURN (-1)
#define STORE_NO_SEAT (-1)

/* A row of the append-only table.  Bodies contain player ids, never names. */
struct store_record {
    uint32_t seq; /* 1, 2, 3 ... within the match, including private records */
    enum store_record_kind kind;
    int32_t turn;
    int32_t seat;
    char *command_id; /* NULL: none */
    char *body;       /* JSON */
    size_t body_length;
    char *name;    /* set by a load: the player who took the seat and has left it since */
    int64_t epoch; /* set by a load */
    int64_t at_ms; /* wall clock */
    uint8_t hash[STORE_HASH_BYTES]; /* of all columns and the previous hash; set by the store */
};

/* ---- matches ----------------------------------------------------------------------------- */

enum store_match_status {
    MATCH_WAITING,
    MATCH_RUNNING,
    MATCH_OVER,
    MATCH_QUARANTINED
};

/* The words of the column. */
extern const char *const store_match_status_names[MATCH_QUARANTINED + 1];

#define STORE_NOBODY (-1)

/* The row of a match, for lists and queries.  What must be proven is in the record `created`. */
struct store_match {
    int64_t id;
    char *ruleset;
    uint32_t version;
    char *params; /* JSON, complete with defaults */
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
    int64_t epoch;      /* read only, as the next three: filled in by a load */
    bool has_owner;
    bool is_shared;        /* of a shared database: the epoch may be ahead of the last record's */
    int64_t stopped_at_ms; /* until when its clocks ran at another node; 0 = it was not elsewhere */
    int64_t origin;        /* of an imported match: its number on the other server; else 0 */
};

struct store_seat {
    int64_t player; /* 0 = free */
    char *name;     /* set by a load */
    bool is_bot;
    bool is_forgotten;     /* the player was forgotten */
    int64_t origin_player; /* of an imported match: the player's id in its records, 0 = nobody */
    char *bot;             /* likewise: the server's bot that plays it; NULL: a person */
    int64_t ticket; /* of a match that is created: the wait that it ends, see "nodes"; or 0 */
};

void store_seats_fini(struct store_seat seats[STORE_SEATS_MAX]);

/* What an append changes besides adding records; flags say which. */
struct store_match_change {
    bool has_seat;
    int32_t seat;
    int64_t player; /* 0 frees the seat */
    bool has_started;
    int64_t started_at_ms;
    bool is_unrated; /* with has_started: not rated, because a bot plays */
    bool has_ended;
    int64_t ended_at_ms;
    int32_t winner;
    char *reason;
    bool is_quarantined; /* with `reason` */
};

/* ---- calls of bots ----------------------------------------------------------------------- */

/* A call of a web service, for the table bot_call_log. */
struct store_bot_call {
    int32_t turn;
    int32_t seat;
    char *bot; /* as in store_seat */
    int32_t latency_ms;
    int32_t status;    /* of HTTP, 0 = none */
    const char *error; /* a constant; NULL: the answer counted */
    char *message;     /* the same as a sentence; NULL likewise */
    char *request;     /* UTF-8; NULL: too long to keep */
    char *answer;      /* likewise, or there was no answer */
    int32_t kept;      /* how many of the newest calls are kept */
};

/* ---- jobs -------------------------------------------------------------------------------- */

/*
 * The kinds of jobs, once: which part of struct store_job is the last that the kind has, and
 * whether it changes what is stored.
 */
#define STORE_JOB_KINDS(X)                                                                      \
    /* in: name, token_hash, is_bot; out: id; TAKEN */                                          \
    X(JOB_PLAYER_CREATE, player, true)                                                          \
    /* in: token_hash, at_ms; out: player; NOT_FOUND, BANNED (message: why) */                  \
    X(JOB_PLAYER_LOGIN, asked, false)                                                           \
    X(JOB_TOKEN_RENEW, player, true) /* in: id, token_hash */                                   \
    /* in: name (a wish), token_hash (nobody's), bot; out: id, name */                          \
    X(JOB_BOT_PLAYER, player, true)                                                             \
    X(JOB_PLAYER_MATCHES, matches, false) /* in: player.id; out: their unfinished matches */    \
    /* in: match, seats, records (one `created`, perhaps `joined`); out: match_id */            \
    X(JOB_MATCH_CREATE, seats, true)                                                            \
    X(JOB_MATCH_APPEND, append, true) /* in: match_id, records, append */                       \
    /* in: match_id, load; out: match, seats, records, keys; ELSEWHERE, if it claims */         \
    X(JOB_MATCH_LOAD, load, false)                                                              \
    /* in: match with its origin, seats by name, records with hashes, at_ms; out: match_id; */  \
    /* TAKEN: it is there already, as match_id */                                               \
    X(JOB_MATCH_IMPORT, seats, true)                                                            \
    /* in: match_id, records[0].seat, .command_id; out: records[0], is_superseded; NOT_FOUND */ \
    X(JOB_COMMAND_FIND, is_superseded, false)                                                   \
    X(JOB_MATCH_BY_CODE, code, false) /* in: code; out: match_id; NOT_FOUND */                  \
    /* in: rematch_of; out: match_id, if it is unfinished; NOT_FOUND */                         \
    X(JOB_REMATCH_FIND, rematch_of, false)                                                      \
    X(JOB_UNFINISHED, unfinished, false)                                                        \
    /* in: at_ms, admin, perhaps match_id and player.name; out: player.id, admin.id, perhaps */ \
    /* elsewhere; NOT_FOUND: there is no such player or match, or they are not banned */        \
    X(JOB_ADMIN, admin, true)                                                                   \
    X(JOB_BOT_CALL, bot_call, true) /* in: match_id, at_ms, bot_call */                         \
    X(JOB_TEXT, text, false)        /* in: query; out: text (JSON) for HTTP and lists */        \
    /* in: at_ms: the clocks ran until now; players last seen now; LOST: see "nodes"; */        \
    /* out: of a shared database, beat.notices */                                               \
    X(JOB_BEAT, beat, true)                                                                     \
    /* in: claim; out: claim.ids; LOST */                                                       \
    X(JOB_CLAIM, claim, true)                                                                   \
    /* in: match_id, or 0 for all matches of this node; NOT_FOUND: it owns no such match */     \
    X(JOB_RELEASE, record_count, true)                                                          \
    /* in and out: queue */                                                                     \
    X(JOB_QUEUE, queue, true)                                                                   \
    X(JOB_RATINGS, ratings, false) /* in: ruleset, players; out: their ratings */               \
    /* in: nothing; done when everything before it is on disk.  The last job: */                \
    /* QUERY_STATISTICS is unavailable from then on. */                                         \
    X(JOB_FLUSH, record_count, false)                                                           \
    X(JOB_REVIEW, review, false) /* in and out: review; for the port of reviews, not the store */

#define STORE_JOB_NUMBER(kind, part, writes) kind,
enum store_job_kind {
    STORE_JOB_KINDS(STORE_JOB_NUMBER) STORE_JOB_KIND_COUNT
};
#undef STORE_JOB_NUMBER

enum store_result {
    STORE_OK,
    STORE_UNAVAILABLE, /* nothing of it is stored; a retry may succeed */
    STORE_NOT_FOUND,
    STORE_TAKEN,   /* the name or the match exists already */
    STORE_CORRUPT, /* the stored data was changed; `message` says where */
    STORE_BANNED,
    STORE_REFUSED,   /* the request is wrong; the review's fault says why */
    STORE_PRUNED,    /* the records of the match were dropped */
    STORE_ABANDONED, /* cancelled, or the daemon stops */

    /* Of databases that several nodes use; see "nodes". */
    STORE_LOST,      /* not stored here any more, or unknown whether stored: load the match again */
    STORE_ELSEWHERE, /* another node runs the match; `elsewhere` is that node's path */
};

enum store_query {
    QUERY_MATCHES,     /* filters: status, ruleset, player; after, limit */
    QUERY_MATCH,       /* one match: match_id */
    QUERY_CARD,        /* one match as in a list: match_id; the host makes a card of it */
    QUERY_REPLAY,      /* its turns as NDJSON lines: match_id, after (turn), limit */
    QUERY_LEADERBOARD, /* filters: ruleset; limit */
    QUERY_PLAYER,      /* one player: subject, or the asker */
    QUERY_QUEUE,       /* who waits; with one node the job's own text says who */
    QUERY_STATISTICS,  /* counts over many matches */
    QUERY_MOMENTS,     /* for the host: becomes a review; match_id, audience, after, limit */
    QUERY_FILE,        /* likewise; match_id */
    QUERY_PACK,        /* compresses the job's own text */
};

/* Prefix of the names of forgotten players; nobody else may have such a name. */
#define STORE_FORGOTTEN "forgotten-"

struct store_player {
    int64_t id;
    char *name;
    bool is_bot;
    char *bot; /* which of the server's bots it is */
    uint8_t token_hash[STORE_HASH_BYTES];
};

/* An operator's action: a row of admin_log, and its effect. */
struct store_admin {
    int64_t id;       /* out: of the row */
    int64_t drawn_id; /* the store's own: of all attempts, or 0 */
    int64_t uid;
    const char *command; /* a literal */
    char *detail;        /* JSON */
    bool bans;           /* player.name, until `until_ms` (0 = for ever), for `reason` */
    bool unbans;
    bool forgets; /* in: player.name; out: its new, meaningless name */
    int64_t until_ms;
    char *reason;
    bool is_elsewhere; /* in: match_id must be at another node; out: its path in `elsewhere` */
};

#define STORE_CODE_MAX 32

/* What everybody's answers about a running match do not contain. */
#define STORE_HIDES_TURNS  1u
#define STORE_HIDES_PARAMS 2u

/* Flags for a ruleset.  Called by the store's threads: a function of its arguments alone. */
typedef uint32_t store_hides(struct sk_text ruleset, uint32_t version);

struct store_text_query {
    enum store_query kind;
    int64_t match_id;
    int64_t after;
    int32_t limit;
    store_hides *hides; /* QUERY_MATCH and QUERY_REPLAY: by the ruleset; NULL: hides all */
    char status[16];    /* "" = any */
    char ruleset[32];
    int64_t player;                /* 0 = any */
    int64_t subject;               /* QUERY_PLAYER: whom it is about; 0 = the asker */
    char code[STORE_CODE_MAX + 1]; /* of a private match, or "" */
    uint8_t audience;
    bool takes_gzip; /* a long text may be compressed; then `is_packed` is set */
};

/* ---- reviews ----------------------------------------------------------------------------- */

enum review_kind {
    REVIEW_MOMENTS, /* in: match, audience, after, limit; out: text (NDJSON), after (the turn to
                       continue from, or -1), turn (of the last moment) */
    REVIEW_WHAT_IF, /* in: match, turn, commands; out: answer */
    REVIEW_FILE,    /* in: match, bytes_max; out: text, the match file of `skirmish export` */
};

/* What commands would lead to: JSON texts on the heap. */
struct what_if {
    int32_t turn;
    char *verdicts;
    char *events;
    char *view;
    char *state; /* of a finished match only; or NULL */
    char *outcome;
};

void what_if_fini(struct what_if *answer);

/* A query about a finished match that takes too long for the loop. */
struct review {
    enum review_kind kind;
    int64_t match;
    int64_t player;                /* who asks, or 0: private matches are for their players ... */
    char code[STORE_CODE_MAX + 1]; /* ... and for those who know the code, or "" */
    uint8_t audience;              /* a seat, SK_SPECTATOR or REVIEW_EVERYTHING */
    int64_t after;                 /* moments of later turns only; -1 = all */
    int32_t limit;                 /* how many ... */
    size_t bytes_max;              /* ... and, from the second on, of how many bytes together */
    int32_t turn;
    char *commands; /* JSON, one list per seat */
    struct what_if answer;
    struct sk_fault fault; /* with STORE_REFUSED */
};

#define REVIEW_EVERYTHING 0xfe

/* ---- nodes ------------------------------------------------------------------------------- */

/*
 * A database may be shared by several nodes (`is_shared` of the port).  Each match is then owned by
 * one node at a time, and every change of owner increases its epoch.  Safety does not rest on
 * clocks: an append is stored only if the match still has the epoch and the last record that this
 * node knows.  Otherwise it comes back as STORE_LOST, and so do the later jobs of its generation as
 * STORE_UNAVAILABLE.
 *
 *   create   The new match belongs to this node.
 *   load     With `load.claims` a match that is not over becomes this node's, unless a live node
 *            owns it: then the result is STORE_ELSEWHERE.  `match.stopped_at_ms` says until when
 *            its clocks ran; it stays until the first append that was made later, so a node that
 *            dies while loading charges nobody.  The `clock` record must be that append.  Of a
 *            match whose room was lost, and which is still this node's, `load.stopped_ms` says it.
 *   append   STORE_LOST: somebody else owns it now, or the connection was lost and it could not be
 *            found out whether the append is stored.  Drop the room without telling anybody of the
 *            job, and load the match again when it is touched.  Never a reason to quarantine.
 *   claim    Takes over at most `claim.limit` unfinished matches whose node is gone or has released
 *            them, of rulesets and versions that this program has: it could not play others, but
 *            another node can.  A load with `load.claims` of such a match is STORE_UNAVAILABLE
 *            with `load.is_unplayable` until that node has it.  Ends the database sessions of
 *            nodes whose lease has run out.  To be repeated every second; the ids are then loaded
 *            with `load.claims` (they belong to this node already).  A claim or a create whose
 *            answer was lost leaves matches that are this node's without a room: with
 *            `claim.lists_owned` all that it owns are listed, a part at a time.  To be done now
 *            and then, and after a claim that failed.
 *   beat     Renews the lease of STORE_LEASE_MS, to be sent every STORE_BEAT_MS with
 *            STORE_ASIDE also while matches are being loaded.  STORE_LOST: the node was declared
 *            dead, or its lease had run out before it knew; its matches may be elsewhere.  It has
 *            got a new lease, but must drop every room.
 *            STORE_TAKEN: the same, but another process has a lease under its name, so it has none;
 *            `message` says so.  Without a confirmed beat for
 *            STORE_LEASE_MS of monotonic time, no room may be served before the next one, and
 *            rooms are loaded again.  The next beat says so by `beat.has_paused`: the clocks of
 *            all its matches stopped at the beat before, also if the node dies before it has
 *            loaded them.  A beat that comes later than the lease does the same by itself.
 *            Brings the database's clock: all nodes write its times, so that clocks of players
 *            go on at another node where they stopped, whatever the time is on the machines.
 *            Brings the rows of admin_log after `beat.notices_after`: what an operator does at one
 *            node is done at all of them.  Ids are not in the order of commits, so the host asks
 *            again for the last STORE_NOTICES_AGAIN ids, and remembers what it has done of them.
 *   release  Gives all matches back, for other nodes to claim, and ends the lease: at shutdown,
 *            after JOB_FLUSH has come back and before clients are sent elsewhere.
 *   queue    Makes the stored queue have the players who wait at this node, and no others of it.
 *            Every wait has a ticket.  Comes back with those whose match was created elsewhere, and
 *            with those who can play together, if the last of them waits here: this node then
 *            creates their match, with their tickets.  STORE_TAKEN: somebody has left the queue, or
 *            has been seated by another node.  To be repeated every STORE_BEAT_MS while anybody
 *            waits.
 *
 * On a database that is not shared claims find nothing, releases do nothing, and neither
 * STORE_LOST nor STORE_ELSEWHERE occurs.
 */
#define STORE_LEASE_MS  4000
#define STORE_BEAT_MS   1000
#define STORE_CLAIM_MAX 256
#define STORE_OWNED_MAX 4096 /* listed at once */

#define STORE_NOTICES_AGAIN 64
#define STORE_NOTICES_MAX   256 /* per beat; of more, the newest */

/* Where a job is executed.  Only jobs that do not write may be executed out of order. */
enum store_place {
    STORE_IN_ORDER,    /* in order, with the match's other jobs */
    STORE_FOR_PLAYERS, /* separately, for WebSockets: sees what is on disk when it begins */
    STORE_FOR_HTTP,    /* likewise, for HTTP requests */
    STORE_ASIDE,       /* separately: beat, claim and queue of a shared database, which may write */
};

struct store_ids {
    int64_t *at;
    uint32_t count;
};

/* JOB_MATCH_APPEND, of which a turn takes three. */
struct store_append {
    uint32_t generation;
    struct store_match_change change;
    struct store_record first; /* most have one record: see store_job_add_record */
};

/* JOB_MATCH_LOAD: what is read. */
struct store_load {
    int32_t from_turn;
    uint32_t first_seq; /* if not 0: from this record on, at most `limit` */
    int32_t limit;
    bool has_turn_end; /* up to this turn; its own record is not read */
    int32_t turn_end;
    bool claims;        /* the room is to be run here: see "nodes" ... */
    int64_t stopped_ms; /* ... and its clocks ran here until then; 0: unknown */
    bool awaits_leases; /* it is not claimed yet, because leases may be stale: UNAVAILABLE */
    bool wants_keys;
    uint64_t *keys; /* out: of all command ids, in no order */
    uint32_t key_count;
    bool was_claimed;   /* out: this load claimed it */
    bool is_unplayable; /* out, with STORE_UNAVAILABLE: only another node can claim it */
};

/* JOB_UNFINISHED: matches, in order. */
struct store_unfinished {
    int64_t after;
    int32_t limit;
    struct store_ids ids; /* out, as the rest */
    int64_t last_beat_ms; /* 0 on a shared database */
    uint32_t quarantined_count;
};

/* A row of admin_log. */
struct store_notice {
    int64_t id;
    char *command;
    int64_t match; /* or 0, as the player */
    int64_t player;
    char *detail; /* JSON */
};

/* JOB_BEAT. */
struct store_beat {
    struct store_ids seen;
    bool has_paused; /* no room was served before this beat: see "nodes" */
    bool was_late;   /* the store's own: an attempt found that the lease had run out */
    int64_t now_ms;  /* out: of a shared database, its clock */
    int64_t notices_after;
    struct store_notice *notices; /* out: the newest first */
    uint32_t notice_count;
};

void store_beat_clear_notices(struct store_beat *beat);

/* JOB_CLAIM. */
struct store_claim {
    int32_t limit;          /* at most STORE_CLAIM_MAX */
    bool lists_owned;       /* also set by the store, if the answer to an attempt was lost */
    bool was_tried;         /* the store's own */
    int64_t owned_after;    /* list those with larger ids */
    struct store_ids ids;   /* out: matches that are this node's now */
    struct store_ids owned; /* out: that were so before, in order */
};

/* A player who waits in the queue. */
struct store_wait {
    int64_t player;
    uint64_t number;    /* the host's own; 0: the store has added it */
    int64_t ticket;     /* in: 0 = not stored yet; out: likewise */
    char *key;          /* if not stored yet: who has the same can play together ... */
    int32_t seats;      /* ... if there are so many of them */
    int32_t rating_min; /* of the others, as the store knows it */
    int32_t rating_max;
    char *seek;    /* likewise, for QUERY_QUEUE: JSON with the ruleset and more */
    bool was_sent; /* an earlier comparison, or attempt of this one, may have stored it */
    int64_t older; /* in and out: the match of a wait before this one, if its row has been read */
    bool is_over;  /* out: the player waits at another node by now, or has a match: */
    int64_t match; /* out, or 0 */
    char *path;    /* out: of the match's node; NULL: nobody runs it */
};

/* A player who can be seated. */
struct store_partner {
    int64_t player;
    int64_t ticket;
    char *name;
    bool is_bot;
    bool is_here;  /* at this node */
    int32_t seats; /* of the match; its players follow each other, who waited longest first */
};

/* JOB_QUEUE. */
struct store_queue {
    struct store_wait *waits; /* out: also players who have left the queue but have a match */
    uint32_t wait_count;
    struct store_partner *partners; /* out */
    uint32_t partner_count;
};

struct store_rating {
    int64_t player;
    int32_t rating; /* out: as leaderboards show it; the first one's if there is none yet */
};

/* JOB_RATINGS. */
struct store_ratings {
    const char *ruleset; /* a literal */
    struct store_rating *at;
    uint32_t count;
};

/* JOB_TEXT and JOB_REVIEW. */
struct store_text {
    char *at;
    size_t length;
    bool is_packed;
    int64_t after; /* out: where the list continues, or 0 */
};

/* A job has the head and what STORE_JOB_KINDS gives its kind; the rest is not even allocated. */
struct store_job {
    struct store_job *next; /* for lists of the store and of the host */
    enum store_job_kind kind;
    enum store_place place;
    enum store_result result;
    char *message;   /* for the log, if the result is not STORE_OK */
    char *elsewhere; /* with STORE_ELSEWHERE: the owner's path, such as /n/berlin/ */

    /* For the host only. */
    void (*done)(struct store_job *job, struct host *host);
    void *context;
    int64_t context_number;
    int64_t handed_over_us;

    /* Of jobs that are executed separately. */
    void *payer;     /* who caused it: jobs of one payer do not delay those of others */
    void *reader;    /* likewise the player, or 0 */
    int64_t work_us; /* out: processor time used; of a shared database, time */

    int64_t match_id;
    int64_t at_ms;
    struct store_record *records; /* use store_job_add_record */
    uint32_t record_count;

    union {
        struct store_append append;
        struct {
            struct store_match match; /* the row */
            struct store_seat seats[STORE_SEATS_MAX];
            struct store_load load;
        };
        struct {
            struct store_player player;
            union {
                struct store_ids matches;
                struct store_admin admin;
                struct store_text_query asked; /* the host's own: what the player wants to see */
            };
        };
        struct {
            struct store_text_query query;
            struct store_text text;
            struct review review;
        };
        bool is_superseded; /* the seat replaced it in the same turn */
        char *code;
        int64_t rematch_of;
        struct store_unfinished unfinished;
        struct store_claim claim;
        struct store_queue queue;
        struct store_ratings ratings;
        struct store_bot_call bot_call;
        struct store_beat beat;
    };
};

/* Zeroed; never NULL: if memory runs out, the process ends and recovers when restarted. */
struct store_job *store_job_alloc(enum store_job_kind kind);
void store_job_free(struct store_job *job);

/* Moves the contents into a new job, for a `done` that needs them longer. */
struct store_job *store_job_take(struct store_job *job);

/* Whether the job changes what is stored. */
bool store_job_writes(const struct store_job *job);

/* Adds a zeroed record to the job and returns it until the next is added. */
struct store_record *store_job_add_record(struct store_job *job);
void store_job_drop_record(struct store_job *job); /* the last one */
void store_job_clear_records(struct store_job *job);

/* Each adds a zeroed one and returns it until the next is added. */
struct store_wait *store_queue_add_wait(struct store_queue *queue);
struct store_partner *store_queue_add_partner(struct store_queue *queue);
void store_queue_clear_partners(struct store_queue *queue);
void store_ratings_add(struct store_ratings *ratings, int64_t player);

/*
 * JOB_MATCH_LOAD returns the first record, and all records from the newest snapshot on that is
 * not later than `from_turn`.  With STORE_FROM_START, or without such a snapshot, it returns all
 * records.  A snapshot is preceded by the record of the turn after which it was made.  The chain
 * is verified as far as it is read; its end is verified if it is read to the end.
 */
#define STORE_FROM_START  0
#define STORE_FROM_NEWEST INT32_MAX

/* Whether the load begins with a snapshot.  Then records[1] is a turn and records[2] its
 * snapshot. */
bool store_job_has_snapshot(const struct store_job *job);

/* The key of a command id.  A match remembers all its ids, at 8 bytes each. */
uint64_t store_command_key(int32_t seat, const char *id, size_t length);

/* Returns a record whose command id its seat has used before, or NULL. Rooms prevent this;
 * proving a match checks it. */
const struct store_record *store_repeated_id(const struct store_job *job);

/* ---- the port ---------------------------------------------------------------------------- */

/* Implemented by server/store, by the simulation's faulty store, and for JOB_REVIEW by
 * server/review. */
struct store_port {
    /* Takes the job.  Returns false if the queue is full: the caller keeps it and answers
     * `busy`. */
    bool (*submit)(struct store_port *port, struct store_job *job);

    /* Cancels a job.  If it is executed separately it comes back soon, not done.  May be NULL:
     * then it comes back as usual. */
    void (*cancel)(struct store_port *port, struct store_job *job);

    bool is_shared; /* several nodes may use the database: see "nodes" */
};

#endif /* SK_HOST_STORE_PORT_H */
