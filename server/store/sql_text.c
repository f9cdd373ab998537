/*
 * Texts for lists, HTTP and replays; options.h describes them.  Lists read the
 * public view, so that queries and pages agree.
 */
#include <stdio.h>
#include <stdlib.h>

#include "server/memory.h"
#include "server/store/json_text.h"
#include "server/store/sql.h"
#include "server/store/sql_put.h"

#define SQL_SIZE 2048

/*
 * The last resolved turn, as the view defines it but read from the newest
 * record alone, so the cost does not depend on the number of records.  Every
 * record holds the turn that was open; an `ended` record may follow the last
 * turn.  PostgreSQL's view does the same with an index.
 */
#define LAST_TURN                                                                        \
    "(SELECT CASE r.kind WHEN 'turn' THEN r.turn WHEN 'ended' THEN "                     \
    "(SELECT b.turn FROM record b WHERE b.id = r.previous AND b.kind = 'turn') "         \
    "ELSE nullif(r.turn, 0) - 1 END FROM chain c JOIN record r ON r.id = c.last_record " \
    "AND r.match = c.match WHERE c.match = s.match)"

/* Of each seat's player in this ruleset: after the match if it counted, else now. */
#define RATING_FROM                                                                      \
    "FROM seat z LEFT JOIN standing t ON t.ruleset = s.ruleset AND t.player = z.player " \
    "WHERE z.match = s.match"
#define RATING_NOW "CAST(round(coalesce(z.rating_after, t.rating)) AS INTEGER)"
#define RATING_CHANGE \
    "CAST(round(z.rating_after) AS INTEGER) - CAST(round(z.rating_before) AS INTEGER)"
#define SQLITE_RATINGS                                                                             \
    "(SELECT json_group_array(json(q.value)) FROM (SELECT CASE WHEN t.player IS NULL THEN 'null' " \
    "ELSE json_object('rating', " RATING_NOW ", 'provisional', "                                   \
    "json(iif(t.deviation > 110.0, 'true', 'false')), 'change', " RATING_CHANGE                    \
    ") END AS value " RATING_FROM " ORDER BY z.seat) q)"
#define POSTGRES_RATINGS                                                                           \
    "(SELECT json_agg(CASE WHEN t.player IS NOT NULL THEN json_build_object('rating', " RATING_NOW \
    ", 'provisional', t.deviation > 110.0, 'change', " RATING_CHANGE                               \
    ") END ORDER BY z.seat) " RATING_FROM ")"

/* A match in a list, and what a single match has in addition. */
#define SUMMARY_COLUMNS(ratings, last_turn)                                               \
    "s.match, s.ruleset, s.version, s.status, s.is_open, s.is_rated, s.players, " ratings \
    ", " last_turn ", s.created_at, s.started_at, s.ended_at, s.winner, s.reason, s.settings"
#define SQLITE_SUMMARY   SUMMARY_COLUMNS(SQLITE_RATINGS, LAST_TURN)
#define POSTGRES_SUMMARY SUMMARY_COLUMNS(POSTGRES_RATINGS, "s.turn")
#define IS_OVER          "CASE WHEN s.status = 'over' THEN "

/* What decides how much of it may be known, and the match.  Settings that are not JSON, which
 * PostgreSQL cannot test before version 16, must not make it unreadable. */
#define SQLITE_DELAY   "iif(json_valid(m.settings), m.settings ->> '$.spectator_delay', NULL)"
#define POSTGRES_DELAY "substring(m.settings from '\"spectator_delay\": *([0-9]{1,6})')::integer"
#define MATCH_SQL(summary, last_turn, delay, seed, salt)                                \
    "SELECT s.ruleset, s.version, " IS_OVER                                             \
    "1 ELSE 0 END, CASE WHEN s.status = 'running' THEN " last_turn " + 1 - " delay      \
    " END, " summary ", m.params, " IS_OVER seed " END, " IS_OVER salt " END, " IS_OVER \
    "s.head END, CASE WHEN ?4 = 1 THEN m.code END "                                     \
    "FROM match_summary s JOIN match m ON m.id = s.match WHERE s.match = ?1 "           \
    "AND (s.is_open = 1 OR m.code = ?3 "                                                \
    "OR EXISTS (SELECT 1 FROM seat WHERE match = ?1 AND player = ?2))"
#define TURN_COLUMNS                                                       \
    "turn, at, body -> 'commands', body -> 'verdicts', body -> 'events', " \
    "body -> 'used_ms', body -> 'bank_ms', body -> 'hash'"

static const struct sql_text match_sql = {
    MATCH_SQL(SQLITE_SUMMARY, LAST_TURN, SQLITE_DELAY, "lower(hex(m.seed))", "lower(hex(m.salt))"),
    MATCH_SQL(POSTGRES_SUMMARY, "s.turn", POSTGRES_DELAY, "encode(m.seed, 'hex')",
              "encode(m.salt, 'hex')"),
};

