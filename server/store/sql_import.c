/*
 * Imported matches.
 *
 * They get a new id here and keep the one that their hashes were computed with.
 * Players are looked up by name; an unknown one becomes a new player with a
 * token that nobody has, until an admin sets one.  Existing rows are not
 * changed, and a match that exists already is not stored again.
 */
#include <sodium.h>
#include <stdio.h>

#include "server/store/sql.h"

static enum outcome
expect_unknown(struct sql *sql, struct store_job *job)
{
    const struct store_record *last = &job->records[job->record_count - 1];
    struct row row = sql_row(sql, SQL_ORIGIN_FIND);
    int64_t found;

    row_put_number(&row, job->match.origin);
    row_put_bytes(&row, last->hash, STORE_HASH_BYTES);
    found = row_step(&row) ? row_take_number(&row) : 0;
    if (!row_end(&row)) {
        return OUTCOME_ERROR;
    }
    if (found == 0) {
        return OUTCOME_OK;
    }
    job->match_id = found;
    return job_refuse(job, STORE_TAKEN, "it already exists as match %lld", (long long)found);
}

/* ---- players ----------------------------------------------------------------------------- */

static enum outcome
player_make(struct sql *sql, struct store_job *job, struct store_seat *seat)
{
    struct row row = sql_row(sql, SQL_PLAYER_INSERT);
    uint8_t no_token[STORE_HASH_BYTES];

    randombytes_buf(no_token, sizeof(no_token)); /* the hash of an unknown token */
    row_put_text(&row, seat->name);
    row_put_bytes(&row, no_token, sizeof(no_token));
    row_put_number(&row, seat->is_bot);
    row_put_number(&row, job->at_ms);
    return row_run_for(&row, &seat->player) ? OUTCOME_OK : OUTCOME_ERROR;
}

/* A player who was forgotten on the other server is not looked up by name. */
static enum outcome
player_make_forgotten(struct sql *sql, struct store_job *job, struct store_seat *seat)
{
    char name[32];
    struct store_seat made = { .name = name, .is_bot = seat->is_bot };
    enum outcome outcome;

    (void)snprintf(name, sizeof(name), STORE_FORGOTTEN "%08x", (unsigned)randombytes_random());
    outcome = player_make(sql, job, &made);
    seat->player = made.player;
    if (outcome == OUTCOME_OK && !sql_player_forget(sql, made.player, job->at_ms, NULL)) {
        outcome = OUTCOME_ERROR;
    }
    return outcome;
}

static enum outcome
player_find(struct sql *sql, struct store_job *job, struct store_seat *seat)
{
    struct row row = sql_row(sql, SQL_PLAYER_BY_NAME);

    row_put_text(&row, seat->name);
    seat->player = row_step(&row) ? row_take_number(&row) : 0;
    if (!row_end(&row)) {
        return OUTCOME_ERROR;
    }
    return seat->player == 0 ? player_make(sql, job, seat) : OUTCOME_OK;
}

static enum outcome
seat_insert(struct sql *sql, struct store_job *job, int32_t number)
{
    struct store_seat *seat = &job->seats[number];
    struct row row;
    enum outcome outcome = OUTCOME_OK;

    seat->player = 0;
    if (seat->name != NULL) {
        outcome = player_find(sql, job, seat);
    } else if (seat->origin_player != 0) {
        outcome = player_make_forgotten(sql, job, seat);
    }
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    row = sql_row(sql, SQL_SEAT_INSERT_ORIGIN);
    row_put_number(&row, job->match_id);
    row_put_number(&row, number);
    row_put_number_or_null(&row, seat->player, 0);
    row_put_number(&row, seat->is_bot);
    row_put_number_or_null(&row, seat->origin_player, 0);
    return row_run(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

/* ---- the match --------------------------------------------------------------------------- */

static bool
origin_insert(struct sql *sql, const struct store_job *job)
{
    struct row row = sql_row(sql, SQL_ORIGIN_INSERT);

    row_put_number(&row, job->match_id);
    row_put_number(&row, job->match.origin);
    row_put_number(&row, job->at_ms);
    return row_run(&row);
}

enum outcome
sql_match_import(struct sql *sql, struct store_job *job)
{
    enum outcome outcome;

    if (job->match.origin < 1 || job->record_count == 0 || job->match.status != MATCH_OVER) {
        return job_refuse(job, STORE_UNAVAILABLE,
                          "only a finished match with an id can be imported");
    }
    outcome = expect_unknown(sql, job);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    if (!sql->calls->match_insert(sql, &job->match)) {
        return OUTCOME_ERROR;
    }
    job->match_id = job->match.id;
    if (!origin_insert(sql, job)) {
        return OUTCOME_ERROR;
    }
    for (int32_t seat = 0; outcome == OUTCOME_OK && seat < job->match.seat_count; seat++) {
        outcome = seat_insert(sql, job, seat);
    }
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    return sql->calls->records_insert(sql, job) ? OUTCOME_OK : OUTCOME_ERROR;
}
