/* Creates, imports and loads matches. */
#include <string.h>
#include <time.h>

#include "server/clock.h"
#include "server/store/chain.h"
#include "server/store/postgres.h"
#include "server/store/sql_load.h"

#define FIRST_EPOCH  1
#define RECORDS_ONCE 256 /* fetched at once */

/* ---- ids --------------------------------------------------------------------------------- */

/* Draws ids ahead: hashes cover them, so the same match can be sent twice.  A server that crashes
 * may forget that it has given some of them. */
static bool
draw_ids(struct postgres *postgres)
{
    struct row row;

    (void)postgres_own(postgres,
                       "SELECT nextval(pg_get_serial_sequence('match', 'id')) "
                       "FROM generate_series(1, ?::integer)",
                       &row);
    row_put_number(&row, sizeof(postgres->ids) / sizeof(postgres->ids[0]));
    while (row_step(&row)) {
        postgres->ids[postgres->id_count++] = row_take_number(&row);
    }
    for (uint32_t i = 0; i < postgres->id_count / 2; i++) { /* the lowest is taken first */
        int64_t id = postgres->ids[i];

        postgres->ids[i] = postgres->ids[postgres->id_count - 1 - i];
        postgres->ids[postgres->id_count - 1 - i] = id;
    }
    return postgres_finish(&row) && postgres->id_count > 0;
}

bool
postgres_match_insert(struct sql *sql, struct store_match *match)
{
    struct postgres *postgres = (struct postgres *)sql;
    struct row row = sql_row(sql, SQL_MATCH_INSERT);

    if (match->id == 0) {
        if (postgres->id_count == 0 && !draw_ids(postgres)) {
            return false;
        }
        match->id = postgres->ids[--postgres->id_count];
    }
    sql_match_put(&row, match);
    row_put_number(&row, match->id);
    return row_run(&row);
}

/* ---- records ----------------------------------------------------------------------------- */

static bool
record_insert(struct sql *sql, int64_t match, int64_t epoch, const struct store_record *record)
{
    struct row row;

    (void)postgres_own((struct postgres *)sql,
                       "INSERT INTO record (match, " RECORD_REST ") "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                       &row);
    sql_record_put(&row, match, epoch, record);
    (void)row_step(&row);
    return postgres_finish(&row);
}

static bool
chain_insert(struct sql *sql, const struct head *head, int64_t owner)
{
    struct row row;

    (void)postgres_own((struct postgres *)sql,
                       "INSERT INTO chain (match, owner, epoch, last_seq, head) "
                       "VALUES (?, ?, ?, ?, ?)",
                       &row);
    row_put_number(&row, head->match);
    row_put_number_or_null(&row, owner, 0);
    row_put_number(&row, head->epoch);
    row_put_number(&row, head->last_seq);
    row_put_bytes(&row, head->hash, STORE_HASH_BYTES);
    (void)row_step(&row);
    return postgres_finish(&row);
}

bool
postgres_records_insert(struct sql *sql, const struct store_job *job)
{
    struct head head = { .match = job->match_id, .epoch = FIRST_EPOCH };

    for (uint32_t i = 0; i < job->record_count; i++) {
        const struct store_record *record = &job->records[i];

        if (!record_insert(sql, job->match_id, record->epoch, record)) {
            return false;
        }
        head.last_seq = record->seq;
        memcpy(head.hash, record->hash, STORE_HASH_BYTES);
    }
    return chain_insert(sql, &head, 0);
}

/* ---- create ------------------------------------------------------------------------------ */

static bool
records_append(struct sql *sql, struct store_job *job, struct head *head)
{
    for (uint32_t i = 0; i < job->record_count; i++) {
        struct store_record *record = &job->records[i];
        struct chain_columns columns = sql_record_columns(head, record);

        chain_hash(head->hash, &columns, record->hash);
        if (!record_insert(sql, head->match, head->epoch, record)) {
            return false;
        }
        head->last_seq = record->seq;
        memcpy(head->hash, record->hash, STORE_HASH_BYTES);
    }
    return true;
}

/* Whether a match with this id is stored, and whether it is this one: nobody else has its salt. */
static bool
find_created(struct postgres *postgres, const struct store_match *match, bool *ret_is_there,
             bool *ret_is_same)
{
    struct row row;

    (void)postgres_own(postgres,
                       "UPDATE chain c SET head = head FROM match m WHERE c.match = ? "
                       "AND m.id = c.match RETURNING (m.salt = ?)::integer",
                       &row);
    row_put_number(&row, match->id);
    row_put_bytes(&row, match->salt, STORE_SEED_BYTES);
    *ret_is_there = row_step(&row);
    *ret_is_same = *ret_is_there && row_take_number(&row) != 0;
    return postgres_finish(&row);
}

