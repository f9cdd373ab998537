/*
 * How a position changes: units move and arrive, the turn passes, levels end
 * and begin, heroes leave the match.
 *
 * Who sees an event is decided when it happens, by where the heroes are at that
 * moment.
 */
#include <string.h>

#include "common/rules/snarl/internal.h"

const struct sk_cell snarl_directions[SNARL_DIRECTIONS] = {
    { 0, -1 },
    { -1, 0 },
    { 1, 0 },
    { 0, 1 },
};

static const struct sk_text by_round_limit = SK_TEXT_CONST("round_limit");

void
snarl_dice_start(const struct sk_turn *turn, struct snarl_dice *ret_dice)
{
    sk_turn_rng(turn, SNARL_CHANCE_STEPS, &ret_dice->steps);
    sk_turn_rng(turn, SNARL_CHANCE_RELOCATION, &ret_dice->relocation);
}

/* ---- events ------------------------------------------------------------------------------ */

#define SEEN_BY_ALL 0xff

static struct snarl_event *
add_event(struct sk_turn *turn, uint8_t kind)
{
    struct snarl_event *event = sk_events_add(&turn->events, kind, sizeof(struct snarl_event));

    event->seen_by = SEEN_BY_ALL;
    return event;
}

/* The heroes on the board who see both cells. */
static uint8_t
witnesses(const struct sk_turn *turn, struct sk_cell a, struct sk_cell b)
{
    const struct snarl_config *config = turn->config;
    const struct snarl_position *position = snarl_position(turn->after);
    uint32_t seen_by = 0;

    for (uint8_t i = 0; i < config->hero_count; i++) {
        if (position->hero[i].status == SNARL_ACTIVE &&
            snarl_is_in_sight(position->hero[i].at, a) &&
            snarl_is_in_sight(position->hero[i].at, b)) {
            seen_by |= 1u << i;
        }
    }
    return (uint8_t)seen_by;
}

/* A unit's event is seen by the heroes around it and, if it is a hero, by itself. */
static struct snarl_event *
add_unit_event(struct sk_turn *turn, uint8_t kind, uint8_t unit, struct sk_cell from,
               struct sk_cell at)
{
    const struct snarl_position *position = snarl_position(turn->after);
    struct snarl_event *event = add_event(turn, kind);

    event->unit = snarl_unit_id(turn->config, position->level, unit);
    event->from = from;
    event->at = at;
    event->seen_by = witnesses(turn, from, at);
    if (snarl_is_hero(unit)) {
        event->seen_by |= (uint8_t)(1u << unit);
    }
    return event;
}

/* ---- moving ------------------------------------------------------------------------------ */

static void
put_unit(struct snarl_position *position, uint8_t unit, struct sk_cell at)
{
    if (snarl_is_hero(unit)) {
        position->hero[unit].at = at;
    } else {
        position->adversary[unit - SNARL_FIRST_ADVERSARY].at = at;
    }
}

/* A random room with a free tile, then a random free tile of it; false = there is none. */
static bool
draw_free_tile(const struct snarl_config *config, const struct snarl_position *position,
               struct sk_rng *rng, struct sk_cell *ret_cell)
{
    uint32_t room_count = snarl_level_at(config, position->level)->room_count;
    uint32_t rooms[SK_SNARL_ROOMS_MAX];
    uint32_t count = 0;
    uint32_t room;

    for (uint32_t i = 0; i < room_count; i++) {
        if (snarl_free_count(config, position, i) > 0) {
            rooms[count++] = i;
        }
    }
    if (count == 0) {
        return false;
    }
    room = rooms[sk_rng_below(rng, count)];
    *ret_cell = snarl_free_at(config, position, room,
                              sk_rng_below(rng, snarl_free_count(config, position, room)));
    return true;
}

bool
snarl_move_unit(struct sk_turn *turn, uint8_t unit, struct sk_cell to, struct snarl_dice *dice)
{
    const struct snarl_config *config = turn->config;
    struct snarl_position *position = snarl_position(turn->after);
    struct sk_cell from = snarl_cell_of(position, unit);
    bool is_wall = snarl_tile(config, snarl_level_at(config, position->level), to) == SNARL_WALL;
    struct sk_cell out = to;

    if (sk_cell_same(from, to) ||
        (is_wall && !draw_free_tile(config, position, &dice->relocation, &out))) {
        return false;
    }
    add_unit_event(turn, SNARL_EVENT_MOVED, unit, from, to);
    if (is_wall) {
        add_unit_event(turn, SNARL_EVENT_RELOCATED, unit, to, out);
    }
    put_unit(position, unit, out);
    return true;
}

/* ---- arriving ---------------------------------------------------------------------------- */

