/* JSON coming in: the scan, and the values that come out. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/rng.h"
#include "proto/json_out.h"
#include "proto/json_parse.h"
#include "tests/support/cases.h"

/* From a copy of exactly its length, so that a sanitizer detects a read past its end. */
static enum sk_status
parse(const char *text, size_t length, struct sk_value **ret_object, struct sk_fault *ret_fault)
{
    char *copy = malloc(length == 0 ? 1 : length);
    enum sk_status status;

    cr_assert_not_null(copy);
    memcpy(copy, text, length);
    status = sk_json_parse(copy, length, ret_object, ret_fault);
    free(copy);
    return status;
}

static bool
is_accepted(const char *text, size_t length)
{
    struct sk_value *object = NULL;
    struct sk_fault fault;
    enum sk_status status = parse(text, length, &object, &fault);

    sk_json_free(object);
    return status == SK_OK;
}

/* ---- what is let through ----------------------------------------------------------------- */

struct good_case {
    const char *label;
    const char *text;
    const char *same; /* as we would write it, or NULL for the text itself */
};

/* clang-format off */
static const struct good_case good_cases[] = {
    { "an empty object",            "{}",                            NULL },
    { "an empty list",              "[]",                            NULL },
    { "a scalar alone",             "17",                            NULL },
    { "a word alone",               "true",                          NULL },
    { "null alone",                 "null",                          NULL },
    { "a text alone",               "\"a\"",                         NULL },
    { "an empty text",              "\"\"",                          NULL },
    { "white space of all kinds",   " \t\r\n[ 1 ,\t2 ]\r\n",         "[1,2]" },
    { "white space in an object",   "{ \"a\" : 1 , \"b\" : { } }",   "{\"a\":1,\"b\":{}}" },
    { "the words",                  "[true,false,null]",             NULL },
    { "the largest number",         "[2147483647]",                  NULL },
    { "the smallest number",        "[-2147483648]",                 NULL },
    { "minus zero",                 "[-0]",                          "[0]" },
    { "cells",                      "[[0,0],[12,34],[-1,5],[123,4]]", NULL },
    { "the empty key",              "{\"\":1}",                      NULL },
    { "a key of eight bytes",       "{\"12345678\":1,\"1234567\":2}", NULL },
    { "long keys alike at first",   "{\"12345678a\":1,\"12345678b\":2}", NULL },
    { "keys alike in other levels", "{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]}}", NULL },
    { "every escape",               "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"]",
                                    "[\"\\\"\\\\/\\u0008\\u000c\\u000a\\u000d\\u0009A\"]" },
    { "a surrogate pair",           "[\"\\ud83d\\ude00\"]",          "[\"\xf0\x9f\x98\x80\"]" },
    { "a pair whose end is like half of one", "[\"\\ud836\\udc00\\udbb7\\udfd8\"]",
                                    "[\"\xf0\x9d\xa0\x80\xf3\xbd\xbf\x98\"]" },
    { "hex digits of both cases",   "[\"\\u00Ff\"]",                 "[\"\xc3\xbf\"]" },
    { "UTF-8 of two bytes",         "[\"\xc2\x80\xdf\xbf\"]",        NULL },
    { "UTF-8 of three bytes",       "[\"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"]",
                                    NULL },
    { "UTF-8 of four bytes",        "[\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"]", NULL },
    { "the DEL character",          "[\"\x7f\"]",                    NULL },
    { "a long text",                "[\"0123456789 0123456789 \xc3\xa4 0123456789\"]", NULL },
};
/* clang-format on */

static void write_value(struct sk_json_out *out, const struct sk_value *value);

static void
write_text(struct sk_json_out *out, const struct sk_value *value, bool is_key)
{
    char text[512];

    text[sk_value_copy(value, text, sizeof(text) - 1)] = '\0';
    if (is_key) {
        sk_json_key(out, text);
    } else {
        sk_json_string(out, text);
    }
}

