/*
 * The first board, placed at random.
 *
 * Everything is chosen from lists of allowed squares, so placing always
 * terminates.  Only walls are placed by trial, a bounded number of times: what
 * does not fit is left out, and a wall that always fits is used if none did.
 *
 * Walls are straight, at most half a side long, and never touch each other.  So
 * neither one nor two of them can cut the board in two, and a path from start
 * to start always remains.
 */
#include <string.h>

#include "common/base/status.h"
#include "common/rules/racers/internal.h"

#define WALL_TRIES(squares) (64 + (squares) / 4)

struct ground {
    const struct racers_config *config;
    struct racers_position *position;
    struct sk_rng rng;
    bool is_near_wall[SK_GRID_MAX][SK_GRID_MAX]; /* a wall, or next to one */
};

/* Squares to choose from. */
struct choice {
    struct racers_spot spots[RACERS_SQUARES_MAX];
    uint32_t count;
};

static uint32_t
draw(struct ground *ground, uint32_t bound)
{
    return sk_rng_below(&ground->rng, bound);
}

struct racers_spot
racers_corner(const struct racers_config *config, uint8_t seat)
{
    return seat == 0 ? (struct racers_spot){ 0, (uint8_t)(config->rows - 1) }
                     : (struct racers_spot){ (uint8_t)(config->cols - 1), 0 };
}

static bool
is_start(const struct ground *ground, uint32_t x, uint32_t y)
{
    struct sk_cell cell = sk_cell((int32_t)x, (int32_t)y);

    return racers_spot_is(ground->position->start[0], cell) ||
           racers_spot_is(ground->position->start[1], cell);
}

/* ---- walls ------------------------------------------------------------------------------- */

struct wall {
    uint32_t x;
    uint32_t y;
    uint32_t length;
    bool is_vertical;
};

static struct racers_spot
wall_spot(const struct wall *wall, uint32_t i)
{
    return (struct racers_spot){ (uint8_t)(wall->x + (wall->is_vertical ? 0 : i)),
                                 (uint8_t)(wall->y + (wall->is_vertical ? i : 0)) };
}

static bool
wall_fits(const struct ground *ground, const struct wall *wall)
{
    for (uint32_t i = 0; i < wall->length; i++) {
        struct racers_spot spot = wall_spot(wall, i);

        if (ground->is_near_wall[spot.y][spot.x] || is_start(ground, spot.x, spot.y)) {
            return false;
        }
    }
    return true;
}

static void
shade(struct ground *ground, struct racers_spot spot)
{
    const struct racers_config *config = ground->config;

    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        struct sk_cell cell = racers_neighbour(racers_cell(spot), dir);

        if (racers_on_grid(config, cell)) {
            ground->is_near_wall[cell.y][cell.x] = true;
        }
    }
    ground->is_near_wall[spot.y][spot.x] = true;
}

static void
build_wall(struct ground *ground, const struct wall *wall)
{
    for (uint32_t i = 0; i < wall->length; i++) {
        racers_wall_add(ground->config, ground->position, wall_spot(wall, i));
        shade(ground, wall_spot(wall, i));
    }
}

/* A random wall of at most `longest` squares, anywhere on the board. */
static struct wall
draw_wall(struct ground *ground, uint32_t longest)
{
    const struct racers_config *config = ground->config;
    bool is_vertical = draw(ground, 2) == 1;
    uint32_t side = is_vertical ? config->rows : config->cols;
    uint32_t most = racers_share(side, RACERS_WALL_SIDE_PERCENT);
    struct wall wall = { .is_vertical = is_vertical };

    most = most < longest ? most : longest;
    wall.length = RACERS_WALL_LENGTH_MIN + draw(ground, most - RACERS_WALL_LENGTH_MIN + 1);
    wall.x = draw(ground, config->cols - (is_vertical ? 1 : wall.length) + 1);
    wall.y = draw(ground, config->rows - (is_vertical ? wall.length : 1) + 1);
    return wall;
}

/* The amount of wall is drawn first, so that boards differ in it. */
static void
place_walls(struct ground *ground)
{
    const struct racers_config *config = ground->config;
    uint32_t squares = racers_squares(config);
    uint32_t most = racers_share(squares, RACERS_WALL_PERCENT);
    uint32_t left = RACERS_WALL_LENGTH_MIN + draw(ground, most - RACERS_WALL_LENGTH_MIN + 1);

    for (uint32_t i = 0; i < WALL_TRIES(squares) && left >= RACERS_WALL_LENGTH_MIN; i++) {
        struct wall wall = draw_wall(ground, left);

        if (wall_fits(ground, &wall)) {
            build_wall(ground, &wall);
            left -= wall.length;
        }
    }
    if (ground->position->wall_count == 0) {
        build_wall(ground, &(struct wall){ config->cols / 2u, config->rows / 2u,
                                           RACERS_WALL_LENGTH_MIN, false });
    }
}

/* ---- items and teleporters --------------------------------------------------------------- */

static bool
is_free(const struct ground *ground, uint32_t x, uint32_t y)
{
    return (ground->position->wall_row[y] >> x & 1) == 0 && !is_start(ground, x, y);
}

static bool
holds(const struct ground *ground, uint8_t kind, uint32_t x, uint32_t y)
{
    return racers_item_to_pick_up(ground->config, ground->position, sk_cell((int32_t)x, (int32_t)y),
                                  kind) != RACERS_NOWHERE;
}

/* All free squares of a rectangle. */
static void
choose_within(const struct ground *ground, uint32_t left, uint32_t top, uint32_t cols,
              uint32_t rows, struct choice *choice)
{
    choice->count = 0;
    for (uint32_t y = top; y < top + rows; y++) {
        for (uint32_t x = left; x < left + cols; x++) {
            if (is_free(ground, x, y)) {
                choice->spots[choice->count++] = (struct racers_spot){ (uint8_t)x, (uint8_t)y };
            }
        }
    }
}

