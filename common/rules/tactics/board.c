/*
 * Patterns in use: which cells a unit can reach from a cell, and what it
 * affects there.  Written from the host's point of view; for the other seat a
 * pattern is turned by 180 degrees, targets and areas alike.
 */
#include <string.h>

#include "common/rules/tactics/internal.h"

/* An area is stored in reading order; turned by 180 degrees it is read from its end. */
static uint32_t
place_area(const struct tactics_config *config, const struct tactics_pattern *pattern, uint8_t seat,
           struct sk_cell target, struct sk_cell *ret_cells)
{
    const struct tactics_offset *offsets = tactics_part(config, pattern->area_at);
    int32_t sign = seat == 0 ? 1 : -1;
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
    uint8_t seat = tactics_units(config)[unit].seat;
    struct tactics_step step = tactics_step_of(seat, from, target);

    for (uint32_t i = 0; i < model->attack_count; i++) {
        const struct tactics_pattern *pattern = tactics_pattern_at(config, list[i]);
        const uint16_t *maps = tactics_part(config, pattern->maps_at);
        int32_t place = tactics_place_of(config, &pattern->targets, step);

        if (place < 0) {
            continue;
        }
        if (pattern->maps_at == 0 || maps[place] == TACTICS_NO_MAP) {
            ret_cells[0] = target;
            return 1;
        }
        return place_area(config, tactics_pattern_at(config, maps[place]), seat, target, ret_cells);
    }
    return 0;
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
    const struct tactics_unit *unit = position->unit;
    uint32_t count = config->unit_count;
    uint32_t cols = config->cols;

    memset(cells, 0, (size_t)config->rows * cols);
    for (uint32_t i = 1; i <= count; i++, unit++) {
        if (unit->health > 0) {
            cells[unit->y * cols + unit->x] = (uint8_t)i;
        }
    }
}
