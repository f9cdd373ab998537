/*
 * skirmish backup, migrate, ratings, reset-token - maintenance of a database.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/cli/cli.h"
#include "server/cli/options.h"
#include "server/store/address.h"
#include "server/store/database.h"
#include "server/store/migrate.h"

static bool
show_progress(void *context, int64_t done, int64_t of)
{
    (void)context;
    fprintf(stderr, "\r%3lld%% copied", (long long)(of == 0 ? 100 : 100 * done / of));
    return true;
}

int
cli_backup(int argc, char **argv)
{
    const char *database = NULL;
    const struct cli_option options[] = { CLI_DATABASE_OPTION(&database) };
    const struct cli_usage usage = {
        .command = "backup",
        .arguments = "FILE",
        .about =
            "Copies the database to FILE, even while the daemon uses it: the copy is complete and\n"
            "consistent.  FILE must not exist yet.  To restore it, stop the daemon, put the copy "
            "in\n"
            "the database's place, remove the files -wal and -shm beside it, and start the "
            "daemon.\n"
            "skirmish verify --all then proves that nothing is missing.\n",
        CLI_OPTIONS(options),
    };
    bool has_terminal = isatty(STDERR_FILENO);
    struct cli_words words;
    struct sk_fault fault;
    enum sk_status done;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 1) {
        return cli_usage_error("backup", "takes the name of the new file", NULL);
    }
    done = database_backup(cli_database(database), words.at[0], has_terminal ? show_progress : NULL,
                           NULL, &fault);
    if (has_terminal) {
        fprintf(stderr, "\r\033[K");
    }
    if (done != SK_OK) {
        return cli_fail("backup", &fault);
    }
    printf("copied to %s\n", words.at[0]);
    return CLI_OK;
}

static int
migrate(const char *database, bool is_dry)
{
    struct database_steps steps;
    struct sk_fault fault;
    char shown[ADDRESS_SHOWN_MAX];

    if (database_look(database, &steps, &fault) != SK_OK) {
        return cli_fail("migrate", &fault);
    }
    address_show(database, shown);
    for (int32_t i = steps.applied + 1; i <= steps.known; i++) {
        printf("%s %s\n", is_dry ? "would apply" : "applying", database_step_name(i));
    }
    if (steps.applied == steps.known) {
        printf("%s is up to date: %d %s\n", shown, (int)steps.known,
               sk_plural(steps.known, "step", "steps"));
        return CLI_OK;
    }
    if (is_dry && address_is_shared(database)) {
        return CLI_OK;
    }
    if (is_dry) {
        printf("a copy would be made first: " MIGRATE_COPY_FORM "\n", database,
               (int)steps.applied + 1);
        return CLI_OK;
    }
    fflush(stdout);
    if (database_migrate(database, &fault) != SK_OK) {
        return cli_fail("migrate", &fault);
    }
    if (address_is_shared(database)) {
        printf("done\n");
    } else {
        printf("done; the old database is " MIGRATE_COPY_FORM "\n", database,
               (int)steps.applied + 1);
    }
    return CLI_OK;
}

int
cli_migrate(int argc, char **argv)
{
    const char *database = NULL;
    bool is_dry = false;
    const struct cli_option options[] = {
        { "dry-run", CLI_FLAG, &is_dry, NULL, "only say what would be done", 0, 0 },
        CLI_DATABASE_OPTION(&database),
    };
    const struct cli_usage usage = {
        .command = "migrate",
        .about = "Upgrades a database for this version of the program, as the daemon does at its "
                 "start.\n"
                 "It first copies the database to a file beside it.  The daemon must not run.\n"
                 "On PostgreSQL there is no copy, and nodes may run.\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    return migrate(cli_database(database), is_dry);
}

static int
recompute(const char *database, bool is_only_look)
{
    struct database_ratings ratings;
    struct sk_fault fault;

    if (database_recount(database, is_only_look, &ratings, &fault) != SK_OK) {
        return cli_fail("ratings", &fault);
    }
    printf("%lld rated %s %lld %s, %lld of them different from the stored ones%s\n",
           (long long)ratings.matches, sk_plural(ratings.matches, "match makes", "matches make"),
           (long long)ratings.standings, sk_plural(ratings.standings, "rating", "ratings"),
           (long long)ratings.different,
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
            "Recomputes the ratings from all rated matches, in the order in which they ended, and\n"
            "prints how many differ from the stored ones: none, unless somebody changed the\n"
            "database.  The daemon must not run (on PostgreSQL, no node); --check can be done on\n"
            "a backup.\n"
            "\n"
            "exit status: 0 success, 1 it failed, or --check found a difference,\n"
            "2 wrong usage\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 1 || strcmp(words.at[0], "recompute") != 0) {
        return cli_usage_error("ratings", "the only action is recompute", NULL);
    }
    return recompute(cli_database(database), is_only_look);
}

int
cli_reset_token(int argc, char **argv)
{
    const char *database = NULL;
    const struct cli_option options[] = { CLI_DATABASE_OPTION(&database) };
    const struct cli_usage usage = {
        .command = "reset-token",
        .arguments = "NAME",
        .about =
            "Gives a player a new token and prints it.  It is shown only once.  The daemon may\n"
            "run.  The old token becomes invalid; connections that were made with it stay open\n"
            "until they end.\n",
        CLI_OPTIONS(options),
    };
    char token[DATABASE_TOKEN_DIGITS + 1];
    struct cli_words words;
    struct sk_fault fault;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 1) {
        return cli_usage_error("reset-token", "takes the name of a player", NULL);
    }
    if (database_reset_token(cli_database(database), words.at[0], token, &fault) != SK_OK) {
        return cli_fail("reset-token", &fault);
    }
    printf("%s\n", token);
    return CLI_OK;
}
