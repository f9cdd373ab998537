/*
 * A store on its own file, and jobs for it.
 *
 * Owner:   the test; fixture_close removes the folder.
 * Threads: the test's thread is the loop.
 */
#ifndef SK_TEST_STORE_FIXTURE_H
#define SK_TEST_STORE_FIXTURE_H

#include <criterion/criterion.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/store/store.h"
#include "tests/support/temp.h"

#define FIXTURE_PATH 256

struct fixture {
    char folder[FIXTURE_PATH];
    char path[FIXTURE_PATH + 16];
    struct store_options options;
    struct store_node node; /* on PostgreSQL */
    struct store *store;
};

/* ---- the file ---------------------------------------------------------------------------- */

/* A database of its own on the server whose socket is in that folder. */
static inline void
fixture_init_postgres(struct fixture *fixture, const char *server)
{
    const char *name = strrchr(fixture->folder, '/') + 1;
    char command[2 * FIXTURE_PATH];

    (void)snprintf(command, sizeof(command),
                   "psql -q -h %s -U skirmish -c 'CREATE DATABASE \"%s\"' postgres", server, name);
    cr_assert_eq(system(command), 0);
    (void)snprintf(fixture->path, sizeof(fixture->path), "postgres://skirmish@/%s?host=%s", name,
                   server);
    fixture->node.name = "unit";
    fixture->node.path = "/n/unit/";
    fixture->node.rulesets = "halma 1,tactics 3";
    fixture->options.node = &fixture->node;
}

static inline bool
fixture_is_postgres(void)
{
    return getenv("POSTGRES") != NULL;
}

/* A file, or with $POSTGRES a database there. */
static inline void
fixture_init(struct fixture *fixture)
{
    *fixture = (struct fixture){ 0 };
    temp_path(fixture->folder, sizeof(fixture->folder), "skirmish-store");
    cr_assert_not_null(mkdtemp(fixture->folder));
    (void)snprintf(fixture->path, sizeof(fixture->path), "%s/matches.db", fixture->folder);
    store_options_init(&fixture->options);
    fixture->options.busy_timeout_ms = 20;
    if (fixture_is_postgres()) {
        fixture_init_postgres(fixture, getenv("POSTGRES"));
    }
}

static inline void
fixture_open(struct fixture *fixture)
{
    struct sk_fault fault;

    cr_assert_eq(store_open(fixture->path, &fixture->options, &fixture->store, &fault), SK_OK, "%s",
                 fault.message);
}

static inline void
fixture_reopen(struct fixture *fixture)
{
    store_close(fixture->store);
    fixture_open(fixture);
}

static inline int
fixture_remove(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline void
fixture_close(struct fixture *fixture)
{
    store_close(fixture->store);
    fixture->store = NULL;
    (void)nftw(fixture->folder, fixture_remove, 8, FTW_DEPTH | FTW_PHYS);
}

/* A second connection, like an admin's or an attacker's. */
static inline sqlite3 *
fixture_connect(const struct fixture *fixture)
{
    sqlite3 *db = NULL;

    cr_assert_eq(sqlite3_open(fixture->path, &db), SQLITE_OK);
    (void)sqlite3_busy_timeout(db, 5000);
    return db;
}

static inline void
fixture_sql(const struct fixture *fixture, const char *sql)
{
    sqlite3 *db;

    if (fixture_is_postgres()) {
        char command[4096];

        (void)snprintf(command, sizeof(command), "psql -q -v ON_ERROR_STOP=1 '%s' <<'E'\n%s\nE\n",
                       fixture->path, sql);
        cr_assert_eq(system(command), 0, "%s", sql);
        return;
    }
    db = fixture_connect(fixture);

    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s: %s", sql,
                 sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_close(db), SQLITE_OK);
}

