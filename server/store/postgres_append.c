/*
 * All appends of a group in one statement.
 *
 * Each match's chain moves only if it still has the epoch and the last record
 * that this node knows, and the records are inserted for the chains that moved.
 * A match that somebody else owns now is missing from the answer; the others
 * are stored.
 *
 * Seats, starts and ends follow in the same transaction, each only if the chain
 * ends with the hash that this group gave it.  The rows that other nodes change
 * too, the chains, are all locked by the first statement.
 *
 * A group is BEGIN, these statements and COMMIT in one pipeline.  If it is cut
 * in between, or the node stops, the rows stay locked until the server notices,
 * or until the node that claims the matches ends the session.
 *
 * If the connection is lost, or the commit did not wait for a standby, the same
 * is sent again: a chain that has this group's hash already was moved by it.
 * That is confirmed by a commit of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "server/kill_point.h"
#include "server/memory.h"
#include "server/store/chain.h"
#include "server/store/postgres.h"
#include "server/store/postgres_list.h"

#define SENDS_MAX 4 /* attempts of one group */
#define LISTS     15

static const char append_name[] = "append";

/* Clocks that stopped go on with a record that was made later. */
static const char append_sql[] =
    "WITH moved AS (UPDATE chain c SET last_seq = a.last_seq, head = a.head, "
    "stopped_at = CASE WHEN c.stopped_at >= a.at THEN c.stopped_at END "
    "FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], "
    "$6::bigint[]) AS a(match, epoch, before, last_seq, head, at) WHERE c.match = a.match "
    "AND c.epoch = a.epoch AND c.last_seq = a.before RETURNING c.match, c.epoch), "
    "added AS (INSERT INTO record (match, seq, epoch, turn, seat, command_id, kind, at, hash, "
    "body) "
    "SELECT r.match, r.seq, m.epoch, r.turn, r.seat, r.command_id, r.kind, r.at, r.hash, "
    "r.body::json FROM unnest($7::bigint[], $8::bigint[], $9::integer[], $10::integer[], "
    "$11::text[], $12::text[], $13::bigint[], $14::bytea[], $15::text[]) "
    "AS r(match, seq, turn, seat, command_id, kind, at, hash, body) "
    "JOIN moved m ON m.match = r.match) SELECT match FROM moved";

/* ---- the group --------------------------------------------------------------------------- */

/* A match of the group: all its jobs together. */
struct part {
    int64_t match;
    int64_t epoch;
    int64_t before;   /* last_seq as this node knows it */
    int64_t last_seq; /* as it is to become */
    uint8_t head[STORE_HASH_BYTES];
    int64_t at_ms; /* of its last record */
    bool is_stored;
    bool had_failed; /* as its head was before the group */
    uint32_t failed_generation;
};

struct append {
    struct postgres *postgres;
    struct store_job *jobs[STORE_BATCH_MAX];
    uint32_t parts_of[STORE_BATCH_MAX]; /* the part of each job */
    uint32_t job_count;
    struct part parts[STORE_BATCH_MAX];
    uint32_t part_count;
    struct postgres_list lists[LISTS];
};

bool
postgres_is_append(const struct store_job *job)
{
    return job->kind == JOB_MATCH_APPEND && job->record_count > 0;
}

/* ---- heads ------------------------------------------------------------------------------- */

/* Reads the chain's end.  Somebody else's match is none of ours. */
static enum outcome
head_load(struct postgres *postgres, struct store_job *job, struct head *head)
{
    const struct store_node *node = postgres->sql.options->node;
    struct row row;
    bool is_there;
    int64_t owner = 0;

    (void)postgres_own(postgres, "SELECT owner, epoch, last_seq, head FROM chain WHERE match = ?",
                       &row);
    row_put_number(&row, job->match_id);
    is_there = row_step(&row);
    if (is_there) {
        owner = row_take_number_or(&row, 0);
        head->epoch = row_take_number(&row);
        head->last_seq = row_take_number(&row);
        (void)row_take_bytes(&row, head->hash, STORE_HASH_BYTES);
    }
    if (!postgres_finish(&row)) {
        return OUTCOME_ERROR;
    }
    if (!is_there) {
        return job_refuse(job, STORE_NOT_FOUND, "there is no match %lld", (long long)job->match_id);
    }
    if (node != NULL && owner != node->id) {
        return job_refuse(job, STORE_LOST, "match %lld: another node owns it",
                          (long long)job->match_id);
    }
    head->is_known = true;
    return OUTCOME_OK;
}

