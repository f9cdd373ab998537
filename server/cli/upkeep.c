/*
 * skirmish backup, migrate, reset-token - what an admin does to a database.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/cli/cli.h"
#include "server/cli/options.h"
#include "server/store/migrate.h"
#include "server/store/upkeep.h"

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
            "Copies the database into FILE, also while the daemon uses it: what is copied is the\n"
            "database at one moment, whole and consistent.  FILE must not exist yet.  To restore,\n"
            "stop the daemon, put the copy in the database's place (and remove its -wal and "
            "-shm),\n"
            "and start it again; skirmish verify --all proves that all of it is there.\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
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
        return cli_usage_error("backup", "takes the name of the copy", NULL);
    }
    done = upkeep_backup(cli_database(database), words.at[0], has_terminal ? show_progress : NULL,
                         NULL, &fault);
    if (has_terminal) {
        fprintf(stderr, "\r\033[K");
    }
    if (done != SK_OK) {
        fprintf(stderr, "skirmish backup: %s\n", fault.message);
        return CLI_FAILED;
    }
    printf("copied to %s\n", words.at[0]);
    return CLI_OK;
}

static int
migrate(const char *database, bool is_dry)
{
    struct upkeep_steps steps;
    struct sk_fault fault;

    if (upkeep_look(database, &steps, &fault) != SK_OK) {
        fprintf(stderr, "skirmish migrate: %s\n", fault.message);
        return CLI_FAILED;
    }
    for (int32_t i = steps.applied + 1; i <= steps.known; i++) {
        printf("%s %s\n", is_dry ? "would apply" : "applying", upkeep_step_name(i));
    }
    if (steps.applied == steps.known) {
        printf("%s is up to date: %d %s\n", database, (int)steps.known,
               sk_plural(steps.known, "step", "steps"));
        return CLI_OK;
    }
    if (is_dry) {
        printf("a copy would be made first: " MIGRATE_COPY_FORM "\n", database,
               (int)steps.applied + 1);
        return CLI_OK;
    }
    fflush(stdout);
    if (upkeep_migrate(database, &fault) != SK_OK) {
        fprintf(stderr, "skirmish migrate: %s\n", fault.message);
        return CLI_FAILED;
    }
    printf("done; the database before is " MIGRATE_COPY_FORM "\n", database,
           (int)steps.applied + 1);
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
        .about =
            "Brings the tables of a database up to what this program knows, as the daemon does at\n"
            "its start, after a copy beside the file.  Not while the daemon runs.\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    return migrate(cli_database(database), is_dry);
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
            "Gives the player of that name another token and prints it, this once: it is kept\n"
            "nowhere.  Also while the daemon runs.  The old token is worth nothing from then\n"
            "on; connections that were made with it stay open until they end.\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    char token[UPKEEP_TOKEN_DIGITS + 1];
    struct cli_words words;
    struct sk_fault fault;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 1) {
        return cli_usage_error("reset-token", "takes the name of a player", NULL);
    }
    if (upkeep_reset_token(cli_database(database), words.at[0], token, &fault) != SK_OK) {
        fprintf(stderr, "skirmish reset-token: %s\n", fault.message);
        return CLI_FAILED;
    }
    printf("%s\n", token);
    return CLI_OK;
}
