/*
 * Nodes: leases, what operators do at other nodes, claims and releases.
 *
 * Times are the database's clock.  A lease only says when others may try to
 * take a node's matches; that they are taken safely follows from the epoch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/base/limits.h"
#include "common/base/status.h"
#include "server/clock.h"
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

/* What arrived of a group before the network failed may keep rows locked: no timeout of the server
 * ends a pipeline that waits for its rest, and no other node ends sessions of a node that lives. */
static bool
end_own_session(struct postgres *postgres)
{
    char sql[320];
    bool is_fine;

    (void)snprintf(sql, sizeof(sql),
                   "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = %d "
                   "AND pid <> pg_backend_pid() AND datname = current_database() "
                   "AND application_name = current_setting('application_name')",
                   postgres->session);
    is_fine = postgres->session == 0 || link_run(&postgres->link, sql);
    postgres->link.is_unsure = false; /* a warning that it has just ended is not about a commit */
    return is_fine;
}

bool
postgres_connect(struct postgres *postgres)
{
    const struct store_node *node = postgres->sql.options->node;

    if (!link_open(&postgres->link)) {
        return false;
    }
    if (node == NULL || node->id == 0) {
        return true;
    }
    if (!set_name(postgres) || !end_own_session(postgres)) {
        return false;
    }
    postgres->session = PQbackendPID(postgres->link.connection);
    return true;
}

/* A start ends the lease of an older process of its name, so that this one takes its matches at
 * once.  A process that goes on, such as a virtual machine that has stood still, must not: it and
 * its replacement would end each other's lease for ever.  It joins only if no other has one. */
static bool
end_older(struct postgres *postgres, bool is_start)
{
    struct row row;

    (void)postgres_own(postgres,
                       is_start ? "UPDATE node SET expires = 0 WHERE name = ?"
                                : "UPDATE node SET expires = 0 WHERE name = ? "
                                  "AND expires <= sk_now()",
                       &row);
    row_put_text(&row, postgres->sql.options->node->name);
    (void)row_step(&row);
    return postgres_finish(&row);
}

/* 0 as the id: another process has a lease under this name. */
static bool
insert_node(struct postgres *postgres, int64_t *ret_id)
{
    const struct store_node *node = postgres->sql.options->node;
    struct row row;

    (void)postgres_own(postgres,
                       "INSERT INTO node (name, path, beat_at, expires) "
                       "SELECT ?1, ?2, sk_now(), sk_now() + " LEASE " WHERE NOT EXISTS "
                       "(SELECT 1 FROM node WHERE name = ?1 AND expires > sk_now()) RETURNING id",
                       &row);
    row_put_text(&row, node->name);
    row_put_text(&row, node->path);
    *ret_id = row_step(&row) ? row_take_number(&row) : 0;
    return postgres_finish(&row);
}

/* Becomes another node.  If the name is taken, it stays the one that it was. */
static bool
join(struct postgres *postgres, bool is_start, bool *ret_is_taken)
{
    int64_t id;

    if (!end_older(postgres, is_start) || !insert_node(postgres, &id)) {
        return false;
    }
    *ret_is_taken = id == 0;
    if (id == 0) {
        return true;
    }
    postgres->sql.options->node->id = id;
    postgres->session = PQbackendPID(postgres->link.connection);
    return set_name(postgres);
}

/* Both statements together, so that an older process that joins again meanwhile waits. */
bool
postgres_node_join(struct postgres *postgres)
{
    bool is_taken = false;

    return link_run(&postgres->link, "BEGIN") && join(postgres, true, &is_taken) && !is_taken &&
           link_run(&postgres->link, "COMMIT");
}

