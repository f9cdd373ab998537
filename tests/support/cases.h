/*
 * A Criterion test over a table of cases:
 *
 *     CASES(suite, a_sentence_about_behaviour, cases)
 *     {
 *         const struct some_case *c = &cases[*index];
 *         ...
 *     }
 *
 * The cases run one after the other in one process, since a process costs more than a case.  The
 * message of an assertion that fails begins with the case's index; cr_assert ends the table.
 * `--verbose` prints each case before it runs: the last one printed is the one that crashed.
 */
#ifndef SK_TEST_CASES_H
#define SK_TEST_CASES_H

#include <criterion/criterion.h>
#include <stddef.h>

#include "common/core/schema.h"

#define CASES_COUNTED(suite, name, count)             \
    static void suite##_##name##_case(size_t *index); \
    Test(suite, name)                                 \
    {                                                 \
        cases_run((count), suite##_##name##_case);    \
    }                                                 \
    static void suite##_##name##_case(size_t *index)

#define CASES(suite, name, table) CASES_COUNTED(suite, name, SK_COUNT_OF(table))

/* Calls `run` for each case.  A table without one fails. */
void cases_run(size_t count, void (*run)(size_t *index));

#endif /* SK_TEST_CASES_H */
