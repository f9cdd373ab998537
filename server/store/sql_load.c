/*
 * Reads matches back and verifies them: every record's hash is computed from
 * the stored columns and the previous hash.
 */
#include <stdlib.h>
#include <string.h>

#include "server/memory.h"
#include "server/store/chain.h"
#include "server/store/sql_load.h"

/* ---- the match's row --------------------------------------------------------------------- */

static bool
status_read(struct sk_text word, enum store_match_status *ret_status)
{
    for (int i = 0; i <= MATCH_QUARANTINED; i++) {
        if (sk_text_same(word, sk_text_of(store_match_status_names[i]))) {
            *ret_status = (enum store_match_status)i;
            return true;
        }
    }
    return false;
}

/* Reads a number within bounds; if it is outside returns false and `min`. */
static bool
take_bounded(struct row *row, int64_t min, int64_t max, int64_t *ret_number)
{
    int64_t number = row_take_number_or(row, min);
    bool fits = number >= min && number <= max;

    *ret_number = fits ? number : min;
    return fits;
}

static void
expect(bool is_sane, const char *column, const char **wrong)
{
    if (!is_sane && *wrong == NULL) {
        *wrong = column;
    }
}

/* Returns the first column that holds a value that is never written, or NULL. */
static const char *
match_take(struct row *row, struct store_match *match, struct load_end *ret_end)
{
    const char *wrong = NULL;
    int64_t number;

    expect(row_take_copy(row, &match->ruleset), "ruleset", &wrong);
    expect(take_bounded(row, 1, INT32_MAX, &number), "version", &wrong);
    match->version = (uint32_t)number;
    expect(row_take_copy(row, &match->params), "params", &wrong);
    expect(row_take_bytes(row, match->seed, STORE_SEED_BYTES), "seed", &wrong);
    expect(row_take_bytes(row, match->salt, STORE_SEED_BYTES), "salt", &wrong);
    expect(row_take_copy(row, &match->settings), "settings", &wrong);
    expect(row_take_copy(row, &match->code), "code", &wrong);
    match->is_open = row_take_number(row) != 0;
    match->is_rated = row_take_number(row) != 0;
    expect(take_bounded(row, 1, STORE_SEATS_MAX, &number), "seat_count", &wrong);
    match->seat_count = (int32_t)number;
    expect(status_read(row_take_text(row), &match->status), "status", &wrong);
    match->created_at_ms = row_take_number(row);
    match->started_at_ms = row_take_number_or(row, 0);
    match->ended_at_ms = row_take_number_or(row, 0);
    expect(take_bounded(row, STORE_NOBODY, STORE_SEATS_MAX - 1, &number), "winner", &wrong);
    match->winner = (int32_t)number;
    expect(row_take_copy(row, &match->reason), "reason", &wrong);
    match->rematch_of = row_take_number_or(row, 0);
    match->epoch = row_take_number(row);
    match->has_owner = row_take_text(row).at != NULL;
    match->stopped_at_ms = row_take_number_or(row, 0);
    ret_end->last_seq = row_take_number_or(row, 0);
    ret_end->has_head = row_take_bytes(row, ret_end->head, STORE_HASH_BYTES);
    ret_end->first_record = row_take_number_or(row, 0);
    match->origin = row_take_number_or(row, 0);
    ret_end->is_pruned = !row_is_null(row);
    return wrong;
}

static enum outcome
match_load(struct sql *sql, struct store_job *job, struct load_end *ret_end)
{
    struct row row = sql_row(sql, SQL_MATCH_LOAD);
    bool is_there;
    const char *wrong = NULL;

    row_put_number(&row, job->match_id);
    is_there = row_step(&row);
    if (is_there) {
        job->match.id = job->match_id;
        wrong = match_take(&row, &job->match, ret_end);
        job->match.is_shared = sql->calls->is_shared;
    }
    if (!row_end(&row)) {
        return OUTCOME_ERROR;
    }
    if (!is_there) {
        return job_refuse(job, STORE_NOT_FOUND, "there is no match %lld", (long long)job->match_id);
    }
    if (wrong != NULL) {
        return job_refuse(job, STORE_CORRUPT, "match %lld: its %s is not as written",
                          (long long)job->match_id, wrong);
    }
    return OUTCOME_OK;
}

