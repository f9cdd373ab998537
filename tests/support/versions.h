/*
 * versions - every version of every ruleset in the library: older ones still
 * resolve the matches that began with them.
 */
#ifndef SK_TEST_VERSIONS_H
#define SK_TEST_VERSIONS_H

#include "common/core/registry.h"

/* First the newest of each, as in the registry; NULL after the last one. */
static inline const struct sk_ruleset *
version_at(size_t index)
{
    size_t count = sk_registry_count();

    if (index < count) {
        return sk_registry_at(index);
    }
    for (size_t i = 0; i < count; i++) {
        const struct sk_ruleset *ruleset = sk_registry_at(i)->older;

        for (; ruleset != NULL; ruleset = ruleset->older) {
            if (index-- == count) {
                return ruleset;
            }
        }
    }
    return NULL;
}

static inline size_t
version_count(void)
{
    size_t count = 0;

    while (version_at(count) != NULL) {
        count++;
    }
    return count;
}

#endif /* SK_TEST_VERSIONS_H */
