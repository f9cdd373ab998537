/*
 * line_reader - lines from a file descriptor, of any length up to a limit.
 *
 * It knows whether the next line is there already, so that a program that answers
 * line by line can flush its answers before it waits.
 *
 * Owner:   the reader owns its memory; a line is valid until the next call.
 */
#ifndef SK_CLI_LINE_READER_H
#define SK_CLI_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

struct line_reader {
    int fd;
    size_t line_max;
    char *memory;
    size_t size;
    size_t start; /* of what is not given out yet */
    size_t end;
    bool is_at_end;
    bool is_skipping; /* the rest of a line that was too long */
};

enum line_result {
    LINE_READ,
    LINE_TOO_LONG, /* the line is skipped */
    LINE_END,
    LINE_FAILED, /* errno says why */
};

void line_reader_init(struct line_reader *reader, int fd, size_t line_max);
void line_reader_fini(struct line_reader *reader);

/* Is there a whole line (or the end, or a line that is too long) without another read? */
bool line_reader_has_line(const struct line_reader *reader);

/* Reads once; waits if nothing is there.  False: errno says why. */
bool line_reader_fill(struct line_reader *reader);

/* The next line without its newline. */
enum line_result line_reader_next(struct line_reader *reader, const char **ret_line,
                                  size_t *ret_length);

#endif /* SK_CLI_LINE_READER_H */
