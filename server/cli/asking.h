/*
 * asking - what the commands that ask a database share: their options, the
 * names they are given, and how an answer is printed.
 */
#ifndef SK_CLI_ASKING_H
#define SK_CLI_ASKING_H

#include "server/cli/options.h"
#include "server/cli/table.h"

#define ASKING_PARAMETERS_MAX 16

struct asking {
    const char *command;
    const char *database;
    const char *form;
    bool is_csv;
    bool has_no_header;
    int64_t time_s;
    int64_t rows;
    const char *sql;
    struct question_parameter parameters[ASKING_PARAMETERS_MAX];
    size_t parameter_count;
};

/* clang-format off */
#define ASKING_OPTIONS(asking)                                                                  \
    CLI_DATABASE_OPTION(&(asking)->database),                                                   \
    { "form", CLI_TEXT, &(asking)->form, "FORM", "table (the default), csv, json or markdown",  \
      0, 0 },                                                                                   \
    { "csv", CLI_FLAG, &(asking)->is_csv, NULL,                                                 \
      "the same as --form csv: a header line, lines end with a newline", 0, 0 },                \
    { "no-header", CLI_FLAG, &(asking)->has_no_header, NULL, "csv: without the header line", 0, \
      0 },                                                                                      \
    { "rows", CLI_NUMBER, &(asking)->rows, "N", "at most this many (1000); 0 = all", 0,         \
      INT64_MAX },                                                                              \
    { "time", CLI_NUMBER, &(asking)->time_s, "SECONDS", "at most this long (10)", 1, 86400 }
/* clang-format on */

struct asking asking_of(const char *command);

/* A value of NULL is not set: the parameter is then NULL. */
void asking_set(struct asking *asking, const char *name, const char *value);

/* Asks and prints; returns an exit status.  `ret_rows` may be NULL. */
int asking_ask(const struct asking *asking, uint64_t *ret_rows);

/*
 * CLI_OK when there is one, or none was named (NULL).  Else what is possible
 * was printed, and this is the exit status.
 */
int asking_expect_player(const struct asking *asking, const char *name);
int asking_expect_time(const struct asking *asking, const char *text);
int asking_expect_match(const struct asking *asking, const char *number);
int asking_expect_ruleset(const struct asking *asking, const char *name);

#endif /* SK_CLI_ASKING_H */