/* Each time a match is loaded it has a new generation; it may have been elsewhere before. */
static enum outcome
head_know(struct postgres *postgres, struct store_job *job, struct head *head)
{
    enum outcome outcome;

    if (head->is_known && head->generation == job->append.generation) {
        return OUTCOME_OK;
    }
    head->is_known = false;
    head->generation = job->append.generation;
    outcome = head_load(postgres, job, head);
    if (outcome == OUTCOME_ERROR && link_is_lost(&postgres->link) &&
        postgres_have_connection(postgres)) {
        outcome = head_load(postgres, job, head);
    }
    return outcome;
}

/* The part of the job's match; a new one begins where the chain ends. */
static enum outcome
part_of(struct append *append, struct store_job *job, uint32_t *ret_part)
{
    struct postgres *postgres = append->postgres;
    struct head *head;
    enum outcome outcome;

    if (job->match_id == 0) {
        return job_refuse(job, STORE_NOT_FOUND, "there is no match 0");
    }
    head = heads_of(postgres->sql.heads, job->match_id);
    if (head->is_moved) {
        *ret_part = head->in_group;
        return OUTCOME_OK;
    }
    outcome = head_know(postgres, job, head);
    if (outcome == OUTCOME_OK) {
        struct part *part = &append->parts[append->part_count];

        *part = (struct part){ .match = job->match_id,
                               .epoch = head->epoch,
                               .before = head->last_seq,
                               .last_seq = head->last_seq };
        memcpy(part->head, head->hash, STORE_HASH_BYTES);
        part->had_failed = head->has_failed;
        part->failed_generation = head->failed_generation;
        head->is_moved = true;
        head->in_group = append->part_count;
        *ret_part = append->part_count++;
    }
    return outcome;
}

/* Adds the job's records to its part, or refuses it and leaves the part as it was. */
static enum outcome
add_records(struct part *part, struct store_job *job)
{
    struct head head = { .match = part->match, .epoch = part->epoch, .last_seq = part->last_seq };

    memcpy(head.hash, part->head, STORE_HASH_BYTES);
    for (uint32_t i = 0; i < job->record_count; i++) {
        struct store_record *record = &job->records[i];
        struct chain_columns columns = sql_record_columns(&head, record);

        if (record->seq != head.last_seq + 1) {
            return job_refuse(job, STORE_LOST, "match %lld: record %u does not follow %lld",
                              (long long)job->match_id, (unsigned)record->seq,
                              (long long)head.last_seq);
        }
        chain_hash(head.hash, &columns, record->hash);
        memcpy(head.hash, record->hash, STORE_HASH_BYTES);
        head.last_seq++;
    }
    part->last_seq = head.last_seq;
    part->at_ms = job->records[job->record_count - 1].at_ms;
    memcpy(part->head, head.hash, STORE_HASH_BYTES);
    return OUTCOME_OK;
}

static void
add_job(struct append *append, struct store_job *job)
{
    struct postgres *postgres = append->postgres;
    uint32_t part = 0;
    enum outcome outcome;

    if (!backend_job_begin(postgres->sql.heads, job)) {
        return;
    }
    outcome = part_of(append, job, &part);
    if (outcome == OUTCOME_OK) {
        outcome = add_records(&append->parts[part], job);
    }
    if (outcome == OUTCOME_ERROR) {
        (void)job_refuse(job, STORE_UNAVAILABLE, "%s", postgres->link.message);
    }
    if (outcome == OUTCOME_OK) {
        append->jobs[append->job_count] = job;
        append->parts_of[append->job_count++] = part;
    } else {
        backend_job_end(postgres->sql.heads, job);
    }
}

/* ---- sending ----------------------------------------------------------------------------- */

