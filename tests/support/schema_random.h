/*
 * sk_random - random forms, generated from their member tables, for fuzzing.
 *
 * Values are mostly within their bounds and small, so that they collide: ids
 * look like a1 or b3 (or come from a list that the caller provides), names like
 * n0 to n7, the keys of a map are n0, n1 and so on, and cells are near the
 * top-left corner.  Bounds and the extremes of 32 bits occur sometimes.  The
 * same stream gives the same forms.
 *
 * Owner:   texts and lists are in the arena.
 * Threads: one at a time.
 */
#ifndef SK_SCHEMA_RANDOM_H
#define SK_SCHEMA_RANDOM_H

#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/rng.h"
#include "common/base/status.h"
#include "common/core/schema.h"

struct sk_random {
    struct sk_rng *rng;
    struct sk_arena *arena;
    uint32_t list_max;         /* no list gets longer unless its table requires it */
    uint32_t wild_permille;    /* how often a value may leave its bounds; 0 = all forms are valid */
    const struct sk_text *ids; /* ids to use most of the time, or NULL */
    uint32_t id_count;
};

/*
 * Fills all schema->size bytes.  SK_ERR_TOO_LONG if the arena is used up; the
 * form must not be used then.
 */
enum sk_status sk_form_random(const struct sk_random *random, const struct sk_schema *schema,
                              void *ret_form);

/* A variant of any kind. */
enum sk_status sk_variant_random(const struct sk_random *random, const struct sk_variants *variants,
                                 void *ret_form);

#endif /* SK_SCHEMA_RANDOM_H */
