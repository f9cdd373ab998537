/*
 * What a random setup guarantees about its board, one function per rule.
 * setup.c makes boards that follow all rules; these functions check any board.
 */
#include <string.h>

#include "common/rules/racers/internal.h"

struct board {
    const struct racers_config *config;
    const struct racers_position *position;
};

static bool
is_start(const struct board *board, struct racers_spot spot)
{
    return racers_spot_same(spot, board->position->start[0]) ||
           racers_spot_same(spot, board->position->start[1]);
}

static bool
is_wall(const struct board *board, struct racers_spot spot)
{
    return racers_is_wall(board->config, board->position, racers_cell(spot));
}

/* ---- starts and walls -------------------------------------------------------------------- */

static bool
starts_are_corners(const struct board *board)
{
    return racers_spot_same(board->position->start[0], racers_corner(board->config, 0)) &&
           racers_spot_same(board->position->start[1], racers_corner(board->config, 1));
}

static bool
walls_are_few(const struct board *board)
{
    return board->position->wall_count > 0 &&
           board->position->wall_count <=
               racers_share(racers_squares(board->config), RACERS_WALL_PERCENT);
}

static bool
walls_are_off_starts(const struct board *board)
{
    return !is_wall(board, board->position->start[0]) && !is_wall(board, board->position->start[1]);
}

/* Wall squares that touch each other, also diagonally. */
struct group {
    struct racers_spot from; /* of the rectangle around them */
    struct racers_spot to;
    uint32_t count;
};

static void
widen(struct group *group, struct racers_spot spot)
{
    group->from.x = spot.x < group->from.x ? spot.x : group->from.x;
    group->from.y = spot.y < group->from.y ? spot.y : group->from.y;
    group->to.x = spot.x > group->to.x ? spot.x : group->to.x;
    group->to.y = spot.y > group->to.y ? spot.y : group->to.y;
    group->count++;
}

static struct group
gather(const struct board *board, struct racers_spot first, bool is_seen[SK_GRID_MAX][SK_GRID_MAX])
{
    struct racers_spot queue[RACERS_SQUARES_MAX];
    struct group group = { .from = first, .to = first };
    uint32_t count = 1;

    queue[0] = first;
    is_seen[first.y][first.x] = true;
    for (uint32_t i = 0; i < count; i++) {
        widen(&group, queue[i]);
        for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
            struct sk_cell next = racers_neighbour(racers_cell(queue[i]), dir);

            if (racers_is_wall(board->config, board->position, next) && !is_seen[next.y][next.x]) {
                is_seen[next.y][next.x] = true;
                queue[count++] = racers_spot(next);
            }
        }
    }
    return group;
}

/* Two walls that touch are one group that is not straight, or is too long. */
static bool
is_one_wall(const struct board *board, const struct group *group)
{
    bool is_vertical = group->from.x == group->to.x;
    uint32_t side = is_vertical ? board->config->rows : board->config->cols;

    return (is_vertical || group->from.y == group->to.y) &&
           group->count >= RACERS_WALL_LENGTH_MIN &&
           group->count <= racers_share(side, RACERS_WALL_SIDE_PERCENT);
}

static bool
walls_are_straight_and_apart(const struct board *board)
{
    const struct racers_spot *walls = racers_walls(board->config, board->position);
    bool is_seen[SK_GRID_MAX][SK_GRID_MAX];

    memset(is_seen, 0, sizeof(is_seen));
    for (uint32_t i = 0; i < board->position->wall_count; i++) {
        if (!is_seen[walls[i].y][walls[i].x]) {
            struct group group = gather(board, walls[i], is_seen);

            if (!is_one_wall(board, &group)) {
                return false;
            }
        }
    }
    return true;
}

static bool
has_way(const struct board *board)
{
    struct racers_distances distances;
    struct racers_spot to = board->position->start[1];

    racers_measure(board->config, board->position, board->position->start[0], &distances);
    return distances.of[to.y][to.x] != RACERS_UNREACHED;
}

/* ---- items and teleporters --------------------------------------------------------------- */

/* Counts items of that kind less than `block` squares away from `from` in each direction. */
static uint32_t
count_items(const struct board *board, uint8_t kind, struct racers_spot from, int32_t block)
{
    const struct racers_item *items = racers_items(board->config, board->position);
    uint32_t count = 0;

    for (uint32_t i = 0; i < board->position->item_count; i++) {
        int32_t dx = items[i].at.x - from.x;
        int32_t dy = items[i].at.y - from.y;

        count += items[i].kind == kind && dx > -block && dx < block && dy > -block && dy < block;
    }
    return count;
}

static bool
has_share(const struct board *board, uint8_t kind, uint32_t percent)
{
    return count_items(board, kind, board->position->start[0], SK_GRID_MAX) ==
           racers_share(racers_squares(board->config), percent);
}