static void
make_lists(struct append *append)
{
    static const uint32_t oids[LISTS] = { OID_INT8, OID_INT8, OID_INT8, OID_INT8,  OID_BYTEA,
                                          OID_INT8, OID_INT8, OID_INT8, OID_INT4,  OID_INT4,
                                          OID_TEXT, OID_TEXT, OID_INT8, OID_BYTEA, OID_TEXT };
    struct postgres_list *lists = append->lists;

    for (int i = 0; i < LISTS; i++) {
        postgres_list_init(&lists[i], oids[i]);
    }
    for (uint32_t i = 0; i < append->part_count; i++) {
        const struct part *part = &append->parts[i];

        postgres_list_put_number(&lists[0], part->match);
        postgres_list_put_number(&lists[1], part->epoch);
        postgres_list_put_number(&lists[2], part->before);
        postgres_list_put_number(&lists[3], part->last_seq);
        postgres_list_put_bytes(&lists[4], part->head, STORE_HASH_BYTES);
        postgres_list_put_number(&lists[5], part->at_ms);
    }
    for (uint32_t i = 0; i < append->job_count; i++) {
        const struct store_job *job = append->jobs[i];

        for (uint32_t k = 0; k < job->record_count; k++) {
            const struct store_record *record = &job->records[k];
            const char *kind = store_record_kind_names[record->kind];

            postgres_list_put_number(&lists[6], job->match_id);
            postgres_list_put_number(&lists[7], record->seq);
            postgres_list_put_small(&lists[8], record->turn, STORE_NO_TURN);
            postgres_list_put_small(&lists[9], record->seat, STORE_NO_SEAT);
            postgres_list_put_bytes(&lists[10], record->command_id,
                                    record->command_id == NULL ? 0 : strlen(record->command_id));
            postgres_list_put_bytes(&lists[11], kind, strlen(kind));
            postgres_list_put_number(&lists[12], record->at_ms);
            postgres_list_put_bytes(&lists[13], record->hash, STORE_HASH_BYTES);
            postgres_list_put_bytes(&lists[14], record->body, record->body_length);
        }
    }
    for (int i = 0; i < LISTS; i++) {
        postgres_list_end(&lists[i]);
    }
}

static void
free_lists(struct append *append)
{
    for (int i = 0; i < LISTS; i++) {
        free(append->lists[i].at);
        append->lists[i].at = NULL;
    }
}

static bool
send_append(struct append *append)
{
    const char *values[LISTS];
    int lengths[LISTS];
    int formats[LISTS];

    for (int i = 0; i < LISTS; i++) {
        values[i] = append->lists[i].at;
        lengths[i] = (int)append->lists[i].used;
        formats[i] = 1;
    }
    return PQsendQueryPrepared(append->postgres->link.connection, append_name, LISTS, values,
                               lengths, formats, 0) == 1;
}

/* ---- changes ----------------------------------------------------------------------------- */

#define IF_MOVED "EXISTS (SELECT 1 FROM chain WHERE match = ?1 AND head = ?2)"

/* If the chain moved there must be a row to change: otherwise it is an error, NO_ROW. */
#define CHANGE(update)                                                  \
    "WITH changed AS (" update " AND " IF_MOVED " RETURNING 1) SELECT " \
    "CASE WHEN " IF_MOVED " THEN 1 / (SELECT count(*) FROM changed) END"
#define NO_ROW "22012" /* division by zero */

static const char seat_sql[] =
    CHANGE("UPDATE seat SET player = ?4::bigint, is_bot = coalesce((SELECT is_bot FROM player "
           "WHERE id = ?4::bigint), 0) WHERE match = ?1 AND seat = ?3");
static const char start_sql[] = CHANGE("UPDATE match SET status = 'running', started_at = ?3, "
                                       "is_rated = is_rated * ?4 WHERE id = ?1");
/* Only once, so that the result counts once; the same end may be sent again. */
static const char end_sql[] =
    CHANGE("UPDATE match SET status = 'over', ended_at = ?3::bigint, winner = ?4::integer, "
           "reason = ?5 WHERE id = ?1 AND (ended_at IS NULL OR (ended_at = ?3::bigint "
           "AND winner IS NOT DISTINCT FROM ?4::integer))");
