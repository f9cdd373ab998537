/*
 * Parses and prints configuration values: numbers, sizes, durations, words,
 * addresses and lists.
 *
 * Owner:   the caller.
 * Threads: any.
 */
#ifndef SK_CONFIG_VALUE_H
#define SK_CONFIG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/server_limits.h"

enum value_kind {
    VALUE_NUMBER,
    VALUE_BYTES,    /* 4096, 64KiB, 4MiB */
    VALUE_DURATION, /* in milliseconds: 500ms, 10s, 5min, 2h, 1d */
    VALUE_WORD,     /* one of a few words; stored as its index */
    VALUE_PATH,
    VALUE_ADDRESS,
    VALUE_NETWORKS,
    VALUE_ORIGINS,
    VALUE_NAMES,
    VALUE_USERS,
    VALUE_HOSTS,
};

#define VALUE_WORDS_MAX 4

/* What values are valid.  The first four kinds are int32_t, the others text. */
struct value_form {
    enum value_kind kind;
    int32_t min; /* of a number */
    int32_t max;
    size_t size;                            /* of a text, including the terminator */
    const char *words[VALUE_WORDS_MAX + 1]; /* ends with NULL */
};

/* Writes to `place`.  On failure `place` is untouched and `why` says what is expected. */
bool value_read(const struct value_form *form, const char *text, void *place,
                char why[SERVER_ERROR_MAX + 1]);

/* Prints a value as value_read accepts it, with the largest unit that divides it. */
void value_write(const struct value_form *form, const void *place, char *text, size_t size);

bool value_is_same(const struct value_form *form, const void *a, const void *b);

/* For --help: NUMBER, SIZE, DURATION ... */
const char *value_kind_name(enum value_kind kind);

#endif /* SK_CONFIG_VALUE_H */
