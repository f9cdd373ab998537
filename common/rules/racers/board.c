/*
 * The board in use: what is where, what blocks whom, and where a racer can go.
 * Checks, hints and stages all use these functions, on a view or a state.
 */
#include "common/rules/racers/internal.h"

struct sk_cell
racers_neighbour(struct sk_cell from, uint8_t dir)
{
    static const struct sk_cell steps[RACERS_DIRECTIONS] = {
        [RACERS_N] = { 0, -1 }, [RACERS_NE] = { 1, -1 },  [RACERS_E] = { 1, 0 },
        [RACERS_SE] = { 1, 1 }, [RACERS_S] = { 0, 1 },    [RACERS_SW] = { -1, 1 },
        [RACERS_W] = { -1, 0 }, [RACERS_NW] = { -1, -1 },
    };

    return sk_cell(from.x + steps[dir].x, from.y + steps[dir].y);
}

/* ---- what lies there --------------------------------------------------------------------- */

bool
racers_is_wall(const struct racers_config *config, const struct racers_position *position,
               struct sk_cell cell)
{
    return racers_on_grid(config, cell) && (position->wall_row[cell.y] >> cell.x & 1) != 0;
}

/* A failure darkens its square and the eight around it. */
bool
racers_is_dark(const struct racers_config *config, const struct racers_position *position,
               struct sk_cell cell)
{
    const struct racers_failure *failure = racers_failures(config, position);

    for (uint32_t i = 0; i < position->failure_count; i++, failure++) {
        int32_t dx = cell.x - failure->at.x;
        int32_t dy = cell.y - failure->at.y;

        if (dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1) {
            return true;
        }
    }
    return false;
}

int
racers_racer_on(const struct racers_position *position, struct sk_cell cell)
{
    for (int seat = 0; seat < RACERS_SEATS; seat++) {
        if (racers_spot_is(position->racer[seat].at, cell)) {
            return seat;
        }
    }
    return RACERS_NOBODY;
}

const struct racers_teleporter *
racers_teleporter_on(const struct racers_config *config, const struct racers_position *position,
                     struct sk_cell cell)
{
    const struct racers_teleporter *teleporter = racers_teleporters(config, position);

    for (uint32_t i = 0; i < position->teleporter_count; i++, teleporter++) {
        if (racers_spot_is(teleporter->at, cell)) {
            return teleporter;
        }
    }
    return NULL;
}

uint32_t
racers_grenade_on(const struct racers_config *config, const struct racers_position *position,
                  struct sk_cell cell)
{
    const struct racers_item *items = racers_items(config, position);

    for (uint32_t i = 0; i < position->item_count; i++) {
        if (items[i].kind == RACERS_GRENADE && racers_spot_is(items[i].at, cell)) {
            return i;
        }
    }
    return RACERS_NOWHERE;
}

static bool
can_be_picked_up(const struct racers_item *item)
{
    return item->kind != RACERS_GRENADE || item->state == RACERS_INACTIVE ||
           item->state == RACERS_PLACED;
}

uint32_t
racers_item_to_pick_up(const struct racers_config *config, const struct racers_position *position,
                       struct sk_cell cell, uint8_t kind)
{
    const struct racers_item *items = racers_items(config, position);

    for (uint32_t i = 0; i < position->item_count; i++) {
        if (items[i].kind == kind && racers_spot_is(items[i].at, cell) &&
            can_be_picked_up(&items[i])) {
            return i;
        }
    }
    return RACERS_NOWHERE;
}

bool
racers_carries(const struct racers_racer *racer, uint8_t kind)
{
    for (uint32_t i = 0; i < racer->carried_count; i++) {
        if (racer->carried[i] == kind) {
            return true;
        }
    }
    return false;
}

/* ---- changing the lists ------------------------------------------------------------------ */

void
racers_wall_add(const struct racers_config *config, struct racers_position *position,
                struct racers_spot at)
{
    struct racers_spot *walls = (void *)((uint8_t *)position + config->walls_at);

    walls[position->wall_count++] = at;
    position->wall_row[at.y] |= (uint64_t)1 << at.x;
}

uint32_t
racers_items_in_all(const struct racers_position *position)
{
    uint32_t count = position->item_count;

    for (uint32_t seat = 0; seat < RACERS_SEATS; seat++) {
        count += position->racer[seat].carried_count;
    }
    return count;
}

void
racers_item_add(const struct racers_config *config, struct racers_position *position,
                struct racers_item item)
{
    SK_ASSERT(position->item_count < RACERS_ITEMS_MAX(racers_squares(config)));
    racers_item_space(config, position)[position->item_count++] = item;
}

