/* JSON of a table of cases, with ' for ". */
#ifndef SK_JSON_CASE_H
#define SK_JSON_CASE_H

#include "proto/json_parse.h"
#include "tests/support/cases.h"
#include "tests/support/words.h"

/* The caller frees it with sk_json_free. */
static inline struct sk_value *
parse(const char *text)
{
    struct sk_value *json = NULL;
    struct sk_fault fault = { 0 };
    struct words words;

    words_init(&words);
    words_say_json(&words, text);
    cr_assert_eq(sk_json_parse(words.at, words.used, &json, &fault), SK_OK, "%s: %s at %s", text,
                 fault.message, fault.at);
    words_fini(&words);
    return json;
}

#endif /* SK_JSON_CASE_H */