/* ---- seats ------------------------------------------------------------------------------- */

enum outcome
sql_seats_load(struct sql *sql, struct store_job *job, int64_t match,
               struct store_seat seats[STORE_SEATS_MAX], int32_t *ret_count)
{
    struct row row = sql_row(sql, SQL_SEATS_LOAD);
    bool is_sane = true;
    int32_t count = 0;

    row_put_number(&row, match);
    while (row_step(&row)) {
        int64_t seat = row_take_number(&row);
        bool is_empty = row_is_null(&row);
        int64_t player = row_take_number_or(&row, 0);

        /* Elsewhere 0 means NULL, so the table must not contain it. */
        is_sane = seat == count && count < STORE_SEATS_MAX && is_empty == (player == 0);
        if (!is_sane) {
            break;
        }
        count++;
        seats[seat].player = player;
        (void)row_take_copy(&row, &seats[seat].name);
        seats[seat].is_bot = row_take_number(&row) != 0;
        seats[seat].origin_player = row_take_number_or(&row, 0);
        (void)row_take_copy(&row, &seats[seat].bot);
        seats[seat].is_forgotten = row_take_number(&row) != 0;
    }
    if (!row_end(&row)) {
        return OUTCOME_ERROR;
    }
    if (!is_sane) {
        return job_refuse(job, STORE_CORRUPT, "match %lld: seat %d is missing or has player 0",
                          (long long)match, (int)count);
    }
    *ret_count = count;
    return OUTCOME_OK;
}

/* ---- records ----------------------------------------------------------------------------- */

static const char bad_hash[] = "has a hash that does not match its contents";

/* Reads a turn or a seat; false if no record has such a one. */
static bool
take_small(struct row *row, int32_t null_value, int32_t *ret_number)
{
    bool is_null = row_is_null(row);
    int64_t number = row_take_number(row);

    *ret_number = is_null ? null_value : (int32_t)number;
    return is_null || (number >= 0 && number <= INT32_MAX);
}

const char *
record_look(struct row *row, struct store_record *record)
{
    struct sk_text command_id;
    struct sk_text body;
    bool is_sane;

    record->epoch = row_take_number(row);
    is_sane = take_small(row, STORE_NO_TURN, &record->turn);
    is_sane &= take_small(row, STORE_NO_SEAT, &record->seat);
    command_id = row_take_text(row);
    record->command_id = (char *)(uintptr_t)command_id.at;
    is_sane &= command_id.at == NULL || strlen(command_id.at) == command_id.length;
    is_sane &= store_record_kind_read(row_take_text(row), &record->kind);
    record->at_ms = row_take_number(row);
    is_sane &= row_take_bytes(row, record->hash, STORE_HASH_BYTES);
    body = row_take_text(row);
    record->body = (char *)(uintptr_t)body.at;
    record->body_length = body.length;
    return is_sane ? NULL : bad_hash; /* nothing was ever hashed with such values */
}

const char *
record_take(struct row *row, struct store_record *record)
{
    const char *wrong = record_look(row, record);

    if (record->command_id != NULL) {
        record->command_id = heap_copy(record->command_id, strlen(record->command_id));
    }
    record->body = heap_text((struct sk_text){ record->body, (uint32_t)record->body_length });
    return wrong;
}

void
reading_verify(struct reading *reading, const struct store_record *record, const char *wrong)
{
    struct head head = { .match = reading->number, .epoch = record->epoch };
    struct chain_columns columns;

    if (record->seq != reading->next) {
        reading->fault = "is missing";
        return;
    }
    if (wrong != NULL) {
        reading->fault = wrong;
        return;
    }
    columns = sql_record_columns(&head, record);
    chain_hash(reading->head, &columns, reading->head);
    if (memcmp(reading->head, record->hash, STORE_HASH_BYTES) != 0) {
        reading->fault = bad_hash;
        return;
    }
    reading->next++;
}

