#include "proto/params.h"

#include <string.h>

#include "proto/json_value.h"
#include "proto/schema_read.h"

static size_t
size_of(const struct sk_member *member)
{
    switch (member->kind) {
    case SK_KIND_BOOL:
        return sizeof(bool);
    case SK_KIND_INT:
        return sizeof(int32_t);
    case SK_KIND_ENUM:
        return sizeof(uint8_t);
    case SK_KIND_LIST:
    case SK_KIND_MAP:
        return sizeof(struct sk_list);
    default:
        return 0;
    }
}

static bool
is_list(const struct sk_member *member)
{
    return member->kind == SK_KIND_LIST || member->kind == SK_KIND_MAP;
}

/* Lists that may be missing go together (a roster is patterns, models and units): all are given,
 * or none is. */
static bool
gives_lists(const struct sk_ruleset *ruleset, const struct sk_value *json)
{
    for (uint16_t i = 0; i < ruleset->params->member_count; i++) {
        const struct sk_member *member = &ruleset->params->members[i];

        if (is_list(member) && (member->flags & SK_OPTIONAL) != 0 &&
            sk_value_member(json, member->name) != NULL) {
            return true;
        }
    }
    return false;
}

static void
fill_gaps(const struct sk_ruleset *ruleset, const struct sk_value *json, uint8_t *params)
{
    const uint8_t *defaults = ruleset->default_params;
    bool keeps_lists = gives_lists(ruleset, json);

    for (uint16_t i = 0; i < ruleset->params->member_count; i++) {
        const struct sk_member *member = &ruleset->params->members[i];

        if ((member->flags & SK_OPTIONAL) == 0 || (is_list(member) && keeps_lists) ||
            sk_value_member(json, member->name) != NULL) {
            continue;
        }
        memcpy(params + member->offset, defaults + member->offset, size_of(member));
        if ((member->flags & SK_TRACKED) != 0) {
            params[member->present] = defaults[member->present];
        }
    }
}

enum sk_status
sk_params_read(const struct sk_ruleset *ruleset, const struct sk_value *json,
               struct sk_arena *arena, const void **ret_params, struct sk_fault *ret_fault)
{
    uint8_t *params;
    enum sk_status status;

    if (json == NULL) {
        *ret_params = ruleset->default_params;
        return SK_OK;
    }
    params = sk_arena_take(arena, ruleset->params->size);
    if (params == NULL) {
        return sk_fault_set(ret_fault, "too_large", "the params are too large");
    }
    status = sk_form_read(ruleset->params, json, arena, params, ret_fault);
    if (status == SK_OK) {
        fill_gaps(ruleset, json, params);
        *ret_params = params;
    }
    return status;
}
