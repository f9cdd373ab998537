/*
 * The tactics ruleset: setup, outcome, snapshot, and the ruleset's table.  The
 * rules are in checks.c and stages.c; params are checked in config.c and
 * patterns.c.
 */
#include "common/rules/tactics/tactics.h"

#include <string.h>

#include "common/core/snapshot.h"
#include "common/rules/tactics/internal.h"

#define SNAPSHOT_UNIT_SIZE 6 /* health, x, y */

/* ---- sizes ------------------------------------------------------------------------------- */

/* At most per unit: one event for its command, half a bounce, one hit, one death. */
static size_t
events_size(const struct tactics_config *config)
{
    size_t units = config->unit_count;
    size_t an_event = sizeof(struct tactics_event) + 8;
    size_t its_cells = config->area_max * sizeof(struct sk_cell) + 8;
    size_t its_names = units * sizeof(struct sk_text) + 2 * sizeof(struct sk_text) + 8;

    return units * (4 * an_event + its_cells + its_names) + its_cells;
}

static void
sizes(const void *config, struct sk_sizes *ret_sizes)
{
    const struct tactics_config *tactics = config;
    size_t position = tactics_position_size(tactics);

    *ret_sizes = (struct sk_sizes){
        .state = TACTICS_STATE_HEAD + position,
        .view = position,
        .work = sizeof(struct tactics_work) + (size_t)tactics->rows * tactics->cols,
        .events = events_size(tactics),
        .snapshot = SK_SNAPSHOT_HEAD_MAX + 1 + (size_t)tactics->unit_count * SNAPSHOT_UNIT_SIZE,
    };
}

/* ---- setup, owing, outcome --------------------------------------------------------------- */

static void
setup(const void *config, const struct sk_seed *seed, struct sk_state *ret_state)
{
    const struct tactics_config *tactics = config;
    const struct tactics_unit_config *units = tactics_units(tactics);
    struct tactics_position *position = tactics_position(ret_state);

    (void)seed; /* tactics has no chance */
    position->phase = tactics->placement ? TACTICS_PLACEMENT : TACTICS_PLAY;
    for (uint32_t i = 0; i < tactics->unit_count; i++) {
        position->unit[i] =
            (struct tactics_unit){ tactics_model_of(tactics, i)->health, units[i].x, units[i].y };
    }
}

bool
tactics_decide(const bool *is_left, struct sk_outcome *ret_outcome)
{
    if (!is_left[0] && !is_left[1]) {
        return sk_outcome_end(ret_outcome, SK_NOBODY, TACTICS_DRAW_ELIMINATED);
    }
    return (!is_left[0] || !is_left[1]) &&
           sk_outcome_end(ret_outcome, is_left[0] ? 0 : 1, TACTICS_ELIMINATED);
}

static void
outcome(const void *config, const struct sk_state *state, struct sk_outcome *ret_outcome)
{
    const struct tactics_config *tactics = config;
    const struct tactics_unit_config *units = tactics_units(tactics);
    const struct tactics_position *position = tactics_position_of(state);
    bool is_left[TACTICS_SEATS] = { false, false };

    for (uint32_t i = 0; i < tactics->unit_count; i++) {
        is_left[units[i].seat] |= tactics_is_alive(position, i);
    }
    (void)tactics_decide(is_left, ret_outcome);
}

/* ---- snapshot ---------------------------------------------------------------------------- */

static void
snapshot_write(const void *config, const struct sk_state *state, struct sk_bytes_out *out)
{
    const struct tactics_config *tactics = config;
    const struct tactics_position *position = tactics_position_of(state);

    const struct tactics_unit *unit = position->unit;
    uint8_t *at;

    sk_put_u8(out, position->phase);
    at = sk_put_space(out, (size_t)tactics->unit_count * SNAPSHOT_UNIT_SIZE);
    for (uint32_t i = 0; at != NULL && i < tactics->unit_count; i++, unit++) {
        sk_store_u32(at, (uint32_t)unit->health);
        at[4] = unit->x;
        at[5] = unit->y;
        at += SNAPSHOT_UNIT_SIZE;
    }
}

static bool
unit_read(const struct tactics_config *config, struct sk_bytes_in *in, uint64_t *taken,
          struct tactics_unit *ret_unit)
{
    uint32_t health = sk_take_u32(in);
    uint8_t x = sk_take_u8(in);
    uint8_t y = sk_take_u8(in);

    if (health > INT32_MAX || x >= config->cols || y >= config->rows) {
        return false;
    }
    if (health == 0 ? x != 0 || y != 0 : (taken[y] >> x & 1) != 0) {
        return false;
    }
    taken[y] |= (uint64_t)(health != 0) << x;
    *ret_unit = (struct tactics_unit){ (int32_t)health, x, y };
    return true;
}

static enum sk_status
snapshot_read(const void *config, struct sk_bytes_in *in, struct sk_state *ret_state)
{
    const struct tactics_config *tactics = config;
    struct tactics_position *position = tactics_position(ret_state);
    uint64_t taken[SK_GRID_MAX] = { 0 };
    uint8_t phase = sk_take_u8(in);

    if (phase > TACTICS_PLAY || (phase == TACTICS_PLACEMENT && !tactics->placement)) {
        return SK_ERR_CORRUPT;
    }
    position->phase = phase;
    for (uint32_t i = 0; i < tactics->unit_count; i++) {
        if (!unit_read(tactics, in, taken, &position->unit[i])) {
            return SK_ERR_CORRUPT;
        }
    }
    return SK_OK;
}

/* ---- the ruleset ------------------------------------------------------------------------- */

static const struct sk_word verdicts[] = { TACTICS_VERDICTS(SK_WORD_OF) };
static const struct sk_word reasons[] = { TACTICS_REASONS(SK_WORD_OF) };

const struct sk_ruleset sk_ruleset_tactics = {
    .name = "tactics",
    .summary = "Two squads on a grid; both sides' moves and attacks happen at once.",
    .version = 1,
    .is_simultaneous = true,
    .seats_min = TACTICS_SEATS,
    .seats_max = TACTICS_SEATS,
    .params = &tactics_params_schema,
    .state = &tactics_state_schema,
    .view = &tactics_view_schema,
    .command = &tactics_command_variants,
    .event = &tactics_event_variants,
    SK_VERDICTS(verdicts),
    SK_REASONS(reasons),
    SK_CHECKS(tactics_checks),
    SK_STAGES(tactics_stages),
    .default_params = &tactics_default_params,
    .turn_limit_at = offsetof(struct tactics_config, turn_limit),
    .config_size_max = TACTICS_CONFIG_SIZE_MAX,
    .scratch_size_max = TACTICS_SCRATCH_SIZE_MAX,
    .config_build = tactics_config_build,
    .sizes = sizes,
    .setup = setup,
    .outcome = outcome,
    .prepare = tactics_prepare,
    .collect = tactics_collect,
    .hints = tactics_hints,
    .state_read = tactics_state_read,
    .view_form = tactics_view_form,
    .snapshot_write = snapshot_write,
    .snapshot_read = snapshot_read,
    .bot_levels = 3,
    .picture = SK_PICTURE(tactics_picture),
};
