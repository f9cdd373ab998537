/*
 * The rules, one function each.  Heroes and adversaries use the same functions;
 * what differs is data: how many steps, which tiles.
 *
 * Every rule about a move is answered from a view, so an answer cannot reveal
 * what the seat may not see.
 */
#include "common/rules/snarl/internal.h"

const struct snarl_kind_facts snarl_kinds[SNARL_KIND_COUNT] = {
    [SNARL_ZOMBIE] = { .steps = 1, .hunts_in_room = true },
    [SNARL_GHOST] = { .steps = 1,
                      .enters_doors = true,
                      .enters_walls = true,
                      .hunts_within = SNARL_GHOST_HUNTS },
};

const char *const snarl_kind_words[SNARL_KIND_COUNT] = {
    [SNARL_ZOMBIE] = "zombie",
    [SNARL_GHOST] = "ghost",
};

/* ---- who and where ----------------------------------------------------------------------- */

static const struct snarl_kind_facts *
facts_of(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit)
{
    const struct snarl_level *level = snarl_level_at(config, view->level);

    return &snarl_kinds[snarl_adversaries_of(config, level)[unit - SNARL_FIRST_ADVERSARY].kind];
}

int32_t
snarl_steps_of(const struct snarl_config *config, int32_t level, uint8_t unit)
{
    if (snarl_is_hero(unit)) {
        return SNARL_HERO_STEPS;
    }
    return config->steps[snarl_adversaries_of(
                             config, snarl_level_at(config, level))[unit - SNARL_FIRST_ADVERSARY]
                             .kind];
}

bool
snarl_seen_at(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
              struct sk_cell *ret_at)
{
    if (snarl_is_hero(unit)) {
        *ret_at = view->hero[unit].hero.at;
        return unit < config->hero_count && view->hero[unit].is_shown &&
               view->hero[unit].hero.status == SNARL_ACTIVE;
    }
    if (unit >= SNARL_FIRST_ADVERSARY + snarl_level_at(config, view->level)->adversary_count) {
        return false;
    }
    *ret_at = view->adversary[unit - SNARL_FIRST_ADVERSARY].at;
    return view->adversary[unit - SNARL_FIRST_ADVERSARY].is_here;
}

bool
snarl_is_own_turn(const struct snarl_config *config, const struct snarl_view *view, uint8_t seat,
                  uint8_t unit)
{
    if (unit != view->active) {
        return false;
    }
    if (config->mode == SNARL_COOP) {
        return unit == seat;
    }
    return snarl_is_hero(unit) ? seat == 0 : seat == 1;
}

static bool
stays(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
      struct sk_cell to)
{
    struct sk_cell from;

    return snarl_seen_at(config, view, unit, &from) && sk_cell_same(from, to);
}

/* ---- distance: few enough steps, and a way for them -------------------------------------- */

/* Whether the unit may pass over the tile.  A wall is entered only to stay in it. */
static bool
can_pass(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
         struct sk_cell cell)
{
    char tile = snarl_view_tile(config, view, cell);

    return snarl_is_traversable(tile) && (snarl_is_hero(unit) || tile != SNARL_DOOR ||
                                          facts_of(config, view, unit)->enters_doors);
}

static int64_t
absolute(int64_t number)
{
    return number < 0 ? -number : number;
}

/* A search around the unit: the number of steps to each cell, + 1; 0 = not reached. */
#define REACH_SIDE (2 * SK_SNARL_STEPS_MAX + 1)

struct reach {
    struct sk_cell from;
    struct sk_cell *cells;
    uint32_t count;
    uint8_t steps[REACH_SIDE][REACH_SIDE];
};

static uint8_t *
steps_to(struct reach *reach, struct sk_cell cell)
{
    return &reach->steps[cell.y - reach->from.y + SK_SNARL_STEPS_MAX]
                        [cell.x - reach->from.x + SK_SNARL_STEPS_MAX];
}

static void
spread(struct reach *reach, struct sk_cell from)
{
    for (uint32_t i = 0; i < SNARL_DIRECTIONS; i++) {
        struct sk_cell to = sk_cell(from.x + snarl_directions[i].x, from.y + snarl_directions[i].y);

        if (*steps_to(reach, to) == 0) {
            *steps_to(reach, to) = (uint8_t)(*steps_to(reach, from) + 1);
            reach->cells[reach->count++] = to;
        }
    }
}

uint32_t
snarl_reach(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
            struct sk_cell ret_cells[SNARL_REACH_MAX])
{
    int32_t steps = snarl_steps_of(config, view->level, unit);
    struct reach reach = { .cells = ret_cells };

