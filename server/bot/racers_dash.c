#include "server/bot/racers_dash.h"

#include <stdlib.h>
#include <string.h>

#define GRENADE_COSTS      3
#define DARK_GRENADE_COSTS 4
#define PERMILLE           1000

/* ---- the ground -------------------------------------------------------------------------- */

static uint16_t
square_of(const struct racers_config *config, struct sk_cell cell)
{
    return (uint16_t)sk_cell_index(cell, config->cols);
}

static void
shade(const struct racers_config *config, uint8_t *dark, struct sk_cell centre)
{
    dark[square_of(config, centre)] = 1;
    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        struct sk_cell cell = racers_neighbour(centre, dir);

        if (racers_on_grid(config, cell)) {
            dark[square_of(config, cell)] = 1;
        }
    }
}

static struct sk_cell
cell_of(const struct racers_config *config, uint32_t square)
{
    return sk_cell((int32_t)(square % config->cols), (int32_t)(square / config->cols));
}

static void
draw_stock(struct dash_ground *ground, struct sk_rng *rng)
{
    for (uint32_t i = 0; i < DASH_STOCK; i++) {
        for (uint32_t square = 0; square < ground->squares; square++) {
            if (sk_rng_below(rng, PERMILLE) < ground->config->failure_permille) {
                shade(ground->config, ground->stock + (size_t)i * ground->squares,
                      cell_of(ground->config, square));
            }
        }
    }
}

static void
lay_ways(struct dash_ground *ground, const struct racers_position *position, uint32_t square)
{
    const struct racers_config *config = ground->config;

    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        struct sk_cell cell = racers_neighbour(cell_of(config, square), dir);
        bool is_way = racers_on_grid(config, cell) && !racers_is_wall(config, position, cell);
        uint16_t to = is_way ? square_of(config, cell) : DASH_NOWHERE;

        ground->next[square * RACERS_DIRECTIONS + dir] = to;
        ground->ways[square] |= (uint8_t)(is_way << dir);
        ground->hops[square] |= (uint8_t)((is_way && ground->map->land[to] != to) << dir);
    }
}

static void
lay_directions(struct dash_ground *ground)
{
    memset(ground->direction, RACERS_DIRECTIONS, sizeof(ground->direction));
    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        struct sk_cell step = racers_neighbour(sk_cell(0, 0), dir);

        ground->direction[DASH_REACH + step.y * ground->config->cols + step.x] = dir;
    }
}

void
dash_ground_init(struct dash_ground *ground, const struct racers_config *config,
                 const struct racers_position *position, const struct racers_map *map,
                 struct sk_rng *rng)
{
    ground->config = config;
    ground->map = map;
    ground->squares = racers_squares(config);
    ground->next = heap_memory(ground->squares * RACERS_DIRECTIONS * sizeof(ground->next[0]));
    ground->stock = heap_memory((size_t)DASH_STOCK * ground->squares);
    ground->ways = heap_memory(ground->squares);
    ground->hops = heap_memory(ground->squares);
    for (uint32_t i = 0; i < ground->squares; i++) {
        lay_ways(ground, position, i);
    }
    lay_directions(ground);
    if (config->failure_permille > 0) {
        draw_stock(ground, rng);
    }
}

void
dash_ground_fini(struct dash_ground *ground)
{
    free(ground->next);
    free(ground->ways);
    free(ground->hops);
    free(ground->stock);
}

/* Splitmix64: for the bot's own guesses, independent of the rules' random numbers. */
uint32_t
dash_draw(struct dash_ground *ground, uint32_t bound)
{
    uint64_t word = ground->chance += 0x9e3779b97f4a7c15u;

    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(((word ^ word >> 31) >> 32) * bound >> 32);
}

void
dash_chance(struct dash_ground *ground, uint64_t seed)
{
    ground->chance = seed;
}

/* ---- loading ----------------------------------------------------------------------------- */

size_t
dash_size(const struct dash_ground *ground)
{
    return (SK_RACERS_FAILURE_TURNS + 1) * (size_t)ground->squares;
}

static void
load_racer(const struct racers_config *config, const struct racers_racer *from,
           struct dash_racer *racer)
{
    *racer = (struct dash_racer){
        .at = square_of(config, racers_cell(from->at)),
        .debt = from->debt,
        .skip = from->skip,
        .carried_count = from->carried_count,
        .trail_count = from->trail_count,
        .performed = from->performed,
    };
    for (uint32_t i = 0; i < from->carried_count; i++) {
        racer->carried[from->carried[i]]++;
    }
    for (uint32_t i = 0; i < from->trail_count; i++) {
        racer->trail[i].action = from->trail[i].action;
        racer->trail[i].at = square_of(config, racers_cell(from->trail[i].at));
        racer->trail[i].hop = from->trail[i].hop;
    }
}

static uint8_t
item_bit(const struct racers_item *item)
{
    if (item->kind != RACERS_GRENADE || item->state == RACERS_INACTIVE) {
        return (uint8_t)(1 << item->kind);
    }
    return item->state == RACERS_PLACED   ? DASH_PLACED
           : item->state == RACERS_ACTIVE ? DASH_ACTIVE
                                          : DASH_EXPLODED;
}

