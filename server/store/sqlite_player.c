#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/frames.h"
#include "server/store/memory.h"
#include "server/store/sqlite.h"

static int64_t
wall_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum outcome
sqlite_player_create(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_PLAYER_INSERT);

    row_put_text(&row, job->player.name);
    row_put_bytes(&row, job->player.token_hash, STORE_HASH_BYTES);
    row_put_number(&row, job->player.is_bot);
    row_put_number(&row, job->at_ms != 0 ? job->at_ms : wall_ms());
    if (!row_run(&row)) {
        return OUTCOME_ERROR; /* a name that is there already is a constraint's matter */
    }
    job->player.id = sqlite3_last_insert_rowid(sqlite->db);
    return OUTCOME_OK;
}

enum outcome
sqlite_player_login(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_PLAYER_LOGIN);
    enum outcome outcome = OUTCOME_OK;

    row_put_bytes(&row, job->player.token_hash, STORE_HASH_BYTES);
    row_put_number(&row, job->at_ms != 0 ? job->at_ms : wall_ms());
    if (!row_step(&row)) {
        outcome = job_refuse(job, STORE_NOT_FOUND, "no player has this token");
    } else {
        job->player.id = row_take_number(&row);
        row_take_copy(&row, &job->player.name);
        job->player.is_bot = row_take_number(&row) != 0;
        if (!row_is_null(&row)) {
            outcome = job_refuse(job, STORE_BANNED, "%s", row_take_text(&row).at);
        }
    }
    return row_end(&row) ? outcome : OUTCOME_ERROR;
}

enum outcome
sqlite_token_renew(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_TOKEN_RENEW);

    row_put_bytes(&row, job->player.token_hash, STORE_HASH_BYTES);
    row_put_number(&row, job->player.id);
    if (!row_run(&row)) {
        return OUTCOME_ERROR;
    }
    if (sqlite3_changes(sqlite->db) == 0) {
        return job_refuse(job, STORE_NOT_FOUND, "there is no player %lld",
                          (long long)job->player.id);
    }
    return OUTCOME_OK;
}

/* ---- bots of the server's ---------------------------------------------------------------- */

#define NAME_TRIES 8

/* Whether the name is taken, and the number that the next player will have. */
static bool
find_name(struct sqlite *sqlite, const char *name, bool *ret_is_taken, int64_t *ret_next)
{
    struct row row = sqlite_row(sqlite, SQL_NAME_FIND);

    row_put_text(&row, name);
    if (row_step(&row)) {
        *ret_is_taken = row_take_number(&row) != 0;
        *ret_next = row_take_number(&row);
    }
    return row_end(&row);
}

/* The wish, or with a number behind it: a guest, or another bot, may have had it first. */
static enum outcome
choose_name(struct sqlite *sqlite, struct store_job *job)
{
    char name[FRAME_PLAYER_NAME_MAX + 1];
    bool is_taken = true;
    int64_t next = 0;

    (void)snprintf(name, sizeof(name), "%s", job->player.name);
    for (int64_t i = 0; is_taken && i < NAME_TRIES; i++) {
        if (!find_name(sqlite, name, &is_taken, &next)) {
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
    job->player.name = memory_copy_text(name, strlen(name));
    return OUTCOME_OK;
}

static enum outcome
find_bot(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_BOT_FIND);

    job->player.id = 0;
    row_put_text(&row, job->player.bot);
    if (row_step(&row)) {
        job->player.id = row_take_number(&row);
        row_take_copy(&row, &job->player.name);
    }
    return row_end(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

/* The same bot is always the same player. */
enum outcome
sqlite_bot_player(struct sqlite *sqlite, struct store_job *job)
{
    enum outcome outcome = find_bot(sqlite, job);
    struct row row;

    if (outcome != OUTCOME_OK || job->player.id != 0) {
        return outcome;
    }
    outcome = choose_name(sqlite, job);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    row = sqlite_row(sqlite, SQL_BOT_INSERT);
    row_put_text(&row, job->player.name);
    row_put_bytes(&row, job->player.token_hash, STORE_HASH_BYTES);
    row_put_number(&row, true);
    row_put_number(&row, job->at_ms != 0 ? job->at_ms : wall_ms());
    row_put_text(&row, job->player.bot);
    if (!row_run(&row)) {
        return OUTCOME_ERROR;
    }
    job->player.id = sqlite3_last_insert_rowid(sqlite->db);
    return OUTCOME_OK;
}

enum outcome
sqlite_beat(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_BEAT_SET);

    row_put_number(&row, job->at_ms);
    return row_run(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

/* ---- lists of ids ------------------------------------------------------------------------ */

/* All rows of a statement whose values are put, as the job's ids. */
static enum outcome
take_ids(struct row *row, struct store_job *job)
{
    uint32_t room = 0;

    job->id_count = 0;
    while (row_step(row)) {
        if (job->id_count == room) {
            room = room == 0 ? 16 : 2 * room;
            job->ids = memory_grow(job->ids, room * sizeof(*job->ids));
        }
        job->ids[job->id_count++] = row_take_number(row);
    }
    return row_end(row) ? OUTCOME_OK : OUTCOME_ERROR;
}

static enum outcome
take_beat(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_BEAT_GET);

    job->last_beat_ms = row_step(&row) ? row_take_number(&row) : 0;
    return row_end(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

static enum outcome
count_quarantined(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_QUARANTINED);

    job->quarantined_count = row_step(&row) ? (uint32_t)row_take_number(&row) : 0;
    return row_end(&row) ? OUTCOME_OK : OUTCOME_ERROR;
}

enum outcome
sqlite_unfinished(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_UNFINISHED);
    enum outcome outcome;

    row_put_number(&row, job->after);
    row_put_number(&row, job->limit > 0 ? job->limit : -1); /* no limit */
    outcome = take_ids(&row, job);
    if (outcome == OUTCOME_OK) {
        outcome = take_beat(sqlite, job);
    }
    return outcome == OUTCOME_OK ? count_quarantined(sqlite, job) : outcome;
}

enum outcome
sqlite_player_matches(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_PLAYER_MATCHES);

    row_put_number(&row, job->player.id);
    return take_ids(&row, job);
}

/* The first row of a statement whose values are put, as the job's match. */
static enum outcome
take_match(struct row *row, struct store_job *job, const char *missing)
{
    job->match.id = row_step(row) ? row_take_number(row) : 0;
    if (!row_end(row)) {
        return OUTCOME_ERROR;
    }
    return job->match.id != 0 ? OUTCOME_OK : job_refuse(job, STORE_NOT_FOUND, "%s", missing);
}

enum outcome
sqlite_match_by_code(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_MATCH_BY_CODE);

    row_put_text(&row, job->match.code);
    return take_match(&row, job, "no match has this code");
}

enum outcome
sqlite_rematch_find(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_REMATCH_FIND);

    row_put_number(&row, job->match.rematch_of);
    return take_match(&row, job, "it is not played again");
}

bool
sqlite_player_forget(struct sqlite *sqlite, int64_t player, int64_t at_ms, char **name)
{
    struct row row = sqlite_row(sqlite, SQL_PLAYER_FORGET);
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
        *name = memory_copy_text(text, (size_t)length);
    }
    return true;
}