enum outcome
postgres_match_create(struct sql *sql, struct store_job *job)
{
    struct head head = { .epoch = FIRST_EPOCH, .is_known = true };

    job->match_id = 0;
    if (job->match.seat_count < 1 || job->match.seat_count > STORE_SEATS_MAX ||
        job->record_count == 0) {
        return job_refuse(job, STORE_UNAVAILABLE, "a match needs seats and a first record");
    }
    if (!postgres_match_insert(sql, &job->match)) {
        return OUTCOME_ERROR;
    }
    job->match_id = job->match.id;
    head.match = job->match_id;
    if (!sql_seats_insert(sql, job) || !records_append(sql, job, &head) ||
        !chain_insert(sql, &head, sql->options->node == NULL ? 0 : sql->options->node->id)) {
        job->match_id = 0;
        return OUTCOME_ERROR;
    }
    return postgres_tickets_use((struct postgres *)sql, job);
}

bool
postgres_match_uncreate(struct postgres *postgres, struct store_job *job)
{
    bool is_there;
    bool is_same;

    if (job->match.id == 0) {
        return true;
    }
    if (!find_created(postgres, &job->match, &is_there, &is_same)) {
        return false;
    }
    if (is_same) {
        job->result = STORE_OK;
        job->match_id = job->match.id;
    } else if (is_there) {
        job->match.id = 0;
        postgres->id_count = 0; /* the others are as old */
        return link_disturb(&postgres->link);
    } else if (postgres->id_count < sizeof(postgres->ids) / sizeof(postgres->ids[0])) {
        postgres->ids[postgres->id_count++] = job->match.id;
        job->match.id = 0;
    }
    return true;
}

/* ---- load -------------------------------------------------------------------------------- */

#define RECORDS(where)                                                                   \
    "SELECT coalesce((SELECT number FROM origin WHERE match = ?1), match), " RECORD_REST \
    " FROM record WHERE match = ?1 AND " where

static const char page_sql[] = RECORDS("seq >= ?2 ORDER BY seq LIMIT ?3");

/* The first record, and a page from two before the newest snapshot on that is not later than the
 * turn, or from the first record on: all in one question, as each takes its way to the server. */
static const char newest_sql[] = "(" RECORDS("seq = 1") ") UNION ALL (" RECORDS(
    "seq >= coalesce((SELECT s.seq FROM record s WHERE s.match = ?1 AND s.kind = 'snapshot' "
    "AND s.turn <= ?2 AND s.seq > 3 ORDER BY s.seq DESC LIMIT 1) - 2, 1) ORDER BY seq "
    "LIMIT ?3") ") ORDER BY seq";

/* Takes the hash alone of the record that the next one follows from. */
static void
follow(struct reading *reading, struct row *row)
{
    struct store_record record;

    if (reading->fault != NULL) {
        return;
    }
    if (!row_step(row)) {
        reading->fault = "is missing";
        return;
    }
    reading->number = row_take_number(row);
    reading->next = row_take_number(row);
    reading->fault = record_look(row, &record);
    if (reading->fault == NULL) {
        memcpy(reading->head, record.hash, STORE_HASH_BYTES);
        reading->next++;
    }
}

/* Takes the records of a statement that gives at most `asked` rows, of which `got` are taken.
 * Returns whether there may be more. */
static bool
take_page(struct reading *reading, struct row *row, int64_t asked, int64_t got)
{
    bool goes_on = reading->fault == NULL;

    while (goes_on && row_step(row)) {
        reading_take(reading, row);
        goes_on = reading_goes_on(reading);
        got++;
    }
    return goes_on && got == asked;
}

/* Reads at most `limit` records from reading->next on. */
static bool
read_on(struct sql *sql, struct reading *reading, int64_t limit)
{
    bool goes_on = reading->fault == NULL;
    bool is_fine = true;

    while (goes_on && is_fine && limit > 0) {
        int64_t asked = limit < RECORDS_ONCE ? limit : RECORDS_ONCE;
        struct row row;

        (void)postgres_own((struct postgres *)sql, page_sql, &row);
        row_put_number(&row, reading->job->match_id);
        row_put_number(&row, reading->next);
        row_put_number(&row, asked);
        goes_on = take_page(reading, &row, asked, 0);
        is_fine = postgres_finish(&row);
        limit -= asked;
    }
    return is_fine;
}

