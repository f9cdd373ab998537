/*
 * The PostgreSQL backend: what sql.h leaves to each database.
 *
 *   postgres.c           opening, groups of jobs, kinds of failure
 *   postgres_link.c      the connection: settings, waiting, errors
 *   postgres_row.c       binding and reading values
 *   postgres_append.c    appends of a whole group in one statement
 *   postgres_list.c      arrays
 *   postgres_match.c     creating, importing and loading matches
 *   postgres_node.c      nodes: leases, claims, releases
 *   postgres_waiting.c   the queue of all nodes
 *   postgres_migrate.c   migrations
 *   postgres_question.c  read-only SQL for people
 *
 * Internal to server/store.
 *
 * Owner:   the backend.
 * Threads: one at a time, as backend.h says.
 */
#ifndef SK_STORE_POSTGRES_H
#define SK_STORE_POSTGRES_H

#include <libpq-fe.h>

#include "server/store/sql.h"

#define POSTGRES_PARAMS_MAX 24
#define POSTGRES_NUMBER_MAX 32
#define POSTGRES_STATE_MAX  5
#define POSTGRES_DISTURBED  "40001"

/* ---- the connection ---------------------------------------------------------------------- */

/* A connection, and the error of the last statement that failed. */
struct link {
    PGconn *connection; /* NULL = not connected */
    char *url;
    const char *settings; /* SQL that is run on every new connection */
    bool writes;          /* of several hosts the primary is meant, not a standby */
    char state[POSTGRES_STATE_MAX + 1];
    char message[BACKEND_MESSAGE_MAX + 1];
    bool is_unsure;     /* the server warned about a commit: whether it is durable is unknown */
    struct sql *limits; /* see sql_must_end; may be NULL */
    uint64_t number;    /* increases with every connection: statements are prepared anew */
};

bool link_open(struct link *link);
void link_close(struct link *link);
bool link_is_open(const struct link *link);

/* Whether the last failure was the connection's: what was sent may be done or not. */
bool link_is_lost(const struct link *link);

/* Whether others changed the same rows: worth another try. */
bool link_is_disturbed(const struct link *link);

/* Makes it so: others have what was drawn.  Returns false. */
bool link_disturb(struct link *link);

/* Takes the next result of what was sent; NULL after the last.  Ends it early if it must end. */
PGresult *link_result(struct link *link);

/* Notes the error of a result.  Returns true if there is none. */
bool link_check(struct link *link, const PGresult *result);

/* Runs SQL without rows. */
bool link_run(struct link *link, const char *sql);

/* Replaces ? and ?1 by $1; the caller frees it. */
char *link_translate(const char *sql);

/* ---- rows -------------------------------------------------------------------------------- */

struct postgres_param {
    const char *value; /* NULL = SQL NULL */
    int length;
    int format; /* 0 = text, 1 = bytes */
    char number[POSTGRES_NUMBER_MAX];
};

struct postgres_statement {
    struct link *link;
    const char *text;  /* with ? */
    char name[12];     /* "" = not prepared: sent each time */
    uint64_t prepared; /* link->number of the connection that has it; 0 = none */
    char *translated;
    bool is_streamed; /* row by row: for results of any size */
    bool has_failed;
    int param_count;
    struct postgres_param params[POSTGRES_PARAMS_MAX];
    PGresult *result;
    int at; /* row */
    int64_t *changes;
};

extern const struct row_calls postgres_row_calls;

struct postgres {
    struct sql sql; /* must be first */
    struct link link;
    bool is_writer; /* of a store: claims, appends */
    int session;    /* of a node: the server's process of the last connection; 0: none */
    struct postgres_statement statements[SQL_COUNT];
    int64_t changes;
    int64_t
        ids[64]; /* of matches, drawn ahead: hashes cover them, so that a create can be repeated */
    uint32_t id_count;
    uint64_t append_prepared; /* as in struct postgres_statement */
    bool must_rate;           /* a beat was executed: see postgres_rate */
    bool has_waited;          /* in vain, for the connection: the other jobs of the group do not */
    int64_t claim_all_ms;     /* when to look for claimable matches without a reason; monotonic */
};

