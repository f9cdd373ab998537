/*
 * Operators' actions: a row of admin_log and its effects, in one transaction.
 */
#include "server/store/sql.h"

static enum outcome
find_player(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_PLAYER_BY_NAME);

    row_put_text(&row, job->player.name);
    job->player.id = row_step(&row) ? row_take_number(&row) : 0;
    if (!row_end(&row)) {
        return OUTCOME_ERROR;
    }
    return job->player.id != 0
               ? OUTCOME_OK
               : job_refuse(job, STORE_NOT_FOUND, "there is no player %s", job->player.name);
}

static enum outcome
ban(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_BAN_SET);

    row_put_number(&row, job->player.id);
    row_put_number(&row, job->at_ms);
    row_put_number_or_null(&row, job->admin.until_ms, 0);
    row_put_text(&row, job->admin.reason);
    return row_run(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

static enum outcome
unban(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_BAN_END);

    row_put_number(&row, job->player.id);
    if (!row_run(&row)) {
        return OUTCOME_ERROR;
    }
    return sql->calls->changes(sql) > 0
               ? OUTCOME_OK
               : job_refuse(job, STORE_NOT_FOUND, "%s is not banned", job->player.name);
}

/* The row stays for the matches; everything that identifies the person is removed. */
static enum outcome
forget(struct sql *sql, struct store_job *job)
{
    struct row unban = sql_row(sql, SQL_BAN_END);
    struct row log = sql_row(sql, SQL_ADMIN_FORGET);

    row_put_number(&unban, job->player.id);
    row_put_number(&log, job->player.id);
    if (!row_run(&unban) || !row_run(&log) ||
        !sql_player_forget(sql, job->player.id, job->at_ms, &job->player.name)) {
        return OUTCOME_ERROR;
    }
    sql->must_empty_log = true;
    return OUTCOME_OK;
}

static enum outcome
note(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_ADMIN_NOTE);

    row_put_number_or_null(&row, job->admin.drawn_id, 0); /* NULL: SQLite draws one */
    row_put_number(&row, job->at_ms);
    row_put_number(&row, job->admin.uid);
    row_put_text(&row, job->admin.command);
    row_put_number_or_null(&row, job->match_id, 0);
    row_put_number_or_null(&row, job->player.id, 0);
    row_put_text(&row, job->admin.detail);
    return row_run_for(&row, &job->admin.id) ? OUTCOME_OK : OUTCOME_ERROR;
}

enum outcome
sql_admin(struct sql *sql, struct store_job *job)
{
    enum outcome outcome = OUTCOME_OK;

    if (job->player.name != NULL) {
        outcome = find_player(sql, job);
    }
    if (outcome == OUTCOME_OK && job->admin.bans) {
        outcome = ban(sql, job);
    }
    if (outcome == OUTCOME_OK && job->admin.unbans) {
        outcome = unban(sql, job);
    }
    if (outcome == OUTCOME_OK && job->admin.forgets) {
        outcome = forget(sql, job);
    }
    return outcome == OUTCOME_OK ? note(sql, job) : outcome;
}
