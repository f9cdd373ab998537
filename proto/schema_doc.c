#include "proto/schema_doc.h"

#include "common/core/rules.h"
#include "proto/schema_write.h"

#define DIALECT "https://json-schema.org/draft/2020-12/schema"

#define TEXT_OF(limit)   TEXT_OF_2(limit)
#define TEXT_OF_2(limit) #limit

static void say_member(struct sk_json_out *out, const struct sk_member *member);

static void
say_string(struct sk_json_out *out, const char *key, const char *value)
{
    if (value != NULL) {
        sk_json_key_string(out, key, value);
    }
}

/* ---- scalars ----------------------------------------------------------------------------- */

static void
say_integer(struct sk_json_out *out, const struct sk_member *member)
{
    say_string(out, "type", "integer");
    sk_json_key_int(out, "minimum", member->min);
    sk_json_key_int(out, "maximum", member->max);
}

static void
say_enum(struct sk_json_out *out, const struct sk_member *member)
{
    sk_json_key(out, "enum");
    sk_json_begin_list(out);
    for (uint16_t i = 0; i < member->word_count; i++) {
        sk_json_string(out, member->words[i]);
    }
    sk_json_end_list(out);
}

static void
say_pattern(struct sk_json_out *out, const char *pattern)
{
    say_string(out, "type", "string");
    say_string(out, "pattern", pattern);
}

/* The bounds are bytes and JSON Schema counts characters, of one to four bytes each. */
static void
say_text(struct sk_json_out *out, const struct sk_member *member)
{
    say_string(out, "type", "string");
    sk_json_key_int(out, "minLength", ((int64_t)member->min + 3) / 4);
    sk_json_key_int(out, "maxLength", member->max);
    say_string(out, "$comment", "maxLength is counted in bytes of UTF-8");
}

static void
say_cell(struct sk_json_out *out, const struct sk_member *member)
{
    say_string(out, "type", "array");
    sk_json_key(out, "prefixItems");
    sk_json_begin_list(out);
    for (int i = 0; i < 2; i++) {
        sk_json_begin_object(out);
        say_integer(out, member);
        sk_json_end_object(out);
    }
    sk_json_end_list(out);
    sk_json_key_bool(out, "items", false);
    sk_json_key_int(out, "minItems", 2);
}

/* ---- objects ----------------------------------------------------------------------------- */

static void
say_properties(struct sk_json_out *out, const struct sk_schema *schema)
{
    if (schema->base != NULL) {
        say_properties(out, schema->base);
    }
    for (uint16_t i = 0; i < schema->member_count; i++) {
        sk_json_key(out, schema->members[i].name);
        say_member(out, &schema->members[i]);
    }
}

static void
say_required(struct sk_json_out *out, const struct sk_schema *schema)
{
    if (schema->base != NULL) {
        say_required(out, schema->base);
    }
    for (uint16_t i = 0; i < schema->member_count; i++) {
        if ((schema->members[i].flags & SK_OPTIONAL) == 0) {
            sk_json_string(out, schema->members[i].name);
        }
    }
}

/* `kind` is the value of the member `tag` in this variant; both may be NULL. */
static void
say_object(struct sk_json_out *out, const struct sk_schema *schema, const char *tag,
           const char *kind)
{
    say_string(out, "type", "object");
    sk_json_key(out, "properties");
    sk_json_begin_object(out);
    if (tag != NULL) {
        sk_json_key(out, tag);
        sk_json_begin_object(out);
        say_string(out, "const", kind);
        sk_json_end_object(out);
    }
    say_properties(out, schema);
    sk_json_end_object(out);

    sk_json_key(out, "required");
    sk_json_begin_list(out);
    if (tag != NULL) {
        sk_json_string(out, tag);
    }
    say_required(out, schema);
    sk_json_end_list(out);

    sk_json_key_bool(out, "additionalProperties", false);
}

static void
say_variants(struct sk_json_out *out, const struct sk_variants *variants)
{
    sk_json_key(out, "oneOf");
    sk_json_begin_list(out);
    for (uint16_t i = 0; i < variants->count; i++) {
        sk_json_begin_object(out);
        say_string(out, "description", variants->of[i].doc);
        say_object(out, variants->of[i].schema, sk_variants_tag(variants), variants->of[i].kind);
        sk_json_end_object(out);
    }
    sk_json_end_list(out);
}

/* ---- lists ------------------------------------------------------------------------------- */

static void
say_items(struct sk_json_out *out, const struct sk_member *member)
{
    say_string(out, "type", "array");
    sk_json_key(out, "items");
    say_member(out, member->item);
    sk_json_key_int(out, "minItems", member->min);
}

