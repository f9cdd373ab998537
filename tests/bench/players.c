#include "tests/bench/players.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/status.h"

#define CELLS_MAX (SK_GRID_MAX * SK_GRID_MAX)

const char *const player_names[PLAYER_COUNT] = { "random", "greedy", "cautious" };

/* A target of an attack, and what it affects, seen from the attacker. */
struct blow {
    struct tactics_offset target;
    const struct tactics_offset *area; /* from the target */
    uint32_t area_count;
};

/* A model's moves and attacks as lists, which the players use very often. */
struct kit {
    struct tactics_offset *moves;
    uint32_t move_count;
    struct blow *blows;
    uint32_t blow_count;
};

struct players {
    const struct tactics_config *config;
    struct kit kits[SK_TACTICS_MODELS_MAX];
};

/* ---- kits -------------------------------------------------------------------------------- */

static const struct tactics_offset only_the_target = { 0, 0 };

/* All patterns of a model combined: a target belongs to the first pattern that has it. */
struct sieve {
    const struct tactics_config *config;
    bool seen[2 * SK_TACTICS_PATTERN_SIDE_MAX][2 * SK_TACTICS_PATTERN_SIDE_MAX];
};

static void
add_move(struct kit *kit, struct tactics_offset target)
{
    kit->moves[kit->move_count++] = target;
}

static void
add_blow(const struct tactics_config *config, struct kit *kit, struct tactics_offset target,
         uint16_t map)
{
    const struct tactics_pattern *mapped;
    struct blow blow = { target, &only_the_target, 1 };

    if (map != TACTICS_NO_MAP) {
        mapped = tactics_pattern_at(config, map);
        blow.area = tactics_part(config, mapped->area_at);
        blow.area_count = mapped->area_count;
    }
    kit->blows[kit->blow_count++] = blow;
}

static void
add_pattern(struct sieve *sieve, const struct tactics_pattern *pattern, bool is_move,
            struct kit *kit)
{
    const uint64_t *rows = tactics_part(sieve->config, pattern->targets.rows_at);
    const uint16_t *maps = tactics_part(sieve->config, pattern->maps_at);
    int32_t half = (int32_t)pattern->targets.side / 2;

    for (uint32_t i = 0; i < pattern->targets.side * pattern->targets.side; i++) {
        int32_t dx = (int32_t)(i % pattern->targets.side) - half;
        int32_t dy = (int32_t)(i / pattern->targets.side) - half;
        bool *seen =
            &sieve->seen[dy + SK_TACTICS_PATTERN_SIDE_MAX][dx + SK_TACTICS_PATTERN_SIDE_MAX];
        struct tactics_offset target = { (int8_t)dx, (int8_t)dy };

        if (*seen || (rows[i / pattern->targets.side] >> (i % pattern->targets.side) & 1) == 0) {
            continue;
        }
        *seen = true;
        if (is_move) {
            add_move(kit, target);
        } else {
            add_blow(sieve->config, kit, target, pattern->maps_at == 0 ? TACTICS_NO_MAP : maps[i]);
        }
    }
}

static void
add_patterns(const struct tactics_config *config, const uint16_t *list, uint32_t count,
             bool is_move, struct kit *kit)
{
    struct sieve sieve = { .config = config };

    for (uint32_t i = 0; i < count; i++) {
        add_pattern(&sieve, tactics_pattern_at(config, list[i]), is_move, kit);
    }
}

static bool
kit_init(const struct tactics_config *config, const struct tactics_model *model, struct kit *kit)
{
    size_t targets_max = (size_t)SK_TACTICS_PATTERN_SIDE_MAX * SK_TACTICS_PATTERN_SIDE_MAX;

    kit->moves = calloc(targets_max, sizeof(*kit->moves));
    kit->blows = calloc(targets_max, sizeof(*kit->blows));
    if (kit->moves == NULL || kit->blows == NULL) {
        return false;
    }
    add_patterns(config, tactics_part(config, model->move_at), model->move_count, true, kit);
    add_patterns(config, tactics_part(config, model->attack_at), model->attack_count, false, kit);
    return true;
}

struct players *
players_alloc(const struct tactics_config *config)
{
    const struct tactics_model *models = tactics_part(config, config->models_at);
    struct players *players = calloc(1, sizeof(*players));
    bool is_ready = players != NULL;

    for (uint32_t i = 0; i < config->model_count && is_ready; i++) {
        is_ready = kit_init(config, &models[i], &players->kits[i]);
    }
    if (!is_ready) {
        players_free(players);
        return NULL;
    }
    players->config = config;
    return players;
}

void
players_free(struct players *players)
{
    for (uint32_t i = 0; players != NULL && i < SK_TACTICS_MODELS_MAX; i++) {
        free(players->kits[i].moves);
        free(players->kits[i].blows);
    }
    free(players);
}

