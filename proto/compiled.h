/*
 * sk_compiled - params that were compiled, kept for the next request: most
 * requests of a program have the same params as the one before.
 *
 * Owner:   the struct that embeds it; fini frees its memory.
 * Threads: one at a time.
 */
#ifndef SK_COMPILED_H
#define SK_COMPILED_H

#include <stdbool.h>

#include "common/base/arena.h"
#include "common/base/fault.h"
#include "common/core/ruleset.h"

struct sk_compiled {
    struct sk_arena config; /* its base is the config */
    struct sk_arena scratch;
    const struct sk_ruleset *ruleset; /* whose params are in `text`; NULL: none are kept */
    char *text;
    size_t length;
};

/* Space for the largest config of any ruleset; untouched pages cost nothing.  False: no memory. */
bool sk_compiled_init(struct sk_compiled *compiled);
void sk_compiled_fini(struct sk_compiled *compiled);

/* The params that are kept; empty: none are. */
struct sk_text sk_compiled_text(const struct sk_compiled *compiled);

/* Builds the config from the form of the params.  `text`, which may be empty, is what they were
 * read from. */
enum sk_status sk_compiled_build(struct sk_compiled *compiled, const struct sk_ruleset *ruleset,
                                 const void *params, struct sk_text text,
                                 struct sk_fault *ret_fault);

#endif /* SK_COMPILED_H */
