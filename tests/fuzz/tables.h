/*
 * A table for each version of each ruleset, kept between inputs, because making one takes longer
 * than a match.
 */
#ifndef SK_FUZZ_TABLES_H
#define SK_FUZZ_TABLES_H

#include "tests/support/table.h"
#include "tests/support/versions.h"

/* The default match of the ruleset with this number, from its start. */
static inline struct table *
fuzz_table(uint8_t number)
{
    static struct table tables[256];
    struct sk_seed seed = table_seed(number);
    struct table *table = &tables[number % version_count()];

    if (table->ruleset == NULL) {
        table_open(table, version_at(number % version_count()), NULL, &seed);
        table_guard(table);
    }
    sk_match_begin(&table->match, &table->turn, &seed, table->match.state);
    return table;
}

#endif /* SK_FUZZ_TABLES_H */
