#include "tests/support/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/table.h"

#define FIRST_SIZE 256u

/* Reserves space for `more` bytes and the terminator. */
static void
grow(struct words *words, size_t more)
{
    size_t needed = words->used + more + 1;
    size_t space = words->space == 0 ? FIRST_SIZE : words->space;

    while (space < needed) {
        space *= 2;
    }
    if (space > words->space) {
        words->at = realloc(words->at, space);
        words->space = space;
    }
    if (words->at == NULL) {
        table_fail("no memory for words");
    }
}

void
words_init(struct words *words)
{
    *words = (struct words){ 0 };
    grow(words, 0);
    words_clear(words);
}

void
words_fini(struct words *words)
{
    free(words->at);
    *words = (struct words){ 0 };
}

void
words_clear(struct words *words)
{
    words->used = 0;
    words->at[0] = '\0';
}

void
words_say(struct words *words, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        table_fail("the words cannot be formatted: %s", format);
    }
    grow(words, (size_t)length);
    va_start(arguments, format);
    vsnprintf(words->at + words->used, (size_t)length + 1, format, arguments);
    va_end(arguments);
    words->used += (size_t)length;
}

void
words_say_json(struct words *words, const char *json)
{
    for (const char *at = json; *at != '\0'; at++) {
        words_say(words, "%c", *at == '\'' ? '"' : *at);
    }
}

void
words_read_file(struct words *words, const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t length = 1;

    if (file == NULL) {
        table_fail("no file %s", path);
    }
    while (length > 0) {
        grow(words, BUFSIZ);
        length = fread(words->at + words->used, 1, BUFSIZ, file);
        words->used += length;
    }
    if (ferror(file)) {
        table_fail("the file %s cannot be read", path);
    }
    words->at[words->used] = '\0';
    fclose(file);
}
