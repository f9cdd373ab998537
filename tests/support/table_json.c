/* Tables from params in JSON; separate from table.c, so that programs without json-c can use
 * that. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/json.h"
#include "tests/support/table.h"

#define PARAMS_LONG 1024 /* forms need much more memory than their text */

enum sk_status
table_try_json(struct table *table, const struct sk_ruleset *ruleset, const char *params,
               const struct sk_seed *seed, struct sk_fault *ret_fault)
{
    struct sk_arena arena;
    void *form;
    enum sk_status status;

    if (params == NULL) {
        return table_try(table, ruleset, NULL, seed, ret_fault);
    }
    json_arena_alloc(&arena, strlen(params) < PARAMS_LONG ? JSON_ARENA_SMALL : JSON_ARENA_LARGE);
    form = sk_arena_take(&arena, ruleset->params->size);
    status = json_read_form(params, ruleset->params, &arena, form, ret_fault);
    if (status == SK_OK) {
        status = table_try(table, ruleset, form, seed, ret_fault);
    }
    free(arena.base);
    return status;
}

void
table_open_json(struct table *table, const struct sk_ruleset *ruleset, const char *params,
                const struct sk_seed *seed)
{
    struct sk_fault fault;

    if (table_try_json(table, ruleset, params, seed, &fault) != SK_OK) {
        table_fail("%s refuses the params: %s: %s at %s", ruleset->name, fault.code, fault.message,
                   fault.at);
    }
}
