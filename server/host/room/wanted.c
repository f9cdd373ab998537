#include "server/host/room/wanted.h"

#include <stdlib.h>

#include "server/memory.h"

void
wanted_add(struct wanted_matches *wanted, int64_t id, int64_t stopped_ms)
{
    if (wanted->count == wanted->size) {
        uint32_t size = wanted->size == 0 ? 16 : 2 * wanted->size;
        struct wanted_match *at = heap_memory(size * sizeof(*at));

        for (uint32_t i = 0; i < wanted->count; i++) {
            at[i] = wanted->at[(wanted->first + i) % wanted->size];
        }
        free(wanted->at);
        *wanted = (struct wanted_matches){ .at = at, .size = size, .count = wanted->count };
    }
    wanted->at[(wanted->first + wanted->count) % wanted->size] =
        (struct wanted_match){ id, stopped_ms };
    wanted->count++;
}

struct wanted_match
wanted_first(const struct wanted_matches *wanted)
{
    return wanted->at[wanted->first];
}

struct wanted_match
wanted_take(struct wanted_matches *wanted)
{
    struct wanted_match match = wanted_first(wanted);

    wanted->first = (wanted->first + 1) % wanted->size;
    wanted->count--;
    return match;
}

int64_t
wanted_stopped_ms(const struct wanted_matches *wanted, int64_t id)
{
    for (uint32_t i = wanted->count; i > 0; i--) {
        const struct wanted_match *match = &wanted->at[(wanted->first + i - 1) % wanted->size];

        if (match->id == id && match->stopped_ms != 0) {
            return match->stopped_ms;
        }
    }
    return 0;
}

void
wanted_fini(struct wanted_matches *wanted)
{
    free(wanted->at);
}
