/*
 * skirmish - the command line.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/core/registry.h"
#include "server/cli/cli.h"
#include "server/version.h"

struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
};

/* In the order in which people need them.  A row without a function is a heading. */
static const struct command commands[] = {
    { "play and watch, on a running server", NULL, NULL },
    { "play", "play in the terminal", cli_play },
    { "watch", "watch a match", cli_watch },
    { "connect", "send lines as frames and print the answers", cli_connect },
    { "bot", "play as a bot", cli_bot },
    { "bot new", "write a bot to begin with", cli_bot_new },
    { "bot check", "play against a bot and report what it does wrong", cli_bot_check },
    { "arena", "play matches between bots and compare them", cli_arena },

    { "stored matches", NULL, NULL },
    { "replay", "show a match turn by turn", cli_replay },
    { "verify", "prove matches by playing them again", cli_verify },
    { "what-if", "resolve a turn with other commands", cli_what_if },
    { "export", "write finished matches to files that can be proven", cli_export },
    { "import", "prove exported matches and store them", cli_import },

    { "the database", NULL, NULL },
    { "query", "run a ready-made query, or any SQL", cli_query },
    { "matches", "list matches", cli_matches },
    { "match", "list the records of a match", cli_match },
    { "players", "list players", cli_players },
    { "player", "list a player's matches, or forget the player", cli_player },
    { "leaderboard", "list the standings of rated matches", cli_leaderboard },

    { "rules, without a server", NULL, NULL },
    { "rulesets", "list the rulesets with their versions", cli_rulesets },
    { "params", "print a ruleset's default params", cli_params },
    { "schema", "print a ruleset's JSON Schemas and words", cli_schema },
    { "resolve", "resolve turns: JSON requests in, answers out", cli_resolve },

    { "running a server", NULL, NULL },
    { "health", "check that a server answers", cli_health },
    { "admin", "send a command to a running daemon", cli_admin },
    { "backup", "copy a database, even while it is in use", cli_backup },
    { "migrate", "bring a database up to date", cli_migrate },
    { "prune", "drop the records of old matches", cli_prune },
    { "ratings", "recompute the ratings from the stored matches", cli_ratings },
    { "reset-token", "give a player a new token", cli_reset_token },
    { "bot replay", "send a web service its past requests again", cli_bot_replay },
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void
print_help(FILE *to)
{
    fprintf(to, "skirmish - the command line of Skirmish, a server for grid tactics games\n"
                "\n"
                "usage: skirmish COMMAND [OPTIONS]\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (commands[i].run == NULL) {
            fprintf(to, "\n%s:\n", commands[i].name);
        } else {
            fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].summary);
        }
    }
    fprintf(to, "\n"
                "  skirmish help COMMAND     the same as skirmish COMMAND --help\n"
                "  skirmish --version        the version of the program\n"
                "\n"
                "exit status: 0 success, 1 wrong input or a failure, 2 wrong usage\n");
}

int
cli_usage_error(const char *command, const char *message, const char *word)
{
    fprintf(stderr, "skirmish%s%s: %s%s%s\n", command[0] == '\0' ? "" : " ", command, message,
            word == NULL ? "" : ": ", word == NULL ? "" : word);
    fprintf(stderr, "try: skirmish%s%s --help\n", command[0] == '\0' ? "" : " ", command);
    return CLI_USAGE;
}

int
cli_fail(const char *command, const struct sk_fault *fault)
{
    fprintf(stderr, "skirmish %s: %s%s%s\n", command, fault->message,
            fault->at[0] == '\0' ? "" : " at ", fault->at);
    return CLI_FAILED;
}

int
cli_finish(int exit_status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "skirmish: could not write all of the output\n");
        return CLI_FAILED;
    }
    return exit_status;
}

/* A ruleset without a required function would fail in the middle of a match: fail here instead. */
static bool
rulesets_are_complete(void)
{
    for (size_t i = 0; i < sk_registry_count(); i++) {
        const struct sk_ruleset *ruleset = sk_registry_at(i);

        if (!sk_ruleset_is_complete(ruleset)) {
            fprintf(stderr, "skirmish: the ruleset %s is not complete; this is a bug\n",
                    ruleset->name == NULL ? "(unnamed)" : ruleset->name);
            return false;
        }
    }
    return true;
}

/* How many words of the command line are the command's name: one, two, or none. */
static int
count_words(const struct command *command, int argc, char **argv)
{
    size_t length = strlen(argv[1]);
    bool is_first = strncmp(command->name, argv[1], length) == 0;

    if (is_first && command->name[length] == '\0') {
        return 1;
    }
    return is_first && command->name[length] == ' ' && argc > 2 &&
                   strcmp(command->name + length + 1, argv[2]) == 0
               ? 2
               : 0;
}

/* The command whose name is the longest: `bot replay` is not `bot`. */
static int
run_command(int argc, char **argv)
{
    const struct command *command = NULL;
    int words = 0;

    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        int its = commands[i].run == NULL ? 0 : count_words(&commands[i], argc, argv);

        if (its > words) {
            command = &commands[i];
            words = its;
        }
    }
    return command == NULL ? cli_usage_error("", "unknown command", argv[1])
                           : command->run(argc - words, argv + words);
}

/* `help COMMAND` is `COMMAND --help`. */
static void
turn_help(int argc, char **argv)
{
    static char option[] = "--help";

    memmove(&argv[1], &argv[2], (size_t)(argc - 2) * sizeof(argv[0]));
    argv[argc - 1] = option;
}

int
main(int argc, char **argv)
{
    if (!rulesets_are_complete()) {
        return CLI_FAILED;
    }
    if (argc > 2 && strcmp(argv[1], "help") == 0) {
        turn_help(argc, argv);
    }
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return cli_finish(CLI_OK);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("skirmish %s\n", SK_VERSION);
        return cli_finish(CLI_OK);
    }
    return cli_finish(run_command(argc, argv));
}