    if (!snarl_seen_at(config, view, unit, &reach.from)) {
        return 0;
    }
    *steps_to(&reach, reach.from) = 1;
    spread(&reach, reach.from);
    for (uint32_t i = 0; steps > 1 && i < reach.count; i++) {
        if (*steps_to(&reach, ret_cells[i]) <= steps &&
            can_pass(config, view, unit, ret_cells[i])) {
            spread(&reach, ret_cells[i]);
        }
    }
    return reach.count;
}

static bool
is_reached(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
           struct sk_cell to)
{
    struct sk_cell cells[SNARL_REACH_MAX];
    uint32_t count = snarl_reach(config, view, unit, cells);
    uint32_t i = 0;

    while (i < count && !sk_cell_same(cells[i], to)) {
        i++;
    }
    return i < count;
}

/* Two steps lead over one tile: straight ahead, or around one of two corners.  More steps are
 * searched. */
sk_verdict
snarl_judge_distance(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
                     struct sk_cell to)
{
    int32_t most;
    struct sk_cell from;
    int64_t dx;
    int64_t dy;
    int64_t steps;
    bool has_way;

    if (!snarl_seen_at(config, view, unit, &from)) {
        return SNARL_TOO_FAR;
    }
    dx = (int64_t)to.x - from.x;
    dy = (int64_t)to.y - from.y;
    steps = absolute(dx) + absolute(dy);
    most = snarl_steps_of(config, view->level, unit);
    if (steps > most) {
        return SNARL_TOO_FAR;
    }
    if (steps < 2) {
        return SK_VERDICT_OK;
    }
    if (most > 2) {
        has_way = is_reached(config, view, unit, to);
    } else if (dx != 0 && dy != 0) {
        has_way = can_pass(config, view, unit, sk_cell(from.x, to.y)) ||
                  can_pass(config, view, unit, sk_cell(to.x, from.y));
    } else {
        has_way = can_pass(config, view, unit,
                           sk_cell(from.x + (int32_t)dx / 2, from.y + (int32_t)dy / 2));
    }
    return has_way ? SK_VERDICT_OK : SNARL_TOO_FAR;
}

/* ---- tile and door: what the destination is ---------------------------------------------- */

sk_verdict
snarl_judge_tile(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
                 struct sk_cell to)
{
    char tile = snarl_view_tile(config, view, to);
    bool is_wall_entered =
        tile == SNARL_WALL && !snarl_is_hero(unit) && facts_of(config, view, unit)->enters_walls;

    return snarl_is_traversable(tile) || is_wall_entered ? SK_VERDICT_OK : SNARL_NOT_TRAVERSABLE;
}

sk_verdict
snarl_judge_door(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
                 struct sk_cell to)
{
    bool is_barred = !snarl_is_hero(unit) && snarl_view_tile(config, view, to) == SNARL_DOOR &&
                     !facts_of(config, view, unit)->enters_doors;

    return is_barred && !stays(config, view, unit, to) ? SNARL_DOOR_BARRED : SK_VERDICT_OK;
}

/* ---- interaction: who is there already --------------------------------------------------- */

sk_verdict
snarl_judge_interaction(const struct snarl_config *config, const struct snarl_view *view,
                        uint8_t unit, struct sk_cell to)
{
    uint8_t first = snarl_is_hero(unit) ? 0 : SNARL_FIRST_ADVERSARY;
    uint32_t count = snarl_is_hero(unit) ? config->hero_count
                                         : snarl_level_at(config, view->level)->adversary_count;

    for (uint8_t other = first; other < first + count; other++) {
        struct sk_cell at;

        if (other != unit && snarl_seen_at(config, view, other, &at) && sk_cell_same(at, to)) {
            return SK_OCCUPIED;
        }
    }
    return SK_VERDICT_OK;
}

/* ---- must_move: who could move must ------------------------------------------------------ */

sk_verdict
snarl_judge_destination(const struct snarl_config *config, const struct snarl_view *view,
                        uint8_t unit, struct sk_cell to)
{
    sk_verdict verdict = snarl_judge_tile(config, view, unit, to);

    if (verdict == SK_VERDICT_OK) {
        verdict = snarl_judge_door(config, view, unit, to);
    }
    return verdict == SK_VERDICT_OK ? snarl_judge_interaction(config, view, unit, to) : verdict;
}