/* The first column of the first row, in memory that the next call reuses. */
static inline const char *
fixture_ask(const struct fixture *fixture, const char *sql)
{
    static char answer[1024];
    sqlite3 *db;
    sqlite3_stmt *statement = NULL;
    const char *text = NULL;

    if (fixture_is_postgres()) {
        char command[4096];
        FILE *psql;

        (void)snprintf(command, sizeof(command),
                       "psql -qAt -P null=NULL -v ON_ERROR_STOP=1 '%s' <<'E'\n%s\nE\n",
                       fixture->path, sql);
        psql = popen(command, "r");
        cr_assert_not_null(psql);
        if (fgets(answer, sizeof(answer), psql) == NULL) {
            (void)snprintf(answer, sizeof(answer), "NULL");
        }
        answer[strcspn(answer, "\n")] = '\0';
        cr_assert_eq(pclose(psql), 0, "%s", sql);
        return answer;
    }
    db = fixture_connect(fixture);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s: %s", sql,
                 sqlite3_errmsg(db));
    if (sqlite3_step(statement) == SQLITE_ROW) {
        text = (const char *)sqlite3_column_text(statement, 0);
    }
    (void)snprintf(answer, sizeof(answer), "%s", text != NULL ? text : "NULL");
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return answer;
}

/* ---- jobs -------------------------------------------------------------------------------- */

static inline char *
copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);

    cr_assert_not_null(copy);
    return strcpy(copy, text);
}

/* Waits for that many jobs and returns them in order. */
static inline struct store_job *
fixture_collect(struct fixture *fixture, uint32_t count)
{
    struct store_job *first = NULL;
    struct store_job **end = &first;

    while (count > 0) {
        *end = store_take_done(fixture->store);
        while (*end != NULL) {
            end = &(*end)->next;
            count--;
        }
        if (count > 0) {
            (void)nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
        }
    }
    return first;
}

static inline void
fixture_free_all(struct store_job *jobs)
{
    while (jobs != NULL) {
        struct store_job *next = jobs->next;

        store_job_free(jobs);
        jobs = next;
    }
}

static inline void
fixture_submit(struct fixture *fixture, struct store_job *job)
{
    struct store_port *port = store_port(fixture->store);

    cr_assert(port->submit(port, job), "the queue is full");
}

static inline struct store_job *
fixture_run(struct fixture *fixture, struct store_job *job)
{
    fixture_submit(fixture, job);
    return fixture_collect(fixture, 1);
}

/* Runs the job, frees it, and returns its result. */
static inline enum store_result
fixture_result(struct fixture *fixture, struct store_job *job)
{
    enum store_result result = fixture_run(fixture, job)->result;

    store_job_free(job);
    return result;
}

/* PostgreSQL counts ratings after a beat; jobs that follow it wait for that. */
static inline void
fixture_rate(struct fixture *fixture)
{
    if (fixture_is_postgres()) {
        cr_assert_eq(fixture_result(fixture, store_job_alloc(JOB_BEAT)), STORE_OK);
    }
}

static inline struct store_job *
job_player(enum store_job_kind kind, const char *name, uint8_t token)
{
    struct store_job *job = store_job_alloc(kind);

    if (name != NULL) {
        job->player.name = copy_of(name);
    }
    memset(job->player.token_hash, token, STORE_HASH_BYTES);
    return job;
}

static inline int64_t
fixture_player(struct fixture *fixture, const char *name, uint8_t token)
{
    struct store_job *job = fixture_run(fixture, job_player(JOB_PLAYER_CREATE, name, token));
    int64_t id = job->player.id;

    cr_assert_eq(job->result, STORE_OK, "%s", job->message);
    store_job_free(job);
    return id;
}

static inline struct store_record *
job_add(struct store_job *job, uint32_t seq, enum store_record_kind kind, const char *body)
{
    struct store_record *record = store_job_add_record(job);

    record->seq = seq;
    record->kind = kind;
    record->turn = STORE_NO_TURN;
    record->seat = STORE_NO_SEAT;
    record->body = copy_of(body);
    record->body_length = strlen(body);
    record->at_ms = 1000 + (int64_t)seq;
    return record;
}

