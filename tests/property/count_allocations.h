/*
 * Counts the allocations of this program, which is linked so that malloc and
 * its kin come here first (--wrap).  Rules never allocate; this shows it.
 */
#ifndef SK_TEST_COUNT_ALLOCATIONS_H
#define SK_TEST_COUNT_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* How many there were since the program began. */
uint64_t allocations_count(void);

/* Allocates in every way there is; false when one of them was not counted. */
bool allocations_are_counted(void);

#endif /* SK_TEST_COUNT_ALLOCATIONS_H */
