#include "server/log.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/server_limits.h"

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

/* In UTC; milliseconds suffice to see the order. */
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

static bool
is_wanted(enum host_log_level level)
{
    return (int)level <= atomic_load(&log_level);
}

static void
write_line(enum host_log_level level, const char *message)
{
    bool is_json = atomic_load(&log_form) == LOG_JSON;
    struct line line = { .used = 0 };

    add(&line, is_json ? "{\"at\":\"" : "");
    add_time(&line);
    add(&line, is_json ? "\",\"level\":\"" : " ");
    add(&line, level_words[level]);
    add(&line, is_json ? "\",\"message\":\"" : " ");
    add_harmless(&line, message, is_json);
    add(&line, is_json ? "\"}\n" : "\n");
    if (write(STDERR_FILENO, line.bytes, line.used) < 0) {
        return; /* nowhere left to report it */
    }
}

/* ---- equal lines ------------------------------------------------------------------------- */

#define REPEATS_MAX 8 /* distinct lines counted at once */
#define REPEAT_S    60

struct repeat {
    char message[SERVER_LOG_MAX + 1]; /* "" = none */
    enum host_log_level level;
    time_t since_s; /* when it was last written */
    uint64_t count; /* since then */
};

static struct {
    pthread_mutex_t lock;
    struct repeat items[REPEATS_MAX];
} repeats = { .lock = PTHREAD_MUTEX_INITIALIZER };

static time_t
now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void
write_count(struct repeat *repeat)
{
    char message[SERVER_LOG_MAX + 1];

    if (repeat->count > 0) {
        snprintf(message, sizeof(message), "%.*s (repeated %" PRIu64 " times)", SERVER_LOG_MAX - 48,
                 repeat->message, repeat->count);
        write_line(repeat->level, message);
        repeat->count = 0;
    }
}

/* Written before another line, to keep the order of events. */
static void
write_counts(void)
{
    for (size_t i = 0; i < REPEATS_MAX; i++) {
        write_count(&repeats.items[i]);
    }
}

static bool
is_of(const struct repeat *repeat, enum host_log_level level, const char *message)
{
    return repeat->message[0] != '\0' && repeat->level == level &&
           strncmp(repeat->message, message, SERVER_LOG_MAX) == 0;
}

/* The slot of this line, or the one written longest ago. */
static struct repeat *
find_repeat(enum host_log_level level, const char *message)
{
    struct repeat *found = &repeats.items[0];

    for (size_t i = 0; i < REPEATS_MAX && !is_of(found, level, message); i++) {
        struct repeat *repeat = &repeats.items[i];

        if (is_of(repeat, level, message) || repeat->since_s < found->since_s) {
            found = repeat;
        }
    }
    return found;
}

void
log_often(enum host_log_level level, const char *message)
{
    struct repeat *repeat;

    if (!is_wanted(level)) {
        return;
    }
    pthread_mutex_lock(&repeats.lock);
    repeat = find_repeat(level, message);
    if (is_of(repeat, level, message)) {
        repeat->count++;
    } else {
        write_counts();
        snprintf(repeat->message, sizeof(repeat->message), "%s", message);
        repeat->level = level;
        repeat->since_s = now_s();
        write_line(level, message);
    }
    pthread_mutex_unlock(&repeats.lock);
}

void
log_tick(void)
{
    time_t before_s = now_s() - REPEAT_S;

    pthread_mutex_lock(&repeats.lock);
    for (size_t i = 0; i < REPEATS_MAX; i++) {
        struct repeat *repeat = &repeats.items[i];

        if (repeat->message[0] == '\0' || repeat->since_s > before_s) {
            continue;
        }
        if (repeat->count == 0) {
            repeat->message[0] = '\0';
        }
        write_count(repeat);
        repeat->since_s = now_s();
    }
    pthread_mutex_unlock(&repeats.lock);
}

void
log_flush(void)
{
    pthread_mutex_lock(&repeats.lock);
    write_counts();
    pthread_mutex_unlock(&repeats.lock);
}

/* ---- single lines ------------------------------------------------------------------------ */

void
log_line(enum host_log_level level, const char *message)
{
    if (!is_wanted(level)) {
        return;
    }
    pthread_mutex_lock(&repeats.lock);
    write_counts();
    write_line(level, message);
    pthread_mutex_unlock(&repeats.lock);
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
