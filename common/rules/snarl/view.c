/*
 * What each audience may know.
 *
 * A hero sees the 5 x 5 tiles around it, and who and what is on them.  It also
 * knows its own status, whose turn it is, the level's number and whether the
 * exit is unlocked.  An audience sees through the eyes of some heroes (one in
 * co-op, all for seat 0 of versus and for spectators), or knows everything
 * (seat 1 of versus, and everybody once the match is over).
 */
#include <string.h>

#include "common/rules/snarl/internal.h"

/* ---- whose eyes -------------------------------------------------------------------------- */

/* The heroes through whose eyes the audience sees, as bits; false = it sees everything. */
static bool
find_eyes(const struct snarl_config *config, const struct sk_state *state, uint8_t seat,
          uint32_t *ret_eyes)
{
    bool is_adversary = config->mode == SNARL_VERSUS && seat == 1;

    if (state->outcome.is_over || is_adversary) {
        return false;
    }
    *ret_eyes = config->mode == SNARL_COOP && seat != SK_SPECTATOR ? 1u << seat
                                                                   : (1u << config->hero_count) - 1;
    return true;
}

/* ---- making one -------------------------------------------------------------------------- */

static bool
sees(const struct snarl_config *config, const struct snarl_view *view, struct sk_cell cell)
{
    for (uint32_t i = 0; i < config->hero_count; i++) {
        if (view->hero[i].has_sight && snarl_is_in_sight(view->hero[i].hero.at, cell)) {
            return true;
        }
    }
    return false;
}

/* The hero itself, with its surroundings. */
static void
show_own(const struct snarl_config *config, const struct snarl_position *position, uint32_t hero,
         struct snarl_seen_hero *ret_seen)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);
    struct sk_cell at = position->hero[hero].at;
    char *tile = ret_seen->tiles;

    ret_seen->hero = position->hero[hero];
    ret_seen->is_shown = true;
    ret_seen->is_own = true;
    if (position->hero[hero].status != SNARL_ACTIVE) {
        return;
    }
    ret_seen->has_sight = true;
    for (int32_t dy = -SNARL_SIGHT; dy <= SNARL_SIGHT; dy++) {
        for (int32_t dx = -SNARL_SIGHT; dx <= SNARL_SIGHT; dx++) {
            *tile++ = snarl_tile(config, level, sk_cell(at.x + dx, at.y + dy));
        }
    }
}

/* Others in sight; of a hero only its identity, not its counts. */
static void
show_others(const struct snarl_config *config, const struct snarl_position *position,
            struct snarl_view *view)
{
    uint32_t adversaries = snarl_level_at(config, position->level)->adversary_count;

    for (uint8_t i = 0; i < config->hero_count; i++) {
        if (!view->hero[i].is_shown && position->hero[i].status == SNARL_ACTIVE &&
            sees(config, view, position->hero[i].at)) {
            view->hero[i].is_shown = true;
            view->hero[i].hero.at = position->hero[i].at;
        }
    }
    for (uint32_t i = 0; i < adversaries; i++) {
        if (position->adversary[i].is_here && sees(config, view, position->adversary[i].at)) {
            view->adversary[i] = position->adversary[i];
        }
    }
}

static void
show_objects(const struct snarl_config *config, const struct snarl_position *position,
             struct snarl_view *view)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);

    if (position->has_key && (view->is_whole || sees(config, view, level->key))) {
        view->sees_key = true;
        view->key = level->key;
    }
    if (level->has_exit && (view->is_whole || sees(config, view, level->exit))) {
        view->sees_exit = true;
        view->exit = level->exit;
    }
}

static void
show_what_all_know(const struct snarl_position *position, struct snarl_view *view)
{
    view->level = position->level;
    view->exit_unlocked = position->exit_unlocked;
    view->active = position->active;
}

void
snarl_view_whole(const struct snarl_config *config, const struct snarl_position *position,
                 struct snarl_view *ret_view)
{
    show_what_all_know(position, ret_view);
    ret_view->is_whole = true;
    ret_view->round = position->round;
    for (uint32_t i = 0; i < config->hero_count; i++) {
        ret_view->hero[i].hero = position->hero[i];
        ret_view->hero[i].is_shown = true;
        ret_view->hero[i].is_own = true;
    }
    memcpy(ret_view->adversary, position->adversary,
           snarl_level_at(config, position->level)->adversary_count *
               sizeof(ret_view->adversary[0]));
    show_objects(config, position, ret_view);
}

void
snarl_view_make(const void *config, const struct sk_state *state, uint8_t seat, void *ret_view)
{
    const struct snarl_config *snarl = config;
    const struct snarl_position *position = snarl_position_of(state);
    struct snarl_view *view = ret_view;
    uint32_t eyes;

    if (!find_eyes(snarl, state, seat, &eyes)) {
        snarl_view_whole(snarl, position, view);
        return;
    }
    show_what_all_know(position, view);
    for (uint32_t i = 0; i < snarl->hero_count; i++) {
        if ((eyes >> i & 1) != 0) {
            show_own(snarl, position, i, &view->hero[i]);
        }
    }
    show_others(snarl, position, view);
    show_objects(snarl, position, view);
}

