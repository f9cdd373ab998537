/*
 * The quick players of a dash.  Both race: they throw what hits, take the move that
 * leaves the least to go, as far as the light lets them see this turn, and
 * use an action that the dark would take from them for what lies around.
 *
 * One of them may also guard.  Each one's finish is the other's start, so a racer
 * who is behind can go back and block it, if there is time; and a racer who is
 * kept out there is often trapped.
 */
#include <stdlib.h>

#include "server/bot/racers_dash.h"

#define RANGE       4
#define WANDER      12   /* one move in this many is random */
#define IN_DARK     1    /* in quarter moves: a racer in the dark has one action less */
#define FINISH      (-1) /* better than any way that is left */
#define GUARD_LOSS  1    /* moves that a racer is behind when it turns back */
#define GUARD_REACH 2    /* moves that its way home may be longer than the other's way there */
#define TRAP_REACH  2    /* squares between two racers of whom one may trap the other */
#define TRAP_WAYS   3    /* ways that a step bars at most */
#define DETOUR      100  /* for a guard: of a step that opens its circle */

/* ---- items ------------------------------------------------------------------------------- */

/* The direction in which the other stands, if it is straight. */
static bool
find_line(const struct dash_ground *ground, uint16_t from, uint16_t to, uint8_t *ret_dir)
{
    uint32_t cols = ground->config->cols;

    if (from / cols == to / cols) {
        *ret_dir = from < to ? RACERS_E : RACERS_W;
        return true;
    }
    *ret_dir = from < to ? RACERS_S : RACERS_N;
    return from % cols == to % cols;
}

static bool
find_throw(const struct dash_ground *ground, const struct dash *dash,
           struct racers_command *ret_command)
{
    const struct dash_racer *racer = &dash->racer[dash->active];
    uint16_t target = dash->racer[racers_other(dash->active)].at;
    bool is_charged = racer->carried[RACERS_CHARGED_DISC] > 0;
    uint16_t at = racer->at;
    int32_t range = RANGE - dash_is_dark(dash, at);
    uint8_t dir;

    if ((!is_charged && racer->carried[RACERS_DISC] == 0) || !find_line(ground, at, target, &dir)) {
        return false;
    }
    while (range > 0 || is_charged) {
        at = dash_next(ground, at, dir);
        if (at == DASH_NOWHERE || at == target || ground->map->land[at] != at) {
            break;
        }
        range -= 1 + dash_is_dark(dash, at);
    }
    *ret_command = (struct racers_command){
        .head = { RACERS_USE },
        .item = range > 0 && racer->carried[RACERS_DISC] > 0 ? RACERS_DISC : RACERS_CHARGED_DISC,
        .dir = dir,
        .has_dir = true,
    };
    return at == target;
}

/* For an action that would be lost otherwise. */
static bool
find_chore(const struct dash_ground *ground, const struct dash *dash,
           struct racers_command *ret_command)
{
    const struct dash_racer *racer = &dash->racer[dash->active];
    uint8_t other = racers_other(dash->active);
    uint8_t here = dash->items[racer->at];
    const uint16_t *moves = ground->map->moves[other];

    for (uint8_t kind = 0; kind < RACERS_ITEM_KINDS; kind++) {
        if ((here >> kind & 1) != 0 && racer->carried_count < SK_RACERS_CARRIED_MAX) {
            *ret_command = (struct racers_command){ .head = { RACERS_PICK_UP }, .item = kind };
            return true;
        }
    }
    *ret_command = (struct racers_command){ .head = { RACERS_USE }, .item = RACERS_GRENADE };
    return racer->carried[RACERS_GRENADE] > 0 &&
           (here & (DASH_GRENADE | DASH_PLACED | DASH_ACTIVE | DASH_EXPLODED)) == 0 &&
           moves[racer->at] < moves[dash->racer[other].at];
}

/* ---- moves ------------------------------------------------------------------------------- */

/* What is left to go after as much of this turn as the light allows, in quarter moves. */
static int32_t
way_on(const struct dash_ground *ground, const struct dash *dash, uint16_t to, uint32_t actions)
{
    const uint16_t *moves = ground->map->moves[dash->active];
    uint16_t at = ground->map->land[to];
    int32_t least = 4 * moves[at];

    if (moves[to] == 0) {
        return FINISH;
    }
    if (dash_is_dark(dash, to) || dash_is_dark(dash, at)) {
        return least + IN_DARK;
    }
    for (uint8_t dir = 0; actions > 1 && dir < RACERS_DIRECTIONS; dir++) {
        uint16_t next = dash_next(ground, at, dir);

        if (next != DASH_NOWHERE && moves[ground->map->land[next]] < moves[at]) {
            int32_t way = way_on(ground, dash, next, actions - 1);

            least = way < least ? way : least;
        }
    }
    return least;
}

/* Whether a racer on `to` can reach a square beside its start, other than `at`, with the next
 * move. */
