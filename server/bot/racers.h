/*
 * Shared by the files of the racers player: the distance to the finish.
 *
 * Owner:   the caller; racers_map_fini frees a map's memory.
 * Threads: one at a time.
 */
#ifndef SK_BOT_RACERS_H
#define SK_BOT_RACERS_H

#include "common/rules/racers/internal.h"
#include "server/bot/mind.h"

/* Moves from each square to a seat's finish, around walls and through teleporters.  Trails and
 * other racers are ignored, because they do not stay. */
struct racers_map {
    const struct racers_config *config;
    uint16_t *land; /* where a step onto the square ends: its own, or by teleporter */
    uint16_t *moves[RACERS_SEATS]; /* RACERS_FAR = no way */
};

#define RACERS_FAR 10000

void racers_map_init(struct racers_map *map, const struct racers_config *config,
                     const struct racers_position *position);
void racers_map_fini(struct racers_map *map);

void racers_search(struct bot_mind *mind);

#endif /* SK_BOT_RACERS_H */
