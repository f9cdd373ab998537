#include "server/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
checked(void *memory)
{
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *
heap_memory(size_t size)
{
    return checked(calloc(1, size == 0 ? 1 : size));
}

void *
heap_bytes(size_t size)
{
    return checked(malloc(size == 0 ? 1 : size));
}

void *
heap_grow(void *memory, size_t size)
{
    return checked(realloc(memory, size == 0 ? 1 : size));
}

char *
heap_copy(const char *text, size_t length)
{
    char *copy = heap_bytes(length + 1);

    if (length > 0) {
        memcpy(copy, text, length);
    }
    copy[length] = '\0';
    return copy;
}

char *
heap_text(struct sk_text text)
{
    return heap_copy(text.at, text.length);
}

/* Not zeroed: an arena clears what it hands out, and most of it is never touched. */
void
heap_arena(struct sk_arena *arena, size_t size)
{
    sk_arena_init(arena, heap_bytes(size), size);
}