/* ---- a seat's plan ----------------------------------------------------------------------- */

struct plan {
    const struct players *players;
    const struct tactics_config *config;
    const struct tactics_position *view;
    struct sk_rng *rng;
    uint8_t seat;
    uint8_t before[CELLS_MAX];          /* a unit's place + 1, as the turn begins */
    uint8_t after[CELLS_MAX];           /* the same with the own moves planned so far */
    int32_t danger[CELLS_MAX];          /* the power of all enemies that could hit the cell now */
    int32_t left[SK_TACTICS_UNITS_MAX]; /* health after the own attacks planned so far */
};

static const struct kit *
kit_of(const struct plan *plan, uint32_t unit)
{
    return &plan->players->kits[tactics_units(plan->config)[unit].model];
}

static uint8_t
seat_of(const struct plan *plan, uint32_t unit)
{
    return tactics_units(plan->config)[unit].seat;
}

/* Patterns are written for seat 0; seat 1 turns them by 180 degrees. */
static struct sk_cell
step(struct sk_cell from, struct tactics_offset offset, uint8_t seat)
{
    int sign = seat == 0 ? 1 : -1;

    return sk_cell(from.x + sign * offset.dx, from.y + sign * offset.dy);
}

static bool
on_grid(const struct plan *plan, struct sk_cell cell)
{
    return sk_cell_on_grid(cell, plan->config->cols, plan->config->rows);
}

static uint32_t
index_of(const struct plan *plan, struct sk_cell cell)
{
    return sk_cell_index(cell, plan->config->cols);
}

/* Adds the power of one enemy to every cell that some attack of it affects. */
static void
spread_danger(struct plan *plan, uint32_t enemy)
{
    const struct kit *kit = kit_of(plan, enemy);
    int32_t power = tactics_model_of(plan->config, enemy)->power;
    struct sk_cell from = tactics_cell_of(plan->view, enemy);
    uint8_t seat = seat_of(plan, enemy);
    bool is_added[CELLS_MAX] = { false };

    for (uint32_t i = 0; i < kit->blow_count; i++) {
        struct sk_cell target = step(from, kit->blows[i].target, seat);

        for (uint32_t j = 0; j < kit->blows[i].area_count && on_grid(plan, target); j++) {
            struct sk_cell cell = step(target, kit->blows[i].area[j], seat);

            if (on_grid(plan, cell) && !is_added[index_of(plan, cell)]) {
                is_added[index_of(plan, cell)] = true;
                plan->danger[index_of(plan, cell)] += power;
            }
        }
    }
}

static void
plan_begin(struct plan *plan)
{
    size_t cells = (size_t)plan->config->rows * plan->config->cols;

    tactics_board_fill(plan->config, plan->view, plan->before);
    memcpy(plan->after, plan->before, cells);
    memset(plan->danger, 0, cells * sizeof(plan->danger[0]));
    for (uint32_t i = 0; i < plan->config->unit_count; i++) {
        plan->left[i] = plan->view->unit[i].health;
        if (plan->left[i] > 0 && seat_of(plan, i) != plan->seat) {
            spread_danger(plan, i);
        }
    }
}

/* ---- values ------------------------------------------------------------------------------ */

/* A death is worth this much more than its damage. */
#define KILL_WORTH 10

/* What an attack gains if every enemy stays and every friend does as planned. */
static int32_t
blow_worth(const struct plan *plan, uint32_t unit, struct sk_cell from, const struct blow *blow)
{
    int32_t power = tactics_model_of(plan->config, unit)->power;
    struct sk_cell target = step(from, blow->target, plan->seat);
    int32_t worth = 0;

    for (uint32_t i = 0; i < blow->area_count && on_grid(plan, target); i++) {
        struct sk_cell cell = step(target, blow->area[i], plan->seat);
        uint32_t victim = on_grid(plan, cell) ? plan->after[index_of(plan, cell)] : 0;
        int32_t loss;

        if (sk_cell_same(cell, from)) {
            victim = unit + 1; /* considered from a cell where it is not yet */
        } else if (victim == unit + 1) {
            continue;
        }
        if (victim == 0 || plan->left[victim - 1] <= 0) {
            continue;
        }
        loss = plan->left[victim - 1] <= power ? plan->left[victim - 1] + KILL_WORTH : power;
        worth += seat_of(plan, victim - 1) == plan->seat ? -loss : loss;
    }
    return worth;
}

/* The best of all attacks from a cell; 0 and no blow when none gains anything. */
static int32_t
best_blow(const struct plan *plan, uint32_t unit, struct sk_cell from, const struct blow **ret_blow)
{
    const struct kit *kit = kit_of(plan, unit);
    int32_t best = 0;
    uint32_t equals = 0;

    *ret_blow = NULL;
    for (uint32_t i = 0; i < kit->blow_count; i++) {
        int32_t worth = blow_worth(plan, unit, from, &kit->blows[i]);

        if (worth <= 0 || worth < best) {
            continue;
        }
        equals = worth > best ? 1 : equals + 1;
        best = worth;
        if (equals == 1 || sk_rng_below(plan->rng, equals) == 0) {
            *ret_blow = &kit->blows[i];
        }
    }
    return best;
}

