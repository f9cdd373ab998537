/*
 * sk_cell - a place on the board, the same for all seats: x to the right, y
 * down, (0,0) top-left.
 *
 * Commands carry any 32-bit numbers, so a cell is wide.  States store narrow
 * coordinates, once a cell is known to be on the board.
 */
#ifndef SK_GRID_H
#define SK_GRID_H

#include <stdbool.h>
#include <stdint.h>

struct sk_cell {
    int32_t x;
    int32_t y;
};

static inline struct sk_cell
sk_cell(int32_t x, int32_t y)
{
    return (struct sk_cell){ x, y };
}

static inline bool
sk_cell_same(struct sk_cell a, struct sk_cell b)
{
    return a.x == b.x && a.y == b.y;
}

/* Compares without arithmetic, because the coordinates may be any 32-bit numbers. */
static inline bool
sk_cell_on_grid(struct sk_cell cell, int32_t cols, int32_t rows)
{
    return cell.x >= 0 && cell.x < cols && cell.y >= 0 && cell.y < rows;
}

/* Steps in eight directions between any two cells. */
static inline int64_t
sk_cell_distance(struct sk_cell a, struct sk_cell b)
{
    int64_t dx = a.x < b.x ? (int64_t)b.x - a.x : (int64_t)a.x - b.x;
    int64_t dy = a.y < b.y ? (int64_t)b.y - a.y : (int64_t)a.y - b.y;

    return dx > dy ? dx : dy;
}

/* Index in reading order (y, then x).  Requires a cell on the grid. */
static inline uint32_t
sk_cell_index(struct sk_cell cell, int32_t cols)
{
    return (uint32_t)(cell.y * cols + cell.x);
}

#endif /* SK_GRID_H */
