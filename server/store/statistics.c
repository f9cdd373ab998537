#include "server/store/statistics.h"

#include <inttypes.h>
#include <stdio.h>

#include "server/clock.h"
#include "server/store/json_text.h"
#include "server/store/memory.h"
#include "server/store/pack.h"
#include "server/store/question.h"

#define FINISHED "m.status = 'over' AND m.started_at IS NOT NULL AND m.id > :after"

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

/* Each is a list of rows; column names become member names. */
struct section {
    const char *name;
    const char *sql;
};

static const struct section sections[] = {
    { "days", "SELECT date(created_at / 1000, 'unixepoch') AS day, ruleset, count(*) AS matches, "
              "sum(status = 'over' AND started_at IS NOT NULL) AS finished FROM match "
              "WHERE created_at > 1000 * (unixepoch() - 86400 * :days) "
              "GROUP BY day, ruleset ORDER BY day, ruleset" },
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
      "GROUP BY ruleset, check_name, verdict ORDER BY ruleset, submitted + resolved DESC, "
      "check_name, verdict" },
    { "seats", "SELECT m.ruleset AS ruleset, s.seat AS seat, count(*) AS games, "
               "sum(m.winner IS s.seat) AS wins, sum(m.winner IS NULL) AS draws "
               "FROM match m JOIN seat s ON s.match = m.id WHERE " FINISHED " "
               "GROUP BY m.ruleset, s.seat ORDER BY m.ruleset, s.seat" },
    { "models",
      "SELECT ruleset, model, count(*) AS games, sum(winner IS seat) AS wins, "
      "sum(winner IS NULL) AS draws FROM (SELECT DISTINCT m.id, m.ruleset AS ruleset, "
      "m.winner AS winner, json_extract(u.value, '$.model') AS model, "
      "json_extract(u.value, '$.seat') AS seat "
      "FROM match m, json_each(CASE WHEN json_valid(m.params) THEN m.params END, '$.units') u "
      "WHERE " FINISHED ") WHERE model IS NOT NULL AND seat IS NOT NULL "
      "GROUP BY ruleset, model ORDER BY ruleset, model" },
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
             "GROUP BY p.ruleset, x, y ORDER BY bounces DESC, p.ruleset, y, x LIMIT :cells" },
};

static const char after_sql[] = "SELECT coalesce(max(id), 0) - :matches AS after FROM match";

/* ---- rows as JSON ------------------------------------------------------------------------ */

struct writing {
    struct question_sink sink; /* must be first */
    struct json_text *text;
    const char *names[QUESTION_COLUMNS_MAX];
    const struct question_value *values;
    uint32_t count;
};

static bool
take_names(struct question_sink *sink, const char *const *names, uint32_t count)
{
    struct writing *writing = (struct writing *)(void *)sink;

    memcpy(writing->names, names, count * sizeof(*names));
    return true;
}

static void
write_value(struct sk_json_out *out, const struct question_value *value)
{
    struct sk_text text = { value->text, (uint32_t)value->length };

    if (value->kind == QUESTION_NULL) {
        sk_json_null(out);
    } else if (value->kind == QUESTION_NUMBER) {
        sk_json_raw(out, text);
    } else {
        sk_json_text(out, text);
    }
}

static void
write_row(struct sk_json_out *out, const void *context)
{
    const struct writing *writing = context;

    sk_json_begin_object(out);
    for (uint32_t i = 0; i < writing->count; i++) {
        sk_json_key(out, writing->names[i]);
        write_value(out, &writing->values[i]);
    }
    sk_json_end_object(out);
}

