/*
 * Finds values in a frame without parsing it: the members that the load needs are near its
 * beginning, or after a word that occurs once.
 */
#ifndef SK_BENCH_TEXT_H
#define SK_BENCH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct piece {
    const char *at;
    const char *end;
};

static inline struct piece
piece_of(const char *text, size_t length)
{
    return (struct piece){ text, text + length };
}

/* The text after the words; `at` is NULL if they do not occur. */
static inline struct piece
piece_after(struct piece text, const char *words)
{
    size_t length = strlen(words);
    const char *found =
        text.at == NULL ? NULL : memmem(text.at, (size_t)(text.end - text.at), words, length);

    return (struct piece){ found == NULL ? NULL : found + length, text.end };
}

static inline bool
piece_begins(struct piece text, const char *words)
{
    size_t length = strlen(words);

    return (size_t)(text.end - text.at) >= length && memcmp(text.at, words, length) == 0;
}

/* The number at the beginning, spaces before it allowed; -1 when there is none. */
static inline int64_t
piece_number(struct piece text)
{
    int64_t number = 0;
    const char *at = text.at;
    const char *first;

    while (at != NULL && at < text.end && *at == ' ') {
        at++;
    }
    first = at;
    while (at != NULL && at < text.end && *at >= '0' && *at <= '9') {
        number = number * 10 + (*at++ - '0');
    }
    return at == first ? -1 : number;
}

/* The number behind the words, or -1. */
static inline int64_t
piece_number_after(struct piece text, const char *words)
{
    return piece_number(piece_after(text, words));
}

/* Copies up to the next quotation mark; "" if the words do not occur or it is too long. */
static inline void
piece_copy_after(struct piece text, const char *words, char *ret_copy, size_t size)
{
    struct piece found = piece_after(text, words);
    const char *end =
        found.at == NULL ? NULL : memchr(found.at, '"', (size_t)(found.end - found.at));

    ret_copy[0] = '\0';
    if (end != NULL && (size_t)(end - found.at) < size) {
        memcpy(ret_copy, found.at, (size_t)(end - found.at));
        ret_copy[end - found.at] = '\0';
    }
}

#endif /* SK_BENCH_TEXT_H */