static void
write_items(struct sk_json_out *out, const struct sk_value *value)
{
    const struct sk_value *item = sk_value_first(value);

    for (uint32_t i = 0; i < value->count; i++) {
        if (value->kind == SK_VALUE_OBJECT) {
            write_text(out, item, true);
            item = sk_value_next(item);
        }
        write_value(out, item);
        item = sk_value_next(item);
    }
    cr_expect_eq(item, sk_value_next(value), "a value ends where its last item does");
}

static void
write_value(struct sk_json_out *out, const struct sk_value *value)
{
    switch ((enum sk_value_kind)value->kind) {
    case SK_VALUE_NULL:
        sk_json_null(out);
        break;
    case SK_VALUE_BOOL:
        sk_json_bool(out, sk_value_bool(value));
        break;
    case SK_VALUE_INT:
        sk_json_int(out, sk_value_int(value));
        break;
    case SK_VALUE_TEXT:
        write_text(out, value, false);
        break;
    case SK_VALUE_LIST:
        sk_json_begin_list(out);
        write_items(out, value);
        sk_json_end_list(out);
        break;
    case SK_VALUE_OBJECT:
        sk_json_begin_object(out);
        write_items(out, value);
        sk_json_end_object(out);
        break;
    }
}

/* The value as we would write it. */
static const char *
written(const struct sk_value *value)
{
    static char text[4096];
    struct sk_json_out out;

    sk_json_out_init(&out, text, sizeof(text) - 1);
    write_value(&out, value);
    cr_assert(sk_json_out_is_whole(&out));
    text[out.used] = '\0';
    return text;
}

CASES(json, valid_texts_are_parsed, good_cases)
{
    const struct good_case *good = &good_cases[*index];
    struct sk_value *object = NULL;
    struct sk_fault fault;
    enum sk_status status = parse(good->text, strlen(good->text), &object, &fault);

    cr_assert_eq(status, SK_OK, "%s: %s", good->label, fault.message);
    cr_expect_str_eq(written(object), good->same == NULL ? good->text : good->same, "%s",
                     good->label);
    sk_json_free(object);
}

/* ---- what is refused --------------------------------------------------------------------- */

struct bad_case {
    const char *label;
    const char *text;
    const char *message; /* the beginning of it */
    const char *at;
};

#define NOT_INTEGER "a number that is not an integer"
#define NOT_32_BITS "a number that does not fit 32 bits"
#define NO_DIGIT    "a digit is missing in a number"
#define NO_VALUE    "expected a value"
#define TWICE       "duplicate key"
#define NOT_UTF8    "not UTF-8"
#define NO_END      "unterminated string"
#define HALF        "half of a surrogate pair"

