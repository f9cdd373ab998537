/*
 * skirmish query - ready-made and other queries of a database, which may be in use.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "server/cli/cli.h"
#include "server/cli/report.h"

#define PARAMETER_NAME_MAX 32

/* Lines of a question's comment that name its parameters: `-- needs player=NAME`. */
#define NEEDS "needs "

/* ---- the ready-made ones ----------------------------------------------------------------- */

/* The next line of the comment that a question begins with, without its dashes; false at its end.
 */
static bool
next_line(const char **text, struct sk_text *ret_line)
{
    size_t length = strcspn(*text, "\n");

    if (strncmp(*text, "-- ", 3) != 0) {
        return false;
    }
    *ret_line = (struct sk_text){ *text + 3, (uint32_t)length - 3 };
    *text += length + ((*text)[length] == '\n' ? 1 : 0);
    return true;
}

static int
list_questions(void)
{
    printf("Ready-made queries; skirmish query NAME runs one, --sql prints it:\n\n");
    for (size_t i = 0; i < question_count; i++) {
        const char *text = questions[i].sql;
        const char *name = questions[i].name;
        struct sk_text line;

        for (; next_line(&text, &line); name = "") {
            printf("  %-13s %.*s\n", name, (int)line.length, line.at);
        }
    }
    return CLI_OK;
}

/* The required parameters, as in "player=NAME other=NAME"; may be empty. */
static struct sk_text
needs_of(const struct question *question)
{
    const char *text = question->sql;
    struct sk_text line;

    while (next_line(&text, &line)) {
        size_t length = strlen(NEEDS);

        if (line.length > length && memcmp(line.at, NEEDS, length) == 0) {
            return (struct sk_text){ line.at + length, line.length - (uint32_t)length };
        }
    }
    return (struct sk_text){ "", 0 };
}

static const char *
value_of(const struct report *report, const char *name, size_t length)
{
    for (size_t i = 0; i < report->parameter_count; i++) {
        const struct question_parameter *parameter = &report->parameters[i];

        if (strlen(parameter->name) == length && memcmp(parameter->name, name, length) == 0) {
            return parameter->value;
        }
    }
    return NULL;
}

static int
expect_needs(const struct report *report, const struct question *question)
{
    struct sk_text needs = needs_of(question);
    size_t at = 0;

    while (at < needs.length) {
        size_t length = strcspn(needs.at + at, "=");

        if (value_of(report, needs.at + at, length) == NULL) {
            fprintf(stderr,
                    "skirmish query: %s needs %.*s=...\n"
                    "usage: skirmish query %s %.*s\n",
                    question->name, (int)length, needs.at + at, question->name, (int)needs.length,
                    needs.at);
            return CLI_USAGE;
        }
        at += strcspn(needs.at + at, " \n") + 1;
    }
    return CLI_OK;
}

/* Checks names, because an unknown one would give an empty answer. */
static int
expect_values(const struct report *report, const struct question *question)
{
    static const struct {
        const char *name;
        int (*expect)(const struct report *report, const char *value);
    } parameters[] = {
        { "player", report_expect_player },   { "other", report_expect_player },
        { "ruleset", report_expect_ruleset }, { "from", report_expect_time },
        { "to", report_expect_time },
    };
    int status = expect_needs(report, question);

    for (size_t i = 0; status == CLI_OK && i < sizeof(parameters) / sizeof(parameters[0]); i++) {
        const char *name = parameters[i].name;

        status = parameters[i].expect(report, value_of(report, name, strlen(name)));
    }
    return status;
}

/* ---- the command ------------------------------------------------------------------------- */

/* A single word cannot be SQL: it is the name of a question, or a mistake. */
static bool
is_name(const char *text)
{
    for (; *text != '\0'; text++) {
        if (!isalnum((unsigned char)*text) && *text != '_' && *text != '-') {
            return false;
        }
    }
    return true;
}

/* name=value words after the question. */
static bool
take_parameters(struct report *report, const struct cli_words *words,
                char names[REPORT_PARAMETERS_MAX][PARAMETER_NAME_MAX + 1])
{
    for (int i = 1; i < words->count; i++) {
        const char *equals = strchr(words->at[i], '=');
        size_t length = equals == NULL ? 0 : (size_t)(equals - words->at[i]);

        if (length == 0 || length > PARAMETER_NAME_MAX || i > REPORT_PARAMETERS_MAX) {
            return false;
        }
        memcpy(names[i - 1], words->at[i], length);
        names[i - 1][length] = '\0';
        report_set(report, names[i - 1], equals + 1);
    }
    return true;
}

int
cli_query(int argc, char **argv)
{
    static char names[REPORT_PARAMETERS_MAX][PARAMETER_NAME_MAX + 1];
    struct report report = report_of("query");
    const struct question *question;
    bool wants_list = false;
    bool wants_sql = false;
    const struct cli_option options[] = {
        { "list", CLI_FLAG, &wants_list, NULL, "list the ready-made queries", 0, 0 },
        { "sql", CLI_FLAG, &wants_sql, NULL, "print the SQL of a ready-made query, do not run it",
          0, 0 },
        REPORT_OPTIONS(&report),
    };
    const struct cli_usage usage = {
        .command = "query",
        .arguments = "NAME|SQL [PARAMETER=VALUE...]",
        .about =
            "Runs a ready-made query by its name (--list), or any SELECT over the views that\n"
            "migrations/README.md describes.  It only reads, for a limited time, and does not\n"
            "delay the turns of a running daemon.\n"
            "\n"
            "  skirmish query refusals ruleset=tactics\n"
            "  skirmish query history player=ann --csv --no-header\n"
            "  skirmish query \"SELECT * FROM match_summary LIMIT 5\" --form json\n"
            "\n"
            "On a terminal a table is cut to its width; ~ ends a cell that was cut.  Control\n"
            "characters are printed as ? in a table and as \\uXXXX in csv.\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (wants_list) {
        return list_questions();
    }
    if (words.count < 1) {
        return cli_usage_error("query", "name a query (--list) or give SQL", NULL);
    }
    question = question_find(words.at[0]);
    if (question == NULL && is_name(words.at[0])) {
        return cli_usage_error("query", "there is no query of that name (--list)", words.at[0]);
    }
    if (!take_parameters(&report, &words, names)) {
        return cli_usage_error("query", "parameters are given as NAME=VALUE", NULL);
    }
    report.sql = question == NULL ? words.at[0] : question->sql;
    if (wants_sql) {
        printf("%s", report.sql);
        return CLI_OK;
    }
    status = question == NULL ? CLI_OK : expect_values(&report, question);
    return status == CLI_OK ? report_print(&report, NULL) : status;
}
