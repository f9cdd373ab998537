#include "server/store/statistics.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/utf8.h"
#include "server/clock.h"
#include "server/memory.h"
#include "server/store/pack.h"
#include "server/store/question.h"

#define FINISHED "m.status = 'over' AND m.started_at IS NOT NULL AND m.id > CAST(:after AS BIGINT)"

/* The records of these matches, last to first, each with its match's ruleset. */
#define PLAYED                                                                             \
    "WITH RECURSIVE played(id, previous, match, seq, ruleset, kind) AS ("                  \
    "SELECT r.id, r.previous, r.match, r.seq, m.ruleset, r.kind FROM match m "             \
    "JOIN chain c ON c.match = m.id JOIN record r ON r.id = c.last_record "                \
    "AND r.match = m.id WHERE " FINISHED                                                   \
    " UNION ALL SELECT r.id, r.previous, r.match, r.seq, p.ruleset, r.kind FROM played p " \
    "JOIN record r ON r.id = p.previous WHERE r.match = p.match AND r.seq < p.seq) "
#define BODY "CASE WHEN json_valid(r.body) THEN r.body ELSE 'null' END"

#define REFUSES                                                                   \
    "instr(replace(r.body, '{\"verdict\":\"ok\"}', ''), '\"verdict\":') > 0 AND " \
    "json_extract(v.value, '$.verdict') <> 'ok'"

#define SECTION_COLUMNS_MAX 10
#define SECTION_NAME_SIZE   16

/* Each is a list of rows; column names become member names. */
struct section {
    const char *name;
    const char *sql;
    const char *postgres; /* NULL: the same */
};

/* PostgreSQL finds a match's records by their key. */
#define POSTGRES_VERDICTS(lists)                                                              \
    "FROM match m JOIN record r ON r.match = m.id "                                           \
    "CROSS JOIN LATERAL json_array_elements(sk_list(r.body -> 'verdicts')) " lists            \
    " WHERE " FINISHED                                                                        \
    " AND position('\"verdict\":' IN replace(r.body::text, '{\"verdict\":\"ok\"}', '')) > 0 " \
    "AND v.value ->> 'verdict' <> 'ok' AND r.kind = "
#define POSTGRES_CELL(place)                                             \
    "coalesce(e.value -> 'at' ->> " place ", e.value -> 'to' ->> " place \
    ", e.value -> 'path' -> -1 ->> " place ", e.value -> 'target' ->> " place ")::bigint"

/* As in opening_turn: a seat's first turn of play, and the commands in it that counted. */
#define OPENING_TURNS "r.turn <= 6"
#define COUNTED       "IN ('ok', 'bounced')"
#define NO_PLAY       "NOT IN ('place', 'timeout', 'resign', 'abandon', 'agree_draw')"
#define SQLITE_LAST(place)                                       \
    "coalesce(json_extract(c.value, '$.path[#-1][" place "]'), " \
    "json_extract(c.value, '$.target[" place "]'), json_extract(c.value, '$.to[" place "]'))"
#define POSTGRES_LAST(place)                                                         \
    "coalesce(c.value -> 'path' -> -1 ->> " place ", c.value -> 'target' ->> " place \
    ", c.value -> 'to' ->> " place ")::bigint"

