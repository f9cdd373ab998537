/*
 * The search of the halma player.
 *
 * A race is won by the chains that one prepares, so the search looks a few own
 * moves ahead, keeping the best lines at each depth.  The enemy moves at the
 * same time: in the first turn each own move is resolved against its best
 * ones, so a collision shows; later it is assumed to go its best way too.
 */
#include <stdlib.h>
#include <string.h>

#include "server/bot/halma.h"

_Static_assert(SK_HALMA_SEATS == 2, "the enemy of a seat is 1 - seat");

#define DEPTH         4
#define WIDTH         12 /* lines kept at each depth */
#define ENEMY_MOVES   3  /* of the enemy in the first turn */
#define DAMAGE_WORTH  12 /* of a turn in which a piece cannot jump */
#define WIN_WORTH     100000
#define CANDIDATE_MAX 1024

/* A line of play: where it leads and the move that it begins with. */
struct line {
    struct sk_state *state;
    uint32_t first; /* a hint of the mind's */
    int32_t way;    /* less is better */
};

struct hunt {
    struct bot_mind *mind;
    struct bot_trial trial;
    struct halma_goal goal[SK_HALMA_SEATS];
    struct line lines[WIDTH];
    struct line next[WIDTH];
    uint32_t line_count;
    uint32_t next_count;
    struct halma_command enemy[ENEMY_MOVES];
    uint32_t enemy_count;
};

/* ---- moves ------------------------------------------------------------------------------- */

/* Hints come in two rounds; the detours of the second round are not needed. */
struct short_hints {
    struct sk_hint_sink sink;
    const struct halma_config *config;
    struct halma_command *at;
    uint32_t count;
    uint8_t unit;
};

static bool
take_hint(struct sk_hint_sink *sink, const void *command)
{
    struct short_hints *to = (struct short_hints *)(void *)sink;
    const struct halma_command *hint = command;
    uint8_t unit = halma_unit_find(to->config, &hint->unit);

    if (unit < to->unit || to->count == CANDIDATE_MAX) {
        return false;
    }
    to->unit = unit;
    to->at[to->count++] = *hint;
    return true;
}

static uint32_t
find_moves(const struct hunt *hunt, const struct sk_state *state, uint8_t seat,
           struct halma_command *ret_moves)
{
    struct short_hints hints = { { .take = take_hint }, hunt->mind->config, ret_moves, 0, 0 };

    halma_hints(hunt->mind->config, halma_position_of(state), seat, &hints.sink);
    return hints.count;
}

/* The distance left after a move without a collision. */
static int32_t
way_after(const struct hunt *hunt, const struct sk_state *state, uint8_t seat,
          const struct halma_command *command, struct sk_state *space)
{
    const struct halma_config *config = hunt->mind->config;
    uint8_t unit = halma_unit_find(config, &command->unit);
    struct sk_cell to = halma_end_of(command);

    if (unit == HALMA_NO_UNIT) {
        return INT32_MAX;
    }
    memcpy(space, state, hunt->mind->sizes.state);
    halma_position(space)->piece[unit].x = (uint8_t)to.x;
    halma_position(space)->piece[unit].y = (uint8_t)to.y;
    return halma_way(config, &hunt->goal[seat], halma_position_of(space));
}

/* The seat's best moves by the way they leave, best first. */
static uint32_t
find_best(struct hunt *hunt, const struct sk_state *state, uint8_t seat, uint32_t count_max,
          struct halma_command *ret_best)
{
    struct halma_command *moves = heap_memory(CANDIDATE_MAX * sizeof(*moves));
    struct sk_state *space = heap_memory(hunt->mind->sizes.state);
    int32_t ways[ENEMY_MOVES];
    uint32_t move_count = find_moves(hunt, state, seat, moves);
    uint32_t count = 0;

    for (uint32_t i = 0; i < move_count; i++) {
        int32_t way = way_after(hunt, state, seat, &moves[i], space);
        uint32_t place;

        if (count == count_max && ways[count - 1] <= way) {
            continue;
        }
        place = count < count_max ? count++ : count - 1;
        for (; place > 0 && ways[place - 1] > way; place--) {
            ways[place] = ways[place - 1];
            ret_best[place] = ret_best[place - 1];
        }
        ways[place] = way;
        ret_best[place] = moves[i];
    }
    free(space);
    free(moves);
    return count;
}

/* ---- lines ------------------------------------------------------------------------------- */

static int32_t
judge(const struct hunt *hunt, const struct sk_state *state, uint32_t depth)
{
    const struct halma_config *config = hunt->mind->config;
    const struct halma_position *position = halma_position_of(state);
    uint8_t seat = hunt->mind->seat;
    int32_t way = halma_way(config, &hunt->goal[seat], position);

    if (state->outcome.is_over && state->outcome.winner != SK_NOBODY) {
        return state->outcome.winner == seat ? (int32_t)depth - WIN_WORTH : WIN_WORTH;
    }
    for (uint32_t i = 0; i < config->unit_count; i++) {
        way += halma_units(config)[i].seat == seat ? DAMAGE_WORTH * position->piece[i].damage : 0;
    }
    return way;
}

