/* Hints of halma: which there are, in which order, and how many at most. */
#include <string.h>

#include "common/rules/halma/internal.h"
#include "tests/support/cases.h"
#include "tests/support/halma_draw.h"
#include "tests/support/say.h"

struct hint_case {
    const char *label;
    struct halma_drawing position;
    uint8_t seat;
    const char *hints; /* "a1 0,0; a1 1,0 3,0" */
};

static const struct hint_case hint_cases[] = {
    { "alone in a corner: it holds or steps",
      { .board = "A....a" },
      0,
      "a1 0,0; a1 1,0; a1 0,1; a1 1,1" },
    { "the guest's likewise", { .board = "A....a" }, 1, "b1 4,0; b1 5,0; b1 4,1; b1 5,1" },
    { "in the middle, in reading order",
      { .board = "....../......a/.A", .goals = "0/1" },
      0,
      "a1 0,1; a1 1,1; a1 2,1; a1 0,2; a1 1,2; a1 2,2; a1 0,3; a1 1,3; a1 2,3" },
    { "a jump, and a chain of two", { .board = "Aa.b/cde/fgh" }, 0, "a1 0,0; a1 2,0; a1 2,0 4,0" },
    { "damaged: no jumps", { .board = "Aa.b/cd", .damages = "A=1" }, 0, "a1 0,0" },
    { "two of one seat, one after the other",
      { .board = "AB.a/bc./def" },
      0,
      "a1 0,0; a1 2,0; a1 2,0 4,0; a2 1,0; a2 2,0; a2 2,1" },
    { "sharing a square: both may hold it",
      { .board = "A..a/bcd/efg", .stands = "a@0,0" },
      0,
      "a1 0,0; a1 1,0" },
    /* Four squares around b, c, d and a, each a jump from its neighbours. */
    { "a shortest chain to every square, then the detours, shorter ones first",
      { .board = "Aa./b.d/.c." },
      0,
      "a1 0,0; a1 1,1; a1 2,0; a1 0,2; a1 2,0 2,2; a1 0,2 2,2; a1 2,0 2,2 0,2; a1 0,2 2,2 2,0" },
    { "detours of all pieces come after what each can reach",
      { .board = "Aa./b.d/.c./....B" },
      0,
      "a1 0,0; a1 1,1; a1 2,0; a1 0,2; a1 2,0 2,2; "
      "a2 3,2; a2 4,2; a2 5,2; a2 3,3; a2 4,3; a2 5,3; a2 3,4; a2 4,4; a2 5,4; "
      "a1 0,2 2,2; a1 2,0 2,2 0,2; a1 0,2 2,2 2,0" },
};

static void
say_hints(struct table *table, uint8_t seat, struct words *words)
{
    struct command_list hints;

    commands_init(&hints, table->ruleset);
    table_hints(table, seat, &hints);
    for (uint32_t i = 0; i < hints.count; i++) {
        const struct halma_command *hint = commands_item(&hints, i);
        const struct sk_list cells = { (void *)hint->path.at, hint->path.row.count };

        words_say(words, "%s%s", i == 0 ? "" : "; ", hint->unit.at);
        say_cells(&cells, words);
    }
    commands_fini(&hints);
}

CASES(halma_hints, are_every_command_that_would_be_ok, hint_cases)
{
    const struct hint_case *c = &hint_cases[*index];
    struct table table;
    struct words words;

    halma_drawing_open(&c->position, &table);
    words_init(&words);
    say_hints(&table, c->seat, &words);
    cr_expect_str_eq(words.at, c->hints, "%s: \"%s\", expected \"%s\"", c->label, words.at,
                     c->hints);
    words_fini(&words);
    table_close(&table);
}

/* ---- limits ------------------------------------------------------------------------------ */

