/*
 * log - lines to standard error, for people (text) or programs (JSON).
 *
 * What may happen a thousand times, as when the disk is full, is logged with
 * log_often: equal lines of a minute are written once, and then counted.
 *
 * One line is one write, so lines of several threads do not mix.  What comes
 * from outside is made harmless: control characters are written as \xNN.
 * Nobody hands tokens or commands to it.
 *
 * Owner:   the process; there is one log.
 * Threads: any.
 */
#ifndef SK_LOG_H
#define SK_LOG_H

#include "server/host/host.h"

enum log_form {
    LOG_TEXT,
    LOG_JSON
};

/* Both also while the daemon runs; they begin as `info` and text. */
void log_set(enum host_log_level level, enum log_form form);

void log_line(enum host_log_level level, const char *message);
void log_often(enum host_log_level level, const char *message);

/* Writes what was counted: log_tick for more than a minute, to be called now and then; log_flush
 * all of it, at the end. */
void log_tick(void);
void log_flush(void);

void log_format(enum host_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* SK_LOG_H */
