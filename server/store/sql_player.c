#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/clock.h"
#include "server/memory.h"
#include "server/store/sql.h"

enum outcome
sql_player_create(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_PLAYER_INSERT);

    row_put_text(&row, job->player.name);
    row_put_bytes(&row, job->player.token_hash, STORE_HASH_BYTES);
    row_put_number(&row, job->player.is_bot);
    row_put_number(&row, job->at_ms != 0 ? job->at_ms : clock_ms(CLOCK_REALTIME));
    /* A duplicate name is a constraint error. */
    return row_run_for(&row, &job->player.id) ? OUTCOME_OK : OUTCOME_ERROR;
}

enum outcome
sql_player_login(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_PLAYER_LOGIN);
    enum outcome outcome = OUTCOME_OK;

    row_put_bytes(&row, job->player.token_hash, STORE_HASH_BYTES);
    row_put_number(&row, job->at_ms != 0 ? job->at_ms : clock_ms(CLOCK_REALTIME));
    if (!row_step(&row)) {
        outcome = job_refuse(job, STORE_NOT_FOUND, "no player has this token");
    } else {
        job->player.id = row_take_number(&row);
        (void)row_take_copy(&row, &job->player.name);
        job->player.is_bot = row_take_number(&row) != 0;
        if (!row_is_null(&row)) {
            outcome = job_refuse(job, STORE_BANNED, "%s", row_take_text(&row).at);
        }
    }
    return row_end(&row) ? outcome : OUTCOME_ERROR;
}

enum outcome
sql_token_renew(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_TOKEN_RENEW);

    row_put_bytes(&row, job->player.token_hash, STORE_HASH_BYTES);
    row_put_number(&row, job->player.id);
    if (!row_run(&row)) {
        return OUTCOME_ERROR;
    }
    if (sql->calls->changes(sql) == 0) {
        return job_refuse(job, STORE_NOT_FOUND, "there is no player %lld",
                          (long long)job->player.id);
    }
    return OUTCOME_OK;
}

enum outcome
sql_beat(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_BEAT_SET);

    row_put_number(&row, job->at_ms);
    if (!row_run(&row)) {
        return OUTCOME_ERROR;
    }
    for (uint32_t i = 0; i < job->beat.seen.count; i++) {
        struct row seen = sql_row(sql, SQL_PLAYER_SEEN);

        row_put_number(&seen, job->at_ms);
        row_put_number(&seen, job->beat.seen.at[i]);
        if (!row_run(&seen)) {
            return OUTCOME_ERROR;
        }
    }
    return OUTCOME_OK;
}

/* ---- lists of ids ------------------------------------------------------------------------ */

/* Takes all rows of a bound statement. */
static enum outcome
take_ids(struct row *row, struct store_ids *ids)
{
    uint32_t capacity = 0;

    ids->count = 0;
    while (row_step(row)) {
        if (ids->count == capacity) {
            capacity = capacity == 0 ? 16 : 2 * capacity;
            ids->at = heap_grow(ids->at, capacity * sizeof(*ids->at));
        }
        ids->at[ids->count++] = row_take_number(row);
    }
    return row_end(row) ? OUTCOME_OK : OUTCOME_ERROR;
}

static enum outcome
take_beat(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_BEAT_GET);

    job->unfinished.last_beat_ms = row_step(&row) ? row_take_number(&row) : 0;
    return row_end(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

static enum outcome
count_quarantined(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_QUARANTINED);

    job->unfinished.quarantined_count = row_step(&row) ? (uint32_t)row_take_number(&row) : 0;
    return row_end(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

enum outcome
sql_unfinished(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_UNFINISHED);
    enum outcome outcome;

    row_put_number(&row, job->unfinished.after);
    row_put_number(&row, job->unfinished.limit > 0 ? job->unfinished.limit : -1); /* no limit */
    outcome = take_ids(&row, &job->unfinished.ids);
    if (outcome == OUTCOME_OK) {
        outcome = take_beat(sql, job);
    }
    return outcome == OUTCOME_OK ? count_quarantined(sql, job) : outcome;
}

enum outcome
sql_player_matches(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_PLAYER_MATCHES);

    row_put_number(&row, job->player.id);
    return take_ids(&row, &job->matches);
}

/* Takes the first row of a bound statement as the job's match. */
static enum outcome
take_match(struct row *row, struct store_job *job, const char *missing)
{
    job->match_id = row_step(row) ? row_take_number(row) : 0;
    if (!row_end(row)) {
        return OUTCOME_ERROR;
    }
    return job->match_id != 0 ? OUTCOME_OK : job_refuse(job, STORE_NOT_FOUND, "%s", missing);
}

enum outcome
sql_match_by_code(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_MATCH_BY_CODE);

    row_put_text(&row, job->code);
    return take_match(&row, job, "no match has this code");
}

enum outcome
sql_rematch_find(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_REMATCH_FIND);

    row_put_number(&row, job->rematch_of);
    return take_match(&row, job, "there is no rematch");
}

bool
sql_player_forget(struct sql *sql, int64_t player, int64_t at_ms, char **name)
{
    struct row row = sql_row(sql, SQL_PLAYER_FORGET);
    uint8_t no_token[STORE_HASH_BYTES];
    char text[32];
    int length = snprintf(text, sizeof(text), STORE_FORGOTTEN "%lld", (long long)player);

    randombytes_buf(no_token, sizeof(no_token));
    row_put_number(&row, player);
    row_put_text(&row, text);
    row_put_bytes(&row, no_token, sizeof(no_token));
    row_put_number(&row, at_ms);
    if (!row_run(&row)) {
        return false;
    }
    if (name != NULL) {
        free(*name);
        *name = heap_copy(text, (size_t)length);
    }
    return true;
}
