/* halma: its random params, its own properties and its mirror. */
#include <string.h>

#include "common/rules/halma/internal.h"
#include "tests/property/trial.h"

#define HINT_CELLS_MAX 100 /* of boards that are checked cell by cell */

/* ---- params ------------------------------------------------------------------------------ */

/* Every draw is a separate statement: in C the order of initialisers and arguments is unspecified,
 * and a seed must give the same params with every compiler. */

static void *
take(struct sk_arena *arena, size_t count, size_t size)
{
    void *memory = sk_arena_take_items(arena, count, size);

    if (memory == NULL) {
        table_fail("BREED_ARENA is too small");
    }
    return memory;
}

static uint32_t
between(struct sk_rng *rng, uint32_t low, uint32_t high)
{
    return low + sk_rng_below(rng, high - low + 1);
}

/* Squares of a small window of the board, in any order, so that pieces meet. */
struct window {
    struct sk_cell cells[SK_GRID_MAX * SK_GRID_MAX];
    uint32_t count;
};

static void
make_window(struct sk_rng *rng, int32_t size, uint32_t side, struct window *ret_window)
{
    int32_t left = (int32_t)sk_rng_below(rng, (uint32_t)size - side + 1);
    int32_t top = (int32_t)sk_rng_below(rng, (uint32_t)size - side + 1);

    ret_window->count = side * side;
    for (uint32_t i = 0; i < ret_window->count; i++) {
        ret_window->cells[i] = sk_cell(left + (int32_t)(i % side), top + (int32_t)(i / side));
    }
    for (uint32_t left_over = ret_window->count; left_over > 1; left_over--) {
        uint32_t other = sk_rng_below(rng, left_over);
        struct sk_cell cell = ret_window->cells[left_over - 1];

        ret_window->cells[left_over - 1] = ret_window->cells[other];
        ret_window->cells[other] = cell;
    }
}

static struct sk_list
take_cells(struct sk_arena *arena, const struct sk_cell *cells, uint32_t count)
{
    struct sk_cell *copy = take(arena, count, sizeof(*copy));

    memcpy(copy, cells, count * sizeof(*copy));
    return (struct sk_list){ copy, count };
}

/* One list per seat of the window's cells: either disjoint, or both may have the same. */
static struct sk_list
draw_cells(struct sk_rng *rng, struct sk_arena *arena, const struct window *window, uint32_t most,
           bool is_apart)
{
    struct sk_list *lists = take(arena, SK_HALMA_SEATS, sizeof(*lists));
    uint32_t first = between(rng, 1, most);
    uint32_t second = between(rng, 1, most);

    lists[0] = take_cells(arena, window->cells, first);
    lists[1] = take_cells(arena, window->cells + (is_apart ? first : 1), second);
    return (struct sk_list){ lists, SK_HALMA_SEATS };
}

static const void *
draw_params(struct sk_rng *rng, struct sk_arena *arena)
{
    struct halma_params *params = take(arena, 1, sizeof(*params));
    bool is_large = sk_rng_below(rng, 20) == 0;
    struct window window;

    params->size = is_large ? SK_GRID_MAX : (int32_t)between(rng, SK_HALMA_SIZE_MIN, 10);
    params->turn_limit = (int32_t)(sk_rng_below(rng, 4) == 0 ? between(rng, 1, 30) : 200);
    params->stall_limit = (int32_t)sk_rng_below(rng, 6);
    params->has_pieces = true;
    params->has_destinations = true;
    make_window(rng, params->size, is_large ? 14 : between(rng, 3, 6), &window);
    params->pieces = draw_cells(rng, arena, &window,
                                is_large ? SK_HALMA_PIECES_PER_SEAT_MAX
                                         : (window.count < 24 ? window.count / 2 : 12),
                                true);
    make_window(rng, params->size, is_large ? 14 : 4, &window);
    params->destinations = draw_cells(rng, arena, &window, 4, sk_rng_below(rng, 2) == 0);
    return params;
}

/* ---- commands ---------------------------------------------------------------------------- */

/* Jumps over neighbours as long as there are any, even if damaged or onto other pieces. */
static void
draw_command(struct trial *trial, uint8_t seat, void *ret_command)
{
    const struct halma_config *config = trial->table.config;
    const struct halma_position *position = halma_position_of(trial->table.match.state);
    uint32_t unit = seat * config->unit_counts[0];
    struct halma_command *command = ret_command;
    struct halma_board board;
    struct sk_cell from;

    unit += sk_rng_below(&trial->rng, config->unit_counts[seat]);
    from = halma_cell_of(position, unit);
    halma_board_fill(config, position, &board);
    command->head.kind = HALMA_MOVE;
    command->unit = halma_units(config)[unit].id;
    for (uint32_t tries = 1 + sk_rng_below(&trial->rng, 40); tries > 0; tries--) {
        int32_t dx = (int32_t)sk_rng_below(&trial->rng, 3) - 1;
        int32_t dy = (int32_t)sk_rng_below(&trial->rng, 3) - 1;

        if ((dx != 0 || dy != 0) &&
            halma_is_taken(config, &board, sk_cell(from.x + dx, from.y + dy)) &&
            command->path.row.count < SK_HALMA_PATH_MAX) {
            from = sk_cell(from.x + 2 * dx, from.y + 2 * dy);
            command->path.at[command->path.row.count++] = from;
        }
    }
}

