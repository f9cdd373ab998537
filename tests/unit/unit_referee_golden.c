/* libskirmish plays the golden matches: in rows, in batches, from saved bytes and as requests. */
#include <dirent.h>
#include <stdio.h>

#include "tests/support/words.h"
#include "tests/unit/referee_case.h"

#define GOLDEN       SK_TEST_DATA "/../golden"
#define GOLDEN_SLOTS 8

static int
is_match(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 6 && strcmp(entry->d_name + length - 6, ".jsonl") == 0;
}

static size_t
golden_count(void)
{
    struct dirent **entries;
    int count = scandir(GOLDEN, &entries, is_match, alphasort);

    cr_assert_gt(count, 0);
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return (size_t)count;
}

/* The lines of a stored match; the first is its head. */
struct golden {
    struct words words;
    char name[256];
    char *next;
};

static void
golden_open(struct golden *golden, size_t index)
{
    struct dirent **entries;
    int count = scandir(GOLDEN, &entries, is_match, alphasort);
    char path[1024];

    cr_assert_lt((int)index, count);
    snprintf(golden->name, sizeof(golden->name), "%s", entries[index]->d_name);
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    snprintf(path, sizeof(path), GOLDEN "/%s", golden->name);
    words_init(&golden->words);
    words_read_file(&golden->words, path);
    golden->next = golden->words.at;
}

static char *
golden_line(struct golden *golden)
{
    char *line = golden->next;
    char *end = strchr(line, '\n');

    if (end == NULL) {
        return NULL;
    }
    *end = '\0';
    golden->next = end + 1;
    return line;
}

static void
seed_of(const struct sk_value *head, uint8_t seed[SK_GAME_SEED_BYTES])
{
    const struct sk_value *json = sk_value_member(head, "seed");

    memset(seed, 0, SK_GAME_SEED_BYTES);
    for (uint32_t i = 0; json != NULL && i < json->length / 2; i++) {
        unsigned int byte;

        cr_assert_eq(sscanf(json->at + (size_t)2 * i, "%2x", &byte), 1);
        seed[i] = (uint8_t)byte;
    }
}

static struct sk_game *
golden_game(const struct sk_value *head, uint32_t count)
{
    const struct sk_value *version = sk_value_member(head, "version");
    char *params = sk_json_text_of(sk_value_member(head, "params"));
    uint8_t seed[SK_GAME_SEED_BYTES];
    struct sk_error error;
    struct sk_game *game;
    char name[32] = "";

    sk_value_copy(sk_value_member(head, "ruleset"), name, sizeof(name) - 1);
    game = sk_game_new(name, version == NULL ? 0 : (uint32_t)sk_value_int(version), params,
                       strlen(params), count, GOLDEN_SLOTS, 0, &error);
    cr_assert_not_null(game, "%s: %s %s", error.code, error.message, error.at);
    seed_of(head, seed);
    for (uint32_t i = 0; i < count; i++) {
        cr_expect_eq(sk_game_reset(game, i, seed), 0);
    }
    free(params);
    return game;
}

/* The seat's list as rows.  An id that the match does not have fits no row: such a command
 * is left out, which changes nothing but its own verdict. */
static void
seat_rows(struct sk_game *game, const struct sk_value *list, int32_t *rows)
{
    char *text = sk_json_text_of(list);
    struct sk_error error;

    if (sk_game_command_rows(game, text, strlen(text), rows, &error) != 0) {
        cr_assert_str_eq(error.message, "the command does not fit a row", "%s at %s", error.message,
                         error.at);
        cr_assert_eq(list->count, 1);
    }
    free(text);
}

static void
turn_rows(struct sk_game *game, const struct sk_value *turn, int32_t *rows)
{
    const struct sk_value *lists = sk_value_member(turn, "commands");
    const struct sk_value *list = sk_value_first(lists);
    size_t seats = sk_game_seats(game);

    memset(rows, 0, actions_size(game) * sizeof(*rows));
    cr_assert_eq(lists->count, seats);
    for (size_t seat = 0; seat < seats; seat++) {
        seat_rows(game, list, rows + seat * actions_size(game) / seats);
        list = sk_value_next(list);
    }
}

static void
expect_as_stored(struct sk_game *game, uint32_t i, const struct sk_value *turn, const char *name)
{
    const struct sk_value *answer = sk_value_member(turn, "answer");
    bool is_over = !sk_value_is(sk_value_member(answer, "outcome"), SK_VALUE_NULL);
    char hash[32];

    snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)sk_game_hash(game, i));
    cr_expect(sk_value_says(sk_value_member(answer, "hash"), hash), "%s: match %u, turn %u: %s",
              name, i, sk_game_turn(game, i), hash);
    cr_expect_eq(sk_game_turn(game, i), (uint32_t)sk_value_int(sk_value_member(answer, "turn")));
    cr_expect_eq(sk_game_outcome(game, i) != SK_GAME_RUNNING, is_over, "%s", name);
    cr_expect_eq(sk_game_owing(game, i) == 0, is_over, "%s", name);
}

