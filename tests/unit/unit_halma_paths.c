/* Paths and ids of halma at their limits: every distance, every length, every number. */
#include <stdio.h>
#include <stdlib.h>

#include "common/rules/halma/internal.h"
#include "tests/support/halma_draw.h"
#include "tests/unit/turn_bench.h"

#define SHAPELESS "bad_path:path_shape"
#define OFF       "out_of_bounds:path_in_bounds"
#define NO_LEG    "bad_path:path_steps"
#define NOTHING   "nothing_to_jump:jump_over_piece"
#define TAKEN     "occupied:landing_free"

static void
bench_open(struct turn_bench *bench, const char *board)
{
    const struct halma_drawing position = { .board = board };

    halma_drawing_open(&position, &bench->table);
    bench_begin(bench);
}

/* ---- every square of the board ----------------------------------------------------------- */

/* In the middle of 11 x 11, with everybody around it or nobody. */
static const char *const rings[] = {
    "a........../.........../.........../.........../.........../.....A",
    "a........../.........../.........../.........../....BCD..../....EAF..../....GHI",
};

/* What a path of one square gets, by how far it goes: 0, 1 or 2 each way, or further. */
static const char *
expected_at(size_t ring, int32_t dx, int32_t dy)
{
    int32_t most = dx > dy ? dx : dy;

    if (most == 0) {
        return "ok";
    }
    if (most == 1) {
        return ring == 0 ? "ok" : TAKEN;
    }
    if (most > 2 || dx == 1 || dy == 1) {
        return NO_LEG;
    }
    return ring == 0 ? NOTHING : "ok";
}

Test(halma_paths, every_square_gets_what_its_distance_says)
{
    for (size_t ring = 0; ring < SK_COUNT_OF(rings); ring++) {
        for (int32_t cell = 0; cell < 11 * 11; cell++) {
            struct turn_bench bench;
            char command[32];
            int32_t dx = abs(cell % 11 - 5);
            int32_t dy = abs(cell / 11 - 5);

            if (cell == 0) {
                continue; /* somebody else stands there */
            }
            snprintf(command, sizeof(command), "A>%d,%d", cell % 11, cell / 11);
            bench_open(&bench, rings[ring]);
            halma_drawing_commands(command, &bench.lists[0]);
            bench_expect_submitted(&bench, 0, expected_at(ring, dx, dy), command);
            bench_end(&bench);
        }
    }
}

/* ---- ids --------------------------------------------------------------------------------- */

struct id_case {
    const char *id;
    uint8_t place;
};

/* On the default board: a1 to a12, b1 to b12. */
static const struct id_case id_cases[] = {
    { "a1", 0 },
    { "a9", 8 },
    { "a10", 9 },
    { "a12", 11 },
    { "b1", 12 },
    { "b12", 23 },
    { "a", HALMA_NO_UNIT },
    { "b", HALMA_NO_UNIT },
    { "a0", HALMA_NO_UNIT },
    { "a00", HALMA_NO_UNIT },
    { "a01", HALMA_NO_UNIT },
    { "a012", HALMA_NO_UNIT },
    { "a13", HALMA_NO_UNIT },
    { "a24", HALMA_NO_UNIT },
    { "b13", HALMA_NO_UNIT },
    { "a99", HALMA_NO_UNIT },
    { "a100", HALMA_NO_UNIT },
    { "a1a", HALMA_NO_UNIT },
    { "a12-", HALMA_NO_UNIT },
    { "a-1", HALMA_NO_UNIT },
    { "A1", HALMA_NO_UNIT },
    { "c1", HALMA_NO_UNIT },
    { "1", HALMA_NO_UNIT },
    { "1a", HALMA_NO_UNIT },
    { "-", HALMA_NO_UNIT },
    { "a111111111111111111111111111111", HALMA_NO_UNIT },
};

CASES(halma_paths, an_id_is_its_seats_letter_and_a_number, id_cases)
{
    const struct id_case *c = &id_cases[*index];
    struct sk_id id = sk_id_from(sk_text_of(c->id));
    struct sk_seed seed = table_seed(1);
    struct table table;

    table_open(&table, &sk_ruleset_halma, NULL, &seed);
    cr_expect_eq(halma_unit_find(table.config, &id), c->place, "%s", c->id);
    table_close(&table);
}

/* ---- long paths -------------------------------------------------------------------------- */

struct length_case {
    uint32_t length;
    const char *verdict;
    bool leaves; /* its last square is off the board */
};

static const struct length_case length_cases[] = {
    { 0, SHAPELESS, false },      { 1, "ok", false },
    { 2, "ok", false },           { 255, "ok", false },
    { 256, "ok", false },         { 257, SHAPELESS, false },
    { 100000, SHAPELESS, false }, { UINT32_MAX, SHAPELESS, false },
    { 256, OFF, true },
};

/* There and back again; of a path that is too long only the first squares are here. */
CASES(halma_paths, a_path_has_at_most_256_squares, length_cases)
{
    const struct length_case *c = &length_cases[*index];
    struct halma_command command = { .head = { HALMA_MOVE }, .unit = { "a1" } };
    struct turn_bench bench;

    for (uint32_t i = 0; i < c->length && i < SK_HALMA_PATH_MAX; i++) {
        command.path.at[i] = sk_cell(i % 2 == 0 ? 2 : 0, 0);
    }
    command.path.row.count = c->length;
    if (c->leaves) {
        command.path.at[SK_HALMA_PATH_MAX - 1] = sk_cell(0, -1);
    }
    bench_open(&bench, "AB.a");
    commands_add(&bench.lists[0], &command);
    bench_expect_resolved(&bench, c->verdict, NULL, "there and back");
    for (uint8_t i = 0; i < sk_ruleset_halma.check_count && !c->leaves; i++) {
        const char *name = sk_ruleset_halma.checks[i].name;
        bool speaks = strstr(c->verdict, name) != NULL;

        bench_expect_alone(&bench, 0, name, speaks ? c->verdict : "ok", name);
    }
    bench_end(&bench);
}
