/*
 * The board: the tiles of a level, and the units in a position.
 */
#include <string.h>

#include "common/rules/snarl/internal.h"

/* ---- tiles ------------------------------------------------------------------------------- */

char
snarl_tile(const struct snarl_config *config, const struct snarl_level *level, struct sk_cell cell)
{
    const char *tiles = snarl_part(config, level->tiles_at);

    return sk_cell_on_grid(cell, level->cols, level->rows) ? tiles[sk_cell_index(cell, level->cols)]
                                                           : SNARL_VOID;
}

bool
snarl_is_traversable(char tile)
{
    return tile == SNARL_FLOOR || tile == SNARL_DOOR;
}

/* ---- rooms and hallways ------------------------------------------------------------------ */

static bool
is_in_room(const struct snarl_room *room, struct sk_cell cell)
{
    return cell.x >= room->origin.x && cell.x - room->origin.x < room->cols &&
           cell.y >= room->origin.y && cell.y - room->origin.y < room->rows;
}

uint8_t
snarl_room_at(const struct snarl_config *config, const struct snarl_level *level,
              struct sk_cell cell)
{
    const struct snarl_room *rooms = snarl_part(config, level->rooms_at);

    for (uint32_t i = 0; i < level->room_count; i++) {
        if (is_in_room(&rooms[i], cell)) {
            return (uint8_t)i;
        }
    }
    return SNARL_NO_ROOM;
}

static bool
is_between(int32_t at, int32_t a, int32_t b)
{
    return (at >= a && at <= b) || (at >= b && at <= a);
}

static bool
is_on_hallway(const struct snarl_config *config, const struct snarl_hallway *hallway,
              struct sk_cell cell)
{
    const struct sk_cell *points = snarl_part(config, hallway->points_at);

    for (uint32_t i = 1; i < hallway->point_count; i++) {
        if (is_between(cell.x, points[i - 1].x, points[i].x) &&
            is_between(cell.y, points[i - 1].y, points[i].y)) {
            return true;
        }
    }
    return false;
}

uint64_t
snarl_rooms_beyond(const struct snarl_config *config, const struct snarl_level *level,
                   struct sk_cell cell)
{
    const struct snarl_hallway *hallways = snarl_part(config, level->hallways_at);
    uint8_t room = snarl_room_at(config, level, cell);
    uint64_t rooms = 0;

    for (uint32_t i = 0; i < level->hallway_count; i++) {
        const struct snarl_hallway *hallway = &hallways[i];

        if (room == SNARL_NO_ROOM && is_on_hallway(config, hallway, cell)) {
            rooms |= (uint64_t)1 << hallway->rooms[0] | (uint64_t)1 << hallway->rooms[1];
        }
        if (hallway->rooms[0] == room) {
            rooms |= (uint64_t)1 << hallway->rooms[1];
        }
        if (hallway->rooms[1] == room) {
            rooms |= (uint64_t)1 << hallway->rooms[0];
        }
    }
    return rooms;
}

/* ---- units ------------------------------------------------------------------------------- */

struct sk_text
snarl_unit_id(const struct snarl_config *config, int32_t level, uint8_t unit)
{
    const struct snarl_level *of = snarl_level_at(config, level);

    return sk_id_text(snarl_is_hero(unit)
                          ? &config->hero[unit]
                          : &snarl_adversaries_of(config, of)[unit - SNARL_FIRST_ADVERSARY].id);
}

uint8_t
snarl_unit_find(const struct snarl_config *config, int32_t level, struct sk_text id)
{
    uint32_t adversaries = snarl_level_at(config, level)->adversary_count;

    for (uint8_t unit = 0; unit < SNARL_FIRST_ADVERSARY + adversaries; unit++) {
        bool is_one = !snarl_is_hero(unit) || unit < config->hero_count;

        if (is_one && sk_text_same(snarl_unit_id(config, level, unit), id)) {
            return unit;
        }
    }
    return SNARL_NO_UNIT;
}

bool
snarl_is_here(const struct snarl_config *config, const struct snarl_position *position,
              uint8_t unit)
{
    uint32_t adversaries = snarl_level_at(config, position->level)->adversary_count;

    if (snarl_is_hero(unit)) {
        return unit < config->hero_count && position->hero[unit].status == SNARL_ACTIVE;
    }
    return unit < SNARL_FIRST_ADVERSARY + adversaries &&
           position->adversary[unit - SNARL_FIRST_ADVERSARY].is_here;
}

