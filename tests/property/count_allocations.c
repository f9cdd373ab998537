#include "tests/property/count_allocations.h"

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

/* Volatile, because compilers may remove a malloc without a visible effect. */
static volatile uint64_t count;

void *
__wrap_malloc(size_t size)
{
    count++;
    return __real_malloc(size);
}

void *
__wrap_calloc(size_t item_count, size_t size)
{
    count++;
    return __real_calloc(item_count, size);
}

void *
__wrap_realloc(void *memory, size_t size)
{
    count++;
    return __real_realloc(memory, size);
}

void *
__wrap_aligned_alloc(size_t alignment, size_t size)
{
    count++;
    return __real_aligned_alloc(alignment, size);
}

uint64_t
allocations_count(void)
{
    return count;
}

/* Stored where the compiler cannot prove that it is unused, or it would remove the calls. */
static void *volatile kept;

bool
allocations_are_counted(void)
{
    uint64_t before = count;
    bool is_right = true;

    kept = malloc(8);
    is_right &= count == before + 1;
    kept = realloc(kept, 16);
    is_right &= count == before + 2;
    free(kept);
    kept = calloc(2, 8);
    is_right &= count == before + 3;
    free(kept);
    kept = aligned_alloc(16, 16);
    is_right &= count == before + 4;
    free(kept);
    return is_right;
}
