#include "server/store/tally_table.h"

#include <stdlib.h>
#include <string.h>

#include "server/memory.h"

#define SIZE_FIRST 4096

_Static_assert(sizeof(struct tally_key) == 24, "keys are compared byte by byte");

void
tally_table_fini(struct tally_table *table)
{
    for (uint32_t i = 0; i < table->word_count; i++) {
        free((char *)table->words[i].at);
    }
    free(table->words);
    free(table->entries);
}

/* Deliberate collisions are harmless: they only slow down the asker's own question. */
static size_t
hash_of(const struct tally_key *key)
{
    uint64_t hash = (uint64_t)key->match * 0x9e3779b97f4a7c15u;

    hash = (hash ^ (uint32_t)key->first) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 32) ^ (uint32_t)key->second) * 0x94d049bb133111ebu;
    hash = (hash ^ ((uint64_t)key->word << 32 | key->other)) * 0x9e3779b97f4a7c15u;
    return (size_t)(hash ^ (hash >> 29));
}

/* The entry of this key, or the free slot for it. */
static struct tally_entry *
find(const struct tally_table *table, const struct tally_key *key)
{
    size_t place = hash_of(key) & (table->size - 1);

    while (table->entries[place].is_used &&
           memcmp(&table->entries[place].key, key, sizeof(*key)) != 0) {
        place = (place + 1) & (table->size - 1);
    }
    return &table->entries[place];
}

static void
grow(struct tally_table *table)
{
    struct tally_table old = *table;

    table->size = old.size == 0 ? SIZE_FIRST : 2 * old.size;
    table->entries = heap_memory(table->size * sizeof(*table->entries));
    for (size_t i = 0; i < old.size; i++) {
        if (old.entries[i].is_used) {
            *find(table, &old.entries[i].key) = old.entries[i];
        }
    }
    free(old.entries);
}

struct tally_entry *
tally_at(struct tally_table *table, const struct tally_key *key)
{
    struct tally_entry *entry;

    if (2 * table->used >= table->size) {
        grow(table);
    }
    entry = find(table, key);
    if (!entry->is_used) {
        entry->is_used = true;
        entry->key = *key;
        table->used++;
    }
    return entry;
}

uint32_t
tally_word(struct tally_table *table, struct sk_text word)
{
    for (uint32_t i = 0; i < table->word_count; i++) {
        if (table->words[i].length == word.length &&
            memcmp(table->words[i].at, word.at, word.length) == 0) {
            return i + 1;
        }
    }
    table->words = heap_grow(table->words, (table->word_count + 1) * sizeof(*table->words));
    table->words[table->word_count++] =
        (struct sk_text){ heap_copy(word.at, word.length), word.length };
    return table->word_count;
}

struct sk_text
tally_word_of(const struct tally_table *table, uint32_t number)
{
    return table->words[number - 1];
}
