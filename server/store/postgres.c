/*
 * A group of jobs on PostgreSQL:
 *
 *   all appends, in one statement (postgres_append.c)
 *   -> the claims of loads, each by itself, outside a transaction (postgres_node.c)
 *   -> all other jobs, and what these loads read, in one transaction, each in a savepoint
 *
 * A job that is alone in its group needs no savepoint, and a login, which is a
 * single question, no transaction either.
 *
 * Appends of a match never have to wait for another kind of job of the same
 * group: a match's id is known only after the group that created it.
 *
 * If the connection is lost, the outcome of what was sent is unknown, and if a
 * commit did not wait for its standby a failover may undo it.  The same is then
 * sent again on a new connection: appends are a compare-and-swap, and the other
 * jobs recognise what they have done.  Both write it once more, so that the
 * commit waits for the standby: a transaction that only reads does not.
 */
#include "server/store/postgres.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/clock.h"
#include "server/kill_point.h"
#include "server/memory.h"
#include "server/store/address.h"

#define TRIES_MAX    3     /* of a transaction that others disturb, or that lost its connection */
#define RECONNECT_MS 100   /* between two attempts ... */
#define PATIENCE_MS  10000 /* ... and for how long */

/* Plans made once for all parameters: statements are short and always take the same indexes. */
#define WRITER_SETTINGS "SET plan_cache_mode = force_generic_plan; " NO_LOCKS

/* Beside the writer.  Beats share one of these connections with claims and the queue, so no lock
 * wait may be as long as a lease. */
#define NODE_SETTINGS "SET statement_timeout = '20s'; SET lock_timeout = '1s'; " NO_LOCKS

#define NO_LOCKS "SET idle_in_transaction_session_timeout = '3s'" /* of a node that has stopped */

/* Of a tool that only reads, perhaps from a standby. */
static const char tool_settings[] = "SET default_transaction_read_only = on";

/* ---- failures ---------------------------------------------------------------------------- */

static bool
is_of_class(const struct postgres *postgres, const char *class)
{
    return strncmp(postgres->link.state, class, 2) == 0;
}

/* If the error concerns this job alone, makes it the job's result and returns true. */
static bool
is_error_of_job(struct postgres *postgres, struct store_job *job)
{
    const struct link *link = &postgres->link;
    enum store_result result = STORE_UNAVAILABLE;

    if (link_is_lost(link) || link_is_disturbed(link)) {
        return false;
    }
    if (strcmp(link->state, "23503") == 0) {
        result = STORE_NOT_FOUND;
    } else if (strcmp(link->state, "23505") == 0) {
        result = STORE_TAKEN;
    } else if (is_of_class(postgres, "22") && !store_job_writes(job)) {
        result = STORE_CORRUPT; /* a text that is not what it should be */
    }
    (void)job_refuse(job, result, "%s (%s)", link->message, link->state);
    return true;
}

/* ---- jobs -------------------------------------------------------------------------------- */

static enum outcome
nothing(struct sql *sql, struct store_job *job)
{
    (void)sql;
    (void)job;
    return OUTCOME_OK;
}

static enum outcome (*const works[])(struct sql *sql, struct store_job *job) = {
    [JOB_PLAYER_CREATE] = sql_player_create,
    [JOB_PLAYER_LOGIN] = sql_player_login,
    [JOB_TOKEN_RENEW] = sql_token_renew,
    [JOB_BOT_PLAYER] = sql_bot_player,
    [JOB_MATCH_CREATE] = postgres_match_create,
    [JOB_MATCH_APPEND] = sql_match_change, /* without records */
    [JOB_MATCH_LOAD] = sql_match_load,
    [JOB_COMMAND_FIND] = sql_command_find,
    [JOB_MATCH_BY_CODE] = sql_match_by_code,
    [JOB_REMATCH_FIND] = sql_rematch_find,
    [JOB_UNFINISHED] = sql_unfinished,
    [JOB_PLAYER_MATCHES] = sql_player_matches,
    [JOB_MATCH_IMPORT] = sql_match_import,
    [JOB_ADMIN] = postgres_admin,
    [JOB_BOT_CALL] = sql_bot_call,
    [JOB_TEXT] = sql_text,
    [JOB_BEAT] = postgres_beat,
    [JOB_CLAIM] = postgres_claim_some,
    [JOB_RELEASE] = postgres_release,
    [JOB_QUEUE] = postgres_queue,
    [JOB_RATINGS] = sql_ratings_of,
    [JOB_FLUSH] = nothing,
};

