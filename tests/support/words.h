/*
 * words - text built piece by piece, and the files that tests read.
 *
 * Owner:   the caller; `words` own their memory, which grows as needed.
 */
#ifndef SK_TEST_WORDS_H
#define SK_TEST_WORDS_H

#include <stddef.h>

struct words {
    char *at; /* always terminated */
    size_t used;
    size_t space;
};

void words_init(struct words *words);
void words_fini(struct words *words);
void words_clear(struct words *words);
void words_say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends JSON written with ' for ", which C would require to escape. */
void words_say_json(struct words *words, const char *json);

/* Appends the whole file; a missing file ends the program. */
void words_read_file(struct words *words, const char *path);

#endif /* SK_TEST_WORDS_H */
