/*
 * Forms as JSON text and back, for tests; what cannot be written ends the
 * program.  Programs without json-c do not link this.
 */
#ifndef SK_TEST_JSON_H
#define SK_TEST_JSON_H

#include "common/base/arena.h"
#include "common/base/fault.h"
#include "common/core/schema.h"
#include "proto/json_value.h"
#include "tests/support/words.h"

/* Each appends to `words`. */
void json_say_form(struct words *words, const struct sk_schema *schema, const void *form);
void json_say_variant(struct words *words, const struct sk_variants *variants, const void *form);

/* Returns a document that the caller frees with sk_json_free. */
enum sk_status json_parse(const char *text, struct sk_value **ret_json, struct sk_fault *ret_fault);

/* Reads as the program does: strictly, and only members of the table. */
enum sk_status json_read_form(const char *text, const struct sk_schema *schema,
                              struct sk_arena *arena, void *ret_form, struct sk_fault *ret_fault);
enum sk_status json_read_variant(const char *text, const struct sk_variants *variants,
                                 struct sk_arena *arena, void *ret_form,
                                 struct sk_fault *ret_fault);

/* Memory for forms; the caller frees arena->base. */
#define JSON_ARENA_SMALL (128u * 1024u) /* more would be a mapping of its own under ASan */
#define JSON_ARENA_LARGE (16u * 1024u * 1024u)
void json_arena_alloc(struct sk_arena *arena, size_t size);

#endif /* SK_TEST_JSON_H */