/* ---- looking at one ---------------------------------------------------------------------- */

char
snarl_view_tile(const struct snarl_config *config, const struct snarl_view *view,
                struct sk_cell cell)
{
    if (view->is_whole) {
        return snarl_tile(config, snarl_level_at(config, view->level), cell);
    }
    for (uint32_t i = 0; i < config->hero_count; i++) {
        const struct snarl_seen_hero *eye = &view->hero[i];

        if (eye->has_sight && snarl_is_in_sight(eye->hero.at, cell)) {
            int32_t dx = cell.x - eye->hero.at.x + SNARL_SIGHT;
            int32_t dy = cell.y - eye->hero.at.y + SNARL_SIGHT;

            return eye->tiles[dy * SNARL_SIGHT_SIDE + dx];
        }
    }
    return SNARL_UNSEEN;
}

/* ---- events ------------------------------------------------------------------------------ */

/* Decided when the event happened: by now the heroes may be elsewhere. */
bool
snarl_event_is_shown(const void *config, const struct sk_state *before,
                     const struct sk_state *after, const struct sk_event *event, uint8_t seat)
{
    const struct snarl_event *it = (const struct snarl_event *)(const void *)event;
    uint32_t eyes;

    (void)before;
    return !find_eyes(config, after, seat, &eyes) || (it->seen_by & eyes) != 0;
}

/* ---- guessing ---------------------------------------------------------------------------- */

/* An unoccupied tile outside all sight; false = there is none. */
static bool
draw_hidden_tile(const struct snarl_config *config, const struct snarl_view *view,
                 const struct snarl_position *position, struct sk_rng *rng,
                 struct sk_cell *ret_cell)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);
    uint32_t found = 0;

    for (int32_t y = 0; y < level->rows; y++) {
        for (int32_t x = 0; x < level->cols; x++) {
            struct sk_cell cell = sk_cell(x, y);

            if (snarl_is_traversable(snarl_tile(config, level, cell)) &&
                !sees(config, view, cell) &&
                snarl_hero_on(config, position, cell) == SNARL_NO_UNIT &&
                snarl_adversary_on(config, position, cell) == SNARL_NO_UNIT &&
                sk_rng_below(rng, ++found) == 0) {
                *ret_cell = cell;
            }
        }
    }
    return found > 0;
}

/* Unseen units are somewhere else in the level, or gone if there is no tile. */
static void
hide_unit(const struct snarl_config *config, const struct snarl_view *view, uint8_t unit,
          struct sk_rng *rng, struct snarl_position *position)
{
    struct sk_cell at;

    if (snarl_is_here(config, position, unit) ||
        (snarl_is_hero(unit) && view->hero[unit].is_shown) ||
        !draw_hidden_tile(config, view, position, rng, &at)) {
        return;
    }
    if (snarl_is_hero(unit)) {
        position->hero[unit].at = at;
        position->hero[unit].status = SNARL_ACTIVE;
    } else {
        position->adversary[unit - SNARL_FIRST_ADVERSARY] = (struct snarl_adversary){ at, true };
    }
}

static void
copy_seen(const struct snarl_config *config, const struct snarl_view *view,
          struct snarl_position *position)
{
    position->level = view->level;
    position->round = view->is_whole ? view->round : 1;
    position->exit_unlocked = view->exit_unlocked;
    position->has_key = !view->exit_unlocked;
    position->active = view->active;
    for (uint32_t i = 0; i < config->hero_count; i++) {
        position->hero[i] = view->hero[i].hero;
        if (!view->hero[i].is_shown) {
            position->hero[i].status = SNARL_EXPELLED;
        }
    }
    memcpy(position->adversary, view->adversary,
           snarl_level_at(config, view->level)->adversary_count * sizeof(view->adversary[0]));
}

/* The unit to move comes first: it is certainly on the board. */
void
snarl_guess(const void *config, const void *view, const struct sk_seed *seed,
            struct sk_state *ret_state)
{
    const struct snarl_config *snarl = config;
    const struct snarl_view *seen = view;
    uint32_t adversaries = snarl_level_at(snarl, seen->level)->adversary_count;
    struct snarl_position *position = snarl_position(ret_state);
    struct sk_rng rng;

    copy_seen(snarl, seen, position);
    if (seen->is_whole) {
        return;
    }
    sk_rng_start(&rng, seed, ret_state->turn, SNARL_CHANCE_PLACEMENT);
    hide_unit(snarl, seen, position->active, &rng, position);
    for (uint8_t unit = 0; unit < snarl->hero_count; unit++) {
        hide_unit(snarl, seen, unit, &rng, position);
    }
    for (uint32_t i = 0; i < adversaries; i++) {
        hide_unit(snarl, seen, (uint8_t)(SNARL_FIRST_ADVERSARY + i), &rng, position);
    }
}
