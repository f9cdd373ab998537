/*
 * Texts for lists, HTTP and replays; options.h describes them.  Lists read the
 * public view, so that queries and pages agree.
 */
#include <stdio.h>
#include <stdlib.h>

#include "proto/utf8.h"
#include "server/memory.h"
#include "server/store/json_text.h"
#include "server/store/sql.h"

#define SQL_SIZE 2048

/* A damaged column must not make a list of many matches unreadable.  PostgreSQL has no such test;
 * there nothing else is stored. */
#define JSON_OR_NULL(column) "CASE WHEN json_valid(" column ") THEN " column " END"

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

/* A match in a list, and what a single match has in addition. */
#define SUMMARY_COLUMNS(last_turn, settings)                                                     \
    "s.match, s.ruleset, s.version, s.status, s.is_open, s.is_rated, s.players, " last_turn ", " \
    "s.created_at, s.started_at, s.ended_at, s.winner, s.reason, " settings
#define SQLITE_SUMMARY   SUMMARY_COLUMNS(LAST_TURN, JSON_OR_NULL("s.settings"))
#define POSTGRES_SUMMARY SUMMARY_COLUMNS("s.turn", "s.settings")
#define SUMMARY_STATUS   3 /* index of the status in it */
#define MATCH_SQL(summary, params, seed, salt)                                        \
    "SELECT " summary ", CASE WHEN s.status = 'over' OR ?3 = 0 THEN " params " END, " \
    "CASE WHEN s.status = 'over' THEN " seed " END, "                                 \
    "CASE WHEN s.status = 'over' THEN " salt " END, "                                 \
    "CASE WHEN s.status = 'over' THEN s.head END, CASE WHEN ?5 = 1 THEN m.code END "  \
    "FROM match_summary s JOIN match m ON m.id = s.match WHERE s.match = ?1 "         \
    "AND (s.is_open = 1 OR m.code = ?4 "                                              \
    "OR EXISTS (SELECT 1 FROM seat WHERE match = ?1 AND player = ?2))"
#define TURN_COLUMNS                                                       \
    "turn, at, body -> 'commands', body -> 'verdicts', body -> 'events', " \
    "body -> 'used_ms', body -> 'bank_ms', body -> 'hash'"

