/*
 * Memory of daemon and tool.  If it runs out the process ends; the daemon
 * recovers when it is restarted.
 *
 * Owner:   the caller, who frees it with free().
 * Threads: any.
 */
#ifndef SK_MEMORY_H
#define SK_MEMORY_H

#include <stddef.h>

#include "common/base/arena.h"
#include "common/base/text.h"

void *heap_memory(size_t size);             /* zeroed */
void *heap_bytes(size_t size);              /* not initialized */
void *heap_grow(void *memory, size_t size); /* as realloc; what is new is not initialized */
char *heap_copy(const char *text,
                size_t length); /* with a terminator; `text` may be NULL if empty */
char *heap_text(struct sk_text text);

/* Its base is the caller's to free. */
void heap_arena(struct sk_arena *arena, size_t size);

#endif /* SK_MEMORY_H */