static const struct section sections[] = {
    { "days",
      "SELECT substr(datetime(created_at / 1000, 'unixepoch'), 1, 10) AS day, ruleset, "
      "count(*) AS matches, "
      "count(*) FILTER (WHERE status = 'over' AND started_at IS NOT NULL) AS finished "
      "FROM match WHERE created_at > 1000 * (unixepoch() - 86400 * CAST(:days AS INTEGER)) "
      "GROUP BY 1, ruleset ORDER BY day, ruleset",
      NULL },
    { "refusals", /* as in refusal_stats */
      PLAYED
      "SELECT ruleset, check_name AS \"check\", verdict, sum(submitted) AS submitted, "
      "sum(resolved) AS resolved FROM "
      "(SELECT p.ruleset AS ruleset, json_extract(v.value, '$.check') AS check_name, "
      "json_extract(v.value, '$.verdict') AS verdict, 1 AS submitted, 0 AS resolved "
      "FROM played p JOIN record r ON r.id = p.id, json_each(" BODY ", '$.verdicts') v "
      "WHERE p.kind = 'submission' AND " REFUSES " UNION ALL "
      "SELECT p.ruleset, json_extract(v.value, '$.check'), json_extract(v.value, '$.verdict'), 0, "
      "1 "
      "FROM played p JOIN record r ON r.id = p.id, json_each(" BODY ", '$.verdicts') seats, "
      "json_each(seats.value) v WHERE p.kind = 'turn' AND " REFUSES ") "
      "GROUP BY ruleset, check_name, verdict ORDER BY ruleset, "
      "sum(submitted) + sum(resolved) DESC, "
      "check_name, verdict",
      "SELECT ruleset, check_name AS \"check\", verdict, sum(submitted) AS submitted, "
      "sum(resolved) AS resolved FROM (SELECT m.ruleset, v.value ->> 'check' AS check_name, "
      "v.value ->> 'verdict' AS verdict, 1 AS submitted, 0 AS resolved " POSTGRES_VERDICTS(
          "v(value)") "'submission' UNION ALL "
                      "SELECT m.ruleset, v.value ->> 'check', v.value ->> 'verdict', 0, "
                      "1 " POSTGRES_VERDICTS(
                          "s(value) CROSS JOIN LATERAL json_array_elements(sk_list(s.value)) "
                          "v(value)") "'turn') u "
                                      "GROUP BY ruleset, check_name, verdict ORDER BY ruleset, "
                                      "sum(submitted) + sum(resolved) DESC, "
                                      "check_name COLLATE \"C\" NULLS FIRST, verdict COLLATE "
                                      "\"C\"" },
    { "seats",
      "SELECT m.ruleset AS ruleset, s.seat AS seat, count(*) AS games, "
      "count(*) FILTER (WHERE m.winner = s.seat) AS wins, "
      "count(*) FILTER (WHERE m.winner IS NULL) AS draws FROM match m JOIN seat s ON s.match = "
      "m.id WHERE " FINISHED " "
      "GROUP BY m.ruleset, s.seat ORDER BY m.ruleset, s.seat",
      NULL },
    { "models",
      "SELECT ruleset, model, count(*) AS games, sum(winner IS seat) AS wins, "
      "sum(winner IS NULL) AS draws FROM (SELECT DISTINCT m.id, m.ruleset AS ruleset, "
      "m.winner AS winner, json_extract(u.value, '$.model') AS model, "
      "json_extract(u.value, '$.seat') AS seat "
      "FROM match m, json_each(CASE WHEN json_valid(m.params) THEN m.params END, '$.units') u "
      "WHERE " FINISHED ") WHERE model IS NOT NULL AND seat IS NOT NULL "
      "GROUP BY ruleset, model ORDER BY ruleset, model",
      "SELECT ruleset, model COLLATE \"C\" AS model, count(*) AS games, "
      "count(*) FILTER (WHERE winner = seat) AS wins, "
      "count(*) FILTER (WHERE winner IS NULL) AS draws FROM (SELECT DISTINCT m.id, m.ruleset, "
      "m.winner, u.value ->> 'model' AS model, (u.value ->> 'seat')::integer AS seat FROM match m "
      "CROSS JOIN LATERAL json_array_elements(sk_list(m.params::json -> 'units')) u(value) "
      "WHERE " FINISHED ") d WHERE model IS NOT NULL AND seat IS NOT NULL "
      "GROUP BY ruleset, 2 ORDER BY ruleset, 2" },
    { "cells", /* as in bounce_cells */
      PLAYED "SELECT p.ruleset AS ruleset, "
             "coalesce(json_extract(e.value, '$.at[0]'), json_extract(e.value, '$.to[0]'), "
             "json_extract(e.value, '$.path[#-1][0]'), json_extract(e.value, '$.target[0]')) AS x, "
             "coalesce(json_extract(e.value, '$.at[1]'), json_extract(e.value, '$.to[1]'), "
             "json_extract(e.value, '$.path[#-1][1]'), json_extract(e.value, '$.target[1]')) AS y, "
             "count(*) AS bounces, count(DISTINCT p.match) AS matches "
             "FROM played p JOIN record r ON r.id = p.id, json_each(" BODY ", '$.events') e "
             "WHERE p.kind = 'turn' AND (instr(r.body, '\"kind\":\"bounced\"') > 0 "
             "OR instr(r.body, '\"kind\":\"collided\"') > 0) "
             "AND json_extract(e.value, '$.kind') IN ('bounced', 'collided') "
             "GROUP BY p.ruleset, x, y ORDER BY bounces DESC, p.ruleset, y, x "
             "LIMIT CAST(:cells AS INTEGER)",
      "SELECT m.ruleset, " POSTGRES_CELL("0") " AS x, " POSTGRES_CELL(
          "1") " AS y, "
               "count(*) AS bounces, count(DISTINCT m.id) AS matches FROM match m "
               "JOIN record r ON r.match = m.id "
               "CROSS JOIN LATERAL json_array_elements(sk_list(r.body -> 'events')) e(value) "
               "WHERE " FINISHED " AND r.kind = 'turn' "
               "AND (position('\"kind\":\"bounced\"' IN r.body::text) > 0 "
               "OR position('\"kind\":\"collided\"' IN r.body::text) > 0) "
               "AND e.value ->> 'kind' IN ('bounced', 'collided') GROUP BY m.ruleset, 2, 3 "
               "ORDER BY bounces DESC, m.ruleset, 3 NULLS FIRST, 2 NULLS FIRST "
               "LIMIT CAST(:cells AS INTEGER)" },
    { "openings",
      PLAYED
      ", early AS (SELECT p.match AS match, p.ruleset AS ruleset, s.key AS seat, "
      "json_extract(c.value, '$.kind') AS kind, json_extract(c.value, '$.unit') AS "
      "unit, " SQLITE_LAST("0") " AS x, " SQLITE_LAST(
          "1") " AS y, json_extract(c.value, '$.dir') AS dir, "
               "json_extract(c.value, '$.item') AS item, "
               "rank() OVER (PARTITION BY p.match, s.key ORDER BY r.turn) AS place "
               "FROM played p JOIN record r ON r.id = p.id, json_each(" BODY ", '$.commands') s, "
               "json_each(s.value) c WHERE p.kind = 'turn' AND " OPENING_TURNS " AND "
               "json_extract(r.body, '$.verdicts[' || s.key || '][' || c.key || "
               "'].verdict') " COUNTED " AND json_extract(c.value, '$.kind') " NO_PLAY ") "
               "SELECT e.ruleset AS ruleset, seat, kind, unit, x, y, dir, item, "
               "count(*) AS played, "
               "count(*) FILTER (WHERE m.winner = seat) AS won "
               "FROM early e JOIN match m ON m.id = e.match WHERE place = 1 "
               "GROUP BY e.ruleset, seat, kind, unit, x, y, dir, item "
               "ORDER BY played DESC, won DESC, e.ruleset, seat, kind, unit, y, x, dir, item "
               "LIMIT CAST(:orders AS INTEGER)",
      "SELECT ruleset, seat, kind, unit, x, y, dir, item, count(*) AS played, "
      "count(*) FILTER (WHERE winner = seat) AS won FROM (SELECT m.ruleset, m.winner, "
      "s.n - 1 AS seat, c.value ->> 'kind' AS kind, c.value ->> 'unit' AS unit, " POSTGRES_LAST(
          "0") " AS x, " POSTGRES_LAST("1") " AS y, c.value ->> 'dir' AS dir, "
                                            "c.value ->> 'item' AS item, "
                                            "rank() OVER (PARTITION BY m.id, s.n ORDER BY r.turn) "
                                            "AS place "
                                            "FROM match m JOIN record r ON r.match = m.id "
                                            "CROSS JOIN LATERAL json_array_elements(sk_list(r.body "
                                            "-> 'commands')) "
                                            "WITH ORDINALITY AS s(value, n) CROSS JOIN LATERAL "
                                            "json_array_elements(sk_list(s.value)) "
                                            "WITH ORDINALITY AS c(value, n) WHERE " FINISHED
                                            " AND r.kind = 'turn' AND " OPENING_TURNS
                                            " AND r.body -> 'verdicts' -> (s.n - 1)::integer -> "
                                            "(c.n - 1)::integer ->> 'verdict' " COUNTED
                                            " AND c.value ->> 'kind' " NO_PLAY
                                            ") e WHERE place = 1 "
                                            "GROUP BY ruleset, seat, kind, unit, x, y, dir, item "
                                            "ORDER BY "
                                            "played DESC, won DESC, "
                                            "ruleset COLLATE \"C\", seat, kind COLLATE \"C\", unit "
                                            "COLLATE \"C\" NULLS FIRST, "
                                            "y NULLS FIRST, x NULLS FIRST, dir COLLATE \"C\" "
                                            "NULLS FIRST, item COLLATE \"C\" NULLS FIRST "
                                            "LIMIT CAST(:orders AS "
                                            "INTEGER)" },
};

