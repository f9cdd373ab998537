#include "server/cli/report.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "common/core/registry.h"
#include "server/cli/cli.h"

#define TIME_DEFAULT_S 10
#define ROWS_DEFAULT   1000

struct report
report_of(const char *command)
{
    return (struct report){
        .command = command, .form = "table", .time_s = TIME_DEFAULT_S, .rows = ROWS_DEFAULT
    };
}

void
report_set(struct report *report, const char *name, const char *value)
{
    if (value != NULL && report->parameter_count < REPORT_PARAMETERS_MAX) {
        report->parameters[report->parameter_count++] = (struct question_parameter){ name, value };
    }
}

/* ---- the time limit ---------------------------------------------------------------------- */

/*
 * SQLite can be stopped between two steps of its virtual machine.  One step may be
 * a long function (LIKE, replace, a large sort), which only the end of the process
 * can stop.  That comes a little after the limit, so that most queries end
 * normally.
 */
#define WATCH_GRACE_MS 300
#define WATCH_AGAIN_MS 100

struct watched {
    struct question_sink sink; /* first */
    struct question_sink *inner;
};

static volatile sig_atomic_t is_printing; /* a slow reader of the output does not count */
static char last_words[160];

static void
end_late(int signal)
{
    (void)signal;
    if (!is_printing) {
        (void)!write(STDERR_FILENO, last_words, strlen(last_words));
        _exit(CLI_FAILED);
    }
}

static void
set_watch(int64_t limit_ms)
{
    struct sigaction action = { .sa_handler = end_late, .sa_flags = SA_RESTART };
    struct itimerval timer = { 0 };

    if (limit_ms > 0) {
        timer.it_value.tv_sec = (time_t)(limit_ms / 1000);
        timer.it_value.tv_usec = (suseconds_t)(limit_ms % 1000 * 1000);
        timer.it_interval.tv_usec = WATCH_AGAIN_MS * 1000;
        (void)sigaction(SIGALRM, &action, NULL);
    }
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

static bool
print_columns(struct question_sink *sink, const char *const *names, uint32_t count)
{
    struct question_sink *inner = ((struct watched *)(void *)sink)->inner;
    bool goes_on;

    is_printing = true;
    goes_on = inner->columns(inner, names, count);
    is_printing = false;
    return goes_on;
}

static bool
print_row(struct question_sink *sink, const struct question_value *values, uint32_t count)
{
    struct question_sink *inner = ((struct watched *)(void *)sink)->inner;
    bool goes_on;

    is_printing = true;
    goes_on = inner->row(inner, values, count);
    is_printing = false;
    return goes_on;
}

/* As question_ask, but ends the process if the query cannot be stopped. */
static enum sk_status
ask_in_time(const struct report *report, struct question_sink *sink, bool *ret_is_cut,
            struct sk_fault *ret_fault)
{
    const struct question_limits limits = { report->time_s * 1000, report->rows, NULL };
    struct watched watched = { { print_columns, print_row }, sink };
    enum sk_status status;

    (void)snprintf(last_words, sizeof(last_words),
                   "skirmish %s: the query took longer than %lld s and was stopped\n",
                   report->command, (long long)report->time_s);
    set_watch(limits.time_ms + WATCH_GRACE_MS);
    status = question_ask(cli_database(report->database), report->sql, report->parameters,
                          report->parameter_count, &limits, &watched.sink, ret_is_cut, ret_fault);
    set_watch(0);
    return status;
}

/* ---- printing ---------------------------------------------------------------------------- */

int
report_print(const struct report *report, uint64_t *ret_rows)
{
    enum table_form form;
    struct table table;
    struct sk_fault fault;
    bool is_cut = false;
    uint64_t rows;

    if (!table_form_read(report->command, report->is_csv ? "csv" : report->form, &form)) {
        return CLI_USAGE;
    }
    if (report->has_no_header && form != TABLE_CSV) {
        return cli_usage_error(report->command, "--no-header works only with --csv", NULL);
    }
    (void)!nice(QUESTION_NICE);
    table_begin(&table, form);
    table.has_no_header = report->has_no_header;
    if (ask_in_time(report, &table.sink, &is_cut, &fault) != SK_OK) {
        table_drop(&table);
        return cli_fail(report->command, &fault);
    }
    rows = table.rows;
    table_end(&table);
    if (is_cut) {
        fflush(stdout);
        fprintf(stderr, "skirmish %s: there are more rows; --rows shows them\n", report->command);
    }
    if (ret_rows != NULL) {
        *ret_rows = rows;
    }
    return CLI_OK;
}

/* ---- names ------------------------------------------------------------------------------- */

/* Is there any row? */
struct finding {
    struct question_sink sink; /* first */
    bool is_found;
};

static bool
take_row(struct question_sink *sink, const struct question_value *values, uint32_t count)
{
    (void)values;
    (void)count;
    ((struct finding *)(void *)sink)->is_found = true;
    return false;
}

static int
expect(const struct report *report, const char *sql, const char *value, const char *missing,
       const char *hint)
{
    const struct question_limits limits = { report->time_s * 1000, 0, NULL };
    const struct question_parameter parameter = { "value", value };
    struct finding finding = { .sink = { NULL, take_row } };
    struct sk_fault fault;
    bool is_cut;

    if (question_ask(cli_database(report->database), sql, &parameter, 1, &limits, &finding.sink,
                     &is_cut, &fault) != SK_OK) {
        return cli_fail(report->command, &fault);
    }
    if (finding.is_found) {
        return CLI_OK;
    }
    fprintf(stderr, "skirmish %s: there is no %s %s\n%s\n", report->command, missing, value, hint);
    return CLI_FAILED;
}

int
report_expect_player(const struct report *report, const char *name)
{
    const char *sql = question_text(cli_database(report->database),
                                    "SELECT 1 FROM player WHERE name = :value COLLATE NOCASE",
                                    "SELECT 1 FROM player WHERE lower(name) = lower(:value)");

    return name == NULL ? CLI_OK
                        : expect(report, sql, name, "player", "skirmish players lists them");
}

int
report_expect_time(const struct report *report, const char *text)
{
    return text == NULL ? CLI_OK
                        : expect(report, "SELECT 1 WHERE unixepoch(:value) IS NOT NULL", text,
                                 "time", "write 2026-09-21 or 2026-09-21T14:00, in UTC");
}

int
report_expect_match(const struct report *report, const char *number)
{
    int64_t id;

    if (!cli_number_read(number, 1, INT64_MAX, &id)) {
        return cli_usage_error(report->command, "not the number of a match", number);
    }
    return expect(report, "SELECT 1 FROM match WHERE id = CAST(:value AS INTEGER)", number, "match",
                  "skirmish matches lists them");
}

int
report_expect_ruleset(const struct report *report, const char *name)
{
    if (name == NULL) {
        return CLI_OK;
    }
    for (size_t i = 0; i < sk_registry_count(); i++) {
        if (strcmp(sk_registry_at(i)->name, name) == 0) {
            return CLI_OK;
        }
    }
    fprintf(stderr, "skirmish %s: there is no ruleset %s\nthere are:", report->command, name);
    for (size_t i = 0; i < sk_registry_count(); i++) {
        fprintf(stderr, " %s", sk_registry_at(i)->name);
    }
    fprintf(stderr, "\n");
    return CLI_USAGE;
}
