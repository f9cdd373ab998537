#include "server/cli/asking.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/core/registry.h"
#include "server/cli/cli.h"

#define TIME_DEFAULT_S 10
#define ROWS_DEFAULT   1000

struct asking
asking_of(const char *command)
{
    return (struct asking){
        .command = command, .form = "table", .time_s = TIME_DEFAULT_S, .rows = ROWS_DEFAULT
    };
}

void
asking_set(struct asking *asking, const char *name, const char *value)
{
    if (value != NULL && asking->parameter_count < ASKING_PARAMETERS_MAX) {
        asking->parameters[asking->parameter_count++] = (struct question_parameter){ name, value };
    }
}

static int
say_fault(const struct asking *asking, const struct sk_fault *fault)
{
    fprintf(stderr, "skirmish %s: %s\n", asking->command, fault->message);
    return CLI_FAILED;
}

int
asking_ask(const struct asking *asking, uint64_t *ret_rows)
{
    const struct question_limits limits = { asking->time_s * 1000, asking->rows, NULL };
    enum table_form form;
    struct table table;
    struct sk_fault fault;
    bool is_cut = false;
    uint64_t rows;

    if (!table_form_read(asking->is_csv ? "csv" : asking->form, &form)) {
        return cli_usage_error(asking->command, "--form is table, csv, json or markdown, not",
                               asking->form);
    }
    if (asking->has_no_header && form != TABLE_CSV) {
        return cli_usage_error(asking->command, "--no-header goes with --csv only", NULL);
    }
    (void)!nice(QUESTION_NICE);
    table_begin(&table, form);
    table.has_no_header = asking->has_no_header;
    if (question_ask(cli_database(asking->database), asking->sql, asking->parameters,
                     asking->parameter_count, &limits, &table.sink, &is_cut, &fault) != SK_OK) {
        table_drop(&table);
        return say_fault(asking, &fault);
    }
    rows = table.rows;
    table_end(&table);
    if (is_cut) {
        fflush(stdout);
        fprintf(stderr, "skirmish %s: there are more rows; --rows shows them\n", asking->command);
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
take_columns(struct question_sink *sink, const char *const *names, uint32_t count)
{
    (void)sink;
    (void)names;
    (void)count;
    return true;
}

static bool
take_row(struct question_sink *sink, const struct question_value *values, uint32_t count)
{
    (void)values;
    (void)count;
    ((struct finding *)(void *)sink)->is_found = true;
    return false;
}

static int
expect(const struct asking *asking, const char *sql, const char *value, const char *missing,
       const char *hint)
{
    const struct question_limits limits = { asking->time_s * 1000, 0, NULL };
    const struct question_parameter parameter = { "value", value };
    struct finding finding = { .sink = { take_columns, take_row } };
    struct sk_fault fault;
    bool is_cut;

    if (question_ask(cli_database(asking->database), sql, &parameter, 1, &limits, &finding.sink,
                     &is_cut, &fault) != SK_OK) {
        return say_fault(asking, &fault);
    }
    if (finding.is_found) {
        return CLI_OK;
    }
    fprintf(stderr, "skirmish %s: there is no %s %s\n%s\n", asking->command, missing, value, hint);
    return CLI_FAILED;
}

int
asking_expect_player(const struct asking *asking, const char *name)
{
    return name == NULL ? CLI_OK
                        : expect(asking, "SELECT 1 FROM player WHERE name = :value COLLATE NOCASE",
                                 name, "player", "skirmish players lists them");
}

int
asking_expect_time(const struct asking *asking, const char *text)
{
    return text == NULL ? CLI_OK
                        : expect(asking, "SELECT 1 WHERE unixepoch(:value) IS NOT NULL", text,
                                 "time", "write 2026-09-21 or 2026-09-21T14:00, in UTC");
}

int
asking_expect_match(const struct asking *asking, const char *number)
{
    int64_t id;

    if (!cli_number_read(number, 1, INT64_MAX, &id)) {
        return cli_usage_error(asking->command, "this is no match's number", number);
    }
    return expect(asking, "SELECT 1 FROM match WHERE id = CAST(:value AS INTEGER)", number, "match",
                  "skirmish matches lists them");
}

int
asking_expect_ruleset(const struct asking *asking, const char *name)
{
    if (name == NULL) {
        return CLI_OK;
    }
    for (size_t i = 0; i < sk_registry_count(); i++) {
        if (strcmp(sk_registry_at(i)->name, name) == 0) {
            return CLI_OK;
        }
    }
    fprintf(stderr, "skirmish %s: there is no ruleset %s\nthere are:", asking->command, name);
    for (size_t i = 0; i < sk_registry_count(); i++) {
        fprintf(stderr, " %s", sk_registry_at(i)->name);
    }
    fprintf(stderr, "\n");
    return CLI_USAGE;
}