static const char after_sql[] =
    "SELECT coalesce(max(id), 0) - CAST(:matches AS INTEGER) AS after FROM match";

/* ---- rows as JSON ------------------------------------------------------------------------ */

struct rows {
    struct question_sink sink; /* must be first */
    struct json_object *list;
    char names[SECTION_COLUMNS_MAX][SECTION_NAME_SIZE];
};

static bool
take_names(struct question_sink *sink, const char *const *names, uint32_t count)
{
    struct rows *rows = (struct rows *)(void *)sink;

    SK_ASSERT(count <= SECTION_COLUMNS_MAX);
    for (uint32_t i = 0; i < count; i++) { /* the names may be gone when the rows come */
        (void)snprintf(rows->names[i], SECTION_NAME_SIZE, "%s", names[i]);
    }
    return true;
}

/* json-c copies bytes as they are; a text of a damaged file that is not UTF-8 becomes null. */
static struct json_object *
json_of(const struct question_value *value)
{
    const uint8_t *bytes = (const uint8_t *)value->text;

    if (value->kind == QUESTION_NUMBER) {
        return json_tokener_parse(value->text);
    }
    return value->kind == QUESTION_TEXT && sk_utf8_is_valid(bytes, bytes + value->length)
               ? json_object_new_string_len(value->text, (int)value->length)
               : NULL;
}

