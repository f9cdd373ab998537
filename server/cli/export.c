/*
 * skirmish export - writes finished matches to files, which skirmish import proves
 * and stores in another database.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/cli/cli.h"
#include "server/cli/options.h"
#include "server/cli/report.h"
#include "server/store/archive.h"
#include "server/store/match_file.h"

#define LIST_AT_ONCE 1024u

struct exporting {
    struct archive *archive;
    FILE *to;
    const char *player; /* whose matches, all of them */
    bool names_each;    /* ids were given: matches that are not over are reported one by one */
    uint64_t written;
    uint64_t not_over;
    uint64_t failed;
};

static bool
put_line(void *context, const char *line, size_t length)
{
    return fwrite(line, 1, length, context) == length;
}

static void
say_not_exported(struct exporting *exporting, int64_t id, const char *why)
{
    fprintf(stderr, "skirmish export: match %lld is not exported: %s\n", (long long)id, why);
    exporting->failed++;
}

/* Reported only for matches that were given by number; not counted as failed. */
static void
say_not_over(struct exporting *exporting, const struct store_match *match)
{
    if (exporting->names_each) {
        fprintf(stderr,
                "skirmish export: match %lld is not over (%s): only finished matches are "
                "exported\n",
                (long long)match->id, store_match_status_names[match->status]);
    }
    exporting->not_over++;
}

/* False when the output cannot be written. */
static bool
export_match(struct exporting *exporting, int64_t id)
{
    struct store_job *job = NULL;
    struct sk_fault fault;
    bool goes_on = true;

    if (archive_load(exporting->archive, id, &job, &fault) != SK_OK) {
        say_not_exported(exporting, id, fault.message);
        return true;
    }
    if (job->match.status == MATCH_OVER) {
        goes_on = match_file_write(job, put_line, exporting->to);
        exporting->written += goes_on ? 1 : 0;
    } else {
        say_not_over(exporting, &job->match);
    }
    store_job_free(job);
    return goes_on;
}

static bool
export_all(struct exporting *exporting)
{
    int64_t ids[LIST_AT_ONCE];
    uint32_t count = LIST_AT_ONCE;
    int64_t after = 0;
    bool goes_on = true;
    struct sk_fault fault;

    while (goes_on && count == LIST_AT_ONCE) {
        if (archive_list_of(exporting->archive, exporting->player, after, LIST_AT_ONCE, ids, &count,
                            &fault) != SK_OK) {
            fprintf(stderr, "skirmish export: %s\n", fault.message);
            exporting->failed++;
            break;
        }
        for (uint32_t i = 0; goes_on && i < count; i++) {
            goes_on = export_match(exporting, ids[i]);
        }
        after = count == 0 ? after : ids[count - 1];
    }
    return goes_on;
}

static int
export_to(struct exporting *exporting, const int64_t *ids, int count)
{
    bool goes_on = true;

    if (!exporting->names_each) {
        goes_on = export_all(exporting);
    }
    for (int i = 0; goes_on && i < count; i++) {
        goes_on = export_match(exporting, ids[i]);
    }
    if (fflush(exporting->to) != 0 || !goes_on) {
        fprintf(stderr, "skirmish export: could not write: %s\n", strerror(errno));
        return CLI_FAILED;
    }
    fprintf(stderr, "%llu exported, %llu unfinished and skipped, %llu failed\n",
            (unsigned long long)exporting->written, (unsigned long long)exporting->not_over,
            (unsigned long long)exporting->failed);
    return exporting->failed > 0 || (exporting->names_each && exporting->not_over > 0) ? CLI_FAILED
                                                                                       : CLI_OK;
}

/* Never overwrites a file.  Only the user may read seeds and names. */
static FILE *
make_file(const char *path)
{
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

    return file < 0 ? NULL : fdopen(file, "w");
}

static int
export_into(struct exporting *exporting, const char *path, const int64_t *ids, int count)
{
    bool is_whole;
    int status;

    if (path == NULL) {
        return export_to(exporting, ids, count);
    }
    exporting->to = make_file(path);
    if (exporting->to == NULL) {
        fprintf(stderr, "skirmish export: %s: %s\n", path, strerror(errno));
        return CLI_FAILED;
    }
    status = export_to(exporting, ids, count);
    is_whole = fsync(fileno(exporting->to)) == 0;
    if ((fclose(exporting->to) != 0 || !is_whole) && status == CLI_OK) {
        fprintf(stderr, "skirmish export: %s: %s\n", path, strerror(errno));
        status = CLI_FAILED;
    }
    if (status != CLI_OK && exporting->written == 0) {
        (void)remove(path); /* an empty file is no export */
    }
    return status;
}

int
cli_export(int argc, char **argv)
{
    const char *database = NULL;
    const char *path = NULL;
    bool is_all = false;
    struct exporting exporting = { .to = stdout };
    const struct cli_option options[] = {
        { "all", CLI_FLAG, &is_all, NULL, "every finished match of the database", 0, 0 },
        { "player", CLI_TEXT, &exporting.player, "NAME", "every finished match of this player", 0,
          0 },
        { "out", CLI_TEXT, &path, "FILE", "into this file, which must not exist yet", 0, 0 },
        CLI_DATABASE_OPTION(&database),
    };
    const struct cli_usage usage = {
        .command = "export",
        .arguments = "[ID...]",
        .about =
            "Writes finished matches as lines of JSON, with everything that skirmish import needs\n"
            "to prove them and to store them in another database.  migrations/README.md describes\n"
            "the format.  The database may be in use.  With --all and --player, matches that are\n"
            "not over are left out and counted.\n"
            "\n"
            "exit status: 0 success, 1 a match could not be exported, 2 wrong usage\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    struct sk_fault fault;
    int64_t *ids = NULL;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    exporting.names_each = words.count > 0;
    if (is_all + (exporting.player != NULL) + exporting.names_each != 1) {
        return cli_usage_error("export", "name matches by their numbers, or give --all or --player",
                               NULL);
    }
    if (words.count > 0 && !cli_ids_read("export", &words, &ids)) {
        return CLI_USAGE;
    }
    if (archive_open(cli_database(database), &exporting.archive, &fault) != SK_OK) {
        fprintf(stderr, "skirmish export: %s\n", fault.message);
        status = CLI_FAILED;
    } else {
        struct report report = report_of("export");

        report.database = database;
        status = report_expect_player(&report, exporting.player);
    }
    if (status == CLI_OK) {
        status = export_into(&exporting, path, ids, words.count);
    }
    archive_close(exporting.archive);
    free(ids);
    return status;
}