/* The record that was followed from was two before a snapshot, or the first one. */
static bool
is_before_snapshot(const struct store_job *job)
{
    return job->record_count < 3 || job->records[1].seq == 2 ||
           job->records[2].kind == RECORD_SNAPSHOT;
}

static bool
read_newest(struct sql *sql, struct reading *reading)
{
    struct store_job *job = reading->job;
    bool goes_on;
    struct row row;

    (void)postgres_own((struct postgres *)sql, newest_sql, &row);
    row_put_number(&row, job->match_id);
    row_put_number(&row, job->load.from_turn);
    row_put_number(&row, RECORDS_ONCE);
    if (row_step(&row)) {
        reading_take(reading, &row);
        follow(reading, &row);
    }
    goes_on = take_page(reading, &row, RECORDS_ONCE, 1);
    if (reading->fault == NULL && !is_before_snapshot(job)) {
        reading->next = job->records[1].seq - 2;
        reading->fault = "is missing";
    }
    return postgres_finish(&row) && (!goes_on || read_on(sql, reading, INT64_MAX));
}

static void
expect_last(struct reading *reading, int64_t last_seq)
{
    if (reading->fault == NULL && reading->next <= last_seq && !reading->job->load.has_turn_end) {
        reading->fault = "is missing";
    }
}

bool
postgres_records_read(struct sql *sql, struct reading *reading, const struct load_end *end)
{
    bool is_read = reading->job->load.from_turn == STORE_FROM_START
                       ? read_on(sql, reading, INT64_MAX)
                       : read_newest(sql, reading);

    if (is_read) {
        expect_last(reading, end->last_seq);
    }
    return is_read;
}

bool
postgres_records_read_from(struct sql *sql, struct reading *reading, int64_t first,
                           int64_t last_seq, int64_t limit)
{
    struct row row;

    (void)last_seq;
    (void)postgres_own((struct postgres *)sql, page_sql, &row);
    row_put_number(&row, reading->job->match_id);
    row_put_number(&row, first - 1);
    row_put_number(&row, limit + 1);
    follow(reading, &row);
    if (reading->fault == NULL && reading->next != first) {
        reading->next = first - 1;
        reading->fault = "is missing";
    }
    (void)take_page(reading, &row, limit + 1, 1);
    return postgres_finish(&row);
}

/* ---- ratings ----------------------------------------------------------------------------- */

#define RATE_MS 500 /* per beat: the next one waits for it, and players who queue */

/* A node that has stopped, or a recomputation, may hold the lock for longer. */
static const char rate_begin[] = "BEGIN; SET LOCAL lock_timeout = '100ms'; "
                                 "LOCK TABLE rated_match IN SHARE ROW EXCLUSIVE MODE";

static bool
has_unrated(struct postgres *postgres)
{
    struct row row;
    bool has_some;

    (void)postgres_own(postgres, "SELECT 1 FROM unrated_match LIMIT 1", &row);
    has_some = row_step(&row);
    return postgres_finish(&row) && has_some;
}

/* Counts the next match; numbers are given while nobody else counts. */
static bool
rate_next(struct postgres *postgres, bool *ret_is_done)
{
    struct link *link = &postgres->link;
    struct row row;
    int64_t match;
    bool is_fine;

    if (!link_run(link, rate_begin)) {
        return false;
    }
    (void)postgres_own(postgres,
                       "DELETE FROM unrated_match WHERE match = "
                       "(SELECT u.match FROM unrated_match u JOIN match m ON m.id = u.match "
                       "ORDER BY m.ended_at, m.id LIMIT 1) RETURNING match",
                       &row);
    match = row_step(&row) ? row_take_number(&row) : 0;
    is_fine = postgres_finish(&row) &&
              (match == 0 || sql_rating_count(&postgres->sql, match) == OUTCOME_OK);
    *ret_is_done = match == 0;
    return is_fine && link_run(link, "COMMIT");
}

void
postgres_rate(struct postgres *postgres)
{
    int64_t until_ms = clock_ms(CLOCK_MONOTONIC) + RATE_MS;
    bool is_done = !has_unrated(postgres);

    while (!is_done && clock_ms(CLOCK_MONOTONIC) < until_ms) {
        if (!rate_next(postgres, &is_done)) {
            (void)link_run(&postgres->link, "ROLLBACK");
            return;
        }
    }
}