void
dash_load(const struct dash_ground *ground, const struct racers_position *position, uint8_t *space,
          struct dash *ret_dash)
{
    const struct racers_config *config = ground->config;
    const struct racers_failure *failures = racers_failures(config, position);
    const struct racers_item *items = racers_items(config, position);

    *ret_dash = (struct dash){
        .active = position->active,
        .actions_left = position->actions_left,
        .moved = position->moved,
        .winner = RACERS_NOBODY,
        .items = space,
    };
    memset(space, 0, dash_size(ground));
    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        load_racer(config, &position->racer[seat], &ret_dash->racer[seat]);
    }
    for (uint32_t i = 0; i < position->item_count; i++) {
        space[square_of(config, racers_cell(items[i].at))] |= item_bit(&items[i]);
    }
    for (uint32_t i = 0; i < position->failure_count; i++) {
        shade(config, space + (size_t)failures[i].turns_left * ground->squares,
              racers_cell(failures[i].at));
    }
    for (uint32_t i = 0; i < SK_RACERS_FAILURE_TURNS; i++) {
        ret_dash->dark[i] = space + (size_t)(i + 1) * ground->squares;
    }
}

void
dash_copy(const struct dash_ground *ground, const struct dash *from, uint8_t *items,
          struct dash *ret_dash)
{
    *ret_dash = *from;
    ret_dash->items = items;
    memcpy(items, from->items, ground->squares);
}

/* ---- where a racer can go ---------------------------------------------------------------- */

static bool
trail_blocks(const struct dash_racer *owner, uint32_t place, bool is_owner)
{
    return owner->performed + is_owner - owner->trail[place].action < SK_RACERS_TRAIL_MAX;
}

/* The direction from one square to another, or RACERS_DIRECTIONS if it is not a neighbour.  The
 * result for squares beyond an edge does not matter: no way leads there. */
static uint8_t
direction(const struct dash_ground *ground, uint16_t from, uint16_t to)
{
    uint32_t place = (uint32_t)to + DASH_REACH - from;

    return place <= 2 * DASH_REACH ? ground->direction[place] : RACERS_DIRECTIONS;
}

/* The diagonal between two straight directions whose squares are a link, as a bit. */
static uint32_t
between(uint8_t a, uint8_t b)
{
    uint32_t low = a < b ? a : b;
    uint32_t high = a < b ? b : a;

    if (high >= RACERS_DIRECTIONS || low % 2 != 0 || high % 2 != 0) {
        return 0;
    }
    return high - low == 2 ? 1u << (low + 1) : high - low == 6 ? 1u << RACERS_NW : 0;
}

/* Directions that a racer and the trail behind it block for the seat's racer. */
static uint32_t
barred_by(const struct dash_ground *ground, const struct dash *dash, uint8_t owner, uint8_t seat)
{
    const struct dash_racer *racer = &dash->racer[owner];
    uint16_t from = dash->racer[seat].at;
    uint8_t newer = direction(ground, from, racer->at);
    bool newer_blocks = true;
    uint32_t barred = 1u << newer;

    for (uint32_t i = 0; i < racer->trail_count; i++) {
        uint8_t older = direction(ground, from, racer->trail[i].at);
        bool blocks = trail_blocks(racer, i, owner == seat);

        barred |= (uint32_t)blocks << older;
        if (blocks && newer_blocks && !racer->trail[i].hop) {
            barred |= between(newer, older);
        }
        newer = older;
        newer_blocks = blocks;
    }
    return barred;
}

bool
dash_is_taken(const struct dash *dash, uint8_t seat, uint16_t square)
{
    for (uint8_t owner = 0; owner < RACERS_SEATS; owner++) {
        const struct dash_racer *racer = &dash->racer[owner];

        for (uint32_t i = 0; i < racer->trail_count; i++) {
            if (racer->trail[i].at == square && trail_blocks(racer, i, owner == seat)) {
                return true;
            }
        }
    }
    return dash->racer[0].at == square || dash->racer[1].at == square;
}

uint8_t
dash_ways(const struct dash_ground *ground, const struct dash *dash, uint8_t seat)
{
    uint16_t from = dash->racer[seat].at;
    uint32_t ways =
        ground->ways[from] & ~(barred_by(ground, dash, 0, seat) | barred_by(ground, dash, 1, seat));

    for (uint32_t hops = ways & ground->hops[from], dir = 0; hops >> dir != 0; dir++) {
        if ((hops >> dir & 1) != 0 &&
            dash_is_taken(dash, seat, ground->map->land[dash_next(ground, from, (uint8_t)dir)])) {
            ways ^= 1u << dir;
        }
    }
    return (uint8_t)ways;
}

/* ---- playing ----------------------------------------------------------------------------- */

