#include "proto/compiled.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/core/rules.h"

static bool
arena_alloc(struct sk_arena *arena, size_t size)
{
    void *memory = malloc(size);

    sk_arena_init(arena, memory, memory == NULL ? 0 : size);
    return memory != NULL;
}

bool
sk_compiled_init(struct sk_compiled *compiled)
{
    size_t config_size = 0;
    size_t scratch_size = 0;

    for (size_t i = 0; i < sk_registry_count(); i++) {
        const struct sk_ruleset *ruleset = sk_registry_at(i);

        config_size = sk_rules_config_size_max(ruleset) > config_size
                          ? sk_rules_config_size_max(ruleset)
                          : config_size;
        scratch_size =
            ruleset->scratch_size_max > scratch_size ? ruleset->scratch_size_max : scratch_size;
    }
    return arena_alloc(&compiled->config, config_size) &&
           arena_alloc(&compiled->scratch, scratch_size);
}

void
sk_compiled_fini(struct sk_compiled *compiled)
{
    free(compiled->config.base);
    free(compiled->scratch.base);
    free(compiled->text);
}

struct sk_text
sk_compiled_text(const struct sk_compiled *compiled)
{
    return compiled->ruleset == NULL
               ? (struct sk_text){ NULL, 0 }
               : (struct sk_text){ compiled->text, (uint32_t)compiled->length };
}

/* Without memory for the text nothing is kept, and the next request compiles again. */
static void
keep(struct sk_compiled *compiled, const struct sk_ruleset *ruleset, struct sk_text text)
{
    char *copy = text.length == 0 ? NULL : realloc(compiled->text, text.length);

    if (copy != NULL) {
        memcpy(copy, text.at, text.length);
        compiled->text = copy;
        compiled->length = text.length;
        compiled->ruleset = ruleset;
    }
}

enum sk_status
sk_compiled_build(struct sk_compiled *compiled, const struct sk_ruleset *ruleset,
                  const void *params, struct sk_text text, struct sk_fault *ret_fault)
{
    enum sk_status status;

    compiled->ruleset = NULL;
    compiled->config.used = 0;
    compiled->scratch.used = 0;
    status =
        sk_rules_config_build(ruleset, params, &compiled->config, &compiled->scratch, ret_fault);
    if (status == SK_OK) {
        keep(compiled, ruleset, text);
    }
    return status;
}
