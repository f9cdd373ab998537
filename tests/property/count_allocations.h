/*
 * Counts the allocations of this program: the linker redirects malloc and the like here (--wrap).
 * It shows that rules never allocate.
 */
#ifndef SK_TEST_COUNT_ALLOCATIONS_H
#define SK_TEST_COUNT_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Allocations since the program started. */
uint64_t allocations_count(void);

/* Allocates in every way; false if one was not counted. */
bool allocations_are_counted(void);

#endif /* SK_TEST_COUNT_ALLOCATIONS_H */
