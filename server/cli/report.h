/*
 * report - a query of the database, printed as a table: the options that the
 * commands with such a table share, and the checks of their arguments.
 */
#ifndef SK_CLI_REPORT_H
#define SK_CLI_REPORT_H

#include "server/cli/options.h"
#include "server/cli/table.h"

#define REPORT_PARAMETERS_MAX 16

struct report {
    const char *command;
    const char *database;
    const char *form;
    bool is_csv;
    bool has_no_header;
    int64_t time_s;
    int64_t rows;
    const char *sql;
    struct question_parameter parameters[REPORT_PARAMETERS_MAX];
    size_t parameter_count;
};

/* clang-format off */
#define REPORT_OPTIONS(report)                                                                  \
    CLI_DATABASE_OPTION(&(report)->database),                                                   \
    { "form", CLI_TEXT, &(report)->form, "FORM", "table (the default), csv, json or markdown",  \
      0, 0 },                                                                                   \
    { "csv", CLI_FLAG, &(report)->is_csv, NULL,                                                 \
      "the same as --form csv: a header line, lines end with a newline", 0, 0 },                \
    { "no-header", CLI_FLAG, &(report)->has_no_header, NULL, "csv: without the header line", 0, \
      0 },                                                                                      \
    { "rows", CLI_NUMBER, &(report)->rows, "N", "at most this many (1000); 0 = all", 0,         \
      INT64_MAX },                                                                              \
    { "time", CLI_NUMBER, &(report)->time_s, "SECONDS", "at most this long (10)", 1, 86400 }
/* clang-format on */

struct report report_of(const char *command);

/* A value of NULL is not set: the parameter is then NULL. */
void report_set(struct report *report, const char *name, const char *value);

/* Runs the query and prints its rows; returns an exit status.  `ret_rows` may be NULL. */
int report_print(const struct report *report, uint64_t *ret_rows);

/*
 * CLI_OK if it exists or is NULL.  Else the exit status; what is possible has
 * been printed.
 */
int report_expect_player(const struct report *report, const char *name);
int report_expect_time(const struct report *report, const char *text);
int report_expect_match(const struct report *report, const char *number);
int report_expect_ruleset(const struct report *report, const char *name);

#endif /* SK_CLI_REPORT_H */
