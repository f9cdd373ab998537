/*
 * Hints: every command that would be ok alone, including chains.
 *
 * The loop-free chains of one piece can be too many to list: millions on a
 * crowded board.  So they come in two rounds.
 *
 *   first round    per piece: holding, the steps, and for every square that it
 *                  can jump to a shortest chain that ends there
 *   second round   per piece: the detours, which are all other chains that land
 *                  on no square twice, shorter ones first, at most
 *                  SK_HALMA_HINT_DETOURS_MAX of them
 *
 * No chain is longer than SK_HALMA_HINT_PATH_MAX squares.  A receiver that
 * takes only some of the hints misses detours, but no reachable square.
 */
#include "common/rules/halma/internal.h"

#define NOWHERE   0xffff
#define CELLS_MAX (SK_GRID_MAX * SK_GRID_MAX)
#define QUEUE_MAX \
    ((SK_GRID_MAX / 2) * (SK_GRID_MAX / 2)) /* jumps keep the parity of both
                                                           * coordinates */
#define AROUND 9                            /* directions, including none */

/* The squares that one piece can jump to. */
struct reach {
    uint16_t before[CELLS_MAX]; /* the previous square of a shortest chain, or NOWHERE */
    uint16_t queue[QUEUE_MAX];  /* all squares reached, nearest first, beginning with the start */
    uint32_t count;
};

struct hunt {
    const struct halma_config *config;
    const struct halma_position *view;
    struct sk_hint_sink *sink;
    struct halma_board board;
    struct reach reach;
    struct sk_cell start;
    struct halma_command command;
    bool is_over; /* the receiver has enough */
};

/* In reading order, `distance` squares away. */
static struct sk_cell
cell_toward(struct sk_cell from, uint32_t direction, int32_t distance)
{
    return sk_cell(from.x + ((int32_t)(direction % 3) - 1) * distance,
                   from.y + ((int32_t)(direction / 3) - 1) * distance);
}

static uint16_t
index_of(const struct hunt *hunt, struct sk_cell cell)
{
    return (uint16_t)sk_cell_index(cell, hunt->config->size);
}

static struct sk_cell
cell_at(const struct hunt *hunt, uint16_t index)
{
    return sk_cell(index % hunt->config->size, index / hunt->config->size);
}

static bool
is_free(const struct hunt *hunt, struct sk_cell cell)
{
    return halma_on_board(hunt->config, cell) && !halma_is_taken(hunt->config, &hunt->board, cell);
}

/* As in the checks, except that a chain of the hints never returns to its start. */
static bool
can_jump(const struct hunt *hunt, struct sk_cell from, uint32_t direction)
{
    return halma_is_taken(hunt->config, &hunt->board, cell_toward(from, direction, 1)) &&
           is_free(hunt, cell_toward(from, direction, 2));
}

/* Emits the path in hunt->command. */
static void
give(struct hunt *hunt, uint32_t length)
{
    hunt->command.path.row.count = length;
    hunt->is_over = !hunt->sink->take(hunt->sink, &hunt->command);
}

/* ---- first round ------------------------------------------------------------------------- */

/* Holding needs no free square: the piece's own square counts as free. */
static void
hint_steps(struct hunt *hunt)
{
    for (uint32_t direction = 0; direction < AROUND && !hunt->is_over; direction++) {
        struct sk_cell to = cell_toward(hunt->start, direction, 1);

        if (sk_cell_same(to, hunt->start) || is_free(hunt, to)) {
            hunt->command.path.at[0] = to;
            give(hunt, 1);
        }
    }
}

/* Breadth first, so that the first chain to a square is a shortest one. */
static void
find_reach(struct hunt *hunt)
{
    struct reach *reach = &hunt->reach;
    uint32_t level_end = 1; /* end of the squares that chains of `length` reach */
    uint32_t length = 0;

    for (uint32_t i = 0; i < (uint32_t)hunt->config->size * hunt->config->size; i++) {
        reach->before[i] = NOWHERE;
    }
    reach->queue[0] = index_of(hunt, hunt->start);
    reach->count = 1;
    for (uint32_t i = 0; i < reach->count; i++) {
        struct sk_cell from = cell_at(hunt, reach->queue[i]);

        if (i == level_end) {
            level_end = reach->count;
            length++;
        }
        for (uint32_t direction = 0; direction < AROUND && length < SK_HALMA_HINT_PATH_MAX;
             direction++) {
            uint16_t to = can_jump(hunt, from, direction)
                              ? index_of(hunt, cell_toward(from, direction, 2))
                              : NOWHERE;

            if (to != NOWHERE && reach->before[to] == NOWHERE) {
                reach->before[to] = reach->queue[i];
                reach->queue[reach->count++] = to;
            }
        }
    }
}

