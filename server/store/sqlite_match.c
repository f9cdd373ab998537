/* Creates matches and appends to them; the chain grows here. */
#include "common/base/status.h"
#include "server/store/chain.h"
#include "server/store/sqlite.h"

#define FIRST_EPOCH 1 /* a file has one writer, so matches are never taken over */

/* ---- the head ---------------------------------------------------------------------------- */

static enum outcome
head_load(struct sqlite *sqlite, struct store_job *job, struct head *head)
{
    struct row row = sqlite_row(&sqlite->sql, SQL_MATCH_HEAD);
    bool is_there;
    bool has_chain = false;

    row_put_number(&row, job->match_id);
    is_there = row_step(&row);
    if (is_there) {
        head->epoch = row_take_number(&row);
        head->last_seq = row_take_number_or(&row, 0);
        head->last_record = row_take_number_or(&row, 0);
        has_chain = row_take_bytes(&row, head->hash, STORE_HASH_BYTES);
    }
    if (!row_end(&row)) {
        return OUTCOME_ERROR;
    }
    if (!is_there) {
        return job_refuse(job, STORE_NOT_FOUND, "there is no match %lld", (long long)job->match_id);
    }
    if (!has_chain) {
        return job_refuse(job, STORE_CORRUPT, "match %lld: the end of its chain is missing",
                          (long long)job->match_id);
    }
    head->is_known = true;
    return OUTCOME_OK;
}

static enum outcome
head_of(struct sqlite *sqlite, struct store_job *job, struct head **ret_head)
{
    struct head *head;
    enum outcome outcome = OUTCOME_OK;

    if (job->match_id == 0) {
        return job_refuse(job, STORE_NOT_FOUND, "there is no match 0");
    }
    head = heads_of(sqlite->sql.heads, job->match_id);
    if (!head->is_known) {
        outcome = head_load(sqlite, job, head);
    }
    *ret_head = head;
    return outcome;
}

/* ---- records ----------------------------------------------------------------------------- */

/* Inserts a record as it is, including its hash, after the head's last one; moves the head. */
static bool
record_insert(struct sqlite *sqlite, struct head *head, int64_t epoch,
              const struct store_record *record)
{
    struct row row = sqlite_row(&sqlite->sql, SQL_RECORD_INSERT);

    row_put_number_or_null(&row, head->last_record, 0);
    sql_record_put(&row, head->match, epoch, record);
    if (!row_run(&row)) {
        return false;
    }
    if (head->last_record == 0) {
        head->first_record = sqlite3_last_insert_rowid(sqlite->db);
    }
    head->last_seq = record->seq;
    head->last_record = sqlite3_last_insert_rowid(sqlite->db);
    memcpy(head->hash, record->hash, STORE_HASH_BYTES);
    return true;
}

static enum outcome
record_append(struct sqlite *sqlite, struct store_job *job, struct head *head,
              struct store_record *record)
{
    struct chain_columns columns = sql_record_columns(head, record);

    if (record->seq != head->last_seq + 1) {
        return job_refuse(job, STORE_CORRUPT, "match %lld: record %u does not follow %lld",
                          (long long)job->match_id, (unsigned)record->seq,
                          (long long)head->last_seq);
    }
    chain_hash(head->hash, &columns, record->hash);
    if (record_insert(sqlite, head, head->epoch, record)) {
        sqlite->first_of_job = sqlite->first_of_job == 0 ? head->last_record : sqlite->first_of_job;
        return OUTCOME_OK;
    }
    if (sqlite3_extended_errcode(sqlite->db) != SQLITE_CONSTRAINT_UNIQUE) {
        return OUTCOME_ERROR;
    }
    return job_refuse(job, STORE_CORRUPT, "match %lld: another program wrote record %u",
                      (long long)job->match_id, (unsigned)record->seq);
}

static enum outcome
records_append(struct sqlite *sqlite, struct store_job *job, struct head *head)
{
    enum outcome outcome = OUTCOME_OK;

    for (uint32_t i = 0; outcome == OUTCOME_OK && i < job->record_count; i++) {
        outcome = record_append(sqlite, job, head, &job->records[i]);
    }
    return outcome;
}

/* ---- chain ends -------------------------------------------------------------------------- */

/*
 * A turn is three records or more, often in one transaction.  The chain's end
 * is written once for all of them: before the commit, or earlier if anything
 * else reads the table.
 */

static enum outcome
chain_write(struct sqlite *sqlite, struct head *head)
{
    struct row row = sqlite_row(&sqlite->sql, SQL_CHAIN_MOVE);

    head->is_moved = false;
    row_put_number(&row, head->last_seq);
    row_put_bytes(&row, head->hash, STORE_HASH_BYTES);
    row_put_number(&row, head->last_record);
    row_put_number(&row, head->match);
    if (!row_run(&row)) {
        return OUTCOME_ERROR;
    }
    return sqlite3_changes(sqlite->db) == 1 ? OUTCOME_OK : OUTCOME_LOST;
}

