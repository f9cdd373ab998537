#include "tests/support/racers_random.h"

#include <stdlib.h>

#define SIDE_MAX    13
#define SQUARES_MAX (SIDE_MAX * SIDE_MAX)

/* Squares in random order; each item takes the next one. */
struct deck {
    struct sk_cell cells[SQUARES_MAX];
    uint32_t count;
    uint32_t next;
};

static void
shuffle_deck(struct sk_rng *rng, const struct racers_params *params, struct deck *deck)
{
    deck->count = 0;
    deck->next = 0;
    for (int32_t y = 0; y < params->rows; y++) {
        for (int32_t x = 0; x < params->cols; x++) {
            deck->cells[deck->count++] = sk_cell(x, y);
        }
    }
    for (uint32_t left = deck->count; left > 1; left--) {
        uint32_t other = sk_rng_below(rng, left);
        struct sk_cell cell = deck->cells[left - 1];

        deck->cells[left - 1] = deck->cells[other];
        deck->cells[other] = cell;
    }
}

static void *
take(struct sk_arena *arena, uint32_t count, size_t size, struct sk_list *list)
{
    *list = (struct sk_list){ sk_arena_take_items(arena, count, size), count };
    if (list->at == NULL) {
        abort();
    }
    return list->at;
}

/* Two different squares at most four apart. */
static void
draw_starts(struct sk_rng *rng, struct sk_arena *arena, struct racers_params *params)
{
    struct sk_cell *starts = take(arena, 2, sizeof(*starts), &params->board.starts);

    starts[0].x = (int32_t)sk_rng_below(rng, (uint32_t)params->cols);
    starts[0].y = (int32_t)sk_rng_below(rng, (uint32_t)params->rows);
    do {
        starts[1].x = starts[0].x - 4 + (int32_t)sk_rng_below(rng, 9);
        starts[1].y = starts[0].y - 4 + (int32_t)sk_rng_below(rng, 9);
    } while (sk_cell_same(starts[0], starts[1]) ||
             !sk_cell_on_grid(starts[1], params->cols, params->rows));
}

static bool
is_start(const struct racers_params *params, struct sk_cell cell)
{
    const struct sk_cell *starts = params->board.starts.at;

    return sk_cell_same(cell, starts[0]) || sk_cell_same(cell, starts[1]);
}

static struct sk_cell
draw_cell(struct deck *deck, const struct racers_params *params)
{
    struct sk_cell cell;

    do {
        cell = deck->cells[deck->next++];
    } while (is_start(params, cell));
    return cell;
}

static void
draw_walls(struct sk_rng *rng, struct sk_arena *arena, struct deck *deck,
           struct racers_params *params)
{
    uint32_t count = sk_rng_below(rng, deck->count / 5);
    struct sk_cell *walls = take(arena, count, sizeof(*walls), &params->board.walls);

    for (uint32_t i = 0; i < count; i++) {
        walls[i] = draw_cell(deck, params);
    }
}

static void
draw_teleporters(struct sk_rng *rng, struct sk_arena *arena, struct deck *deck,
                 struct racers_params *params)
{
    uint32_t count = sk_rng_below(rng, 4) == 0 ? 0 : 2 + sk_rng_below(rng, 14);
    struct racers_teleporter_form *teleporters =
        take(arena, count, sizeof(*teleporters), &params->board.teleporters);

    for (uint32_t i = 0; i < count; i++) {
        teleporters[i].at = draw_cell(deck, params);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = sk_rng_below(rng, count - 1);

        teleporters[i].to = teleporters[other < i ? other : other + 1].at;
    }
}

/* On squares without walls; several kinds may share one. */
static void
draw_items(struct sk_rng *rng, struct sk_arena *arena, struct deck *deck,
           struct racers_params *params)
{
    uint32_t space = deck->count - deck->next;
    struct racers_item_form *items =
        take(arena, RACERS_ITEM_KINDS * space, sizeof(*items), &params->board.items);
    static const uint32_t rarities[] = { 1, 1, 3, 8, 20, 10000 };
    uint32_t one_in[RACERS_ITEM_KINDS];
    uint32_t count = 0;

    for (uint8_t kind = 0; kind < RACERS_ITEM_KINDS; kind++) {
        one_in[kind] = rarities[sk_rng_below(rng, (uint32_t)SK_COUNT_OF(rarities))];
    }
    for (; deck->next < deck->count; deck->next++) {
        for (uint8_t kind = 0; kind < RACERS_ITEM_KINDS; kind++) {
            if (sk_rng_below(rng, one_in[kind]) == 0) {
                bool is_active = kind == RACERS_GRENADE && sk_rng_below(rng, 12) == 0;

                items[count++] = (struct racers_item_form){
                    .at = deck->cells[deck->next],
                    .kind = kind,
                    .state = is_active ? RACERS_ACTIVE : RACERS_INACTIVE,
                    .has_state = kind == RACERS_GRENADE,
                };
            }
        }
    }
    params->board.items.count = count;
}

/* Grenades below the racers at the start are visible, as in every position of play. */
static void
defuse_starts(struct racers_params *params)
{
    struct racers_item_form *items = params->board.items.at;

    for (uint32_t i = 0; i < params->board.items.count; i++) {
        if (is_start(params, items[i].at)) {
            items[i].state = RACERS_INACTIVE;
        }
    }
}

static int32_t
draw_side(struct sk_rng *rng)
{
    return SK_RACERS_GRID_MIN + (int32_t)sk_rng_below(rng, SIDE_MAX - SK_RACERS_GRID_MIN + 1);
}

/* One draw per line: the compiler may reorder the draws of one line. */
void
racers_random_params(struct sk_rng *rng, struct sk_arena *arena, struct racers_params *ret_params)
{
    static const int32_t permille[] = { 0, 0, 5, 20, 50, 1000 };
    struct deck deck;
    uint32_t walls_end;

    *ret_params = (struct racers_params){ .has_board = true };
    ret_params->rows = draw_side(rng);
    ret_params->cols = draw_side(rng);
    ret_params->turn_limit = sk_rng_below(rng, 4) == 0 ? 20 : SK_RACERS_TURN_LIMIT_DEFAULT;
    ret_params->failure_permille = permille[sk_rng_below(rng, (uint32_t)SK_COUNT_OF(permille))];
    shuffle_deck(rng, ret_params, &deck);
    draw_starts(rng, arena, ret_params);
    draw_walls(rng, arena, &deck, ret_params);
    walls_end = deck.next;
    draw_teleporters(rng, arena, &deck, ret_params);
    deck.next = walls_end; /* items may lie on teleporters */
    draw_items(rng, arena, &deck, ret_params);
    defuse_starts(ret_params);
}
