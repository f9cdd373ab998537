/*
 * tally_table - counters, keyed by match and up to four more parts.
 *
 * Owner:   the caller.  Grows with the number of distinct keys; an entry may
 * move at the next tally_at.
 * Threads: one at a time.
 */
#ifndef SK_STORE_TALLY_TABLE_H
#define SK_STORE_TALLY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/text.h"

#define TALLY_COUNTERS 4
#define TALLY_NULL     INT32_MIN /* an absent part */

/* Unused parts are 0. */
struct tally_key {
    int64_t match;
    int32_t first;
    int32_t second;
    uint32_t word;  /* from tally_word; 0: none */
    uint32_t other; /* the same */
};

struct tally_entry {
    struct tally_key key;
    bool is_used;
    int64_t counters[TALLY_COUNTERS];
};

/* All zeros is an empty table. */
struct tally_table {
    struct tally_entry *entries;
    size_t size; /* a power of two, or 0 */
    size_t used;
    struct sk_text *words;
    uint32_t word_count;
};

void tally_table_fini(struct tally_table *table);

/* Returns the entry of this key, new ones with counters at 0. */
struct tally_entry *tally_at(struct tally_table *table, const struct tally_key *key);

/*
 * Returns the number of a word, from 1; equal words have equal numbers.  For
 * few distinct words: names of checks and verdicts.
 */
uint32_t tally_word(struct tally_table *table, struct sk_text word);

/* Requires a number from tally_word. */
struct sk_text tally_word_of(const struct tally_table *table, uint32_t number);

#endif /* SK_STORE_TALLY_TABLE_H */
