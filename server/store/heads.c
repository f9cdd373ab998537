/* A hash table with open addressing.  Entries are not removed one by one: those that are no longer
 * needed are dropped when the table is rebuilt. */
#include "server/store/heads.h"

#include <stdlib.h>

#include "common/base/status.h"
#include "server/memory.h"

#define FIRST_SIZE 256u

void
heads_init(struct heads *heads)
{
    *heads = (struct heads){ .size = FIRST_SIZE };
    heads->places = heap_memory(heads->size * sizeof(*heads->places));
}

void
heads_fini(struct heads *heads)
{
    free(heads->places);
    heads->places = NULL;
}

/* The match's slot, or the free one for it.  At least half of the slots are free. */
static struct head *
place_of(const struct heads *heads, int64_t match)
{
    uint64_t mixed = (uint64_t)match * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(mixed >> 32) & (heads->size - 1);

    while (heads->places[at].match != 0 && heads->places[at].match != match) {
        at = (at + 1) & (heads->size - 1);
    }
    return &heads->places[at];
}

static bool
is_worth_keeping(const struct head *head, bool keeps_known)
{
    return head->match != 0 &&
           (head->has_failed || head->is_moved || (head->is_known && keeps_known));
}

static uint32_t
count_worth_keeping(const struct heads *heads, bool keeps_known)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < heads->size; i++) {
        count += is_worth_keeping(&heads->places[i], keeps_known);
    }
    return count;
}

static void
make_anew(struct heads *heads)
{
    bool keeps_known = count_worth_keeping(heads, true) < STORE_HEADS_MAX;
    struct heads next = { .size = FIRST_SIZE };

    next.used = count_worth_keeping(heads, keeps_known);
    while (next.used >= next.size / 4) {
        next.size *= 2;
    }
    next.places = heap_memory(next.size * sizeof(*next.places));
    for (uint32_t i = 0; i < heads->size; i++) {
        if (is_worth_keeping(&heads->places[i], keeps_known)) {
            *place_of(&next, heads->places[i].match) = heads->places[i];
        }
    }
    free(heads->places);
    *heads = next;
}

struct head *
heads_of(struct heads *heads, int64_t match)
{
    struct head *head = place_of(heads, match);

    SK_ASSERT(match != 0);
    if (head->match == match) {
        return head;
    }
    if (heads->used >= heads->size / 2) {
        make_anew(heads);
        head = place_of(heads, match);
    }
    heads->used++;
    *head = (struct head){ .match = match };
    return head;
}

void
heads_forget(struct heads *heads, int64_t match)
{
    struct head *head = place_of(heads, match);

    head->is_known = false;
    head->is_moved = false;
}

void
heads_fail(struct heads *heads, int64_t match, uint32_t generation)
{
    struct head *head = heads_of(heads, match);

    head->is_known = false;
    head->has_failed = true;
    head->failed_generation = generation;
}

bool
heads_has_failed(struct heads *heads, int64_t match, uint32_t generation)
{
    struct head *head = place_of(heads, match);

    if (head->has_failed && head->failed_generation != generation) {
        head->has_failed = false;
    }
    return head->has_failed;
}
