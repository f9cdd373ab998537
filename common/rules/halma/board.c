/*
 * The board: occupied squares, kinds of legs of a path, and whose destinations
 * are full.
 */
#include <string.h>

#include "common/rules/halma/internal.h"

void
halma_board_fill(const struct halma_config *config, const struct halma_position *position,
                 struct halma_board *ret_board)
{
    const struct halma_piece *piece = position->piece;

    memset(ret_board->taken, 0, config->size * sizeof(ret_board->taken[0]));
    for (uint32_t i = 0; i < config->unit_count; i++, piece++) {
        ret_board->taken[piece->y] |= (uint64_t)1 << piece->x;
    }
}

/* The distance between any two 32-bit numbers fits into 64 bits. */
static int64_t
distance(int32_t a, int32_t b)
{
    return a < b ? (int64_t)b - a : (int64_t)a - b;
}

enum halma_leg
halma_leg_of(struct sk_cell from, struct sk_cell to)
{
    int64_t dx = distance(from.x, to.x);
    int64_t dy = distance(from.y, to.y);

    if (dx == 0 && dy == 0) {
        return HALMA_HOLD;
    }
    if (dx <= 1 && dy <= 1) {
        return HALMA_STEP;
    }
    return (dx == 0 || dx == 2) && (dy == 0 || dy == 2) ? HALMA_JUMP : HALMA_NO_LEG;
}

static int32_t
count_bits(uint64_t bits)
{
    int32_t count = 0;

    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

struct halma_filling
halma_count_filled(const struct halma_config *config, const struct halma_position *position,
                   uint8_t seat)
{
    const struct halma_unit_config *units = halma_units(config);
    const uint64_t *rows = halma_destinations(config, seat);
    struct halma_filling filled = { 0, 0, 0 };
    struct halma_board all;
    struct halma_board own = { .taken = { 0 } };

    halma_board_fill(config, position, &all);
    for (uint32_t i = 0; i < config->unit_count; i++) {
        const struct halma_piece *piece = &position->piece[i];

        own.taken[piece->y] |= (uint64_t)(units[i].seat == seat) << piece->x;
    }
    for (uint8_t y = 0; y < config->size; y++) {
        filled.own += count_bits(rows[y] & own.taken[y]);
        filled.others += count_bits(rows[y] & all.taken[y] & ~own.taken[y]);
        filled.free += count_bits(rows[y] & ~all.taken[y]);
    }
    return filled;
}

/* Called twice per turn, so it stops at the first free destination and counts nothing. */
bool
halma_is_halmate(const struct halma_config *config, const struct halma_position *position,
                 uint8_t seat)
{
    const struct halma_unit_config *units = halma_units(config);
    const uint64_t *rows = halma_destinations(config, seat);
    struct halma_board board;
    bool has_own = false;

    halma_board_fill(config, position, &board);
    for (uint8_t y = 0; y < config->size; y++) {
        if ((rows[y] & ~board.taken[y]) != 0) {
            return false;
        }
    }
    for (uint32_t i = 0; i < config->unit_count; i++) {
        const struct halma_piece *piece = &position->piece[i];

        has_own |= units[i].seat == seat && (rows[piece->y] >> piece->x & 1) != 0;
    }
    return has_own;
}