/* clang-format off */
static const struct bad_case bad_cases[] = {
    { "nothing",                     "",                        "the text is empty",       "" },
    { "white space only",            " \n",                     NO_VALUE,                  "" },
    { "two values",                  "{} {}",                   "unexpected text after",   "" },
    { "a comma behind the value",    "[1,2],",                  "unexpected text after",   "" },
    { "a bracket too many",          "[1]]",                    "unexpected text after",   "" },
    { "a byte order mark",           "\xef\xbb\xbf[]",          NO_VALUE,                  "" },
    { "a comment",                   "[1/**/]",                 "expected a comma or ]",   "" },
    { "single quotes",               "{'a':1}",                 "expected a key",          "" },
    { "a key without quotes",        "{a:1}",                   "expected a key",          "" },
    { "a number as key",             "{\"a\":{1:1}}",           "expected a key",          "/a" },
    { "an object cut short",         "{\"a\":{\"b\":1",         "expected a comma or }",   "/a" },
    { "a list cut short",            "{\"a\":[1",               "expected a comma or ]",   "/a" },
    { "lists that never end",        "[[[[[[[[",                NO_VALUE, "/0/0/0/0/0/0/0/0" },
    { "a key cut short",             "{\"a\":1,\"b",            NO_END,                    "" },
    { "no colon",                    "{\"a\" 1}",               "expected a colon",        "/a" },
    { "cut before the colon",        "{\"a\"",                  "expected a colon",        "/a" },
    { "no value",                    "{\"a\":}",                NO_VALUE,                  "/a" },
    { "cut before the value",        "{\"a\":",                 NO_VALUE,                  "/a" },
    { "a comma too many in a list",  "[1,]",                    NO_VALUE,                  "/1" },
    { "a comma too many first",      "[,1]",                    NO_VALUE,                  "/0" },
    { "a comma too many in object",  "{\"a\":1,}",              "expected a key",          "" },
    { "no comma",                    "[1 2]",                   "expected a comma or ]",   "" },
    { "the other bracket",           "{\"a\":[1}",              "expected a comma or ]",   "/a" },
    { "the other bracket, object",   "{\"a\":1]",               "expected a comma or }",   "" },
    { "a word cut short",            "[tru]",                   NO_VALUE,                  "/0" },
    { "a word too long",             "[truex]",                 "expected a comma or ]",   "" },
    { "a word in capitals",          "[True]",                  NO_VALUE,                  "/0" },
    { "NaN",                         "{\"a\":NaN}",             NO_VALUE,                  "/a" },
    { "Infinity",                    "{\"a\":Infinity}",        NO_VALUE,                  "/a" },
    { "minus Infinity",              "[-Infinity]",             NO_DIGIT,                  "/0" },

    { "one past the largest",        "[0,2147483648]",          NOT_32_BITS,               "/1" },
    { "one past the smallest",       "[-2147483649]",           NOT_32_BITS,               "/0" },
    { "2^32",                        "[4294967296]",            NOT_32_BITS,               "/0" },
    { "2^63",                        "[9223372036854775808]",   NOT_32_BITS,               "/0" },
    { "2^64 + 1",                    "[18446744073709551617]",  NOT_32_BITS,               "/0" },
    { "a fraction",                  "{\"a\":[1.5]}",           NOT_INTEGER,               "/a/0" },
    { "a whole fraction",            "[1.0]",                   NOT_INTEGER,               "/0" },
    { "a fraction alone",            "1.5",                     NOT_INTEGER,               "" },
    { "a long fraction",             "[12345678901.5]",         NOT_INTEGER,               "/0" },
    { "an exponent",                 "[1e2]",                   NOT_INTEGER,               "/0" },
    { "a capital exponent",          "[-1E+2]",                 NOT_INTEGER,               "/0" },
    { "1e400",                       "[1e400]",                 NOT_INTEGER,               "/0" },
    { "a fraction and an exponent",  "[0.1e-2]",                NOT_INTEGER,               "/0" },
    { "nothing behind the point",    "[1.]",                    NO_DIGIT,                  "/0" },
    { "nothing before the point",    "[.5]",                    NO_VALUE,                  "/0" },
    { "nothing in the exponent",     "[1e]",                    NO_DIGIT,                  "/0" },
    { "a sign in the exponent",      "[1e+]",                   NO_DIGIT,                  "/0" },
    { "only a minus",                "[-]",                     NO_DIGIT,                  "/0" },
    { "a minus at the end",          "-",                       NO_DIGIT,                  "" },
    { "two minuses",                 "[--1]",                   NO_DIGIT,                  "/0" },
    { "a plus",                      "[+1]",                    NO_VALUE,                  "/0" },
    { "a 0 in front",                "[1,01]",                  "a number that begins",    "/1" },
    { "a 0 in front of a cell",      "[[01,2],[3,4],[5,6]]",    "a number that begins",    "/0/0" },
    { "a 0 behind a minus",          "[-01]",                   "a number that begins",    "/0" },
    { "hexadecimal",                 "[0x10]",                  "expected a comma or ]",   "" },

    { "a key twice",                 "{\"a\":1,\"a\":2}",       TWICE,                     "/a" },
    { "a key twice, once escaped",   "{\"a\":1,\"\\u0061\":2}", TWICE,                     "/a" },
    { "a key twice, first escaped",  "{\"\\u0061\":1,\"a\":2}", TWICE,                     "/a" },
    { "the empty key twice",         "{\"\":1,\"\":2}",         TWICE,                     "/" },
    { "a long key twice",            "{\"0123456789\":1,\"0123456\\u0037\\u00389\":2}",
                                       TWICE, "/0123456789" },
    { "a key of 8 bytes twice",      "{\"\\u0030\x31\x32\x33\x34\x35\x36\x37\":1,\"01234567\":2}",
                                       TWICE, "/01234567" },
    { "an escaped pair twice",       "{\"\xf0\x9f\x98\x80\":1,\"\\ud83d\\ude00\":2}",
                                       TWICE, "/\xf0\x9f\x98\x80" },
    { "short escapes twice",         "{\"\\b\\f\\n\\r\\t\\/\\\\\\\"\":1,"
                                     "\"\\u0008\\u000c\\u000a\\u000d\\u0009/\\u005c\\u0022\":2}",
                                       TWICE, "/\b\f\n\r\t~1\\\"" },
    { "a key twice, deep inside",    "{\"a/b~\":{\"x\":[1,{\"k\":1,\"k\":2}]}}",
                                       TWICE, "/a~1b~0/x/1/k" },
    { "a key twice, far apart",      "{\"k\":{\"k\":1,\"l\":2},\"m\":[],\"k\":1}",
                                       TWICE, "/k" },

    { "a text without an end",       "{\"a\":\"b}",             NO_END,                    "/a" },
    { "a backslash at the end",      "[\"a\\",                  NO_END,                    "/0" },
    { "no such escape",              "[\"\\x41\"]",             "unknown escape",          "/0" },
    { "a short \\u",                 "[\"\\u12\"]",             "\\u needs four",          "/0" },
    { "a \\u cut off",               "[\"\\u12",                "\\u needs four",          "/0" },
    { "a \\u with another letter",   "[\"\\u12g4\"]",           "\\u needs four",          "/0" },
    { "an escaped zero",             "[\"a\\u0000b\"]",         "\\u0000 is not allowed",  "/0" },
    { "an escaped zero in a key",    "{\"a\":{\"\\u0000\":1}}", "\\u0000 is not allowed",  "/a" },
    { "a high surrogate alone",      "[\"\\ud800\"]",           HALF,                      "/0" },
    { "a low surrogate alone",       "[\"\\udc00\"]",           HALF,                      "/0" },
    { "two high surrogates",         "[\"\\ud800\\ud800\"]",    HALF,                      "/0" },
    { "a pair the wrong way round",  "[\"\\udc00\\ud800\"]",    HALF,                      "/0" },
    { "half a pair and a letter",    "[\"\\ud800\\n12345\"]",   HALF,                      "/0" },
    { "a pair cut short",            "[\"\\ud800\\udc0\"]",     HALF,                      "/0" },
    { "a raw line end",              "[\"a\nb\"]",              "a control character",     "/0" },
    { "a raw tab",                   "[\"a\tb\"]",              "a control character",     "/0" },
    { "the last control character",  "[\"0123456789\x1f\"]",    "a control character",     "/0" },

    { "a tail byte alone",           "[\"\x80\"]",              NOT_UTF8,                  "/0" },
    { "a lead byte alone",           "[\"\xc3\"]",              NOT_UTF8,                  "/0" },
    { "a lead byte at the end",      "[\"\xc3",                 NOT_UTF8,                  "/0" },
    { "overlong, two bytes",         "[\"\xc0\xaf\"]",          NOT_UTF8,                  "/0" },
    { "overlong, still two bytes",   "[\"\xc1\xbf\"]",          NOT_UTF8,                  "/0" },
    { "overlong, three bytes",       "[\"\xe0\x9f\xbf\"]",      NOT_UTF8,                  "/0" },
    { "overlong, four bytes",        "[\"\xf0\x8f\xbf\xbf\"]",  NOT_UTF8,                  "/0" },
    { "a surrogate, low end",        "[\"\xed\xa0\x80\"]",      NOT_UTF8,                  "/0" },
    { "a surrogate, high end",       "[\"\xed\xbf\xbf\"]",      NOT_UTF8,                  "/0" },
    { "past U+10FFFF",               "[\"\xf4\x90\x80\x80\"]",  NOT_UTF8,                  "/0" },
    { "five bytes",                  "[\"\xf8\x88\x80\x80\x80\"]", NOT_UTF8,               "/0" },
    { "three bytes cut to two",      "[\"\xe2\x82\"]",          NOT_UTF8,                  "/0" },
    { "four bytes cut to three",     "[\"\xf0\x9f\x98\"]",      NOT_UTF8,                  "/0" },
    { "0xff",                        "[\"\xff\"]",              NOT_UTF8,                  "/0" },
    { "not UTF-8 in a key",          "{\"a\":{\"\xff\":1}}",    NOT_UTF8,                  "/a" },
    { "not UTF-8 outside a text",    "[\xc3\xa4]",              NO_VALUE,                  "/0" },
};
/* clang-format on */