/* Runs a statement whose parameter is this node; returns how many rows it changed, or -1. */
static int64_t
run_for_node(struct postgres *postgres, const char *sql)
{
    struct row row;

    (void)postgres_own(postgres, sql, &row);
    row_put_number(&row, postgres->sql.options->node->id);
    (void)row_step(&row);
    return postgres_finish(&row) ? postgres->changes : -1;
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

#define RENEW "UPDATE node SET beat_at = sk_now(), expires = sk_now() + " LEASE " WHERE id = ? AND "

/* No clock has run since the beat before, if the node has paused; returns as above.  If the lease
 * had run out although the node has not paused, the database's clock may have been set. */
static int64_t
renew_lease(struct postgres *postgres, bool has_paused, bool *ret_had_run_out)
{
    static const char stop_sql[] =
        "UPDATE chain c SET stopped_at = n.beat_at FROM node n, match m WHERE n.id = ? "
        "AND c.owner = n.id AND c.stopped_at IS NULL AND m.id = c.match AND m." IS_UNFINISHED;
    int64_t renewed = has_paused ? 0 : run_for_node(postgres, RENEW "expires > sk_now()");

    *ret_had_run_out = renewed == 0 && !has_paused;
    if (renewed != 0) {
        return renewed;
    }
    return run_for_node(postgres, stop_sql) < 0 ? -1 : run_for_node(postgres, RENEW "expires <> 0");
}

static bool
read_clock(struct postgres *postgres, int64_t *ret_now_ms)
{
    struct row row;

    (void)postgres_own(postgres, "SELECT sk_now()", &row);
    *ret_now_ms = row_step(&row) ? row_take_number(&row) : 0;
    return postgres_finish(&row);
}

/* In one statement, and without players whom another transaction has locked: a node that has
 * stopped in the middle of one must not cost others their lease. */
static bool
note_seen(struct postgres *postgres, const struct store_job *job)
{
    const struct store_ids *seen = &job->beat.seen;
    size_t size = 3 + (size_t)seen->count * sizeof("-9223372036854775808");
    size_t used = 0;
    struct row row;
    char *list;

    if (seen->count == 0) {
        return true;
    }
    list = heap_memory(size);
    for (uint32_t i = 0; i < seen->count; i++) {
        used += (size_t)snprintf(list + used, size - used, "%c%lld", i == 0 ? '{' : ',',
                                 (long long)seen->at[i]);
    }
    (void)snprintf(list + used, size - used, "}");
    (void)postgres_own(postgres,
                       "UPDATE player SET last_seen = ?1 WHERE id IN (SELECT id FROM player "
                       "WHERE id = ANY ((?2::text)::bigint[]) AND forgotten_at IS NULL "
                       "FOR NO KEY UPDATE SKIP LOCKED)",
                       &row);
    row_put_number(&row, job->at_ms);
    row_put_text(&row, list);
    (void)row_step(&row);
    free(list);
    return postgres_finish(&row);
}

/*
 * Renews the lease.  A node that was declared dead meanwhile gets a new row, unless another process
 * has its name by now; one whose lease had run out keeps its row, but perhaps not its matches.
 *
 * Locks: the node's own row, after a pause those of its matches in `chain`, and to join again those
 * of its name.  It does not wait for rows of players.
 */
enum outcome
postgres_beat(struct sql *sql, struct store_job *job)
{
    struct postgres *postgres = (struct postgres *)sql;
    bool had_run_out = false;
    bool is_taken = false;
    int64_t renewed;

    if (sql->options->node == NULL) {
        return sql_beat(sql, job);
    }
    renewed = read_clock(postgres, &job->beat.now_ms)
                  ? renew_lease(postgres, job->beat.has_paused, &had_run_out)
                  : -1;
    if (renewed < 0) {
        return OUTCOME_ERROR;
    }
    if (renewed > 0 && !had_run_out && !job->beat.was_late) {
        return note_seen(postgres, job) ? read_notices(postgres, &job->beat) : OUTCOME_ERROR;
    }
    job->beat.was_late = true; /* also if this attempt is stored and its answer is lost */
    if (renewed == 0 && !join(postgres, false, &is_taken)) {
        return OUTCOME_ERROR;
    }
    (void)job_refuse(job, is_taken ? STORE_TAKEN : STORE_LOST,
                     is_taken ? "another process runs as node %s, so this one serves nothing: "
                                "give each a name of its own with `node`, or stop one of them"
                              : "node %s was declared dead",
                     sql->options->node->name);
    return OUTCOME_OK; /* the new lease stays */
}

/* What concerns a match elsewhere is only noted: its node reads it. */
static enum outcome
find_elsewhere(struct postgres *postgres, struct store_job *job)
{
    struct row row;

    (void)postgres_own(postgres,
                       "SELECT n.path FROM match m JOIN chain c ON c.match = m.id "
                       "JOIN node n ON n.id = c.owner WHERE m.id = ? AND m." IS_UNFINISHED
                       " AND n.id <> ? AND n.expires > sk_now()",
                       &row);
    row_put_number(&row, job->match_id);
    row_put_number(&row, postgres->sql.options->node->id);
    if (row_step(&row)) {
        (void)row_take_copy(&row, &job->elsewhere);
    }
    if (!postgres_finish(&row)) {
        return OUTCOME_ERROR;
    }
    return job->elsewhere != NULL
               ? OUTCOME_OK
               : job_refuse(job, STORE_NOT_FOUND,
                            "there is no such live match, or no node runs it at the moment");
}

/* The id of the log's row, drawn once: it says whether an attempt is stored. */
static enum outcome
draw_admin_id(struct postgres *postgres, struct store_job *job)
{
    struct row row;

    if (job->admin.drawn_id != 0) {
        return OUTCOME_OK;
    }
    (void)postgres_own(postgres, "SELECT nextval(pg_get_serial_sequence('admin_log', 'id'))", &row);
    job->admin.drawn_id = row_step(&row) ? row_take_number(&row) : 0;
    return postgres_finish(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

enum outcome
postgres_admin(struct sql *sql, struct store_job *job)
{
    struct postgres *postgres = (struct postgres *)sql;
    enum outcome outcome = draw_admin_id(postgres, job);

    if (outcome == OUTCOME_OK && job->admin.is_elsewhere && sql->options->node != NULL) {
        outcome = find_elsewhere(postgres, job);
    }
    return outcome == OUTCOME_OK ? sql_admin(sql, job) : outcome;
}

bool
postgres_admin_find(struct postgres *postgres, struct store_job *job)
{
    struct row row;

    (void)postgres_own(postgres,
                       "WITH l AS (UPDATE admin_log SET at = at WHERE id = ? AND at = ? "
                       "AND uid = ? AND command = ? AND detail = ? RETURNING id, player) "
                       "SELECT l.id, l.player, p.name FROM l LEFT JOIN player p ON p.id = l.player",
                       &row);
    row_put_number(&row, job->admin.drawn_id);
    row_put_number(&row, job->at_ms);
    row_put_number(&row, job->admin.uid);
    row_put_text(&row, job->admin.command);
    row_put_text(&row, job->admin.detail);
    if (row_step(&row)) {
        job->admin.id = row_take_number(&row);
        job->player.id = row_take_number_or(&row, 0);
        (void)row_take_copy(&row, &job->player.name);
        job->result = STORE_OK;
    }
    if (!postgres_finish(&row)) {
        return false;
    }
    if (job->result == STORE_TAKEN) { /* the server crashed and gave the id once more */
        job->admin.drawn_id = 0;
        return link_disturb(&postgres->link);
    }
    return true;
}

/* ---- claims ------------------------------------------------------------------------------ */

/* This node ran the match until then, and loads it again. */
static enum outcome
stop_clock(struct postgres *postgres, const struct store_job *job)
{
    struct row row;

    (void)postgres_own(postgres,
                       "UPDATE chain SET stopped_at = ? WHERE match = ? AND owner = ? "
                       "AND stopped_at IS NULL",
                       &row);
    row_put_number(&row, job->load.stopped_ms);
    row_put_number(&row, job->match_id);
    row_put_number(&row, postgres->sql.options->node->id);
    (void)row_step(&row);
    return postgres_finish(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

#define IS_CLAIMABLE                      \
    "m.id = c.match AND m." IS_UNFINISHED \
    " AND c.owner IS DISTINCT FROM ?1::bigint AND NOT " IS_ALIVE
#define IS_PLAYABLE "m.ruleset || ' ' || m.version = ANY(string_to_array(?3::text, ','))"

/* If another live node has the match, its path is the answer.  A match that is over, or this
 * node's already, needs no claim.  One that could be claimed but was not is another node's since
 * the statement began: that counts as a disturbed transaction.  One whose ruleset this program
 * does not have waits for a node that has it. */
enum outcome
postgres_claim(struct postgres *postgres, struct store_job *job)
{
    static const char claim_sql[] =
        "WITH taken AS (UPDATE chain c SET " TAKE " FROM match m WHERE c.match = ?2 "
        "AND ?4::bigint = 0 AND " IS_CLAIMABLE " AND " IS_PLAYABLE " RETURNING 1) "
        "SELECT (SELECT n.path FROM chain c JOIN node n "
        "ON n.id = c.owner WHERE c.match = ?2 AND n.id <> ?1 AND n.expires > sk_now()), "
        "(SELECT count(*) FROM taken), (SELECT CASE WHEN " IS_PLAYABLE " THEN 1 ELSE 0 END "
        "FROM chain c, match m WHERE c.match = ?2 AND " IS_CLAIMABLE ")";
    bool is_taken = false;
    int64_t is_playable = -1; /* -1: it could not be claimed */
    struct row row;

    if (postgres->sql.options->node == NULL) {
        return OUTCOME_OK;
    }
    (void)postgres_own(postgres, claim_sql, &row);
    row_put_number(&row, postgres->sql.options->node->id);
    row_put_number(&row, job->match_id);
    row_put_text(&row, postgres->sql.options->node->rulesets);
    row_put_number(&row, job->load.awaits_leases);
    if (row_step(&row)) {
        (void)row_take_copy(&row, &job->elsewhere);
        is_taken = row_take_number(&row) > 0;
        is_playable = row_take_number_or(&row, -1);
    }
    if (!postgres_finish(&row)) {
        return OUTCOME_ERROR;
    }
    if (is_taken || is_playable >= 0) { /* its node's lease may have ended within the statement */
        free(job->elsewhere);
        job->elsewhere = NULL;
    }
    job->load.was_claimed = job->load.was_claimed || is_taken; /* perhaps by an earlier attempt */
    job->load.is_unplayable = is_playable == 0;
    if (is_playable == 0) {
        return job_refuse(job, STORE_UNAVAILABLE,
                          "match %lld waits for a node that has its ruleset's version",
                          (long long)job->match_id);
    }
    if (is_playable == 1 && job->load.awaits_leases) {
        return job_refuse(job, STORE_UNAVAILABLE, "match %lld waits: its node may come back",
                          (long long)job->match_id);
    }
    if (is_playable == 1 && !is_taken) {
        (void)snprintf(postgres->link.state, sizeof(postgres->link.state), POSTGRES_DISTURBED);
        (void)snprintf(postgres->link.message, sizeof(postgres->link.message),
                       "another node claimed the match at the same time");
        return OUTCOME_ERROR;
    }
    if (job->elsewhere != NULL) {
        return job_refuse(job, STORE_ELSEWHERE, "match %lld is at %s", (long long)job->match_id,
                          job->elsewhere);
    }
    return !is_taken && job->load.stopped_ms != 0 ? stop_clock(postgres, job) : OUTCOME_OK;
}

/* A statement that a dead node has half sent may keep rows locked: its sessions are ended first.
 * Rows of nodes that own no unfinished match any more are deleted after a while. */
static bool
end_dead_sessions(struct postgres *postgres)
{
    bool is_unsure = postgres->link.is_unsure;
    bool is_fine =
        run_for_node(postgres,
                     "SELECT count(pg_terminate_backend(a.pid)) FROM node n "
                     "JOIN pg_stat_activity a ON a.application_name = 'skirmish node ' || n.id "
                     "AND a.datname = current_database() " /* others number their nodes alike */
                     "WHERE n.expires < sk_now() AND n.id <> ? AND a.pid <> pg_backend_pid()") >= 0;

    postgres->link.is_unsure =
        is_unsure; /* that another node has ended one is not about a commit */
    return is_fine &&
           run_for_node(postgres, "DELETE FROM node WHERE id IN (SELECT n.id FROM node n "
                                  "WHERE n.expires < sk_now() AND n.beat_at < sk_now() - 60000 "
                                  "AND n.id <> ? AND NOT EXISTS (SELECT 1 FROM match m "
                                  "JOIN chain c ON c.match = m.id WHERE c.owner = n.id "
                                  "AND m." IS_UNFINISHED ") FOR UPDATE SKIP LOCKED)") >= 0;
}

#define CLAIM_ALL_MS 10000 /* between two looks at all unfinished matches */
#define DIED_LATELY  "d.expires <= sk_now() AND d.beat_at > sk_now() - 60000"

/* A finished match keeps its last owner; only unfinished ones are looked for: if a node has died
 * lately, else now and then (?4), as all nodes do this every second. */
static const char claim_some_sql[] =
    "WITH taken AS (SELECT c.match FROM match m JOIN chain c ON c.match = m.id "
    "WHERE (?4::bigint = 1 OR EXISTS (SELECT 1 FROM node d WHERE " DIED_LATELY ")) "
    "AND " IS_CLAIMABLE " AND " IS_PLAYABLE " ORDER BY m.id LIMIT ?2 FOR UPDATE OF c SKIP LOCKED) "
    "UPDATE chain c SET " TAKE " FROM taken t WHERE c.match = t.match RETURNING c.match";

static const char owned_sql[] =
    "SELECT m.id FROM chain c JOIN match m ON m.id = c.match WHERE c.owner = ?1 AND m.id > ?2 "
    "AND m." IS_UNFINISHED " ORDER BY m.id LIMIT " SK_LIMIT_TEXT(STORE_OWNED_MAX);

/* Takes the ids that a bound statement gives, at most `most`. */
static bool
take_ids(struct row *row, struct store_ids *ids, uint32_t most)
{
    ids->at = heap_grow(ids->at, most * sizeof(*ids->at));
    ids->count = 0;
    while (ids->count < most && row_step(row)) {
        ids->at[ids->count++] = row_take_number(row);
    }
    return postgres_finish(row);
}

/* If this is not the first attempt, the one before may have claimed some. */
static bool
list_owned(struct postgres *postgres, struct store_claim *claim)
{
    struct row row;

    claim->lists_owned = claim->lists_owned || claim->was_tried;
    claim->was_tried = true;
    if (!claim->lists_owned) {
        return true;
    }
    (void)postgres_own(postgres, owned_sql, &row);
    row_put_number(&row, postgres->sql.options->node->id);
    row_put_number(&row, claim->owned_after);
    return take_ids(&row, &claim->owned, STORE_OWNED_MAX);
}

enum outcome
postgres_claim_some(struct sql *sql, struct store_job *job)
{
    struct postgres *postgres = (struct postgres *)sql;
    struct store_claim *claim = &job->claim;
    int64_t now_ms = clock_ms(CLOCK_MONOTONIC);
    struct row row;

    claim->ids.count = 0;
    if (sql->options->node == NULL || claim->limit <= 0) {
        return OUTCOME_OK;
    }
    if (!end_dead_sessions(postgres) || !list_owned(postgres, claim)) {
        return OUTCOME_ERROR;
    }
    (void)postgres_own(postgres, claim_some_sql, &row);
    row_put_number(&row, sql->options->node->id);
    row_put_number(&row, claim->limit < STORE_CLAIM_MAX ? claim->limit : STORE_CLAIM_MAX);
    row_put_text(&row, postgres->sql.options->node->rulesets);
    row_put_number(&row, now_ms >= postgres->claim_all_ms ? 1 : 0);
    if (!take_ids(&row, &claim->ids, STORE_CLAIM_MAX)) {
        return OUTCOME_ERROR;
    }
    if (claim->ids.count > 0) {
        postgres->claim_all_ms = 0; /* there may be more */
    } else if (now_ms >= postgres->claim_all_ms) {
        postgres->claim_all_ms = now_ms + CLAIM_ALL_MS;
    }
    return OUTCOME_OK;
}

/* Clocks of released matches stop now.  The lease ends with it, so that others look for them at
 * once, and a stop has nothing left to ask the database for. */
enum outcome
postgres_release(struct sql *sql, struct store_job *job)
{
    static const char release_sql[] = "UPDATE chain c SET owner = NULL, epoch = c.epoch + 1, "
                                      "stopped_at = coalesce(c.stopped_at, sk_now()) FROM match m "
                                      "WHERE c.owner = ? AND m.id = c.match AND m." IS_UNFINISHED;
    struct postgres *postgres = (struct postgres *)sql;

    (void)job;
    if (sql->options->node == NULL) {
        return OUTCOME_OK;
    }
    return run_for_node(postgres, release_sql) >= 0 &&
                   run_for_node(postgres, "UPDATE node SET expires = 0 WHERE id = ?") >= 0
               ? OUTCOME_OK
               : OUTCOME_ERROR;
}
