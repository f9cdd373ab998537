#include "server/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/limits.h"

#define ESCAPED_MAX 6 /* \u001f */
#define LINE_BYTES  (SERVER_LOG_MAX * ESCAPED_MAX + 128)

static atomic_int log_level = HOST_LOG_INFO;
static atomic_int log_form = LOG_TEXT;

static const char *const level_words[] = { "error", "warning", "info", "debug" };

struct line {
    char bytes[LINE_BYTES];
    size_t used;
};

void
log_set(enum host_log_level level, enum log_form form)
{
    atomic_store(&log_level, (int)level);
    atomic_store(&log_form, (int)form);
}

static void
add(struct line *line, const char *text)
{
    size_t length = strlen(text);

    memcpy(line->bytes + line->used, text, length);
    line->used += length;
}

/* In UTC; milliseconds are enough to see what came first. */
static void
add_time(struct line *line)
{
    struct timespec now;
    struct tm parts;
    char text[64];

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    snprintf(text, sizeof(text), "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ", parts.tm_year + 1900,
             parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
             now.tv_nsec / 1000000);
    add(line, text);
}

static void
add_harmless(struct line *line, const char *message, bool is_json)
{
    for (size_t i = 0; i < SERVER_LOG_MAX && message[i] != '\0'; i++) {
        unsigned char c = (unsigned char)message[i];
        char text[ESCAPED_MAX + 1] = { (char)c, '\0' };

        if (c < 0x20 || c == 0x7f || (is_json && c >= 0x80)) {
            snprintf(text, sizeof(text), is_json ? "\\u%04x" : "\\x%02x", c);
        } else if (is_json && (c == '"' || c == '\\')) {
            snprintf(text, sizeof(text), "\\%c", c);
        }
        add(line, text);
    }
}

void
log_line(enum host_log_level level, const char *message)
{
    bool is_json = atomic_load(&log_form) == LOG_JSON;
    struct line line = { .used = 0 };

    if ((int)level > atomic_load(&log_level)) {
        return;
    }
    add(&line, is_json ? "{\"at\":\"" : "");
    add_time(&line);
    add(&line, is_json ? "\",\"level\":\"" : " ");
    add(&line, level_words[level]);
    add(&line, is_json ? "\",\"message\":\"" : " ");
    add_harmless(&line, message, is_json);
    add(&line, is_json ? "\"}\n" : "\n");
    if (write(STDERR_FILENO, line.bytes, line.used) < 0) {
        return; /* there is nobody left to tell */
    }
}

void
log_format(enum host_log_level level, const char *format, ...)
{
    char message[SERVER_LOG_MAX + 1];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    log_line(level, message);
}
