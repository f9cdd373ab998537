/* libskirmish through its public header, linked as other programs link it. */
#include <stdio.h>

#include "tests/support/words.h"
#include "tests/unit/referee_case.h"

/* ---- JSON -------------------------------------------------------------------------------- */

/* The answer as a text of the caller's. */
static char *
copied(const char *answer, size_t length)
{
    char *text = strndup(answer, length);

    cr_assert_not_null(text);
    return text;
}

/* The default params that are returned are accepted as params, and returned again. */
static void
expect_params_told(struct sk_referee *referee, const char *ruleset)
{
    const char *answer;
    size_t length;
    char *text;

    cr_expect_eq(sk_params(referee, ruleset, 0, NULL, 0, &answer, &length), 0);
    text = copied(answer, length);
    cr_expect_eq(sk_params(referee, ruleset, 0, text, strlen(text), &answer, &length), 0,
                 "%s: %.*s", ruleset, (int)length, answer);
    cr_expect_eq(length, strlen(text));
    cr_expect_arr_eq(answer, text, length);
    free(text);
}

Test(library, rulesets_schemas_and_params_are_told)
{
    struct sk_referee *referee = sk_referee_new();
    const struct sk_value *item;
    struct sk_value *list;
    const char *answer;
    size_t length;
    char *text;

    cr_expect_eq(sk_rulesets(referee, &answer, &length), 0);
    text = copied(answer, length);
    list = parsed(text);
    cr_assert_gt(list->count, 0);
    item = sk_value_first(list);
    for (uint32_t i = 0; i < list->count; i++) {
        char name[32] = "";

        sk_value_copy(sk_value_member(item, "name"), name, sizeof(name) - 1);
        cr_expect_eq(sk_schema(referee, name, 0, &answer, &length), 0);
        expect_params_told(referee, name);
        item = sk_value_next(item);
    }
    sk_json_free(list);
    free(text);
    sk_referee_close(referee);
}

struct refused_case {
    const char *label;
    const char *ruleset;
    uint32_t version;
    const char *params;
    uint32_t count;
    uint32_t slots;
    const char *code;
    const char *at;
};

static const struct refused_case refused_cases[] = {
    { "no such ruleset", "chess", 0, NULL, 1, 1, "unknown_ruleset", "" },
    { "no ruleset", NULL, 0, NULL, 1, 1, "unknown_ruleset", "" },
    { "no such version", "tactics", 99, NULL, 1, 1, "unknown_ruleset", "" },
    { "no JSON", "tactics", 0, "{", 1, 1, "malformed", "" },
    { "a member out of bounds", "tactics", 0, "{\"rows\":2}", 1, 1, "malformed", "/rows" },
    { "no match", "tactics", 0, NULL, 0, 1, "malformed", "" },
    { "too many matches", "tactics", 0, NULL, SK_GAME_COUNT_MAX + 1, 1, "malformed", "" },
    { "no slot", "tactics", 0, NULL, 1, 0, "malformed", "" },
    { "too many slots", "tactics", 0, NULL, 1, SK_GAME_SLOTS_MAX + 1, "malformed", "" },
};

CASES(library, what_cannot_be_a_handle_is_refused, refused_cases)
{
    const struct refused_case *it = &refused_cases[*index];
    size_t length = it->params == NULL ? 0 : strlen(it->params);
    struct sk_error error;

    cr_expect_null(
        sk_game_new(it->ruleset, it->version, it->params, length, it->count, it->slots, 0, &error),
        "%s", it->label);
    cr_expect_str_eq(error.code, it->code, "%s: %s", it->label, error.message);
    cr_expect_str_eq(error.at, it->at, "%s", it->label);
    cr_expect_null(
        sk_game_new(it->ruleset, it->version, it->params, length, it->count, it->slots, 0, NULL));
    if (it->count == 1 && it->slots == 1) {
        struct sk_referee *referee = sk_referee_new();
        const char *answer;
        size_t answer_length;

        cr_expect_eq(sk_params(referee, it->ruleset, it->version, it->params, length, &answer,
                               &answer_length),
                     SK_FAILED);
        cr_expect(strncmp(answer, "{\"error\":", 9) == 0);
        sk_referee_close(referee);
    }
}