static int32_t
distance_to_enemy(const struct plan *plan, struct sk_cell from)
{
    int32_t nearest = 2 * SK_GRID_MAX;

    for (uint32_t i = 0; i < plan->config->unit_count; i++) {
        struct sk_cell cell = tactics_cell_of(plan->view, i);
        int32_t dx = abs(cell.x - from.x);
        int32_t dy = abs(cell.y - from.y);
        int32_t distance = dx > dy ? dx : dy;

        if (tactics_is_alive(plan->view, i) && seat_of(plan, i) != plan->seat &&
            distance < nearest) {
            nearest = distance;
        }
    }
    return nearest;
}

/* How a player weighs its options. */
struct taste {
    int32_t attack; /* what an attack gains now */
    int32_t next;   /* what an attack from there would gain in the next turn */
    int32_t danger; /* what it may suffer there */
    int32_t near;   /* each cell between it and the nearest enemy */
    uint32_t whim;  /* chance beyond that of equal options */
};

static const struct taste tastes[PLAYER_COUNT] = {
    [PLAYER_GREEDY] = { .attack = 1000, .next = 8, .danger = 1, .near = 8, .whim = 24 },
    [PLAYER_CAUTIOUS] = { .attack = 12, .next = 8, .danger = 4, .near = 8, .whim = 24 },
};

static int32_t
place_worth(const struct plan *plan, const struct taste *taste, uint32_t unit, struct sk_cell cell)
{
    int32_t danger = plan->danger[index_of(plan, cell)];
    int32_t health = plan->view->unit[unit].health;

    if (danger >= health) {
        danger = health + KILL_WORTH;
    }
    return -taste->danger * danger - taste->near * distance_to_enemy(plan, cell) +
           (int32_t)sk_rng_below(plan->rng, taste->whim);
}

/* ---- deciding ---------------------------------------------------------------------------- */

static struct tactics_command
command_of(const struct plan *plan, uint32_t unit, uint8_t kind, struct sk_cell target)
{
    return (struct tactics_command){
        .head = { kind },
        .unit = tactics_units(plan->config)[unit].id,
        .target = target,
    };
}

static void
take_attack(struct plan *plan, uint32_t unit, const struct blow *blow)
{
    int32_t power = tactics_model_of(plan->config, unit)->power;
    struct sk_cell target = step(tactics_cell_of(plan->view, unit), blow->target, plan->seat);

    for (uint32_t i = 0; i < blow->area_count; i++) {
        struct sk_cell cell = step(target, blow->area[i], plan->seat);

        if (on_grid(plan, cell) && plan->after[index_of(plan, cell)] != 0) {
            plan->left[plan->after[index_of(plan, cell)] - 1] -= power;
        }
    }
}

static void
take_move(struct plan *plan, uint32_t unit, struct sk_cell target)
{
    plan->after[index_of(plan, tactics_cell_of(plan->view, unit))] = 0;
    plan->after[index_of(plan, target)] = (uint8_t)(unit + 1);
}

static bool
is_free(const struct plan *plan, struct sk_cell cell)
{
    return on_grid(plan, cell) && plan->before[index_of(plan, cell)] == 0 &&
           plan->after[index_of(plan, cell)] == 0;
}

/* What it is worth to go to a cell. */
static int32_t
move_worth(const struct plan *plan, const struct taste *taste, uint32_t unit, struct sk_cell cell)
{
    const struct blow *unused;
    int32_t gain = best_blow(plan, unit, cell, &unused);

    return taste->next * gain + place_worth(plan, taste, unit, cell);
}

/* False if doing nothing is best. */
static bool
decide_by_taste(struct plan *plan, const struct taste *taste, uint32_t unit,
                struct tactics_command *ret_command)
{
    const struct kit *kit = kit_of(plan, unit);
    struct sk_cell here = tactics_cell_of(plan->view, unit);
    struct sk_cell target = here;
    const struct blow *blow;
    int32_t gain = best_blow(plan, unit, here, &blow);
    int32_t best = taste->attack * gain + place_worth(plan, taste, unit, here);

    for (uint32_t i = 0; i < kit->move_count; i++) {
        struct sk_cell cell = step(here, kit->moves[i], plan->seat);
        int32_t worth = is_free(plan, cell) ? move_worth(plan, taste, unit, cell) : INT32_MIN;

        if (worth > best) {
            best = worth;
            target = cell;
        }
    }
    if (!sk_cell_same(target, here)) {
        take_move(plan, unit, target);
        *ret_command = command_of(plan, unit, TACTICS_MOVE, target);
    } else if (blow != NULL) {
        take_attack(plan, unit, blow);
        *ret_command = command_of(plan, unit, TACTICS_ATTACK, step(here, blow->target, plan->seat));
    } else {
        return false;
    }
    return true;
}

