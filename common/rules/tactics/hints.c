/*
 * Hints: every command that would be ok alone.  Reads the patterns' bits as
 * tactics_can_reach does, which the checks use.
 */
#include "common/rules/tactics/internal.h"

struct hunt {
    const struct tactics_config *config;
    const struct tactics_position *view;
    struct sk_hint_sink *sink;
    uint8_t seat;
    uint64_t taken[SK_GRID_MAX]; /* a row each, a bit per occupied cell */
};

_Static_assert(SK_GRID_MAX <= 64, "a row's cells are bits of one number");

static void
mark_units(struct hunt *hunt)
{
    for (uint32_t i = 0; i < hunt->config->unit_count; i++) {
        struct sk_cell cell = tactics_cell_of(hunt->view, i);

        if (tactics_is_alive(hunt->view, i)) {
            hunt->taken[cell.y] |= UINT64_C(1) << cell.x;
        }
    }
}

static bool
is_free(const struct hunt *hunt, struct sk_cell cell)
{
    return (hunt->taken[cell.y] >> cell.x & 1) == 0;
}

static bool
tell(const struct hunt *hunt, uint32_t unit, uint8_t kind, struct sk_cell target)
{
    struct tactics_command command = { .head = { kind },
                                       .unit = tactics_units(hunt->config)[unit].id,
                                       .target = target };

    return hunt->sink->take(hunt->sink, &command);
}

/* The functions below emit targets in reading order.  False = the receiver has enough. */
static bool
hint_places(const struct hunt *hunt, uint32_t unit)
{
    struct sk_cell from = tactics_cell_of(hunt->view, unit);

    for (int32_t y = 0; y < hunt->config->rows; y++) {
        for (int32_t x = 0;
             x < hunt->config->cols && tactics_is_start_row(hunt->config, hunt->seat, y); x++) {
            struct sk_cell target = sk_cell(x, y);

            if ((sk_cell_same(from, target) || is_free(hunt, target)) &&
                !tell(hunt, unit, TACTICS_PLACE, target)) {
                return false;
            }
        }
    }
    return true;
}

/* The targets of one row of a pattern: bits from the left, for seat 1 from the right. */
static bool
hint_row(const struct hunt *hunt, uint32_t unit, uint8_t kind, uint64_t bits, int32_t half,
         int32_t y)
{
    int32_t from = tactics_cell_of(hunt->view, unit).x;

    while (bits != 0) {
        int32_t bit = hunt->seat == 0 ? __builtin_ctzll(bits) : 63 - __builtin_clzll(bits);
        struct sk_cell target = sk_cell(hunt->seat == 0 ? from + bit - half : from + half - bit, y);

        bits &= ~(UINT64_C(1) << bit);
        if (target.x >= 0 && target.x < hunt->config->cols &&
            (kind == TACTICS_ATTACK || is_free(hunt, target)) && !tell(hunt, unit, kind, target)) {
            return false;
        }
    }
    return true;
}

/* Visits only the pattern's cells: a large board has hundreds of times as many. */
static bool
hint_targets(const struct hunt *hunt, uint32_t unit, uint8_t kind)
{
    const struct tactics_model *model = tactics_model_of(hunt->config, unit);
    const struct tactics_reach *reach = kind == TACTICS_MOVE ? &model->move : &model->attack;
    const uint64_t *rows = tactics_part(hunt->config, reach->rows_at);
    int32_t half = (int32_t)reach->side / 2;
    int32_t from = tactics_cell_of(hunt->view, unit).y;
    int32_t last = from + half < hunt->config->rows ? from + half : hunt->config->rows - 1;

    for (int32_t y = from > half ? from - half : 0; y <= last; y++) {
        if (!hint_row(hunt, unit, kind, rows[hunt->seat == 0 ? y - from + half : from - y + half],
                      half, y)) {
            return false;
        }
    }
    return true;
}

void
tactics_hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink)
{
    struct hunt hunt = { .config = config, .view = view, .sink = sink, .seat = seat };
    bool goes_on = true;

    mark_units(&hunt);
    for (uint32_t unit = 0; unit < hunt.config->unit_count && goes_on; unit++) {
        if (!tactics_is_alive(hunt.view, unit) || tactics_units(hunt.config)[unit].seat != seat) {
            continue;
        }
        if (hunt.view->phase == TACTICS_PLACEMENT) {
            goes_on = hint_places(&hunt, unit);
        } else {
            goes_on = hint_targets(&hunt, unit, TACTICS_MOVE) &&
                      hint_targets(&hunt, unit, TACTICS_ATTACK);
        }
    }
}