static void
say_list(struct sk_json_out *out, const struct sk_member *member)
{
    say_items(out, member);
    sk_json_key_int(out, "maxItems", member->max);
}

static void
say_map(struct sk_json_out *out, const struct sk_member *member)
{
    say_string(out, "type", "object");
    sk_json_key(out, "propertyNames");
    sk_json_begin_object(out);
    sk_json_key_int(out, "minLength", 1);
    sk_json_key_int(out, "maxLength", SK_NAME_MAX);
    sk_json_end_object(out);
    sk_json_key(out, "additionalProperties");
    say_member(out, member->item);
    sk_json_key_int(out, "minProperties", member->min);
    sk_json_key_int(out, "maxProperties", member->max);
}

/* ---- members ----------------------------------------------------------------------------- */

/* The keywords of the member's kind, into an object that is open. */
static void
say_kind(struct sk_json_out *out, const struct sk_member *member)
{
    switch (member->kind) {
    case SK_KIND_BOOL:
        say_string(out, "type", "boolean");
        break;
    case SK_KIND_INT:
        say_integer(out, member);
        break;
    case SK_KIND_LONG:
        say_string(out, "type", "integer");
        sk_json_key_int(out, "minimum", member->min);
        break;
    case SK_KIND_ENUM:
        say_enum(out, member);
        break;
    case SK_KIND_ID:
    case SK_KIND_ID_TEXT:
        say_pattern(out, "^[A-Za-z0-9_-]{1," TEXT_OF(SK_ID_MAX) "}$");
        break;
    case SK_KIND_NAME:
        say_pattern(out, "^[ -~]{1," TEXT_OF(SK_NAME_MAX) "}$");
        break;
    case SK_KIND_TEXT:
        say_text(out, member);
        break;
    case SK_KIND_CELL:
        say_cell(out, member);
        break;
    case SK_KIND_OBJECT:
        say_object(out, member->object, NULL, NULL);
        break;
    case SK_KIND_LIST:
        say_list(out, member);
        break;
    case SK_KIND_MAP:
        say_map(out, member);
        break;
    case SK_KIND_ROW:
        say_items(out, member); /* the rules limit its length */
        break;
    case SK_KIND_VARIANT:
        say_variants(out, member->variants);
        break;
    case SK_KIND_JSON:
        break; /* anything; another schema describes it */
    }
}

/* A missing tracked member has no default. */
static void
say_default(struct sk_json_out *out, const struct sk_member *member)
{
    if ((member->flags & SK_OPTIONAL) == 0 ||
        ((member->flags & SK_TRACKED) != 0 && member->fallback == 0)) {
        return;
    }
    if (member->kind == SK_KIND_BOOL) {
        sk_json_key_bool(out, "default", member->fallback != 0);
    } else if (member->kind == SK_KIND_INT && member->fallback >= member->min &&
               member->fallback <= member->max) {
        sk_json_key_int(out, "default", member->fallback);
    } else if (member->kind == SK_KIND_ENUM) {
        say_string(out, "default", member->words[member->fallback]);
    }
}

static void
say_or_null(struct sk_json_out *out, const struct sk_member *member)
{
    sk_json_key(out, "anyOf");
    sk_json_begin_list(out);
    sk_json_begin_object(out);
    say_kind(out, member);
    sk_json_end_object(out);
    sk_json_begin_object(out);
    say_string(out, "type", "null");
    sk_json_end_object(out);
    sk_json_end_list(out);
}

static void
say_member(struct sk_json_out *out, const struct sk_member *member)
{
    sk_json_begin_object(out);
    say_string(out, "description", member->doc);
    if ((member->flags & SK_NULLABLE) != 0 && member->kind != SK_KIND_JSON) {
        say_or_null(out, member);
    } else {
        say_kind(out, member);
    }
    say_default(out, member);
    sk_json_end_object(out);
}

/* ---- documents --------------------------------------------------------------------------- */

void
sk_schema_document(struct sk_json_out *out, const struct sk_schema *schema)
{
    sk_json_begin_object(out);
    say_string(out, "$schema", DIALECT);
    say_string(out, "title", schema->title);
    say_object(out, schema, NULL, NULL);
    sk_json_end_object(out);
}

void
sk_variants_document(struct sk_json_out *out, const struct sk_variants *variants)
{
    sk_json_begin_object(out);
    say_string(out, "$schema", DIALECT);
    say_string(out, "title", variants->title);
    say_variants(out, variants);
    sk_json_end_object(out);
}

static void
say_pipeline(struct sk_json_out *out, const struct sk_ruleset *ruleset)
{
    sk_json_key(out, "checks");
    sk_json_begin_list(out);
    for (uint8_t i = 0; i < ruleset->check_count; i++) {
        sk_json_string(out, ruleset->checks[i].name);
    }
    sk_json_end_list(out);

    sk_json_key(out, "stages");
    sk_json_begin_list(out);
    for (uint8_t i = 0; i < ruleset->stage_count; i++) {
        sk_json_string(out, ruleset->stages[i].name);
    }
    sk_json_end_list(out);
}

