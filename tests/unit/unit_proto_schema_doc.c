/* The JSON Schemas that come out of member tables, read back by json-c. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_out.h"
#include "proto/json_parse.h"
#include "proto/schema_doc.h"
#include "tests/support/cases.h"
#include "tests/support/words.h"
#include "tests/unit/sample_schema.h"

#define OUT_SIZE 65536u

static char buffer[OUT_SIZE];

static struct json_object *
parse(const struct sk_json_out *out)
{
    struct json_tokener *tokener = json_tokener_new();
    struct json_object *json = json_tokener_parse_ex(tokener, out->at, (int)out->used);
    struct sk_value *strict;
    struct sk_fault fault = { 0 };

    cr_assert(sk_json_out_is_whole(out));
    cr_assert_eq(sk_json_parse(out->at, out->used, &strict, &fault), SK_OK, "%s at %s",
                 fault.message, fault.at);
    sk_json_free(strict);
    json_tokener_free(tokener);
    return json;
}

/* Does the document have this JSON (with ' for ") at the pointer?  NULL = nothing at all. */
static void
expect_at(struct json_object *document, const char *label, const char *pointer, const char *json)
{
    struct json_object *found = NULL;
    bool is_there = json_pointer_get(document, pointer, &found) == 0;
    struct words words;

    cr_assert_eq(is_there, json != NULL, "%s", label);
    if (is_there) {
        words_init(&words);
        words_say_json(&words, json);
        cr_expect_str_eq(json_object_to_json_string_ext(found, JSON_C_TO_STRING_NOSLASHESCAPE),
                         words.at, "%s", label);
        words_fini(&words);
    }
}

struct document_case {
    const char *label;
    const char *pointer;
    const char *json; /* NULL = nothing there */
};

static const struct document_case document_cases[] = {
    { "dialect", "/$schema", "'https://json-schema.org/draft/2020-12/schema'" },
    { "title", "/title", "'everything'" },
    { "nothing else", "/additionalProperties", "false" },
    { "a doc", "/properties/flag/description", "'Yes or no.'" },
    { "a bool", "/properties/flag/type", "'boolean'" },
    { "a bound", "/properties/number", "{'type':'integer','minimum':3,'maximum':64}" },
    { "any number", "/properties/any/minimum", "-2147483648" },
    { "a default", "/properties/steps/default", "200" },
    { "a default's word", "/properties/mood/default", "'blue'" },
    { "words", "/properties/colour", "{'enum':['red','green','blue']}" },
    { "an id", "/properties/id/pattern", "'^[A-Za-z0-9_-]{1,31}$'" },
    { "an id text", "/properties/id_text/pattern", "'^[A-Za-z0-9_-]{1,31}$'" },
    { "a name", "/properties/name/pattern", "'^[ -~]{1,31}$'" },
    { "a text's least", "/properties/text/minLength", "1" },
    { "a text's most", "/properties/text/maxLength", "10" },
    { "a cell", "/properties/at/prefixItems/1/maximum", "2147483647" },
    { "a cell's end", "/properties/at/items", "false" },
    { "null", "/properties/target/anyOf/1", "{'type':'null'}" },
    { "or a cell", "/properties/target/anyOf/0/type", "'array'" },
    { "an object", "/properties/part/required", "['x']" },
    { "an object's end", "/properties/part/additionalProperties", "false" },
    { "a list's least", "/properties/numbers/minItems", "1" },
    { "a list's most", "/properties/numbers/maxItems", "3" },
    { "a list's item", "/properties/numbers/items", "{'type':'integer','minimum':0,'maximum':9}" },
    { "a nested list", "/properties/grid/items/maxItems", "3" },
    { "a map's keys", "/properties/heights/propertyNames/maxLength", "31" },
    { "a map's values", "/properties/heights/additionalProperties/minimum", "-1" },
    { "a map's size", "/properties/heights/maxProperties", "3" },
    { "a row", "/properties/path/items/type", "'array'" },
    { "a row has no end", "/properties/path/maxItems", NULL },
    { "a variant", "/properties/shape/oneOf/1/properties/kind/const", "'line'" },
    { "a variant's doc", "/properties/shape/oneOf/0/description", "'A dot.'" },
    { "a variant's members", "/properties/shape/oneOf/0/required", "['kind','unit','at']" },
    { "a bare variant", "/properties/shape/oneOf/2",
      "{'type':'object','properties':{'kind':{'const':'pass'}},'required':['kind'],'"
      "additionalProperties':false}" },
    { "a long", "/properties/size", "{'type':'integer','minimum':-1}" },
    { "a long or null", "/properties/since/anyOf/0/type", "'integer'" },
    { "JSON is anything", "/properties/data", "{'description':'Anything.'}" },
    { "another tag", "/properties/mark/oneOf/0/required", "['form','unit','at']" },
    { "another tag's word", "/properties/mark/oneOf/1/properties/form/const", "'line'" },
    { "a base's member", "/properties/turn/minimum", "0" },
    { "base members first", "/required/0", "'turn'" },
};