void
reading_take(struct reading *reading, struct row *row)
{
    struct store_record *record;
    int64_t seq;

    reading->number = row_take_number(row);
    seq = row_take_number(row);
    if (seq != reading->next) {
        reading->fault = "is missing";
        return;
    }
    record = store_job_add_record(reading->job);
    record->seq = (uint32_t)seq;
    reading_verify(reading, record, record_take(row, record));
}

static enum outcome
refuse_corrupt(const struct reading *reading)
{
    return job_refuse(reading->job, STORE_CORRUPT, "match %lld: record %lld %s",
                      (long long)reading->job->match_id, (long long)reading->next, reading->fault);
}

bool
record_is_beyond(const struct store_job *job, const struct store_record *record)
{
    return job->kind == JOB_MATCH_LOAD && job->load.has_turn_end && record->kind == RECORD_TURN &&
           record->turn >= job->load.turn_end;
}

bool
reading_goes_on(struct reading *reading)
{
    const struct store_job *job = reading->job;

    if (reading->fault == NULL && record_is_beyond(job, &job->records[job->record_count - 1])) {
        store_job_drop_record(reading->job);
        return false;
    }
    return reading->fault == NULL;
}

/* Whether only a part of the records was asked for. */
static bool
is_part(const struct store_job *job)
{
    return job->load.first_seq > 1 || job->load.has_turn_end;
}

/* ---- all wanted records ------------------------------------------------------------------ */

bool
reading_is_at_end(const struct reading *reading, const struct load_end *end)
{
    return end->has_head && end->last_seq == reading->next - 1 &&
           memcmp(reading->head, end->head, STORE_HASH_BYTES) == 0;
}

static void
end_verify(struct reading *reading, const struct load_end *end)
{
    if (!reading_is_at_end(reading, end)) {
        reading->next--;
        reading->fault = "is not the end of the chain";
    }
}

static enum outcome
records_load(struct sql *sql, struct store_job *job, const struct load_end *end)
{
    struct reading reading = { .job = job, .next = 1 };
    bool is_read;

    store_job_clear_records(job);
    if (!end->has_head) {
        return job_refuse(job, STORE_CORRUPT, "match %lld: the end of its chain is missing",
                          (long long)job->match_id);
    }
    is_read = job->load.first_seq > 1
                  ? sql->calls->records_read_from(sql, &reading, job->load.first_seq, end->last_seq,
                                                  job->load.limit)
                  : sql->calls->records_read(sql, &reading, end);
    if (!is_read) {
        return OUTCOME_ERROR;
    }
    if (reading.fault == NULL && !is_part(job)) {
        end_verify(&reading, end);
    }
    if (reading.fault == NULL && job->record_count == end->last_seq) {
        const struct store_record *repeated = store_repeated_id(job);

        if (repeated != NULL) {
            reading.next = repeated->seq;
            reading.fault = "has a command id that was used before";
        }
    }
    return reading.fault == NULL ? OUTCOME_OK : refuse_corrupt(&reading);
}