CASES_COUNTED(library_golden, golden_matches_come_to_their_hashes, golden_count())
{
    struct golden golden;
    struct sk_value *head;
    struct sk_game *game;
    int32_t *rows;
    char *line;

    golden_open(&golden, *index);
    head = parsed(golden_line(&golden));
    game = golden_game(head, 1);
    rows = malloc(actions_size(game) * sizeof(*rows));
    while ((line = golden_line(&golden)) != NULL) {
        struct sk_value *turn = parsed(line);

        turn_rows(game, turn, rows);
        cr_expect_geq(sk_game_step(game, 0, rows, NULL), 0);
        expect_as_stored(game, 0, turn, golden.name);
        sk_json_free(turn);
    }
    free(rows);
    sk_game_free(game);
    sk_json_free(head);
    words_fini(&golden.words);
}

/* What a batch observes is what single calls observe. */
static void
expect_observed(struct sk_game *single, const int32_t *observations)
{
    size_t width = view_width(single);
    int32_t *row = malloc(width * sizeof(*row));

    for (uint32_t place = 0; place < BATCH * sk_game_seats(single); place++) {
        uint8_t seat = (uint8_t)(place % sk_game_seats(single));

        cr_expect_eq(sk_game_observe(single, 0, seat, row), 0);
        cr_expect_arr_eq(row, observations + place * width, width * sizeof(*row));
    }
    free(row);
}

CASES_COUNTED(library_golden, a_batch_plays_as_single_matches_do, golden_count())
{
    struct golden golden;
    struct sk_value *head;
    struct sk_game *single, *batch;
    int32_t *rows, *observations;
    uint8_t outcomes[BATCH];
    size_t size;
    char *line;

    golden_open(&golden, *index);
    head = parsed(golden_line(&golden));
    single = golden_game(head, 1);
    batch = golden_game(head, BATCH);
    size = actions_size(single);
    rows = malloc(BATCH * size * sizeof(*rows));
    observations = malloc(BATCH * sk_game_seats(single) * view_width(single) * sizeof(int32_t));
    while ((line = golden_line(&golden)) != NULL) {
        struct sk_value *turn = parsed(line);

        turn_rows(single, turn, rows);
        for (uint32_t i = 1; i < BATCH; i++) {
            memcpy(rows + i * size, rows, size * sizeof(*rows));
        }
        cr_expect_geq(sk_game_step(single, 0, rows, NULL), 0);
        cr_expect_geq(sk_game_step_all(batch, rows, observations, outcomes, 0), 0);
        for (uint32_t i = 0; i < BATCH; i++) {
            expect_as_stored(batch, i, turn, golden.name);
            cr_expect_eq(outcomes[i], sk_game_outcome(single, 0));
        }
        expect_observed(single, observations);
        sk_json_free(turn);
    }
    free(observations);
    free(rows);
    sk_game_free(batch);
    sk_game_free(single);
    sk_json_free(head);
    words_fini(&golden.words);
}

CASES_COUNTED(library_golden, a_match_is_saved_and_goes_on_elsewhere, golden_count())
{
    static uint8_t bytes[SNAPSHOT_MAX];
    static const uint8_t other_seed[SK_GAME_SEED_BYTES] = { 1 };
    struct golden golden;
    struct sk_value *head;
    struct sk_game *game;
    int32_t *rows;
    char *line;

    golden_open(&golden, *index);
    head = parsed(golden_line(&golden));
    game = golden_game(head, 2);
    rows = malloc(actions_size(game) * sizeof(*rows));
    for (uint32_t from = 0; (line = golden_line(&golden)) != NULL; from = 1 - from) {
        struct sk_value *turn = parsed(line);
        size_t size = sk_game_save(game, from, bytes, sizeof(bytes));

        cr_assert(size > 0 && size <= sizeof(bytes));
        cr_expect_eq(sk_game_reset(game, 1 - from, other_seed), 0);
        cr_expect_eq(sk_game_load(game, 1 - from, bytes, size), 0);
        turn_rows(game, turn, rows);
        cr_expect_geq(sk_game_step(game, 1 - from, rows, NULL), 0);
        expect_as_stored(game, 1 - from, turn, golden.name);
        sk_json_free(turn);
    }
    free(rows);
    sk_game_free(game);
    sk_json_free(head);
    words_fini(&golden.words);
}

CASES_COUNTED(library_golden, requests_get_the_stored_answers, golden_count())
{
    struct golden golden;
    struct words request;
    struct sk_referee *referee = sk_referee_new();
    char *head, *line, *commands, *stored;
    const char *answer;
    size_t length;

    golden_open(&golden, *index);
    words_init(&request);
    head = golden_line(&golden);
    line = golden_line(&golden);
    stored = strstr(line, ",\"answer\":");
    commands = strstr(line, "\"commands\":");
    cr_assert(stored != NULL && commands != NULL && commands < stored);
    words_say(&request, "%.*s,%.*s}", (int)strlen(head) - 1, head, (int)(stored - commands),
              commands);
    stored += strlen(",\"answer\":");
    cr_expect_eq(sk_resolve(referee, request.at, request.used, &answer, &length), 0);
    cr_expect_eq(length, strlen(stored) - 1);
    cr_expect_arr_eq(answer, stored, length, "%s", golden.name);
    sk_referee_close(referee);
    words_fini(&request);
    words_fini(&golden.words);
}
