/*
 * skirmish export, import - finished matches as files that stand for
 * themselves, out of one database and into another.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/match_lines.h"
#include "server/cli/asking.h"
#include "server/cli/cli.h"
#include "server/cli/lines.h"
#include "server/cli/options.h"
#include "server/replay/playback.h"
#include "server/store/archive.h"
#include "server/store/match_file.h"
#include "server/store/upkeep.h"

#define LIST_AT_ONCE 1024u

/* ---- export ------------------------------------------------------------------------------ */

struct exporting {
    struct archive *archive;
    FILE *to;
    const char *player; /* whose matches, all of them */
    bool names_each;    /* matches were named one by one: each that is not over is named too */
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
    fprintf(stderr, "skirmish export: match %lld is left out: %s\n", (long long)id, why);
    exporting->failed++;
}

/* By number, and so on purpose: it is said what is missing, and nothing has failed with it. */
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

/* False when the output takes no more. */
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
    fprintf(stderr, "%llu exported, %llu not over and left out, %llu failed\n",
            (unsigned long long)exporting->written, (unsigned long long)exporting->not_over,
            (unsigned long long)exporting->failed);
    return exporting->failed > 0 || (exporting->names_each && exporting->not_over > 0) ? CLI_FAILED
                                                                                       : CLI_OK;
}

/* A file that is there already is not touched; seeds and names are nobody else's to read. */
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
            "Writes finished matches as lines of JSON that stand for themselves: with\n"
            "everything that skirmish import needs to prove them and to store them elsewhere.\n"
            "The form is described in migrations/README.md.  The database may be in use.\n"
            "With --all and --player matches that are not over are left out and counted.\n"
            "\n"
            "exit status: 0 fine, 1 a match could not be exported, 2 wrong usage\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
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
        struct asking asking = asking_of("export");

        asking.database = database;
        status = asking_expect_player(&asking, exporting.player);
    }
    if (status == CLI_OK) {
        status = export_into(&exporting, path, ids, words.count);
    }
    archive_close(exporting.archive);
    free(ids);
    return status;
}

/* ---- import ------------------------------------------------------------------------------ */

struct importing {
    struct archive *archive; /* NULL: only look */
    struct playback *playback;
    struct match_file_reader *reader;
    const char *name; /* of the file */
    uint64_t line;
    uint64_t stored;
    uint64_t known;
};

static bool
say_fault(const struct importing *importing, const char *what, const struct sk_fault *fault)
{
    fprintf(stderr, "skirmish import: %s, line %llu: %s%s: %s%s%s\n", importing->name,
            (unsigned long long)importing->line, what, fault->code, fault->message,
            fault->at[0] == '\0' ? "" : ", at ", fault->at);
    return false;
}

static bool
import_match(struct importing *importing, struct store_job *job)
{
    struct sk_fault fault;
    uint64_t turns = 0;

    if (playback_match(importing->playback, job, &turns, &fault) != SK_OK) {
        return say_fault(importing, "the match before this line does not hold: ", &fault);
    }
    if (importing->archive == NULL) {
        printf("match %lld holds, with %llu %s\n", (long long)job->match.origin,
               (unsigned long long)turns, sk_plural((int64_t)turns, "turn", "turns"));
        importing->stored++;
        return true;
    }
    if (archive_import(importing->archive, job, &fault) == SK_OK) {
        printf("match %lld is match %lld here, with %llu %s\n", (long long)job->match.origin,
               (long long)job->match.id, (unsigned long long)turns,
               sk_plural((int64_t)turns, "turn", "turns"));
        importing->stored++;
        return true;
    }
    if (strcmp(fault.code, "exists") == 0) {
        printf("match %lld is here already, as match %lld\n", (long long)job->match.origin,
               (long long)job->match.id);
        importing->known++;
        return true;
    }
    return say_fault(importing, "not stored: ", &fault);
}

static bool
import_line(struct importing *importing, const char *line, size_t length)
{
    struct store_job *job = NULL;
    struct sk_fault fault;
    bool is_fine = true;

    importing->line++;
    if (match_file_reader_line(importing->reader, line, length, &job, &fault) != SK_OK) {
        return say_fault(importing, "", &fault);
    }
    if (job != NULL) {
        is_fine = import_match(importing, job);
        store_job_free(job);
    }
    return is_fine;
}

