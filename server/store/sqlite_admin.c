/*
 * Operators' actions: a row of admin_log and its effects, in one transaction.
 */
#include "server/store/sqlite.h"

static enum outcome
find_player(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_PLAYER_BY_NAME);

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
ban(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_BAN_SET);

    row_put_number(&row, job->player.id);
    row_put_number(&row, job->at_ms);
    row_put_number_or_null(&row, job->admin.until_ms, 0);
    row_put_text(&row, job->admin.reason);
    return row_run(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

static enum outcome
unban(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_BAN_END);

    row_put_number(&row, job->player.id);
    if (!row_run(&row)) {
        return OUTCOME_ERROR;
    }
    return sqlite3_changes(sqlite->db) > 0
               ? OUTCOME_OK
               : job_refuse(job, STORE_NOT_FOUND, "%s is not banned", job->player.name);
}

/* The row stays for the matches; everything that identifies the person is removed. */
static enum outcome
forget(struct sqlite *sqlite, struct store_job *job)
{
    struct row unban = sqlite_row(sqlite, SQL_BAN_END);
    struct row log = sqlite_row(sqlite, SQL_ADMIN_FORGET);

    row_put_number(&unban, job->player.id);
    row_put_number(&log, job->player.id);
    if (!row_run(&unban) || !row_run(&log) ||
        !sqlite_player_forget(sqlite, job->player.id, job->at_ms, &job->player.name)) {
        return OUTCOME_ERROR;
    }
    sqlite->must_empty_log = true;
    return OUTCOME_OK;
}

static enum outcome
note(struct sqlite *sqlite, const struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_ADMIN_NOTE);

    row_put_number(&row, job->at_ms);
    row_put_number(&row, job->admin.uid);
    row_put_text(&row, job->admin.command);
    row_put_number_or_null(&row, job->match_id, 0);
    row_put_number_or_null(&row, job->player.id, 0);
    row_put_text(&row, job->admin.detail);
    return row_run(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

enum outcome
sqlite_admin(struct sqlite *sqlite, struct store_job *job)
{
    enum outcome outcome = OUTCOME_OK;

    if (job->player.name != NULL) {
        outcome = find_player(sqlite, job);
    }
    if (outcome == OUTCOME_OK && job->admin.bans) {
        outcome = ban(sqlite, job);
    }
    if (outcome == OUTCOME_OK && job->admin.unbans) {
        outcome = unban(sqlite, job);
    }
    if (outcome == OUTCOME_OK && job->admin.forgets) {
        outcome = forget(sqlite, job);
    }
    return outcome == OUTCOME_OK ? note(sqlite, job) : outcome;
}
