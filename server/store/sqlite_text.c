/*
 * Texts for lists, HTTP and replays; store.h describes them.  Lists read the
 * public view, so that queries and pages agree.
 */
#include <stdio.h>
#include <stdlib.h>

#include "proto/utf8.h"
#include "server/memory.h"
#include "server/store/json_text.h"
#include "server/store/sqlite.h"

#define SQL_SIZE 2048

/* A damaged column must not make a list of many matches unreadable. */
#define JSON_OR_NULL(column) "CASE WHEN json_valid(" column ") THEN " column " END"

/*
 * The last resolved turn, as the view defines it but read from the newest
 * record alone, so the cost does not depend on the number of records.  Every
 * record holds the turn that was open; an `ended` record may follow the last
 * turn.
 */
#define LAST_TURN                                                                        \
    "(SELECT CASE r.kind WHEN 'turn' THEN r.turn WHEN 'ended' THEN "                     \
    "(SELECT b.turn FROM record b WHERE b.id = r.previous AND b.kind = 'turn') "         \
    "ELSE nullif(r.turn, 0) - 1 END FROM chain c JOIN record r ON r.id = c.last_record " \
    "AND r.match = c.match WHERE c.match = s.match)"

/* A match in a list, and what a single match has in addition. */
#define SUMMARY_COLUMNS                                                                          \
    "s.match, s.ruleset, s.version, s.status, s.is_open, s.is_rated, s.players, " LAST_TURN ", " \
    "s.created_at, s.started_at, s.ended_at, s.winner, s.reason, " JSON_OR_NULL("s.settings")
#define SUMMARY_STATUS 3 /* index of the status in it */
#define DETAIL_COLUMNS                                                          \
    "CASE WHEN s.status = 'over' OR NOT ?3 THEN " JSON_OR_NULL(                 \
        "m.params") " END, "                                                    \
                    "CASE WHEN s.status = 'over' THEN lower(hex(m.seed)) END, " \
                    "CASE WHEN s.status = 'over' THEN lower(hex(m.salt)) END, " \
                    "CASE WHEN s.status = 'over' THEN s.head END, CASE WHEN ?5 THEN m.code END"
#define TURN_COLUMNS                                                             \
    "turn, at, body -> '$.commands', body -> '$.verdicts', body -> '$.events', " \
    "body -> '$.used_ms', body -> '$.bank_ms', body -> '$.hash'"

static const char match_sql[] =
    "SELECT " SUMMARY_COLUMNS ", " DETAIL_COLUMNS " "
    "FROM match_summary s JOIN match m ON m.id = s.match WHERE s.match = ?1 "
    "AND (s.is_open OR m.code = ?4 "
    "OR EXISTS (SELECT 1 FROM seat WHERE match = ?1 AND player = ?2))";

/* First the ids of the turns, then their bodies one by one, so that reading can stop early. */
#define TURNS_WALK WALK("coalesce(w.turn > ?2, 1)")
static const char turns_sql[] =
    "SELECT " TURN_COLUMNS " FROM (" TURNS_WALK "SELECT id AS row FROM walk "
    "WHERE kind = 'turn' AND turn > ?2 AND turn < ?3 ORDER BY seq LIMIT -1) t "
    "CROSS JOIN record ON record.id = t.row";

/* As the view defines it, but through the index: the cost does not grow with the number of
 * players. */
#define STANDING_SQL                                                                              \
    "SELECT p.id, p.name, p.is_bot, t.games, t.wins, t.draws, t.losses, "                         \
    "CAST(round(t.rating) AS INTEGER), CAST(round(t.deviation) AS INTEGER), t.deviation > 110.0 " \
    "FROM standing t JOIN player p ON p.id = t.player WHERE t.ruleset = ?1 "
static const char own_standing_sql[] = STANDING_SQL "AND t.player = ?3 LIMIT ?2";
static const char leaders_sql[] = STANDING_SQL
    "ORDER BY t.deviation > 110.0, t.rating DESC, t.wins DESC, t.losses, t.player LIMIT ?2";

/* Ratings exist per ruleset, so there is none for all together. */
static const char all_leaders_sql[] =
    "SELECT p.id AS player, p.name, p.is_bot, sum(t.games), sum(t.wins) AS wins, sum(t.draws), "
    "sum(t.losses) AS losses FROM standing t JOIN player p ON p.id = t.player "
    "GROUP BY t.player ORDER BY wins DESC, losses, t.player LIMIT ?2";

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