static const char quarantine_sql[] =
    CHANGE("UPDATE match SET status = 'quarantined', reason = ?3 WHERE id = ?1");
static const char count_sql[] =
    "INSERT INTO unrated_match (match) SELECT m.id FROM match m "
    "JOIN seat a ON a.match = m.id AND a.seat = 0 JOIN seat b ON b.match = m.id AND b.seat = 1 "
    "WHERE m.id = ?1 AND " IS_RATED " AND " IF_MOVED
    " AND NOT EXISTS (SELECT 1 FROM rated_match WHERE match = ?1) ON CONFLICT DO NOTHING";

/* Sends a statement whose values are bound. */
static bool
send_row(struct link *link, struct row *row)
{
    struct postgres_statement *statement = row->statement;
    const char *values[POSTGRES_PARAMS_MAX];
    int lengths[POSTGRES_PARAMS_MAX];
    int formats[POSTGRES_PARAMS_MAX];
    bool is_sent;

    for (int i = 0; i < statement->param_count; i++) {
        values[i] = statement->params[i].value;
        lengths[i] = statement->params[i].length;
        formats[i] = statement->params[i].format;
    }
    is_sent = PQsendQueryParams(link->connection, statement->translated, statement->param_count,
                                NULL, values, lengths, formats, 0) == 1;
    (void)postgres_finish(row);
    return is_sent;
}

static void
begin_change(struct append *append, const struct part *part, const char *sql, struct row *ret_row)
{
    (void)postgres_own(append->postgres, sql, ret_row);
    row_put_number(ret_row, part->match);
    row_put_bytes(ret_row, part->head, STORE_HASH_BYTES);
}

static bool
send_change(struct append *append, const struct store_job *job, const struct part *part)
{
    const struct store_match_change *change = &job->append.change;
    struct link *link = &append->postgres->link;
    bool is_sent = true;
    struct row row;

    if (change->has_seat) {
        begin_change(append, part, seat_sql, &row);
        row_put_number(&row, change->seat);
        row_put_number_or_null(&row, change->player, 0);
        is_sent = send_row(link, &row);
    }
    if (is_sent && change->has_started) {
        begin_change(append, part, start_sql, &row);
        row_put_number(&row, change->started_at_ms);
        row_put_number(&row, !change->is_unrated);
        is_sent = send_row(link, &row);
    }
    if (is_sent && change->has_ended) {
        begin_change(append, part, end_sql, &row);
        row_put_number(&row, change->ended_at_ms);
        row_put_number_or_null(&row, change->winner, STORE_NOBODY);
        row_put_text(&row, change->reason);
        is_sent = send_row(link, &row);
        if (is_sent) {
            begin_change(append, part, count_sql, &row);
            is_sent = send_row(link, &row);
        }
    }
    if (is_sent && change->is_quarantined) {
        begin_change(append, part, quarantine_sql, &row);
        row_put_text(&row, change->reason);
        is_sent = send_row(link, &row);
    }
    return is_sent;
}

/* ---- one attempt ------------------------------------------------------------------------- */

static bool
send_plain(struct link *link, const char *sql)
{
    return PQsendQueryParams(link->connection, sql, 0, NULL, NULL, NULL, NULL, 0) == 1;
}

static bool
prepare(struct postgres *postgres)
{
    struct link *link = &postgres->link;
    PGresult *result;

    if (postgres->append_prepared == link->number) {
        return true;
    }
    result = PQprepare(link->connection, append_name, append_sql, 0, NULL);
    if (link_check(link, result)) {
        postgres->append_prepared = link->number;
    }
    PQclear(result);
    return postgres->append_prepared == link->number;
}

static bool
send_all(struct append *append)
{
    struct link *link = &append->postgres->link;

    if (!link_is_open(link) || !prepare(append->postgres) ||
        PQenterPipelineMode(link->connection) != 1 || !send_plain(link, "BEGIN") ||
        !send_append(append)) {
        return false;
    }
    for (uint32_t i = 0; i < append->job_count; i++) {
        if (!send_change(append, append->jobs[i], &append->parts[append->parts_of[i]])) {
            return false;
        }
    }
    return send_plain(link, "COMMIT") && PQpipelineSync(link->connection) == 1;
}

