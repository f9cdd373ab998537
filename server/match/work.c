/*
 * Working memory, and JSON text.
 */
#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/core/rules.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "server/match/work.h"
#include "server/memory.h"

#define FIRST_OUT_SIZE 65536u

/* ---- memory ------------------------------------------------------------------------------ */

void
work_init(struct work *work, size_t arena_size)
{
    size_t config_size = 0;
    size_t scratch_size = 0;

    for (size_t i = 0; i < sk_registry_count(); i++) {
        const struct sk_ruleset *ruleset = sk_registry_at(i);

        if (sk_rules_config_size_max(ruleset) > config_size) {
            config_size = sk_rules_config_size_max(ruleset);
        }
        if (ruleset->scratch_size_max > scratch_size) {
            scratch_size = ruleset->scratch_size_max;
        }
    }
    work->out_size = FIRST_OUT_SIZE;
    work->out = heap_memory(work->out_size);
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

bool
work_writes(struct work *work, struct sk_json_out *out)
{
    if (out->at != NULL && sk_json_out_is_whole(out)) {
        return false;
    }
    if (out->used > work->out_size) {
        free(work->out);
        work->out_size = 2 * out->used;
        work->out = heap_memory(work->out_size);
    }
    sk_json_out_init(out, work->out, work->out_size);
    return true;
}

struct sk_text
work_text(const struct sk_json_out *out)
{
    return (struct sk_text){ out->at, (uint32_t)out->used };
}

char *
work_text_copy(const struct sk_json_out *out)
{
    return heap_text(work_text(out));
}

struct sk_text
work_write(struct work *work, void (*write)(struct sk_json_out *out, const void *what),
           const void *what)
{
    struct sk_json_out out = { 0 };

    while (work_writes(work, &out)) {
        write(&out, what);
    }
    return work_text(&out);
}

struct sk_text
verdicts_text(struct work *work, const struct sk_turn *turn, uint8_t seat)
{
    struct sk_json_out out = { 0 };

    while (work_writes(work, &out)) {
        sk_verdicts_write(&out, turn, seat);
    }
    return work_text(&out);
}

struct sk_text
work_form(struct work *work, const struct sk_schema *schema, const void *form)
{
    struct sk_json_out out = { 0 };

    while (work_writes(work, &out)) {
        sk_form_write(&out, schema, form);
    }
    return work_text(&out);
}

char *
work_json_form(struct work *work, const struct sk_schema *schema, const void *form)
{
    return heap_text(work_form(work, schema, form));
}
