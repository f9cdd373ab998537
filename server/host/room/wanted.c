#include "server/host/room/wanted.h"

#include <stdlib.h>

#include "server/memory.h"

static uint32_t
bucket_of(int64_t id)
{
    return (uint32_t)((uint64_t)id % WANTED_BUCKETS);
}

static struct wanted_match *
find(const struct wanted_matches *wanted, int64_t id)
{
    struct wanted_match *match = wanted->buckets[bucket_of(id)];

    while (match != NULL && match->id != id) {
        match = match->beside;
    }
    return match;
}

static void
append(struct wanted_matches *wanted, struct wanted_match *match)
{
    match->next = NULL;
    if (wanted->first == NULL) {
        wanted->first = match;
    } else {
        wanted->last->next = match;
    }
    wanted->last = match;
}

void
wanted_add(struct wanted_matches *wanted, int64_t id, int64_t stopped_ms)
{
    struct wanted_match *match = find(wanted, id);

    if (match == NULL) {
        struct wanted_match **bucket = &wanted->buckets[bucket_of(id)];

        match = heap_memory(sizeof(*match));
        *match = (struct wanted_match){ .id = id, .beside = *bucket };
        *bucket = match;
        append(wanted, match);
        wanted->count++;
    }
    match->stopped_ms = stopped_ms != 0 ? stopped_ms : match->stopped_ms;
}

static struct wanted_match *
take_first(struct wanted_matches *wanted)
{
    struct wanted_match *match = wanted->first;

    wanted->first = match->next;
    return match;
}

void
wanted_put_off(struct wanted_matches *wanted)
{
    append(wanted, take_first(wanted));
}

void
wanted_drop(struct wanted_matches *wanted)
{
    struct wanted_match *match = take_first(wanted);
    struct wanted_match **at = &wanted->buckets[bucket_of(match->id)];

    while (*at != match) {
        at = &(*at)->beside;
    }
    *at = match->beside;
    free(match);
    wanted->count--;
}

int64_t
wanted_stopped_ms(const struct wanted_matches *wanted, int64_t id)
{
    const struct wanted_match *match = find(wanted, id);

    return match == NULL ? 0 : match->stopped_ms;
}

void
wanted_fini(struct wanted_matches *wanted)
{
    while (wanted->count > 0) {
        wanted_drop(wanted);
    }
}
