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

char *
heap_text(struct sk_text text)
{
    char *copy = heap_bytes((size_t)text.length + 1);

    memcpy(copy, text.at, text.length);
    copy[text.length] = '\0';
    return copy;
}

/* Not zeroed: an arena clears what it hands out, and most of it is never touched. */
void
heap_arena(struct sk_arena *arena, size_t size)
{
    sk_arena_init(arena, heap_bytes(size), size);
}