static bool
prepare(struct sqlite *sqlite, const char *sql, struct row *ret_row)
{
    *ret_row = (struct row){ .next = 1 };
    return sqlite3_prepare_v2(sqlite->db, sql, -1, &ret_row->statement, NULL) == SQLITE_OK;
}

/* Finalizes a statement that was prepared here. */
static enum outcome
finish(struct row *row)
{
    return sqlite3_finalize(row->statement) == SQLITE_OK ? OUTCOME_OK : OUTCOME_ERROR;
}

static int32_t
limit_of(const struct store_text_query *query, int32_t standard, int32_t max)
{
    if (query->limit <= 0) {
        return standard;
    }
    return query->limit < max ? query->limit : max;
}

/* The statement contains only the conditions asked for, so that SQLite picks the best index. */
static bool
prepare_matches(struct sqlite *sqlite, const struct store_text_query *query, struct row *ret_row)
{
    char sql[SQL_SIZE];

    (void)snprintf(sql, sizeof(sql),
                   "SELECT " SUMMARY_COLUMNS " FROM match_summary s WHERE %s%s%s "
                   "AND s.match < ?4 ORDER BY s.match DESC",
                   query->player != 0 ? "s.match IN (SELECT match FROM seat WHERE player = ?1)"
                                      : "s.is_open",
                   query->status[0] != '\0' ? " AND s.status = ?2" : "",
                   query->ruleset[0] != '\0' ? " AND s.ruleset = ?3" : "");
    if (!prepare(sqlite, sql, ret_row)) {
        return false;
    }
    (void)sqlite3_bind_int64(ret_row->statement, 1, query->player);
    (void)sqlite3_bind_text(ret_row->statement, 2, query->status, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(ret_row->statement, 3, query->ruleset, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(ret_row->statement, 4, query->after > 0 ? query->after : INT64_MAX);
    return true;
}

static enum outcome
text_matches(struct sqlite *sqlite, struct store_job *job, struct json_text *text)
{
    int32_t limit = limit_of(&job->query, STORE_LIST_DEFAULT, STORE_LIST_MAX);
    int64_t last = 0;
    int64_t next = 0;
    struct row row;

    if (!prepare_matches(sqlite, &job->query, &row)) {
        return OUTCOME_ERROR;
    }
    json_text_add(text, write_list_begin, "matches");
    for (int32_t count = 0; row_step(&row); count++) {
        if (count == limit) {
            next = last;
            break;
        }
        json_text_add(text, write_listed, &row);
        last = sqlite3_column_int64(row.statement, 0);
    }
    json_text_add(text, write_matches_end, &next);
    job->text.after = next;
    return finish(&row);
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
match_add(struct sqlite *sqlite, struct store_job *job, struct json_text *text, bool *ret_is_over)
{
    struct row row;
    bool is_there;

    if (!prepare(sqlite, match_sql, &row)) {
        return OUTCOME_ERROR;
    }
    row_put_number(&row, job->query.match_id);
    row_put_number(&row, job->query.player);
    row_put_number(&row, job->query.hides_params ? 1 : 0);
    row_put_text(&row, job->query.code);
    row_put_number(&row, job->query.kind == QUERY_MATCH ? 1 : 0); /* includes the code */
    is_there = row_step(&row);
    if (is_there) {
        struct row status = { .statement = row.statement, .next = SUMMARY_STATUS };

        *ret_is_over =
            sk_text_same(row_take_text(&status), sk_text_of(store_match_status_names[MATCH_OVER]));
        json_text_add(text, write_match, &row);
    }
    if (finish(&row) != OUTCOME_OK) {
        return OUTCOME_ERROR;
    }
    return is_there ? OUTCOME_OK
                    : job_refuse(job, STORE_NOT_FOUND, "there is no match %lld",
                                 (long long)job->query.match_id);
}

static enum outcome
text_match(struct sqlite *sqlite, struct store_job *job, struct json_text *text)
{
    bool is_over;
    enum outcome outcome = match_add(sqlite, job, text, &is_over);

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
turns_add(struct sqlite *sqlite, const struct store_text_query *query, bool is_over,
          struct turns_part *part)
{
    int32_t limit = limit_of(query, STORE_REPLAY_DEFAULT, STORE_REPLAY_MAX);
    struct turn_line line = { .has_hash = is_over };
    int64_t last = STORE_NO_TURN;

    if (!prepare(sqlite, turns_sql, &line.row)) {
        return OUTCOME_ERROR;
    }
    row_put_number(&line.row, query->match_id);
    row_put_number(&line.row, query->after);
    row_put_number(&line.row, is_over ? INT64_MAX : query->turn_max);
    for (int32_t count = 0; row_step(&line.row); count++) {
        if (count == limit || part->lines.out.used >= STORE_REPLAY_BYTES_MAX ||
            (count > 0 && sqlite_has_used(sqlite, STORE_TEXT_MAX_MS, STORE_REPLAY_MAX_MS))) {
            part->next = last;
            break;
        }
        json_text_add(&part->lines, write_turn, &line);
        sqlite_look_up(sqlite);
        last = sqlite3_column_int64(line.row.statement, 0);
    }
    return finish(&line.row);
}

static enum outcome
expect_records(struct sqlite *sqlite, struct store_job *job)
{
    struct row row = sqlite_row(sqlite, SQL_IS_PRUNED);
    bool is_pruned;

    row_put_number(&row, job->query.match_id);
    is_pruned = row_step(&row);
    if (!row_end(&row)) {
        return OUTCOME_ERROR;
    }
    return is_pruned ? job_refuse(job, STORE_PRUNED, "its records were pruned") : OUTCOME_OK;
}

static enum outcome
text_replay(struct sqlite *sqlite, struct store_job *job, struct json_text *text)
{
    struct store_seat seats[STORE_SEATS_MAX] = { 0 };
    struct turns_part part = { .seats = seats, .next = STORE_NO_TURN };
    bool is_over = false;
    enum outcome outcome = match_add(sqlite, job, text, &is_over);

    if (outcome == OUTCOME_OK) {
        outcome = expect_records(sqlite, job);
    }
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    json_text_init(&part.lines);
    outcome = sqlite_seats_load(sqlite, job, job->query.match_id, seats, &part.seat_count);
    if (outcome == OUTCOME_OK) {
        outcome = turns_add(sqlite, &job->query, is_over, &part);
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
    if (sqlite3_column_count(row.statement) > row.next) {
        put_number_or_null(out, "rating", &row);
        put_number_or_null(out, "deviation", &row);
        put_bool(out, "provisional", &row);
    }
    sk_json_end_object(out);
}

/* For one ruleset, for all together, or for the asker in one. */
static const char *
leaders_of(const struct store_text_query *query)
{
    if (query->ruleset[0] == '\0') {
        return all_leaders_sql;
    }
    return query->player != 0 ? own_standing_sql : leaders_sql;
}

static enum outcome
text_leaderboard(struct sqlite *sqlite, struct store_job *job, struct json_text *text)
{
    const char *ruleset = job->query.ruleset;
    struct row row;

    if (!prepare(sqlite, leaders_of(&job->query), &row)) {
        return OUTCOME_ERROR;
    }
    (void)sqlite3_bind_text(row.statement, 1, ruleset, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int(row.statement, 2,
                           limit_of(&job->query, STORE_LIST_DEFAULT, STORE_LIST_MAX));
    (void)sqlite3_bind_int64(row.statement, 3, job->query.player);
    json_text_add(text, write_list_begin, "leaderboard");
    while (row_step(&row)) {
        json_text_add(text, write_leader, &row);
    }
    json_text_add(text, write_list_end, NULL);
    return finish(&row);
}

/* ---- the job ----------------------------------------------------------------------------- */

static enum outcome
text_of_query(struct sqlite *sqlite, struct store_job *job, struct json_text *text)
{
    switch (job->query.kind) {
    case QUERY_MATCHES:
        return text_matches(sqlite, job, text);
    case QUERY_MATCH:
        return text_match(sqlite, job, text);
    case QUERY_REPLAY:
        return text_replay(sqlite, job, text);
    case QUERY_LEADERBOARD:
        return text_leaderboard(sqlite, job, text);
    case QUERY_STATISTICS:
    case QUERY_MOMENTS:
    case QUERY_PACK:
        break; /* executed by other threads */
    }
    return job_refuse(job, STORE_NOT_FOUND, "there is no such query");
}

enum outcome
sqlite_text(struct sqlite *sqlite, struct store_job *job)
{
    struct json_text text;
    enum outcome outcome;

    json_text_init(&text);
    sqlite_limit_time(sqlite, STORE_TEXT_MAX_MS);
    outcome = text_of_query(sqlite, job, &text);
    sqlite_limit_time(sqlite, 0);
    if (outcome == OUTCOME_OK) {
        free(job->text.at);
        job->text.at = json_text_take(&text, &job->text.length);
    }
    json_text_fini(&text);
    return outcome;
}
