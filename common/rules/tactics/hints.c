/*
 * Hints: every command that would be ok alone, asked of the same functions
 * as the checks, so that a hint is never refused.
 */
#include "common/rules/tactics/internal.h"

struct hunt {
    const struct tactics_config *config;
    const struct tactics_position *view;
    struct sk_hint_sink *sink;
    uint8_t seat;
};

static bool
is_free(const struct hunt *hunt, struct sk_cell cell)
{
    for (uint32_t i = 0; i < hunt->config->unit_count; i++) {
        if (tactics_is_alive(hunt->view, i) && sk_cell_same(tactics_cell_of(hunt->view, i), cell)) {
            return false;
        }
    }
    return true;
}

static bool
is_legal(const struct hunt *hunt, uint32_t unit, uint8_t kind, struct sk_cell target)
{
    struct sk_cell from = tactics_cell_of(hunt->view, unit);

    if (kind == TACTICS_PLACE) {
        return tactics_is_start_row(hunt->config, hunt->seat, target.y) &&
               (sk_cell_same(from, target) || is_free(hunt, target));
    }
    return tactics_can_reach(hunt->config, unit, kind, from, target) &&
           (kind == TACTICS_ATTACK || is_free(hunt, target));
}

/* Targets in reading order.  False = the taker has enough. */
static bool
hint_unit(const struct hunt *hunt, uint32_t unit, uint8_t kind)
{
    struct tactics_command command = { .head = { kind },
                                       .unit = tactics_units(hunt->config)[unit].id };

    for (int32_t y = 0; y < hunt->config->rows; y++) {
        for (int32_t x = 0; x < hunt->config->cols; x++) {
            command.target = sk_cell(x, y);
            if (is_legal(hunt, unit, kind, command.target) &&
                !hunt->sink->take(hunt->sink, &command)) {
                return false;
            }
        }
    }
    return true;
}

void
tactics_hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink)
{
    struct hunt hunt = { .config = config, .view = view, .sink = sink, .seat = seat };
    bool goes_on = true;

    for (uint32_t unit = 0; unit < hunt.config->unit_count && goes_on; unit++) {
        if (!tactics_is_alive(hunt.view, unit) || tactics_units(hunt.config)[unit].seat != seat) {
            continue;
        }
        if (hunt.view->phase == TACTICS_PLACEMENT) {
            goes_on = hint_unit(&hunt, unit, TACTICS_PLACE);
        } else {
            goes_on =
                hint_unit(&hunt, unit, TACTICS_MOVE) && hint_unit(&hunt, unit, TACTICS_ATTACK);
        }
    }
}
