/*
 * Nodes: leases, what operators do at other nodes, claims and releases.
 *
 * Times are the database's clock.  A lease only says when others may try to
 * take a node's matches; that they are taken safely follows from the epoch.
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/base/limits.h"
#include "server/memory.h"
#include "server/store/postgres.h"

#define LEASE    SK_LIMIT_TEXT(STORE_LEASE_MS)
#define APP_FORM "skirmish node %lld"
#define IS_ALIVE "EXISTS (SELECT 1 FROM node n WHERE n.id = c.owner AND n.expires > sk_now())"

/* What a change of owner does.  Clocks stopped when the node before was last seen, or earlier if
 * that one had not appended anything either. */
#define TAKE                                                                        \
    "owner = ?1::bigint, epoch = c.epoch + 1, stopped_at = coalesce(c.stopped_at, " \
    "(SELECT n.beat_at FROM node n WHERE n.id = c.owner))"

/* ---- the node's row ---------------------------------------------------------------------- */

/* Sessions of dead nodes are found by this name. */
static bool
set_name(struct postgres *postgres)
{
    char sql[96];

    (void)snprintf(sql, sizeof(sql), "SET application_name = '" APP_FORM "'",
                   (long long)postgres->sql.options->node->id);
    return link_run(&postgres->link, sql);
}

bool
postgres_connect(struct postgres *postgres)
{
    const struct store_node *node = postgres->sql.options->node;

    return link_open(&postgres->link) && (node == NULL || node->id == 0 || set_name(postgres));
}

bool
postgres_node_join(struct postgres *postgres)
{
    struct store_node *node = postgres->sql.options->node;
    struct row row;
    int64_t id;

    (void)postgres_own(postgres,
                       "WITH older AS (UPDATE node SET expires = 0 WHERE name = ?1) "
                       "INSERT INTO node (name, path, beat_at, expires) "
                       "VALUES (?1, ?2, sk_now(), sk_now() + " LEASE ") RETURNING id",
                       &row);
    row_put_text(&row, node->name);
    row_put_text(&row, node->path);
    id = row_step(&row) ? row_take_number(&row) : 0;
    if (!postgres_finish(&row) || id == 0) {
        return false;
    }
    node->id = id;
    return set_name(postgres);
}

/* Matches that were not released are claimed by others when the lease has ended: now. */
void
postgres_node_leave(struct postgres *postgres)
{
    const struct store_node *node = postgres->sql.options->node;
    struct row row;

    if (node == NULL || node->id == 0 || !link_is_open(&postgres->link)) {
        return;
    }
    (void)postgres_own(postgres, "UPDATE node SET expires = 0 WHERE id = ?", &row);
    row_put_number(&row, node->id);
    (void)row_step(&row);
    (void)postgres_finish(&row);
}