/* Whether an earlier attempt has stored the player: nobody else has this token. */
static bool
find_player(struct postgres *postgres, struct store_job *job)
{
    struct row row;

    (void)postgres_own(postgres,
                       "UPDATE player SET name = name WHERE token_hash = ? AND name = ? "
                       "RETURNING id",
                       &row);
    row_put_bytes(&row, job->player.token_hash, STORE_HASH_BYTES);
    row_put_text(&row, job->player.name);
    if (row_step(&row)) {
        job->player.id = row_take_number(&row);
        job->result = STORE_OK;
    }
    return postgres_finish(&row);
}

/*
 * A job that is sent again, because the answer was lost, is refused if its
 * first attempt is stored: then that is its result, once a commit confirms it.
 */
static bool
recognise(struct postgres *postgres, struct store_job *job)
{
    switch (job->kind) {
    case JOB_PLAYER_CREATE:
        return find_player(postgres, job);
    case JOB_MATCH_CREATE:
        return postgres_match_uncreate(postgres, job);
    case JOB_ADMIN:
        return postgres_admin_find(postgres, job);
    default:
        return true;
    }
}

/* Makes the outcome the job's result.  Returns false if the group has to be tried again. */
static bool
judge(struct postgres *postgres, struct store_job *job, enum outcome outcome)
{
    return outcome != OUTCOME_LOST && (outcome != OUTCOME_ERROR || is_error_of_job(postgres, job));
}

/* A refused job leaves the transaction as it was before it. */
static bool
work_on(struct postgres *postgres, struct store_job *job)
{
    enum outcome outcome;

    if (!link_run(&postgres->link, "SAVEPOINT job")) {
        return false;
    }
    outcome = works[job->kind](&postgres->sql, job);
    if (outcome == OUTCOME_OK) {
        return link_run(&postgres->link, "RELEASE job");
    }
    return judge(postgres, job, outcome) &&
           link_run(&postgres->link, "ROLLBACK TO job; RELEASE job") && recognise(postgres, job);
}

/* A job in a transaction of its own; one that is a single question needs none. */
static bool
work_alone(struct postgres *postgres, struct store_job *job, const char *begin)
{
    struct link *link = &postgres->link;
    bool has_begun = job->kind != JOB_PLAYER_LOGIN;
    enum outcome outcome;

    if (has_begun && !link_run(link, begin)) {
        return false;
    }
    outcome = works[job->kind](&postgres->sql, job);
    if (outcome == OUTCOME_OK) {
        return !has_begun || (link_run(link, "COMMIT") && !link->is_unsure);
    }
    return judge(postgres, job, outcome) && (!has_begun || link_run(link, "ROLLBACK")) &&
           recognise(postgres, job) && !link->is_unsure;
}

/* ---- groups ------------------------------------------------------------------------------ */

/* The connection is there, or comes back within a while. */
bool
postgres_have_connection(struct postgres *postgres)
{
    bool waits = postgres->is_writer && !postgres->has_waited;
    int64_t until_ms = clock_ms(CLOCK_MONOTONIC) + (waits ? PATIENCE_MS : 0);

    if (link_is_open(&postgres->link) && !postgres->link.is_unsure) {
        return true;
    }
    while (!postgres_connect(postgres)) {
        if (clock_ms(CLOCK_MONOTONIC) >= until_ms) {
            postgres->has_waited = true;
            return false;
        }
        (void)nanosleep(&(struct timespec){ .tv_nsec = RECONNECT_MS * 1000000L }, NULL);
    }
    return true;
}

static bool
is_claim(const struct store_job *job)
{
    return job->kind == JOB_MATCH_LOAD && job->load.claims;
}

/* Claims come first, each by itself: most that are refused cost one question.  If the match cannot
 * be loaded then, the next sweep finds it. */
static bool
claim_all(struct postgres *postgres, const struct backend_group *group)
{
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        if (is_claim(job) && backend_job_begin(postgres->sql.heads, job) &&
            !judge(postgres, job, postgres_claim(postgres, job))) {
            return false;
        }
    }
    return true;
}

/* Appends and claims that were refused have their results. */
static bool
is_left(const struct store_job *job)
{
    return !postgres_is_append(job) && (!is_claim(job) || job->result == STORE_OK);
}

/* Whether any job is left for the transaction, and what kind it needs. */
static const char *
begin_of(const struct backend_group *group)
{
    const char *begin = NULL;

    for (const struct store_job *job = group->first; job != NULL; job = job->next) {
        if (is_left(job) && store_job_writes(job)) {
            return "BEGIN";
        }
        if (is_left(job)) {
            begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        }
    }
    return begin;
}

static bool
work_together(struct postgres *postgres, struct backend_group *group, const char *begin)
{
    if (!link_run(&postgres->link, begin)) {
        return false;
    }
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        if (is_left(job) && backend_job_begin(postgres->sql.heads, job) &&
            !work_on(postgres, job)) {
            return false;
        }
    }
    return link_run(&postgres->link, "COMMIT") && !postgres->link.is_unsure;
}

