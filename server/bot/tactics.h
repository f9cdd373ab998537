/*
 * Shared by the files of the tactics player: how a scene is judged, and the
 * greedy plan, which the search also uses as a plan of the enemy.
 *
 * Owner:   the caller; tactics_scene_fini frees a scene's memory.
 * Threads: one at a time.
 */
#ifndef SK_BOT_TACTICS_H
#define SK_BOT_TACTICS_H

#include "common/rules/tactics/internal.h"
#include "server/bot/mind.h"

#define TACTICS_HITS_SIDE (2 * SK_GRID_MAX - 1) /* every offset between two cells of a board */

/* From where a model can hit: by offset from it to the victim, as seat 0 sees it. */
struct tactics_hits {
    bool at[TACTICS_HITS_SIDE][TACTICS_HITS_SIDE];
};

struct tactics_scene {
    const struct tactics_config *config;
    struct tactics_hits *hits; /* of each model */
    struct sk_cell *area;      /* space for one attack's cells */
    uint8_t *board;            /* who stands where: a unit's place + 1 */
};

void tactics_scene_init(struct tactics_scene *scene, const struct tactics_config *config);
void tactics_scene_fini(struct tactics_scene *scene);

/* The largest damage of the unit's attack to one enemy from the cell. */
int32_t tactics_threat(const struct tactics_scene *scene, const struct tactics_position *position,
                       uint32_t unit, struct sk_cell cell);

/* Cells between the cell and the nearest enemy of the seat. */
int32_t tactics_distance(const struct tactics_scene *scene, const struct tactics_position *position,
                         uint8_t seat, struct sk_cell cell);

/* What a death is worth besides the health. */
#define TACTICS_DEATH_WORTH 12

/* One command at most for each unit, chosen from a seat's hints; returns how many.  `whim` adds
 * chance to the choice of moves. */
uint32_t tactics_greedy(const struct tactics_scene *scene, const struct tactics_position *position,
                        struct sk_commands hints, struct sk_rng *rng, uint32_t whim,
                        struct tactics_command *ret_commands);

/* Hints come unit by unit: the place behind the last one of the unit that `from` is of. */
uint32_t tactics_hints_end(struct sk_commands hints, uint32_t from);

void tactics_search(struct bot_mind *mind);

#endif /* SK_BOT_TACTICS_H */
