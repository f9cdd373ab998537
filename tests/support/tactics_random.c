#include "tests/support/tactics_random.h"

#include <string.h>

#include "tests/support/table.h"

/*
 * Each draw is a separate statement: C does not fix the order of initializers
 * and arguments, and the same seed must give the same params with every
 * compiler.
 */
#define PATTERNS_MAX 8
#define MODELS_MAX   5
#define LIST_MAX     3

struct maker {
    struct sk_rng *rng;
    struct sk_arena *arena;
    struct tactics_params *params;
};

static bool
one_in(struct maker *maker, uint32_t bound)
{
    return sk_rng_below(maker->rng, bound) == 0;
}

static int32_t
between(struct maker *maker, int32_t low, int32_t high)
{
    return low + (int32_t)sk_rng_below(maker->rng, (uint32_t)(high - low) + 1);
}

static void *
take(struct sk_arena *arena, size_t count, size_t size)
{
    void *memory = sk_arena_take_items(arena, count, size);

    if (memory == NULL) {
        table_fail("TACTICS_RANDOM_ARENA is too small");
    }
    return memory;
}

/* A letter and a number, padded to `length` with dashes. */
static struct sk_text
make_word(struct maker *maker, char letter, uint32_t number, uint32_t length)
{
    char *word = take(maker->arena, SK_ID_MAX, 1);
    uint32_t used = 0;

    word[used++] = letter;
    if (number >= 10) {
        word[used++] = (char)('0' + number / 10);
    }
    word[used++] = (char)('0' + number % 10);
    while (used < length) {
        word[used++] = '-';
    }
    return (struct sk_text){ word, used };
}

static void
make_grid(struct maker *maker)
{
    struct tactics_params *params = maker->params;

    memset(params, 0, sizeof(*params));
    params->rows = one_in(maker, 20) ? SK_GRID_MAX : between(maker, 3, 10);
    params->cols = one_in(maker, 20) ? SK_GRID_MAX : between(maker, 3, 10);
    params->turn_limit = one_in(maker, 3) ? between(maker, 1, 30) : SK_TACTICS_TURN_LIMIT_DEFAULT;
    params->placement = one_in(maker, 2);
    params->start_rows = between(maker, 1, params->placement ? params->rows / 2 : params->rows);
    params->has_patterns = true;
    params->has_models = true;
    params->has_units = true;
}

/* ---- patterns ---------------------------------------------------------------------------- */

static struct sk_list
make_rows(struct maker *maker, uint32_t side)
{
    static const char characters[] = "xyz";
    struct sk_text *rows = take(maker->arena, side, sizeof(*rows));
    uint32_t density = 1 + sk_rng_below(maker->rng, 4);

    for (uint32_t y = 0; y < side; y++) {
        char *row = take(maker->arena, side, 1);

        for (uint32_t x = 0; x < side; x++) {
            row[x] = sk_rng_below(maker->rng, 5) < density
                         ? characters[sk_rng_below(maker->rng, sizeof(characters) - 1)]
                         : ' ';
        }
        rows[y] = (struct sk_text){ row, side };
    }
    return (struct sk_list){ rows, side };
}

/* Only to later patterns, so there is no cycle. */
static struct sk_list
make_map(struct maker *maker, uint32_t place, uint32_t count)
{
    static const struct sk_text from[] = { SK_TEXT_CONST("y"), SK_TEXT_CONST("z") };
    struct tactics_map_form *map = take(maker->arena, SK_COUNT_OF(from), sizeof(*map));
    uint32_t map_count = 0;

    for (uint32_t i = 0; i < SK_COUNT_OF(from); i++) {
        if (place + 1 < count && one_in(maker, 2)) {
            uint32_t to = place + 1 + sk_rng_below(maker->rng, count - place - 1);

            map[map_count++] = (struct tactics_map_form){ from[i], make_word(maker, 'p', to, 0) };
        }
    }
    return (struct sk_list){ map, map_count };
}

/* Sides of at most 7 keep every area small enough; nothing is mapped to the first pattern. */
static void
make_patterns(struct maker *maker)
{
    uint32_t count = 2 + sk_rng_below(maker->rng, PATTERNS_MAX - 1);
    struct tactics_pattern_form *patterns = take(maker->arena, count, sizeof(*patterns));

    for (uint32_t i = 0; i < count; i++) {
        uint32_t side = i == 0 && one_in(maker, 10) ? SK_TACTICS_PATTERN_SIDE_MAX
                                                    : 1 + 2 * sk_rng_below(maker->rng, 4);

        patterns[i].name = make_word(maker, 'p', i, 0);
        patterns[i].rows = make_rows(maker, side);
        patterns[i].map = make_map(maker, i, count);
    }
    maker->params->patterns = (struct sk_list){ patterns, count };
}

/* ---- models and units -------------------------------------------------------------------- */