static bool
try_others(struct postgres *postgres, struct backend_group *group)
{
    struct store_job *first = group->first;
    const char *begin;

    if (!claim_all(postgres, group)) {
        return false;
    }
    begin = begin_of(group);
    if (begin == NULL) {
        return true;
    }
    if (first->next != NULL) {
        return work_together(postgres, group, begin);
    }
    return !backend_job_begin(postgres->sql.heads, first) || work_alone(postgres, first, begin);
}

static bool
has_others(const struct backend_group *group)
{
    for (const struct store_job *job = group->first; job != NULL; job = job->next) {
        if (!postgres_is_append(job)) {
            return true;
        }
    }
    return false;
}

/* All jobs except appends, whose results do not wait here for a connection. */
static bool
work_on_others(struct postgres *postgres, struct backend_group *group)
{
    if (!has_others(group)) {
        return true;
    }
    for (int i = 0; i < TRIES_MAX; i++) {
        if (!postgres_have_connection(postgres)) {
            return false;
        }
        if (try_others(postgres, group)) {
            return true;
        }
        if (link_is_open(&postgres->link)) {
            (void)link_run(&postgres->link, "ROLLBACK");
        }
        if (!link_is_disturbed(&postgres->link) && !link_is_lost(&postgres->link) &&
            !postgres->link.is_unsure) {
            return false;
        }
    }
    return false;
}

static void
fail_others(struct postgres *postgres, const struct backend_group *group)
{
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        struct store_job *next = job->next;

        if (!postgres_is_append(job)) {
            job->next = NULL;
            backend_group_fail(postgres->sql.heads, &(struct backend_group){ .first = job },
                               postgres->link.message);
            job->next = next;
        }
    }
}

static bool
postgres_work(struct backend *backend, struct backend_group *group,
              struct backend_message *ret_message)
{
    struct postgres *postgres = (struct postgres *)backend;
    int64_t began_us = clock_us(CLOCK_MONOTONIC);

    postgres->has_waited = false;
    if (!postgres_have_connection(postgres)) {
        (void)snprintf(ret_message->text, sizeof(ret_message->text), "%s", postgres->link.message);
        return false;
    }
    if (group->writes) {
        SK_KILL_POINT(KILL_BEFORE_COMMIT);
        postgres_append(postgres, group);
    }
    if (!work_on_others(postgres, group)) {
        fail_others(postgres, group);
    }
    if (group->writes) {
        SK_KILL_POINT(KILL_AFTER_COMMIT);
    }
    group->commit_us = clock_us(CLOCK_MONOTONIC) - began_us;
    postgres->must_rate = postgres->must_rate || group->first->kind == JOB_BEAT;
    return true;
}

static struct backend_pages
postgres_tidy(struct backend *backend)
{
    struct postgres *postgres = (struct postgres *)backend;

    if (postgres->must_rate) {
        postgres->must_rate = false;
        postgres_rate(postgres);
    }
    return (struct backend_pages){ 0 };
}

/* ---- opening and closing ----------------------------------------------------------------- */

static void
postgres_close(struct backend *backend)
{
    struct postgres *postgres = (struct postgres *)backend;

    for (int i = 0; i < SQL_COUNT; i++) {
        postgres_statement_fini(&postgres->statements[i]);
    }
    link_close(&postgres->link);
    free(postgres->link.url);
    free(postgres);
}

static bool
run_script(struct sql *sql, const struct sql_text *script)
{
    return link_run(&((struct postgres *)sql)->link,
                    script->postgres == NULL ? script->sqlite : script->postgres);
}

static int64_t
changes(struct sql *sql)
{
    return ((struct postgres *)sql)->changes;
}

static const char *
error(struct sql *sql)
{
    return ((struct postgres *)sql)->link.message;
}

/* The wait for the next result sees by itself that it must end. */
static void
interrupt(struct sql *sql)
{
    (void)sql;
}

static const struct sql_calls calls = {
    .row = postgres_row,
    .prepare = postgres_prepare,
    .finish = postgres_finish,
    .run = run_script,
    .changes = changes,
    .error = error,
    .interrupt = interrupt,
    .is_shared = true,
    .records_read = postgres_records_read,
    .records_read_from = postgres_records_read_from,
    .match_insert = postgres_match_insert,
    .records_insert = postgres_records_insert,
};

static struct postgres *
postgres_alloc(const char *path, const struct store_options *options, const char *settings)
{
    struct postgres *postgres = heap_memory(sizeof(*postgres));

    postgres->sql.calls = &calls;
    postgres->sql.options = options;
    postgres->sql.backend = (struct backend){
        .work = postgres_work,
        .tidy = postgres_tidy,
        .close = postgres_close,
    };
    postgres->link.url = heap_copy(path, strlen(path));
    postgres->link.settings = settings;
    postgres->link.writes = settings != tool_settings;
    postgres->link.limits = &postgres->sql;
    return postgres;
}

