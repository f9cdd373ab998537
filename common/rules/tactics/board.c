/*
 * Patterns in use: what a unit can reach from a cell and what it affects
 * there.  Written from the host's point of view; for the other seat a
 * pattern is turned by 180 degrees, targets and areas alike.
 */
#include <string.h>

#include "common/rules/tactics/internal.h"

/* The place of an offset in the pattern, or -1 where it is not a target. */
static int32_t
target_place(const struct tactics_config *config, const struct tactics_pattern *pattern, int64_t dx,
             int64_t dy)
{
    const uint64_t *rows = tactics_part(config, pattern->rows_at);
    int64_t x = dx + pattern->side / 2;
    int64_t y = dy + pattern->side / 2;

    if (x < 0 || x >= pattern->side || y < 0 || y >= pattern->side || (rows[y] >> x & 1) == 0) {
        return -1;
    }
    return (int32_t)(y * pattern->side + x);
}

/* Finds the first of the patterns that has the target; returns its place in the list or `count`. */
static uint32_t
find_target(const struct tactics_config *config, const uint16_t *list, uint32_t count, int sign,
            struct sk_cell from, struct sk_cell target, int32_t *ret_place)
{
    int64_t dx = sign * ((int64_t)target.x - from.x);
    int64_t dy = sign * ((int64_t)target.y - from.y);

    for (uint32_t i = 0; i < count; i++) {
        int32_t place = target_place(config, tactics_pattern_at(config, list[i]), dx, dy);

        if (place >= 0) {
            *ret_place = place;
            return i;
        }
    }
    return count;
}

static int
sign_of(const struct tactics_config *config, uint32_t unit)
{
    return tactics_units(config)[unit].seat == 0 ? 1 : -1;
}

bool
tactics_can_reach(const struct tactics_config *config, uint32_t unit, uint8_t kind,
                  struct sk_cell from, struct sk_cell target)
{
    const struct tactics_model *model = tactics_model_of(config, unit);
    bool is_move = kind == TACTICS_MOVE;
    uint32_t count = is_move ? model->move_count : model->attack_count;
    int32_t place;

    return find_target(config, tactics_part(config, is_move ? model->move_at : model->attack_at),
                       count, sign_of(config, unit), from, target, &place) < count;
}

/* An area is kept in reading order; turned by 180 degrees it is so from its end. */
static uint32_t
place_area(const struct tactics_config *config, const struct tactics_pattern *pattern, int sign,
           struct sk_cell target, struct sk_cell *ret_cells)
{
    const struct tactics_offset *offsets = tactics_part(config, pattern->area_at);
    uint32_t count = 0;

    for (uint32_t i = 0; i < pattern->area_count; i++) {
        struct tactics_offset offset = offsets[sign > 0 ? i : pattern->area_count - 1 - i];
        struct sk_cell cell = sk_cell(target.x + sign * offset.dx, target.y + sign * offset.dy);

        if (sk_cell_on_grid(cell, config->cols, config->rows)) {
            ret_cells[count++] = cell;
        }
    }
    return count;
}

uint32_t
tactics_area(const struct tactics_config *config, uint32_t unit, struct sk_cell from,
             struct sk_cell target, struct sk_cell *ret_cells)
{
    const struct tactics_model *model = tactics_model_of(config, unit);
    const uint16_t *list = tactics_part(config, model->attack_at);
    int sign = sign_of(config, unit);
    int32_t place;
    uint32_t found = find_target(config, list, model->attack_count, sign, from, target, &place);
    const struct tactics_pattern *pattern;
    const uint16_t *maps;

    if (found == model->attack_count) {
        return 0;
    }
    pattern = tactics_pattern_at(config, list[found]);
    maps = tactics_part(config, pattern->maps_at);
    if (pattern->maps_at == 0 || maps[place] == TACTICS_NO_MAP) {
        ret_cells[0] = target;
        return 1;
    }
    return place_area(config, tactics_pattern_at(config, maps[place]), sign, target, ret_cells);
}

bool
tactics_is_start_row(const struct tactics_config *config, uint8_t seat, int32_t y)
{
    return seat == 0 ? y >= config->rows - config->start_rows && y < config->rows
                     : y >= 0 && y < config->start_rows;
}

void
tactics_board_fill(const struct tactics_config *config, const struct tactics_position *position,
                   uint8_t *cells)
{
    memset(cells, 0, (size_t)config->rows * config->cols);
    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        if (tactics_is_alive(position, unit)) {
            cells[sk_cell_index(tactics_cell_of(position, unit), config->cols)] =
                (uint8_t)(unit + 1);
        }
    }
}