static struct part *
find_part(struct append *append, int64_t match)
{
    return &append->parts[heads_of(append->postgres->sql.heads, match)->in_group];
}

/* The append is the first statement that returns rows. */
static void
take_moved(struct append *append, const PGresult *result)
{
    for (int i = 0; i < PQntuples(result); i++) {
        find_part(append, strtoll(PQgetvalue(result, i, 0), NULL, 10))->is_stored = true;
    }
}

/* Reads the answers up to the sync; false: not committed, or unknown. */
static bool
take_answers(struct append *append)
{
    struct link *link = &append->postgres->link;
    bool is_fine = true;
    bool is_synced = false;
    bool has_moved = false;

    while (!is_synced && link_is_open(link)) {
        PGresult *result = link_result(link);

        if (result == NULL) {
            continue; /* the end of one statement's results */
        }
        is_fine = link_check(link, result) && is_fine;
        is_synced = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        if (PQresultStatus(result) == PGRES_TUPLES_OK && !has_moved) {
            take_moved(append, result);
            has_moved = true; /* what the changes return is of no interest */
        }
        PQclear(result);
    }
    is_synced = is_synced && PQexitPipelineMode(link->connection) == 1;
    return is_fine && is_synced && !link->is_unsure;
}

/* `ret_is_undone`: it failed, and nothing of it is stored. */
static bool
try_append(struct append *append, bool *ret_is_undone)
{
    struct link *link = &append->postgres->link;

    for (uint32_t i = 0; i < append->part_count; i++) {
        append->parts[i].is_stored = false;
    }
    link->state[0] = '\0';
    *ret_is_undone = false;
    if (send_all(append) && take_answers(append)) {
        return true;
    }
    if (!link_is_lost(link) && PQpipelineStatus(link->connection) == PQ_PIPELINE_OFF &&
        PQtransactionStatus(link->connection) == PQTRANS_INERROR) {
        *ret_is_undone = true;
        (void)link_run(link, "ROLLBACK");
    } else {
        link_close(link); /* nothing half sent is left behind */
    }
    return false;
}

/* ---- results ----------------------------------------------------------------------------- */

/* A chain that did not move may have been moved by an earlier attempt, whose commit perhaps did not
 * wait for a standby: this one, which writes the same, does. */
static bool
look_at(struct append *append, struct part *part)
{
    struct postgres *postgres = append->postgres;
    struct row row;

    (void)postgres_own(postgres, "UPDATE chain SET head = head WHERE match = ? AND head = ?", &row);
    row_put_number(&row, part->match);
    row_put_bytes(&row, part->head, STORE_HASH_BYTES);
    (void)row_step(&row);
    if (!postgres_finish(&row) || postgres->link.is_unsure) {
        return false;
    }
    part->is_stored = postgres->changes > 0 || SK_TEST_FAULT_IS(FAULT_NO_FENCE);
    return true;
}

static bool
look_at_all(struct append *append)
{
    bool is_fine = true;

    for (uint32_t i = 0; is_fine && i < append->part_count; i++) {
        if (!append->parts[i].is_stored) {
            is_fine = look_at(append, &append->parts[i]);
        }
    }
    return is_fine;
}

/* What is known of a group that was sent. */
enum settled {
    SETTLED,         /* each of its matches is stored or not */
    SETTLED_REFUSED, /* nothing is stored, because of the values of a job */
    SETTLED_FAILED,  /* nothing is stored, because the server could not */
    SETTLED_UNKNOWN,
};

static bool
is_refused(const struct link *link)
{
    return strncmp(link->state, "23", 2) == 0 || strncmp(link->state, "22", 2) == 0;
}