/* Whether there is a move other than staying. */
static bool
can_move(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit)
{
    struct sk_cell cells[SNARL_REACH_MAX];
    uint32_t count = snarl_reach(config, view, unit, cells);

    for (uint32_t i = 0; i < count; i++) {
        if (snarl_judge_destination(config, view, unit, cells[i]) == SK_VERDICT_OK) {
            return true;
        }
    }
    return false;
}

sk_verdict
snarl_judge_must_move(const struct snarl_config *config, const struct snarl_view *view,
                      uint8_t unit, struct sk_cell to)
{
    return !snarl_is_hero(unit) && stays(config, view, unit, to) && can_move(config, view, unit)
               ? SNARL_MUST_MOVE
               : SK_VERDICT_OK;
}

sk_verdict
snarl_judge_move(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
                 struct sk_cell to)
{
    sk_verdict verdict = snarl_judge_distance(config, view, unit, to);

    if (verdict == SK_VERDICT_OK) {
        verdict = snarl_judge_destination(config, view, unit, to);
    }
    return verdict == SK_VERDICT_OK ? snarl_judge_must_move(config, view, unit, to) : verdict;
}

/* ---- what is met on a tile ---------------------------------------------------------------- */

enum snarl_meeting
snarl_meets(const struct snarl_config *config, const struct snarl_position *position, uint8_t unit,
            bool is_hero, struct sk_cell cell)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);
    uint8_t same = is_hero ? snarl_hero_on(config, position, cell)
                           : snarl_adversary_on(config, position, cell);

    if (!snarl_is_traversable(snarl_tile(config, level, cell))) {
        return SNARL_MEETS_WALL;
    }
    if (same != SNARL_NO_UNIT && same != unit) {
        return is_hero ? SNARL_MEETS_HERO : SNARL_MEETS_ADVERSARY;
    }
    return snarl_meets_inside(config, position, is_hero, cell);
}

/* ---- the end of a level and of the game -------------------------------------------------- */

static bool
has_hero_with(const struct snarl_config *config, const struct snarl_position *position,
              uint8_t status)
{
    for (uint32_t i = 0; i < config->hero_count; i++) {
        if (position->hero[i].status == status) {
            return true;
        }
    }
    return false;
}

bool
snarl_has_exit(const struct snarl_config *config, const struct snarl_position *position)
{
    return has_hero_with(config, position, SNARL_EXITED);
}

bool
snarl_level_is_over(const struct snarl_config *config, const struct snarl_position *position)
{
    return !has_hero_with(config, position, SNARL_ACTIVE) ||
           (config->level_end == SNARL_END_ANY && snarl_has_exit(config, position));
}

/* Negative: a ranks before b. */
static int
compare_heroes(const struct snarl_hero *a, const struct snarl_hero *b)
{
    int resigned = (a->status == SNARL_RESIGNED) - (b->status == SNARL_RESIGNED);
    int exits = (a->exits < b->exits) - (a->exits > b->exits);
    int keys = (a->keys < b->keys) - (a->keys > b->keys);
    int expulsions = (a->expulsions > b->expulsions) - (a->expulsions < b->expulsions);

    return resigned != 0 ? resigned : exits != 0 ? exits : keys != 0 ? keys : expulsions;
}

/* The first in the ranking, or SK_NOBODY if it is tied. */
static int
find_best_hero(const struct snarl_config *config, const struct snarl_position *position)
{
    int best = 0;
    bool is_alone = true;

    for (int i = 1; i < config->hero_count; i++) {
        int order = compare_heroes(&position->hero[i], &position->hero[best]);

        is_alone = order < 0 || (order > 0 && is_alone);
        best = order < 0 ? i : best;
    }
    return is_alone ? best : SK_NOBODY;
}

void
snarl_outcome(const struct snarl_config *config, const struct snarl_position *position,
              struct sk_outcome *ret_outcome)
{
    bool is_won = snarl_has_exit(config, position);
    int winner;

    if (!snarl_level_is_over(config, position) ||
        (is_won && position->level + 1 < config->level_count)) {
        return;
    }
    if (config->mode == SNARL_VERSUS) {
        winner = is_won ? 0 : 1;
    } else {
        winner = is_won ? find_best_hero(config, position) : SK_NOBODY;
    }
    *ret_outcome = (struct sk_outcome){
        .is_over = true,
        .winner = (int8_t)winner,
        .reason = !is_won               ? SNARL_LOST
                  : winner == SK_NOBODY ? SNARL_DRAW_EQUAL
                                        : SNARL_WON,
    };
}