CASES(json, a_fault_says_what_and_where, bad_cases)
{
    const struct bad_case *bad = &bad_cases[*index];
    struct sk_value *object = NULL;
    struct sk_fault fault;
    enum sk_status status = parse(bad->text, strlen(bad->text), &object, &fault);

    cr_assert_eq(status, SK_ERR_REFUSED, "%s", bad->label);
    cr_expect_null(object, "%s", bad->label);
    cr_expect_str_eq(fault.code, "malformed", "%s", bad->label);
    cr_expect(strncmp(fault.message, bad->message, strlen(bad->message)) == 0, "%s: %s", bad->label,
              fault.message);
    cr_expect_str_eq(fault.at, bad->at, "%s", bad->label);
}

Test(json, a_fault_names_the_byte)
{
    struct sk_value *object = NULL;
    struct sk_fault fault;

    cr_expect_eq(parse("[1,2.5]", 7, &object, &fault), SK_ERR_REFUSED);
    cr_expect_str_eq(fault.message, NOT_INTEGER ", at byte 4");
    cr_expect_eq(parse("{\"a\":1,\"a\":2}", 13, &object, &fault), SK_ERR_REFUSED);
    cr_expect_str_eq(fault.message, TWICE ", at byte 7");
    cr_expect_eq(parse("[1", 2, &object, &fault), SK_ERR_REFUSED);
    cr_expect_str_eq(fault.message, "expected a comma or ], at the end (byte 2)");
}