/* Two seats, of which the first is the player's; open, rated, one `created` record. */
static inline struct store_job *
job_create(int64_t player)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_CREATE);

    job->match.ruleset = copy_of("tactics");
    job->match.version = 3;
    job->match.params = copy_of("{\"rows\":9}");
    job->match.settings = copy_of("{\"clock\":true,\"spectator_delay\":0}");
    job->match.is_open = true;
    job->match.is_rated = true;
    job->match.seat_count = 2;
    job->match.status = MATCH_WAITING;
    job->match.created_at_ms = 1000;
    job->match.winner = STORE_NOBODY;
    memset(job->match.seed, 0x5e, STORE_SEED_BYTES);
    memset(job->match.salt, 0x5a, STORE_SEED_BYTES);
    job->seats[0].player = player;
    (void)job_add(job, 1, RECORD_CREATED, "{\"version\":3}");
    return job;
}

/* An operator's command about the player Ann. */
static inline struct store_job *
job_ban(bool bans)
{
    struct store_job *job = store_job_alloc(JOB_ADMIN);

    job->at_ms = 1000;
    job->player.name = copy_of("Ann");
    job->admin.command = bans ? "ban" : "unban";
    job->admin.detail = copy_of("{}");
    job->admin.bans = bans;
    job->admin.unbans = !bans;
    job->admin.reason = copy_of("");
    return job;
}

static inline int64_t
fixture_match(struct fixture *fixture, int64_t player)
{
    struct store_job *job = fixture_run(fixture, job_create(player));
    int64_t id = job->match_id;

    cr_assert_eq(job->result, STORE_OK, "%s", job->message);
    store_job_free(job);
    return id;
}

static inline struct store_job *
job_append(int64_t match, uint32_t generation)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_APPEND);

    job->match_id = match;
    job->append.generation = generation;
    return job;
}

/* With one submission of seat 0; `command_id` may be NULL. */
static inline struct store_job *
job_submission(int64_t match, uint32_t generation, uint32_t seq, const char *command_id)
{
    struct store_job *job = job_append(match, generation);
    struct store_record *record = job_add(job, seq, RECORD_SUBMISSION, "{\"commands\":[]}");

    record->turn = 0;
    record->seat = 0;
    record->command_id = command_id != NULL ? copy_of(command_id) : NULL;
    return job;
}

static inline struct store_job *
job_load(int64_t match)
{
    struct store_job *job = store_job_alloc(JOB_MATCH_LOAD);

    job->match_id = match;
    return job;
}

static inline uint32_t
hides_nothing(struct sk_text ruleset, uint32_t version)
{
    (void)ruleset;
    (void)version;
    return 0;
}

static inline struct store_job *
job_text(enum store_query kind, int64_t match)
{
    struct store_job *job = store_job_alloc(JOB_TEXT);

    job->query.kind = kind;
    job->query.match_id = match;
    job->query.after = kind == QUERY_REPLAY ? STORE_NO_TURN : 0;
    job->query.hides = hides_nothing;
    return job;
}

static inline struct store_job *
job_end(int64_t match, uint32_t generation, uint32_t seq, int32_t winner)
{
    struct store_job *job = job_append(match, generation);

    (void)job_add(job, seq, RECORD_ENDED, "{\"winner\":0}");
    job->append.change.has_ended = true;
    job->append.change.ended_at_ms = 9000;
    job->append.change.winner = winner;
    job->append.change.reason = copy_of("eliminated");
    return job;
}

/* The second player joins and it starts; `seq` is that of `joined`. */
static inline struct store_job *
job_join(int64_t match, uint32_t generation, uint32_t seq, int64_t player)
{
    struct store_job *job = job_append(match, generation);

    job_add(job, seq, RECORD_JOINED, "{\"player\":2}")->seat = 1;
    job->append.change.has_seat = true;
    job->append.change.seat = 1;
    job->append.change.player = player;
    job->append.change.has_started = true;
    job->append.change.started_at_ms = 2000;
    return job;
}

#endif /* SK_TEST_STORE_FIXTURE_H */
