/*
 * skirmish import - reads files that skirmish export has written: proves each
 * match, then stores it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/match_lines.h"
#include "server/cli/cli.h"
#include "server/cli/line_reader.h"
#include "server/cli/options.h"
#include "server/replay/playback.h"
#include "server/store/archive.h"
#include "server/store/database.h"
#include "server/store/match_file.h"

struct importing {
    const char *database;    /* NULL: only check */
    struct archive *archive; /* NULL: not opened yet */
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

/* With the first match that holds, so that no empty database is created. */
static bool
open_database(struct importing *importing)
{
    struct sk_fault fault;
    enum sk_status status = SK_OK;

    if (importing->archive != NULL) {
        return true;
    }
    if (access(importing->database, F_OK) != 0 && errno == ENOENT) {
        status = database_migrate(importing->database, &fault);
    }
    if (status == SK_OK) {
        status = archive_open_to_write(importing->database, &importing->archive, &fault);
    }
    if (status != SK_OK) {
        fprintf(stderr, "skirmish import: %s\n", fault.message);
    }
    return status == SK_OK;
}

static bool
import_match(struct importing *importing, struct store_job *job)
{
    struct sk_fault fault;
    uint64_t turns = 0;

    if (playback_match(importing->playback, job, &turns, &fault) != SK_OK) {
        return say_fault(importing, "the match before this line does not hold: ", &fault);
    }
    if (importing->database == NULL) {
        printf("match %lld holds, with %llu %s\n", (long long)job->match.origin,
               (unsigned long long)turns, sk_plural((int64_t)turns, "turn", "turns"));
        importing->stored++;
        return true;
    }
    if (!open_database(importing)) {
        return false;
    }
    if (archive_import(importing->archive, job, &fault) == SK_OK) {
        printf("match %lld is match %lld here, with %llu %s\n", (long long)job->match.origin,
               (long long)job->match_id, (unsigned long long)turns,
               sk_plural((int64_t)turns, "turn", "turns"));
        importing->stored++;
        return true;
    }
    if (strcmp(fault.code, "exists") == 0) {
        printf("match %lld is already stored, as match %lld\n", (long long)job->match.origin,
               (long long)job->match_id);
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
        fprintf(stderr, "skirmish import: %s is empty: no match was exported to it\n",
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
    } else {
        line_reader_init(&lines, fd, MATCH_LINE_MAX);
        match_file_reader_begin(importing->reader);
        is_fine = import_lines(importing, &lines);
        line_reader_fini(&lines);
    }
    if (fd > STDIN_FILENO) {
        (void)close(fd);
    }
    return is_fine;
}

static int
import_all(const struct cli_words *words, const char *database, bool is_only_check)
{
    struct importing importing = {
        .database = is_only_check ? NULL : database,
        .playback = playback_alloc(),
        .reader = match_file_reader_alloc(),
    };
    bool is_fine = importing.reader != NULL;

    for (int i = 0; is_fine && i < words->count; i++) {
        is_fine = import_file(&importing, words->at[i]);
    }
    printf("%llu %s, %llu already stored\n", (unsigned long long)importing.stored,
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
            "already there is not stored again, and nothing is overwritten.  Seats go to players\n"
            "of the same names; missing players are created, and skirmish reset-token gives them\n"
            "a token.  Imported matches do not count in standings and ratings.  It stops at the\n"
            "first match that does not hold; the matches before it stay.  The database may be in\n"
            "use, and is created if it does not exist.\n"
            "\n"
            "exit status: 0 all hold, 1 one does not, 2 wrong usage\n",
        CLI_OPTIONS(options),
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