Test(json, a_zero_byte_is_refused_wherever_it_stands)
{
    static const char text[] = "{\"a\":[1,\"b\"]}";

    for (size_t i = 0; i <= sizeof(text) - 1; i++) {
        char copy[sizeof(text)];

        memcpy(copy, text, i);
        copy[i] = '\0';
        memcpy(copy + i + 1, text + i, sizeof(text) - 1 - i);
        cr_expect_not(is_accepted(copy, sizeof(text)), "at byte %zu", i);
    }
}

Test(json, every_text_cut_short_is_refused)
{
    static const char text[] = "{\"abcdefghij\":[1,[2,3],\"\\u00e4\xc3\xa4\"],\"b\":{\"c\":null}}";

    cr_assert(is_accepted(text, sizeof(text) - 1));
    for (size_t i = 0; i < sizeof(text) - 1; i++) {
        cr_expect_not(is_accepted(text, i), "%zu bytes", i);
    }
}

/* ---- limits ------------------------------------------------------------------------------ */

/* `depth` lists or objects around `inner`.  The caller frees it. */
static char *
nested(size_t depth, const char *open, const char *inner, const char *close)
{
    char *text = malloc(depth * (strlen(open) + strlen(close)) + strlen(inner) + 1);
    char *at = text;

    cr_assert_not_null(text);
    for (size_t i = 0; i < depth; i++) {
        at += sprintf(at, "%s", open);
    }
    at += sprintf(at, "%s", inner);
    for (size_t i = 0; i < depth; i++) {
        at += sprintf(at, "%s", close);
    }
    return text;
}

struct depth_case {
    const char *label;
    size_t depth;
    const char *open;
    const char *inner;
    const char *close;
    bool is_good;
};