void postgres_statement_init(struct postgres *postgres, struct postgres_statement *statement,
                             const struct sql_text *text);
void postgres_statement_fini(struct postgres_statement *statement);
struct row postgres_row(struct sql *sql, enum sql_number number);
bool postgres_prepare(struct sql *sql, const struct sql_text *text, struct row *ret_row);
bool postgres_finish(struct row *row);

/* Prepares a statement of PostgreSQL's own. */
bool postgres_own(struct postgres *postgres, const char *text, struct row *ret_row);

/* ---- jobs -------------------------------------------------------------------------------- */

/* The connection is there, or comes back within a while. */
bool postgres_have_connection(struct postgres *postgres);

/* Works on all appends of the group that have records, and sets their results. */
void postgres_append(struct postgres *postgres, struct backend_group *group);
bool postgres_is_append(const struct store_job *job);

enum outcome postgres_match_create(struct sql *sql, struct store_job *job);

/* The create is refused and rolled back: its id is free again, unless an earlier attempt, whose
 * answer was lost, has just been stored under it.  False: it has to be sent again, with another id
 * if somebody else's match has it. */
bool postgres_match_uncreate(struct postgres *postgres, struct store_job *job);

bool postgres_match_insert(struct sql *sql, struct store_match *match);
bool postgres_records_insert(struct sql *sql, const struct store_job *job);
bool postgres_records_read(struct sql *sql, struct reading *reading, const struct load_end *end);
bool postgres_records_read_from(struct sql *sql, struct reading *reading, int64_t first,
                                int64_t last_seq, int64_t limit);

/*
 * Counts matches that have ended, this node's and others', in at most half a second.  Numbers are
 * given by one node at a time; while another one counts, or all ratings are recomputed, the matches
 * wait.  So this follows a beat that was answered, beside the writer: no turn waits for it.
 */
void postgres_rate(struct postgres *postgres);

/* ---- nodes ------------------------------------------------------------------------------- */

/* Connects, under the name by which sessions of dead nodes are found, and ends the session of the
 * connection before. */
bool postgres_connect(struct postgres *postgres);

/* Registers the node that the options describe. */
bool postgres_node_join(struct postgres *postgres);
enum outcome postgres_claim(struct postgres *postgres, struct store_job *job);
enum outcome postgres_claim_some(struct sql *sql, struct store_job *job);
enum outcome postgres_release(struct sql *sql, struct store_job *job);
enum outcome postgres_queue(struct sql *sql, struct store_job *job);

/* Ends the waits of the job's players, who are seated.  TAKEN: one of them waits no longer. */
enum outcome postgres_tickets_use(struct postgres *postgres, struct store_job *job);
enum outcome postgres_beat(struct sql *sql, struct store_job *job);
enum outcome postgres_admin(struct sql *sql, struct store_job *job);

/* The job is refused: an earlier attempt, whose answer was lost, may have been stored.  False: as
 * above. */
bool postgres_admin_find(struct postgres *postgres, struct store_job *job);

/* ---- migrations -------------------------------------------------------------------------- */

enum sk_status postgres_migrate(struct link *link, const char *path, struct sk_fault *ret_fault);

/* Read-only: how many steps are applied; a fault if the database is not ours or newer. */
enum sk_status postgres_applied(struct link *link, const char *path, size_t *ret_applied,
                                struct sk_fault *ret_fault);
enum sk_status postgres_look(struct link *link, const char *path, struct sk_fault *ret_fault);

/* A fault with the connection's error. */
enum sk_status postgres_refuse(const struct link *link, const char *path, const char *code,
                               const char *doing, struct sk_fault *ret_fault);

#endif /* SK_STORE_POSTGRES_H */
