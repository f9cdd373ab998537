/*
 * Hints: every command that would be ok alone.  Reads the patterns' bits as
 * tactics_can_reach does, which the checks use, a row of the board at a time.
 */
#include "common/rules/tactics/internal.h"

struct hunt {
    const struct tactics_config *config;
    const struct tactics_position *view;
    struct sk_hint_sink *sink;
    uint8_t seat;
    uint64_t board;              /* the columns of the board */
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

/* The commands of a unit with these targets, in reading order.  False = the receiver has enough. */
static bool
tell(const struct hunt *hunt, uint32_t unit, uint8_t kind, int32_t y, uint32_t count,
     const uint64_t *columns)
{
    struct tactics_command command = { .head = { kind },
                                       .unit = tactics_units(hunt->config)[unit].id };

    if (hunt->sink->take_cells != NULL) {
        return hunt->sink->take_cells(hunt->sink, &command,
                                      offsetof(struct tactics_command, target), y, count, columns);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint64_t left = columns[i]; left != 0; left &= left - 1) {
            command.target = sk_cell(__builtin_ctzll(left), y + (int32_t)i);
            if (!hunt->sink->take(hunt->sink, &command)) {
                return false;
            }
        }
    }
    return true;
}

/* The unit's own cell counts as free. */
static bool
hint_places(const struct hunt *hunt, uint32_t unit)
{
    struct sk_cell from = tactics_cell_of(hunt->view, unit);
    uint64_t columns[SK_GRID_MAX];

    for (int32_t y = 0; y < hunt->config->rows; y++) {
        uint64_t own = y == from.y ? UINT64_C(1) << from.x : 0;

        columns[y] = tactics_is_start_row(hunt->config, hunt->seat, y)
                         ? (~hunt->taken[y] | own) & hunt->board
                         : 0;
    }
    return tell(hunt, unit, TACTICS_PLACE, 0, hunt->config->rows, columns);
}

/* Bit 0 becomes bit 63, and so on. */
static uint64_t
reversed(uint64_t bits)
{
    static const uint64_t masks[] = { UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333),
                                      UINT64_C(0x0f0f0f0f0f0f0f0f) };

    for (uint32_t i = 0; i < SK_COUNT_OF(masks); i++) {
        bits = (bits >> (1u << i) & masks[i]) | (bits & masks[i]) << (1u << i);
    }
    return __builtin_bswap64(bits);
}

/* The columns that a row of a pattern reaches from column `from`; for seat 1 it is turned. */
static uint64_t
reached(const struct hunt *hunt, uint64_t bits, int32_t half, int32_t from)
{
    if (bits == 0) {
        return 0;
    }
    if (hunt->seat != 0) {
        bits = reversed(bits) >> (63 - 2 * half);
    }
    return (from >= half ? bits << (from - half) : bits >> (half - from)) & hunt->board;
}

_Static_assert(SK_TACTICS_PATTERN_SIDE_MAX < 64, "a turned row of a pattern fits, too");

/* Visits only the pattern's rows: a large board has many times as many. */
static bool
hint_targets(const struct hunt *hunt, uint32_t unit, uint8_t kind)
{
    const struct tactics_model *model = tactics_model_of(hunt->config, unit);
    const struct tactics_reach *reach = kind == TACTICS_MOVE ? &model->move : &model->attack;
    const uint64_t *rows = tactics_part(hunt->config, reach->rows_at);
    struct sk_cell from = tactics_cell_of(hunt->view, unit);
    int32_t half = (int32_t)reach->side / 2;
    int32_t first = from.y > half ? from.y - half : 0;
    int32_t last = from.y + half < hunt->config->rows ? from.y + half : hunt->config->rows - 1;
    uint64_t columns[SK_GRID_MAX];

    for (int32_t y = first; y <= last; y++) {
        uint64_t bits = rows[hunt->seat == 0 ? y - from.y + half : from.y - y + half];

        columns[y - first] = reached(hunt, bits, half, from.x) &
                             (kind == TACTICS_ATTACK ? ~UINT64_C(0) : ~hunt->taken[y]);
    }
    return tell(hunt, unit, kind, first, (uint32_t)(last - first + 1), columns);
}

void
tactics_hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink)
{
    struct hunt hunt = { .config = config, .view = view, .sink = sink, .seat = seat };
    bool goes_on = true;

    hunt.board = ~UINT64_C(0) >> (64 - hunt.config->cols);
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
