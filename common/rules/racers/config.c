/*
 * Builds a config from params: sizes and offsets of a position on this board,
 * and the board itself if params give one.
 */
#include "common/rules/racers/internal.h"

const struct racers_params racers_default_params = {
    .rows = SK_RACERS_GRID_DEFAULT,
    .cols = SK_RACERS_GRID_DEFAULT,
    .failure_permille = SK_RACERS_FAILURE_PERMILLE_DEFAULT,
    .turn_limit = SK_RACERS_TURN_LIMIT_DEFAULT,
};

/* Reserves space for `count` items after `*end`, aligned for any of them. */
static uint32_t
lay_out(uint32_t *end, uint32_t count, size_t size)
{
    uint32_t at = (*end + 7) & ~7u;

    *end = at + count * (uint32_t)size;
    return at;
}

static void
lay_out_position(struct racers_config *config)
{
    uint32_t squares = racers_squares(config);
    uint32_t end = (uint32_t)(sizeof(struct racers_position) + config->rows * sizeof(uint64_t));

    config->walls_at = lay_out(&end, squares, sizeof(struct racers_spot));
    config->teleporters_at = lay_out(&end, squares, sizeof(struct racers_teleporter));
    config->items_at = lay_out(&end, RACERS_ITEMS_MAX(squares), sizeof(struct racers_item));
    config->failures_at =
        lay_out(&end, RACERS_FAILURES_MAX(squares), sizeof(struct racers_failure));
    config->position_size = lay_out(&end, 0, 1);
}

static uint16_t
count_grenades(const struct racers_config *config, const struct racers_position *position)
{
    const struct racers_item *items = racers_items(config, position);
    uint16_t count = 0;

    for (uint32_t i = 0; i < position->item_count; i++) {
        count = (uint16_t)(count + (items[i].kind == RACERS_GRENADE));
    }
    return count;
}

static enum sk_status
build_board(struct racers_config *config, const struct racers_ground_form *form,
            struct sk_arena *arena, struct sk_fault *fault)
{
    struct racers_position *board = sk_arena_take(arena, config->position_size);
    enum sk_status status;

    if (board == NULL) {
        return sk_fault_too_large(fault);
    }
    config->board_at = (uint32_t)((uint8_t *)board - (uint8_t *)config);
    status = racers_ground_read(config, form, board, fault);
    if (status == SK_OK) {
        status = racers_ground_check(config, board, true, fault);
    }
    if (status != SK_OK) {
        sk_fault_inside(fault, SK_TEXT("board"));
        return status;
    }
    config->grenade_count = count_grenades(config, board);
    return SK_OK;
}

enum sk_status
racers_config_build(const void *params, struct sk_arena *ret_config, struct sk_arena *scratch,
                    struct sk_fault *ret_fault)
{
    const struct racers_params *from = params;
    struct racers_config *config = sk_arena_take(ret_config, sizeof(*config));

    (void)scratch;
    if (config == NULL) {
        return sk_fault_too_large(ret_fault);
    }
    config->rows = (uint8_t)from->rows;
    config->cols = (uint8_t)from->cols;
    config->failure_permille = (uint16_t)from->failure_permille;
    config->turn_limit = (uint32_t)from->turn_limit;
    config->grenade_count = (uint16_t)racers_share(racers_squares(config), RACERS_GRENADE_PERCENT);
    lay_out_position(config);
    return from->has_board ? build_board(config, &from->board, ret_config, ret_fault) : SK_OK;
}
