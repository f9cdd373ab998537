/* What the library uses of <stdlib.h>; see proto/referee/wasm/libc.c. */
#ifndef SK_WASM_STDLIB_H
#define SK_WASM_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));
__attribute__((noreturn)) void abort(void);

#endif /* SK_WASM_STDLIB_H */
