/*
 * Memory of the daemon.  If it runs out the process ends, and recovers when it
 * is restarted.
 *
 * Threads: any.
 */
#ifndef SK_MEMORY_H
#define SK_MEMORY_H

#include <stddef.h>

#include "common/base/arena.h"
#include "common/base/text.h"

void *heap_memory(size_t size); /* zeroed */
void *heap_bytes(size_t size);  /* not initialized */
char *heap_text(struct sk_text text);

/* Its base is the caller's to free. */
void heap_arena(struct sk_arena *arena, size_t size);

#endif /* SK_MEMORY_H */