static struct sk_list
make_pattern_list(struct maker *maker)
{
    uint32_t count = sk_rng_below(maker->rng, LIST_MAX + 1);
    struct sk_text *names = take(maker->arena, count, sizeof(*names));

    for (uint32_t i = 0; i < count; i++) {
        names[i] =
            make_word(maker, 'p', sk_rng_below(maker->rng, maker->params->patterns.count), 0);
    }
    return (struct sk_list){ names, count };
}

static void
make_models(struct maker *maker)
{
    uint32_t count = 1 + sk_rng_below(maker->rng, MODELS_MAX);
    struct tactics_model_form *models = take(maker->arena, count, sizeof(*models));

    for (uint32_t i = 0; i < count; i++) {
        models[i].name = make_word(maker, 'm', i, 0);
        models[i].health = one_in(maker, 10) ? SK_TACTICS_HEALTH_MAX : between(maker, 1, 40);
        models[i].power = one_in(maker, 20) ? SK_TACTICS_POWER_MAX : between(maker, 0, 9);
        models[i].move = make_pattern_list(maker);
        models[i].attack = make_pattern_list(maker);
    }
    maker->params->models = (struct sk_list){ models, count };
}

static struct sk_cell
make_place(struct maker *maker, int32_t seat)
{
    const struct tactics_params *params = maker->params;
    int32_t top = seat == 0 && params->placement ? params->rows - params->start_rows : 0;
    int32_t bottom = seat == 1 && params->placement ? params->start_rows - 1 : params->rows - 1;
    struct sk_cell cell;

    cell.x = between(maker, 0, params->cols - 1);
    cell.y = between(maker, top, bottom);
    return cell;
}

static bool
is_taken(const struct tactics_unit_form *units, uint32_t count, struct sk_cell cell)
{
    for (uint32_t i = 0; i < count; i++) {
        if (sk_cell_same(units[i].at, cell)) {
            return true;
        }
    }
    return false;
}

static uint32_t
unit_count_of_seat(struct maker *maker)
{
    uint32_t cells = (uint32_t)(maker->params->start_rows * maker->params->cols);
    uint32_t most = maker->params->placement ? cells : cells / 2;
    uint32_t count =
        one_in(maker, 25) ? SK_TACTICS_UNITS_PER_SEAT_MAX : 1 + sk_rng_below(maker->rng, 8);

    return count < most ? count : most == 0 ? 1 : most;
}

static void
shuffle_units(struct sk_rng *rng, struct tactics_unit_form *units, uint32_t count)
{
    for (uint32_t left = count; left > 1; left--) {
        uint32_t other = sk_rng_below(rng, left);
        struct tactics_unit_form unit = units[left - 1];

        units[left - 1] = units[other];
        units[other] = unit;
    }
}

static void
make_units(struct maker *maker)
{
    struct tactics_unit_form *units = take(maker->arena, SK_TACTICS_UNITS_MAX, sizeof(*units));
    uint32_t count = 0;

    for (int32_t seat = 0; seat < 2; seat++) {
        uint32_t of_seat = unit_count_of_seat(maker);

        for (uint32_t i = 1; i <= of_seat; i++) {
            struct sk_cell cell = make_place(maker, seat);

            while (is_taken(units, count, cell)) {
                cell = make_place(maker, seat);
            }
            units[count].id =
                make_word(maker, seat == 0 ? 'a' : 'b', i, one_in(maker, 8) ? SK_ID_MAX : 0);
            units[count].model =
                make_word(maker, 'm', sk_rng_below(maker->rng, maker->params->models.count), 0);
            units[count].seat = seat;
            units[count].at = cell;
            count++;
        }
    }
    shuffle_units(maker->rng, units, count);
    maker->params->units = (struct sk_list){ units, count };
}

void
tactics_random_params(struct sk_rng *rng, struct sk_arena *arena, struct tactics_params *ret_params)
{
    struct maker maker = { rng, arena, ret_params };

    make_grid(&maker);
    make_patterns(&maker);
    make_models(&maker);
    make_units(&maker);
}

/* ---- the other side ---------------------------------------------------------------------- */

struct sk_cell
tactics_mirror_cell(const struct tactics_params *params, struct sk_cell cell)
{
    return sk_cell_on_grid(cell, params->cols, params->rows)
               ? sk_cell(params->cols - 1 - cell.x, params->rows - 1 - cell.y)
               : cell;
}

void
tactics_mirror_params(struct sk_rng *rng, struct sk_arena *arena,
                      const struct tactics_params *params, struct tactics_params *ret_params)
{
    uint32_t count = params->units.count;
    struct tactics_unit_form *units = take(arena, count, sizeof(*units));

    *ret_params = *params;
    memcpy(units, params->units.at, count * sizeof(*units));
    for (uint32_t i = 0; i < count; i++) {
        units[i].seat = 1 - units[i].seat;
        units[i].at = tactics_mirror_cell(params, units[i].at);
    }
    shuffle_units(rng, units, count);
    ret_params->units = (struct sk_list){ units, count };
}