static bool
closes_round(const struct dash_ground *ground, const struct dash *dash, uint16_t at, uint16_t to)
{
    const uint16_t *moves = ground->map->moves[racers_other(dash->active)];

    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        uint16_t next = dash_next(ground, to, dir);

        if (next != DASH_NOWHERE && next != at && moves[next] == 1 &&
            ground->map->land[next] == next && !dash_is_taken(dash, dash->active, next)) {
            return true;
        }
    }
    return false;
}

/*
 * Back to the own start, and then round and round over it: away from it, past
 * a square, to another beside it and back, which are four moves.  The trail is as long,
 * so there is always a racer or trail on the other's finish.
 */
static int32_t
way_back(const struct dash_ground *ground, const struct dash *dash, uint16_t to, uint8_t dir)
{
    const uint16_t *moves = ground->map->moves[racers_other(dash->active)];
    const struct dash_racer *racer = &dash->racer[dash->active];
    int32_t way = 2 * moves[ground->map->land[to]] + racers_is_diagonal(dir);

    if (ground->map->land[to] != to) {
        return way + DETOUR;
    }
    if (moves[racer->at] == 0 || (racer->trail_count > 0 && moves[racer->trail[0].at] == 0)) {
        way += closes_round(ground, dash, racer->at, to) ? 0 : DETOUR;
    } else if (racer->trail_count > 1 && moves[racer->trail[1].at] == 0) {
        way += moves[to] == 1 ? 0 : DETOUR;
    }
    return way;
}

static bool
is_behind(const struct dash_ground *ground, const struct dash *dash)
{
    uint8_t seat = dash->active;
    uint8_t other = racers_other(seat);
    uint16_t at = dash->racer[seat].at;
    int32_t own = ground->map->moves[seat][at];
    int32_t others = ground->map->moves[other][dash->racer[other].at];

    return own >= others + GUARD_LOSS && ground->map->moves[other][at] <= others + GUARD_REACH;
}

static uint8_t
choose_move(struct dash_ground *ground, const struct dash *dash, bool is_guarding)
{
    bool wanders = !is_guarding && dash_draw(ground, WANDER) == 0;
    int32_t least = INT32_MAX;
    uint32_t ties = 0;
    uint32_t ways = dash_ways(ground, dash, dash->active);
    uint8_t best = 0;

    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        uint16_t to;
        int32_t way;

        if ((ways >> dir & 1) == 0) {
            continue;
        }
        to = dash_next(ground, dash->racer[dash->active].at, dir);
        way = wanders       ? 0
              : is_guarding ? way_back(ground, dash, to, dir)
                            : way_on(ground, dash, to, dash->actions_left);
        ties = way < least ? 1 : ties + (way == least);
        if (way < least || (way == least && dash_draw(ground, ties) == 0)) {
            least = way;
            best = dir;
        }
    }
    return best;
}

static bool
is_near(const struct dash_ground *ground, const struct dash *dash)
{
    int32_t cols = ground->config->cols;
    int32_t a = dash->racer[0].at;
    int32_t b = dash->racer[1].at;

    return abs(a % cols - b % cols) <= TRAP_REACH && abs(a / cols - b / cols) <= TRAP_REACH;
}

/* Whether there is a step after which the other has none.  A step blocks only a few ways. */
static bool
find_trap(const struct dash_ground *ground, const struct dash *dash, uint8_t *ret_dir)
{
    uint8_t other = racers_other(dash->active);
    uint16_t at = dash->racer[dash->active].at;
    uint32_t open = is_near(ground, dash) ? dash_ways(ground, dash, other) : UINT8_MAX;
    uint32_t ways;

    for (uint32_t i = 0; i < TRAP_WAYS; i++) {
        open &= open - 1;
    }
    ways = open == 0 ? dash_ways(ground, dash, dash->active) & ~(uint32_t)ground->hops[at] : 0;
    for (uint8_t dir = 0; ways >> dir != 0; dir++) {
        struct dash then = *dash;

        if ((ways >> dir & 1) != 0) {
            dash_step(ground, &then, dir);
            if (dash_ways(ground, &then, other) == 0) {
                *ret_dir = dir;
                return true;
            }
        }
    }
    return false;
}

void
dash_choose(struct dash_ground *ground, const struct dash *dash, bool guards,
            struct racers_command *ret_command)
{
    const struct dash_racer *racer = &dash->racer[dash->active];
    bool must_move = !dash->moved && dash->actions_left <= 1;
    bool is_guarding = guards && is_behind(ground, dash);
    uint8_t dir;
    uint16_t to;

    if (!must_move && find_throw(ground, dash, ret_command)) {
        return;
    }
    if (guards && find_trap(ground, dash, &dir)) {
        *ret_command = (struct racers_command){ .head = { RACERS_MOVE }, .dir = dir };
        return;
    }
    dir = choose_move(ground, dash, is_guarding);
    to = dash_next(ground, racer->at, dir);
    if (dash->actions_left > 1 && dash_is_dark(dash, to) &&
        ground->map->moves[dash->active][to] > 0 && find_chore(ground, dash, ret_command)) {
        return;
    }
    *ret_command = (struct racers_command){ .head = { RACERS_MOVE }, .dir = dir };
}
