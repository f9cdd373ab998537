/* libskirmish proves a match file, looks at its moments, and says where a changed one fails. */
#include <stdio.h>

#include "tests/support/words.h"
#include "tests/unit/referee_case.h"

#define FILE_OF_A_MATCH SK_TEST_DATA "/snarl-version-1.jsonl"
#define TURNS           6

static void
file_open(struct words *file)
{
    words_init(file);
    words_read_file(file, FILE_OF_A_MATCH);
}

/* Steps until the end; returns the last status, and copies the last answer that is not empty. */
static int
prove(const char *file, size_t length, int *ret_turns, char ret_last[1024])
{
    struct sk_proof *proof = sk_proof_new(file, length);
    int status = 1;

    cr_assert_not_null(proof);
    *ret_turns = 0;
    while (status == 1) {
        const char *answer;
        size_t size;

        status = sk_proof_step(proof, &answer, &size);
        *ret_turns += size > 15 && memcmp(answer, "{\"step\":\"turn\",", 15) == 0 ? 1 : 0;
        if (size > 0) {
            snprintf(ret_last, 1024, "%.*s", size < 1023 ? (int)size : 1023, answer);
        }
    }
    sk_proof_free(proof);
    return status;
}

Test(proof, a_stored_match_holds_turn_by_turn)
{
    struct words file;
    char last[1024];
    int turns;

    file_open(&file);
    cr_expect_eq(prove(file.at, file.used, &turns, last), 0, "%s", last);
    cr_expect_eq(turns, TURNS);
    cr_expect_str_eq(last, "{\"step\":\"over\",\"turns\":6}");
    words_fini(&file);
}

Test(proof, a_file_that_ends_early_does_not_hold)
{
    struct words file;
    char last[1024];
    int turns;

    file_open(&file);
    for (size_t i = 0; i + 1 < file.used; i++) {
        if (i == 0 || file.at[i - 1] == '\n') {
            cr_expect_eq(prove(file.at, i, &turns, last), SK_FAILED);
            cr_expect_eq(turns, 0);
            cr_expect_not_null(strstr(last, i == 0 ? "the file is empty" : "\"code\":\"cut\""));
        }
    }
    words_fini(&file);
}

Test(proof, a_changed_record_is_named_by_its_turn)
{
    struct words file;
    char last[1024];
    char *record;
    int turns;

    file_open(&file);
    record = strstr(file.at, "\"turn\":2,\"seat\":null");
    cr_assert_not_null(record);
    record = strstr(record, "\\\"commands\\\"");
    cr_assert_not_null(record);
    record[3] = 'X';
    cr_expect_eq(prove(file.at, file.used, &turns, last), SK_FAILED);
    cr_expect_not_null(strstr(last, "\"code\":\"differs\""), "%s", last);
    cr_expect_not_null(strstr(last, "\"turn\":2}"), "%s", last);
    words_fini(&file);
}

static void
expect_moment(struct sk_proof *proof, uint8_t audience, int status, const char *begins)
{
    const char *answer = "";
    size_t length = 0;

    cr_expect_eq(sk_proof_moment(proof, audience, &answer, &length), status);
    cr_expect(length >= strlen(begins) && memcmp(answer, begins, strlen(begins)) == 0, "%.*s",
              (int)length, answer);
}

Test(proof, moments_are_shown_between_steps)
{
    struct words file;
    struct sk_proof *proof;
    const char *answer;
    size_t length;

    file_open(&file);
    proof = sk_proof_new(file.at, file.used);
    expect_moment(proof, SK_PROOF_EVERYTHING, SK_FAILED, "");
    cr_expect_eq(sk_proof_step(proof, &answer, &length), 1);
    expect_moment(proof, SK_PROOF_EVERYTHING, SK_FAILED, "");
    cr_expect_eq(sk_proof_step(proof, &answer, &length), 1);
    expect_moment(proof, SK_PROOF_EVERYTHING, 0, "{\"turn\":0,\"state\":{");
    expect_moment(proof, 1, 0, "{\"turn\":0,\"view\":{");
    expect_moment(proof, SK_GAME_SPECTATOR, 0, "{\"turn\":0,\"view\":{");
    expect_moment(proof, 2, SK_FAILED, "");
    cr_expect_eq(sk_proof_step(proof, &answer, &length), 1);
    expect_moment(proof, 0, 0, "{\"turn\":1,\"resolved\":0,\"commands\":[[");
    sk_proof_free(proof);
    words_fini(&file);
}

/* ---- positions --------------------------------------------------------------------------- */

static const char request[] =
    "{\"ruleset\":\"halma\",\"params\":{\"size\":8,\"pieces\":[[[1,4]],[[5,4]]],"
    "\"destinations\":[[[7,0]],[[0,0]]]}}";

Test(look, a_seat_sees_a_position_and_what_it_may_do)
{
    struct sk_referee *referee = sk_referee_new();
    const char *answer;
    size_t length;

    cr_expect_eq(sk_view(referee, request, strlen(request), 1, &answer, &length), 0);
    cr_expect_not_null(memmem(answer, length, "\"seat\":1", 8), "%.*s", (int)length, answer);
    cr_expect_eq(sk_hints(referee, request, strlen(request), 0, &answer, &length), 0);
    cr_expect_not_null(memmem(answer, length, "\"unit\":\"a1\"", 11), "%.*s", (int)length, answer);
    cr_expect_null(memmem(answer, length, "\"unit\":\"b1\"", 11));
    cr_expect_eq(sk_hints(referee, request, strlen(request), SK_GAME_SPECTATOR, &answer, &length),
                 0);
    cr_expect_eq(length, strlen("{\"turn\":0,\"commands\":[]}"));
    cr_expect_eq(sk_view(referee, request, strlen(request), 2, &answer, &length), SK_FAILED);
    cr_expect_eq(sk_hints(referee, "{}", 2, 0, &answer, &length), SK_FAILED);
    sk_referee_close(referee);
}
