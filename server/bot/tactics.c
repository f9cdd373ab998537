/*
 * The tactics player: a command for every unit that has something to do.
 */
#include "server/bot/tactics.h"

#include <stdlib.h>
#include <string.h>

/* ---- judging a scene --------------------------------------------------------------------- */

static void
mark_hit(struct tactics_hits *hits, int32_t dx, int32_t dy)
{
    const int32_t reach = SK_GRID_MAX - 1;

    if (dx >= -reach && dx <= reach && dy >= -reach && dy <= reach) {
        hits->at[dy + reach][dx + reach] = true;
    }
}

static void
mark_target(const struct tactics_config *config, const struct tactics_pattern *pattern,
            uint32_t place, struct tactics_hits *hits)
{
    const uint16_t *maps = tactics_part(config, pattern->maps_at);
    int32_t side = (int32_t)pattern->targets.side;
    int32_t dx = (int32_t)place % side - side / 2;
    int32_t dy = (int32_t)place / side - side / 2;
    const struct tactics_pattern *mapped;
    const struct tactics_offset *offsets;

    if (pattern->maps_at == 0 || maps[place] == TACTICS_NO_MAP) {
        mark_hit(hits, dx, dy);
        return;
    }
    mapped = tactics_pattern_at(config, maps[place]);
    offsets = tactics_part(config, mapped->area_at);
    for (uint32_t i = 0; i < mapped->area_count; i++) {
        mark_hit(hits, dx + offsets[i].dx, dy + offsets[i].dy);
    }
}

static void
mark_model(const struct tactics_config *config, const struct tactics_model *model,
           struct tactics_hits *hits)
{
    const uint16_t *list = tactics_part(config, model->attack_at);

    for (uint32_t i = 0; i < model->attack_count; i++) {
        const struct tactics_pattern *pattern = tactics_pattern_at(config, list[i]);
        const uint64_t *rows = tactics_part(config, pattern->targets.rows_at);
        uint32_t side = pattern->targets.side;

        for (uint32_t place = 0; place < side * side; place++) {
            if ((rows[place / side] >> (place % side) & 1) != 0) {
                mark_target(config, pattern, place, hits);
            }
        }
    }
}

void
tactics_scene_init(struct tactics_scene *scene, const struct tactics_config *config)
{
    const struct tactics_model *models = tactics_part(config, config->models_at);

    scene->config = config;
    scene->area = heap_memory(config->area_max * sizeof(scene->area[0]));
    scene->board = heap_memory((size_t)config->rows * config->cols);
    scene->hits = heap_memory(config->model_count * sizeof(scene->hits[0]));
    for (uint32_t i = 0; i < config->model_count; i++) {
        mark_model(config, &models[i], &scene->hits[i]);
    }
}

void
tactics_scene_fini(struct tactics_scene *scene)
{
    free(scene->area);
    free(scene->board);
    free(scene->hits);
}

/* The damage of this power to this health. */
static int32_t
loss(int32_t power, int32_t health)
{
    return power >= health ? health + TACTICS_DEATH_WORTH : power;
}

int32_t
tactics_threat(const struct tactics_scene *scene, const struct tactics_position *position,
               uint32_t unit, struct sk_cell cell)
{
    const struct tactics_unit_config *units = tactics_units(scene->config);
    const struct tactics_hits *hits = &scene->hits[units[unit].model];
    int32_t power = tactics_model_of(scene->config, unit)->power;
    int32_t sign = units[unit].seat == 0 ? 1 : -1;
    int32_t most = 0;

    for (uint32_t i = 0; i < scene->config->unit_count; i++) {
        int32_t dx = sign * (position->unit[i].x - cell.x) + SK_GRID_MAX - 1;
        int32_t dy = sign * (position->unit[i].y - cell.y) + SK_GRID_MAX - 1;

        if (units[i].seat != units[unit].seat && tactics_is_alive(position, i) &&
            hits->at[dy][dx] && loss(power, position->unit[i].health) > most) {
            most = loss(power, position->unit[i].health);
        }
    }
    return most;
}

int32_t
tactics_distance(const struct tactics_scene *scene, const struct tactics_position *position,
                 uint8_t seat, struct sk_cell cell)
{
    int32_t nearest = 2 * SK_GRID_MAX;

    for (uint32_t i = 0; i < scene->config->unit_count; i++) {
        int32_t dx = abs(position->unit[i].x - cell.x);
        int32_t dy = abs(position->unit[i].y - cell.y);
        int32_t distance = dx > dy ? dx : dy;

        if (tactics_units(scene->config)[i].seat != seat && tactics_is_alive(position, i) &&
            distance < nearest) {
            nearest = distance;
        }
    }
    return nearest;
}

/* ---- hints ------------------------------------------------------------------------------- */

static const struct tactics_command *
hint_at(struct sk_commands hints, uint32_t index)
{
    return (const struct tactics_command *)hints.at + index;
}

