/*
 * store_world - a store with matches in it, and the JSON that it answers with.
 *
 * Owner:   a test.
 * Threads: the test's.
 */
#ifndef SK_TEST_STORE_WORLD_H
#define SK_TEST_STORE_WORLD_H

#include <json-c/json.h>

#include "tests/unit/store_fixture.h"

#define TURN_BODY                                                                           \
    "{\"commands\":[[{\"unit\":\"a1\",\"kind\":\"move\",\"target\":[1,2]},"                 \
    "{\"kind\":\"resign\"}],[{\"unit\":\"b1\",\"kind\":\"move\",\"path\":[[1,2],[3,4]]}]]," \
    "\"verdicts\":[[{\"verdict\":\"bounced\",\"check\":\"bounce\"},{\"verdict\":\"ok\"}],"  \
    "[{\"verdict\":\"ok\"}]],"                                                              \
    "\"events\":[{\"kind\":\"bounced\",\"units\":[\"a1\",\"b1\"],\"at\":[1,2]},"            \
    "{\"kind\":\"moved\",\"unit\":\"b1\",\"from\":[0,0],\"to\":[3,4]}],"                    \
    "\"hash\":\"0123456789abcdef\",\"used_ms\":[10,20],\"bank_ms\":[300,400]}"

/* ---- JSON -------------------------------------------------------------------------------- */

/* Runs the job, which must succeed, and parses its text. */
static inline struct json_object *
parsed(struct fixture *fixture, struct store_job *job)
{
    struct json_object *json;

    job = fixture_run(fixture, job);
    cr_assert_eq(job->result, STORE_OK, "%s", job->message);
    cr_expect_eq(strlen(job->text.at), job->text.length);
    json = json_tokener_parse(job->text.at);
    cr_assert_not_null(json, "%s", job->text.at);
    store_job_free(job);
    return json;
}

/* A member as text: "null" for null, "-" when it is not there. */
static inline const char *
member(struct json_object *json, const char *key)
{
    struct json_object *value;

    if (!json_object_object_get_ex(json, key, &value)) {
        return "-";
    }
    return value == NULL ? "null" : json_object_get_string(value);
}

static inline const char *
member_of(struct json_object *json, const char *key)
{
    return json_object_to_json_string_ext(json_object_object_get(json, key),
                                          JSON_C_TO_STRING_PLAIN);
}

/* ---- a world ----------------------------------------------------------------------------- */

static inline void
append_turn(struct fixture *fixture, int64_t match, uint32_t seq, int32_t turn)
{
    struct store_job *job = job_append(match, 0);

    job_add(job, seq, RECORD_TURN, TURN_BODY)->turn = turn;
    cr_assert_eq(fixture_result(fixture, job), STORE_OK);
}

static inline int64_t
make_private(struct fixture *fixture, const char *ruleset, int64_t player)
{
    struct store_job *job = job_create(player);
    int64_t id;

    free(job->match.ruleset);
    job->match.ruleset = copy_of(ruleset);
    job->match.is_open = false;
    job->match.code = copy_of("CODE");
    job = fixture_run(fixture, job);
    id = job->match_id;
    store_job_free(job);
    return id;
}

/* 1: Ann against "B\"ob", five turns, over.  2: running, two turns.  3: private, of halma.
 * 4 to 9: waiting. */
static inline void
make_world(struct fixture *fixture)
{
    fixture_init(fixture);
    fixture_open(fixture);
    (void)fixture_player(fixture, "Ann", 1);
    (void)fixture_player(fixture, "B\"ob\\", 2);
    for (int64_t match = 1; match <= 2; match++) {
        (void)fixture_match(fixture, 1);
        cr_assert_eq(fixture_result(fixture, job_join(match, 0, 2, 2)), STORE_OK);
        for (int32_t turn = 0; turn < (match == 1 ? 5 : 2); turn++) {
            append_turn(fixture, match, 3 + (uint32_t)turn, turn);
        }
    }
    cr_assert_eq(fixture_result(fixture, job_end(1, 0, 8, 1)), STORE_OK);
    fixture_rate(fixture);
    cr_assert_eq(make_private(fixture, "halma", 2), 3);
    for (int i = 4; i <= 9; i++) {
        (void)fixture_match(fixture, 1);
    }
}

#endif /* SK_TEST_STORE_WORLD_H */