/* First the ids of the turns, then their bodies one by one, so that reading can stop early. */
#define TURNS_WALK WALK("coalesce(w.turn > ?2, 1)")
static const struct sql_text turns_sql = {
    "SELECT " TURN_COLUMNS " FROM (" TURNS_WALK "SELECT id AS row FROM walk "
    "WHERE kind = 'turn' AND turn > ?2 AND turn < ?3 ORDER BY seq LIMIT ?4) t "
    "CROSS JOIN record ON record.id = t.row",
    "SELECT " TURN_COLUMNS " FROM record WHERE match = ?1 AND kind = 'turn' "
    "AND turn > ?2 AND turn < ?3 ORDER BY seq LIMIT ?4",
};

/* ---- matches ----------------------------------------------------------------------------- */

static void
put_summary(struct sk_json_out *out, struct row *row)
{
    row_write_number(out, "id", row);
    row_write_text(out, "ruleset", row);
    row_write_number(out, "version", row);
    row_write_text(out, "status", row);
    row_write_bool(out, "open", row);
    row_write_bool(out, "rated", row);
    row_write_json(out, "players", row);
    row_write_json(out, "ratings", row);
    row_write_number(out, "turn", row);
    row_write_number(out, "created_at", row);
    row_write_number(out, "started_at", row);
    row_write_number(out, "ended_at", row);
    row_write_number(out, "winner", row);
    row_write_text(out, "reason", row);
    row_write_json_checked(out, "settings", row);
}

static void
write_listed(struct sk_json_out *out, const void *context)
{
    struct row row = *(const struct row *)context;

    sk_json_begin_object(out);
    put_summary(out, &row);
    sk_json_end_object(out);
}

/* `context` is the id to continue after, or 0. */
static void
write_matches_end(struct sk_json_out *out, const void *context)
{
    int64_t next = *(const int64_t *)context;

    sk_json_end_list(out);
    sk_json_key(out, "next");
    if (next == 0) {
        sk_json_null(out);
    } else {
        sk_json_int(out, next);
    }
    sk_json_end_object(out);
}

/* The first value of a row. */
static int64_t
first_of(const struct row *row)
{
    struct row first = { row->calls, row->statement, 0 };

    return row_take_number(&first);
}

#define MATCHES_FORM \
    "SELECT %s FROM match_summary s WHERE %s%s%s AND s.match < ? ORDER BY s.match DESC LIMIT ?"

static void
write_matches_sql(const struct store_text_query *query, const char *columns, char ret_sql[SQL_SIZE])
{
    (void)snprintf(ret_sql, SQL_SIZE, MATCHES_FORM, columns,
                   query->player != 0 ? "s.match IN (SELECT match FROM seat WHERE player = ?)"
                                      : "s.is_open = 1",
                   query->status[0] != '\0' ? " AND s.status = ?" : "",
                   query->ruleset[0] != '\0' ? " AND s.ruleset = ?" : "");
}

/* The statement contains only the conditions asked for, so that the best index is picked. */
static bool
prepare_matches(struct sql *sql, const struct store_text_query *query, int32_t limit,
                struct row *ret_row)
{
    char sqlite[SQL_SIZE];
    char postgres[SQL_SIZE];

    write_matches_sql(query, SQLITE_SUMMARY, sqlite);
    write_matches_sql(query, POSTGRES_SUMMARY, postgres);
    if (!sql->calls->prepare(sql, &(struct sql_text){ sqlite, postgres }, ret_row)) {
        return false;
    }
    if (query->player != 0) {
        row_put_number(ret_row, query->player);
    }
    if (query->status[0] != '\0') {
        row_put_text(ret_row, query->status);
    }
    if (query->ruleset[0] != '\0') {
        row_put_text(ret_row, query->ruleset);
    }
    row_put_number(ret_row, query->after > 0 ? query->after : INT64_MAX);
    row_put_number(ret_row, limit);
    return true;
}

static enum outcome
text_matches(struct sql *sql, struct store_job *job, struct json_text *text)
{
    int32_t limit = text_limit(&job->query, STORE_LIST_DEFAULT, STORE_LIST_MAX);
    int64_t last = 0;
    int64_t next = 0;
    struct row row;

    if (!prepare_matches(sql, &job->query, limit + 1, &row)) {
        return OUTCOME_ERROR;
    }
    json_text_add(text, text_begin_list, "matches");
    for (int32_t count = 0; row_step(&row); count++) {
        if (count == limit) {
            next = last;
            break;
        }
        json_text_add(text, write_listed, &row);
        last = first_of(&row);
    }
    json_text_add(text, write_matches_end, &next);
    job->text.after = next;
    return text_finish(sql, &row);
}