enum sk_status
postgres_refuse(const struct link *link, const char *path, const char *code, const char *doing,
                struct sk_fault *ret_fault)
{
    char shown[ADDRESS_SHOWN_MAX];

    address_show(path, shown);
    (void)sk_fault_set_about(ret_fault, code, shown, doing);
    if (link != NULL) {
        sk_fault_say(ret_fault, ": ");
        sk_fault_say(ret_fault, link->message);
    }
    return SK_ERR_REFUSED;
}

static enum sk_status
connect_to(struct postgres *postgres, struct sk_fault *ret_fault)
{
    if (sodium_init() < 0) {
        return postgres_refuse(NULL, postgres->link.url, "cannot_open",
                               "libsodium failed to initialize", ret_fault);
    }
    return postgres_connect(postgres)
               ? SK_OK
               : postgres_refuse(&postgres->link, postgres->link.url, "cannot_open",
                                 "cannot connect; check the address and that the server runs",
                                 ret_fault);
}

static bool
shows(struct postgres *postgres, const char *setting, const char *value)
{
    struct row row;
    bool is_so;

    (void)postgres_own(postgres, "SELECT current_setting(?)", &row);
    row_put_text(&row, setting);
    is_so = row_step(&row) && sk_text_same(row_take_text(&row), sk_text_of(value));
    return postgres_finish(&row) && is_so;
}

/* What is acknowledged must be on disk. */
static enum sk_status
check_durable(struct postgres *postgres, struct sk_fault *ret_fault)
{
    if (shows(postgres, "fsync", "off")) {
        return postgres_refuse(NULL, postgres->link.url, "cannot_open",
                               "fsync is off on this server, so acknowledged turns could be lost; "
                               "set fsync = on in postgresql.conf and restart it",
                               ret_fault);
    }
    if (shows(postgres, "synchronous_commit", "off")) {
        return postgres_refuse(NULL, postgres->link.url, "cannot_open",
                               "synchronous_commit is off, so acknowledged turns could be lost; "
                               "ALTER ROLE ... SET synchronous_commit = on",
                               ret_fault);
    }
    return SK_OK;
}

static enum sk_status
open_writer(struct postgres *postgres, struct sk_fault *ret_fault)
{
    const char *path = postgres->link.url;
    enum sk_status status = connect_to(postgres, ret_fault);

    if (status == SK_OK) {
        status = check_durable(postgres, ret_fault);
    }
    if (status == SK_OK) {
        status = postgres_migrate(&postgres->link, path, ret_fault);
    }
    if (status == SK_OK && postgres->sql.options->node != NULL && !postgres_node_join(postgres)) {
        status = postgres_refuse(&postgres->link, path, "cannot_open", "cannot register this node",
                                 ret_fault);
    }
    return status;
}

enum sk_status
postgres_open(const char *path, const struct store_options *options, struct heads *heads,
              struct backend **ret_backend, struct sk_fault *ret_fault)
{
    struct postgres *postgres = postgres_alloc(path, options, WRITER_SETTINGS);
    enum sk_status status;

    postgres->sql.heads = heads;
    postgres->is_writer = true;
    status = open_writer(postgres, ret_fault);
    if (status != SK_OK) {
        postgres_close(&postgres->sql.backend);
        return status;
    }
    *ret_backend = &postgres->sql.backend;
    return SK_OK;
}

static enum sk_status
open_beside(const char *path, const struct store_options *options, const char *settings,
            struct backend **ret_backend, struct sk_fault *ret_fault)
{
    struct postgres *postgres = postgres_alloc(path, options, settings);
    enum sk_status status = connect_to(postgres, ret_fault);

    if (status == SK_OK) {
        status = postgres_look(&postgres->link, path, ret_fault);
    }
    if (status != SK_OK) {
        postgres_close(&postgres->sql.backend);
        return status;
    }
    *ret_backend = &postgres->sql.backend;
    return SK_OK;
}

/* A desk of a node may claim what it loads. */
enum sk_status
postgres_open_read_only(const char *path, const struct store_options *options,
                        struct backend **ret_backend, struct sk_fault *ret_fault)
{
    return open_beside(path, options, options->node != NULL ? NODE_SETTINGS : tool_settings,
                       ret_backend, ret_fault);
}

enum sk_status
postgres_open_beside(const char *path, const struct store_options *options,
                     struct backend **ret_backend, struct sk_fault *ret_fault)
{
    return open_beside(path, options, NULL, ret_backend, ret_fault);
}
