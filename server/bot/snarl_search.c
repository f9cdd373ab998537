/*
 * The search of the snarl player: each possible move is tried many times and
 * played on for some rounds by quick players.  The rules library moves the
 * adversaries where the server would.  The average result decides.  Adversaries out
 * of sight are in another place in each trial.
 */
#include <stdlib.h>
#include <string.h>

#include "server/bot/snarl.h"

#define TRIALS        24 /* of each move */
#define ROUNDS        12 /* played on after the first move */
#define EXIT_WORTH    1000
#define KEY_WORTH     200
#define EXPELLED_COST 1500
#define STEP_WORTH    8
#define WANDER        10 /* one move in this many of the quick heroes is random */
#define MOVES_MAX     13 /* of a hero: itself and all within two steps */
#define DRAWS         16 /* for a tile that nobody stands on */

struct hunt {
    struct bot_mind *mind;
    const struct snarl_config *config;
    struct snarl_map map;
    struct bot_trial trial;
    struct sk_state *state;
    struct sk_rng rng;
    struct sk_cell *hidden; /* floor of rooms out of sight */
    uint32_t hidden_count;
};

/* ---- what is hidden ---------------------------------------------------------------------- */

static bool
is_seen(const struct hunt *hunt, const struct snarl_position *position, struct sk_cell cell)
{
    bool found = false;

    for (uint32_t i = 0; i < hunt->config->hero_count; i++) {
        found |= position->hero[i].status == SNARL_ACTIVE &&
                 snarl_is_in_sight(position->hero[i].at, cell);
    }
    return found;
}

static void
find_hidden(struct hunt *hunt)
{
    const struct snarl_position *position = snarl_position_of(hunt->mind->state);
    const struct snarl_level *level = hunt->map.level;

    hunt->hidden = heap_memory((size_t)level->cols * (size_t)level->rows * sizeof(hunt->hidden[0]));
    for (int32_t y = 0; y < level->rows; y++) {
        for (int32_t x = 0; x < level->cols; x++) {
            struct sk_cell cell = sk_cell(x, y);

            if (snarl_tile(hunt->config, level, cell) == SNARL_FLOOR &&
                snarl_room_at(hunt->config, level, cell) != SNARL_NO_ROOM &&
                !is_seen(hunt, position, cell)) {
                hunt->hidden[hunt->hidden_count++] = cell;
            }
        }
    }
}

/* Seat 1 of versus sees everybody. */
static bool
knows_all(const struct hunt *hunt)
{
    return hunt->config->mode == SNARL_VERSUS && hunt->mind->seat == 1;
}

static void
hide_adversaries(struct hunt *hunt, struct snarl_position *position)
{
    if (knows_all(hunt) || hunt->hidden_count == 0) {
        return;
    }
    for (uint32_t i = 0; i < hunt->map.level->adversary_count; i++) {
        for (uint32_t j = 0; j < DRAWS && !position->adversary[i].is_here; j++) {
            struct sk_cell cell = hunt->hidden[sk_rng_below(&hunt->rng, hunt->hidden_count)];

            if (snarl_adversary_on(hunt->config, position, cell) == SNARL_NO_UNIT) {
                position->adversary[i] = (struct snarl_adversary){ cell, true };
            }
        }
    }
}

/* ---- quick players ----------------------------------------------------------------------- */

/* Whether an adversary can be on the cell after its next move. */
static bool
is_in_danger(const struct hunt *hunt, const struct snarl_position *position, struct sk_cell cell)
{
    for (uint32_t i = 0; i < hunt->map.level->adversary_count; i++) {
        struct sk_cell at = position->adversary[i].at;

        if (position->adversary[i].is_here &&
            abs(at.x - cell.x) + abs(at.y - cell.y) <=
                snarl_steps_of(hunt->config, position->level,
                               (uint8_t)(SNARL_FIRST_ADVERSARY + i))) {
            return true;
        }
    }
    return false;
}

static bool
can_walk(const struct hunt *hunt, struct sk_cell cell)
{
    return snarl_is_traversable(snarl_tile(hunt->config, hunt->map.level, cell));
}

