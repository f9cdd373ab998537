/*
 * The server's bots: their players, and the log of web service calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/frames.h"
#include "server/clock.h"
#include "server/memory.h"
#include "server/store/sql.h"

/* ---- players ----------------------------------------------------------------------------- */

#define NAME_TRIES 8

/* Whether the name is taken, and the id that the next player gets. */
static bool
find_name(struct sql *sql, const char *name, bool *ret_is_taken, int64_t *ret_next)
{
    struct row row = sql_row(sql, SQL_NAME_FIND);

    row_put_text(&row, name);
    if (row_step(&row)) {
        *ret_is_taken = row_take_number(&row) != 0;
        *ret_next = row_take_number(&row);
    }
    return row_end(&row);
}

/* The wanted name, with a number appended if a guest or another bot has it. */
static enum outcome
choose_name(struct sql *sql, struct store_job *job)
{
    char name[FRAME_PLAYER_NAME_MAX + 1];
    bool is_taken = true;
    int64_t next = 0;

    (void)snprintf(name, sizeof(name), "%s", job->player.name);
    for (int64_t i = 0; is_taken && i < NAME_TRIES; i++) {
        if (!find_name(sql, name, &is_taken, &next)) {
            return OUTCOME_ERROR;
        }
        if (is_taken) {
            (void)snprintf(name, sizeof(name), "%.12s %lld", job->player.name,
                           (long long)(next + i));
        }
    }
    if (is_taken) {
        return job_refuse(job, STORE_TAKEN, "no name is free for a bot");
    }
    free(job->player.name);
    job->player.name = heap_copy(name, strlen(name));
    return OUTCOME_OK;
}

static enum outcome
find_bot(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_BOT_FIND);

    job->player.id = 0;
    row_put_text(&row, job->player.bot);
    if (row_step(&row)) {
        job->player.id = row_take_number(&row);
        (void)row_take_copy(&row, &job->player.name);
    }
    return row_end(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

/* One bot always has the same player. */
enum outcome
sql_bot_player(struct sql *sql, struct store_job *job)
{
    enum outcome outcome = find_bot(sql, job);
    struct row row;

    if (outcome != OUTCOME_OK || job->player.id != 0) {
        return outcome;
    }
    outcome = choose_name(sql, job);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    row = sql_row(sql, SQL_BOT_INSERT);
    row_put_text(&row, job->player.name);
    row_put_bytes(&row, job->player.token_hash, STORE_HASH_BYTES);
    row_put_number(&row, true);
    row_put_number(&row, job->at_ms != 0 ? job->at_ms : clock_ms(CLOCK_REALTIME));
    row_put_text(&row, job->player.bot);
    return row_run_for(&row, &job->player.id) ? OUTCOME_OK : OUTCOME_ERROR;
}

/* ---- calls ------------------------------------------------------------------------------- */

enum outcome
sql_bot_call(struct sql *sql, struct store_job *job)
{
    const struct store_bot_call *call = &job->bot_call;
    struct row row = sql_row(sql, SQL_BOT_CALL_INSERT);
    int64_t id;

    row_put_number(&row, job->match_id);
    row_put_number(&row, call->turn);
    row_put_number(&row, call->seat);
    row_put_text(&row, call->bot);
    row_put_number(&row, job->at_ms);
    row_put_number(&row, call->latency_ms);
    row_put_number_or_null(&row, call->status, 0);
    row_put_text(&row, call->error);
    row_put_text(&row, call->message);
    row_put_text(&row, call->request);
    row_put_text(&row, call->answer);
    if (!row_run_for(&row, &id)) {
        return OUTCOME_ERROR;
    }
    row = sql_row(sql, SQL_BOT_CALL_FORGET);
    row_put_number(&row, id - call->kept);
    return row_run(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}
