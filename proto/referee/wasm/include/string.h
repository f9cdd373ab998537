/* What the library uses of <string.h>; see proto/referee/wasm/libc.c. */
#ifndef SK_WASM_STRING_H
#define SK_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *at, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memchr(const void *at, int byte, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
char *strchr(const char *text, int c);
char *strncpy(char *restrict to, const char *restrict from, size_t size);

#endif /* SK_WASM_STRING_H */