Test(library, a_request_that_is_none_gets_an_error)
{
    struct sk_referee *referee = sk_referee_new();
    const char *answer;
    size_t length;

    cr_expect_eq(sk_resolve(referee, "[]", 2, &answer, &length), SK_FAILED);
    cr_expect(length > 9 && strncmp(answer, "{\"error\":", 9) == 0);
    cr_expect_eq(sk_schema(referee, "chess", 0, &answer, &length), SK_FAILED);
    cr_expect(length > 9 && strncmp(answer, "{\"error\":", 9) == 0);
    sk_referee_close(referee);
}

/* What a referee keeps of a request for the next one must not be seen. */
Test(library, answers_do_not_depend_on_the_requests_before)
{
    static const char *const requests[] = {
        "{'ruleset':'racers','params':{}}",
        "{'ruleset':'racers','params':{}}",
        "{'ruleset':'racers','params':{'rows':10}}",
        "{'ruleset':'racers','params':{'rows':0}}",
        "{'ruleset':'racers','params':{'rows':10}}",
        "{'ruleset':'halma','params':{}}",
        "{'ruleset':'halma','params':{}}",
        "{'ruleset':'racers','params':{}}",
        "{'ruleset':'racers','params':5}",
        "{'ruleset':'racers','params':{}}",
        "{'ruleset':'racers','params':{},'state':5}",
        "{'ruleset':'racers','params':{}}",
        "{'ruleset':'racers','params':'{}'}",
        "{'ruleset':'racers','params':{'cols':12,'rows':10}}",
        "{'ruleset':'racers','params':{'cols':12,'rows':10},'state':{'cols':12,'rows':10}}",
        "{'ruleset':'tactics','params':{'cols':12,'rows':10}}",
        "{'ruleset':'racers','params':{'cols':12,'rows':10}}",
        "{'ruleset':'racers','params':{'cols':12,'rows':10}1}",
        "{'ruleset':'racers','params':{}}",
        "[{}]",
        "[5,{},{}]",
        "[{'params':{}}]",
        "[[{}]]",
        "{'ruleset':'racers','params':[{}]}",
        "{'ruleset':{},'params':{}}",
        "{}",
    };
    struct sk_referee *referee = sk_referee_new();
    const char *answer;
    size_t length;

    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        struct sk_referee *fresh = sk_referee_new();
        struct words request;
        char *expected;
        int status;

        words_init(&request);
        words_say_json(&request, requests[i]);
        status = sk_resolve(fresh, request.at, request.used, &answer, &length);
        expected = copied(answer, length);
        cr_expect_eq(sk_resolve(referee, request.at, request.used, &answer, &length), status);
        cr_expect(length == strlen(expected) && memcmp(answer, expected, length) == 0,
                  "request %zu: %.*s instead of %s", i, (int)length, answer, expected);
        if (i == 5) { /* in between, others are compiled */
            cr_expect_eq(sk_params(referee, "racers", 0, NULL, 0, &answer, &length), 0);
        }
        free(expected);
        words_fini(&request);
        sk_referee_close(fresh);
    }
    sk_referee_close(referee);
}

Test(library, the_largest_handles_are_taken)
{
    struct sk_game *game = sk_game_new("halma", 0, NULL, 0, 2, SK_GAME_SLOTS_MAX, 0, NULL);

    cr_assert_not_null(game);
    cr_expect_eq(sk_game_count(game), 2);
    sk_game_free(game);
}

/* ---- rows -------------------------------------------------------------------------------- */

static const char small_roster[] =
    "{\"rows\":3,\"cols\":3,\"patterns\":{\"step\":{\"rows\":[\"xxx\",\"x x\",\"xxx\"]}},"
    "\"models\":{\"m\":{\"health\":1,\"power\":1,\"move\":[\"step\"],\"attack\":[\"step\"]}},"
    "\"units\":[{\"id\":\"a\",\"model\":\"m\",\"seat\":0,\"at\":[0,2]},"
    "{\"id\":\"b\",\"model\":\"m\",\"seat\":1,\"at\":[2,0]}]}";

#define MOVE 5 /* 1 + the fifth kind of tactics */

struct row_case {
    const char *label;
    int32_t row[4]; /* kind, unit, x, y */
    int turns;
    uint8_t verdict;
};

