/* JSON going out: the bounded writer. */
#include <stdlib.h>
#include <string.h>

#include "proto/json_out.h"
#include "proto/json_parse.h"
#include "proto/utf8.h"
#include "tests/support/cases.h"

struct text_case {
    const char *label;
    struct sk_text text;
    const char *json;
};

/* clang-format off */
static const struct text_case text_cases[] = {
    { "empty",                  { "", 0 },                     "\"\"" },
    { "empty without a place",  { NULL, 0 },                   "\"\"" },
    { "plain",                  { "abc", 3 },                  "\"abc\"" },
    { "quote and backslash",    { "a\"b\\c", 5 },              "\"a\\\"b\\\\c\"" },
    { "slash",                  { "/", 1 },                    "\"/\"" },
    { "control characters",     { "\x01\n\x1f", 3 },           "\"\\u0001\\u000a\\u001f\"" },
    { "zero",                   { "a\0b", 3 },                 "\"a\\u0000b\"" },
    { "DEL",                    { "\x7f", 1 },                 "\"\x7f\"" },
    { "UTF-8",                  { "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9 },
                                "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"" },
    { "not UTF-8",              { "a\xff" "b", 3 },            "\"a\xef\xbf\xbd" "b\"" },
    { "UTF-8 cut short",        { "\xe2\x82", 2 },             "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "a surrogate",            { "\xed\xa0\x80", 3 },
                                "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
};
/* clang-format on */

CASES(json_out, any_bytes_are_written_as_valid_text, text_cases)
{
    const struct text_case *c = &text_cases[*index];
    char buffer[64];
    struct sk_json_out out;

    sk_json_out_init(&out, buffer, sizeof(buffer));
    sk_json_text(&out, c->text);
    cr_assert(sk_json_out_is_whole(&out));
    cr_expect_eq(out.used, strlen(c->json), "%s", c->label);
    cr_expect_eq(memcmp(buffer, c->json, out.used), 0, "%s", c->label);
}

struct int_case {
    int64_t value;
    const char *json;
};

static const struct int_case int_cases[] = {
    { 0, "0" },
    { 9, "9" },
    { 10, "10" },
    { -1, "-1" },
    { INT32_MAX, "2147483647" },
    { INT32_MIN, "-2147483648" },
    { INT64_MAX, "9223372036854775807" },
    { INT64_MIN, "-9223372036854775808" },
};

Test(json_out, integers_are_written_in_full)
{
    for (size_t i = 0; i < sizeof(int_cases) / sizeof(int_cases[0]); i++) {
        char buffer[32];
        struct sk_json_out out;

        sk_json_out_init(&out, buffer, sizeof(buffer));
        sk_json_int(&out, int_cases[i].value);
        cr_expect_eq(out.used, strlen(int_cases[i].json), "%s", int_cases[i].json);
        cr_expect_eq(memcmp(buffer, int_cases[i].json, out.used), 0, "%s", int_cases[i].json);
    }
}

/* One of everything. */
static void
write_sample(struct sk_json_out *out)
{
    sk_json_begin_object(out);
    sk_json_key(out, "a");
    sk_json_begin_list(out);
    sk_json_end_list(out);
    sk_json_key(out, "b");
    sk_json_begin_list(out);
    sk_json_int(out, -12);
    sk_json_bool(out, true);
    sk_json_bool(out, false);
    sk_json_null(out);
    sk_json_begin_object(out);
    sk_json_end_object(out);
    sk_json_string(out, "x\"y");
    sk_json_end_list(out);
    sk_json_key(out, "hash");
    sk_json_hex16(out, 0x0123456789abcdefu);
    sk_json_key(out, "raw");
    sk_json_raw(out, SK_TEXT("[1, 2]"));
    sk_json_end_object(out);
}

static const char sample_json[] = "{\"a\":[],\"b\":[-12,true,false,null,{},\"x\\\"y\"],"
                                  "\"hash\":\"0123456789abcdef\",\"raw\":[1, 2]}";

Test(json_out, commas_come_by_themselves)
{
    struct sk_value *json = NULL;
    struct sk_fault fault;
    struct sk_json_out out;
    char buffer[256];

    sk_json_out_init(&out, buffer, sizeof(buffer));
    write_sample(&out);
    cr_assert_eq(out.used, strlen(sample_json));
    cr_expect_eq(memcmp(buffer, sample_json, out.used), 0);
    cr_expect_eq(sk_json_parse(buffer, out.used, &json, &fault), SK_OK);
    sk_json_free(json);
}

Test(json_out, a_buffer_of_any_size_is_never_overrun)
{
    for (size_t size = 0; size <= sizeof(sample_json); size++) {
        char *buffer = malloc(size == 0 ? 1 : size);
        struct sk_json_out out;

        sk_json_out_init(&out, size == 0 ? NULL : buffer, size);
        write_sample(&out);
        cr_expect_eq(out.used, sizeof(sample_json) - 1, "size %zu", size);
        cr_expect_eq(sk_json_out_is_whole(&out), size >= sizeof(sample_json) - 1, "size %zu", size);
        free(buffer);
    }
}

/* Plain bytes are skipped many at a time, so what is wrong among them may be anywhere. */
Test(utf8, one_wrong_byte_is_found_at_any_place)
{
    enum {
        LONGEST = 70
    };
    uint8_t text[LONGEST];

    for (size_t length = 1; length <= LONGEST; length++) {
        memset(text, 'a', length);
        cr_expect(sk_utf8_is_valid(text, text + length), "%zu letters", length);
        for (size_t at = 0; at < length; at++) {
            text[at] = 0x80;
            cr_expect_not(sk_utf8_is_valid(text, text + length), "byte %zu of %zu", at, length);
            if (at > 0) {
                text[at - 1] = 0xc3;
                cr_expect(sk_utf8_is_valid(text, text + length), "character at %zu of %zu", at - 1,
                          length);
                text[at - 1] = 'a';
            }
            text[at] = 'a';
        }
    }
}