/* One more place to go, unless a hero is there or it is known already. */
static void
add_move(const struct hunt *hunt, const struct snarl_position *position, struct sk_cell cell,
         struct sk_cell *moves, uint32_t *count)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (sk_cell_same(moves[i], cell)) {
            return;
        }
    }
    if (can_walk(hunt, cell) && snarl_hero_on(hunt->config, position, cell) == SNARL_NO_UNIT) {
        moves[(*count)++] = cell;
    }
}

static uint32_t
hero_moves(const struct hunt *hunt, const struct snarl_position *position, struct sk_cell from,
           struct sk_cell ret_moves[MOVES_MAX])
{
    uint32_t count = 1;

    ret_moves[0] = from;
    for (uint32_t d = 0; d < SNARL_DIRECTIONS; d++) {
        struct sk_cell one = snarl_beside(from, d);

        if (!can_walk(hunt, one)) {
            continue;
        }
        add_move(hunt, position, one, ret_moves, &count);
        for (uint32_t e = 0; e < SNARL_DIRECTIONS; e++) {
            add_move(hunt, position, snarl_beside(one, e), ret_moves, &count);
        }
    }
    return count;
}

/* The way that is left, out of danger if possible; less is better. */
static int32_t
hero_way(const struct hunt *hunt, const struct snarl_position *position, struct sk_cell to)
{
    int32_t steps = snarl_steps_left(&hunt->map, position, to);
    bool is_exit = position->exit_unlocked && sk_cell_same(to, hunt->map.level->exit);

    if (snarl_adversary_on(hunt->config, position, to) != SNARL_NO_UNIT) {
        return 4 * SNARL_FAR;
    }
    return !is_exit && is_in_danger(hunt, position, to) ? steps + 2 * SNARL_FAR : steps;
}

static struct sk_cell
choose_hero_move(struct hunt *hunt, const struct snarl_position *position, struct sk_cell from)
{
    struct sk_cell moves[MOVES_MAX];
    uint32_t count = hero_moves(hunt, position, from, moves);
    bool wanders = sk_rng_below(&hunt->rng, WANDER) == 0;
    struct bot_least least = BOT_LEAST;

    for (uint32_t i = 0; i < count; i++) {
        int32_t way = hero_way(hunt, position, moves[i]);

        bot_least_take(&least, &hunt->rng, wanders ? way / SNARL_FAR : way, i);
    }
    return moves[least.index];
}

/* Toward the nearest hero; what is no legal step is found out by playing it. */
static struct sk_cell
choose_adversary_step(struct hunt *hunt, const struct snarl_position *position, uint8_t unit)
{
    uint32_t place = unit - SNARL_FIRST_ADVERSARY;
    const struct snarl_kind_facts *facts =
        &snarl_kinds[snarl_adversaries_of(hunt->config, hunt->map.level)[place].kind];
    struct sk_cell from = position->adversary[place].at;
    struct sk_cell best = from;
    int32_t least = INT32_MAX;

    for (uint32_t d = 0; d < SNARL_DIRECTIONS; d++) {
        struct sk_cell to = snarl_beside(from, d);
        char tile = snarl_tile(hunt->config, hunt->map.level, to);
        int32_t distance = snarl_hero_distance(&hunt->map, position, to);

        if ((tile == SNARL_FLOOR || (tile == SNARL_DOOR && facts->enters_doors)) &&
            snarl_adversary_on(hunt->config, position, to) == SNARL_NO_UNIT && distance < least) {
            least = distance;
            best = to;
        }
    }
    return best;
}

/* ---- trials ------------------------------------------------------------------------------ */

static int32_t
hero_worth(const struct hunt *hunt, const struct snarl_position *position, uint32_t hero)
{
    const struct snarl_hero *was = &snarl_position_of(hunt->mind->state)->hero[hero];
    const struct snarl_hero *is = &position->hero[hero];
    int32_t worth = EXIT_WORTH * (is->exits - was->exits) + KEY_WORTH * (is->keys - was->keys) -
                    EXPELLED_COST * (is->expulsions - was->expulsions);

    if (is->status == SNARL_ACTIVE && is->exits == was->exits &&
        is->expulsions == was->expulsions) {
        worth -= STEP_WORTH * snarl_steps_left(&hunt->map, position, is->at);
    }
    return worth;
}

