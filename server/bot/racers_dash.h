/*
 * racers_dash - the rest of a racers match, played on quickly.
 *
 * The search plays positions to their end some thousand times for one answer,
 * which is too often for the rules library.  A dash is a position with only what
 * such play needs, on a ground that is laid out once for each question:
 * neighbours as a table, and power failures out of a stock of turns drawn
 * beforehand.  It keeps the library's rules (a test plays both side by side),
 * but discs are thrown only where they hit without a teleporter in between, and two of a kind
 * on a square count as one.
 *
 * Owner:   the ground owns its tables; a dash is given memory by the caller.
 * Threads: one at a time.
 */
#ifndef SK_BOT_RACERS_DASH_H
#define SK_BOT_RACERS_DASH_H

#include "server/bot/racers.h"

#define DASH_NOWHERE UINT16_MAX
#define DASH_REACH   (SK_GRID_MAX + 1) /* the numbers of two neighbours differ by at most this */
#define DASH_STOCK   128               /* turns whose failures are drawn beforehand */

/* The contents of a square, as bits. */
enum dash_item {
    DASH_GRENADE = 1 << RACERS_GRENADE, /* that can be picked up */
    DASH_DISC = 1 << RACERS_DISC,
    DASH_CHARGED_DISC = 1 << RACERS_CHARGED_DISC,
    DASH_PLACED = 8, /* a grenade that is armed when its racer leaves */
    DASH_ACTIVE = 16,
    DASH_EXPLODED = 32,
};

struct dash_ground {
    const struct racers_config *config;
    const struct racers_map *map;
    uint32_t squares;
    uint16_t *next; /* the neighbour of each square in each direction, or DASH_NOWHERE */
    uint8_t *ways;  /* directions that lead somewhere, as bits ... */
    uint8_t *hops;  /* ... and of these the ones that lead into a teleporter */
    uint8_t direction[2 * DASH_REACH + 1]; /* of a neighbour, by its number less one's own */
    uint8_t *stock; /* of each drawn turn: is a square dark by its failures? */
    uint64_t chance;
};

struct dash_racer {
    uint16_t at;
    uint16_t debt;
    uint16_t skip;
    uint8_t carried_count;
    uint8_t trail_count;
    int32_t performed;
    uint8_t carried[RACERS_ITEM_KINDS]; /* how many of each */
    struct {
        int32_t action;
        uint16_t at;
        bool hop;
    } trail[SK_RACERS_TRAIL_MAX]; /* newest first */
};

struct dash {
    uint8_t active;
    uint8_t actions_left;
    bool moved;
    int8_t winner; /* or RACERS_NOBODY */
    struct dash_racer racer[RACERS_SEATS];
    const uint8_t *dark[SK_RACERS_FAILURE_TURNS]; /* by the turns that are left */
    uint8_t *items;
};

void dash_ground_init(struct dash_ground *ground, const struct racers_config *config,
                      const struct racers_position *position, const struct racers_map *map,
                      struct sk_rng *rng);
void dash_ground_fini(struct dash_ground *ground);

/* Bytes that dash_load needs beside the dash. */
size_t dash_size(const struct dash_ground *ground);

/* Makes a dash of the position, in which the active racer has an action; `space` must live as
 * long. */
void dash_load(const struct dash_ground *ground, const struct racers_position *position,
               uint8_t *space, struct dash *ret_dash);

/* A copy to play with; `items` is space for as many bytes as there are squares. */
void dash_copy(const struct dash_ground *ground, const struct dash *from, uint8_t *items,
               struct dash *ret_dash);

/* Starts the random numbers of the following play; and draws one below `bound`. */
void dash_chance(struct dash_ground *ground, uint64_t seed);
uint32_t dash_draw(struct dash_ground *ground, uint32_t bound);

/* Directions in which the seat's racer can move, as bits. */
uint8_t dash_ways(const struct dash_ground *ground, const struct dash *dash, uint8_t seat);

static inline uint16_t
dash_next(const struct dash_ground *ground, uint16_t from, uint8_t dir)
{
    return ground->next[(uint32_t)from * RACERS_DIRECTIONS + dir];
}

static inline bool
dash_is_dark(const struct dash *dash, uint16_t square)
{
    return (dash->dark[0][square] | dash->dark[1][square] | dash->dark[2][square]) != 0;
}

/* Whether a racer is there, or trail that blocks the seat's racer. */
bool dash_is_taken(const struct dash *dash, uint8_t seat, uint16_t square);

/* Only the step of a legal move, without what the square does. */
void dash_step(const struct dash_ground *ground, struct dash *dash, uint8_t dir);

/* Plays a legal command of the active racer; a disc that is thrown hits. */
void dash_play(struct dash_ground *ground, struct dash *dash, const struct racers_command *command);

/* The command of a quick player; `guards`: it blocks the other's way when the race is lost. */
void dash_choose(struct dash_ground *ground, const struct dash *dash, bool guards,
                 struct racers_command *ret_command);

#endif /* SK_BOT_RACERS_DASH_H */
