#include "common/core/registry.h"

#include "common/core/flat.h"
#include "common/core/registry_list.h"

size_t
sk_registry_count(void)
{
    return sk_registry_length;
}

const struct sk_ruleset *
sk_registry_at(size_t index)
{
    return sk_registry_list[index];
}

const struct sk_ruleset *
sk_registry_find(struct sk_text name, uint32_t version)
{
    for (size_t i = 0; i < sk_registry_length; i++) {
        const struct sk_ruleset *ruleset = sk_registry_list[i];

        if (!sk_text_same(name, sk_text_of(ruleset->name))) {
            continue;
        }
        while (ruleset != NULL && version != 0 && ruleset->version != version) {
            ruleset = ruleset->older;
        }
        return ruleset;
    }
    return NULL;
}

static bool
tables_are_complete(const struct sk_ruleset *r)
{
    return r->params != NULL && r->state != NULL && r->view != NULL && r->command != NULL &&
           r->event != NULL && r->checks != NULL && r->check_count > 0 && r->stages != NULL &&
           r->stage_count > 0 && r->command->count > SK_COMMAND_OWN &&
           r->state->base == &sk_state_head && r->view->base == &sk_view_head;
}

static bool
functions_are_complete(const struct sk_ruleset *r)
{
    return r->setup != NULL && r->outcome != NULL && (r->is_simultaneous || r->owing != NULL) &&
           (r->view_make == NULL || (r->guess != NULL && r->state_form != NULL)) &&
           (r->snapshot_write == NULL) == (r->snapshot_read == NULL) &&
           (r->outlives_leaving == NULL) == (r->leave == NULL) && sk_flat_is_sound(r);
}

/* Turns of alternating rulesets refuse the rest of a list by the first check. */
static bool
asks_for_the_turn_first(const struct sk_ruleset *r)
{
    return r->is_simultaneous || sk_text_same(sk_text_of(r->checks[0].name), SK_TEXT("own_turn"));
}

bool
sk_ruleset_is_complete(const struct sk_ruleset *ruleset)
{
    return ruleset->name != NULL && ruleset->summary != NULL && ruleset->version > 0 &&
           ruleset->seats_min > 0 && ruleset->seats_max <= SK_SEATS_MAX &&
           ruleset->default_params != NULL && tables_are_complete(ruleset) &&
           functions_are_complete(ruleset) && asks_for_the_turn_first(ruleset);
}