static bool
import_lines(struct importing *importing, struct line_reader *lines)
{
    enum line_result result = LINE_END;
    const char *line = NULL;
    size_t length = 0;
    bool is_fine = true;
    struct sk_fault fault;

    while (is_fine && (result = line_reader_next(lines, &line, &length)) == LINE_READ) {
        is_fine = import_line(importing, line, length);
    }
    if (is_fine && result == LINE_FAILED) {
        fprintf(stderr, "skirmish import: %s: %s\n", importing->name, strerror(errno));
        return false;
    }
    if (is_fine && (result == LINE_TOO_LONG || match_file_reader_is_inside(importing->reader))) {
        (void)sk_fault_set(&fault, result == LINE_TOO_LONG ? "malformed" : "cut",
                           result == LINE_TOO_LONG ? "the next line is too long"
                                                   : "the file ends in the middle of a match");
        return say_fault(importing, "", &fault);
    }
    if (is_fine && importing->line == 0) {
        fprintf(stderr,
                "skirmish import: %s is empty: it holds no match; skirmish export writes files\n",
                importing->name);
        return false;
    }
    return is_fine;
}

static bool
import_file(struct importing *importing, const char *name)
{
    bool is_input = strcmp(name, "-") == 0;
    int fd = is_input ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    struct line_reader lines;
    bool is_fine = false;

    importing->name = is_input ? "standard input" : name;
    importing->line = 0;
    if (fd < 0) {
        fprintf(stderr, "skirmish import: %s: %s\n", name, strerror(errno));
    } else if (!line_reader_init(&lines, fd, MATCH_LINE_MAX)) {
        fprintf(stderr, "skirmish import: not enough memory\n");
    } else {
        match_file_reader_begin(importing->reader);
        is_fine = import_lines(importing, &lines);
        line_reader_fini(&lines);
    }
    if (fd > STDIN_FILENO) {
        (void)close(fd);
    }
    return is_fine;
}

/* A database that is not there yet is made. */
static bool
open_database(struct importing *importing, const char *database)
{
    struct sk_fault fault;
    enum sk_status status = SK_OK;

    if (access(database, F_OK) != 0 && errno == ENOENT) {
        status = upkeep_migrate(database, &fault);
    }
    if (status == SK_OK) {
        status = archive_open_to_write(database, &importing->archive, &fault);
    }
    if (status != SK_OK) {
        fprintf(stderr, "skirmish import: %s\n", fault.message);
    }
    return status == SK_OK;
}

static int
import_all(const struct cli_words *words, const char *database, bool is_only_check)
{
    struct importing importing = {
        .playback = playback_alloc(),
        .reader = match_file_reader_alloc(),
    };
    bool is_fine = importing.playback != NULL && importing.reader != NULL;

    if (is_fine && !is_only_check) {
        is_fine = open_database(&importing, database);
    }
    for (int i = 0; is_fine && i < words->count; i++) {
        is_fine = import_file(&importing, words->at[i]);
    }
    printf("%llu %s, %llu here already\n", (unsigned long long)importing.stored,
           !is_only_check ? "imported" : sk_plural((int64_t)importing.stored, "holds", "hold"),
           (unsigned long long)importing.known);
    archive_close(importing.archive);
    match_file_reader_free(importing.reader);
    playback_free(importing.playback);
    return is_fine ? CLI_OK : CLI_FAILED;
}

int
cli_import(int argc, char **argv)
{
    const char *database = NULL;
    bool is_only_check = false;
    const struct cli_option options[] = {
        { "check", CLI_FLAG, &is_only_check, NULL, "prove them and store nothing", 0, 0 },
        CLI_DATABASE_OPTION(&database),
    };
    const struct cli_usage usage = {
        .command = "import",
        .arguments = "FILE...",
        .about =
            "Reads files that skirmish export has written (- is standard input), proves each\n"
            "match as skirmish verify does, and stores it under a new number.  A match that is\n"
            "here already is not stored again, and nothing is ever overwritten.  Players are\n"
            "those of the same names; others are made, and skirmish reset-token lets them in.\n"
            "What is imported counts in no standings and ratings.  Ends with the first match\n"
            "that does not hold; those before it stay.  The database may be in use, and is made\n"
            "if it is not there.\n"
            "\n"
            "exit status: 0 all hold, 1 one does not, 2 wrong usage\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count == 0) {
        return cli_usage_error("import", "name a file, or - for standard input", NULL);
    }
    return import_all(&words, cli_database(database), is_only_check);
}