/* clang-format off */
static const struct depth_case depth_cases[] = {
    { "lists below the limit",     SK_JSON_DEPTH_MAX - 1, "[",         "1",     "]", true },
    { "lists at the limit",        SK_JSON_DEPTH_MAX,     "[",         "1",     "]", true },
    { "lists past the limit",      SK_JSON_DEPTH_MAX + 1, "[",         "1",     "]", false },
    { "empty lists at the limit",  SK_JSON_DEPTH_MAX,     "[",         "",      "]", true },
    { "empty lists past it",       SK_JSON_DEPTH_MAX + 1, "[",         "",      "]", false },
    { "a cell at the limit",       SK_JSON_DEPTH_MAX - 1, "[",         "[1,2]", "]", true },
    { "a cell past the limit",     SK_JSON_DEPTH_MAX,     "[",         "[1,2]", "]", false },
    { "objects at the limit",      SK_JSON_DEPTH_MAX,     "{\"key\":", "null",  "}", true },
    { "objects past the limit",    SK_JSON_DEPTH_MAX + 1, "{\"key\":", "null",  "}", false },
    { "both at the limit",         SK_JSON_DEPTH_MAX / 2, "{\"a\":[",  "\"b\"", "]}", true },
    { "both past the limit",       SK_JSON_DEPTH_MAX / 2, "{\"a\":[",  "[]",    "]}", false },
    { "10,000 lists",              10000,                 "[",         "",      "]", false },
    { "10,000 lists, never closed", 10000,                "[",         "",      "",  false },
    { "10,000 objects",            10000,                 "{\"a\":",   "1",     "}", false },
    { "10,000 brackets behind",    10000,                 "",          "[1",    "]", false },
};
/* clang-format on */

CASES(json, nesting_ends_at_its_limit, depth_cases)
{
    const struct depth_case *c = &depth_cases[*index];
    char *text = nested(c->depth, c->open, c->inner, c->close);

    cr_expect_eq(is_accepted(text, strlen(text)), c->is_good, "%s", c->label);
    free(text);
}

/* An object of `count` keys, the last of which is like the one numbered `twin`. */
static size_t
object_text(char *text, size_t count, size_t twin)
{
    char *at = text;

    *at++ = '{';
    for (size_t i = 0; i < count; i++) {
        size_t number = i + 1 == count ? twin : i;

        at += sprintf(at, "%s\"key number %zu\":%zu", i == 0 ? "" : ",", number, i);
    }
    *at++ = '}';
    return (size_t)(at - text);
}

struct keys_case {
    const char *label;
    size_t count;
    size_t twin; /* count - 1 = none */
    const char *at;
};

/* clang-format off */
static const struct keys_case keys_cases[] = {
    { "few, none twice",             SK_JSON_KEYS_FEW,     SK_JSON_KEYS_FEW - 1, NULL },
    { "few, the first twice",        SK_JSON_KEYS_FEW,     0,                    "/key number 0" },
    { "the last of few, none twice", SK_JSON_KEYS_FEW + 1, SK_JSON_KEYS_FEW,     NULL },
    { "the last of few twice",       SK_JSON_KEYS_FEW + 1, 0,                    "/key number 0" },
    { "past few, none twice",        SK_JSON_KEYS_FEW + 2, SK_JSON_KEYS_FEW + 1, NULL },
    { "past few, the first twice",   SK_JSON_KEYS_FEW + 2, 0,                    "/key number 0" },
    { "past few, the last twice",    SK_JSON_KEYS_FEW + 2, SK_JSON_KEYS_FEW,   "/key number 16" },
    { "100, one in between twice",   100,                  51,                   "/key number 51" },
    { "below the limit",             SK_JSON_KEYS_MAX - 1, SK_JSON_KEYS_MAX - 2, NULL },
    { "at the limit",                SK_JSON_KEYS_MAX,     SK_JSON_KEYS_MAX - 1, NULL },
    { "at the limit, one twice",     SK_JSON_KEYS_MAX,     700,                "/key number 700" },
    { "past the limit",              SK_JSON_KEYS_MAX + 1, SK_JSON_KEYS_MAX,     "" },
};
/* clang-format on */