static const struct sql_text match_sql = {
    MATCH_SQL(SQLITE_SUMMARY, JSON_OR_NULL("m.params"), "lower(hex(m.seed))", "lower(hex(m.salt))"),
    MATCH_SQL(POSTGRES_SUMMARY, "m.params", "encode(m.seed, 'hex')", "encode(m.salt, 'hex')"),
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

/* As the view defines it, but through the index: the cost does not grow with the number of
 * players. */
#define STANDING_SQL                                                                              \
    "SELECT p.id, p.name, p.is_bot, t.games, t.wins, t.draws, t.losses, "                         \
    "CAST(round(t.rating) AS INTEGER), CAST(round(t.deviation) AS INTEGER), t.deviation > 110.0 " \
    "FROM standing t JOIN player p ON p.id = t.player WHERE t.ruleset = ? "
static const struct sql_text own_standing_sql = { STANDING_SQL "AND t.player = ? LIMIT ?", NULL };
static const struct sql_text leaders_sql = {
    STANDING_SQL
    "ORDER BY t.deviation > 110.0, t.rating DESC, t.wins DESC, t.losses, t.player LIMIT ?",
    NULL,
};

/* Ratings exist per ruleset, so there is none for all together. */
static const struct sql_text all_leaders_sql = {
    "SELECT p.id AS player, p.name, p.is_bot, sum(t.games), sum(t.wins) AS wins, sum(t.draws), "
    "sum(t.losses) AS losses FROM standing t JOIN player p ON p.id = t.player "
    "GROUP BY p.id ORDER BY wins DESC, losses, p.id LIMIT ?",
    NULL,
};

/* ---- pieces of JSON ---------------------------------------------------------------------- */

static void
put_number_or_null(struct sk_json_out *out, const char *key, struct row *row)
{
    bool is_null = row_is_null(row);
    int64_t number = row_take_number(row);

    sk_json_key(out, key);
    if (is_null) {
        sk_json_null(out);
    } else {
        sk_json_int(out, number);
    }
}

static void
put_bool(struct sk_json_out *out, const char *key, struct row *row)
{
    sk_json_key(out, key);
    sk_json_bool(out, row_take_number(row) != 0);
}

static void
put_string_or_null(struct sk_json_out *out, const char *key, struct row *row)
{
    struct sk_text text = row_take_text(row);

    sk_json_key(out, key);
    if (text.at == NULL) {
        sk_json_null(out);
    } else {
        sk_json_text(out, text);
    }
}

/* Omits a member that the match does not have (yet). */
static void
put_string_if_any(struct sk_json_out *out, const char *key, struct row *row)
{
    if (row_is_null(row)) {
        row->next++;
    } else {
        put_string_or_null(out, key, row);
    }
}

static bool
is_utf8(struct sk_text text)
{
    return sk_utf8_is_valid((const uint8_t *)text.at, (const uint8_t *)text.at + text.length);
}

/* A column that holds JSON.  SQLite does not validate the bytes of its strings. */
static void
put_json_or_null(struct sk_json_out *out, const char *key, struct row *row)
{
    struct sk_text json = row_take_text(row);

    sk_json_key(out, key);
    if (json.at != NULL && is_utf8(json)) {
        sk_json_raw(out, json);
    } else {
        sk_json_null(out);
    }
}

/* ---- matches ----------------------------------------------------------------------------- */

static void
put_summary(struct sk_json_out *out, struct row *row)
{
    put_number_or_null(out, "id", row);
    put_string_or_null(out, "ruleset", row);
    put_number_or_null(out, "version", row);
    put_string_or_null(out, "status", row);
    put_bool(out, "open", row);
    put_bool(out, "rated", row);
    put_json_or_null(out, "players", row);
    put_number_or_null(out, "turn", row);
    put_number_or_null(out, "created_at", row);
    put_number_or_null(out, "started_at", row);
    put_number_or_null(out, "ended_at", row);
    put_number_or_null(out, "winner", row);
    put_string_or_null(out, "reason", row);
    put_json_or_null(out, "settings", row);
}

static void
write_listed(struct sk_json_out *out, const void *context)
{
    struct row row = *(const struct row *)context;

    sk_json_begin_object(out);
    put_summary(out, &row);
    sk_json_end_object(out);
}

static void
write_list_begin(struct sk_json_out *out, const void *context)
{
    const char *key = context;

    sk_json_begin_object(out);
    sk_json_key(out, key);
    sk_json_begin_list(out);
}

static void
write_list_end(struct sk_json_out *out, const void *context)
{
    (void)context;
    sk_json_end_list(out);
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

/* Ends a statement that was prepared here. */
static enum outcome
finish(struct sql *sql, struct row *row)
{
    return sql->calls->finish(row) ? OUTCOME_OK : OUTCOME_ERROR;
}

/* The first value of a row. */
static int64_t
first_of(const struct row *row)
{
    struct row first = { row->calls, row->statement, 0 };

    return row_take_number(&first);
}

static int32_t
limit_of(const struct store_text_query *query, int32_t standard, int32_t max)
{
    if (query->limit <= 0) {
        return standard;
    }
    return query->limit < max ? query->limit : max;
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
    int32_t limit = limit_of(&job->query, STORE_LIST_DEFAULT, STORE_LIST_MAX);
    int64_t last = 0;
    int64_t next = 0;
    struct row row;

    if (!prepare_matches(sql, &job->query, limit + 1, &row)) {
        return OUTCOME_ERROR;
    }
    json_text_add(text, write_list_begin, "matches");
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
    return finish(sql, &row);
}

/* ---- one match --------------------------------------------------------------------------- */

/* Leaves the object open: a replay adds to it. */
static void
write_match(struct sk_json_out *out, const void *context)
{
    struct row row = *(const struct row *)context;

    sk_json_begin_object(out);
    put_summary(out, &row);
    put_json_or_null(out, "params", &row);
    put_string_if_any(out, "seed", &row);
    put_string_if_any(out, "salt", &row);
    put_string_if_any(out, "head", &row);
    put_string_if_any(out, "code", &row);
}

static void
write_object_end(struct sk_json_out *out, const void *context)
{
    (void)context;
    sk_json_end_object(out);
}

/* A private match is reported as not found to others than its players. */
static enum outcome
match_add(struct sql *sql, struct store_job *job, struct json_text *text, bool *ret_is_over)
{
    struct row row;
    bool is_there;

    if (!sql->calls->prepare(sql, &match_sql, &row)) {
        return OUTCOME_ERROR;
    }
    row_put_number(&row, job->query.match_id);
    row_put_number(&row, job->query.player);
    row_put_number(&row, job->query.hides_params ? 1 : 0);
    row_put_text(&row, job->query.code);
    row_put_number(&row, job->query.kind == QUERY_MATCH ? 1 : 0); /* includes the code */
    is_there = row_step(&row);
    if (is_there) {
        struct row status = { row.calls, row.statement, SUMMARY_STATUS };

        *ret_is_over =
            sk_text_same(row_take_text(&status), sk_text_of(store_match_status_names[MATCH_OVER]));
        json_text_add(text, write_match, &row);
    }
    if (finish(sql, &row) != OUTCOME_OK) {
        return OUTCOME_ERROR;
    }
    return is_there ? OUTCOME_OK
                    : job_refuse(job, STORE_NOT_FOUND, "there is no match %lld",
                                 (long long)job->query.match_id);
}

static enum outcome
text_match(struct sql *sql, struct store_job *job, struct json_text *text)
{
    bool is_over;
    enum outcome outcome = match_add(sql, job, text, &is_over);

    if (outcome == OUTCOME_OK) {
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

/* Lines are not separated by commas. */
static void
end_line(struct sk_json_out *out)
{
    out->follows_value = false;
    sk_json_raw(out, SK_TEXT("\n"));
    out->follows_value = false;
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
    end_line(out);
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
    put_number_or_null(out, "turn", &row);
    put_number_or_null(out, "at", &row);
    put_json_or_null(out, "commands", &row);
    put_json_or_null(out, "verdicts", &row);
    put_json_or_null(out, "events", &row);
    sk_json_key(out, "clocks");
    sk_json_begin_object(out);
    put_json_or_null(out, "used_ms", &row);
    put_json_or_null(out, "bank_ms", &row);
    sk_json_end_object(out);
    if (line->has_hash) {
        put_json_or_null(out, "hash", &row);
    }
    sk_json_end_object(out);
    end_line(out);
}

static enum outcome
turns_add(struct sql *sql, const struct store_text_query *query, bool is_over,
          struct turns_part *part)
{
    int32_t limit = limit_of(query, STORE_REPLAY_DEFAULT, STORE_REPLAY_MAX);
    struct turn_line line = { .has_hash = is_over };
    int64_t last = STORE_NO_TURN;

    if (!sql->calls->prepare(sql, &turns_sql, &line.row)) {
        return OUTCOME_ERROR;
    }
    row_put_number(&line.row, query->match_id);
    row_put_number(&line.row, query->after);
    row_put_number(&line.row, is_over ? INT32_MAX : query->turn_max);
    row_put_number(&line.row, limit + 1);
    for (int32_t count = 0; row_step(&line.row); count++) {
        if (count == limit || part->lines.out.used >= STORE_REPLAY_BYTES_MAX ||
            (count > 0 && sql_has_used(sql, STORE_TEXT_MAX_MS, STORE_REPLAY_MAX_MS))) {
            part->next = last;
            break;
        }
        json_text_add(&part->lines, write_turn, &line);
        sql_look_up(sql);
        last = first_of(&line.row);
    }
    return finish(sql, &line.row);
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
    bool is_over = false;
    enum outcome outcome = match_add(sql, job, text, &is_over);

    if (outcome == OUTCOME_OK) {
        outcome = expect_records(sql, job);
    }
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    json_text_init(&part.lines);
    outcome = sql_seats_load(sql, job, job->query.match_id, seats, &part.seat_count);
    if (outcome == OUTCOME_OK) {
        outcome = turns_add(sql, &job->query, is_over, &part);
    }
    if (outcome == OUTCOME_OK) {
        json_text_add(text, write_part, &part);
    }
    json_text_fini(&part.lines);
    store_seats_fini(seats);
    return outcome;
}

/* ---- leaderboard ------------------------------------------------------------------------- */

static void
write_leader(struct sk_json_out *out, const void *context)
{
    struct row row = *(const struct row *)context;

    sk_json_begin_object(out);
    put_number_or_null(out, "player", &row);
    put_string_or_null(out, "name", &row);
    put_bool(out, "bot", &row);
    put_number_or_null(out, "games", &row);
    put_number_or_null(out, "wins", &row);
    put_number_or_null(out, "draws", &row);
    put_number_or_null(out, "losses", &row);
    if (row.calls->column_count(&row) > row.next) {
        put_number_or_null(out, "rating", &row);
        put_number_or_null(out, "deviation", &row);
        put_bool(out, "provisional", &row);
    }
    sk_json_end_object(out);
}

/* For one ruleset, for all together, or for the asker in one. */
static const struct sql_text *
leaders_of(const struct store_text_query *query)
{
    if (query->ruleset[0] == '\0') {
        return &all_leaders_sql;
    }
    return query->player != 0 ? &own_standing_sql : &leaders_sql;
}

static enum outcome
text_leaderboard(struct sql *sql, struct store_job *job, struct json_text *text)
{
    const struct store_text_query *query = &job->query;
    struct row row;

    if (!sql->calls->prepare(sql, leaders_of(query), &row)) {
        return OUTCOME_ERROR;
    }
    if (query->ruleset[0] != '\0') {
        row_put_text(&row, query->ruleset);
    }
    if (query->ruleset[0] != '\0' && query->player != 0) {
        row_put_number(&row, query->player);
    }
    row_put_number(&row, limit_of(query, STORE_LIST_DEFAULT, STORE_LIST_MAX));
    json_text_add(text, write_list_begin, "leaderboard");
    while (row_step(&row)) {
        json_text_add(text, write_leader, &row);
    }
    json_text_add(text, write_list_end, NULL);
    return finish(sql, &row);
}

/* ---- the job ----------------------------------------------------------------------------- */

static enum outcome
text_of_query(struct sql *sql, struct store_job *job, struct json_text *text)
{
    switch (job->query.kind) {
    case QUERY_MATCHES:
        return text_matches(sql, job, text);
    case QUERY_MATCH:
        return text_match(sql, job, text);
    case QUERY_REPLAY:
        return text_replay(sql, job, text);
    case QUERY_LEADERBOARD:
        return text_leaderboard(sql, job, text);
    case QUERY_STATISTICS:
    case QUERY_MOMENTS:
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
