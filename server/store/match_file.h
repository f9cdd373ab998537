/*
 * match_file - finished matches as self-contained files.
 *
 * A file is lines of JSON (proto/match_lines.h): for each match a head, its
 * records and an end line with a checksum.  A file may hold several matches.
 *
 * A reader checks what it returns: the checksum over the lines, every record's
 * hash, the chain from the first record to the head, and that the head's seats
 * and times agree with the records.  Whether the match was played by the rules
 * is checked by the playback.
 *
 * Owner:   the caller owns readers and the jobs they return.
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

/* Receives a line with its newline; returning false stops the writing. */
typedef bool match_file_sink(void *context, const char *line, size_t length);

/* Writes a match as archive_load returns it; it must be over.  Returns false if the sink did. */
bool match_file_write(const struct store_job *job, match_file_sink *sink, void *context);

/* ---- reading ----------------------------------------------------------------------------- */

struct match_file_reader;

/* Returns NULL if memory runs out. */
struct match_file_reader *match_file_reader_alloc(void);
void match_file_reader_free(struct match_file_reader *reader);

/*
 * Takes the next line, without its newline.  On a match's last line *ret_job is
 * the match, ready for archive_import; otherwise NULL.  Faults: malformed,
 * unknown_form (written by a newer program), damaged (checksum), differs (a
 * hash, or the head does not agree with the records).  After a fault only
 * match_file_reader_begin may be called.
 */
enum sk_status match_file_reader_line(struct match_file_reader *reader, const char *line,
                                      size_t length, struct store_job **ret_job,
                                      struct sk_fault *ret_fault);

/* The turn of the record in the line that was taken last, also after a fault, or STORE_NO_TURN. */
int32_t match_file_reader_turn(const struct match_file_reader *reader);

/* Starts a new file. */
void match_file_reader_begin(struct match_file_reader *reader);

/* Whether a match has begun and not ended.  A file that ends there is truncated. */
bool match_file_reader_is_inside(const struct match_file_reader *reader);

#endif /* SK_STORE_MATCH_FILE_H */
