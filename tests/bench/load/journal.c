#include "tests/bench/load/journal.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
journal_open(struct journal *journal, const char *path)
{
    journal->file = -1;
    if (path == NULL) {
        return true;
    }
    journal->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    return journal->file >= 0;
}

void
journal_close(struct journal *journal)
{
    if (journal->file >= 0) {
        (void)close(journal->file);
        journal->file = -1;
    }
}

static const char *
word(const char *text)
{
    return text == NULL || text[0] == '\0' ? "-" : text;
}

static const char *
number(int64_t value, int64_t none, char ret_digits[24])
{
    if (value == none) {
        return "-";
    }
    (void)snprintf(ret_digits, 24, "%" PRId64, value);
    return ret_digits;
}

void
journal_add(const struct journal *journal, int64_t now_us, const struct journal_line *line)
{
    char text[512];
    char match[24];
    char seat[24];
    char turn[24];
    char seq[24];
    int length;

    if (journal->file < 0) {
        return;
    }
    length = snprintf(text, sizeof(text), "%s %" PRId64 " %s %s %s %s %s %s %s\n", line->kind,
                      now_us, word(line->token), number(line->match, 0, match),
                      number(line->seat, -1, seat), number(line->turn, -1, turn),
                      number(line->seq, -1, seq), word(line->command_id), word(line->hash));
    if (length <= 0 || (size_t)length >= sizeof(text) ||
        write(journal->file, text, (size_t)length) != length) {
        perror("load: the journal cannot be written");
        exit(1);
    }
}