/* The fate of the own hero, or of all of them where one seat has them all. */
static int32_t
judge(const struct hunt *hunt, const struct snarl_position *position)
{
    int32_t worth = 0;

    if (hunt->config->mode == SNARL_COOP) {
        return hero_worth(hunt, position, hunt->mind->seat);
    }
    for (uint32_t i = 0; i < hunt->config->hero_count; i++) {
        worth += hero_worth(hunt, position, i);
    }
    return hunt->mind->seat == 0 ? worth : -worth;
}

static bool
play(struct hunt *hunt, const struct snarl_command *command)
{
    uint8_t unit = snarl_position_of(hunt->state)->active;
    uint8_t seat = hunt->config->mode == SNARL_COOP ? unit : !snarl_is_hero(unit);
    const struct sk_state *after;

    memset(hunt->trial.turn.commands, 0, sizeof(hunt->trial.turn.commands));
    after = bot_try(&hunt->trial, hunt->state, seat, (struct sk_commands){ command, 1 });
    if (after == hunt->state) {
        return false;
    }
    memcpy(hunt->state, after, hunt->mind->sizes.state);
    return true;
}

static bool
play_quickly(struct hunt *hunt)
{
    const struct snarl_position *position = snarl_position_of(hunt->state);
    struct snarl_command command = { .head = { SNARL_MOVE }, .has_to = true };

    command.to = snarl_is_hero(position->active)
                     ? choose_hero_move(hunt, position, position->hero[position->active].at)
                     : choose_adversary_step(hunt, position, position->active);
    return play(hunt, &command);
}

/* Early progress counts more: each turn adds the progress so far. */
static int64_t
try_hint(struct hunt *hunt, uint32_t hint, uint32_t number)
{
    struct bot_mind *mind = hunt->mind;
    struct sk_seed seed = mind->seed;
    int32_t level = snarl_position_of(mind->state)->level;
    uint32_t units = hunt->config->hero_count +
                     (hunt->config->mode == SNARL_VERSUS ? hunt->map.level->adversary_count : 0u);
    uint32_t turns = ROUNDS * units;
    int64_t worth = 0;
    bool is_played;

    memcpy(seed.bytes + 16, &number, sizeof(number));
    sk_rng_start(&hunt->rng, &seed, mind->state->turn, UINT32_MAX - 1);
    hunt->trial.turn.seed = &seed;
    memcpy(hunt->state, mind->state, mind->sizes.state);
    hide_adversaries(hunt, snarl_position(hunt->state));
    is_played = play(hunt, bot_hint(mind, hint));
    for (uint32_t i = 0; i < turns; i++) {
        is_played = is_played && !hunt->state->outcome.is_over &&
                    snarl_position_of(hunt->state)->level == level && play_quickly(hunt);
        worth += judge(hunt, snarl_position_of(hunt->state));
    }
    return worth;
}

static uint32_t
search(struct hunt *hunt)
{
    int64_t *worth = heap_memory(hunt->mind->hints.count * sizeof(*worth));
    uint32_t best = 0;

    for (uint32_t i = 0; i < TRIALS && !bot_is_late(hunt->mind); i++) {
        for (uint32_t j = 0; j < hunt->mind->hints.count; j++) {
            worth[j] += try_hint(hunt, j, i);
        }
    }
    for (uint32_t i = 1; i < hunt->mind->hints.count; i++) {
        best = worth[i] > worth[best] ? i : best;
    }
    free(worth);
    return best;
}

void
snarl_search(struct bot_mind *mind)
{
    struct hunt *hunt = heap_memory(sizeof(*hunt));

    hunt->mind = mind;
    hunt->config = mind->config;
    snarl_map_init(&hunt->map, hunt->config, snarl_position_of(mind->state));
    bot_trial_init(&hunt->trial, mind);
    hunt->state = heap_memory(mind->sizes.state);
    find_hidden(hunt);
    bot_choose(mind, bot_hint(mind, search(hunt)));
    free(hunt->hidden);
    free(hunt->state);
    bot_trial_fini(&hunt->trial);
    snarl_map_fini(&hunt->map);
    free(hunt);
}
