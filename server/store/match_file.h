/*
 * match_file - finished matches as files that stand for themselves.
 *
 * A file is lines of JSON (proto/match_lines.h): of each match its head, its
 * records and an end with a checksum.  Several matches may follow each other.
 *
 * What a reader hands out holds together: the checksum over its lines, every
 * record's hash, the chain from the first to the head, and the head's seats
 * and times with what the records say.  That it was played by the rules is
 * for the playback to prove.
 *
 * Owner:   the caller owns readers and the jobs they hand out.
 * Threads: one at a time.
 */
#ifndef SK_STORE_MATCH_FILE_H
#define SK_STORE_MATCH_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "server/host/store_port.h"

/* ---- writing ----------------------------------------------------------------------------- */

/* Takes a line with its newline; false ends the writing. */
typedef bool match_file_sink(void *context, const char *line, size_t length);

/* A match as archive_load gives it, which must be over.  False when the sink said so. */
bool match_file_write(const struct store_job *job, match_file_sink *sink, void *context);

/* ---- reading ----------------------------------------------------------------------------- */

struct match_file_reader;

/* NULL when there is not enough memory. */
struct match_file_reader *match_file_reader_alloc(void);
void match_file_reader_free(struct match_file_reader *reader);

/*
 * Takes the next line, without its newline.  With a match's last line
 * *ret_job is the match, ready for archive_import; else NULL.  Faults:
 * malformed, unknown_form (a newer program wrote it), damaged (checksum),
 * differs (a hash, or what the head says of the records).  After a fault only
 * match_file_reader_begin may follow.
 */
enum sk_status match_file_reader_line(struct match_file_reader *reader, const char *line,
                                      size_t length, struct store_job **ret_job,
                                      struct sk_fault *ret_fault);

/* The next line is the first of a file. */
void match_file_reader_begin(struct match_file_reader *reader);

/* Is a match begun and not ended?  A file that ends there was cut. */
bool match_file_reader_is_inside(const struct match_file_reader *reader);

#endif /* SK_STORE_MATCH_FILE_H */
