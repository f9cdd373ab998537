#include "server/cli/line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/memory.h"

#define FIRST_SIZE 65536u

void
line_reader_init(struct line_reader *reader, int fd, size_t line_max)
{
    *reader = (struct line_reader){ .fd = fd, .line_max = line_max, .size = FIRST_SIZE };
    reader->memory = heap_bytes(FIRST_SIZE);
}

void
line_reader_fini(struct line_reader *reader)
{
    free(reader->memory);
}

static const char *
find_newline(const struct line_reader *reader)
{
    return memchr(reader->memory + reader->start, '\n', reader->end - reader->start);
}

bool
line_reader_has_line(const struct line_reader *reader)
{
    return reader->is_at_end || find_newline(reader) != NULL ||
           (!reader->is_skipping && reader->end - reader->start > reader->line_max);
}

/* Makes space at the end: first by moving the content to the front, then by growing. */
static void
make_space(struct line_reader *reader)
{
    size_t held = reader->end - reader->start;

    memmove(reader->memory, reader->memory + reader->start, held);
    reader->start = 0;
    reader->end = held;
    if (held >= reader->size / 2) {
        reader->size *= 2;
        reader->memory = heap_grow(reader->memory, reader->size);
    }
}

bool
line_reader_fill(struct line_reader *reader)
{
    ssize_t got;

    if (reader->end == reader->size) {
        make_space(reader);
    }
    do {
        got = read(reader->fd, reader->memory + reader->end, reader->size - reader->end);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return false;
    }
    reader->is_at_end = got == 0;
    reader->end += (size_t)got;
    return true;
}

/* Returns `length` bytes and skips the newline behind them. */
static void
take(struct line_reader *reader, size_t length, const char **ret_line, size_t *ret_length)
{
    *ret_line = reader->memory + reader->start;
    *ret_length = length;
    reader->start += length;
    if (reader->start < reader->end) {
        reader->start++;
    }
}

/* Drops what was read of a line that is too long; true once its end was read. */
static bool
skip_line(struct line_reader *reader)
{
    const char *newline = find_newline(reader);

    if (newline == NULL) {
        reader->start = reader->end;
        return false;
    }
    reader->start = (size_t)(newline - reader->memory) + 1;
    return true;
}

enum line_result
line_reader_next(struct line_reader *reader, const char **ret_line, size_t *ret_length)
{
    for (;;) {
        const char *newline;
        size_t held;

        if (reader->is_skipping && skip_line(reader)) {
            reader->is_skipping = false;
        }
        newline = reader->is_skipping ? NULL : find_newline(reader);
        held = newline != NULL ? (size_t)(newline - (reader->memory + reader->start))
                               : reader->end - reader->start;
        if (held > reader->line_max) {
            reader->is_skipping = true;
            return LINE_TOO_LONG;
        }
        if (newline != NULL || (reader->is_at_end && held > 0)) {
            take(reader, held, ret_line, ret_length);
            return LINE_READ;
        }
        if (reader->is_at_end) {
            return LINE_END;
        }
        if (!line_reader_fill(reader)) {
            return LINE_FAILED;
        }
    }
}