static bool
take_row(struct question_sink *sink, const struct question_value *values, uint32_t count)
{
    struct rows *rows = (struct rows *)(void *)sink;
    struct json_object *row = json_object_new_object();

    for (uint32_t i = 0; i < count; i++) {
        (void)json_object_object_add(row, rows->names[i], json_of(&values[i]));
    }
    (void)json_object_array_add(rows->list, row);
    return true;
}

/* Takes the single value of a single row. */
struct taking {
    struct question_sink sink; /* must be first */
    char value[32];
};

static bool
take_value(struct question_sink *sink, const struct question_value *values, uint32_t count)
{
    struct taking *taking = (struct taking *)(void *)sink;

    (void)count;
    (void)snprintf(taking->value, sizeof(taking->value), "%s", values[0].text);
    return true;
}

/* ---- questions --------------------------------------------------------------------------- */

static bool
ask(struct statistics *statistics, const char *sql, const struct question_parameter *parameters,
    size_t count, struct question_sink *sink, struct sk_fault *ret_fault)
{
    const struct question_limits limits = {
        .time_ms = STATISTICS_QUESTION_MAX,
        .is_stopped = &statistics->is_stopped,
    };
    bool is_cut;

    return question_ask(statistics->path, sql, parameters, count, &limits, sink, &is_cut,
                        ret_fault) == SK_OK;
}

/* Passes only the parameters that the query has. */
static size_t
parameters_of(const char *sql, const struct question_parameter *all, size_t count,
              struct question_parameter *ret_parameters)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        char name[32];

        (void)snprintf(name, sizeof(name), ":%s", all[i].name);
        if (strstr(sql, name) != NULL) {
            ret_parameters[used++] = all[i];
        }
    }
    return used;
}

static bool
add_sections(struct statistics *statistics, const char *after, struct json_object *json,
             struct sk_fault *ret_fault)
{
    const struct question_parameter all[] = {
        { "after", after },
        { "days", SK_LIMIT_TEXT(STATISTICS_DAYS) },
        { "cells", SK_LIMIT_TEXT(STATISTICS_CELLS_MAX) },
        { "orders", SK_LIMIT_TEXT(STATISTICS_ORDERS_MAX) },
    };
    bool is_answered = true;

