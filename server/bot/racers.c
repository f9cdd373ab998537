/*
 * The racers player: one action at a time.
 */
#include "server/bot/racers.h"

#include <stdlib.h>
#include <string.h>

/* ---- the map ----------------------------------------------------------------------------- */

static uint32_t
index_of(const struct racers_config *config, struct sk_cell cell)
{
    return sk_cell_index(cell, config->cols);
}

static struct sk_cell
cell_at(const struct racers_config *config, uint32_t index)
{
    return sk_cell((int32_t)(index % config->cols), (int32_t)(index / config->cols));
}

/* One more move than from the best square that a step leads to. */
static uint16_t
moves_by_a_step(const struct racers_map *map, const struct racers_position *position,
                const uint16_t *moves, struct sk_cell from)
{
    uint16_t least = RACERS_FAR;

    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        struct sk_cell to = racers_neighbour(from, dir);

        if (racers_on_grid(map->config, to) && !racers_is_wall(map->config, position, to)) {
            uint16_t found = (uint16_t)(moves[map->land[index_of(map->config, to)]] + 1);

            least = found < least ? found : least;
        }
    }
    return least;
}

/* Until nothing changes: with teleporters the nearest squares are not always found first. */
static void
measure(const struct racers_map *map, const struct racers_position *position, struct sk_cell finish,
        uint16_t *moves)
{
    uint32_t squares = racers_squares(map->config);
    bool is_changed = true;

    for (uint32_t i = 0; i < squares; i++) {
        moves[i] = RACERS_FAR;
    }
    moves[index_of(map->config, finish)] = 0;
    while (is_changed) {
        is_changed = false;
        for (uint32_t i = 0; i < squares; i++) {
            uint16_t found = moves_by_a_step(map, position, moves, cell_at(map->config, i));

            if (found < moves[i]) {
                moves[i] = found;
                is_changed = true;
            }
        }
    }
}

void
racers_map_init(struct racers_map *map, const struct racers_config *config,
                const struct racers_position *position)
{
    const struct racers_teleporter *teleporters = racers_teleporters(config, position);
    uint32_t squares = racers_squares(config);

    map->config = config;
    map->land = heap_memory(squares * sizeof(map->land[0]));
    for (uint32_t i = 0; i < squares; i++) {
        map->land[i] = (uint16_t)i;
    }
    for (uint32_t i = 0; i < position->teleporter_count; i++) {
        map->land[index_of(config, racers_cell(teleporters[i].at))] =
            (uint16_t)index_of(config, racers_cell(teleporters[i].to));
    }
    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        map->moves[seat] = heap_memory(squares * sizeof(map->moves[seat][0]));
        measure(map, position, racers_cell(position->start[racers_other(seat)]), map->moves[seat]);
    }
}

void
racers_map_fini(struct racers_map *map)
{
    free(map->land);
    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        free(map->moves[seat]);
    }
}

/* ---- greedy ------------------------------------------------------------------------------ */

/* Moves to the finish after a legal command.  Only a move helps: items are of no interest. */
static int32_t
moves_after(const struct racers_map *map, const struct bot_mind *mind,
            const struct racers_command *command)
{
    const struct racers_position *position = racers_position_of(mind->state);
    struct sk_cell to = racers_target(position, mind->seat, command->dir);

    if (command->head.kind != RACERS_MOVE || !racers_on_grid(map->config, to)) {
        return RACERS_FAR;
    }
    return map->moves[mind->seat][map->land[index_of(map->config, to)]];
}

static void
play_greedy(struct bot_mind *mind)
{
    struct bot_least least = BOT_LEAST;
    struct racers_map map;

    racers_map_init(&map, mind->config, racers_position_of(mind->state));
    for (uint32_t i = 0; i < mind->hints.count; i++) {
        bot_least_take(&least, &mind->rng, moves_after(&map, mind, bot_hint(mind, i)), i);
    }
    bot_choose(mind, bot_hint(mind, least.index));
    racers_map_fini(&map);
}

const struct bot_player bot_racers = {
    .ruleset = "racers",
    .play = { bot_choose_any, play_greedy, racers_search },
};
