/* The list behind the registry; CMake generates its definition from common/rules. */
#ifndef SK_REGISTRY_LIST_H
#define SK_REGISTRY_LIST_H

#include "common/core/ruleset.h"

extern const struct sk_ruleset *const sk_registry_list[];
extern const size_t sk_registry_length;

#endif /* SK_REGISTRY_LIST_H */