static bool
take_row(struct question_sink *sink, const struct question_value *values, uint32_t count)
{
    struct writing *writing = (struct writing *)(void *)sink;

    writing->values = values;
    writing->count = count;
    json_text_add(writing->text, write_row, writing);
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

static void
write_section_begin(struct sk_json_out *out, const void *context)
{
    sk_json_key(out, context);
    sk_json_begin_list(out);
}

static void
write_section_end(struct sk_json_out *out, const void *context)
{
    (void)context;
    sk_json_end_list(out);
}

/* Passes only the parameters that the section's query has. */
static size_t
parameters_of(const struct section *section, const struct question_parameter *all, size_t count,
              struct question_parameter *ret_parameters)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        char name[32];

        (void)snprintf(name, sizeof(name), ":%s", all[i].name);
        if (strstr(section->sql, name) != NULL) {
            ret_parameters[used++] = all[i];
        }
    }
    return used;
}

static bool
add_sections(struct statistics *statistics, const char *after, struct json_text *text,
             struct sk_fault *ret_fault)
{
    const struct question_parameter all[] = {
        { "after", after },
        { "days", SK_LIMIT_TEXT(STATISTICS_DAYS) },
        { "cells", SK_LIMIT_TEXT(STATISTICS_CELLS_MAX) },
    };
    bool is_told = true;

    for (size_t i = 0; is_told && i < sizeof(sections) / sizeof(sections[0]); i++) {
        struct question_parameter parameters[sizeof(all) / sizeof(all[0])];
        size_t count = parameters_of(&sections[i], all, sizeof(all) / sizeof(all[0]), parameters);
        struct writing writing = { .sink = { take_names, take_row }, .text = text };

        json_text_add(text, write_section_begin, sections[i].name);
        is_told = ask(statistics, sections[i].sql, parameters, count, &writing.sink, ret_fault);
        json_text_add(text, write_section_end, NULL);
    }
    return is_told;
}

static void
write_head(struct sk_json_out *out, const void *context)
{
    sk_json_begin_object(out);
    sk_json_key(out, "at");
    sk_json_int(out, *(const int64_t *)context);
    sk_json_key(out, "newest");
    sk_json_int(out, STATISTICS_MATCHES_MAX);
}

static void
write_end(struct sk_json_out *out, const void *context)
{
    (void)context;
    sk_json_end_object(out);
}

static bool
make_text(struct statistics *statistics, struct json_text *text, struct sk_fault *ret_fault)
{
    const struct question_parameter matches = { "matches", SK_LIMIT_TEXT(STATISTICS_MATCHES_MAX) };
    struct taking taking = { .sink = { NULL, take_value } };
    int64_t at_ms = clock_ms(CLOCK_REALTIME);

    if (!ask(statistics, after_sql, &matches, 1, &taking.sink, ret_fault)) {
        return false;
    }
    json_text_add(text, write_head, &at_ms);
    if (!add_sections(statistics, taking.value, text, ret_fault)) {
        return false;
    }
    json_text_add(text, write_end, NULL);
    return true;
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
    struct json_text text;
    int64_t keep_ms;

    forget(statistics);
    json_text_init(&text);
    if (make_text(statistics, &text, &statistics->fault)) {
        statistics->text = json_text_take(&text, &statistics->text_length);
        statistics->packed =
            pack_text(statistics->text, statistics->text_length, NULL, &statistics->packed_length);
    }
    json_text_fini(&text);
    keep_ms = STATISTICS_KEEP_TIMES * (clock_ms(CLOCK_MONOTONIC) - began_ms);
    keep_ms = keep_ms > STATISTICS_KEEP_MS ? keep_ms : STATISTICS_KEEP_MS;
    statistics->until_ms = clock_ms(CLOCK_MONOTONIC) + keep_ms;
}

static void
fail(struct store_job *job, enum store_result result, const char *message)
{
    job->message = memory_copy_text(message, strlen(message));
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
        fail(job, STORE_ABANDONED, "the daemon stops");
    } else if (statistics->text == NULL) {
        fail(job, STORE_UNAVAILABLE, statistics->fault.message);
    } else {
        job->is_packed = job->query.takes_gzip && statistics->packed != NULL &&
                         statistics->text_length >= PACK_BYTES_MIN;
        job->text_length = job->is_packed ? statistics->packed_length : statistics->text_length;
        free(job->text);
        job->text = memory_copy_text(job->is_packed ? statistics->packed : statistics->text,
                                     job->text_length);
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