/* Sends the group until its outcome is known. */
static enum settled
settle(struct append *append)
{
    const struct link *link = &append->postgres->link;
    bool may_be_stored = false; /* by an attempt whose answer was lost */

    for (int i = 0; i < SENDS_MAX && postgres_have_connection(append->postgres); i++) {
        bool is_undone = false;

        if (try_append(append, &is_undone) && look_at_all(append)) {
            return SETTLED;
        }
        if (is_refused(link)) {
            return SETTLED_REFUSED;
        }
        may_be_stored = may_be_stored || !is_undone;
        if (!may_be_stored && !link_is_disturbed(link)) {
            return SETTLED_FAILED;
        }
    }
    return may_be_stored ? SETTLED_UNKNOWN : SETTLED_FAILED;
}

/* The heads are as stored, or read again. */
static void
settle_heads(struct append *append, enum settled settled)
{
    for (uint32_t i = 0; i < append->part_count; i++) {
        const struct part *part = &append->parts[i];
        struct head *head = heads_of(append->postgres->sql.heads, part->match);

        head->is_moved = false;
        head->is_known = settled == SETTLED && part->is_stored;
        if (head->is_known) {
            head->last_seq = part->last_seq;
            memcpy(head->hash, part->head, STORE_HASH_BYTES);
        }
    }
}

static void
set_result(struct append *append, uint32_t i, enum settled settled)
{
    const struct link *link = &append->postgres->link;
    struct store_job *job = append->jobs[i];
    const struct part *part = &append->parts[append->parts_of[i]];

    if (settled == SETTLED && part->is_stored) {
        job->result = STORE_OK;
    } else if (settled == SETTLED) {
        (void)job_refuse(job, STORE_LOST, "match %lld: another node owns it",
                         (long long)job->match_id);
    } else if (settled == SETTLED_UNKNOWN) {
        (void)job_refuse(job, STORE_LOST, "match %lld: it is unknown what is stored: %s",
                         (long long)job->match_id, link->message);
    } else if (strcmp(link->state, NO_ROW) == 0) {
        (void)job_refuse(job, STORE_NOT_FOUND, "match %lld: there is no such seat, or it is over",
                         (long long)job->match_id);
    } else {
        (void)job_refuse(job, STORE_UNAVAILABLE, "%s (%s)", link->message, link->state);
    }
    backend_job_end(append->postgres->sql.heads, job);
}

/* Returns false if the values of one job are refused: nothing is stored then. */
static bool
work(struct append *append, bool is_single)
{
    enum settled settled = SETTLED;

    if (append->job_count > 0) {
        make_lists(append);
        settled = settle(append);
        free_lists(append);
    }
    settle_heads(append, settled);
    if (settled == SETTLED_REFUSED && !is_single) {
        return false;
    }
    for (uint32_t i = 0; i < append->job_count; i++) {
        set_result(append, i, settled);
    }
    return true;
}

/* What jobs of the group did to the generations of their matches is void. */
static void
forget_failures(struct append *append)
{
    for (uint32_t i = 0; i < append->part_count; i++) {
        const struct part *part = &append->parts[i];
        struct head *head = heads_of(append->postgres->sql.heads, part->match);

        head->has_failed = part->had_failed;
        head->failed_generation = part->failed_generation;
    }
}

static bool
has_part(const struct append *append, const struct store_job *job)
{
    for (uint32_t i = 0; i < append->part_count; i++) {
        if (append->parts[i].match == job->match_id) {
            return true;
        }
    }
    return false;
}

/* Each job by itself, in order.  Those of a match that is not this node's have their result. */
static void
work_singly(struct append *append, struct backend_group *group)
{
    forget_failures(append);
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        if (postgres_is_append(job) && has_part(append, job)) {
            job->result = STORE_OK;
        }
    }
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        append->job_count = 0;
        append->part_count = 0;
        if (postgres_is_append(job) && job->result == STORE_OK) {
            (void)postgres_have_connection(append->postgres); /* if not, its head is not read */
            add_job(append, job);
            (void)work(append, true);
        }
    }
}

void
postgres_append(struct postgres *postgres, struct backend_group *group)
{
    struct append *append = heap_memory(sizeof(*append));

    append->postgres = postgres;
    for (struct store_job *job = group->first; job != NULL; job = job->next) {
        if (postgres_is_append(job)) {
            add_job(append, job);
        }
    }
    if (!work(append, append->job_count == 1)) {
        work_singly(append, group);
    }
    free(append);
}
