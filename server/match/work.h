/*
 * work - memory for reading, resolving and writing, reused from one task to the
 * next.
 *
 * Owner:   the code that reads or plays matches; one per thread.
 * Threads: one at a time.
 */
#ifndef SK_WORK_H
#define SK_WORK_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/fault.h"
#include "common/core/turn.h"
#include "proto/json_out.h"
#include "proto/json_parse.h"
#include "server/metrics_out.h"

struct work {
    struct sk_arena arena;   /* of the message or record being handled */
    struct sk_arena config;  /* for building configs */
    struct sk_arena scratch; /* for building configs */
    char *out;               /* for encoding; grows */
    size_t out_size;
    void *turn_memory; /* for one resolution at a time; grows */
    size_t turn_memory_size;
    struct shared_config *configs;

    struct metrics_durations resolve; /* how long turns took, by this clock: */
    int64_t (*now_us)(const void *context);
    const void *context;
};

void work_init(struct work *work, size_t arena_size);
void work_fini(struct work *work);

/* Prepares the turn workspace for that config.  There is one: the previous turn becomes invalid. */
void work_turn(struct work *work, const struct sk_ruleset *ruleset, const void *config,
               struct sk_turn *ret_turn);

/*
 * Writes JSON into the buffer, where it stays until the next text:
 *
 *     struct sk_json_out out = { 0 };
 *
 *     while (work_writes(work, &out)) {
 *         sk_json_int(&out, 1);
 *     }
 *
 * If the buffer was too small, it is enlarged and the loop runs again.
 */
bool work_writes(struct work *work, struct sk_json_out *out);
struct sk_text work_text(const struct sk_json_out *out);
char *work_text_copy(const struct sk_json_out *out); /* on the heap */

/* The same by a function. */
struct sk_text work_write(struct work *work,
                          void (*write)(struct sk_json_out *out, const void *what),
                          const void *what);

/* What a seat's commands got; in the buffer, too. */
struct sk_text verdicts_text(struct work *work, const struct sk_turn *turn, uint8_t seat);

/* Written by a schema; valid until the next text.  And the same on the heap. */
struct sk_text work_form(struct work *work, const struct sk_schema *schema, const void *form);
char *work_json_form(struct work *work, const struct sk_schema *schema, const void *form);

/* ---- configs (config.c) ------------------------------------------------------------------ */

/* Compiled params, shared by all matches with the same params. */
struct shared_config {
    struct shared_config *next;
    const struct sk_ruleset *ruleset;
    uint32_t references;
    char *params; /* JSON as stored; the key */
    size_t params_length;
    char *params_shown; /* JSON of the params that players may see during the match; NULL: all */
    void *config;
    size_t config_size;
};

/* From a client's JSON, or NULL for the ruleset's default.  Faults are the client's. */
enum sk_status config_from_json(struct work *work, const struct sk_ruleset *ruleset,
                                const struct sk_value *json, struct shared_config **ret_config,
                                struct sk_fault *ret_fault);

/* From stored JSON text. */
enum sk_status config_from_text(struct work *work, const struct sk_ruleset *ruleset,
                                struct sk_text text, struct shared_config **ret_config,
                                struct sk_fault *ret_fault);
void config_release(struct work *work, struct shared_config *config);

#endif /* SK_WORK_H */