struct sk_cell
snarl_cell_of(const struct snarl_position *position, uint8_t unit)
{
    return snarl_is_hero(unit) ? position->hero[unit].at
                               : position->adversary[unit - SNARL_FIRST_ADVERSARY].at;
}

static uint8_t
unit_on(const struct snarl_config *config, const struct snarl_position *position, uint8_t from,
        uint32_t to, struct sk_cell cell)
{
    for (uint8_t unit = from; unit < to; unit++) {
        if (snarl_is_here(config, position, unit) &&
            sk_cell_same(snarl_cell_of(position, unit), cell)) {
            return unit;
        }
    }
    return SNARL_NO_UNIT;
}

uint8_t
snarl_hero_on(const struct snarl_config *config, const struct snarl_position *position,
              struct sk_cell cell)
{
    return unit_on(config, position, 0, config->hero_count, cell);
}

uint8_t
snarl_adversary_on(const struct snarl_config *config, const struct snarl_position *position,
                   struct sk_cell cell)
{
    uint32_t count = snarl_level_at(config, position->level)->adversary_count;

    return unit_on(config, position, SNARL_FIRST_ADVERSARY, SNARL_FIRST_ADVERSARY + count, cell);
}

/* ---- free tiles -------------------------------------------------------------------------- */

/* The floor tiles of a room with a unit or an object on them, in reading order. */
struct taken {
    const struct snarl_room *room;
    const char *tiles; /* of the level */
    int32_t cols;
    uint32_t count;
    struct sk_cell cells[SNARL_UNITS_MAX + SNARL_OBJECTS];
};

static bool
is_floor(const struct taken *taken, struct sk_cell cell)
{
    return taken->tiles[sk_cell_index(cell, taken->cols)] == SNARL_FLOOR;
}

static bool
is_read_before(struct sk_cell a, struct sk_cell b)
{
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

/* Two things may be on one tile. */
static void
take(struct taken *taken, struct sk_cell cell)
{
    uint32_t at = taken->count;

    if (!is_in_room(taken->room, cell) || !is_floor(taken, cell)) {
        return;
    }
    while (at > 0 && is_read_before(cell, taken->cells[at - 1])) {
        at--;
    }
    if (at == 0 || !sk_cell_same(taken->cells[at - 1], cell)) {
        memmove(&taken->cells[at + 1], &taken->cells[at],
                (taken->count - at) * sizeof(taken->cells[0]));
        taken->cells[at] = cell;
        taken->count++;
    }
}

static void
find_taken(const struct snarl_config *config, const struct snarl_position *position, uint32_t room,
           struct taken *ret_taken)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);

    ret_taken->room = (const struct snarl_room *)snarl_part(config, level->rooms_at) + room;
    ret_taken->tiles = snarl_part(config, level->tiles_at);
    ret_taken->cols = level->cols;
    ret_taken->count = 0;
    if (position->has_key) {
        take(ret_taken, level->key);
    }
    if (level->has_exit) {
        take(ret_taken, level->exit);
    }
    for (uint8_t unit = 0; unit < SNARL_FIRST_ADVERSARY + level->adversary_count; unit++) {
        if (snarl_is_here(config, position, unit)) {
            take(ret_taken, snarl_cell_of(position, unit));
        }
    }
}

uint32_t
snarl_free_count(const struct snarl_config *config, const struct snarl_position *position,
                 uint32_t room)
{
    struct taken taken;

    find_taken(config, position, room, &taken);
    return taken.room->floor_count - taken.count;
}

struct sk_cell
snarl_free_at(const struct snarl_config *config, const struct snarl_position *position,
              uint32_t room, uint32_t n)
{
    struct sk_cell cell = { 0 };
    bool is_found = false;
    struct taken taken;
    uint32_t next = 0;

    find_taken(config, position, room, &taken);
    for (int32_t y = 0; y < taken.room->rows && !is_found; y++) {
        for (int32_t x = 0; x < taken.room->cols && !is_found; x++) {
            cell = sk_cell(taken.room->origin.x + x, taken.room->origin.y + y);
            if (next < taken.count && sk_cell_same(taken.cells[next], cell)) {
                next++;
            } else {
                is_found = is_floor(&taken, cell) && n-- == 0;
            }
        }
    }
    SK_ASSERT(is_found);
    return cell;
}
