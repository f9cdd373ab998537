/*
 * Shared by the files of the halma player: how far a seat still has to go.
 *
 * Owner:   the caller.
 * Threads: one at a time.
 */
#ifndef SK_BOT_HALMA_H
#define SK_BOT_HALMA_H

#include "common/rules/halma/internal.h"
#include "server/bot/mind.h"

/* A seat's destinations, those farthest from the start of its pieces first: filling the near
 * ones first would block the way. */
struct halma_goal {
    uint8_t seat;
    uint32_t count;
    struct sk_cell at[SK_HALMA_DESTINATIONS_MAX];
};

void halma_goal_init(struct halma_goal *goal, const struct halma_config *config, uint8_t seat);

/* How far the seat's pieces are from filling their destinations: less is better, 0 is filled. */
int32_t halma_way(const struct halma_config *config, const struct halma_goal *goal,
                  const struct halma_position *position);

/* The square on which the path ends; hints have no empty ones. */
static inline struct sk_cell
halma_end_of(const struct halma_command *command)
{
    uint32_t length = halma_path_length(&command->path);

    return command->path.at[length == 0 ? 0 : length - 1];
}

void halma_search(struct bot_mind *mind);

#endif /* SK_BOT_HALMA_H */