/* ---- the mirror: left is right ----------------------------------------------------------- */

/* Cells off the board are not changed, so that nothing overflows. */
static struct sk_cell
mirror_cell(const struct halma_params *params, struct sk_cell cell)
{
    return sk_cell_on_grid(cell, params->size, params->size)
               ? sk_cell(params->size - 1 - cell.x, cell.y)
               : cell;
}

static struct sk_list
mirror_cells(struct sk_arena *arena, const struct halma_params *params, const struct sk_list *lists)
{
    struct sk_list *mirrored = take(arena, SK_HALMA_SEATS, sizeof(*mirrored));

    for (uint32_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        const struct sk_list *from = sk_list_item(lists, 1 - seat, sizeof(*from));

        mirrored[seat] = take_cells(arena, from->at, from->count);
        for (uint32_t i = 0; i < from->count; i++) {
            struct sk_cell *cell = (struct sk_cell *)mirrored[seat].at + i;

            *cell = mirror_cell(params, *cell);
        }
    }
    return (struct sk_list){ mirrored, SK_HALMA_SEATS };
}

static const void *
mirror_params(struct sk_rng *rng, struct sk_arena *arena, const void *params)
{
    const struct halma_params *from = params;
    struct halma_params *mirrored = take(arena, 1, sizeof(*mirrored));

    (void)rng;
    *mirrored = *from;
    mirrored->pieces = mirror_cells(arena, from, &from->pieces);
    mirrored->destinations = mirror_cells(arena, from, &from->destinations);
    return mirrored;
}

/* Ids other than a... and b... belong to no piece. */
static void
mirror_command(const struct mirror *mirror, void *command)
{
    struct halma_command *own = command;

    if (own->head.kind != HALMA_MOVE) {
        return;
    }
    own->unit.at[0] = own->unit.at[0] == 'a' ? 'b' : own->unit.at[0] == 'b' ? 'a' : own->unit.at[0];
    for (uint32_t i = 0; i < halma_path_length(&own->path); i++) {
        own->path.at[i] = mirror_cell(mirror->params, own->path.at[i]);
    }
}

static bool
mirror_is_same(const struct trial *trial, const struct sk_state *here, const struct sk_state *there)
{
    const struct halma_config *config = trial->table.config;
    const struct halma_position *position = halma_position_of(here);
    const struct halma_position *mirrored = halma_position_of(there);

    for (uint32_t i = 0; i < config->unit_count; i++) {
        bool is_first = i < config->unit_counts[0];
        uint32_t place = is_first ? i + config->unit_counts[1] : i - config->unit_counts[0];

        if (!sk_cell_same(mirror_cell(trial->mirror.params, halma_cell_of(position, i)),
                          halma_cell_of(mirrored, place)) ||
            position->piece[i].damage != mirrored->piece[place].damage) {
            return false;
        }
    }
    return position->faults[0] == mirrored->faults[1] && position->faults[1] == mirrored->faults[0];
}

/* ---- properties -------------------------------------------------------------------------- */

static bool
no_square_holds_three(struct trial *trial)
{
    const struct halma_config *config = trial->table.config;
    const struct halma_position *position = halma_position_of(trial->after);
    uint8_t counts[SK_GRID_MAX * SK_GRID_MAX] = { 0 };

    for (uint32_t i = 0; i < config->unit_count; i++) {
        struct sk_cell cell = halma_cell_of(position, i);

        if (!halma_on_board(config, cell) || position->piece[i].damage > SK_HALMA_DAMAGE ||
            ++counts[sk_cell_index(cell, config->size)] > SK_HALMA_SHARING_MAX) {
            return false;
        }
    }
    return true;
}

static const struct sk_event *
find_event(const struct sk_turn *turn, uint8_t kind)
{
    const struct sk_event *event = turn->events.first;

    while (event != NULL && event->kind != kind) {
        event = event->next;
    }
    return event;
}

