/*
 * skirmish prune - drops the records of old matches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/cli/cli.h"
#include "server/cli/options.h"
#include "server/clock.h"
#include "server/store/prune.h"

#define HOUR_MS   INT64_C(3600000)
#define YEARS_MAX 1000

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
        return cli_fail("prune", &fault);
    }
    (void)gmtime_r(&before_s, &day);
    (void)strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &day);
    printf("%s %lld %s (%.1f MB) of %lld %s that ended before %s UTC\n",
           is_meant ? "dropped" : "would drop", (long long)count.records,
           sk_plural(count.records, "record", "records"), (double)count.bytes / 1e6,
           (long long)count.matches, sk_plural(count.matches, "match", "matches"), date);
    printf(is_meant ? "results, ratings and the ends of their chains are kept\n"
                    : "nothing was changed; use --yes to do it\n");
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
        { "older-than", CLI_TEXT, &age, "AGE",
          "that ended at least this long ago: 36h, 90d, 8w, 2y", 0, 0 },
        { "yes", CLI_FLAG, &is_meant, NULL, "do it; without this, only say what would be done", 0,
          0 },
        CLI_DATABASE_OPTION(&database),
    };
    const struct cli_usage usage = {
        .command = "prune",
        .about =
            "Drops the records of matches that ended long ago: their turns cannot be replayed,\n"
            "proven or queried any more.  Results, standings, ratings and the ends of their\n"
            "chains stay; skirmish export keeps the rest elsewhere.  The database may be in use.\n"
            "The file does not shrink; its free space is used again.\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (age == NULL || !read_age(age, &age_ms)) {
        return cli_usage_error("prune", "--older-than takes an age like 36h, 90d, 8w or 2y", age);
    }
    return prune(cli_database(database), clock_ms(CLOCK_REALTIME) - age_ms, is_meant);
}
