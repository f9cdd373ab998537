/*
 * How the server plays adversaries: toward the nearest hero within reach, else
 * (a kind that walks through walls) toward a wall, else anywhere.
 *
 * Only moves that the checks accept are considered, using a view of the whole
 * level.  Path lengths count steps over tiles that the kind may walk on; units
 * on them are ignored, because they may have moved on by then.
 */
#include <string.h>

#include "common/rules/snarl/internal.h"

#define FAR UINT16_MAX /* unreachable */

struct hunt {
    const struct snarl_config *config;
    const struct snarl_level *level;
    const struct snarl_position *position;
    const struct snarl_kind_facts *facts;
    struct sk_cell at;
    uint16_t *distances; /* one per tile of the level */
    uint16_t *queue;     /* of tiles, by index */
    uint32_t queued;
};

/* ---- path lengths ------------------------------------------------------------------------ */

static struct sk_cell
cell_at(const struct hunt *hunt, uint32_t place)
{
    return sk_cell((int32_t)place % hunt->level->cols, (int32_t)place / hunt->level->cols);
}

static struct sk_cell
beside(struct sk_cell cell, uint32_t direction)
{
    return sk_cell(cell.x + snarl_directions[direction].x, cell.y + snarl_directions[direction].y);
}

static bool
walks_on(const struct hunt *hunt, struct sk_cell cell)
{
    char tile = snarl_tile(hunt->config, hunt->level, cell);

    return tile == SNARL_FLOOR || (tile == SNARL_DOOR && hunt->facts->enters_doors);
}

static uint16_t
distance_of(const struct hunt *hunt, struct sk_cell cell)
{
    return sk_cell_on_grid(cell, hunt->level->cols, hunt->level->rows)
               ? hunt->distances[sk_cell_index(cell, hunt->level->cols)]
               : FAR;
}

static void
begin_search(struct hunt *hunt)
{
    memset(hunt->distances, 0xff,
           (size_t)hunt->level->cols * (size_t)hunt->level->rows * sizeof(hunt->distances[0]));
    hunt->queued = 0;
}

static void
reach(struct hunt *hunt, struct sk_cell cell, uint16_t distance)
{
    uint32_t place = sk_cell_index(cell, hunt->level->cols);

    hunt->distances[place] = distance;
    hunt->queue[hunt->queued++] = (uint16_t)place;
}

/* Extends the search backwards from the tiles reached so far. */
static void
search(struct hunt *hunt)
{
    for (uint32_t i = 0; i < hunt->queued; i++) {
        struct sk_cell cell = cell_at(hunt, hunt->queue[i]);

        for (uint32_t direction = 0; direction < SNARL_DIRECTIONS; direction++) {
            struct sk_cell next = beside(cell, direction);

            if (walks_on(hunt, next) && distance_of(hunt, next) == FAR) {
                reach(hunt, next, (uint16_t)(distance_of(hunt, cell) + 1));
            }
        }
    }
}

/* The distance of each tile from the hero, who may be where the kind itself cannot go. */
static void
search_hero(struct hunt *hunt, uint8_t hero)
{
    begin_search(hunt);
    reach(hunt, hunt->position->hero[hero].at, 0);
    search(hunt);
}

static void
search_walls(struct hunt *hunt)
{
    begin_search(hunt);
    for (int32_t y = 0; y < hunt->level->rows; y++) {
        for (int32_t x = 0; x < hunt->level->cols; x++) {
            if (snarl_tile(hunt->config, hunt->level, sk_cell(x, y)) == SNARL_WALL) {
                reach(hunt, sk_cell(x, y), 0);
            }
        }
    }
    search(hunt);
}

/* ---- whom to hunt ------------------------------------------------------------------------ */

/* Whether the kind may hunt a hero there at all. */
static bool
is_in_reach(const struct hunt *hunt, struct sk_cell cell, uint16_t distance)
{
    uint8_t room = snarl_room_at(hunt->config, hunt->level, hunt->at);

    if (distance == FAR) {
        return false;
    }
    return hunt->facts->hunts_in_room
               ? room != SNARL_NO_ROOM && room == snarl_room_at(hunt->config, hunt->level, cell)
               : distance <= hunt->facts->hunts_within;
}

/* The nearest hero within reach, the lowest number among equals, or SNARL_NO_UNIT. */
static uint8_t
find_prey(struct hunt *hunt)
{
    uint8_t prey = SNARL_NO_UNIT;
    uint16_t nearest = FAR;

    for (uint8_t hero = 0; hero < hunt->config->hero_count; hero++) {
        uint16_t distance;

        if (hunt->position->hero[hero].status != SNARL_ACTIVE) {
            continue;
        }
        search_hero(hunt, hero);
        distance = distance_of(hunt, hunt->at);
        if (distance < nearest && is_in_reach(hunt, hunt->position->hero[hero].at, distance)) {
            prey = hero;
            nearest = distance;
        }
    }
    return prey;
}

/* ---- which step -------------------------------------------------------------------------- */

/* The step that leads nearest, the first among equals. */
static struct sk_cell
nearest_step(const struct hunt *hunt, const struct sk_cell *steps, uint32_t count)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < count; i++) {
        if (distance_of(hunt, steps[i]) < distance_of(hunt, steps[best])) {
            best = i;
        }
    }
    return steps[best];
}

static bool
leads_anywhere(const struct hunt *hunt, const struct sk_cell *steps, uint32_t count)
{
    return distance_of(hunt, nearest_step(hunt, steps, count)) != FAR;
}

static uint32_t
find_steps(const struct sk_turn *turn, const struct hunt *hunt, uint8_t unit,
           struct sk_cell ret_steps[SNARL_REACH_MAX])
{
    struct snarl_view *view = turn->view;
    uint32_t reached;
    uint32_t count = 0;

    memset(view, 0, turn->sizes.view);
    snarl_view_whole(hunt->config, hunt->position, view);
    reached = snarl_reach(hunt->config, view, unit, ret_steps);
    for (uint32_t i = 0; i < reached; i++) {
        if (snarl_judge_destination(hunt->config, view, unit, ret_steps[i]) == SK_VERDICT_OK) {
            ret_steps[count++] = ret_steps[i];
        }
    }
    return count;
}

struct sk_cell
snarl_choose_step(const struct sk_turn *turn, uint8_t unit, struct sk_rng *rng)
{
    const struct snarl_config *config = turn->config;
    const struct snarl_position *position = snarl_position(turn->after);
    const struct snarl_level *level = snarl_level_at(config, position->level);
    uint32_t place = unit - SNARL_FIRST_ADVERSARY;
    struct hunt hunt = {
        .config = config,
        .level = level,
        .position = position,
        .facts = &snarl_kinds[snarl_adversaries_of(config, level)[place].kind],
        .at = position->adversary[place].at,
        .distances = snarl_work_distances(turn->work),
        .queue = snarl_work_distances(turn->work) + config->tiles_max,
    };
    struct sk_cell steps[SNARL_REACH_MAX];
    uint32_t count = find_steps(turn, &hunt, unit, steps);
    uint8_t prey = count == 0 ? SNARL_NO_UNIT : find_prey(&hunt);

    if (count == 0) {
        return hunt.at;
    }
    if (prey != SNARL_NO_UNIT) {
        search_hero(&hunt, prey);
        return nearest_step(&hunt, steps, count);
    }
    if (hunt.facts->enters_walls) {
        search_walls(&hunt);
        if (leads_anywhere(&hunt, steps, count)) {
            return nearest_step(&hunt, steps, count);
        }
    }
    return steps[sk_rng_below(rng, count)];
}
