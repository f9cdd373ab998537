/*
 * Cases about requests to the referee: which are accepted, and the reason and
 * position if they are not.
 */
#ifndef SK_TEST_REQUEST_CASE_H
#define SK_TEST_REQUEST_CASE_H

#include <string.h>

#include "proto/referee.h"
#include "tests/support/cases.h"
#include "tests/support/words.h"

struct request_case {
    const char *label;
    const char *json; /* with ' for " */
    const char *code; /* NULL = accepted */
    const char *at;
};

static inline void
expect_answer(const struct request_case *c, const struct words *json)
{
    struct sk_referee *referee = sk_referee_alloc();
    struct words expected;
    struct words found;
    struct sk_text answer;
    bool is_taken = sk_referee_answer(referee, json->at, json->used, &answer);

    words_init(&expected);
    words_init(&found);
    words_say(&found, "%.*s", (int)answer.length, answer.at);
    cr_expect_eq(is_taken, c->code == NULL, "%s: %s", c->label, found.at);
    if (c->code != NULL) {
        words_say(&expected, "{\"error\":{\"code\":\"%s\",", c->code);
        cr_expect_eq(strncmp(found.at, expected.at, expected.used), 0, "%s: %s", c->label,
                     found.at);
        words_clear(&expected);
        words_say(&expected, ",\"at\":\"%s\"}}", c->at);
        cr_expect_not_null(strstr(found.at, expected.at), "%s: %s, expected at %s", c->label,
                           found.at, c->at);
    }
    words_fini(&expected);
    words_fini(&found);
    sk_referee_free(referee);
}

/* The case's value with what precedes it in the request. */
static inline void
expect_request(const struct request_case *c, const char *before)
{
    struct words json;

    words_init(&json);
    words_say_json(&json, before);
    words_say_json(&json, c->json);
    words_say(&json, "}");
    expect_answer(c, &json);
    words_fini(&json);
}

#endif /* SK_TEST_REQUEST_CASE_H */