    for (size_t i = 0; is_answered && i < sizeof(sections) / sizeof(sections[0]); i++) {
        struct question_parameter parameters[sizeof(all) / sizeof(all[0])];
        const char *sql =
            sections[i].postgres == NULL
                ? sections[i].sql
                : question_text(statistics->path, sections[i].sql, sections[i].postgres);
        size_t count = parameters_of(sql, all, sizeof(all) / sizeof(all[0]), parameters);
        struct rows rows = { .sink = { take_names, take_row }, .list = json_object_new_array() };

        (void)json_object_object_add(json, sections[i].name, rows.list);
        is_answered = ask(statistics, sql, parameters, count, &rows.sink, ret_fault);
    }
    return is_answered;
}

/* NULL: a question failed. */
static struct json_object *
make_json(struct statistics *statistics, struct sk_fault *ret_fault)
{
    const struct question_parameter matches = { "matches", SK_LIMIT_TEXT(STATISTICS_MATCHES_MAX) };
    struct taking taking = { .sink = { NULL, take_value } };
    struct json_object *json = json_object_new_object();

    (void)json_object_object_add(json, "at", json_object_new_int64(clock_ms(CLOCK_REALTIME)));
    (void)json_object_object_add(json, "newest", json_object_new_int(STATISTICS_MATCHES_MAX));
    if (!ask(statistics, after_sql, &matches, 1, &taking.sink, ret_fault) ||
        !add_sections(statistics, taking.value, json, ret_fault)) {
        json_object_put(json);
        return NULL;
    }
    return json;
}

/* ---- jobs -------------------------------------------------------------------------------- */

static void
forget(struct statistics *statistics)
{
    free(statistics->text);
    free(statistics->packed);
    statistics->text = NULL;
    statistics->packed = NULL;
}

/* A failure is cached too: trying again would take as long. */
static void
make_anew(struct statistics *statistics)
{
    int64_t began_ms = clock_ms(CLOCK_MONOTONIC);
    struct json_object *json;
    int64_t keep_ms;

    forget(statistics);
    json = make_json(statistics, &statistics->fault);
    if (json != NULL) {
        const char *text = json_object_to_json_string_length(
            json, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE,
            &statistics->text_length);

        statistics->text = heap_copy(text, statistics->text_length);
        statistics->packed =
            pack_text(statistics->text, statistics->text_length, NULL, &statistics->packed_length);
        json_object_put(json);
    }
    keep_ms = STATISTICS_KEEP_TIMES * (clock_ms(CLOCK_MONOTONIC) - began_ms);
    keep_ms = keep_ms > STATISTICS_KEEP_MS ? keep_ms : STATISTICS_KEEP_MS;
    statistics->until_ms = clock_ms(CLOCK_MONOTONIC) + keep_ms;
}

static void
fail(struct store_job *job, enum store_result result, const char *message)
{
    job->message = heap_copy(message, strlen(message));
    job->result = result;
}

void
statistics_work(void *context, struct store_job *job, const atomic_bool *is_unwanted)
{
    struct statistics *statistics = context;

    (void)is_unwanted; /* others will want the same answer */
    free(job->message);
    job->message = NULL;
    job->result = STORE_OK;
    if (statistics->until_ms == 0 || clock_ms(CLOCK_MONOTONIC) >= statistics->until_ms) {
        make_anew(statistics);
    }
    if (atomic_load(&statistics->is_stopped)) {
        fail(job, STORE_ABANDONED, "the daemon is stopping");
    } else if (statistics->text == NULL) {
        fail(job, STORE_UNAVAILABLE, statistics->fault.message);
    } else {
        job->text.is_packed = job->query.takes_gzip && statistics->packed != NULL &&
                              statistics->text_length >= PACK_BYTES_MIN;
        job->text.length =
            job->text.is_packed ? statistics->packed_length : statistics->text_length;
        free(job->text.at);
        job->text.at = heap_copy(job->text.is_packed ? statistics->packed : statistics->text,
                                 job->text.length);
    }
}

void
statistics_stop(struct statistics *statistics)
{
    atomic_store(&statistics->is_stopped, true);
}

void
statistics_fini(struct statistics *statistics)
{
    forget(statistics);
}
