/*
 * Reads the records of a match from the last one backwards, as each holds the
 * id of the one before it, and then verifies them forwards.
 */
#include <string.h>

#include "server/store/sql_load.h"
#include "server/store/sqlite.h"

#define SEQ_END ((int64_t)UINT32_MAX + 1) /* after the highest seq */

#define RECORD_READ_HASH 8 /* index of the hash in a row of SQL_RECORD_READ */

struct walk {
    struct reading *reading;
    int64_t first;     /* seq of the oldest wanted record ... */
    int64_t end;       /* ... and of the one after the newest */
    int64_t turn_max;  /* a snapshot of this turn or an earlier one is where reading begins ... */
    bool has_snapshot; /* ... and was found: `first` is the turn before it */
    int64_t seq;       /* of the record read last */
    int64_t bad_seq;   /* the oldest record that cannot be verified, or 0 ... */
    const char *bad;   /* ... and what is wrong with it */
    uint8_t before[STORE_HASH_BYTES]; /* hash of the record before `first`; zeros: there is none */
};

/* ---- backwards --------------------------------------------------------------------------- */

static void
look_for_snapshot(struct walk *walk, const struct store_record *record)
{
    if (!walk->has_snapshot && record->kind == RECORD_SNAPSHOT && record->turn >= 0 &&
        record->turn <= walk->turn_max && walk->seq > 3) {
        walk->has_snapshot = true;
        walk->first = walk->seq - 1;
    }
}

/* `row` continues with the epoch of record walk->seq. */
static void
record_add(struct walk *walk, struct row *row)
{
    struct store_job *job = walk->reading->job;
    struct store_record *record = store_job_add_record(job);
    const char *wrong = record_take(row, record);

    record->seq = (uint32_t)walk->seq;
    if (wrong != NULL) {
        walk->bad_seq = walk->seq;
        walk->bad = wrong;
    }
    look_for_snapshot(walk, record);
    if (record_is_beyond(job, record)) {
        store_job_clear_records(job);
    }
}

/* The record before the oldest wanted one is read for its hash. */
static int64_t
oldest_read(const struct walk *walk)
{
    return walk->first > 1 ? walk->first - 1 : 1;
}

/* Handles a row of SQL_RECORD_READ; returns the id of the record before. */
static int64_t
record_read(struct walk *walk, struct row *row)
{
    int64_t previous = row_take_number(row);

    walk->seq = row_take_number(row);
    if (walk->seq < walk->first) {
        row->next = RECORD_READ_HASH;
        (void)row_take_bytes(row, walk->before, STORE_HASH_BYTES);
    } else if (walk->seq < walk->end) {
        record_add(walk, row);
    }
    return previous;
}

/* Reads from record `id` backwards until a record is missing or all are read. */
static bool
records_read(struct sql *sql, struct walk *walk, int64_t id)
{
    bool is_fine = true;
    bool is_found = true;

    while (is_fine && is_found && walk->seq > oldest_read(walk)) {
        struct row row = sqlite_row(sql, SQL_RECORD_READ);

        row_put_number(&row, id);
        row_put_number(&row, walk->reading->job->match_id);
        row_put_number(&row, walk->seq);
        row_put_number(&row, walk->first);
        row_put_number(&row, walk->end);
        is_found = row_step(&row);
        if (is_found) {
            id = record_read(walk, &row);
        }
        is_fine = row_end(&row);
        sql_look_up(sql);
    }
    return is_fine;
}

/* ---- forwards ---------------------------------------------------------------------------- */

static void
records_reverse(struct store_job *job)
{
    for (uint32_t i = 0; i < job->record_count / 2; i++) {
        struct store_record other = job->records[job->record_count - 1 - i];

        job->records[job->record_count - 1 - i] = job->records[i];
        job->records[i] = other;
    }
}

/* Before a snapshot the match's first record comes alone. */
static void
records_verify(struct walk *walk)
{
    struct reading *reading = walk->reading;

    reading->next = 1;
    for (uint32_t i = 0; i < reading->job->record_count && reading->fault == NULL; i++) {
        const struct store_record *record = &reading->job->records[i];

        if (i == (walk->has_snapshot ? 1 : 0)) {
            reading->next = walk->first;
            memcpy(reading->head, walk->before, STORE_HASH_BYTES);
        }
        reading_verify(reading, record, record->seq == walk->bad_seq ? walk->bad : NULL);
    }
}

/* If not all were read, notes the oldest record that is missing. */
static bool
is_whole(const struct walk *walk, int64_t last_seq)
{
    int64_t oldest = oldest_read(walk);

    if (walk->seq == oldest) {
        return true;
    }
    walk->reading->fault = "is missing";
    walk->reading->next = walk->seq == SEQ_END ? last_seq
                          : walk->seq < oldest ? oldest
                                               : walk->seq - 1;
    return false;
}

/* Reads the match's first record, which comes before a snapshot. */
static bool
first_read(struct sql *sql, struct walk *walk, int64_t id)
{
    struct walk alone = { .reading = walk->reading, .seq = 2, .first = 1, .end = 2 };

    if (!records_read(sql, &alone, id)) {
        return false;
    }
    if (alone.bad != NULL) {
        walk->bad_seq = 1;
        walk->bad = alone.bad;
    }
    return true;
}

/* Reads the wanted records, or notes a fault.  False on a database error. */
static bool
walk_go(struct sql *sql, struct walk *walk, int64_t last_seq, int64_t first_record)
{
    struct row row = sqlite_row(sql, SQL_CHAIN_LAST);
    int64_t last = 0;

    row_put_number(&row, walk->reading->job->match_id);
    if (row_step(&row)) {
        last = row_take_number(&row);
        walk->reading->number = row_take_number(&row);
    }
    walk->seq = SEQ_END;
    if (!row_end(&row) || !records_read(sql, walk, last)) {
        return false;
    }
    if (!is_whole(walk, last_seq)) {
        return true;
    }
    if (walk->has_snapshot && !first_read(sql, walk, first_record)) {
        return false;
    }
    records_reverse(walk->reading->job);
    records_verify(walk);
    return true;
}

bool
sqlite_records_read(struct sql *sql, struct reading *reading, const struct load_end *end)
{
    struct walk walk = {
        .reading = reading, .first = 1, .end = SEQ_END, .turn_max = reading->job->load.from_turn
    };

    return walk_go(sql, &walk, end->last_seq, end->first_record);
}

bool
sqlite_records_read_from(struct sql *sql, struct reading *reading, int64_t first, int64_t last_seq,
                         int64_t limit)
{
    struct walk walk = { .reading = reading, .first = first, .end = first + limit };

    return walk_go(sql, &walk, last_seq, 0);
}