static struct racers_spot
take_one(struct ground *ground, struct choice *choice)
{
    uint32_t place = draw(ground, choice->count);
    struct racers_spot spot = choice->spots[place];

    choice->spots[place] = choice->spots[--choice->count];
    return spot;
}

static void
put_item(struct ground *ground, uint8_t kind, struct racers_spot at)
{
    racers_item_add(ground->config, ground->position, (struct racers_item){ at, kind, 0 });
}

/* One in the block at each start: bottom-left of seat 0, top-right of seat 1. */
static void
place_at_starts(struct ground *ground, uint8_t kind, uint32_t block, struct choice *choice)
{
    const struct racers_config *config = ground->config;

    choose_within(ground, 0, config->rows - block, block, block, choice);
    put_item(ground, kind, take_one(ground, choice));
    choose_within(ground, config->cols - block, 0, block, block, choice);
    put_item(ground, kind, take_one(ground, choice));
}

static void
place_items(struct ground *ground, uint8_t kind, uint32_t count, uint32_t block,
            struct choice *choice)
{
    const struct racers_config *config = ground->config;
    uint32_t kept = 0;

    place_at_starts(ground, kind, block, choice);
    choose_within(ground, 0, 0, config->cols, config->rows, choice);
    for (uint32_t i = 0; i < choice->count; i++) {
        if (!holds(ground, kind, choice->spots[i].x, choice->spots[i].y)) {
            choice->spots[kept++] = choice->spots[i];
        }
    }
    choice->count = kept;
    for (uint32_t i = RACERS_SEATS; i < count; i++) {
        put_item(ground, kind, take_one(ground, choice));
    }
}

static void
place_teleporters(struct ground *ground, struct choice *choice)
{
    const struct racers_config *config = ground->config;
    struct racers_teleporter *teleporters = racers_teleporter_space(config, ground->position);
    uint32_t count = racers_share(racers_squares(config), RACERS_TELEPORTER_PERCENT);

    if (count < 2) {
        return;
    }
    choose_within(ground, 0, 0, config->cols, config->rows, choice);
    for (uint32_t i = 0; i < count; i++) {
        teleporters[i].at = take_one(ground, choice);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = draw(ground, count - 1);

        teleporters[i].to = teleporters[other < i ? other : other + 1].at;
    }
    ground->position->teleporter_count = (uint16_t)count;
}

/* ---- the charged disc -------------------------------------------------------------------- */

void
racers_measure(const struct racers_config *config, const struct racers_position *position,
               struct racers_spot from, struct racers_distances *ret_distances)
{
    struct racers_spot queue[RACERS_SQUARES_MAX];
    uint32_t count = 1;

    memset(ret_distances, 0xff, sizeof(*ret_distances));
    ret_distances->of[from.y][from.x] = 0;
    queue[0] = from;
    for (uint32_t i = 0; i < count; i++) {
        struct racers_spot at = queue[i];

        for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
            struct sk_cell next = racers_neighbour(racers_cell(at), dir);

            if (racers_on_grid(config, next) && !racers_is_wall(config, position, next) &&
                ret_distances->of[next.y][next.x] == RACERS_UNREACHED) {
                ret_distances->of[next.y][next.x] = (uint16_t)(ret_distances->of[at.y][at.x] + 1);
                queue[count++] = racers_spot(next);
            }
        }
    }
}

bool
racers_is_fair(const struct racers_distances distances[RACERS_SEATS], struct racers_spot spot)
{
    int32_t first = distances[0].of[spot.y][spot.x];
    int32_t second = distances[1].of[spot.y][spot.x];

    return first != RACERS_UNREACHED && second != RACERS_UNREACHED &&
           first - second <= RACERS_CHARGED_MARGIN && second - first <= RACERS_CHARGED_MARGIN;
}

static void
place_charged_disc(struct ground *ground, struct choice *choice)
{
    const struct racers_config *config = ground->config;
    struct racers_distances distances[RACERS_SEATS];
    uint32_t kept = 0;

    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        racers_measure(config, ground->position, ground->position->start[seat], &distances[seat]);
    }
    choose_within(ground, 0, 0, config->cols, config->rows, choice);
    for (uint32_t i = 0; i < choice->count; i++) {
        if (racers_is_fair(distances, choice->spots[i])) {
            choice->spots[kept++] = choice->spots[i];
        }
    }
    choice->count = kept;
    if (kept > 0) {
        put_item(ground, RACERS_CHARGED_DISC, take_one(ground, choice));
    }
}

/* ---- the whole --------------------------------------------------------------------------- */

void
racers_setup_board(const struct racers_config *config, const struct sk_seed *seed,
                   struct racers_position *ret_position)
{
    uint32_t squares = racers_squares(config);
    struct ground ground = { .config = config, .position = ret_position };
    struct choice choice;

    sk_rng_start(&ground.rng, seed, 0, RACERS_CHANCE_BOARD);
    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        ret_position->start[seat] = racers_corner(config, seat);
    }
    place_walls(&ground);
    place_items(&ground, RACERS_GRENADE, racers_share(squares, RACERS_GRENADE_PERCENT),
                RACERS_GRENADE_BLOCK, &choice);
    place_items(&ground, RACERS_DISC, racers_share(squares, RACERS_DISC_PERCENT), RACERS_DISC_BLOCK,
                &choice);
    place_teleporters(&ground, &choice);
    place_charged_disc(&ground, &choice);
}

void
racers_setup_racers(struct racers_position *position)
{
    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        position->racer[seat].at = position->start[seat];
    }
    position->active = 0;
}
