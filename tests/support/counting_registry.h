/*
 * `counting` beside the registered rulesets, for a program that is linked with
 * the registry's functions wrapped (tests/CMakeLists.txt names them).
 */
#ifndef SK_TEST_COUNTING_REGISTRY_H
#define SK_TEST_COUNTING_REGISTRY_H

#include "common/core/registry.h"
#include "tests/support/counting.h"

size_t __real_sk_registry_count(void);
size_t __wrap_sk_registry_count(void);
const struct sk_ruleset *__real_sk_registry_at(size_t index);
const struct sk_ruleset *__wrap_sk_registry_at(size_t index);
const struct sk_ruleset *__real_sk_registry_find(struct sk_text name, uint32_t version);
const struct sk_ruleset *__wrap_sk_registry_find(struct sk_text name, uint32_t version);

size_t
__wrap_sk_registry_count(void)
{
    return __real_sk_registry_count() + 1;
}

const struct sk_ruleset *
__wrap_sk_registry_at(size_t index)
{
    return index == __real_sk_registry_count() ? &sk_ruleset_counting
                                               : __real_sk_registry_at(index);
}

const struct sk_ruleset *
__wrap_sk_registry_find(struct sk_text name, uint32_t version)
{
    return sk_text_same(name, sk_text_of("counting")) ? &sk_ruleset_counting
                                                      : __real_sk_registry_find(name, version);
}

#endif /* SK_TEST_COUNTING_REGISTRY_H */