static bool
grenades_are_their_share(const struct board *board)
{
    return has_share(board, RACERS_GRENADE, RACERS_GRENADE_PERCENT);
}

static bool
discs_are_their_share(const struct board *board)
{
    return has_share(board, RACERS_DISC, RACERS_DISC_PERCENT);
}

static bool
teleporters_are_their_share(const struct board *board)
{
    uint32_t share = racers_share(racers_squares(board->config), RACERS_TELEPORTER_PERCENT);

    return board->position->teleporter_count == (share < 2 ? 0 : share);
}

static bool
is_near_both(const struct board *board, uint8_t kind, int32_t block)
{
    return count_items(board, kind, board->position->start[0], block) > 0 &&
           count_items(board, kind, board->position->start[1], block) > 0;
}

static bool
grenades_are_near_starts(const struct board *board)
{
    return is_near_both(board, RACERS_GRENADE, RACERS_GRENADE_BLOCK);
}

static bool
discs_are_near_starts(const struct board *board)
{
    return is_near_both(board, RACERS_DISC, RACERS_DISC_BLOCK);
}

static bool
items_are_placed_well(const struct board *board)
{
    const struct racers_item *items = racers_items(board->config, board->position);

    for (uint32_t i = 0; i < board->position->item_count; i++) {
        if (is_wall(board, items[i].at) || is_start(board, items[i].at) ||
            (items[i].kind == RACERS_GRENADE && items[i].state != RACERS_INACTIVE) ||
            count_items(board, items[i].kind, items[i].at, 1) > 1) {
            return false;
        }
    }
    return true;
}

static bool
teleporters_are_placed_well(const struct board *board)
{
    const struct racers_teleporter *teleporters =
        racers_teleporters(board->config, board->position);

    for (uint32_t i = 0; i < board->position->teleporter_count; i++) {
        if (is_wall(board, teleporters[i].at) || is_start(board, teleporters[i].at) ||
            racers_teleporter_on(board->config, board->position, racers_cell(teleporters[i].at)) !=
                &teleporters[i]) {
            return false;
        }
    }
    return true;
}

static bool
all_are_placed_well(const struct board *board)
{
    return items_are_placed_well(board) && teleporters_are_placed_well(board);
}

static bool
charged_disc_is_fair(const struct board *board)
{
    const struct racers_item *items = racers_items(board->config, board->position);
    struct racers_distances distances[RACERS_SEATS];
    uint32_t count = 0;

    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        racers_measure(board->config, board->position, board->position->start[seat],
                       &distances[seat]);
    }
    for (uint32_t i = 0; i < board->position->item_count; i++) {
        if (items[i].kind != RACERS_CHARGED_DISC) {
            continue;
        }
        if (++count > 1 || !racers_is_fair(distances, items[i].at)) {
            return false;
        }
    }
    return true;
}

static bool
teleporters_lead_to_others(const struct board *board)
{
    const struct racers_teleporter *teleporters =
        racers_teleporters(board->config, board->position);

    for (uint32_t i = 0; i < board->position->teleporter_count; i++) {
        const struct racers_teleporter *to =
            racers_teleporter_on(board->config, board->position, racers_cell(teleporters[i].to));

        if (to == NULL || to == &teleporters[i]) {
            return false;
        }
    }
    return true;
}

/* ---- the table --------------------------------------------------------------------------- */

#define WORD(number, word) word,
const char *const racers_setup_words[] = { RACERS_SETUP_RULES(WORD) };
#undef WORD

bool
racers_ask_setup(const void *config, const struct sk_state *state, enum racers_setup_rule rule)
{
    static bool (*const holds[RACERS_SETUP_RULE_COUNT])(const struct board *board) = {
        [RACERS_SETUP_STARTS] = starts_are_corners,
        [RACERS_SETUP_WALL_COUNT] = walls_are_few,
        [RACERS_SETUP_WALL_SHAPE] = walls_are_straight_and_apart,
        [RACERS_SETUP_WALL_PLACE] = walls_are_off_starts,
        [RACERS_SETUP_WAY] = has_way,
        [RACERS_SETUP_GRENADES] = grenades_are_their_share,
        [RACERS_SETUP_DISCS] = discs_are_their_share,
        [RACERS_SETUP_TELEPORTERS] = teleporters_are_their_share,
        [RACERS_SETUP_PLACES] = all_are_placed_well,
        [RACERS_SETUP_NEAR_GRENADE] = grenades_are_near_starts,
        [RACERS_SETUP_NEAR_DISC] = discs_are_near_starts,
        [RACERS_SETUP_CHARGED_DISC] = charged_disc_is_fair,
        [RACERS_SETUP_DESTINATIONS] = teleporters_lead_to_others,
    };
    const struct board board = { config, racers_position_of(state) };

    return holds[rule](&board);
}