/* Writes the shortest chain to the square back to front. */
static void
hint_shortest(struct hunt *hunt, uint16_t to)
{
    const uint16_t *before = hunt->reach.before;
    uint16_t start = hunt->reach.queue[0];
    uint32_t length = 0;
    uint32_t place;

    for (uint16_t i = to; i != start; i = before[i]) {
        length++;
    }
    place = length;
    for (uint16_t i = to; i != start; i = before[i]) {
        hunt->command.path.at[--place] = cell_at(hunt, i);
    }
    give(hunt, length);
}

static void
hint_nearest(struct hunt *hunt, bool can_jump_at_all)
{
    hint_steps(hunt);
    if (can_jump_at_all) {
        find_reach(hunt);
        for (uint32_t i = 1; i < hunt->reach.count && !hunt->is_over; i++) {
            hint_shortest(hunt, hunt->reach.queue[i]);
        }
    }
}

/* ---- second round ------------------------------------------------------------------------ */

static struct sk_cell
end_of(const struct hunt *hunt, uint32_t length)
{
    return length == 0 ? hunt->start : hunt->command.path.at[length - 1];
}

static bool
is_on_path(const struct hunt *hunt, uint32_t length, struct sk_cell cell)
{
    for (uint32_t i = 0; i < length; i++) {
        if (sk_cell_same(hunt->command.path.at[i], cell)) {
            return true;
        }
    }
    return false;
}

/* Whether the first round has emitted this chain. */
static bool
is_shortest(const struct hunt *hunt, uint32_t length)
{
    for (uint32_t i = 1; i <= length; i++) {
        if (hunt->reach.before[index_of(hunt, end_of(hunt, i))] !=
            index_of(hunt, end_of(hunt, i - 1))) {
            return false;
        }
    }
    return true;
}

/*
 * Visits all loop-free chains of exactly `length` squares, depth first.  Counts
 * `left` down for each detour among them.  Returns the number of chains, or 0
 * when there are enough.
 */
static uint32_t
walk_chains(struct hunt *hunt, uint32_t length, uint32_t *left)
{
    uint8_t next[SK_HALMA_HINT_PATH_MAX] = { 0 }; /* the direction to try next at each square */
    uint32_t count = 0;
    uint32_t depth = 0;

    while (next[0] < AROUND || depth > 0) {
        struct sk_cell from = end_of(hunt, depth);
        uint8_t direction = next[depth]++;

        if (direction == AROUND) {
            next[depth--] = 0;
        } else if (can_jump(hunt, from, direction) &&
                   !is_on_path(hunt, depth, cell_toward(from, direction, 2))) {
            hunt->command.path.at[depth] = cell_toward(from, direction, 2);
            if (depth + 1 < length) {
                depth++;
                continue;
            }
            count++;
            if (!is_shortest(hunt, length)) {
                give(hunt, length);
                if (hunt->is_over || --*left == 0) {
                    return 0;
                }
            }
        }
    }
    return count;
}

static void
hint_detours(struct hunt *hunt)
{
    uint32_t left = SK_HALMA_HINT_DETOURS_MAX;
    uint32_t found = 1;

    find_reach(hunt);
    for (uint32_t length = 1; length <= SK_HALMA_HINT_PATH_MAX && found > 0; length++) {
        found = walk_chains(hunt, length, &left);
    }
}

/* ---- the whole --------------------------------------------------------------------------- */

void
halma_hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink)
{
    struct hunt hunt = { .config = config, .view = view, .sink = sink };
    const struct halma_unit_config *units = halma_units(config);

    halma_board_fill(hunt.config, hunt.view, &hunt.board);
    hunt.command.head.kind = HALMA_MOVE;
    for (uint32_t round = 1; round <= 2; round++) {
        for (uint32_t unit = 0; unit < hunt.config->unit_count && !hunt.is_over; unit++) {
            bool can_jump_at_all = hunt.view->piece[unit].damage == 0;

            if (units[unit].seat != seat) {
                continue;
            }
            hunt.command.unit = units[unit].id;
            hunt.start = halma_cell_of(hunt.view, unit);
            if (round == 1) {
                hint_nearest(&hunt, can_jump_at_all);
            } else if (can_jump_at_all) {
                hint_detours(&hunt);
            }
        }
    }
}