/* Opens a board of 64 with a1 in the first corner and the guests at these cells. */
static void
open_with_guests(struct table *table, const struct sk_cell *guests, uint32_t count)
{
    static const struct sk_cell host[] = { { 0, 0 } };
    static const struct sk_cell goals[] = { { 63, 63 }, { 62, 63 } };
    struct sk_list pieces[] = { { (void *)host, 1 }, { (void *)guests, count } };
    struct sk_list destinations[] = { { (void *)&goals[0], 1 }, { (void *)&goals[1], 1 } };
    const struct halma_params params = {
        .size = 64,
        .turn_limit = 200,
        .has_pieces = true,
        .has_destinations = true,
        .pieces = { pieces, 2 },
        .destinations = { destinations, 2 },
    };
    struct sk_seed seed = table_seed(1);

    table_open(table, &sk_ruleset_halma, &params, &seed);
}

/* Along the first row, down at its end and back: each guest is one jump more. */
static uint32_t
lay_long_way(struct sk_cell *cells)
{
    uint32_t count = 0;

    for (int32_t x = 1; x < 62; x += 2) {
        cells[count++] = sk_cell(x, 0);
    }
    cells[count++] = sk_cell(62, 1);
    cells[count++] = sk_cell(61, 2);
    return count;
}

Test(halma_hints, are_chains_of_at_most_32_squares)
{
    struct halma_command command = { .head = { HALMA_MOVE }, .unit = { "a1" } };
    struct sk_cell guests[SK_HALMA_PIECES_PER_SEAT_MAX];
    struct command_list hints;
    struct table table;
    uint32_t longest = 0;

    open_with_guests(&table, guests, lay_long_way(guests));
    commands_init(&hints, table.ruleset);
    table_hints(&table, 0, &hints);
    for (uint32_t i = 0; i < hints.count; i++) {
        const struct halma_command *hint = commands_item(&hints, i);

        longest = hint->path.row.count > longest ? hint->path.row.count : longest;
    }
    cr_expect_eq(longest, (uint32_t)SK_HALMA_HINT_PATH_MAX);
    cr_expect_eq(hints.count, 3u + SK_HALMA_HINT_PATH_MAX, "holding, two steps and the chain");
    for (int32_t x = 2; x <= 62; x += 2) {
        command.path.at[command.path.row.count++] = sk_cell(x, 0);
    }
    command.path.at[command.path.row.count++] = sk_cell(62, 2);
    command.path.at[command.path.row.count++] = sk_cell(60, 2);
    sk_match_submit(&table.match, &table.turn, 0, (struct sk_commands){ &command, 1 });
    cr_expect_eq(command.path.row.count, SK_HALMA_HINT_PATH_MAX + 1u);
    cr_expect_eq(table.turn.judgements[0][0].verdict, SK_VERDICT_OK, "the rules allow more");
    commands_fini(&hints);
    table_close(&table);
}

static bool
is_same_path(const struct halma_path *a, const struct halma_path *b)
{
    return a->row.count == b->row.count &&
           memcmp(a->at, b->at, a->row.count * sizeof(a->at[0])) == 0;
}

/* Nine by nine squares, of which every second of every second row is free. */
Test(halma_hints, are_at_most_1024_detours_of_a_piece_and_every_square_it_can_reach)
{
    struct sk_cell guests[SK_HALMA_PIECES_PER_SEAT_MAX];
    struct command_list hints;
    struct table table;
    uint32_t count = 0;

    for (int32_t cell = 0; cell < 81; cell++) {
        if (cell % 9 % 2 != 0 || cell / 9 % 2 != 0) {
            guests[count++] = sk_cell(cell % 9, cell / 9);
        }
    }
    open_with_guests(&table, guests, count);
    commands_init(&hints, table.ruleset);
    table_hints(&table, 0, &hints);
    cr_assert_eq(hints.count, 1u + 24u + SK_HALMA_HINT_DETOURS_MAX, "holding, reach, detours");
    for (uint32_t i = 26; i < hints.count; i++) {
        const struct halma_command *before = commands_item(&hints, i - 1);
        const struct halma_command *hint = commands_item(&hints, i);

        cr_expect_leq(before->path.row.count, hint->path.row.count, "shorter ones first");
    }
    for (uint32_t i = 0; i < hints.count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const struct halma_command *a = commands_item(&hints, i);
            const struct halma_command *b = commands_item(&hints, j);

            cr_assert_not(is_same_path(&a->path, &b->path), "%u and %u are the same", i, j);
        }
    }
    commands_fini(&hints);
    table_close(&table);
}
