/* tactics: its random params, its own properties and its mirror. */
#include <string.h>

#include "common/rules/tactics/internal.h"
#include "tests/property/trial.h"
#include "tests/support/tactics_random.h"

#define HINT_CELLS_MAX 400 /* of boards that are checked cell by cell */

/* ---- params ------------------------------------------------------------------------------ */

static struct tactics_params *
take_params(struct sk_arena *arena)
{
    struct tactics_params *params = sk_arena_take(arena, sizeof(*params));

    if (params == NULL) {
        table_fail("BREED_ARENA is too small");
    }
    return params;
}

static const void *
draw_params(struct sk_rng *rng, struct sk_arena *arena)
{
    struct tactics_params *params = take_params(arena);

    tactics_random_params(rng, arena, params);
    return params;
}

/* ---- the mirror: turned by 180 degrees, the units in another order ----------------------- */

static const void *
mirror_params(struct sk_rng *rng, struct sk_arena *arena, const void *params)
{
    struct tactics_params *mirrored = take_params(arena);

    tactics_mirror_params(rng, arena, params, mirrored);
    return mirrored;
}

static void
mirror_command(const struct mirror *mirror, void *command)
{
    struct tactics_command *own = command;

    own->target = tactics_mirror_cell(mirror->params, own->target);
}

static bool
is_same_unit(const struct mirror *mirror, struct tactics_unit here, struct tactics_unit there)
{
    if (here.health <= 0) {
        return there.health == here.health;
    }
    return there.health == here.health &&
           sk_cell_same(tactics_mirror_cell(mirror->params, sk_cell(here.x, here.y)),
                        sk_cell(there.x, there.y));
}

static bool
mirror_is_same(const struct trial *trial, const struct sk_state *here, const struct sk_state *there)
{
    const struct tactics_config *config = trial->table.config;
    const struct tactics_position *position = tactics_position_of(here);
    const struct tactics_position *mirrored = tactics_position_of(there);

    if (position->phase != mirrored->phase) {
        return false;
    }
    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        uint8_t place =
            tactics_unit_find(trial->mirror.table.config, &tactics_units(config)[unit].id);

        if (!is_same_unit(&trial->mirror, position->unit[unit], mirrored->unit[place])) {
            return false;
        }
    }
    return true;
}

/* ---- properties -------------------------------------------------------------------------- */

static bool
nobody_shares_a_cell(struct trial *trial)
{
    const struct tactics_config *config = trial->table.config;
    const struct tactics_position *position = tactics_position_of(trial->after);
    bool is_taken[SK_GRID_MAX * SK_GRID_MAX] = { false };

    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        struct sk_cell cell = tactics_cell_of(position, unit);

        if (!tactics_is_alive(position, unit)) {
            continue;
        }
        if (!sk_cell_on_grid(cell, config->cols, config->rows) ||
            is_taken[sk_cell_index(cell, config->cols)]) {
            return false;
        }
        is_taken[sk_cell_index(cell, config->cols)] = true;
    }
    return true;
}

static bool
health_never_grows(struct trial *trial)
{
    const struct tactics_config *config = trial->table.config;
    const struct tactics_position *before = tactics_position_of(trial->table.match.state);
    const struct tactics_position *after = tactics_position_of(trial->after);

    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        if (after->unit[unit].health > before->unit[unit].health || after->unit[unit].health < 0) {
            return false;
        }
    }
    return true;
}

/* How many commands of the unit are ok alone: tries every cell of the board. */
static uint32_t
count_ok_alone(struct trial *trial, uint32_t unit)
{
    struct table *table = &trial->table;
    const struct tactics_config *config = table->config;
    uint8_t seat = tactics_units(config)[unit].seat;
    struct tactics_command command = { .unit = tactics_units(config)[unit].id };
    uint32_t count = 0;

    for (uint8_t kind = TACTICS_MOVE; kind <= TACTICS_PLACE; kind++) {
        for (int32_t cell = 0; cell < config->rows * config->cols; cell++) {
            command.head.kind = kind;
            command.target = sk_cell(cell % config->cols, cell / config->cols);
            sk_match_submit(&table->match, &table->turn, seat, (struct sk_commands){ &command, 1 });
            count += table->turn.judgements[seat][0].verdict == SK_VERDICT_OK;
        }
    }
    sk_match_withdraw(&table->match, seat);
    return count;
}

/* All hints are ok (checked elsewhere) and different, so the counts must be equal. */
static bool
hints_leave_nothing_out(struct trial *trial)
{
    const struct tactics_config *config = trial->table.config;
    uint32_t unit = sk_rng_below(&trial->rng, config->unit_count);
    const struct tactics_unit_config *named = &tactics_units(config)[unit];
    uint32_t count = 0;

    if (config->rows * config->cols > HINT_CELLS_MAX || sk_rng_below(&trial->rng, 8) != 0) {
        return true;
    }
    table_hints(&trial->table, named->seat, &trial->spare[0]);
    for (uint32_t i = 0; i < trial->spare[0].count; i++) {
        const struct tactics_command *hint = commands_item(&trial->spare[0], i);

        count += sk_id_same(&hint->unit, &named->id);
    }
    return count == count_ok_alone(trial, unit);
}

static struct property properties[] = {
    { .sentence = "no two living units share a cell", .holds = nobody_shares_a_cell },
    { .sentence = "health never grows", .holds = health_never_grows },
    { .sentence = "tactics: hints contain every command that is ok alone",
      .holds = hints_leave_nothing_out },
};

/* ---- the breed --------------------------------------------------------------------------- */

const struct breed breed_tactics = {
    .ruleset = &sk_ruleset_tactics,
    .properties = properties,
    .property_count = SK_COUNT_OF(properties),
    .draw_params = draw_params,
    .mirror_params = mirror_params,
    .mirror_command = mirror_command,
    .mirror_is_same = mirror_is_same,
};