CASES(schema_doc, the_published_schema_says_what_the_table_says, document_cases)
{
    const struct document_case *c = &document_cases[*index];
    struct json_object *document;
    struct sk_json_out out;

    sk_json_out_init(&out, buffer, sizeof(buffer));
    sk_schema_document(&out, &everything);
    document = parse(&out);
    expect_at(document, c->label, c->pointer, c->json);
    json_object_put(document);
}

static const struct sk_word own_verdicts[] = { { "too_tired", "Nobody plays asleep." } };
static const struct sk_word own_reasons[] = { { "bored", NULL } };
static const struct sk_check own_checks[] = { { .name = "own_unit" }, { .name = "awake" } };
static const struct sk_stage own_stages[] = { { .name = "move" } };

static const struct sk_fact own_facts[] = {
    { "beds", 4, "Those who come late lie on the floor." },
};

static const struct sk_ruleset ruleset = {
    .name = "naps",
    .summary = "Who sleeps longest.",
    .version = 3,
    .params = &with_numbers,
    .state = &with_base,
    .view = &with_base,
    .command = &shapes,
    .event = &shapes,
    SK_VERDICTS(own_verdicts),
    SK_REASONS(own_reasons),
    SK_CHECKS(own_checks),
    SK_STAGES(own_stages),
    SK_FACTS(own_facts),
};

static const struct document_case ruleset_cases[] = {
    { "name", "/ruleset", "'naps'" },
    { "version", "/version", "3" },
    { "summary", "/summary", "'Who sleeps longest.'" },
    { "params", "/params/properties/number/maximum", "64" },
    { "state", "/state/title", "'child'" },
    { "view", "/view/properties/owing/items/maximum", "3" },
    { "command", "/command/oneOf/2/properties/kind/const", "'pass'" },
    { "event", "/event/oneOf/0/additionalProperties", "false" },
    { "checks", "/checks", "['own_unit','awake']" },
    { "stages", "/stages", "['move']" },
    { "facts", "/facts",
      "{'beds':{'value':4,'description':'Those who come late lie on the floor.'}}" },
    { "no default params", "/defaults", NULL },
    { "the first verdict", "/verdicts/0", "'ok'" },
    { "the first reason", "/reasons/0", "'resignation'" },
    { "the bots", "/bots", "['random']" },
    { "what words mean", "/words", "{'too_tired':'Nobody plays asleep.'}" },
};

CASES(schema_doc, a_ruleset_is_documented_as_a_whole, ruleset_cases)
{
    const struct document_case *c = &ruleset_cases[*index];
    struct json_object *document;
    struct sk_json_out out;

    sk_json_out_init(&out, buffer, sizeof(buffer));
    sk_ruleset_document(&out, &ruleset);
    document = parse(&out);
    expect_at(document, c->label, c->pointer, c->json);
    json_object_put(document);
}

/* The last of a list of words, behind those that all rulesets share. */
static const char *
last_word(struct json_object *document, const char *pointer, size_t count)
{
    struct json_object *words = NULL;

    cr_assert_eq(json_pointer_get(document, pointer, &words), 0);
    cr_assert_eq(json_object_array_length(words), count);
    return json_object_get_string(json_object_array_get_idx(words, count - 1));
}

Test(schema_doc, own_words_follow_the_shared_ones)
{
    struct json_object *document;
    struct sk_json_out out;

    sk_json_out_init(&out, buffer, sizeof(buffer));
    sk_ruleset_document(&out, &ruleset);
    document = parse(&out);
    cr_expect_str_eq(last_word(document, "/verdicts", SK_VERDICT_OWN + 1), "too_tired");
    cr_expect_str_eq(last_word(document, "/reasons", SK_REASON_OWN), "bored");
    json_object_put(document);
}