/* The seat's living units in random order. */
static uint32_t
shuffle_units(const struct plan *plan, uint8_t *ret_units)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < plan->config->unit_count; i++) {
        if (tactics_is_alive(plan->view, i) && seat_of(plan, i) == plan->seat) {
            uint32_t place = sk_rng_below(plan->rng, count + 1);

            ret_units[count++] = ret_units[place];
            ret_units[place] = (uint8_t)i;
        }
    }
    return count;
}

static uint32_t
decide_all_by_taste(struct plan *plan, const struct taste *taste,
                    struct tactics_command *ret_commands)
{
    uint8_t units[SK_TACTICS_UNITS_MAX] = { 0 };
    uint32_t unit_count = shuffle_units(plan, units);
    uint32_t count = 0;

    for (uint32_t i = 0; i < unit_count; i++) {
        count += decide_by_taste(plan, taste, units[i], &ret_commands[count]);
    }
    return count;
}

/* A cell of the seat's start rows. The two draws are separate statements, so that their order is
 * fixed. */
static struct sk_cell
start_cell(const struct plan *plan)
{
    uint32_t first_row =
        plan->seat == 0 ? (uint32_t)(plan->config->rows - plan->config->start_rows) : 0;
    uint32_t x = sk_rng_below(plan->rng, plan->config->cols);
    uint32_t y = first_row + sk_rng_below(plan->rng, plan->config->start_rows);

    return sk_cell((int32_t)x, (int32_t)y);
}

/* Each unit is put on a free cell of the start rows, one after the other. */
static uint32_t
scatter(struct plan *plan, struct tactics_command *ret_commands)
{
    uint8_t units[SK_TACTICS_UNITS_MAX] = { 0 };
    uint32_t unit_count = shuffle_units(plan, units);

    memset(plan->after, 0, sizeof(plan->after));
    for (uint32_t i = 0; i < unit_count; i++) {
        struct sk_cell cell = start_cell(plan);

        while (plan->after[index_of(plan, cell)] != 0) {
            cell = start_cell(plan);
        }
        plan->after[index_of(plan, cell)] = (uint8_t)(units[i] + 1);
        ret_commands[i] = command_of(plan, units[i], TACTICS_PLACE, cell);
    }
    return unit_count;
}

/* ---- the random player ------------------------------------------------------------------- */

/* Keeps one hint of each unit, or none, all with the same probability. */
struct lottery {
    struct sk_hint_sink sink;
    struct sk_rng *rng;
    struct tactics_command *commands;
    uint32_t count;
    uint32_t hints; /* of the unit of the last hint */
    struct sk_id unit;
    bool is_kept; /* the last of `commands` is that unit's */
};

static bool
lottery_take(struct sk_hint_sink *sink, const void *hint)
{
    struct lottery *lottery = (struct lottery *)(void *)sink;
    const struct tactics_command *command = hint;

    if (!sk_id_same(&lottery->unit, &command->unit)) {
        lottery->unit = command->unit;
        lottery->hints = 1;
        lottery->is_kept = false;
    }
    lottery->hints++;
    if (sk_rng_below(lottery->rng, lottery->hints) == 0) {
        lottery->count += !lottery->is_kept;
        lottery->is_kept = true;
        lottery->commands[lottery->count - 1] = *command;
    }
    return true;
}

static uint32_t
decide_at_random(const struct plan *plan, struct tactics_command *ret_commands)
{
    struct lottery lottery = {
        .sink = { .take = lottery_take },
        .rng = plan->rng,
        .commands = ret_commands,
    };

    sk_ruleset_tactics.hints(plan->config, plan->view, plan->seat, &lottery.sink);
    return lottery.count;
}

/* ---- the whole --------------------------------------------------------------------------- */

uint32_t
players_decide(const struct players *players, enum player player,
               const struct tactics_position *view, uint8_t seat, struct sk_rng *rng,
               struct tactics_command *ret_commands)
{
    struct plan plan;

    plan.players = players;
    plan.config = players->config;
    plan.view = view;
    plan.rng = rng;
    plan.seat = seat;
    if (view->phase == TACTICS_PLACEMENT) {
        return sk_rng_below(rng, 2) == 0 ? 0 : scatter(&plan, ret_commands);
    }
    if (player == PLAYER_RANDOM) {
        return decide_at_random(&plan, ret_commands);
    }
    plan_begin(&plan);
    return decide_all_by_taste(&plan, &tastes[player], ret_commands);
}
