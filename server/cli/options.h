/*
 * Options of the commands, as a table: parsing, checking and help use the same
 * rows.
 *
 * Options may be anywhere among the arguments; `--` ends them.  A value
 * follows as the next word or after `=`.
 */
#ifndef SK_CLI_OPTIONS_H
#define SK_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/bot/level.h"

enum cli_option_kind {
    CLI_FLAG,   /* value is bool * */
    CLI_TEXT,   /* value is const char ** */
    CLI_NUMBER, /* value is int64_t *, from min to max */
};

struct cli_option {
    const char *name; /* without the dashes */
    enum cli_option_kind kind;
    void *value;
    const char *takes; /* the word for its value in the help */
    const char *doc;
    int64_t min;
    int64_t max;
};

struct cli_usage {
    const char *command;
    const char *arguments; /* as in "[ID...]"; NULL: it takes none */
    const char *about;     /* a few lines; ends with a newline */
    const struct cli_option *options;
    size_t option_count;
};

/* The table of options, in an initialiser of struct cli_usage. */
#define CLI_OPTIONS(table) .options = (table), .option_count = sizeof(table) / sizeof((table)[0])

struct cli_words {
    char **at;
    int count;
};

/*
 * True when the command is to continue; its arguments are moved to the front of
 * argv.  Else *ret_exit is the exit status: help or an error was printed.
 */
bool cli_options_read(const struct cli_usage *usage, int argc, char **argv,
                      struct cli_words *ret_words, int *ret_exit);

/* A whole number from min to max, or false. */
bool cli_number_read(const char *text, int64_t min, int64_t max, int64_t *ret_number);

/* All words as numbers of matches, on the heap; false, with an error printed, when one is not. */
bool cli_ids_read(const char *command, const struct cli_words *words, int64_t **ret_ids);

/* Checks the options of a new match, which may be NULL.  CLI_OK; or an error was printed and this
 * is the exit status. */
int cli_check_match(const char *command, const char *ruleset, const char *params);

/* The same for the level of a bot; an unknown ruleset, or NULL, is not its business. */
int cli_check_level(const char *command, const char *ruleset, enum bot_level level);

/* The option that every command on a database has. */
#define CLI_DATABASE_OPTION(place)                                               \
    {                                                                            \
        .name = "database", .kind = CLI_TEXT, .value = (place), .takes = "FILE", \
        .doc = "the database, or postgres://... (else $SKIRMISH_DATABASE, "      \
               "else that of skirmishd)"                                         \
    }

/* The option of every command that is a player on a server. */
#define CLI_TOKEN_OPTION(place)                                                    \
    {                                                                              \
        .name = "token-file", .kind = CLI_TEXT, .value = (place), .takes = "FILE", \
        .doc = "where tokens are kept (~/.local/state/skirmish/tokens)"            \
    }

/* The name of the database: `given`, or skirmishd's default.  Never NULL; static. */
const char *cli_database(const char *given);

#endif /* SK_CLI_OPTIONS_H */
