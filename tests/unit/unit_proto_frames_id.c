/* The `id` of a message that is not read otherwise. */
#include <stdlib.h>
#include <string.h>

#include "proto/frames.h"
#include "proto/json_parse.h"
#include "tests/support/cases.h"

#define ID_OF_64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

struct id_case {
    const char *label;
    const char *text;
    const char *id; /* NULL = none */
};

static const struct id_case id_cases[] = {
    { "first", "{\"id\":\"7\",\"type\":\"ping\"}", "7" },
    { "last", "{\"type\":\"ping\",\"id\":\"7\"}", "7" },
    { "white space", " \t\r\n{ \"type\" : \"ping\" , \"id\" :\n \"7\" } ", "7" },
    { "behind lists and objects",
      "{\"a\":[1,[2,{\"id\":\"x\"}],\"id\"],\"b\":{\"id\":\"y\",\"c\":[]},\"id\":\"7\"}", "7" },
    { "behind texts that look like one", "{\"a\":\"\\\",\\\"id\\\":\\\"x\\\"\",\"id\":\"7\"}",
      "7" },
    { "behind a text that ends in a backslash", "{\"a\":\"\\\\\",\"id\":\"7\"}", "7" },
    { "a text that is called so", "{\"a\":\"id\",\"id\":\"7\"}", "7" },
    { "escapes", "{\"id\":\"\\u0041\\\"\\\\\"}", "A\"\\" },
    { "not only ASCII", "{\"id\":\"\xc3\xa9\"}", "\xc3\xa9" },
    { "as long as may be", "{\"id\":\"" ID_OF_64 "\"}", ID_OF_64 },
    { "no JSON behind it", "{\"id\":\"7\",}", "7" },
    { "no end", "{\"id\":\"7\",\"type\":\"pi", "7" },
    { "an object that never ends before it", "{\"a\":{\"id\":\"7\"", NULL },
    { "none", "{\"type\":\"ping\"}", NULL },
    { "of an inner object only", "{\"a\":{\"id\":\"7\"}}", NULL },
    { "in a list", "[\"id\",\"7\"]", NULL },
    { "an object in a list", "[{\"id\":\"7\"}]", NULL },
    { "a number", "{\"id\":7}", NULL },
    { "null", "{\"id\":null}", NULL },
    { "an object", "{\"id\":{\"id\":\"7\"}}", NULL },
    { "empty", "{\"id\":\"\"}", NULL },
    { "too long", "{\"id\":\"" ID_OF_64 "0\"}", NULL },
    { "too long when unescaped", "{\"id\":\"\\u0041" ID_OF_64 "\"}", NULL },
    { "with a zero", "{\"id\":\"\\u0000\"}", NULL },
    { "with a control character", "{\"id\":\"\n\"}", NULL },
    { "not UTF-8", "{\"id\":\"\xff\"}", NULL },
    { "half an escape", "{\"id\":\"\\u00\"}", NULL },
    { "ends in the key", "{\"id", NULL },
    { "ends behind the key", "{\"id\"", NULL },
    { "ends behind the colon", "{\"id\": ", NULL },
    { "ends in the value", "{\"id\":\"7", NULL },
    { "ends with a backslash", "{\"id\":\"7\\", NULL },
    { "a text alone", "\"id\"", NULL },
    { "nothing", "", NULL },
    { "closers only", "}}]]\"id\":\"7\"", NULL },
};

/* From memory of exactly its length, so that a sanitizer sees what is read behind it. */
CASES(frames_id, is_found_without_reading_the_rest, id_cases)
{
    const struct id_case *c = &id_cases[*index];
    size_t length = strlen(c->text);
    char *exact = malloc(length == 0 ? 1 : length);
    char id[FRAME_ID_MAX + 1] = "untouched";
    bool is_found;

    cr_assert_not_null(exact);
    memcpy(exact, c->text, length);
    is_found = sk_frame_find_id(exact, length, id);
    cr_expect_eq(is_found, c->id != NULL, "%s: %s", c->label, id);
    if (is_found && c->id != NULL) {
        cr_expect_str_eq(id, c->id, "%s", c->label);
    }
    free(exact);
}
