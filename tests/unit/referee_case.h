/*
 * Shared by the tests of libskirmish, which see only its public header.
 */
#ifndef SK_TEST_REFEREE_CASE_H
#define SK_TEST_REFEREE_CASE_H

#include <skirmish.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_parse.h"
#include "tests/support/cases.h"
#include "tests/support/json.h"

#define BATCH        3
#define SNAPSHOT_MAX 65536

static inline struct sk_value *
parsed(const char *text)
{
    struct sk_value *json;
    struct sk_fault fault;

    cr_assert_eq(json_parse(text, &json, &fault), SK_OK);
    return json;
}

static inline size_t
actions_size(const struct sk_game *game)
{
    int32_t dims[3];

    cr_assert_eq(sk_game_action_shape(game, dims, 3), 3);
    cr_assert_eq(dims[0], (int32_t)sk_game_seats(game));
    return (size_t)dims[0] * (size_t)dims[1] * (size_t)dims[2];
}

static inline size_t
view_width(const struct sk_game *game)
{
    int32_t width;

    cr_assert_eq(sk_game_observe_shape(game, &width, 1), 1);
    return (size_t)width;
}

#endif /* SK_TEST_REFEREE_CASE_H */