/* The fault is the later of two equal keys, and the one past the limit where there are too many. */
CASES(json, objects_of_any_size_have_each_key_once, keys_cases)
{
    const struct keys_case *c = &keys_cases[*index];
    static char text[(SK_JSON_KEYS_MAX + 1) * 32];
    size_t length = object_text(text, c->count, c->twin);
    struct sk_value *object = NULL;
    struct sk_fault fault;
    enum sk_status status = parse(text, length, &object, &fault);
    char byte[32];

    cr_assert_eq(status, c->at == NULL ? SK_OK : SK_ERR_REFUSED, "%s", c->label);
    if (c->at != NULL) {
        text[length] = '\0';
        (void)snprintf(byte, sizeof(byte), ", at byte %td", strrchr(text, ',') + 1 - text);
        cr_expect_not_null(strstr(fault.message, byte), "%s: %s", c->label, fault.message);
        cr_expect_str_eq(fault.at, c->at, "%s", c->label);
    }
    sk_json_free(object);
}

Test(json, every_level_may_have_all_its_keys)
{
    size_t size = SK_JSON_DEPTH_MAX * (SK_JSON_KEYS_MAX * (size_t)10 + 10);
    char *text = malloc(size);
    char *at = text;

    cr_assert_not_null(text);
    for (int depth = 0; depth < SK_JSON_DEPTH_MAX; depth++) {
        *at++ = '{';
        for (int i = 1; i < SK_JSON_KEYS_MAX; i++) {
            at += sprintf(at, "\"%d\":0,", i);
        }
        at += sprintf(at, "\"0\":");
    }
    *at++ = '0';
    memset(at, '}', SK_JSON_DEPTH_MAX);
    at += SK_JSON_DEPTH_MAX;
    cr_expect(is_accepted(text, (size_t)(at - text)));
    free(text);
}

/* Which of the 64 bits of an object the scan sets for a short key. */
static unsigned
bit_of(const char *key)
{
    uint64_t word = 0;

    for (size_t i = strlen(key); i > 0; i--) {
        word = word << 8 | (uint8_t)key[i - 1];
    }
    return (unsigned)(((word ^ strlen(key)) * 0x9e3779b97f4a7c15u) >> 58);
}

/* Keys with a bit of their own are not compared when they are read, but they are counted. */
Test(json, keys_past_the_limit_are_refused_whatever_their_bits_are)
{
    static char text[SK_JSON_KEYS_MAX * 16];
    char *at = text + sprintf(text, "{\"0\":0");
    unsigned first = bit_of("0");
    uint64_t bits = (uint64_t)1 << first;
    struct sk_value *object = NULL;
    struct sk_fault fault;
    int count = 1;

    for (int i = 1; bits != UINT64_MAX; i++) {
        char key[12];
        unsigned bit;

        (void)snprintf(key, sizeof(key), "%d", i);
        bit = bit_of(key);
        if (count < SK_JSON_KEYS_MAX ? bit == first : (bits >> bit & 1) == 0) {
            bits |= (uint64_t)1 << bit;
            at += sprintf(at, ",\"%s\":0", key);
            count++;
        }
    }
    *at++ = '}';
    cr_assert_eq(count, SK_JSON_KEYS_MAX + 63);
    cr_expect_eq(parse(text, (size_t)(at - text), &object, &fault), SK_ERR_REFUSED);
    cr_expect_not_null(strstr(fault.message, "more than 1024 keys"), "%s", fault.message);
}

/* Finds keys that all have the same bit. */
static void
find_colliding_keys(char (*keys)[8], size_t count)
{
    size_t found = 0;

    for (unsigned i = 0; found < count; i++) {
        (void)snprintf(keys[found], sizeof(keys[0]), "%u", i % 10000000);
        found += bit_of(keys[found]) == 0 ? 1 : 0;
    }
}

Test(json, keys_made_to_collide_are_told_apart)
{
    static char keys[40][8];
    char text[1024];

    find_colliding_keys(keys, 40);
    for (size_t count = 2; count <= 40; count++) {
        for (int has_twin = 0; has_twin < 2; has_twin++) {
            char *at = text;

            *at++ = '{';
            for (size_t i = 0; i < count; i++) {
                size_t number = has_twin && i + 1 == count ? i / 2 : i;

                at += sprintf(at, "%s\"%s\":0", i == 0 ? "" : ",", keys[number]);
            }
            *at++ = '}';
            cr_expect_eq(is_accepted(text, (size_t)(at - text)), !has_twin, "%zu keys", count);
        }
    }
}