/* Takes the unit off the board and clears its cell. */
static void
take_off(struct snarl_position *position, uint8_t hero, uint8_t status)
{
    position->hero[hero].status = status;
    position->hero[hero].at = sk_cell(0, 0);
}

static void
expel(struct sk_turn *turn, uint8_t hero, struct sk_text by)
{
    struct snarl_position *position = snarl_position(turn->after);
    struct sk_cell at = position->hero[hero].at;

    add_unit_event(turn, SNARL_EVENT_EXPELLED, hero, at, at)->by = by;
    position->hero[hero].expulsions++;
    take_off(position, hero, SNARL_EXPELLED);
}

static void
take_key(struct sk_turn *turn, uint8_t hero)
{
    struct snarl_position *position = snarl_position(turn->after);
    struct sk_cell at = position->hero[hero].at;

    add_unit_event(turn, SNARL_EVENT_TOOK_KEY, hero, at, at);
    position->hero[hero].keys++;
    position->has_key = false;
    position->exit_unlocked = true;
}

static void
exit_level(struct sk_turn *turn, uint8_t hero)
{
    struct snarl_position *position = snarl_position(turn->after);
    struct sk_cell at = position->hero[hero].at;

    add_unit_event(turn, SNARL_EVENT_EXITED, hero, at, at);
    position->hero[hero].exits++;
    take_off(position, hero, SNARL_EXITED);
}

static void
tell_exit_locked(struct sk_turn *turn, uint8_t hero)
{
    struct sk_cell at = snarl_position(turn->after)->hero[hero].at;

    if (turn->ruleset->version >= SNARL_VERSION_EXIT_LOCKED) {
        add_unit_event(turn, SNARL_EVENT_EXIT_LOCKED, hero, at, at);
    }
}

/* A key may lie on the exit, so the tile is checked again after the key is taken. */
static void
hero_arrives(struct sk_turn *turn, uint8_t hero)
{
    const struct snarl_config *config = turn->config;
    const struct snarl_position *position = snarl_position(turn->after);
    struct sk_cell at = position->hero[hero].at;
    enum snarl_meeting met = snarl_meets_inside(config, position, true, at);

    if (met == SNARL_MEETS_KEY) {
        take_key(turn, hero);
        met = snarl_meets_inside(config, position, true, at);
    }
    if (met == SNARL_MEETS_ADVERSARY) {
        expel(turn, hero,
              snarl_unit_id(config, position->level, snarl_adversary_on(config, position, at)));
    } else if (met == SNARL_MEETS_UNLOCKED_EXIT) {
        exit_level(turn, hero);
    } else if (met == SNARL_MEETS_LOCKED_EXIT) {
        tell_exit_locked(turn, hero);
    }
}

void
snarl_arrive(struct sk_turn *turn, uint8_t unit)
{
    const struct snarl_config *config = turn->config;
    const struct snarl_position *position = snarl_position(turn->after);
    uint8_t hero;

    if (snarl_is_hero(unit)) {
        hero_arrives(turn, unit);
        return;
    }
    hero = snarl_hero_on(config, position, snarl_cell_of(position, unit));
    if (hero != SNARL_NO_UNIT) {
        expel(turn, hero, snarl_unit_id(config, position->level, unit));
    }
}

/* ---- levels ------------------------------------------------------------------------------ */

static uint8_t
first_hero(const struct snarl_config *config, const struct snarl_position *position)
{
    uint8_t hero = 0;

    while (hero < config->hero_count && position->hero[hero].status != SNARL_ACTIVE) {
        hero++;
    }
    return hero;
}

/* From the last room backwards: fills each room before the one in front of it. */
static void
place_adversaries_at_random(const struct snarl_config *config, struct sk_rng *rng,
                            struct snarl_position *position)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);
    uint32_t room = level->room_count - 1u;

    for (uint32_t i = 0; i < level->adversary_count; i++) {
        uint32_t count = snarl_free_count(config, position, room);

        while (count == 0) {
            SK_ASSERT(room > 0); /* checked when the match was created */
            count = snarl_free_count(config, position, --room);
        }
        position->adversary[i].at = snarl_free_at(config, position, room, sk_rng_below(rng, count));
        position->adversary[i].is_here = true;
    }
}

void
snarl_begin_level(const struct snarl_config *config, const struct sk_seed *seed, uint32_t turn,
                  struct snarl_position *position)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);
    struct sk_rng rng;

    position->round = 1;
    position->has_key = level->has_key;
    position->exit_unlocked = !level->has_key;
    memset(position->adversary, 0, config->adversary_max * sizeof(position->adversary[0]));
    for (uint32_t i = 0; i < config->hero_count; i++) {
        if (position->hero[i].status != SNARL_RESIGNED) {
            position->hero[i].status = SNARL_ACTIVE;
            position->hero[i].at = level->start[i];
        }
    }
    position->active = first_hero(config, position);
    if (level->places_at_random) {
        sk_rng_start(&rng, seed, turn,
                     SNARL_CHANCE_PLACEMENT + SNARL_CHANCE_LEVEL * (uint32_t)position->level);
        place_adversaries_at_random(config, &rng, position);
        return;
    }
    for (uint32_t i = 0; i < level->adversary_count; i++) {
        position->adversary[i] =
            (struct snarl_adversary){ snarl_adversaries_of(config, level)[i].at, true };
    }
}