static bool
chain_insert(struct sqlite *sqlite, const struct head *head)
{
    struct row row = sqlite_row(&sqlite->sql, SQL_CHAIN_INSERT);

    row_put_number(&row, head->last_seq);
    row_put_bytes(&row, head->hash, STORE_HASH_BYTES);
    row_put_number(&row, head->last_record);
    row_put_number(&row, head->match);
    row_put_number(&row, head->first_record);
    return row_run(&row);
}

static void
chain_moved(struct sqlite *sqlite, struct head *head)
{
    if (head->is_moved) {
        return;
    }
    head->is_moved = true;
    SK_ASSERT(sqlite->moved_count < STORE_BATCH_MAX); /* a job adds at most one */
    sqlite->moved[sqlite->moved_count++] = head->match;
}

enum outcome
sqlite_chains_settle(struct sqlite *sqlite)
{
    enum outcome outcome = OUTCOME_OK;

    for (uint32_t i = 0; outcome == OUTCOME_OK && i < sqlite->moved_count; i++) {
        struct head *head = heads_of(sqlite->sql.heads, sqlite->moved[i]);

        if (head->is_moved) { /* otherwise it has been written meanwhile */
            outcome = chain_write(sqlite, head);
        }
    }
    if (outcome == OUTCOME_OK) {
        sqlite->moved_count = 0;
    }
    return outcome;
}

void
sqlite_chains_forget(struct sqlite *sqlite)
{
    for (uint32_t i = 0; i < sqlite->moved_count; i++) {
        heads_forget(sqlite->sql.heads, sqlite->moved[i]);
    }
    sqlite->moved_count = 0;
}

/* ---- create ------------------------------------------------------------------------------ */

bool
sqlite_match_insert(struct sql *sql, struct store_match *match)
{
    struct row row = sqlite_row(sql, SQL_MATCH_INSERT);

    sql_match_put(&row, match);
    return row_run_for(&row, &match->id);
}

enum outcome
sqlite_match_create(struct sql *sql, struct store_job *job)
{
    struct sqlite *sqlite = (struct sqlite *)sql;
    struct head *head;
    enum outcome outcome;

    job->match_id = 0;
    if (job->match.seat_count < 1 || job->match.seat_count > STORE_SEATS_MAX ||
        job->record_count == 0) {
        return job_refuse(job, STORE_UNAVAILABLE, "a match needs seats and a first record");
    }
    if (!sqlite_match_insert(sql, &job->match)) {
        return OUTCOME_ERROR;
    }
    job->match_id = job->match.id;
    if (!sql_seats_insert(sql, job)) {
        return OUTCOME_ERROR;
    }
    head = heads_of(sqlite->sql.heads, job->match_id);
    *head = (struct head){ .match = job->match_id, .epoch = FIRST_EPOCH, .is_known = true };
    outcome = records_append(sqlite, job, head);
    if (outcome == OUTCOME_OK && !chain_insert(sqlite, head)) {
        outcome = OUTCOME_ERROR;
    }
    return outcome;
}

/* ---- import ------------------------------------------------------------------------------ */

bool
sqlite_records_insert(struct sql *sql, const struct store_job *job)
{
    struct sqlite *sqlite = (struct sqlite *)sql;
    struct head head = { .match = job->match_id };

    for (uint32_t i = 0; i < job->record_count; i++) {
        const struct store_record *record = &job->records[i];

        if (!record_insert(sqlite, &head, record->epoch, record)) {
            return false;
        }
    }
    return chain_insert(sqlite, &head);
}

/* ---- append ------------------------------------------------------------------------------ */

/* Appends the records and their effects.  On success the head has moved with them; on failure it is
 * as before.  Rating an ended match reads its chain. */
static enum outcome
append_to(struct sqlite *sqlite, struct store_job *job, struct head *head)
{
    struct head before = *head;
    enum outcome outcome = records_append(sqlite, job, head);

    if (outcome == OUTCOME_OK && job->append.change.has_ended) {
        outcome = chain_write(sqlite, head);
    }
    if (outcome == OUTCOME_OK) {
        outcome = sql_match_change(&sqlite->sql, job);
    }
    if (outcome != OUTCOME_OK) {
        *head = before;
    } else if (job->append.change.has_ended) {
        head->is_known = false; /* no more records are expected */
    } else {
        chain_moved(sqlite, head);
    }
    return outcome;
}

/* Without records the head is not checked, so a match with a broken chain can be quarantined. */
enum outcome
sqlite_match_append(struct sql *sql, struct store_job *job)
{
    struct sqlite *sqlite = (struct sqlite *)sql;
    struct head *head = NULL;
    enum outcome outcome;

    if (job->record_count == 0) {
        return sql_match_change(&sqlite->sql, job);
    }
    outcome = head_of(sqlite, job, &head);
    return outcome == OUTCOME_OK ? append_to(sqlite, job, head) : outcome;
}
