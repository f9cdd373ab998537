/* What is asked of values that were read: their texts, their members. */
#include <stdlib.h>
#include <string.h>

#include "proto/json_parse.h"
#include "tests/support/cases.h"

static struct sk_value *
parse(const char *text)
{
    struct sk_value *document = NULL;
    struct sk_fault fault = { 0 };

    cr_assert_eq(sk_json_parse(text, strlen(text), &document, &fault), SK_OK, "%s: %s", text,
                 fault.message);
    return document;
}

/* ---- texts of values --------------------------------------------------------------------- */

struct text_case {
    const char *label;
    const char *text;
    const char *dense; /* of member a */
};

/* clang-format off */
static const struct text_case text_cases[] = {
    { "a list without spaces",  "{\"a\":[1,[2,3],\"b c\"]}",          "[1,[2,3],\"b c\"]" },
    { "spaces around it",       "{ \"a\" : [1,\"b c\"] }",            "[1,\"b c\"]" },
    { "spaces in it",           "{\"a\":[ 1 ,\t\"b  c\"\n]}",         "[1,\"b  c\"]" },
    { "an escaped quote",       "{\"a\":[ \"x\\\" y\" , 1]}",         "[\"x\\\" y\",1]" },
    { "an escaped backslash",   "{\"a\":[ \"x\\\\\" , 1]}",          "[\"x\\\\\",1]" },
    { "a text",                 "{\"a\": \"x y\"}",                   "\"x y\"" },
    { "a number",               "{\"a\": -17 }",                      "-17" },
    { "an object",              "{\"a\":{ \"b\": null }}",            "{\"b\":null}" },
    { "an empty one",           "{\"a\":{ }}",                        "{}" },
};
/* clang-format on */

CASES(json_value, a_values_text_is_its_own_without_white_space, text_cases)
{
    const struct text_case *c = &text_cases[*index];
    struct sk_value *object = parse(c->text);
    char *text = sk_json_text_of(sk_value_member(object, "a"));

    cr_expect_str_eq(text, c->dense, "%s", c->label);
    free(text);
    sk_json_free(object);
}

Test(json_value, members_are_found_by_their_unescaped_names)
{
    static const char json[] = "{\"\":1,\"ab\":2,\"a\":3,\"\\u0061bc\":4}";
    struct sk_value *object = parse(json);

    cr_expect_eq(sk_value_int(sk_value_member(object, "")), 1);
    cr_expect_eq(sk_value_int(sk_value_member(object, "a")), 3);
    cr_expect_eq(sk_value_int(sk_value_member(object, "ab")), 2);
    cr_expect_eq(sk_value_int(sk_value_member(object, "abc")), 4);
    cr_expect_null(sk_value_member(object, "abcd"));
    cr_expect_null(sk_value_member(object, "b"));
    sk_json_free(object);
}

struct same_case {
    const char *label;
    const char *a;
    const char *b;
    bool is_same;
};

/* clang-format off */
static const struct same_case same_cases[] = {
    { "members in another order", "{\"a\":1,\"b\":[2]}",  "{\"b\":[2],\"a\":1}", true },
    { "white space",              "[1, 2]",               "[1,2]",               true },
    { "an escaped text",          "[\"\\u0061b\"]",       "[\"ab\"]",            true },
    { "an escaped key",           "{\"\\u0061b\":1}",     "{\"ab\":1}",          true },
    { "minus zero",               "[-0]",                 "[0]",                 true },
    { "items in another order",   "[1,2]",                "[2,1]",               false },
    { "another number",           "[1]",                  "[2]",                 false },
    { "another text",             "[\"a\"]",              "[\"b\"]",             false },
    { "a longer text",            "[\"a\"]",              "[\"ab\"]",            false },
    { "another key",              "{\"a\":1}",            "{\"b\":1}",           false },
    { "one member more",          "{\"a\":1}",            "{\"a\":1,\"b\":1}",   false },
    { "one item more",            "[1]",                  "[1,1]",               false },
    { "another word",             "[true]",               "[false]",             false },
    { "another kind",             "[1]",                  "[\"1\"]",             false },
    { "deep inside",              "{\"a\":[{\"b\":1}]}",  "{\"a\":[{\"b\":2}]}", false },
    { "empty ones",               "[{},[]]",              "[{},[]]",             true },
    { "an empty list, an object", "[[]]",                 "[{}]",                false },
};
/* clang-format on */

CASES(json_value, two_values_are_the_same_or_not, same_cases)
{
    const struct same_case *c = &same_cases[*index];
    struct sk_value *a = parse(c->a);
    struct sk_value *b = parse(c->b);

    cr_expect_eq(sk_json_same(a, b), c->is_same, "%s", c->label);
    cr_expect_eq(sk_json_same(b, a), c->is_same, "%s, the other way round", c->label);
    sk_json_free(a);
    sk_json_free(b);
}