static void
end_game(struct sk_turn *turn, struct sk_outcome outcome)
{
    struct snarl_event *event = add_event(turn, SNARL_EVENT_GAME_ENDED);

    event->has_winner = outcome.winner != SK_NOBODY;
    event->winner = event->has_winner ? outcome.winner : 0;
    event->reason = sk_text_of(sk_reason_name(turn->ruleset, outcome.reason));
}

/* Ends the level if it is over.  True if so: the next has begun, or the game has ended. */
static bool
settle_level(struct sk_turn *turn, bool is_round_limit)
{
    const struct snarl_config *config = turn->config;
    struct snarl_position *position = snarl_position(turn->after);
    struct sk_outcome outcome = { .winner = SK_NOBODY };
    struct snarl_event *event;

    if (!snarl_level_is_over(config, position)) {
        return false;
    }
    event = add_event(turn, SNARL_EVENT_LEVEL_ENDED);
    event->level = position->level + 1;
    event->why = is_round_limit                     ? SNARL_WHY_ROUND_LIMIT
                 : snarl_has_exit(config, position) ? SNARL_WHY_LEFT
                                                    : SNARL_WHY_LOST;
    snarl_outcome(config, position, &outcome);
    if (outcome.is_over) {
        end_game(turn, outcome);
        return true;
    }
    position->level++;
    snarl_begin_level(config, turn->seed, turn->after->turn, position);
    add_event(turn, SNARL_EVENT_LEVEL_STARTED)->level = position->level + 1;
    return true;
}

/* ---- passing the turn on ----------------------------------------------------------------- */

/* The unit after the active one in this round, or SNARL_NO_UNIT. */
static uint8_t
next_in_round(const struct snarl_config *config, const struct snarl_position *position)
{
    uint32_t adversaries = config->adversaries == SNARL_IDLE
                               ? 0
                               : snarl_level_at(config, position->level)->adversary_count;

    for (uint32_t unit = position->active + 1u; unit < SNARL_FIRST_ADVERSARY + adversaries;
         unit++) {
        if (snarl_is_here(config, position, (uint8_t)unit)) {
            return (uint8_t)unit;
        }
    }
    return SNARL_NO_UNIT;
}

/* The round is over: starts another, or the limit ends the level.  True = the level has ended. */
static bool
end_round(struct sk_turn *turn)
{
    const struct snarl_config *config = turn->config;
    struct snarl_position *position = snarl_position(turn->after);

    if (position->round < config->round_limit) {
        position->round++;
        position->active = first_hero(config, position);
        return false;
    }
    for (uint8_t i = 0; i < config->hero_count; i++) {
        if (position->hero[i].status == SNARL_ACTIVE) {
            expel(turn, i, by_round_limit);
        }
    }
    return settle_level(turn, true);
}

static bool
is_played_by_server(const struct snarl_config *config, uint8_t unit)
{
    return !snarl_is_hero(unit) && config->mode == SNARL_COOP;
}

static void
play_adversary(struct sk_turn *turn, uint8_t unit, struct snarl_dice *dice)
{
    if (snarl_move_unit(turn, unit, snarl_choose_step(turn, unit, &dice->steps), dice)) {
        snarl_arrive(turn, unit);
    }
}

void
snarl_pass_on(struct sk_turn *turn, struct snarl_dice *dice)
{
    const struct snarl_config *config = turn->config;
    struct snarl_position *position = snarl_position(turn->after);

    ((struct snarl_maps *)turn->work)->known = 0;
    while (!settle_level(turn, false)) {
        uint8_t next = next_in_round(config, position);

        if (next == SNARL_NO_UNIT) {
            (void)end_round(turn);
            return;
        }
        position->active = next;
        if (!is_played_by_server(config, next)) {
            return;
        }
        play_adversary(turn, next, dice);
    }
}

/* ---- leaving ----------------------------------------------------------------------------- */

void
snarl_leave(struct sk_turn *turn, uint8_t seat)
{
    struct snarl_position *position = snarl_position(turn->after);
    struct snarl_dice dice;

    take_off(position, seat, SNARL_RESIGNED);
    if (position->active == seat) {
        snarl_dice_start(turn, &dice);
        snarl_pass_on(turn, &dice);
    } else {
        (void)settle_level(turn, false);
    }
}