static const struct row_case row_cases[] = {
    { "a move", { MOVE, 0, 1, 1 }, 1, 0 },
    { "no command", { 0, 7, 7, 7 }, 1, SK_GAME_NO_VERDICT },
    { "the other's unit", { MOVE, 1, 1, 1 }, 1, 5 },
    { "off the board", { MOVE, 0, -1, 3 }, 1, 7 },
    { "the last kind", { MOVE + 2, 0, 1, 1 }, 1, 9 },
    { "no such kind", { MOVE + 3, 0, 1, 1 }, SK_FAILED, 0 },
    { "a negative kind", { -1, 0, 1, 1 }, SK_FAILED, 0 },
    { "no such unit", { MOVE, 2, 1, 1 }, SK_FAILED, 0 },
    { "an unknown unit", { MOVE, -1, 1, 1 }, SK_FAILED, 0 },
};

CASES(library, a_row_that_cannot_be_changes_nothing, row_cases)
{
    const struct row_case *it = &row_cases[*index];
    struct sk_game *game =
        sk_game_new("tactics", 1, small_roster, sizeof(small_roster) - 1, 2, 1, 0, NULL);
    int32_t rows[2][2][4] = { 0 };
    uint8_t verdicts[2] = { 77, 77 };
    uint64_t before[2];

    cr_assert_not_null(game);
    cr_assert_eq(actions_size(game), 8);
    memcpy(rows[1][0], it->row, sizeof(it->row));
    rows[0][0][0] = MOVE; /* to 0,0: out of reach, but a command */
    before[0] = sk_game_hash(game, 0);
    before[1] = sk_game_hash(game, 1);
    if (it->turns == SK_FAILED) {
        cr_expect_eq(sk_game_judge(game, 1, 0, rows[1][0], verdicts), SK_FAILED, "%s", it->label);
        cr_expect_eq(sk_game_step(game, 1, rows[1][0], verdicts), SK_FAILED, "%s", it->label);
        cr_expect_eq(sk_game_step_all(game, rows[0][0], NULL, NULL, 1), SK_FAILED);
        cr_expect_eq(sk_game_hash(game, 0), before[0], "%s: the other match", it->label);
        cr_expect_eq(sk_game_hash(game, 1), before[1], "%s", it->label);
        cr_expect_eq(verdicts[0], 77);
    } else {
        cr_expect_eq(sk_game_judge(game, 1, 0, rows[1][0], verdicts), 0, "%s", it->label);
        cr_expect_eq(verdicts[0], it->verdict, "%s: judged %d", it->label, verdicts[0]);
        cr_expect_eq(sk_game_hash(game, 1), before[1], "%s: judging", it->label);
        cr_expect_eq(sk_game_step(game, 1, rows[1][0], verdicts), it->turns, "%s", it->label);
        cr_expect_eq(verdicts[0], it->verdict, "%s: %d", it->label, verdicts[0]);
        cr_expect_eq(verdicts[1], SK_GAME_NO_VERDICT);
        cr_expect_neq(sk_game_hash(game, 1), before[1], "%s", it->label);
        cr_expect_eq(sk_game_hash(game, 0), before[0], "%s: the other match", it->label);
    }
    sk_game_free(game);
}

