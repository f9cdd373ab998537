/*
 * The snarl player: heroes of a co-op or a versus match, and a versus match's
 * adversaries.
 *
 * A level's map is in the params, which everybody knows; who is not in sight
 * is taken to be nowhere, except that the search lets them be anywhere.
 */
#include "server/bot/snarl.h"

#include <stdlib.h>

/* ---- what a view shows ------------------------------------------------------------------- */

static enum sk_status
refuse(struct sk_fault *fault, const char *message, const char *member)
{
    sk_fault_set(fault, "malformed", message);
    sk_fault_inside(fault, sk_text_of(member));
    return SK_ERR_REFUSED;
}

static enum sk_status
see_heroes(const struct snarl_config *config, const struct snarl_position_form *form,
           struct snarl_position *position, struct sk_fault *fault)
{
    const struct snarl_hero_form *heroes = form->heroes.at;

    for (uint32_t i = 0; i < config->hero_count; i++) {
        position->hero[i].status = SNARL_EXPELLED;
    }
    for (uint32_t i = 0; i < form->heroes.count; i++) {
        uint8_t hero = snarl_unit_find(config, position->level, heroes[i].id);

        if (hero == SNARL_NO_UNIT || !snarl_is_hero(hero)) {
            return refuse(fault, "params know no hero of that id", "heroes");
        }
        position->hero[hero] = (struct snarl_hero){ heroes[i].at, heroes[i].keys, heroes[i].exits,
                                                    heroes[i].expulsions, heroes[i].status };
    }
    return SK_OK;
}

static enum sk_status
see_adversaries(const struct snarl_config *config, const struct snarl_position_form *form,
                struct snarl_position *position, struct sk_fault *fault)
{
    const struct snarl_adversary_form *adversaries = form->adversaries.at;

    for (uint32_t i = 0; i < form->adversaries.count; i++) {
        uint8_t unit = snarl_unit_find(config, position->level, adversaries[i].id);

        if (unit == SNARL_NO_UNIT || snarl_is_hero(unit)) {
            return refuse(fault, "the level has no adversary of that id", "adversaries");
        }
        position->adversary[unit - SNARL_FIRST_ADVERSARY] =
            (struct snarl_adversary){ adversaries[i].at, true };
    }
    return SK_OK;
}

static enum sk_status
see(const void *config, const void *form, struct sk_state *ret_state, struct sk_fault *ret_fault)
{
    const struct snarl_config *snarl = config;
    const struct snarl_position_form *from = form;
    struct snarl_position *position = snarl_position(ret_state);
    enum sk_status status;

    if (from->level > snarl->level_count) {
        return refuse(ret_fault, "the match has fewer levels", "level");
    }
    position->level = from->level - 1;
    position->round = from->has_round ? from->round : 1;
    position->exit_unlocked = from->exit_unlocked;
    position->has_key = !from->exit_unlocked && snarl_level_at(snarl, position->level)->has_key;
    position->active = snarl_unit_find(snarl, position->level, from->active.unit);
    if (position->active == SNARL_NO_UNIT) {
        return refuse(ret_fault, "there is no unit of that id", "active");
    }
    status = see_heroes(snarl, from, position, ret_fault);
    return status == SK_OK ? see_adversaries(snarl, from, position, ret_fault) : status;
}

/* ---- the map ----------------------------------------------------------------------------- */

static uint32_t
place_of(const struct snarl_level *level, struct sk_cell cell)
{
    return sk_cell_index(cell, level->cols);
}

/* Steps of a hero from everywhere to the cell. */
static uint16_t *
measure(const struct snarl_config *config, const struct snarl_level *level, struct sk_cell to)
{
    size_t tiles = (size_t)level->cols * (size_t)level->rows;
    uint16_t *steps = heap_memory(tiles * sizeof(*steps));
    uint32_t *queue = heap_memory(tiles * sizeof(*queue));
    uint32_t queued = 0;

    for (size_t i = 0; i < tiles; i++) {
        steps[i] = SNARL_FAR;
    }
    if (sk_cell_on_grid(to, level->cols, level->rows)) {
        steps[place_of(level, to)] = 0;
        queue[queued++] = place_of(level, to);
    }
    for (uint32_t i = 0; i < queued; i++) {
        struct sk_cell cell =
            sk_cell((int32_t)queue[i] % level->cols, (int32_t)queue[i] / level->cols);

        for (uint32_t d = 0; d < SNARL_DIRECTIONS; d++) {
            struct sk_cell next = snarl_beside(cell, d);

            if (snarl_is_traversable(snarl_tile(config, level, next)) &&
                steps[place_of(level, next)] == SNARL_FAR) {
                steps[place_of(level, next)] = (uint16_t)(steps[queue[i]] + 1);
                queue[queued++] = place_of(level, next);
            }
        }
    }
    free(queue);
    return steps;
}

void
snarl_map_init(struct snarl_map *map, const struct snarl_config *config,
               const struct snarl_position *position)
{
    map->config = config;
    map->level = snarl_level_at(config, position->level);
    map->to_exit = measure(config, map->level, map->level->exit);
    map->to_key = map->level->has_key ? measure(config, map->level, map->level->key) : NULL;
}

void
snarl_map_fini(struct snarl_map *map)
{
    free(map->to_exit);
    free(map->to_key);
}

int32_t
snarl_steps_left(const struct snarl_map *map, const struct snarl_position *position,
                 struct sk_cell cell)
{
    uint32_t place;

    if (!sk_cell_on_grid(cell, map->level->cols, map->level->rows)) {
        return SNARL_FAR;
    }
    place = place_of(map->level, cell);
    if (position->exit_unlocked || map->to_key == NULL) {
        return map->to_exit[place];
    }
    return map->to_key[place] + map->to_exit[place_of(map->level, map->level->key)];
}

int32_t
snarl_hero_distance(const struct snarl_map *map, const struct snarl_position *position,
                    struct sk_cell cell)
{
    int32_t nearest = SNARL_FAR;

    for (uint32_t i = 0; i < map->config->hero_count; i++) {
        struct sk_cell at = position->hero[i].at;
        int32_t distance = abs(at.x - cell.x) + abs(at.y - cell.y);

        if (position->hero[i].status == SNARL_ACTIVE && distance < nearest) {
            nearest = distance;
        }
    }
    return nearest;
}

/* ---- greedy ------------------------------------------------------------------------------ */

/* A hero goes for the key and then for the exit, and not onto an adversary; an adversary goes for
 * the nearest hero.  Less is better. */
static int32_t
way_after(const struct snarl_map *map, const struct snarl_position *position,
          const struct snarl_command *command)
{
    if (!snarl_is_hero(position->active)) {
        return snarl_hero_distance(map, position, command->to);
    }
    if (snarl_adversary_on(map->config, position, command->to) != SNARL_NO_UNIT) {
        return SNARL_FAR;
    }
    return snarl_steps_left(map, position, command->to);
}

static void
play_greedy(struct bot_mind *mind)
{
    const struct snarl_position *position = snarl_position_of(mind->state);
    struct bot_least least = BOT_LEAST;
    struct snarl_map map;

    snarl_map_init(&map, mind->config, position);
    for (uint32_t i = 0; i < mind->hints.count; i++) {
        bot_least_take(&least, &mind->rng, way_after(&map, position, bot_hint(mind, i)), i);
    }
    bot_choose(mind, bot_hint(mind, least.index));
    snarl_map_fini(&map);
}

const struct bot_player bot_snarl = {
    .ruleset = "snarl",
    .state_read = see,
    .play = { bot_choose_any, play_greedy, snarl_search },
};