void
racers_item_remove(const struct racers_config *config, struct racers_position *position,
                   uint32_t place)
{
    struct racers_item *items = racers_item_space(config, position);

    position->item_count--;
    for (uint32_t i = place; i < position->item_count; i++) {
        items[i] = items[i + 1];
    }
}

/* ---- light trails ------------------------------------------------------------------------ */

/*
 * A square left at the owner's action j blocks others while K - j <= 2, where K
 * is the owner's latest action, and the owner while k - j <= 2, where k is the
 * next.
 */
static bool
trail_blocks(const struct racers_racer *owner, const struct racers_trail *trail, bool is_owner)
{
    return (int64_t)owner->performed + is_owner - trail->action < SK_RACERS_TRAIL_MAX;
}

bool
racers_has_trail(const struct racers_position *position, uint8_t seat, struct sk_cell cell)
{
    for (uint8_t owner = 0; owner < RACERS_SEATS; owner++) {
        const struct racers_racer *racer = &position->racer[owner];

        for (uint32_t i = 0; i < racer->trail_count; i++) {
            if (racers_spot_is(racer->trail[i].at, cell) &&
                trail_blocks(racer, &racer->trail[i], owner == seat)) {
                return true;
            }
        }
    }
    return false;
}

/*
 * A chain is the racer (its head) followed by the trail, newest first.  A link
 * lies across a diagonal step if its two squares are the step's two corners.
 * It blocks if both squares do; the head always does.
 */
static bool
chain_crosses(const struct racers_racer *owner, bool is_owner, struct sk_cell corners[2])
{
    struct racers_spot newer = owner->at;

    for (uint32_t i = 0; i < owner->trail_count; i++) {
        const struct racers_trail *older = &owner->trail[i];
        bool is_across =
            (racers_spot_is(newer, corners[0]) && racers_spot_is(older->at, corners[1])) ||
            (racers_spot_is(newer, corners[1]) && racers_spot_is(older->at, corners[0]));
        bool newer_blocks = i == 0 || trail_blocks(owner, &owner->trail[i - 1], is_owner);

        if (is_across && !older->hop && newer_blocks && trail_blocks(owner, older, is_owner)) {
            return true;
        }
        newer = older->at;
    }
    return false;
}

bool
racers_crosses_trail(const struct racers_position *position, uint8_t seat, uint8_t dir)
{
    struct sk_cell from = racers_cell(position->racer[seat].at);
    struct sk_cell to = racers_neighbour(from, dir);
    struct sk_cell corners[2] = { sk_cell(to.x, from.y), sk_cell(from.x, to.y) };

    if (!racers_is_diagonal(dir)) {
        return false;
    }
    for (uint8_t owner = 0; owner < RACERS_SEATS; owner++) {
        if (chain_crosses(&position->racer[owner], owner == seat, corners)) {
            return true;
        }
    }
    return false;
}

/* ---- where a racer can go ---------------------------------------------------------------- */

bool
racers_is_blocked(const struct racers_config *config, const struct racers_position *position,
                  uint8_t seat, struct sk_cell cell)
{
    const struct racers_teleporter *teleporter = racers_teleporter_on(config, position, cell);
    struct sk_cell to;

    if (teleporter == NULL) {
        return false;
    }
    to = racers_cell(teleporter->to);
    return racers_racer_on(position, to) != RACERS_NOBODY || racers_has_trail(position, seat, to);
}

struct sk_cell
racers_target(const struct racers_position *position, uint8_t seat, uint8_t dir)
{
    return racers_neighbour(racers_cell(position->racer[seat].at), dir);
}

bool
racers_can_move(const struct racers_config *config, const struct racers_position *position,
                uint8_t seat, uint8_t dir)
{
    struct sk_cell to = racers_target(position, seat, dir);

    return racers_on_grid(config, to) && !racers_is_wall(config, position, to) &&
           racers_racer_on(position, to) == RACERS_NOBODY &&
           !racers_has_trail(position, seat, to) && !racers_crosses_trail(position, seat, dir) &&
           !racers_is_blocked(config, position, seat, to);
}

bool
racers_has_way(const struct racers_config *config, const struct racers_position *position,
               uint8_t seat)
{
    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        if (racers_can_move(config, position, seat, dir)) {
            return true;
        }
    }
    return false;
}

bool
racers_is_trapped(const struct racers_config *config, const struct racers_position *position)
{
    return position->actions_left > 0 && !racers_has_way(config, position, position->active);
}
