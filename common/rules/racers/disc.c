/*
 * The flight of a disc.
 *
 * It flies straight, through teleporters too, until its range is used up, a
 * wall or the edge is ahead, or it hits a racer.  Its direction never changes,
 * so a square entered again leads to the same squares again: the second entry
 * into a teleporter is a loop and ends the flight.
 */
#include "common/rules/racers/internal.h"

#define RANGE 4

static void
note(struct racers_flight *flight, struct sk_cell cell)
{
    flight->path[flight->count++] = cell;
}

struct disc {
    const struct racers_config *config;
    const struct racers_position *position;
    struct sk_cell at;
    int32_t range;
    bool is_charged;
};

static void
spend(struct disc *disc, int32_t range)
{
    disc->range -= disc->is_charged ? 0 : range;
}

static int32_t
darkness(const struct disc *disc)
{
    return !disc->is_charged && racers_is_dark(disc->config, disc->position, disc->at) ? 1 : 0;
}

/* Passes through the teleporter that it has entered.  True if it has been there before. */
static bool
hop(struct disc *disc, const struct racers_teleporter *teleporter, uint8_t *entered,
    struct racers_flight *flight)
{
    uint32_t place = (uint32_t)(teleporter - racers_teleporters(disc->config, disc->position));
    bool is_loop = entered[place] != 0;

    entered[place] = 1;
    disc->at = racers_cell(teleporter->to);
    note(flight, disc->at);
    spend(disc, darkness(disc));
    return is_loop;
}

/* Advances one square.  True if the flight ends there. */
static bool
fly_on(struct disc *disc, uint8_t dir, uint8_t *entered, struct racers_flight *flight)
{
    struct sk_cell ahead = racers_neighbour(disc->at, dir);
    const struct racers_teleporter *teleporter;
    bool is_loop = false;

    if (!racers_on_grid(disc->config, ahead) ||
        racers_is_wall(disc->config, disc->position, ahead)) {
        return true;
    }
    disc->at = ahead;
    note(flight, disc->at);
    spend(disc, 1 + darkness(disc));
    flight->hit = racers_racer_on(disc->position, disc->at);
    teleporter = racers_teleporter_on(disc->config, disc->position, disc->at);
    if (flight->hit == RACERS_NOBODY && teleporter != NULL) {
        is_loop = hop(disc, teleporter, entered, flight);
        flight->hit = racers_racer_on(disc->position, disc->at);
    }
    return flight->hit != RACERS_NOBODY || is_loop || disc->range <= 0;
}

void
racers_fly(const struct racers_config *config, const struct racers_position *position,
           struct sk_cell from, uint8_t dir, bool is_charged, uint8_t *entered,
           struct racers_flight *flight)
{
    struct disc disc = {
        .config = config,
        .position = position,
        .at = from,
        .range = RANGE,
        .is_charged = is_charged,
    };

    for (uint32_t i = 0; i < position->teleporter_count; i++) {
        entered[i] = 0;
    }
    flight->count = 0;
    flight->hit = RACERS_NOBODY;
    note(flight, from);
    spend(&disc, darkness(&disc));
    while (!fly_on(&disc, dir, entered, flight)) {
    }
}
