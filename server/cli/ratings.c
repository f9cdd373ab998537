/*
 * skirmish ratings recompute - all ratings anew from the stored matches.
 */
#include <stdio.h>
#include <string.h>

#include "server/cli/cli.h"
#include "server/cli/options.h"
#include "server/store/upkeep.h"

static int
recompute(const char *database, bool is_only_look)
{
    struct upkeep_ratings ratings;
    struct sk_fault fault;

    if (upkeep_recount(database, is_only_look, &ratings, &fault) != SK_OK) {
        fprintf(stderr, "skirmish ratings: %s\n", fault.message);
        return CLI_FAILED;
    }
    printf("%lld rated %s %lld %s, %lld of them other than stored%s\n", (long long)ratings.matches,
           sk_plural(ratings.matches, "match makes", "matches make"), (long long)ratings.standings,
           sk_plural(ratings.standings, "rating", "ratings"), (long long)ratings.different,
           is_only_look || ratings.different == 0 ? "" : ", and now corrected");
    return is_only_look && ratings.different > 0 ? CLI_FAILED : CLI_OK;
}

int
cli_ratings(int argc, char **argv)
{
    const char *database = NULL;
    bool is_only_look = false;
    const struct cli_option options[] = {
        { "check", CLI_FLAG, &is_only_look, NULL, "only compare, and change nothing", 0, 0 },
        CLI_DATABASE_OPTION(&database),
    };
    const struct cli_usage usage = {
        .command = "ratings",
        .arguments = "recompute",
        .about =
            "Counts all rated matches again, in the order in which they ended, and says how many\n"
            "ratings come out otherwise than they are stored: none, unless somebody changed\n"
            "something.  Not while the daemon runs; --check can be done on a backup.\n"
            "\n"
            "exit status: 0 fine, 1 it could not be done, or --check found a difference,\n"
            "2 wrong usage\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 1 || strcmp(words.at[0], "recompute") != 0) {
        return cli_usage_error("ratings", "what is there to do is: recompute", NULL);
    }
    return recompute(cli_database(database), is_only_look);
}
