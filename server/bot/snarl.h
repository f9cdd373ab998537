/*
 * Shared by the files of the snarl player: the way to key and exit.
 *
 * Owner:   the caller; snarl_map_fini frees a map's memory.
 * Threads: one at a time.
 */
#ifndef SK_BOT_SNARL_H
#define SK_BOT_SNARL_H

#include "common/rules/snarl/internal.h"
#include "server/bot/mind.h"

#define SNARL_FAR UINT16_MAX /* no way leads there */

/* Of the level that a position is in. */
struct snarl_map {
    const struct snarl_config *config;
    const struct snarl_level *level;
    uint16_t *to_exit; /* steps from each tile */
    uint16_t *to_key;  /* NULL where the level has none */
};

void snarl_map_init(struct snarl_map *map, const struct snarl_config *config,
                    const struct snarl_position *position);
void snarl_map_fini(struct snarl_map *map);

/* Steps that a hero on the cell still has to go: to the key if nobody has it, then to the exit. */
int32_t snarl_steps_left(const struct snarl_map *map, const struct snarl_position *position,
                         struct sk_cell cell);

/* To the nearest hero as the crow flies. */
int32_t snarl_hero_distance(const struct snarl_map *map, const struct snarl_position *position,
                            struct sk_cell cell);

static inline struct sk_cell
snarl_beside(struct sk_cell cell, uint32_t direction)
{
    return sk_cell(cell.x + snarl_directions[direction].x, cell.y + snarl_directions[direction].y);
}

void snarl_search(struct bot_mind *mind);

#endif /* SK_BOT_SNARL_H */