Test(json, a_long_position_keeps_its_outer_steps)
{
    struct sk_value *object = NULL;
    struct sk_fault fault;
    char text[4096];
    int length = sprintf(text, "{\"outer\":{\"%0*d\":x}}", 2000, 7);

    cr_expect_eq(parse(text, (size_t)length, &object, &fault), SK_ERR_REFUSED);
    cr_expect_eq(strlen(fault.at), SK_FAULT_AT_MAX);
    cr_expect(strncmp(fault.at, "/outer/0000", 11) == 0);
}

/* ---- chance ------------------------------------------------------------------------------ */

/* A text out of pieces that mostly fit together. */
static size_t
random_text(struct sk_rng *rng, char *text, size_t size)
{
    static const char *const pieces[] = {
        "{",          "}",           "[",
        "]",          ",",           ":",
        "\"a\":",     "\"b\":",      "\"kind\":",
        "1",          "-20",         "0",
        "[1,2]",      "\"text\"",    "true",
        "null",       "false",       " ",
        "\n",         "{}",          "[]",
        "{\"a\":1}",  "\"\\u00e4\"", "\"\xc3\xa4\"",
        "2147483647", "-",           ".",
        "e",          "\"",          "\\",
        "\x01",       "\xc3",        "\"long enough text\"",
    };
    size_t used = 0;

    for (uint32_t count = 1 + sk_rng_below(rng, 12); count > 0; count--) {
        const char *piece = pieces[sk_rng_below(rng, sizeof(pieces) / sizeof(pieces[0]))];

        cr_assert_lt(used + strlen(piece), size);
        memcpy(text + used, piece, strlen(piece));
        used += strlen(piece);
    }
    return used;
}

/* As json-c reads it, or NULL. */
static struct json_object *
read_by_json_c(const char *text, size_t length)
{
    struct json_tokener *tokener = json_tokener_new();
    struct json_object *json = json_tokener_parse_ex(tokener, text, (int)length);

    if (json_tokener_get_error(tokener) == json_tokener_continue) {
        json = json_tokener_parse_ex(tokener, " ", 1); /* a number could go on */
    }
    cr_assert_eq(json_tokener_get_error(tokener), json_tokener_success, "%.*s", (int)length, text);
    json_tokener_free(tokener);
    return json;
}

Test(json, what_is_let_through_says_what_json_c_finds_in_it)
{
    struct sk_seed seed = { { 1 } };
    struct sk_rng rng;
    uint32_t accepted = 0;

    sk_rng_start(&rng, &seed, 0, 0);
    for (int i = 0; i < 30000; i++) {
        char text[512];
        size_t length = random_text(&rng, text, sizeof(text));
        struct sk_value *object = NULL;
        struct sk_fault fault;

        if (parse(text, length, &object, &fault) == SK_OK) {
            struct json_object *json = read_by_json_c(text, length);

            cr_assert_str_eq(written(object),
                             json_object_to_json_string_ext(json, JSON_C_TO_STRING_NOSLASHESCAPE),
                             "%.*s", (int)length, text);
            json_object_put(json);
            accepted++;
        }
        sk_json_free(object);
    }
    cr_expect_gt(accepted, 1000);
}

/* ---- what servers say --------------------------------------------------------------------- */

struct long_case {
    const char *label;
    const char *text;
    bool is_taken;
};

static const struct long_case longs[] = {
    { "a time in milliseconds", "[1767225600000]", true },
    { "eighteen digits", "[-999999999999999999]", true },
    { "nineteen digits", "[1000000000000000000]", false },
    { "a fraction", "[1767225600000.5]", false },
};

Test(json, what_servers_say_may_have_numbers_of_eighteen_digits)
{
    for (size_t i = 0; i < SK_COUNT_OF(longs); i++) {
        struct sk_value *json = NULL;
        struct sk_fault fault;

        cr_expect_eq(sk_json_parse_long(longs[i].text, strlen(longs[i].text), &json, &fault) ==
                         SK_OK,
                     longs[i].is_taken, "%s", longs[i].label);
        sk_json_free(json);
    }
}
