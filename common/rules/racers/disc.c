/*
 * The flight of a disc.
 *
 * It flies straight, through teleporters too, until its range is used up, a
 * wall or the edge is ahead, or it hits a racer.  Its direction never changes,
 * so a square entered again leads to the same squares again: the second entry
 * into a teleporter is a loop and ends the flight.
 */
#include <string.h>

#include "common/rules/racers/internal.h"

#define ENTERED 0x8000u /* beside the number of the teleporter on a square, counted from 1 */

static void
note(struct racers_flight *flight, struct sk_cell cell)
{
    flight->path[flight->count++] = cell;
}

struct disc {
    const struct racers_config *config;
    const struct racers_position *position;
    uint16_t *hops; /* per square: its teleporter, so that a long flight searches for none */
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

static uint16_t *
hop_on(const struct disc *disc, struct racers_spot at)
{
    return &disc->hops[(uint32_t)at.y * disc->config->cols + at.x];
}

/* Passes through the teleporter that it has entered.  True if it has been there before. */
static bool
hop(struct disc *disc, uint16_t *taken, struct racers_flight *flight)
{
    uint32_t number = *taken & ~ENTERED;
    bool is_loop = (*taken & ENTERED) != 0;

    *taken |= ENTERED;
    disc->at = racers_cell(racers_teleporters(disc->config, disc->position)[number - 1].to);
    note(flight, disc->at);
    spend(disc, darkness(disc));
    return is_loop;
}

/* Advances one square.  True if the flight ends there. */
static bool
fly_on(struct disc *disc, uint8_t dir, struct racers_flight *flight)
{
    struct sk_cell ahead = racers_neighbour(disc->at, dir);
    uint16_t *taken;
    bool is_loop = false;

    if (!racers_on_grid(disc->config, ahead) ||
        racers_is_wall(disc->config, disc->position, ahead)) {
        return true;
    }
    disc->at = ahead;
    note(flight, disc->at);
    spend(disc, 1 + darkness(disc));
    flight->hit = racers_racer_on(disc->position, disc->at);
    taken = hop_on(disc, racers_spot(disc->at));
    if (flight->hit == RACERS_NOBODY && *taken != 0) {
        is_loop = hop(disc, taken, flight);
        flight->hit = racers_racer_on(disc->position, disc->at);
    }
    return flight->hit != RACERS_NOBODY || is_loop || disc->range <= 0;
}

void
racers_fly(const struct racers_config *config, const struct racers_position *position,
           struct sk_cell from, uint8_t dir, bool is_charged, uint16_t *hops,
           struct racers_flight *flight)
{
    struct disc disc = {
        .config = config,
        .position = position,
        .hops = hops,
        .at = from,
        .range = RACERS_DISC_RANGE,
        .is_charged = is_charged,
    };

    memset(hops, 0, racers_squares(config) * sizeof(*hops));
    for (uint32_t i = 0; i < position->teleporter_count; i++) {
        *hop_on(&disc, racers_teleporters(config, position)[i].at) = (uint16_t)(i + 1);
    }
    flight->count = 0;
    flight->hit = RACERS_NOBODY;
    note(flight, from);
    spend(&disc, darkness(&disc));
    while (!fly_on(&disc, dir, flight)) {
    }
}
