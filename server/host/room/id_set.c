#include "server/host/room/id_set.h"

#include <stdlib.h>

#include "server/memory.h"

#define FIRST_SIZE 8u

/* 0 marks a free place, so no key is 0. */
static uint64_t
stored_as(uint64_t key)
{
    return key == 0 ? 1 : key;
}

static uint32_t
home_of(const struct id_set *set, uint64_t key)
{
    return (uint32_t)key & (set->size - 1); /* keys are hashes already */
}

/* The place of the key, or the free place for it.  At least a quarter is free. */
static uint32_t
place_of(const struct id_set *set, uint64_t key)
{
    uint32_t at = home_of(set, key);

    while (set->places[at] != 0 && set->places[at] != key) {
        at = (at + 1) & (set->size - 1);
    }
    return at;
}

static void
grow(struct id_set *set)
{
    struct id_set next = { .size = set->size == 0 ? FIRST_SIZE : 2 * set->size,
                           .count = set->count };

    next.places = heap_memory(next.size * sizeof(*next.places));
    for (uint32_t i = 0; i < set->size; i++) {
        if (set->places[i] != 0) {
            next.places[place_of(&next, set->places[i])] = set->places[i];
        }
    }
    free(set->places);
    *set = next;
}

void
id_set_fini(struct id_set *set)
{
    free(set->places);
    *set = (struct id_set){ 0 };
}

bool
id_set_has(const struct id_set *set, uint64_t key)
{
    key = stored_as(key);
    return set->size > 0 && set->places[place_of(set, key)] == key;
}

void
id_set_add(struct id_set *set, uint64_t key)
{
    uint32_t at;

    key = stored_as(key);
    if (4 * (set->count + 1) > 3 * set->size) {
        grow(set);
    }
    at = place_of(set, key);
    set->count += set->places[at] == 0 ? 1 : 0;
    set->places[at] = key;
}

/* Moves the entries behind it up, so that no search ends at the gap. */
void
id_set_remove(struct id_set *set, uint64_t key)
{
    uint32_t mask = set->size - 1;
    uint32_t gap;

    key = stored_as(key);
    if (!id_set_has(set, key)) {
        return;
    }
    gap = place_of(set, key);
    for (uint32_t at = (gap + 1) & mask; set->places[at] != 0; at = (at + 1) & mask) {
        uint32_t home = home_of(set, set->places[at]);

        if (((at - home) & mask) >= ((at - gap) & mask)) {
            set->places[gap] = set->places[at];
            gap = at;
        }
    }
    set->places[gap] = 0;
    set->count--;
}
