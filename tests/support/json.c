#include "tests/support/json.h"

#include <stdlib.h>
#include <string.h>

#include "proto/json_out.h"
#include "proto/json_parse.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "tests/support/table.h"

void
json_arena_alloc(struct sk_arena *arena, size_t size)
{
    void *memory = malloc(size);

    if (memory == NULL) {
        table_fail("no memory for forms");
    }
    sk_arena_init(arena, memory, size);
}

/* ---- writing ----------------------------------------------------------------------------- */

/* The writer counts what does not fit, so the first call finds the size. */
static void
begin(struct sk_json_out *out, size_t size)
{
    char *memory = malloc(size + 1);

    if (memory == NULL) {
        table_fail("no memory to write JSON");
    }
    sk_json_out_init(out, memory, size);
}

static void
end(struct sk_json_out *out, struct words *words)
{
    if (words != NULL && !sk_json_out_is_whole(out)) {
        table_fail("writing the same form twice gave %zu bytes, then %zu", out->size, out->used);
    }
    if (words != NULL) {
        words_say(words, "%.*s", (int)out->used, out->at);
    }
    free(out->at);
}

void
json_say_form(struct words *words, const struct sk_schema *schema, const void *form)
{
    struct sk_json_out out;

    begin(&out, 0);
    sk_form_write(&out, schema, form);
    end(&out, NULL);
    begin(&out, out.used);
    sk_form_write(&out, schema, form);
    end(&out, words);
}

void
json_say_variant(struct words *words, const struct sk_variants *variants, const void *form)
{
    struct sk_json_out out;

    begin(&out, 0);
    sk_variant_write(&out, variants, form);
    end(&out, NULL);
    begin(&out, out.used);
    sk_variant_write(&out, variants, form);
    end(&out, words);
}

/* ---- reading ----------------------------------------------------------------------------- */

enum sk_status
json_parse(const char *text, struct sk_value **ret_json, struct sk_fault *ret_fault)
{
    return sk_json_parse(text, strlen(text), ret_json, ret_fault);
}

enum sk_status
json_read_form(const char *text, const struct sk_schema *schema, struct sk_arena *arena,
               void *ret_form, struct sk_fault *ret_fault)
{
    struct sk_value *json = NULL;
    enum sk_status status = json_parse(text, &json, ret_fault);

    if (status == SK_OK) {
        status = sk_form_read(schema, json, arena, ret_form, ret_fault);
        sk_json_free(json);
    }
    return status;
}

enum sk_status
json_read_variant(const char *text, const struct sk_variants *variants, struct sk_arena *arena,
                  void *ret_form, struct sk_fault *ret_fault)
{
    struct sk_value *json = NULL;
    enum sk_status status = json_parse(text, &json, ret_fault);

    if (status == SK_OK) {
        status = sk_variant_read(variants, json, arena, ret_form, ret_fault);
        sk_json_free(json);
    }
    return status;
}