/* Both seats move or neither: at most one piece each, and none if the events show none. */
static bool
both_move_or_neither(struct trial *trial)
{
    const struct halma_config *config = trial->table.config;
    const struct halma_position *before = halma_position_of(trial->table.match.state);
    const struct halma_position *after = halma_position_of(trial->after);
    uint32_t moved[SK_HALMA_SEATS] = { 0, 0 };
    bool is_enacted;

    table_resolve(&trial->table, trial->pointers);
    is_enacted = find_event(&trial->table.turn, HALMA_EVENT_MOVED) != NULL;
    if (!is_enacted) {
        return memcmp(before->piece, after->piece, config->unit_count * sizeof(before->piece[0])) ==
               0;
    }
    for (uint32_t i = 0; i < config->unit_count; i++) {
        moved[halma_units(config)[i].seat] +=
            !sk_cell_same(halma_cell_of(before, i), halma_cell_of(after, i));
    }
    return moved[0] <= 1 && moved[1] <= 1 &&
           find_event(&trial->table.turn, HALMA_EVENT_NOT_ENACTED) == NULL;
}

/* How many chains that continue the command's path are ok, without landing anywhere twice. */
static uint32_t
count_chains(struct table *table, uint8_t seat, struct halma_command *command, struct sk_cell start)
{
    uint32_t length = command->path.row.count;
    struct sk_cell from = length == 0 ? start : command->path.at[length - 1];
    uint32_t count = 0;

    for (int32_t i = 0; i < 9 && length < SK_HALMA_HINT_PATH_MAX; i++) {
        struct sk_cell to = sk_cell(from.x + 2 * (i % 3 - 1), from.y + 2 * (i / 3 - 1));
        bool is_loop = sk_cell_same(to, start);

        for (uint32_t j = 0; j < length; j++) {
            is_loop |= sk_cell_same(to, command->path.at[j]);
        }
        if (is_loop) {
            continue;
        }
        command->path.at[length] = to;
        command->path.row.count = length + 1;
        sk_match_submit(&table->match, &table->turn, seat, (struct sk_commands){ command, 1 });
        if (table->turn.judgements[seat][0].verdict == SK_VERDICT_OK) {
            count += 1 + count_chains(table, seat, command, start);
        }
        command->path.row.count = length;
    }
    return count;
}

/* Holding and stepping: tries every square around. */
static uint32_t
count_steps(struct table *table, uint8_t seat, struct halma_command *command, struct sk_cell start)
{
    uint32_t count = 0;

    for (int32_t i = 0; i < 9; i++) {
        command->path.at[0] = sk_cell(start.x + i % 3 - 1, start.y + i / 3 - 1);
        command->path.row.count = 1;
        sk_match_submit(&table->match, &table->turn, seat, (struct sk_commands){ command, 1 });
        count += table->turn.judgements[seat][0].verdict == SK_VERDICT_OK;
    }
    command->path.row.count = 0;
    return count;
}

/* All hints are ok (checked elsewhere) and different, so the counts must be equal. */
static bool
hints_leave_nothing_out(struct trial *trial)
{
    struct table *table = &trial->table;
    const struct halma_config *config = table->config;
    uint32_t unit = sk_rng_below(&trial->rng, config->unit_count);
    const struct halma_unit_config *named = &halma_units(config)[unit];
    struct sk_cell start = halma_cell_of(halma_position_of(table->match.state), unit);
    struct halma_command command = { .head = { HALMA_MOVE }, .unit = named->id };
    uint32_t hinted = 0;
    uint32_t expected;

    if (config->size * config->size > HINT_CELLS_MAX || sk_rng_below(&trial->rng, 8) != 0) {
        return true;
    }
    table_hints(table, named->seat, &trial->spare[0]);
    for (uint32_t i = 0; i < trial->spare[0].count; i++) {
        const struct halma_command *hint = commands_item(&trial->spare[0], i);

        hinted += sk_id_same(&hint->unit, &named->id);
    }
    if (hinted >= SK_HALMA_HINT_DETOURS_MAX) {
        return true; /* there may be more than are emitted */
    }
    expected = count_steps(table, named->seat, &command, start);
    expected += count_chains(table, named->seat, &command, start);
    sk_match_withdraw(&table->match, named->seat);
    return hinted == expected;
}

static struct property properties[] = {
    { .sentence = "no square holds three pieces", .holds = no_square_holds_three },
    { .sentence = "both seats move a piece or neither does", .holds = both_move_or_neither },
    { .sentence = "halma: hints contain every command that is ok alone",
      .holds = hints_leave_nothing_out },
};

/* ---- the breed --------------------------------------------------------------------------- */

const struct breed breed_halma = {
    .ruleset = &sk_ruleset_halma,
    .properties = properties,
    .property_count = SK_COUNT_OF(properties),
    .draw_params = draw_params,
    .draw_command = draw_command,
    .mirror_params = mirror_params,
    .mirror_command = mirror_command,
    .mirror_is_same = mirror_is_same,
};
