/*
 * skirmish prune, and skirmish player forget - what is not kept for ever:
 * records, and persons.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/cli/admin.h"
#include "server/cli/asking.h"
#include "server/cli/cli.h"
#include "server/cli/keeping.h"
#include "server/cli/options.h"
#include "server/store/archive.h"
#include "server/store/prune.h"

#define HOUR_MS   INT64_C(3600000)
#define YEARS_MAX 1000

/* ---- prune ------------------------------------------------------------------------------- */

struct unit {
    const char *name;
    int64_t hours;
};

static const struct unit units[] = { { "h", 1 }, { "d", 24 }, { "w", 7 * 24 }, { "y", 365 * 24 } };

/* 36h, 90d, 8w, 2y. */
static bool
read_age(const char *text, int64_t *ret_ms)
{
    char *end;
    long long number = strtoll(text, &end, 10);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (end != text && strcmp(end, units[i].name) == 0 && number >= 1 &&
            number <= YEARS_MAX * 365 * 24 / units[i].hours) {
            *ret_ms = number * units[i].hours * HOUR_MS;
            return true;
        }
    }
    return false;
}

static int64_t
now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool
show_progress(void *context, int64_t done, int64_t of)
{
    (void)context;
    fprintf(stderr, "\r%lld of %lld matches", (long long)done, (long long)of);
    return true;
}

static int
prune(const char *database, int64_t before_ms, bool is_meant)
{
    bool has_terminal = isatty(STDERR_FILENO);
    time_t before_s = (time_t)(before_ms / 1000);
    struct prune_count count;
    struct sk_fault fault;
    enum sk_status status;
    struct tm day;
    char date[32];

    status = is_meant ? prune_run(database, before_ms, has_terminal ? show_progress : NULL, NULL,
                                  &count, &fault)
                      : prune_look(database, before_ms, &count, &fault);
    if (has_terminal && is_meant) {
        fprintf(stderr, "\r\033[K");
    }
    if (status != SK_OK) {
        fprintf(stderr, "skirmish prune: %s\n", fault.message);
        return CLI_FAILED;
    }
    (void)gmtime_r(&before_s, &day);
    (void)strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &day);
    printf("%s %lld %s (%.1f MB) of %lld %s that ended before %s UTC\n",
           is_meant ? "dropped" : "would drop", (long long)count.records,
           sk_plural(count.records, "record", "records"), (double)count.bytes / 1e6,
           (long long)count.matches, sk_plural(count.matches, "match", "matches"), date);
    printf(is_meant ? "results, ratings and the ends of their chains are kept\n"
                    : "nothing was done; --yes does it\n");
    return CLI_OK;
}

int
cli_prune(int argc, char **argv)
{
    const char *database = NULL;
    const char *age = NULL;
    bool is_meant = false;
    int64_t age_ms = 0;
    const struct cli_option options[] = {
        { "older-than", CLI_TEXT, &age, "AGE", "ended so long ago: 36h, 90d, 8w, 2y", 0, 0 },
        { "yes", CLI_FLAG, &is_meant, NULL, "do it; else it is only said what would be done", 0,
          0 },
        CLI_DATABASE_OPTION(&database),
    };
    const struct cli_usage usage = {
        .command = "prune",
        .about =
            "Drops the records of matches that ended long ago: their turns cannot be replayed,\n"
            "proven or queried any more.  Results, standings, ratings and the ends of their\n"
            "chains stay; skirmish export keeps the rest elsewhere.  The database may be in use.\n"
            "The file does not become smaller, what is free in it is used again.\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (age == NULL || !read_age(age, &age_ms)) {
        return cli_usage_error("prune", "--older-than takes an age like 36h, 90d, 8w or 2y", age);
    }
    return prune(cli_database(database), now_ms() - age_ms, is_meant);
}

/* ---- forget ------------------------------------------------------------------------------ */

/* A daemon that runs does it itself: it knows the player's connections and shows the name. */
int
cli_player_forget(const char *database, const char *name, bool is_meant)
{
    struct admin_request_line request = { .command = ADMIN_FORGET, .player = sk_text_of(name) };
    const char *socket = cli_admin_socket(NULL, database);
    struct archive *archive = NULL;
    struct sk_fault fault;
    enum sk_status status;

    if (!is_meant || !cli_admin_is_answered(socket)) {
        struct asking asking = asking_of("player forget");
        int found;

        asking.database = database;
        found = asking_expect_player(&asking, name);
        if (found != CLI_OK) {
            return found;
        }
    }
    if (!is_meant) {
        printf("would erase the name and the token of %s; the matches stay.  --yes does it,\n"
               "and it cannot be taken back\n",
               name);
        return CLI_OK;
    }
    if (cli_admin_is_answered(socket)) {
        return cli_admin_ask("player forget", socket, &request, TABLE_PLAIN);
    }
    status = archive_open_to_write(database, &archive, &fault);
    if (status == SK_OK) {
        status = archive_forget(archive, name, (int64_t)geteuid(), &fault);
    }
    archive_close(archive);
    if (status != SK_OK) {
        fprintf(stderr, "skirmish player forget: %s\n", fault.message);
        return CLI_FAILED;
    }
    printf("forgotten\n");
    return CLI_OK;
}
