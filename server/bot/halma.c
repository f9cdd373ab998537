/*
 * The halma player: one move of one piece.
 */
#include "server/bot/halma.h"

#include <stdlib.h>
#include <string.h>

/* ---- the way to go ----------------------------------------------------------------------- */

#define STEP_WORTH  16 /* of a king's step */
#define GUEST_WORTH 4  /* of a destination that the enemy fills, and may leave */
#define FAR         INT32_MAX

/* King's steps first; among equals, the straighter way. */
static int32_t
distance(struct sk_cell one, struct sk_cell other)
{
    int32_t dx = abs(one.x - other.x);
    int32_t dy = abs(one.y - other.y);

    return STEP_WORTH * (dx > dy ? dx : dy) + (dx < dy ? dx : dy);
}

/* To all starts of the seat's pieces together. */
static int32_t
distance_from_start(const struct halma_config *config, uint8_t seat, struct sk_cell cell)
{
    const struct halma_unit_config *units = halma_units(config);
    int32_t sum = 0;

    for (uint32_t i = 0; i < config->unit_count; i++) {
        sum += units[i].seat == seat ? distance(sk_cell(units[i].x, units[i].y), cell) : 0;
    }
    return sum;
}

void
halma_goal_init(struct halma_goal *goal, const struct halma_config *config, uint8_t seat)
{
    const uint64_t *rows = halma_destinations(config, seat);

    *goal = (struct halma_goal){ .seat = seat };
    for (int32_t i = 0; i < config->size * config->size; i++) {
        struct sk_cell cell = sk_cell(i % config->size, i / config->size);
        int32_t far = distance_from_start(config, seat, cell);
        uint32_t place = goal->count;

        if ((rows[cell.y] >> cell.x & 1) == 0) {
            continue;
        }
        for (; place > 0 && distance_from_start(config, seat, goal->at[place - 1]) < far; place--) {
            goal->at[place] = goal->at[place - 1];
        }
        goal->at[place] = cell;
        goal->count++;
    }
}

/* The nearest own piece that has no destination yet; FAR = there is none. */
static int32_t
take_nearest(const struct halma_config *config, const struct halma_goal *goal,
             const struct halma_position *position, struct sk_cell cell, bool *is_taken)
{
    const struct halma_unit_config *units = halma_units(config);
    uint32_t nearest = 0;
    int32_t least = FAR;

    for (uint32_t i = 0; i < config->unit_count; i++) {
        int32_t found = units[i].seat != goal->seat || is_taken[i]
                            ? FAR
                            : distance(halma_cell_of(position, i), cell);

        if (found < least) {
            least = found;
            nearest = i;
        }
    }
    is_taken[nearest] |= least < FAR;
    return least;
}

static bool
has_guest(const struct halma_config *config, const struct halma_goal *goal,
          const struct halma_position *position, struct sk_cell cell)
{
    bool found = false;

    for (uint32_t i = 0; i < config->unit_count; i++) {
        found |= halma_units(config)[i].seat != goal->seat &&
                 sk_cell_same(halma_cell_of(position, i), cell);
    }
    return found;
}

int32_t
halma_way(const struct halma_config *config, const struct halma_goal *goal,
          const struct halma_position *position)
{
    bool is_taken[SK_HALMA_PIECES_MAX] = { false };
    int32_t way = 0;

    for (uint32_t i = 0; i < goal->count; i++) {
        int32_t nearest = has_guest(config, goal, position, goal->at[i])
                              ? GUEST_WORTH
                              : take_nearest(config, goal, position, goal->at[i], is_taken);

        way += nearest == FAR ? 0 : nearest;
    }
    return way;
}

/* ---- greedy ------------------------------------------------------------------------------ */

/* The position after a move without a collision. */
static void
move(const struct halma_config *config, const struct halma_command *command,
     struct halma_position *position)
{
    uint8_t unit = halma_unit_find(config, &command->unit);
    struct sk_cell to = halma_end_of(command);

    if (unit != HALMA_NO_UNIT) {
        position->piece[unit].x = (uint8_t)to.x;
        position->piece[unit].y = (uint8_t)to.y;
    }
}

static void
play_greedy(struct bot_mind *mind)
{
    size_t size = halma_position_size(mind->config);
    struct halma_position *after = heap_memory(size);
    struct bot_least least = BOT_LEAST;
    struct halma_goal goal;

    halma_goal_init(&goal, mind->config, mind->seat);
    for (uint32_t i = 0; i < mind->hints.count; i++) {
        memcpy(after, halma_position_of(mind->state), size);
        move(mind->config, bot_hint(mind, i), after);
        bot_least_take(&least, &mind->rng, halma_way(mind->config, &goal, after), i);
    }
    bot_choose(mind, bot_hint(mind, least.index));
    free(after);
}

const struct bot_player bot_halma = {
    .ruleset = "halma",
    .play = { bot_choose_any, play_greedy, halma_search },
};
