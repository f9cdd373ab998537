/*
 * A table for each ruleset, kept from one input to the next: making one takes
 * longer than a match.
 */
#ifndef SK_FUZZ_TABLES_H
#define SK_FUZZ_TABLES_H

#include "common/core/registry.h"
#include "tests/support/table.h"

/* The default match of the ruleset with this number, begun anew. */
static inline struct table *
fuzz_table(uint8_t number)
{
    static struct table tables[256];
    struct sk_seed seed = table_seed(number);
    struct table *table = &tables[number % sk_registry_count()];

    if (table->ruleset == NULL) {
        table_open(table, sk_registry_at(number % sk_registry_count()), NULL, &seed);
        table_guard(table);
    }
    sk_match_begin(&table->match, &table->turn, &seed, table->match.state);
    return table;
}

#endif /* SK_FUZZ_TABLES_H */