Test(library, matches_and_seats_that_are_not_there_fail)
{
    static const uint8_t seed[SK_GAME_SEED_BYTES];
    struct sk_game *game = sk_game_new("tactics", 0, NULL, 0, 2, 1, 0, NULL);
    int32_t *row = calloc(view_width(game) + actions_size(game), sizeof(*row));
    uint8_t *mask = malloc(sk_game_actions(game));
    uint8_t bytes[SK_GAME_SEED_BYTES] = { 0 };
    const char *answer;
    size_t length;
    int32_t none = (int32_t)sk_game_actions(game);

    cr_expect_eq(sk_game_reset(game, 2, seed), SK_FAILED);
    cr_expect_eq(sk_game_owing(game, 2), 0);
    cr_expect_eq(sk_game_turn(game, 2), 0);
    cr_expect_eq(sk_game_outcome(game, 2), SK_FAILED);
    cr_expect_eq(sk_game_hash(game, 2), 0);
    cr_expect_eq(sk_game_save(game, 2, bytes, sizeof(bytes)), 0);
    cr_expect_eq(sk_game_load(game, 2, bytes, sizeof(bytes)), SK_FAILED);
    cr_expect_eq(sk_game_step(game, 2, row, NULL), SK_FAILED);
    cr_expect_eq(sk_game_judge(game, 0, 2, row, mask), SK_FAILED);
    cr_expect_eq(sk_game_judge(game, 0, SK_GAME_SPECTATOR, row, mask), SK_FAILED);
    cr_expect_eq(sk_game_observe(game, 2, 0, row), SK_FAILED);
    cr_expect_eq(sk_game_observe(game, 0, 2, row), SK_FAILED);
    cr_expect_eq(sk_game_observe(game, 0, SK_GAME_SPECTATOR, row), 0);
    cr_expect_eq(sk_game_view(game, 0, 2, &answer, &length), SK_FAILED);
    cr_expect_eq(sk_game_hints(game, 0, 2, NULL, 0), SK_FAILED);
    cr_expect_eq(sk_game_hints_json(game, 2, 0, &answer, &length), SK_FAILED);
    cr_expect_eq(sk_game_mask(game, 0, 2, mask), SK_FAILED);
    cr_expect_eq(sk_game_action_rows(game, &none, 1, row), SK_FAILED);
    none = -1;
    cr_expect_eq(sk_game_action_rows(game, &none, 1, row), SK_FAILED);
    free(mask);
    free(row);
    sk_game_free(game);
}

Test(library, bytes_that_were_not_saved_change_nothing)
{
    static uint8_t bytes[SNAPSHOT_MAX];
    struct sk_game *game = sk_game_new("tactics", 0, NULL, 0, 1, 1, 0, NULL);
    size_t size = sk_game_save(game, 0, bytes, sizeof(bytes));
    uint64_t before = sk_game_hash(game, 0);
    uint8_t guard = 42;

    cr_assert(size > SK_GAME_SEED_BYTES && size <= sizeof(bytes));
    cr_expect_eq(sk_game_save(game, 0, &guard, 1), size, "too small: only the size");
    cr_expect_eq(guard, 42);
    for (size_t cut = 0; cut < size; cut++) {
        cr_expect_eq(sk_game_load(game, 0, bytes, cut), SK_FAILED, "%zu bytes", cut);
    }
    bytes[SK_GAME_SEED_BYTES] ^= 0xff;
    cr_expect_eq(sk_game_load(game, 0, bytes, size), SK_FAILED);
    bytes[SK_GAME_SEED_BYTES] ^= 0xff;
    cr_expect_eq(sk_game_hash(game, 0), before);
    cr_expect_eq(sk_game_load(game, 0, bytes, size), 0);
    sk_game_free(game);
}

/* ---- hints and numbers ------------------------------------------------------------------- */

static const char *const rulesets[] = { "halma", "racers", "snarl", "tactics" };

static struct sk_value *
description(struct sk_game *game)
{
    struct sk_value *json;
    const char *answer;
    size_t length;
    char *text;

    cr_assert_eq(sk_game_describe(game, &answer, &length), 0);
    text = copied(answer, length);
    json = parsed(text);
    free(text);
    return json;
}

CASES(library, every_number_of_a_row_has_a_name, rulesets)
{
    struct sk_game *game = sk_game_new(rulesets[*index], 0, NULL, 0, 1, 1, 0, NULL);
    struct sk_game *wide = sk_game_new(rulesets[*index], 0, NULL, 0, 1, 1, 40, NULL);
    struct sk_value *json = description(game);
    struct sk_value *wider = description(wide);
    const struct sk_value *action = sk_value_member(json, "action");
    const struct sk_value *kind = sk_value_first(sk_value_member(action, "kinds"));
    uint32_t width = (uint32_t)sk_value_int(sk_value_member(action, "width"));
    uint32_t widest = 0;

    cr_expect_eq(sk_value_member(json, "observation")->count, view_width(game));
    cr_expect_eq(sk_value_member(wider, "observation")->count, view_width(wide));
    cr_expect_geq(view_width(wide), view_width(game));
    cr_expect_eq(actions_size(game), sk_game_seats(game) * width);
    for (uint32_t i = 0; i < sk_value_member(action, "kinds")->count; i++) {
        uint32_t fields = sk_value_member(kind, "fields")->count;

        widest = fields > widest ? fields : widest;
        kind = sk_value_next(kind);
    }
    cr_expect_eq(width, 1 + widest);
    sk_json_free(wider);
    sk_json_free(json);
    sk_game_free(wide);
    sk_game_free(game);
}

