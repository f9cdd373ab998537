/* Creates, imports and loads matches. */
#include <string.h>

#include "server/store/chain.h"
#include "server/store/postgres.h"
#include "server/store/sql_load.h"

#define FIRST_EPOCH  1
#define RECORDS_ONCE 256 /* fetched at once */

/* ---- ids --------------------------------------------------------------------------------- */

/* Draws ids ahead: hashes cover them, so the same match can be sent twice. */
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

/* Whether an earlier attempt has stored it: it has this id, which nobody else was given. */
static bool
is_created(struct sql *sql, int64_t match, bool *ret_is_there)
{
    struct row row;

    (void)postgres_own((struct postgres *)sql, "SELECT 1 FROM match WHERE id = ?", &row);
    row_put_number(&row, match);
    *ret_is_there = row_step(&row);
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

    if (job->match.id == 0) {
        return true;
    }
    if (!is_created(&postgres->sql, job->match.id, &is_there)) {
        return false;
    }
    if (is_there) {
        job->result = STORE_OK;
        job->match_id = job->match.id;
    } else if (postgres->id_count < sizeof(postgres->ids) / sizeof(postgres->ids[0])) {
        postgres->ids[postgres->id_count++] = job->match.id;
        job->match.id = 0;
    }
    return true;
}

/* ---- load -------------------------------------------------------------------------------- */

#define RECORDS_FROM                                                                     \
    "SELECT coalesce((SELECT number FROM origin WHERE match = ?1), match), " RECORD_REST \
    " FROM record WHERE match = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3"

/* Reads at most `limit` records from reading->next on. */
static bool
read_on(struct sql *sql, struct reading *reading, int64_t limit)
{
    bool goes_on = true;
    bool is_fine = true;

    while (goes_on && is_fine && limit > 0) {
        int64_t asked = limit < RECORDS_ONCE ? limit : RECORDS_ONCE;
        int64_t got = 0;
        struct row row;

        (void)postgres_own((struct postgres *)sql, RECORDS_FROM, &row);
        row_put_number(&row, reading->job->match_id);
        row_put_number(&row, reading->next);
        row_put_number(&row, asked);
        while (goes_on && row_step(&row)) {
            reading_take(reading, &row);
            goes_on = reading_goes_on(reading);
            got++;
        }
        is_fine = postgres_finish(&row);
        goes_on = goes_on && got == asked;
        limit -= got;
    }
    return is_fine;
}

/* Reads the hash of record `seq` for the next one to follow from. */
static bool
read_hash(struct sql *sql, struct reading *reading, int64_t seq)
{
    struct row row;

    (void)postgres_own((struct postgres *)sql,
                       "SELECT hash FROM record WHERE match = ? AND seq = ?", &row);
    row_put_number(&row, reading->job->match_id);
    row_put_number(&row, seq);
    reading->next = seq;
    if (!row_step(&row) || !row_take_bytes(&row, reading->head, STORE_HASH_BYTES)) {
        reading->fault = "is missing";
    } else {
        reading->next = seq + 1;
    }
    return postgres_finish(&row);
}

/* The newest snapshot that is not later than the turn; 0 = none. */
static bool
find_snapshot(struct sql *sql, const struct store_job *job, int64_t *ret_seq)
{
    struct row row;

    *ret_seq = 0;
    if (job->load.from_turn == STORE_FROM_START) {
        return true;
    }
    (void)postgres_own((struct postgres *)sql,
                       "SELECT seq FROM record WHERE match = ? AND kind = 'snapshot' "
                       "AND turn <= ? AND seq > 3 ORDER BY seq DESC LIMIT 1",
                       &row);
    row_put_number(&row, job->match_id);
    row_put_number(&row, job->load.from_turn);
    *ret_seq = row_step(&row) ? row_take_number(&row) : 0;
    return postgres_finish(&row);
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
    int64_t snapshot;

    if (!find_snapshot(sql, reading->job, &snapshot)) {
        return false;
    }
    if (snapshot != 0 && (!read_on(sql, reading, 1) ||
                          (reading->fault == NULL && !read_hash(sql, reading, snapshot - 2)))) {
        return false;
    }
    if (reading->fault == NULL && !read_on(sql, reading, INT64_MAX)) {
        return false;
    }
    expect_last(reading, end->last_seq);
    return true;
}

bool
postgres_records_read_from(struct sql *sql, struct reading *reading, int64_t first,
                           int64_t last_seq, int64_t limit)
{
    (void)last_seq;
    return read_hash(sql, reading, first - 1) &&
           (reading->fault != NULL || read_on(sql, reading, limit));
}

/* ---- ratings ----------------------------------------------------------------------------- */

/* Counts the next match; numbers are given while nobody else counts. */
static bool
rate_next(struct postgres *postgres, bool *ret_is_done)
{
    struct link *link = &postgres->link;
    struct row row;
    int64_t match;
    bool is_fine;

    if (!link_run(link, "BEGIN; LOCK TABLE rated_match IN SHARE ROW EXCLUSIVE MODE")) {
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

bool
postgres_rate(struct postgres *postgres)
{
    bool is_done = false;

    while (!is_done) {
        if (!rate_next(postgres, &is_done)) {
            (void)link_run(&postgres->link, "ROLLBACK");
            return false;
        }
    }
    postgres->must_rate = false;
    return true;
}
