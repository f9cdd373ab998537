#include "proto/params.h"

#include <json-c/json.h>
#include <string.h>

#include "proto/schema_read.h"

/* Plain values only: lists and objects go together in ways that only the ruleset knows. */
static size_t
plain_size(enum sk_kind kind)
{
    switch (kind) {
    case SK_KIND_BOOL:
        return sizeof(bool);
    case SK_KIND_INT:
        return sizeof(int32_t);
    case SK_KIND_ENUM:
        return sizeof(uint8_t);
    default:
        return 0;
    }
}

static void
fill_gaps(const struct sk_ruleset *ruleset, struct json_object *json, uint8_t *params)
{
    const uint8_t *defaults = ruleset->default_params;

    for (uint16_t i = 0; i < ruleset->params->member_count; i++) {
        const struct sk_member *member = &ruleset->params->members[i];

        if ((member->flags & SK_OPTIONAL) != 0 &&
            !json_object_object_get_ex(json, member->name, NULL)) {
            memcpy(params + member->offset, defaults + member->offset, plain_size(member->kind));
        }
    }
}

enum sk_status
sk_params_read(const struct sk_ruleset *ruleset, struct json_object *json, struct sk_arena *arena,
               const void **ret_params, struct sk_fault *ret_fault)
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