/* A hint is ok alone, in a row and as a number. */
static uint32_t
masked(struct sk_game *game, uint8_t seat)
{
    uint32_t actions = sk_game_actions(game);
    uint8_t *mask = malloc(actions);
    int32_t *row = malloc(actions_size(game) * sizeof(*row));
    uint32_t found = 0;

    cr_expect_eq(sk_game_mask(game, 0, seat, mask), 0);
    cr_expect_eq(mask[0], 1);
    for (int32_t action = 1; action < (int32_t)actions; action++) {
        uint8_t verdict;

        cr_expect_eq(sk_game_action_rows(game, &action, 1, row), 0);
        cr_expect_eq(sk_game_judge(game, 0, seat, row, &verdict), 0, "action %d", action);
        if (mask[action]) {
            cr_expect_eq(verdict, 0, "action %d", action);
            found++;
        }
    }
    free(row);
    free(mask);
    return found;
}

CASES(library, masks_are_the_hints, rulesets)
{
    struct sk_game *game = sk_game_new(rulesets[*index], 0, NULL, 0, 1, 1, 0, NULL);
    bool has_paths = strcmp(rulesets[*index], "halma") == 0;
    uint8_t mask;

    cr_expect_eq(sk_game_actions(game) == 0, has_paths);
    for (uint8_t seat = 0; seat < sk_game_seats(game); seat++) {
        int count = sk_game_hints(game, 0, seat, NULL, 0);
        const char *answer;
        size_t length;

        cr_expect_eq(count > 0, (sk_game_owing(game, 0) >> seat & 1) != 0);
        cr_expect_eq(sk_game_hints_json(game, 0, seat, &answer, &length), 0);
        cr_expect_eq(length == 2, count == 0);
        if (has_paths) {
            cr_expect_eq(sk_game_mask(game, 0, seat, &mask), SK_FAILED);
        } else {
            cr_expect_eq(masked(game, seat), (uint32_t)count);
        }
    }
    sk_game_free(game);
}

/* Puts a hint of chance into the rows of a seat of a match. */
static void
choose_hint(struct sk_game *game, uint32_t place, uint32_t *chance, int32_t *actions)
{
    size_t width = actions_size(game) / sk_game_seats(game);
    int32_t *hints = malloc(4096 * width * sizeof(*hints));
    int count = sk_game_hints(game, place / sk_game_seats(game),
                              (uint8_t)(place % sk_game_seats(game)), hints, 4096);

    *chance = *chance * 1664525u + 1013904223u;
    memset(actions + place * width, 0, width * sizeof(*hints));
    if (count > 0) {
        uint32_t chosen = (*chance >> 8) % (uint32_t)(count < 4096 ? count : 4096);

        memcpy(actions + place * width, hints + chosen * width, width * sizeof(*hints));
    }
    free(hints);
}

/* Plays hints by chance until matches begin anew. */
CASES(library, random_play_never_fails, rulesets)
{
    static uint8_t outcomes[BATCH];
    struct sk_game *game = sk_game_new(rulesets[*index], 0, NULL, 0, BATCH, 1, 0, NULL);
    int32_t *actions = calloc(BATCH * actions_size(game), sizeof(*actions));
    int32_t *views = malloc(BATCH * sk_game_seats(game) * view_width(game) * sizeof(*views));
    uint32_t chance = 1;

    for (uint32_t turn = 0; turn < 300; turn++) {
        for (uint32_t place = 0; place < BATCH * sk_game_seats(game); place++) {
            choose_hint(game, place, &chance, actions);
        }
        cr_assert_geq(sk_game_step_all(game, actions, views, outcomes, 1), 0);
    }
    for (uint32_t i = 0; i < BATCH; i++) {
        cr_expect_eq(sk_game_outcome(game, i), SK_GAME_RUNNING);
    }
    free(views);
    free(actions);
    sk_game_free(game);
}

/* ---- views in requests ------------------------------------------------------------------- */