/* Loads names of players who left; those of seated players come with the seats. */
static enum outcome
names_load(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_JOINED_NAMES);

    row_put_number(&row, job->match_id);
    while (row_step(&row)) {
        int64_t seq = row_take_number(&row);

        for (uint32_t i = 0; i < job->record_count; i++) {
            if (job->records[i].seq == seq) {
                (void)row_take_copy(&row, &job->records[i].name);
                break;
            }
        }
    }
    return row_end(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

static bool
has_anybody_left(const struct store_job *job)
{
    int32_t joined = 0;

    for (uint32_t i = 0; i < job->record_count; i++) {
        joined += job->records[i].kind == RECORD_JOINED ? 1 : 0;
    }
    return joined > job->match.seat_count || (job->match.status == MATCH_WAITING && joined > 1);
}

/* Does not read bodies, so the cost stays low however long the match is. */
static enum outcome
keys_load(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_COMMANDS_LOAD);
    uint32_t capacity = 0;

    job->load.key_count = 0;
    row_put_number(&row, job->match_id);
    while (row_step(&row)) {
        int32_t seat = (int32_t)row_take_number(&row);
        struct sk_text id = row_take_text(&row);

        if (job->load.key_count == capacity) {
            capacity = capacity == 0 ? 16 : 2 * capacity;
            job->load.keys = heap_grow(job->load.keys, capacity * sizeof(*job->load.keys));
        }
        job->load.keys[job->load.key_count++] = store_command_key(seat, id.at, id.length);
    }
    return row_end(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

enum outcome
sql_match_row_load(struct sql *sql, struct store_job *job, struct load_end *ret_end)
{
    int32_t seat_count = 0;
    enum outcome outcome = match_load(sql, job, ret_end);

    if (outcome == OUTCOME_OK) {
        outcome = sql_seats_load(sql, job, job->match_id, job->seats, &seat_count);
    }
    if (outcome == OUTCOME_OK && seat_count != job->match.seat_count) {
        outcome = job_refuse(job, STORE_CORRUPT, "match %lld: %d seats instead of %d",
                             (long long)job->match_id, (int)seat_count, (int)job->match.seat_count);
    }
    if (outcome == OUTCOME_OK && ret_end->is_pruned && job->match.status != MATCH_OVER) {
        outcome = job_refuse(job, STORE_CORRUPT, "match %lld: it is pruned but not over",
                             (long long)job->match_id);
    }
    if (outcome == OUTCOME_OK && ret_end->is_pruned) {
        outcome = job_refuse(job, STORE_PRUNED,
                             "match %lld: its records were pruned; only its "
                             "result is kept",
                             (long long)job->match_id);
    }
    return outcome;
}

enum outcome
sql_match_load(struct sql *sql, struct store_job *job)
{
    struct load_end end;
    enum outcome outcome = sql_match_row_load(sql, job, &end);

    if (outcome == OUTCOME_OK) {
        outcome = records_load(sql, job, &end);
    }
    if (outcome == OUTCOME_OK && has_anybody_left(job)) {
        outcome = names_load(sql, job);
    }
    if (outcome == OUTCOME_OK && job->load.wants_keys) {
        outcome = keys_load(sql, job);
    }
    return outcome;
}

/* ---- one record -------------------------------------------------------------------------- */

/* Whether the seat sent something else before the turn was resolved. */
static enum outcome
command_superseded(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_COMMAND_NEXT);
    struct sk_text turn = sk_text_of(store_record_kind_names[RECORD_TURN]);

    row_put_number(&row, job->match_id);
    row_put_number(&row, job->records[0].seq);
    row_put_number(&row, job->records[0].seat);
    job->is_superseded = row_step(&row) && !sk_text_same(row_take_text(&row), turn);
    return row_end(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

/* Verified like all records: by the hash of the previous one. */
enum outcome
sql_command_find(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_COMMAND_FIND);
    struct reading reading = { .job = job };
    bool is_read;
    int64_t seq;

    if (job->record_count != 1 || job->records[0].command_id == NULL) {
        return job_refuse(job, STORE_NOT_FOUND, "no command id was given");
    }
    row_put_number(&row, job->match_id);
    row_put_number(&row, job->records[0].seat);
    row_put_text(&row, job->records[0].command_id);
    seq = row_step(&row) ? row_take_number(&row) : 0;
    if (!row_end(&row)) {
        return OUTCOME_ERROR;
    }
    if (seq == 0) {
        return job_refuse(job, STORE_NOT_FOUND, "no such command is stored");
    }
    store_job_clear_records(job);
    is_read = sql->calls->records_read_from(sql, &reading, seq, seq, 1);
    if (!is_read) {
        return OUTCOME_ERROR;
    }
    return reading.fault == NULL ? command_superseded(sql, job) : refuse_corrupt(&reading);
}