/* Skips and debt are taken; false = the turn has no actions. */
static bool
take_actions(struct dash *dash)
{
    struct dash_racer *racer = &dash->racer[dash->active];
    uint32_t debt = racer->debt;

    if (racer->skip > 0) {
        racer->skip--;
        return false;
    }
    debt += dash_is_dark(dash, racer->at);
    dash->actions_left = (uint8_t)(debt < SK_RACERS_ACTIONS ? SK_RACERS_ACTIONS - debt : 0);
    racer->debt = (uint16_t)(debt < SK_RACERS_ACTIONS ? 0 : debt - SK_RACERS_ACTIONS);
    return dash->actions_left > 0;
}

static void
pass_turn(struct dash_ground *ground, struct dash *dash)
{
    do {
        dash->active = racers_other(dash->active);
        dash->moved = false;
        memmove(dash->dark, dash->dark + 1, sizeof(dash->dark) - sizeof(dash->dark[0]));
        dash->dark[SK_RACERS_FAILURE_TURNS - 1] =
            ground->stock + (size_t)dash_draw(ground, DASH_STOCK) * ground->squares;
    } while (!take_actions(dash));
}

static void
perform(struct dash *dash, uint8_t actions)
{
    struct dash_racer *racer = &dash->racer[dash->active];

    racer->performed += actions;
    dash->actions_left = (uint8_t)(dash->actions_left - actions);
    while (racer->trail_count > 0 &&
           racer->performed - racer->trail[racer->trail_count - 1].action >= SK_RACERS_TRAIL_MAX) {
        racer->trail_count--;
    }
}

static void
leave_trail(struct dash_racer *racer, bool hop)
{
    memmove(racer->trail + 1, racer->trail, sizeof(racer->trail) - sizeof(racer->trail[0]));
    racer->trail[0].action = racer->performed;
    racer->trail[0].at = racer->at;
    racer->trail[0].hop = hop;
    if (racer->trail_count < SK_RACERS_TRAIL_MAX) {
        racer->trail_count++;
    }
}

void
dash_step(const struct dash_ground *ground, struct dash *dash, uint8_t dir)
{
    struct dash_racer *racer = &dash->racer[dash->active];
    uint16_t to = dash_next(ground, racer->at, dir);

    perform(dash, 1);
    leave_trail(racer, ground->map->land[to] != to);
    racer->at = to;
    dash->moved = true;
}

static void
meet(struct dash *dash, uint16_t square)
{
    struct dash_racer *racer = &dash->racer[dash->active];
    bool dark = dash_is_dark(dash, square);

    if ((dash->items[square] & DASH_ACTIVE) != 0) {
        uint8_t costs = dark ? DARK_GRENADE_COSTS : GRENADE_COSTS;

        dash->items[square] ^= DASH_ACTIVE | DASH_EXPLODED;
        racer->debt = (uint16_t)(racer->debt + costs - dash->actions_left);
        dash->actions_left = 0;
    } else if (dark) {
        dash->actions_left = 0;
    }
}

static void
play_move(const struct dash_ground *ground, struct dash *dash, uint8_t dir)
{
    struct dash_racer *racer = &dash->racer[dash->active];
    uint16_t to = dash_next(ground, racer->at, dir);
    uint16_t land = ground->map->land[to];

    if ((dash->items[racer->at] & DASH_PLACED) != 0) {
        dash->items[racer->at] ^= DASH_PLACED | DASH_ACTIVE;
    }
    dash_step(ground, dash, dir);
    if (ground->map->moves[dash->active][to] == 0) {
        dash->winner = (int8_t)dash->active;
        return;
    }
    meet(dash, to);
    if (land != to) {
        racer->at = land;
        meet(dash, land);
    }
}

static void
play_use(struct dash *dash, uint8_t item)
{
    struct dash_racer *racer = &dash->racer[dash->active];
    struct dash_racer *other = &dash->racer[racers_other(dash->active)];

    racer->carried[item]--;
    racer->carried_count--;
    perform(dash, 1);
    if (item == RACERS_GRENADE) {
        dash->items[racer->at] |= DASH_PLACED;
    } else {
        dash->items[other->at] |= (uint8_t)(1 << item);
        other->skip++;
    }
}

static void
play_pick_up(struct dash *dash, uint8_t item)
{
    struct dash_racer *racer = &dash->racer[dash->active];
    int taken = 1 << item | (item == RACERS_GRENADE ? DASH_PLACED : 0);

    dash->items[racer->at] &= (uint8_t)~taken;
    racer->carried[item]++;
    racer->carried_count++;
    perform(dash, 1);
}

void
dash_play(struct dash_ground *ground, struct dash *dash, const struct racers_command *command)
{
    switch (command->head.kind) {
    case RACERS_MOVE:
        play_move(ground, dash, command->dir);
        break;
    case RACERS_PICK_UP:
        play_pick_up(dash, command->item);
        break;
    case RACERS_USE:
        play_use(dash, command->item);
        break;
    default:
        perform(dash, dash->actions_left);
    }
    if (dash->winner != RACERS_NOBODY) {
        return;
    }
    if (dash->actions_left == 0) {
        pass_turn(ground, dash);
    }
    if (dash_ways(ground, dash, dash->active) == 0) {
        dash->winner = (int8_t)racers_other(dash->active);
    }
}
