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
    uint8_t kind;
    struct sk_cell at;
    struct snarl_maps *maps;
    uint16_t *distances; /* of the map that is looked at: see aim */
    uint32_t queued;
};

/* ---- path lengths ------------------------------------------------------------------------ */

static uint16_t
distance_of(const struct hunt *hunt, struct sk_cell cell)
{
    return sk_cell_on_grid(cell, hunt->level->cols, hunt->level->rows)
               ? hunt->distances[sk_cell_index(cell, hunt->level->cols)]
               : FAR;
}

static void
reach(struct hunt *hunt, uint32_t place, uint16_t distance)
{
    hunt->distances[place] = distance;
    hunt->maps->at[hunt->queued++] = (uint16_t)place;
}

static void
walk_to(struct hunt *hunt, const char *tiles, uint32_t place, uint16_t distance)
{
    if (hunt->distances[place] == FAR &&
        (tiles[place] == SNARL_FLOOR ||
         (tiles[place] == SNARL_DOOR && hunt->facts->enters_doors))) {
        reach(hunt, place, distance);
    }
}

/* Extends the search backwards from the tiles reached so far. */
static void
search(struct hunt *hunt, const char *tiles, uint32_t tile_count)
{
    uint32_t cols = (uint32_t)hunt->level->cols;

    for (uint32_t i = 0; i < hunt->queued; i++) {
        uint32_t place = hunt->maps->at[i];
        uint32_t x = place % cols;
        uint16_t distance = (uint16_t)(hunt->distances[place] + 1);

        if (x > 0) {
            walk_to(hunt, tiles, place - 1, distance);
        }
        if (x + 1 < cols) {
            walk_to(hunt, tiles, place + 1, distance);
        }
        if (place >= cols) {
            walk_to(hunt, tiles, place - cols, distance);
        }
        if (place + cols < tile_count) {
            walk_to(hunt, tiles, place + cols, distance);
        }
    }
}

/* Looks at the map of a hero, who may be where the kind itself cannot go, or of walls. */
static void
aim(struct hunt *hunt, uint8_t target)
{
    const struct snarl_level *level = hunt->level;
    const char *tiles = snarl_part(hunt->config, level->tiles_at);
    uint32_t tile_count = (uint32_t)level->cols * (uint32_t)level->rows;
    uint32_t map = (uint32_t)hunt->kind * SNARL_TARGETS + target;

    hunt->distances = hunt->maps->at + (1 + map) * hunt->config->tiles_max;
    if ((hunt->maps->known >> map & 1) != 0) {
        return;
    }
    hunt->maps->known |= 1u << map;
    hunt->queued = 0;
    memset(hunt->distances, 0xff, tile_count * sizeof(hunt->distances[0]));
    if (target != SNARL_TO_WALLS) {
        reach(hunt, sk_cell_index(hunt->position->hero[target].at, level->cols), 0);
    }
    for (uint32_t place = 0; target == SNARL_TO_WALLS && place < tile_count; place++) {
        if (tiles[place] == SNARL_WALL) {
            reach(hunt, place, 0);
        }
    }
    search(hunt, tiles, tile_count);
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
        aim(hunt, hero);
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
        .kind = snarl_adversaries_of(config, level)[place].kind,
        .at = position->adversary[place].at,
        .maps = turn->work,
    };
    struct sk_cell steps[SNARL_REACH_MAX];
    uint32_t count = find_steps(turn, &hunt, unit, steps);
    uint8_t prey = count == 0 ? SNARL_NO_UNIT : find_prey(&hunt);

    if (count == 0) {
        return hunt.at;
    }
    if (prey != SNARL_NO_UNIT) {
        aim(&hunt, prey);
        return nearest_step(&hunt, steps, count);
    }
    if (hunt.facts->enters_walls) {
        aim(&hunt, SNARL_TO_WALLS);
        if (leads_anywhere(&hunt, steps, count)) {
            return nearest_step(&hunt, steps, count);
        }
    }
    return steps[sk_rng_below(rng, count)];
}