static void
say_words(struct sk_json_out *out, const struct sk_ruleset *ruleset)
{
    sk_json_key(out, "verdicts");
    sk_json_begin_list(out);
    for (unsigned i = 0; i < (unsigned)SK_VERDICT_OWN + ruleset->verdict_count; i++) {
        sk_json_string(out, sk_verdict_name(ruleset, (sk_verdict)i));
    }
    sk_json_end_list(out);

    sk_json_key(out, "reasons");
    sk_json_begin_list(out);
    for (unsigned i = SK_REASON_NONE + 1; i < (unsigned)SK_REASON_OWN + ruleset->reason_count;
         i++) {
        sk_json_string(out, sk_reason_name(ruleset, (uint8_t)i));
    }
    sk_json_end_list(out);
}

static void
say_facts(struct sk_json_out *out, const struct sk_ruleset *ruleset)
{
    sk_json_key(out, "facts");
    sk_json_begin_object(out);
    for (uint8_t i = 0; i < ruleset->fact_count; i++) {
        sk_json_key(out, ruleset->facts[i].name);
        sk_json_begin_object(out);
        sk_json_key_int(out, "value", ruleset->facts[i].value);
        say_string(out, "description", ruleset->facts[i].doc);
        sk_json_end_object(out);
    }
    sk_json_end_object(out);
}

static void
say_docs(struct sk_json_out *out, const struct sk_word *words, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        say_string(out, words[i].name, words[i].doc);
    }
}

/* What people are told of the ruleset's own verdicts and reasons, where it says so. */
static void
say_meanings(struct sk_json_out *out, const struct sk_ruleset *ruleset)
{
    sk_json_key(out, "words");
    sk_json_begin_object(out);
    say_docs(out, ruleset->verdicts, ruleset->verdict_count);
    say_docs(out, ruleset->reasons, ruleset->reason_count);
    sk_json_end_object(out);
}

static const char *
member_at(const struct sk_schema *schema, uint16_t offset)
{
    for (uint16_t i = 0; i < schema->member_count; i++) {
        if (schema->members[i].offset == offset) {
            return schema->members[i].name;
        }
    }
    return NULL;
}

/* The levels of the project's bots that play it. */
static void
say_bots(struct sk_json_out *out, const struct sk_ruleset *ruleset)
{
    static const char *const levels[] = { "random", "greedy", "search" };

    sk_json_key(out, "bots");
    sk_json_begin_list(out);
    for (uint8_t i = 0; i < sk_rules_bot_levels(ruleset); i++) {
        sk_json_string(out, levels[i]);
    }
    sk_json_end_list(out);
}

/* Which params are the size of the board. */
static void
say_board(struct sk_json_out *out, const struct sk_ruleset *ruleset)
{
    sk_json_key(out, "board");
    sk_json_begin_object(out);
    say_string(out, "cols", member_at(ruleset->params, ruleset->board.cols_at));
    say_string(out, "rows", member_at(ruleset->params, ruleset->board.rows_at));
    sk_json_end_object(out);
}

void
sk_ruleset_document(struct sk_json_out *out, const void *of)
{
    const struct sk_ruleset *ruleset = of;

    sk_json_begin_object(out);
    say_string(out, "ruleset", ruleset->name);
    sk_json_key_int(out, "version", ruleset->version);
    say_string(out, "summary", ruleset->summary);
    sk_json_key_bool(out, "simultaneous", ruleset->is_simultaneous);
    sk_json_key_int(out, "seats_min", ruleset->seats_min);
    sk_json_key_int(out, "seats_max", ruleset->seats_max);
    sk_json_key(out, "params");
    sk_schema_document(out, ruleset->params);
    sk_json_key(out, "state");
    sk_schema_document(out, ruleset->state);
    sk_json_key(out, "view");
    sk_schema_document(out, ruleset->view);
    sk_json_key(out, "command");
    sk_variants_document(out, ruleset->command);
    sk_json_key(out, "event");
    sk_variants_document(out, ruleset->event);
    say_pipeline(out, ruleset);
    say_words(out, ruleset);
    say_facts(out, ruleset);
    if (ruleset->default_params != NULL) {
        sk_json_key(out, "defaults");
        sk_form_write(out, ruleset->params, ruleset->default_params);
    }
    say_meanings(out, ruleset);
    say_bots(out, ruleset);
    if (ruleset->board.is_given) {
        say_board(out, ruleset);
    }
    sk_json_end_object(out);
}
