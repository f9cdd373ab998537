/*
 * The rules, one question each.  Heroes and adversaries are asked the same
 * questions; what differs is data: how many steps, which tiles.
 *
 * Every question about a move is answered from a view, so an answer cannot
 * tell what the seat may not see.
 */
#include "common/rules/snarl/internal.h"

const struct snarl_kind_facts snarl_kinds[SNARL_KIND_COUNT] = {
    [SNARL_ZOMBIE] = { .steps = 1, .hunts_in_room = true },
    [SNARL_GHOST] = { .steps = 1, .enters_doors = true, .enters_walls = true, .hunts_within = 10 },
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

/* May the unit walk over the tile on its way?  A wall is entered only to stay in it. */
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

/* Two steps lead over one tile: straight on, or around one of two corners. */
sk_verdict
snarl_judge_distance(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
                     struct sk_cell to)
{
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
    if (steps > (snarl_is_hero(unit) ? SNARL_HERO_STEPS : facts_of(config, view, unit)->steps)) {
        return SNARL_TOO_FAR;
    }
    if (steps < 2) {
        return SK_VERDICT_OK;
    }
    if (dx != 0 && dy != 0) {
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

static sk_verdict
judge_step(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
           struct sk_cell to)
{
    static sk_verdict (*const questions[])(const struct snarl_config *, const struct snarl_view *,
                                           uint8_t, struct sk_cell) = {
        snarl_judge_distance,
        snarl_judge_tile,
        snarl_judge_door,
        snarl_judge_interaction,
    };
    sk_verdict verdict = SK_VERDICT_OK;

    for (size_t i = 0; i < SK_COUNT_OF(questions) && verdict == SK_VERDICT_OK; i++) {
        verdict = questions[i](config, view, unit, to);
    }
    return verdict;
}

/* Is there any move but staying?  Whoever has one at all has one of a single step. */
static bool
can_move(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
         struct sk_cell from)
{
    for (uint32_t i = 0; i < SNARL_DIRECTIONS; i++) {
        struct sk_cell to = sk_cell(from.x + snarl_directions[i].x, from.y + snarl_directions[i].y);

        if (judge_step(config, view, unit, to) == SK_VERDICT_OK) {
            return true;
        }
    }
    return false;
}

sk_verdict
snarl_judge_must_move(const struct snarl_config *config, const struct snarl_view *view,
                      uint8_t unit, struct sk_cell to)
{
    return !snarl_is_hero(unit) && stays(config, view, unit, to) && can_move(config, view, unit, to)
               ? SNARL_MUST_MOVE
               : SK_VERDICT_OK;
}

sk_verdict
snarl_judge_move(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
                 struct sk_cell to)
{
    sk_verdict verdict = judge_step(config, view, unit, to);

    return verdict == SK_VERDICT_OK ? snarl_judge_must_move(config, view, unit, to) : verdict;
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

/* Below 0: a ranks before b. */
static int
compare_heroes(const struct snarl_hero *a, const struct snarl_hero *b)
{
    int resigned = (a->status == SNARL_RESIGNED) - (b->status == SNARL_RESIGNED);
    int exits = (a->exits < b->exits) - (a->exits > b->exits);
    int keys = (a->keys < b->keys) - (a->keys > b->keys);
    int expulsions = (a->expulsions > b->expulsions) - (a->expulsions < b->expulsions);

    return resigned != 0 ? resigned : exits != 0 ? exits : keys != 0 ? keys : expulsions;
}

/* The first in the ranking, or SK_NOBODY when others are equal to it. */
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
