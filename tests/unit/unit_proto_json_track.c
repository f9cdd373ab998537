/* JSON that comes in pieces: when is it whole? */
#include <string.h>

#include "proto/json_track.h"
#include "tests/support/cases.h"

struct track_case {
    const char *label;
    const char *lines[4];
    const char *progress; /* behind each line: n(othing), p(art), w(hole) */
};

/* clang-format off */
static const struct track_case track_cases[] = {
    { "one line",                  { "{\"a\":[1,2]}\n" },                    "w" },
    { "a scalar",                  { "12\n" },                               "w" },
    { "empty lines first",         { "\n", " \t\r\n", "[]\n" },              "nnw" },
    { "an object over lines",      { "{\n", "\"a\":1\n", "}\n" },            "ppw" },
    { "lists over lines",          { "[[1],\n", "[\n", "2]", "]\n" },        "pppw" },
    { "brackets in a text",        { "{\"a\":\"[{\",\n", "\"b]\":1}\n" },    "pw" },
    { "an escaped quote",          { "[\"\\\"]\",\n", "1]\n" },              "pw" },
    { "a backslash before a quote", { "[\"\\\\\"\n", "]\n" },                "pw" },
    { "an escape cut in two",      { "[\"\\", "\"\"", "]" },                 "ppw" },
    { "a text cut in two",         { "[\"a", "b\"", "]" },                   "ppw" },
    { "a line end in a text",      { "{\"a\":\"b\n" },                       "w" },
    { "a bracket too many",        { "]\n" },                                "w" },
    { "the other bracket",         { "[1}\n" },                              "w" },
    { "the other bracket, inside", { "{\"a\":[\n", "{]\n" },                 "pw" },
    { "broken stays broken",       { "]\n", "[\n" },                         "ww" },
};
/* clang-format on */

CASES(json_track, pieces_are_joined_until_they_are_whole, track_cases)
{
    const struct track_case *c = &track_cases[*index];
    struct sk_json_track track = { 0 };
    static const char letters[] = "npw";

    for (size_t i = 0; c->progress[i] != '\0'; i++) {
        enum sk_json_progress progress =
            sk_json_track_feed(&track, c->lines[i], strlen(c->lines[i]));

        cr_expect_eq(letters[progress], c->progress[i], "%s, line %zu", c->label, i);
    }
}

Test(json_track, nesting_past_the_limit_is_not_waited_for)
{
    struct sk_json_track track = { 0 };

    for (int i = 0; i < SK_JSON_DEPTH_MAX; i++) {
        cr_expect_eq(sk_json_track_feed(&track, "[", 1), SK_JSON_PART);
    }
    cr_expect_eq(sk_json_track_feed(&track, "[", 1), SK_JSON_WHOLE);
}