static char *
view_request(struct sk_referee *referee, struct sk_game *game, const char *ruleset, uint8_t seat)
{
    struct words request;
    const char *answer;
    size_t length;

    words_init(&request);
    cr_assert_eq(sk_params(referee, ruleset, 0, NULL, 0, &answer, &length), 0);
    words_say(&request, "{\"ruleset\":\"%s\",\"params\":%.*s", ruleset, (int)length, answer);
    cr_assert_eq(sk_game_view(game, 0, seat, &answer, &length), 0);
    words_say(&request, ",\"view\":%.*s}", (int)length, answer);
    return request.at;
}

/* The position that is made from a view has the same hints, and looks the same. */
static void
expect_seen_again(struct sk_referee *referee, struct sk_game *game, const char *ruleset,
                  uint8_t seat)
{
    char *request = view_request(referee, game, ruleset, seat);
    char expected[64];
    char *made;
    const char *answer;
    size_t length;

    cr_assert_eq(sk_hints(referee, request, strlen(request), seat, &answer, &length), 0, "%.*s",
                 (int)length, answer);
    made = copied(answer, length);
    cr_assert_eq(sk_game_hints_json(game, 0, seat, &answer, &length), 0);
    snprintf(expected, sizeof(expected), "{\"turn\":%u,\"commands\":", sk_game_turn(game, 0));
    cr_assert(strncmp(made, expected, strlen(expected)) == 0, "%s", made);
    cr_assert_eq(strlen(made), strlen(expected) + length + 1);
    cr_assert(memcmp(made + strlen(expected), answer, length) == 0, "%s", made);
    free(made);
    cr_assert_eq(sk_view(referee, request, strlen(request), seat, &answer, &length), 0);
    made = strstr(request, ",\"view\":") + strlen(",\"view\":");
    cr_assert_eq(strlen(made), length + 1);
    cr_assert(memcmp(made, answer, length) == 0, "%s", request);
    free(request);
}

CASES(library, a_view_gives_the_hints_of_its_seat, rulesets)
{
    const char *ruleset = rulesets[*index];
    struct sk_referee *referee = sk_referee_new();
    struct sk_game *game = sk_game_new(ruleset, 0, NULL, 0, 1, 1, 0, NULL);
    int32_t *actions = calloc(actions_size(game), sizeof(*actions));
    uint32_t chance = 1;

    for (uint32_t turn = 0; turn < 60 && strcmp(ruleset, "snarl") != 0; turn++) {
        for (uint8_t seat = 0; seat < sk_game_seats(game); seat++) {
            expect_seen_again(referee, game, ruleset, seat);
            choose_hint(game, seat, &chance, actions);
        }
        cr_assert_geq(sk_game_step_all(game, actions, NULL, NULL, 1), 0);
    }
    free(actions);
    sk_game_free(game);
    sk_referee_close(referee);
}

Test(library, a_view_that_shows_too_little_is_refused)
{
    struct sk_referee *referee = sk_referee_new();
    struct sk_game *game = sk_game_new("snarl", 0, NULL, 0, 1, 1, 0, NULL);
    char *request = view_request(referee, game, "snarl", 0);
    const char *answer;
    size_t length;
    char *text;

    cr_expect_eq(sk_hints(referee, request, strlen(request), 0, &answer, &length), SK_FAILED);
    text = copied(answer, length);
    cr_expect_not_null(strstr(text, "\"code\":\"invalid_state\""));
    cr_expect_not_null(strstr(text, "\"at\":\"/view\""));
    free(text);
    free(request);
    sk_game_free(game);
    sk_referee_close(referee);
}

struct view_case {
    const char *label;
    const char *members;
    const char *at;
};

static const struct view_case view_cases[] = {
    { "with a state", "'view':{},'state':{}", "/view" },
    { "of no form", "'view':5", "/view" },
    { "without its members", "'view':{}", "/view/walls" },
    { "with a turn that is none", "'turn':-1", "/turn" },
};

CASES(library, a_view_that_is_none_is_refused, view_cases)
{
    struct sk_referee *referee = sk_referee_new();
    struct words request;
    struct words expected;
    const char *answer;
    size_t length;
    char *text;

    words_init(&request);
    words_init(&expected);
    words_say_json(&request, "{'ruleset':'racers','params':{},");
    words_say_json(&request, view_cases[*index].members);
    words_say(&request, "}");
    words_say(&expected, "\"at\":\"%s\"", view_cases[*index].at);
    cr_expect_eq(sk_hints(referee, request.at, request.used, 0, &answer, &length), SK_FAILED);
    text = copied(answer, length);
    cr_expect_not_null(strstr(text, expected.at), "%s: %s", view_cases[*index].label, text);
    free(text);
    words_fini(&expected);
    words_fini(&request);
    sk_referee_close(referee);
}