/* Keeps the line among the best of its depth, if it is one of them. */
static void
keep(struct hunt *hunt, const struct sk_state *state, uint32_t first, int32_t way)
{
    uint32_t place = hunt->next_count;
    struct line line;

    if (place == WIDTH && hunt->next[WIDTH - 1].way <= way) {
        return;
    }
    for (uint32_t i = 0; i < hunt->next_count; i++) {
        if (hunt->next[i].way == way &&
            memcmp(hunt->next[i].state, state, hunt->mind->sizes.state) == 0) {
            return; /* the same moves in another order */
        }
    }
    if (place < WIDTH) {
        hunt->next_count++;
    } else {
        place--;
    }
    line = hunt->next[place];
    for (; place > 0 && hunt->next[place - 1].way > way; place--) {
        hunt->next[place] = hunt->next[place - 1];
    }
    line.first = first;
    line.way = way;
    memcpy(line.state, state, hunt->mind->sizes.state);
    hunt->next[place] = line;
}

static const struct sk_state *
resolve(struct hunt *hunt, const struct sk_state *state, const struct halma_command *own,
        const struct halma_command *enemy)
{
    uint8_t seat = hunt->mind->seat;

    hunt->trial.turn.commands[1 - seat] = (struct sk_commands){ enemy, enemy == NULL ? 0 : 1 };
    return bot_try(&hunt->trial, state, seat, (struct sk_commands){ own, 1 });
}

/* The first turn: the average result of each hint against the enemy's best moves. */
static void
begin_lines(struct hunt *hunt)
{
    for (uint32_t i = 0; i < hunt->mind->hints.count && i < CANDIDATE_MAX; i++) {
        int64_t sum = 0;

        for (uint32_t j = 0; j < hunt->enemy_count; j++) {
            sum += judge(hunt,
                         resolve(hunt, hunt->mind->state, bot_hint(hunt->mind, i), &hunt->enemy[j]),
                         0);
        }
        if (hunt->enemy_count > 0) {
            int32_t way = (int32_t)(sum / hunt->enemy_count);

            keep(hunt, resolve(hunt, hunt->mind->state, bot_hint(hunt->mind, i), &hunt->enemy[0]),
                 i, way);
        }
    }
}

static void
go_on(struct hunt *hunt, const struct line *line, uint32_t depth, struct halma_command *moves)
{
    struct halma_command enemy;
    uint32_t count = find_moves(hunt, line->state, hunt->mind->seat, moves);

    if (find_best(hunt, line->state, (uint8_t)(1 - hunt->mind->seat), 1, &enemy) == 0) {
        return;
    }
    for (uint32_t i = 0; i < count && !bot_is_late(hunt->mind); i++) {
        const struct sk_state *after = resolve(hunt, line->state, &moves[i], &enemy);

        keep(hunt, after, line->first, judge(hunt, after, depth));
    }
}

static void
swap_lines(struct hunt *hunt)
{
    struct line spare[WIDTH];

    memcpy(spare, hunt->lines, sizeof(spare));
    memcpy(hunt->lines, hunt->next, sizeof(spare));
    memcpy(hunt->next, spare, sizeof(spare));
    hunt->line_count = hunt->next_count;
    hunt->next_count = 0;
}

static uint32_t
search(struct hunt *hunt)
{
    struct halma_command *moves = heap_memory(CANDIDATE_MAX * sizeof(*moves));
    uint32_t best;

    begin_lines(hunt);
    swap_lines(hunt);
    best = hunt->line_count == 0 ? 0 : hunt->lines[0].first;
    for (uint32_t depth = 1; depth < DEPTH; depth++) {
        for (uint32_t i = 0; i < hunt->line_count && !bot_is_late(hunt->mind); i++) {
            if (hunt->lines[i].state->outcome.is_over) {
                keep(hunt, hunt->lines[i].state, hunt->lines[i].first, hunt->lines[i].way);
            } else {
                go_on(hunt, &hunt->lines[i], depth, moves);
            }
        }
        if (bot_is_late(hunt->mind) || hunt->next_count == 0) {
            break; /* an incomplete depth says nothing */
        }
        swap_lines(hunt);
        best = hunt->lines[0].first;
    }
    free(moves);
    return best;
}

void
halma_search(struct bot_mind *mind)
{
    struct hunt *hunt = heap_memory(sizeof(*hunt));

    hunt->mind = mind;
    bot_trial_init(&hunt->trial, mind);
    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        halma_goal_init(&hunt->goal[seat], mind->config, seat);
    }
    for (uint32_t i = 0; i < WIDTH; i++) {
        hunt->lines[i].state = heap_memory(mind->sizes.state);
        hunt->next[i].state = heap_memory(mind->sizes.state);
    }
    hunt->enemy_count =
        find_best(hunt, mind->state, (uint8_t)(1 - mind->seat), ENEMY_MOVES, hunt->enemy);
    bot_choose(mind, bot_hint(mind, search(hunt)));
    for (uint32_t i = 0; i < WIDTH; i++) {
        free(hunt->lines[i].state);
        free(hunt->next[i].state);
    }
    bot_trial_fini(&hunt->trial);
    free(hunt);
}