uint32_t
tactics_hints_end(struct sk_commands hints, uint32_t from)
{
    uint32_t end = from;

    while (end < hints.count &&
           sk_id_same(&hint_at(hints, end)->unit, &hint_at(hints, from)->unit)) {
        end++;
    }
    return end;
}

/* Two own units must not go to one cell; attacks may meet. */
static bool
is_target_taken(const struct tactics_command *command, const struct tactics_command *chosen,
                uint32_t count)
{
    for (uint32_t i = 0; i < count && command->head.kind != TACTICS_ATTACK; i++) {
        if (chosen[i].head.kind != TACTICS_ATTACK &&
            sk_cell_same(chosen[i].target, command->target)) {
            return true;
        }
    }
    return false;
}

static void
play_random(struct bot_mind *mind)
{
    for (uint32_t from = 0; from < mind->hints.count;) {
        uint32_t end = tactics_hints_end(mind->hints, from);
        const struct tactics_command *drawn =
            hint_at(mind->hints, from + sk_rng_below(&mind->rng, end - from));

        if (!is_target_taken(drawn, (const void *)mind->chosen, mind->chosen_count)) {
            bot_choose(mind, drawn);
        }
        from = end;
    }
}

/* ---- greedy ------------------------------------------------------------------------------ */

/* An attack that gains anything now is worth more than any place to be. */
#define ATTACK_WORTH  1000
#define THREAT_WORTH  8
#define NEAR_WORTH    8
#define WHIM          24
#define NOTHING_WORTH (-1000000)

/* The damage of an attack to enemies minus that to friends, if nobody moves. */
static int32_t
attack_gain(const struct tactics_scene *scene, const struct tactics_position *position,
            uint32_t unit, struct sk_cell target)
{
    const struct tactics_unit_config *units = tactics_units(scene->config);
    int32_t power = tactics_model_of(scene->config, unit)->power;
    uint32_t cells =
        tactics_area(scene->config, unit, tactics_cell_of(position, unit), target, scene->area);
    int32_t gain = 0;

    for (uint32_t i = 0; i < cells; i++) {
        uint32_t victim = scene->board[sk_cell_index(scene->area[i], scene->config->cols)];

        if (victim != 0) {
            int32_t lost = loss(power, position->unit[victim - 1].health);

            gain += units[victim - 1].seat == units[unit].seat ? -lost : lost;
        }
    }
    return gain;
}

static int32_t
place_worth(const struct tactics_scene *scene, const struct tactics_position *position,
            uint32_t unit, struct sk_cell cell)
{
    uint8_t seat = tactics_units(scene->config)[unit].seat;

    return THREAT_WORTH * tactics_threat(scene, position, unit, cell) -
           NEAR_WORTH * tactics_distance(scene, position, seat, cell);
}

/* An attack that gains nothing is worse than standing still. */
static int32_t
command_worth(const struct tactics_scene *scene, const struct tactics_position *position,
              uint32_t unit, const struct tactics_command *command)
{
    int32_t gain;

    if (command->head.kind != TACTICS_ATTACK) {
        return place_worth(scene, position, unit, command->target);
    }
    gain = attack_gain(scene, position, unit, command->target);
    return gain > 0 ? ATTACK_WORTH * gain : NOTHING_WORTH;
}

static uint32_t
draw(struct sk_rng *rng, uint32_t whim)
{
    return whim == 0 ? 0 : sk_rng_below(rng, whim);
}

uint32_t
tactics_greedy(const struct tactics_scene *scene, const struct tactics_position *position,
               struct sk_commands hints, struct sk_rng *rng, uint32_t whim,
               struct tactics_command *ret_commands)
{
    uint32_t count = 0;

    tactics_board_fill(scene->config, position, scene->board);
    for (uint32_t from = 0, end; from < hints.count; from = end) {
        uint32_t unit = tactics_unit_find(scene->config, &hint_at(hints, from)->unit);
        const struct tactics_command *best = NULL;
        int32_t most;

        end = tactics_hints_end(hints, from);
        if (unit == TACTICS_NO_UNIT) {
            continue;
        }
        most = place_worth(scene, position, unit, tactics_cell_of(position, unit));
        for (uint32_t i = from; i < end; i++) {
            const struct tactics_command *hint = hint_at(hints, i);
            int32_t worth = command_worth(scene, position, unit, hint) + (int32_t)draw(rng, whim);

            if (worth > most && hint->head.kind != TACTICS_PLACE &&
                !is_target_taken(hint, ret_commands, count)) {
                most = worth;
                best = hint;
            }
        }
        if (best != NULL) {
            ret_commands[count++] = *best;
        }
    }
    return count;
}

static void
play_greedy(struct bot_mind *mind)
{
    struct tactics_scene scene;

    tactics_scene_init(&scene, mind->config);
    mind->chosen_count =
        tactics_greedy(&scene, tactics_position_of(mind->state), mind->hints, &mind->rng, WHIM,
                       (struct tactics_command *)(void *)mind->chosen);
    tactics_scene_fini(&scene);
}

const struct bot_player bot_tactics = {
    .ruleset = "tactics",
    .play = { play_random, play_greedy, tactics_search },
};
