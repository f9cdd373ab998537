/*
 * log - lines to standard error, for people (text) or programs (JSON).
 *
 * Use log_often for what may happen a thousand times, such as a full disk:
 * equal lines within a minute are written once and then counted.
 *
 * One line is one write, so lines of several threads do not mix.  Control
 * characters from outside are written as \xNN.  Callers must not log tokens or
 * commands.
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

/* May also be called while the daemon runs.  Initially `info` and text. */
void log_set(enum host_log_level level, enum log_form form);

void log_line(enum host_log_level level, const char *message);
void log_often(enum host_log_level level, const char *message);

/* Write the counts: log_tick those older than a minute, to be called regularly; log_flush all of
 * them, at the end. */
void log_tick(void);
void log_flush(void);

void log_format(enum host_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* SK_LOG_H */
