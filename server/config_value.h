/*
 * How values of the configuration are written and read: numbers, sizes,
 * durations, words, addresses and lists.
 *
 * Owner:   the caller.
 * Threads: none of its own.
 */
#ifndef SK_CONFIG_VALUE_H
#define SK_CONFIG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/limits.h"

enum value_kind {
    VALUE_NUMBER,
    VALUE_BYTES,    /* 4096, 64KiB, 4MiB */
    VALUE_DURATION, /* in milliseconds: 500ms, 10s, 5min, 2h, 1d */
    VALUE_WORD,     /* one of a few; the number of its place */
    VALUE_PATH,
    VALUE_ADDRESS,
    VALUE_NETWORKS,
    VALUE_ORIGINS,
    VALUE_USERS,
    VALUE_HOSTS,
};

#define VALUE_WORDS_MAX 4

/* What a value may be.  The first four kinds are int32_t, the others text. */
struct value_form {
    enum value_kind kind;
    int32_t min; /* of a number */
    int32_t max;
    size_t size;                            /* of a text, with its end */
    const char *words[VALUE_WORDS_MAX + 1]; /* ends with NULL */
};

/* Writes to `place`.  On failure it is untouched and `why` says what would be right. */
bool value_read(const struct value_form *form, const char *text, void *place,
                char why[SERVER_ERROR_MAX + 1]);

/* As value_read would read it; the largest unit that fits evenly. */
void value_write(const struct value_form *form, const void *place, char *text, size_t size);

bool value_is_same(const struct value_form *form, const void *a, const void *b);

/* For --help: NUMBER, SIZE, DURATION ... */
const char *value_kind_name(enum value_kind kind);

#endif /* SK_CONFIG_VALUE_H */