/* ---- one match --------------------------------------------------------------------------- */

/* How much of a match may be known is decided by its row: another node may run it. */
struct shown {
    struct row row; /* the next value is the first of the match */
    bool is_over;
    bool has_params;
    int64_t turns; /* how many, from the first one on */
};

static struct shown
take_shown(struct row row, store_hides *hides)
{
    struct sk_text ruleset = row_take_text(&row);
    uint32_t version = (uint32_t)row_take_number(&row);
    bool is_over = row_take_number(&row) != 0;
    int64_t public_turns = row_take_number_or(&row, 0);
    uint32_t hidden = is_over         ? 0
                      : hides == NULL ? STORE_HIDES_TURNS | STORE_HIDES_PARAMS
                                      : hides(ruleset, version);

    return (struct shown){
        .row = row,
        .is_over = is_over,
        .has_params = (hidden & STORE_HIDES_PARAMS) == 0,
        .turns = is_over                             ? INT32_MAX
                 : (hidden & STORE_HIDES_TURNS) != 0 ? 0
                                                     : public_turns,
    };
}

/* Leaves the object open: a replay adds to it. */
static void
write_match(struct sk_json_out *out, const void *context)
{
    const struct shown *shown = context;
    struct row row = shown->row;

    sk_json_begin_object(out);
    put_summary(out, &row);
    if (shown->has_params) {
        row_write_json_checked(out, "params", &row);
    } else {
        sk_json_key(out, "params");
        sk_json_null(out);
        row.next++;
    }
    row_write_text_if_any(out, "seed", &row);
    row_write_text_if_any(out, "salt", &row);
    row_write_text_if_any(out, "head", &row);
    row_write_text_if_any(out, "code", &row);
}

static void
write_object_end(struct sk_json_out *out, const void *context)
{
    (void)context;
    sk_json_end_object(out);
}

/* A private match is reported as not found to others than its players. */
static enum outcome
match_add(struct sql *sql, struct store_job *job, struct json_text *text, struct shown *ret_shown)
{
    struct row row;
    bool is_there;

    if (!sql->calls->prepare(sql, &match_sql, &row)) {
        return OUTCOME_ERROR;
    }
    row_put_number(&row, job->query.match_id);
    row_put_number(&row, job->query.player);
    row_put_text(&row, job->query.code);
    row_put_number(&row, job->query.kind == QUERY_MATCH ? 1 : 0); /* includes the code */
    is_there = row_step(&row);
    if (is_there) {
        *ret_shown = take_shown(row, job->query.hides);
        if (job->query.kind == QUERY_CARD) {
            json_text_add(text, write_listed, &ret_shown->row);
        } else {
            json_text_add(text, write_match, ret_shown);
        }
    }
    if (text_finish(sql, &row) != OUTCOME_OK) {
        return OUTCOME_ERROR;
    }
    return is_there ? OUTCOME_OK
                    : job_refuse(job, STORE_NOT_FOUND, "there is no match %lld",
                                 (long long)job->query.match_id);
}

static enum outcome
text_match(struct sql *sql, struct store_job *job, struct json_text *text)
{
    struct shown shown;
    enum outcome outcome = match_add(sql, job, text, &shown);

    if (outcome == OUTCOME_OK && job->query.kind != QUERY_CARD) {
        json_text_add(text, write_object_end, NULL);
    }
    return outcome;
}

/* ---- replays ----------------------------------------------------------------------------- */

/* A part of a match's turns, and its header. */
struct turns_part {
    const struct store_seat *seats;
    int32_t seat_count;
    int64_t next; /* last turn if there are more, else STORE_NO_TURN */
    struct json_text lines;
};

static void
put_seat(struct sk_json_out *out, const struct store_seat *seat)
{
    if (seat->name == NULL) {
        sk_json_null(out);
        return;
    }
    sk_json_begin_object(out);
    sk_json_key(out, "player");
    sk_json_int(out, seat->player);
    sk_json_key(out, "name");
    sk_json_string(out, seat->name);
    sk_json_key(out, "bot");
    sk_json_bool(out, seat->is_bot);
    sk_json_end_object(out);
}

/* The rest of the header, and the lines. */
static void
write_part(struct sk_json_out *out, const void *context)
{
    const struct turns_part *part = context;

    sk_json_key(out, "seats");
    sk_json_begin_list(out);
    for (int32_t i = 0; i < part->seat_count; i++) {
        put_seat(out, &part->seats[i]);
    }
    sk_json_end_list(out);
    sk_json_key(out, "next");
    if (part->next == STORE_NO_TURN) {
        sk_json_null(out);
    } else {
        sk_json_int(out, part->next);
    }
    sk_json_end_object(out);
    sk_json_end_line(out);
    sk_json_raw(out, (struct sk_text){ part->lines.out.at, (uint32_t)part->lines.out.used });
}

