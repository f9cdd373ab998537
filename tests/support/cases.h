/*
 * A Criterion test over a table of cases:
 *
 *     CASES(suite, a_sentence_about_behaviour, cases)
 *     {
 *         const struct some_case *c = &cases[*index];
 *         ...
 *     }
 *
 * Criterion runs each case in its own process, and pointers cannot be passed to
 * it, so the parameter is the case's index in the table.
 */
#ifndef SK_TEST_CASES_H
#define SK_TEST_CASES_H

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stddef.h>

#include "common/core/schema.h"

/* Criterion's own parameters are pointers into the parent; numbers are copied. */
#define CASES_COUNTED(suite, name, count)                        \
    ParameterizedTestParameters(suite, name)                     \
    {                                                            \
        static size_t places[CASES_MAX];                         \
        size_t place_count = (count);                            \
                                                                 \
        for (size_t i = 0; i < place_count; i++) {               \
            places[i] = i;                                       \
        }                                                        \
        return cr_make_param_array(size_t, places, place_count); \
    }                                                            \
    ParameterizedTest(size_t *index, suite, name)

#define CASES(suite, name, table) CASES_COUNTED(suite, name, SK_COUNT_OF(table))

#define CASES_MAX 512

#endif /* SK_TEST_CASES_H */
