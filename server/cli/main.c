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

static const struct command commands[] = {
    { "bot replay", "send a web service its past requests again", cli_bot_replay },
    { "resolve", "resolve turns: JSON requests on standard input, answers on standard output",
      cli_resolve },
    { "rulesets", "list the rulesets with their versions", cli_rulesets },
    { "schema", "print a ruleset's JSON Schemas and words", cli_schema },
    { "params", "print a ruleset's default params", cli_params },
    { "replay", "show a stored match turn by turn", cli_replay },
    { "what-if", "resolve a stored turn with other commands", cli_what_if },
    { "verify", "prove stored matches: play them again and compare everything", cli_verify },
    { "query", "ask the database: ready-made questions or SQL", cli_query },
    { "matches", "list matches", cli_matches },
    { "match", "list the records of a match", cli_match },
    { "players", "list players", cli_players },
    { "player", "list a player's matches, or forget the player", cli_player },
    { "leaderboard", "list the standings of rated matches", cli_leaderboard },
    { "ratings", "count the ratings anew from the stored matches", cli_ratings },
    { "export", "write finished matches as files that stand for themselves", cli_export },
    { "import", "prove such files and store their matches", cli_import },
    { "admin", "ask something of a running daemon", cli_admin },
    { "play", "play on a running server, in the terminal", cli_play },
    { "watch", "watch a match on a running server", cli_watch },
    { "connect", "speak the protocol by hand: lines in, frames out", cli_connect },
    { "bot", "play on a running server as a bot", cli_bot },
    { "arena", "play matches between two bots and say who is better", cli_arena },
    { "backup", "copy a database, also one in use", cli_backup },
    { "prune", "drop the records of old matches", cli_prune },
    { "migrate", "bring a database up to date", cli_migrate },
    { "reset-token", "give a player another token", cli_reset_token },
};

static void
print_help(FILE *to)
{
    fprintf(to, "skirmish - the referee of grid tactics games\n"
                "\n"
                "usage: skirmish COMMAND [OPTIONS]\n"
                "\n"
                "commands:\n");
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        fprintf(to, "  %-11s %s\n", commands[i].name, commands[i].summary);
    }
    fprintf(to, "\n"
                "  skirmish COMMAND --help   more about one command\n"
                "  skirmish --version        the version of the program\n"
                "\n"
                "exit status: 0 fine, 1 something was wrong with the input, 2 wrong usage\n");
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
cli_finish(int exit_status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "skirmish: could not write all of the output\n");
        return CLI_FAILED;
    }
    return exit_status;
}

/* A ruleset with a hole would fail in the middle of a match; better to fail here. */
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

int
main(int argc, char **argv)
{
    const char *name = argc < 2 ? "--help" : argv[1];

    if (!rulesets_are_complete()) {
        return CLI_FAILED;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(argc < 2 ? stderr : stdout);
        return cli_finish(argc < 2 ? CLI_USAGE : CLI_OK);
    }
    if (strcmp(name, "--version") == 0) {
        printf("skirmish %s\n", SK_VERSION);
        return cli_finish(CLI_OK);
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        int words = count_words(&commands[i], argc, argv);

        if (words > 0) {
            return cli_finish(commands[i].run(argc - words, argv + words));
        }
    }
    return cli_usage_error("", "there is no command", name);
}