struct turn_line {
    struct row row;
    bool has_hash;
};

static void
write_turn(struct sk_json_out *out, const void *context)
{
    const struct turn_line *line = context;
    struct row row = line->row;

    sk_json_begin_object(out);
    row_write_number(out, "turn", &row);
    row_write_number(out, "at", &row);
    row_write_json(out, "commands", &row);
    row_write_json(out, "verdicts", &row);
    row_write_json(out, "events", &row);
    sk_json_key(out, "clocks");
    sk_json_begin_object(out);
    row_write_json(out, "used_ms", &row);
    row_write_json(out, "bank_ms", &row);
    sk_json_end_object(out);
    if (line->has_hash) {
        row_write_json(out, "hash", &row);
    }
    sk_json_end_object(out);
    sk_json_end_line(out);
}

static enum outcome
turns_add(struct sql *sql, const struct store_text_query *query, const struct shown *shown,
          struct turns_part *part)
{
    int32_t limit = text_limit(query, STORE_REPLAY_DEFAULT, STORE_REPLAY_MAX);
    struct turn_line line = { .has_hash = shown->is_over };
    int64_t last = STORE_NO_TURN;

    if (!sql->calls->prepare(sql, &turns_sql, &line.row)) {
        return OUTCOME_ERROR;
    }
    row_put_number(&line.row, query->match_id);
    row_put_number(&line.row, query->after);
    row_put_number(&line.row, shown->turns);
    row_put_number(&line.row, limit + 1);
    for (int32_t count = 0; row_step(&line.row); count++) {
        if (count == limit || part->lines.out.used >= STORE_REPLAY_BYTES_MAX ||
            (count > 0 && sql_has_used(sql, STORE_REPLAY_MAX_MS))) {
            part->next = last;
            break;
        }
        json_text_add(&part->lines, write_turn, &line);
        sql_look_up(sql);
        last = first_of(&line.row);
    }
    return text_finish(sql, &line.row);
}

static enum outcome
expect_records(struct sql *sql, struct store_job *job)
{
    struct row row = sql_row(sql, SQL_IS_PRUNED);
    bool is_pruned;

    row_put_number(&row, job->query.match_id);
    is_pruned = row_step(&row);
    if (!row_end(&row)) {
        return OUTCOME_ERROR;
    }
    return is_pruned ? job_refuse(job, STORE_PRUNED, "its records were pruned") : OUTCOME_OK;
}

static enum outcome
text_replay(struct sql *sql, struct store_job *job, struct json_text *text)
{
    struct store_seat seats[STORE_SEATS_MAX] = { 0 };
    struct turns_part part = { .seats = seats, .next = STORE_NO_TURN };
    struct shown shown;
    enum outcome outcome = match_add(sql, job, text, &shown);

    if (outcome == OUTCOME_OK) {
        outcome = expect_records(sql, job);
    }
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    json_text_init(&part.lines);
    outcome = sql_seats_load(sql, job, job->query.match_id, seats, &part.seat_count);
    if (outcome == OUTCOME_OK) {
        outcome = turns_add(sql, &job->query, &shown, &part);
    }
    if (outcome == OUTCOME_OK) {
        json_text_add(text, write_part, &part);
    }
    json_text_fini(&part.lines);
    store_seats_fini(seats);
    return outcome;
}

/* ---- the job ----------------------------------------------------------------------------- */

static enum outcome
text_of_query(struct sql *sql, struct store_job *job, struct json_text *text)
{
    switch (job->query.kind) {
    case QUERY_MATCHES:
        return text_matches(sql, job, text);
    case QUERY_MATCH:
    case QUERY_CARD:
        return text_match(sql, job, text);
    case QUERY_REPLAY:
        return text_replay(sql, job, text);
    case QUERY_LEADERBOARD:
        return text_leaderboard(sql, job, text);
    case QUERY_QUEUE:
        return text_queue(sql, job, text);
    case QUERY_PLAYER:
        return text_player(sql, job, text);
    case QUERY_STATISTICS:
    case QUERY_MOMENTS:
    case QUERY_FILE:
    case QUERY_PACK:
        break; /* executed by other threads */
    }
    return job_refuse(job, STORE_NOT_FOUND, "there is no such query");
}

enum outcome
sql_text(struct sql *sql, struct store_job *job)
{
    struct json_text text;
    enum outcome outcome;

    json_text_init(&text);
    sql_limit_time(sql, STORE_TEXT_MAX_MS);
    outcome = text_of_query(sql, job, &text);
    sql_limit_time(sql, 0);
    if (outcome == OUTCOME_OK) {
        free(job->text.at);
        job->text.at = json_text_take(&text, &job->text.length);
    }
    json_text_fini(&text);
    return outcome;
}
