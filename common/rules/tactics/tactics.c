/*
 * The tactics ruleset: setup, outcome, view, hints, snapshot, and the ruleset's
 * table.  The rules are in checks.c and stages.c; params are checked in
 * config.c and patterns.c.
 */
#include "common/rules/tactics/tactics.h"

#include <string.h>

#include "common/core/snapshot.h"
#include "common/rules/tactics/internal.h"

#define SNAPSHOT_UNIT_SIZE 6 /* health, x, y */

/* ---- sizes ------------------------------------------------------------------------------- */

static uint8_t
seat_count(const void *config)
{
    (void)config;
    return TACTICS_SEATS;
}

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
    if (!tactics_decide(is_left, ret_outcome) && state->turn >= tactics->turn_limit) {
        sk_outcome_end(ret_outcome, SK_NOBODY, SK_DRAW_TURN_LIMIT);
    }
}

/* ---- view, guess ------------------------------------------------------------------------- */

/* Commands are the only secret of tactics, and they are not part of the state. */
static void
view_make(const void *config, const struct sk_state *state, uint8_t seat, void *ret_view)
{
    const struct tactics_config *tactics = config;
    const struct tactics_position *from = tactics_position_of(state);
    struct tactics_position *view = ret_view;

    (void)seat;
    view->phase = from->phase;
    memcpy(view->unit, from->unit, tactics->unit_count * sizeof(view->unit[0]));
}

static void
guess(const void *config, const void *view, const struct sk_seed *seed, struct sk_state *ret_state)
{
    (void)seed;
    memcpy(tactics_position(ret_state), view, tactics_position_size(config));
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

#define WORD(number, word) word,
static const char *const verdicts[] = { TACTICS_VERDICTS(WORD) };
static const char *const reasons[] = { TACTICS_REASONS(WORD) };
#undef WORD

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
    .verdicts = verdicts,
    .verdict_count = SK_COUNT_OF(verdicts),
    .reasons = reasons,
    .reason_count = SK_COUNT_OF(reasons),
    .checks = tactics_checks,
    .check_count = TACTICS_CHECK_COUNT,
    .stages = tactics_stages,
    .stage_count = TACTICS_STAGE_COUNT,
    .default_params = &tactics_default_params,
    .config_size_max = TACTICS_CONFIG_SIZE_MAX,
    .scratch_size_max = TACTICS_SCRATCH_SIZE_MAX,
    .config_build = tactics_config_build,
    .seat_count = seat_count,
    .sizes = sizes,
    .setup = setup,
    .owing = sk_owing_both,
    .outcome = outcome,
    .view_make = view_make,
    .prepare = tactics_prepare,
    .collect = tactics_collect,
    .hints = tactics_hints,
    .default_command = sk_default_none, /* the units stay */
    .guess = guess,
    .state_read = tactics_state_read,
    .state_form = tactics_state_form,
    .view_form = tactics_view_form,
    .snapshot_write = snapshot_write,
    .snapshot_read = snapshot_read,
    .picture = &tactics_picture,
};
