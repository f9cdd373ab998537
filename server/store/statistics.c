#include "server/store/statistics.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "server/store/json_text.h"
#include "server/store/memory.h"
#include "server/store/question.h"
#include "server/store/queue.h"

#define FINISHED "m.status = 'over' AND m.started_at IS NOT NULL AND m.id > :after"

#define REFUSES                                                                   \
    "instr(replace(r.body, '{\"verdict\":\"ok\"}', ''), '\"verdict\":') > 0 AND " \
    "json_extract(v.value, '$.verdict') <> 'ok' AND " FINISHED

/* A list of rows each: names of columns are names of members. */
struct section {
    const char *name;
    const char *sql;
};

static const struct section sections[] = {
    { "days", "SELECT date(created_at / 1000, 'unixepoch') AS day, ruleset, count(*) AS matches, "
              "sum(status = 'over' AND started_at IS NOT NULL) AS finished FROM match "
              "WHERE created_at > 1000 * (unixepoch() - 86400 * :days) "
              "GROUP BY day, ruleset ORDER BY day, ruleset" },
    { "refusals", /* as refusal_stats has it */
      "SELECT ruleset, check_name AS \"check\", verdict, sum(submitted) AS submitted, "
      "sum(resolved) AS resolved FROM "
      "(SELECT m.ruleset AS ruleset, json_extract(v.value, '$.check') AS check_name, "
      "json_extract(v.value, '$.verdict') AS verdict, 1 AS submitted, 0 AS resolved "
      "FROM match m JOIN match_record r ON r.match = m.id, json_each(r.body, '$.verdicts') v "
      "WHERE r.kind = 'submission' AND " REFUSES " UNION ALL "
      "SELECT m.ruleset, json_extract(v.value, '$.check'), json_extract(v.value, '$.verdict'), 0, "
      "1 "
      "FROM match m JOIN match_record r ON r.match = m.id, json_each(r.body, '$.verdicts') seats, "
      "json_each(seats.value) v WHERE r.kind = 'turn' AND " REFUSES ") "
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
    { "cells", "SELECT e.ruleset AS ruleset, e.x AS x, e.y AS y, count(*) AS bounces, "
               "count(DISTINCT e.match) AS matches FROM match_event e "
               "JOIN match m ON m.id = e.match WHERE e.kind IN ('bounced', 'collided') AND "
               "e.match > :after AND " FINISHED " GROUP BY e.ruleset, e.x, e.y "
               "ORDER BY bounces DESC, e.ruleset, e.y, e.x LIMIT :cells" },
};

static const char after_sql[] = "SELECT coalesce(max(id), 0) - :matches AS after FROM match";

struct statistics {
    struct statistics_options options;
    struct queue queue;
    pthread_t thread;
    atomic_bool is_stopped;

    /* The thread's: the last answer. */
    char *text;
    size_t text_length;
    int64_t until_ms;
};

/* ---- rows as JSON ------------------------------------------------------------------------ */

struct writing {
    struct question_sink sink; /* first */
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

/* The only value of the only row. */
struct taking {
    struct question_sink sink; /* first */
    char value[32];
};

static bool
take_no_names(struct question_sink *sink, const char *const *names, uint32_t count)
{
    (void)sink;
    (void)names;
    (void)count;
    return true;
}

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

    return question_ask(statistics->options.path, sql, parameters, count, &limits, sink, &is_cut,
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

/* The parameters that a section's question does not have are not handed to it. */
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

static int64_t
now_ms(clockid_t clock)
{
    struct timespec now;

    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool
make_text(struct statistics *statistics, struct json_text *text, struct sk_fault *ret_fault)
{
    const struct question_parameter matches = { "matches", SK_LIMIT_TEXT(STATISTICS_MATCHES_MAX) };
    struct taking taking = { .sink = { take_no_names, take_value } };
    int64_t at_ms = now_ms(CLOCK_REALTIME);

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

static bool
make_anew(struct statistics *statistics, struct sk_fault *ret_fault)
{
    int64_t began_ms = now_ms(CLOCK_MONOTONIC);
    struct json_text text;
    int64_t took_ms;
    bool is_made;

    json_text_init(&text);
    is_made = make_text(statistics, &text, ret_fault);
    if (is_made) {
        free(statistics->text);
        statistics->text = json_text_take(&text, &statistics->text_length);
        took_ms = STATISTICS_KEEP_TIMES * (now_ms(CLOCK_MONOTONIC) - began_ms);
        statistics->until_ms =
            now_ms(CLOCK_MONOTONIC) + (took_ms > STATISTICS_KEEP_MS ? took_ms : STATISTICS_KEEP_MS);
    }
    json_text_fini(&text);
    return is_made;
}

static void
answer(struct statistics *statistics, struct store_job *job)
{
    bool is_fresh = statistics->text != NULL && now_ms(CLOCK_MONOTONIC) < statistics->until_ms;
    struct sk_fault fault = { .message = "the daemon stops" };

    free(job->message);
    job->message = NULL;
    job->result = STORE_OK;
    if (!atomic_load(&statistics->is_stopped) && (is_fresh || make_anew(statistics, &fault))) {
        free(job->text);
        job->text = memory_copy_text(statistics->text, statistics->text_length);
        job->text_length = statistics->text_length;
    } else {
        job->message = memory_copy_text(fault.message, strlen(fault.message));
        job->result = STORE_UNAVAILABLE;
    }
    queue_put_none(&statistics->queue, 1);
    statistics->options.hand_back(statistics->options.context, job);
}

static void *
run(void *context)
{
    struct statistics *statistics = context;
    struct store_job *list;

    (void)setpriority(PRIO_PROCESS, 0, QUESTION_NICE); /* on Linux: this thread's only */
    while ((list = queue_take_waiting(&statistics->queue)) != NULL) {
        while (list != NULL) {
            struct store_job *job = list;

            list = job->next;
            job->next = NULL;
            answer(statistics, job);
        }
    }
    return NULL;
}

struct statistics *
statistics_open(const struct statistics_options *options)
{
    struct statistics *statistics = memory_alloc(1, sizeof(*statistics));
    sigset_t all;
    sigset_t before;
    int error;

    statistics->options = *options;
    statistics->options.path = memory_copy_text(options->path, strlen(options->path));
    queue_init(&statistics->queue, STATISTICS_JOBS_MAX);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the loop's matter */
    error = pthread_create(&statistics->thread, NULL, run, statistics);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) {
        queue_fini(&statistics->queue);
        free((char *)statistics->options.path);
        free(statistics);
        return NULL;
    }
    return statistics;
}

void
statistics_stop(struct statistics *statistics)
{
    atomic_store(&statistics->is_stopped, true);
}

void
statistics_close(struct statistics *statistics)
{
    if (statistics == NULL) {
        return;
    }
    statistics_stop(statistics);
    queue_end(&statistics->queue);
    (void)pthread_join(statistics->thread, NULL);
    queue_fini(&statistics->queue);
    free(statistics->text);
    free((char *)statistics->options.path);
    free(statistics);
}

bool
statistics_pass(struct statistics *statistics, struct store_job *job)
{
    if (job->kind != JOB_TEXT || job->query.kind != QUERY_STATISTICS) {
        return false;
    }
    (void)queue_take_done(&statistics->queue); /* none comes back here, but their room does */
    if (!queue_put(&statistics->queue, job)) {
        return false;
    }
    queue_hand_over(&statistics->queue);
    return true;
}
