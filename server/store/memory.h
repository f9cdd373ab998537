/*
 * Allocation that never fails: if memory runs out the process ends, and
 * recovers when it is restarted.
 *
 * Owner: the caller frees with free().
 */
#ifndef SK_STORE_MEMORY_H
#define SK_STORE_MEMORY_H

#include <stdlib.h>
#include <string.h>

/* Zeroed. */
static inline void *
memory_alloc(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (memory == NULL) {
        abort();
    }
    return memory;
}

static inline void *
memory_grow(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* Adds a terminator. */
static inline char *
memory_copy_text(const char *text, size_t length)
{
    char *copy = memory_grow(NULL, length + 1);

    if (length > 0) {
        memcpy(copy, text, length);
    }
    copy[length] = '\0';
    return copy;
}

#endif /* SK_STORE_MEMORY_H */