/* A view of racers, 10 by 10 squares: discs lie on one square, and seat 0 carries some. */
static void
say_racers_view(struct words *request, const char *seat, uint32_t lying, uint32_t carried)
{
    words_say_json(request, "{'ruleset':'racers','params':{'rows':10,'cols':10},'view':{"
                            "'turn':0,'owing':[0],'walls':[],'starts':[[0,9],[9,0]],'active':0,"
                            "'actions_left':3,'moved':false,'teleporters':[],'failures':[],"
                            "'racers':[{'seat':0,'at':[0,9],'debt':0,'skip':0,'performed':0,"
                            "'trail':[],'carried':[");
    for (uint32_t i = 0; i < carried; i++) {
        words_say_json(request, i == 0 ? "'disc'" : ",'disc'");
    }
    words_say_json(request, "]},{'seat':1,'at':[9,0],'debt':0,'skip':0,'performed':0,"
                            "'trail':[],'carried':[]}],'items':[");
    for (uint32_t i = 0; i < lying; i++) {
        words_say_json(request, i == 0 ? "" : ",");
        words_say_json(request, "{'kind':'disc','at':[4,4]}");
    }
    words_say(request, "],\"seat\":%s}}", seat);
}

struct seat_case {
    const char *seat;
    bool is_there;
};

static const struct seat_case seat_cases[] = {
    { "0", true }, { "1", true }, { "null", true }, { "2", false }, { "3", false },
};

CASES(library, a_view_is_that_of_a_seat_of_the_match, seat_cases)
{
    const struct seat_case *it = &seat_cases[*index];
    struct sk_referee *referee = sk_referee_new();
    struct words request;
    const char *answer;
    size_t length;
    char *text;

    words_init(&request);
    say_racers_view(&request, it->seat, 1, 0);
    cr_expect_eq(sk_resolve(referee, request.at, request.used, &answer, &length),
                 it->is_there ? 0 : SK_FAILED, "seat %s", it->seat);
    text = copied(answer, length);
    cr_expect_eq(strstr(text, "\"code\":\"invalid_state\"") != NULL, !it->is_there, "%s", text);
    cr_expect_eq(strstr(text, "\"at\":\"/view/seat\"") != NULL, !it->is_there, "%s", text);
    free(text);
    words_fini(&request);
    sk_referee_close(referee);
}

struct full_case {
    uint32_t lying;
    uint32_t carried;
    uint32_t made; /* items that lie in the state: two grenades are hidden if there is room */
};

/* The board holds 312 items, those that are carried included. */
static const struct full_case full_cases[] = {
    { 309, 0, 311 }, { 310, 0, 312 }, { 311, 0, 312 }, { 312, 0, 312 },
    { 304, 6, 306 }, { 305, 6, 306 }, { 306, 6, 306 },
};

CASES(library, a_full_view_hides_no_more_than_fits, full_cases)
{
    const struct full_case *it = &full_cases[*index];
    struct sk_referee *referee = sk_referee_new();
    const struct sk_value *state;
    struct sk_value *json;
    struct words request;
    const char *answer;
    size_t length;
    char *text;

    words_init(&request);
    say_racers_view(&request, "0", it->lying, it->carried);
    cr_assert_eq(sk_resolve(referee, request.at, request.used, &answer, &length), 0, "%.*s",
                 (int)length, answer);
    text = copied(answer, length);
    json = parsed(text);
    state = sk_value_member(json, "state");
    cr_expect_eq(sk_value_member(state, "items")->count, it->made, "%u and %u", it->lying,
                 it->carried);
    words_clear(&request);
    words_say_json(&request, "{'ruleset':'racers','params':{'rows':10,'cols':10},");
    words_say(&request, "\"state\":%.*s}", (int)state->length, state->at);
    cr_expect_eq(sk_resolve(referee, request.at, request.used, &answer, &length), 0, "%.*s",
                 (int)length, answer);
    sk_json_free(json);
    free(text);
    words_fini(&request);
    sk_referee_close(referee);
}
