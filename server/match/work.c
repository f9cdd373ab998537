/*
 * Working memory, and JSON text.
 */
#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "proto/schema_write.h"
#include "server/match/work.h"
#include "server/memory.h"

/* ---- memory ------------------------------------------------------------------------------ */

void
work_init(struct work *work, size_t arena_size)
{
    size_t config_size = 0;
    size_t scratch_size = 0;

    for (size_t i = 0; i < sk_registry_count(); i++) {
        const struct sk_ruleset *ruleset = sk_registry_at(i);

        if (ruleset->config_size_max > config_size) {
            config_size = ruleset->config_size_max;
        }
        if (ruleset->scratch_size_max > scratch_size) {
            scratch_size = ruleset->scratch_size_max;
        }
    }
    heap_arena(&work->arena, arena_size);
    heap_arena(&work->config, config_size);
    heap_arena(&work->scratch, scratch_size);
}

void
work_fini(struct work *work)
{
    free(work->arena.base);
    free(work->config.base);
    free(work->scratch.base);
    free(work->out);
    free(work->turn_memory);
}

void
work_turn(struct work *work, const struct sk_ruleset *ruleset, const void *config,
          struct sk_turn *ret_turn)
{
    size_t size = sk_turn_memory_size(ruleset, config);

    if (size > work->turn_memory_size) {
        free(work->turn_memory);
        work->turn_memory = heap_memory(size);
        work->turn_memory_size = size;
    }
    sk_turn_init(ret_turn, ruleset, config, work->turn_memory);
}

/* ---- texts ------------------------------------------------------------------------------- */

/* Writes into the buffer, larger if need be. */
struct sk_text
work_write(struct work *work, void (*write)(struct sk_json_out *out, const void *what),
           const void *what)
{
    struct sk_json_out out;

    for (;;) {
        sk_json_out_init(&out, work->out, work->out_size);
        write(&out, what);
        if (sk_json_out_is_whole(&out)) {
            return (struct sk_text){ work->out, (uint32_t)out.used };
        }
        free(work->out);
        work->out_size = 2 * out.used;
        work->out = heap_memory(work->out_size);
    }
}

char *
work_json(struct work *work, void (*write)(struct sk_json_out *out, const void *what),
          const void *what)
{
    return heap_text(work_write(work, write, what));
}

struct form_writing {
    const struct sk_schema *schema;
    const void *form;
};

static void
write_form(struct sk_json_out *out, const void *what)
{
    const struct form_writing *writing = what;

    sk_form_write(out, writing->schema, writing->form);
}

char *
work_json_form(struct work *work, const struct sk_schema *schema, const void *form)
{
    struct form_writing writing = { schema, form };

    return work_json(work, write_form, &writing);
}