/* What operators did, here and at other nodes. */
static enum outcome
read_notices(struct postgres *postgres, struct store_beat *beat)
{
    struct row row;

    store_beat_clear_notices(beat);
    (void)postgres_own(postgres,
                       "SELECT id, command, match, player, detail FROM admin_log "
                       "WHERE id > ? ORDER BY id DESC LIMIT " SK_LIMIT_TEXT(STORE_NOTICES_MAX),
                       &row);
    row_put_number(&row, beat->notices_after);
    while (row_step(&row)) {
        struct store_notice *notice;

        if (beat->notices == NULL) {
            beat->notices = heap_memory(STORE_NOTICES_MAX * sizeof(*beat->notices));
        }
        notice = &beat->notices[beat->notice_count++];
        notice->id = row_take_number(&row);
        (void)row_take_copy(&row, &notice->command);
        notice->match = row_take_number_or(&row, 0);
        notice->player = row_take_number_or(&row, 0);
        (void)row_take_copy(&row, &notice->detail);
    }
    return postgres_finish(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

/* Renews the lease; a node that was declared dead meanwhile gets a new row. */
enum outcome
postgres_beat(struct sql *sql, struct store_job *job)
{
    struct postgres *postgres = (struct postgres *)sql;
    struct row row;
    bool is_alive;

    if (sql->options->node == NULL) {
        return sql_beat(sql, job);
    }
    (void)postgres_own(postgres,
                       "UPDATE node SET beat_at = sk_now(), expires = sk_now() + " LEASE
                       " WHERE id = ? AND expires <> 0",
                       &row);
    row_put_number(&row, sql->options->node->id);
    (void)row_step(&row);
    is_alive = postgres->changes > 0;
    if (!postgres_finish(&row)) {
        return OUTCOME_ERROR;
    }
    if (is_alive) {
        enum outcome outcome = sql_beat(sql, job);

        return outcome == OUTCOME_OK ? read_notices(postgres, &job->beat) : outcome;
    }
    if (!postgres_node_join(postgres)) {
        return OUTCOME_ERROR;
    }
    job->result = STORE_LOST;
    job->message = heap_copy("this node was declared dead", 27);
    return OUTCOME_OK;
}

/* What concerns a match elsewhere is only noted: its node reads it. */
enum outcome
postgres_admin(struct sql *sql, struct store_job *job)
{
    struct row row;

    if (!job->admin.is_elsewhere || sql->options->node == NULL) {
        return sql_admin(sql, job);
    }
    (void)postgres_own((struct postgres *)sql,
                       "SELECT n.path FROM match m JOIN chain c ON c.match = m.id "
                       "JOIN node n ON n.id = c.owner WHERE m.id = ? AND m." IS_UNFINISHED
                       " AND n.id <> ? AND n.expires > sk_now()",
                       &row);
    row_put_number(&row, job->match_id);
    row_put_number(&row, sql->options->node->id);
    if (row_step(&row)) {
        (void)row_take_copy(&row, &job->elsewhere);
    }
    if (!postgres_finish(&row)) {
        return OUTCOME_ERROR;
    }
    return job->elsewhere != NULL
               ? sql_admin(sql, job)
               : job_refuse(job, STORE_NOT_FOUND,
                            "there is no such live match, or no node runs it at the moment");
}

/* ---- claims ------------------------------------------------------------------------------ */

/* Another live node has the match: its path is the answer. */
static enum outcome
refuse_elsewhere(struct postgres *postgres, struct store_job *job)
{
    struct row row;
    enum outcome outcome = OUTCOME_OK;

    (void)postgres_own(postgres,
                       "SELECT n.path FROM chain c JOIN node n ON n.id = c.owner "
                       "WHERE c.match = ? AND n.id <> ? AND n.expires > sk_now()",
                       &row);
    row_put_number(&row, job->match_id);
    row_put_number(&row, postgres->sql.options->node->id);
    if (row_step(&row)) {
        (void)row_take_copy(&row, &job->elsewhere);
        outcome = job_refuse(job, STORE_ELSEWHERE, "match %lld is at %s", (long long)job->match_id,
                             job->elsewhere);
    }
    return postgres_finish(&row) ? outcome : OUTCOME_ERROR;
}

/* A match that is over, or this node's already, needs no claim. */
enum outcome
postgres_claim(struct sql *sql, struct store_job *job)
{
    struct postgres *postgres = (struct postgres *)sql;
    struct row row;

    if (sql->options->node == NULL) {
        return OUTCOME_OK;
    }
    (void)postgres_own(postgres,
                       "UPDATE chain c SET " TAKE " FROM match m WHERE c.match = ?2 "
                       "AND m.id = c.match AND m." IS_UNFINISHED
                       " AND c.owner IS DISTINCT FROM ?1::bigint AND NOT " IS_ALIVE,
                       &row);
    row_put_number(&row, sql->options->node->id);
    row_put_number(&row, job->match_id);
    (void)row_step(&row);
    if (!postgres_finish(&row)) {
        return OUTCOME_ERROR;
    }
    return postgres->changes > 0 ? OUTCOME_OK : refuse_elsewhere(postgres, job);
}

/* A statement that a dead node has half sent may keep rows locked: its sessions are ended first.
 * Rows of nodes that own nothing any more are deleted after a while. */
static bool
end_dead_sessions(struct postgres *postgres)
{
    struct row row;

    (void)postgres_own(postgres,
                       "SELECT count(pg_terminate_backend(a.pid)) FROM node n "
                       "JOIN pg_stat_activity a ON a.application_name = 'skirmish node ' || n.id "
                       "WHERE n.expires < sk_now() AND n.id <> ? AND a.pid <> pg_backend_pid()",
                       &row);
    row_put_number(&row, postgres->sql.options->node->id);
    (void)row_step(&row);
    if (!postgres_finish(&row)) {
        return false;
    }
    (void)postgres_own(postgres,
                       "DELETE FROM node n WHERE n.expires < sk_now() - 60000 AND n.id <> ? "
                       "AND NOT EXISTS (SELECT 1 FROM chain c WHERE c.owner = n.id)",
                       &row);
    row_put_number(&row, postgres->sql.options->node->id);
    (void)row_step(&row);
    return postgres_finish(&row);
}

/* Rulesets and versions as one text each: {"tactics","halma"} and {1,2}. */
static void
write_rulesets(const struct store_claim *claim, char *ret_names, char *ret_versions, size_t size)
{
    size_t names = (size_t)snprintf(ret_names, size, "{");
    size_t versions = (size_t)snprintf(ret_versions, size, "{");

    for (uint32_t i = 0; i < claim->ruleset_count && names < size && versions < size; i++) {
        const char *comma = i == 0 ? "" : ",";

        names += (size_t)snprintf(ret_names + names, size - names, "%s\"%s\"", comma,
                                  claim->rulesets[i].name);
        versions += (size_t)snprintf(ret_versions + versions, size - versions, "%s%u", comma,
                                     (unsigned)claim->rulesets[i].version);
    }
    (void)snprintf(ret_names + names, size - names, "}");
    (void)snprintf(ret_versions + versions, size - versions, "}");
}

/* A finished match keeps its last owner; only unfinished ones are looked for. */
static const char claim_some_sql[] =
    "WITH taken AS (SELECT c.match FROM match m JOIN chain c ON c.match = m.id "
    "JOIN unnest((?2::text)::text[], (?3::text)::bigint[]) AS k(ruleset, version) "
    "ON k.ruleset = m.ruleset AND m.version <= k.version "
    "WHERE m." IS_UNFINISHED " AND c.owner IS DISTINCT FROM ?1::bigint AND NOT " IS_ALIVE
    " ORDER BY m.id LIMIT ?4 FOR UPDATE OF c SKIP LOCKED) "
    "UPDATE chain c SET " TAKE " FROM taken t WHERE c.match = t.match RETURNING c.match";

enum outcome
postgres_claim_some(struct sql *sql, struct store_job *job)
{
    struct postgres *postgres = (struct postgres *)sql;
    struct store_claim *claim = &job->claim;
    char names[1024];
    char versions[1024];
    struct row row;

    claim->ids.count = 0;
    if (sql->options->node == NULL || claim->limit <= 0) {
        return OUTCOME_OK;
    }
    if (!end_dead_sessions(postgres)) {
        return OUTCOME_ERROR;
    }
    write_rulesets(claim, names, versions, sizeof(names));
    (void)postgres_own(postgres, claim_some_sql, &row);
    row_put_number(&row, sql->options->node->id);
    row_put_text(&row, names);
    row_put_text(&row, versions);
    row_put_number(&row, claim->limit < STORE_CLAIM_MAX ? claim->limit : STORE_CLAIM_MAX);
    claim->ids.at = heap_grow(claim->ids.at, STORE_CLAIM_MAX * sizeof(*claim->ids.at));
    while (row_step(&row)) {
        claim->ids.at[claim->ids.count++] = row_take_number(&row);
    }
    return postgres_finish(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

/* Clocks of a released match stop now. */
enum outcome
postgres_release(struct sql *sql, struct store_job *job)
{
    struct postgres *postgres = (struct postgres *)sql;
    struct row row;

    if (sql->options->node == NULL) {
        return OUTCOME_OK;
    }
    (void)postgres_own(postgres,
                       "UPDATE chain c SET owner = NULL, epoch = c.epoch + 1, "
                       "stopped_at = coalesce(c.stopped_at, sk_now()) FROM match m "
                       "WHERE c.owner = ?1 AND (?2::bigint = 0 OR c.match = ?2::bigint) "
                       "AND m.id = c.match AND m." IS_UNFINISHED,
                       &row);
    row_put_number(&row, sql->options->node->id);
    row_put_number(&row, job->match_id);
    (void)row_step(&row);
    if (!postgres_finish(&row)) {
        return OUTCOME_ERROR;
    }
    return postgres->changes > 0 || job->match_id == 0
               ? OUTCOME_OK
               : job_refuse(job, STORE_NOT_FOUND, "match %lld is not this node's",
                            (long long)job->match_id);
}
