/*
 * The JSON boundary: any bytes as a request.
 *
 * Any input gets an answer that is valid JSON; the same request gets the same answer; and no answer
 * depends on an earlier request.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_parse.h"
#include "proto/referee.h"

static struct sk_referee *referee;

static void
begin(void)
{
    if (referee == NULL) {
        referee = sk_referee_alloc();
    }
    if (referee == NULL) {
        abort();
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char other[] = "{\"ruleset\":\"tactics\",\"params\":{\"rows\":2}}";
    struct sk_text answer;
    struct sk_value *json = NULL;
    struct sk_fault fault;
    char *first;
    uint32_t first_length;
    bool is_fine;

    begin();
    is_fine = sk_referee_answer(referee, (const char *)bytes, size, &answer);
    if (sk_json_parse(answer.at, answer.length, &json, &fault) != SK_OK) {
        abort();
    }
    sk_json_free(json);
    first = malloc(answer.length);
    first_length = answer.length;
    memcpy(first, answer.at, first_length);
    sk_referee_answer(referee, other, sizeof(other) - 1, &answer);
    if (sk_referee_answer(referee, (const char *)bytes, size, &answer) != is_fine ||
        answer.length != first_length || memcmp(first, answer.at, first_length) != 0) {
        abort();
    }
    free(first);
    return 0;
}
