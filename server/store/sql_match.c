/* What creating a match and appending to it have in common. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/memory.h"
#include "server/store/chain.h"
#include "server/store/sql.h"

enum outcome
job_refuse(struct store_job *job, enum store_result result, const char *format, ...)
{
    char text[BACKEND_MESSAGE_MAX + 1];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    free(job->message);
    job->message = heap_copy(text, strlen(text));
    job->result = result;
    return OUTCOME_REFUSED;
}

struct chain_columns
sql_record_columns(const struct head *head, const struct store_record *record)
{
    return (struct chain_columns){
        .match = head->match,
        .seq = record->seq,
        .epoch = head->epoch,
        .turn = { record->turn == STORE_NO_TURN, record->turn },
        .seat = { record->seat == STORE_NO_SEAT, record->seat },
        .command_id =
            record->command_id == NULL ? (struct sk_text){ 0 } : sk_text_of(record->command_id),
        .kind = sk_text_of(store_record_kind_names[record->kind]),
        .body = { record->body, (uint32_t)record->body_length },
        .at = record->at_ms,
    };
}

void
sql_match_put(struct row *bound, const struct store_match *match)
{
    row_put_text(bound, match->ruleset);
    row_put_number(bound, match->version);
    row_put_text(bound, match->params);
    row_put_bytes(bound, match->seed, STORE_SEED_BYTES);
    row_put_bytes(bound, match->salt, STORE_SEED_BYTES);
    row_put_text(bound, match->settings);
    row_put_text(bound, match->code);
    row_put_number(bound, match->is_open);
    row_put_number(bound, match->is_rated);
    row_put_number(bound, match->seat_count);
    row_put_text(bound, store_match_status_names[match->status]);
    row_put_number(bound, match->created_at_ms);
    row_put_number_or_null(bound, match->started_at_ms, 0);
    row_put_number_or_null(bound, match->ended_at_ms, 0);
    row_put_number_or_null(bound, match->winner, STORE_NOBODY);
    row_put_text(bound, match->reason);
    row_put_number_or_null(bound, match->rematch_of, 0);
}

void
sql_record_put(struct row *bound, int64_t match, int64_t epoch, const struct store_record *record)
{
    row_put_number(bound, match);
    row_put_number(bound, record->seq);
    row_put_number(bound, epoch);
    row_put_number_or_null(bound, record->turn, STORE_NO_TURN);
    row_put_number_or_null(bound, record->seat, STORE_NO_SEAT);
    row_put_text(bound, record->command_id);
    row_put_text(bound, store_record_kind_names[record->kind]);
    row_put_number(bound, record->at_ms);
    row_put_bytes(bound, record->hash, STORE_HASH_BYTES);
    row_put_text_of(bound, record->body, record->body_length);
}

bool
sql_seats_insert(struct sql *sql, const struct store_job *job)
{
    for (int32_t seat = 0; seat < job->match.seat_count; seat++) {
        struct row row = sql_row(sql, SQL_SEAT_INSERT);

        row_put_number(&row, job->match_id);
        row_put_number(&row, seat);
        row_put_number_or_null(&row, job->seats[seat].player, 0);
        row_put_number(&row, job->seats[seat].is_bot);
        if (!row_run(&row)) {
            return false;
        }
    }
    return true;
}

/* ---- changes ----------------------------------------------------------------------------- */

/* Runs an update that must find its row. */
static enum outcome
run_change(struct sql *sql, struct store_job *job, struct row *row, const char *missing)
{
    if (!row_run(row)) {
        return OUTCOME_ERROR;
    }
    if (sql->calls->changes(sql) == 0) {
        return job_refuse(job, STORE_NOT_FOUND, "match %lld: %s", (long long)job->match_id,
                          missing);
    }
    return OUTCOME_OK;
}

static enum outcome
change_seat(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_SEAT_CHANGE);

    row_put_number_or_null(&row, job->append.change.player, 0);
    row_put_number(&row, job->match_id);
    row_put_number(&row, job->append.change.seat);
    return run_change(sql, job, &row, "there is no such seat");
}

static enum outcome
change_start(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_MATCH_START);

    row_put_number(&row, job->append.change.started_at_ms);
    row_put_number(&row, !job->append.change.is_unrated);
    row_put_number(&row, job->match_id);
    return run_change(sql, job, &row, "there is no such match");
}

/* Only once, so that the result counts once. */
static enum outcome
change_end(struct sql *sql, struct store_job *job)
{
    struct row end = sql_row(sql, SQL_MATCH_END);
    enum outcome outcome;

    row_put_number(&end, job->append.change.ended_at_ms);
    row_put_number_or_null(&end, job->append.change.winner, STORE_NOBODY);
    row_put_text(&end, job->append.change.reason);
    row_put_number(&end, job->match_id);
    outcome = run_change(sql, job, &end, "it is over already");
    return outcome == OUTCOME_OK ? sql_rating_count(sql, job->match_id) : outcome;
}

static enum outcome
change_quarantine(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_MATCH_QUARANTINE);

    row_put_text(&row, job->append.change.reason);
    row_put_number(&row, job->match_id);
    return run_change(sql, job, &row, "there is no such match");
}

enum outcome
sql_match_change(struct sql *sql, struct store_job *job)
{
    const struct store_match_change *change = &job->append.change;
    enum outcome outcome = OUTCOME_OK;

    if (change->has_seat) {
        outcome = change_seat(sql, job);
    }
    if (outcome == OUTCOME_OK && change->has_started) {
        outcome = change_start(sql, job);
    }
    if (outcome == OUTCOME_OK && change->has_ended) {
        outcome = change_end(sql, job);
    }
    if (outcome == OUTCOME_OK && change->is_quarantined) {
        outcome = change_quarantine(sql, job);
    }
    return outcome;
}
