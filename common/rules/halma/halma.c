/*
 * The halma ruleset: setup, outcome, snapshot, and the ruleset's table.
 * The rules are in checks.c and stages.c; params are checked in config.c.
 */
#include "common/rules/halma/halma.h"

#include <string.h>

#include "common/core/snapshot.h"
#include "common/rules/halma/internal.h"

#define SNAPSHOT_PIECE_SIZE 3 /* x, y, damage */

/* ---- sizes ------------------------------------------------------------------------------- */

static uint32_t
cycle_ms(const void *config)
{
    return ((const struct halma_config *)config)->cycle_ms;
}

/* At most two moves, a collision, a halmate, and all pieces healed; or a turn not enacted. */
static size_t
events_size(const struct halma_config *config)
{
    size_t an_event = sizeof(struct halma_event) + 8;
    size_t a_path = (SK_HALMA_PATH_MAX + 1) * sizeof(struct sk_cell) + 8;
    size_t its_lists = SK_HALMA_SEATS * (sizeof(struct sk_text) + sizeof(int32_t)) + 16;

    return SK_HALMA_SEATS * (an_event + a_path) + 2 * (an_event + its_lists) +
           config->unit_count * an_event;
}

static void
sizes(const void *config, struct sk_sizes *ret_sizes)
{
    const struct halma_config *halma = config;
    size_t position = halma_position_size(halma);

    *ret_sizes = (struct sk_sizes){
        .state = HALMA_STATE_HEAD + position,
        .view = position,
        .work = sizeof(struct halma_work),
        .events = events_size(halma),
        .snapshot = SK_SNAPSHOT_HEAD_MAX + SK_HALMA_SEATS * sizeof(uint32_t) +
                    (size_t)halma->unit_count * SNAPSHOT_PIECE_SIZE,
    };
}

/* ---- setup, owing, outcome --------------------------------------------------------------- */

static void
setup(const void *config, const struct sk_seed *seed, struct sk_state *ret_state)
{
    const struct halma_config *halma = config;
    const struct halma_unit_config *units = halma_units(halma);
    struct halma_position *position = halma_position(ret_state);

    (void)seed; /* halma has no chance */
    for (uint32_t i = 0; i < halma->unit_count; i++) {
        position->piece[i] = (struct halma_piece){ units[i].x, units[i].y, 0 };
    }
}

/* In no state both seats have stalled. */
static void
outcome(const void *config, const struct sk_state *state, struct sk_outcome *ret_outcome)
{
    const struct halma_config *halma = config;
    const struct halma_position *position = halma_position_of(state);
    bool is_mate[SK_HALMA_SEATS] = { halma_is_halmate(halma, position, 0),
                                     halma_is_halmate(halma, position, 1) };

    if (is_mate[0] && is_mate[1]) {
        sk_outcome_end(ret_outcome, SK_NOBODY, HALMA_DRAW_BOTH_HALMATE);
    } else if (is_mate[0] || is_mate[1]) {
        sk_outcome_end(ret_outcome, is_mate[0] ? 0 : 1, HALMA_HALMATE);
    } else if (halma_has_stalled(halma, position, 0)) {
        sk_outcome_end(ret_outcome, 1, HALMA_STALLED);
    } else if (halma_has_stalled(halma, position, 1)) {
        sk_outcome_end(ret_outcome, 0, HALMA_STALLED);
    }
}

/* ---- snapshot ---------------------------------------------------------------------------- */

static void
snapshot_write(const void *config, const struct sk_state *state, struct sk_bytes_out *out)
{
    const struct halma_config *halma = config;
    const struct halma_position *position = halma_position_of(state);

    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        sk_put_u32(out, position->faults[seat]);
    }
    for (uint32_t i = 0; i < halma->unit_count; i++) {
        sk_put_u8(out, position->piece[i].x);
        sk_put_u8(out, position->piece[i].y);
        sk_put_u8(out, position->piece[i].damage);
    }
}

static bool
faults_read(const struct halma_config *config, struct sk_bytes_in *in,
            struct halma_position *position)
{
    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        position->faults[seat] = sk_take_u32(in);
        if (position->faults[seat] > HALMA_FAULTS_MAX) {
            return false;
        }
    }
    return !halma_has_stalled(config, position, 0) || !halma_has_stalled(config, position, 1);
}

/* `once` and `twice` mark the squares with one and with two pieces so far. */
static bool
piece_read(const struct halma_config *config, struct sk_bytes_in *in, uint64_t *once,
           uint64_t *twice, struct halma_piece *ret_piece)
{
    uint8_t x = sk_take_u8(in);
    uint8_t y = sk_take_u8(in);
    uint8_t damage = sk_take_u8(in);
    uint64_t bit;

    if (x >= config->size || y >= config->size || damage > SK_HALMA_DAMAGE) {
        return false;
    }
    bit = (uint64_t)1 << x;
    if ((twice[y] & bit) != 0) {
        return false;
    }
    twice[y] |= once[y] & bit;
    once[y] |= bit;
    *ret_piece = (struct halma_piece){ x, y, damage };
    return true;
}

static enum sk_status
snapshot_read(const void *config, struct sk_bytes_in *in, struct sk_state *ret_state)
{
    const struct halma_config *halma = config;
    struct halma_position *position = halma_position(ret_state);
    uint64_t once[SK_GRID_MAX] = { 0 };
    uint64_t twice[SK_GRID_MAX] = { 0 };

    if (!faults_read(halma, in, position)) {
        return SK_ERR_CORRUPT;
    }
    for (uint32_t i = 0; i < halma->unit_count; i++) {
        if (!piece_read(halma, in, once, twice, &position->piece[i])) {
            return SK_ERR_CORRUPT;
        }
    }
    return SK_OK;
}

/* ---- the ruleset ------------------------------------------------------------------------- */

static const struct sk_word verdicts[] = { HALMA_VERDICTS(SK_WORD_OF) };
static const struct sk_word reasons[] = { HALMA_REASONS(SK_WORD_OF) };

static const struct sk_fact facts[] = {
    { "damage", SK_HALMA_DAMAGE, "Turns without jumping after a collision." },
};

const struct sk_ruleset sk_ruleset_halma = {
    .name = "halma",
    .summary = "A race of jumping pieces across the board; both sides move one at once.",
    .version = 1,
    .is_simultaneous = true,
    .seats_min = SK_HALMA_SEATS,
    .seats_max = SK_HALMA_SEATS,
    .params = &halma_params_schema,
    .state = &halma_state_schema,
    .view = &halma_view_schema,
    .command = &halma_command_variants,
    .event = &halma_event_variants,
    SK_VERDICTS(verdicts),
    SK_REASONS(reasons),
    SK_CHECKS(halma_checks),
    SK_STAGES(halma_stages),
    SK_FACTS(facts),
    .default_params = &halma_default_params,
    .turn_limit_at = offsetof(struct halma_config, turn_limit),
    .config_size_max = HALMA_CONFIG_SIZE_MAX,
    .scratch_size_max = HALMA_SCRATCH_SIZE_MAX,
    .config_build = halma_config_build,
    .sizes = sizes,
    .setup = setup,
    .cycle_ms = cycle_ms,
    .outcome = outcome,
    .prepare = halma_prepare,
    .collect = halma_collect,
    .hints = halma_hints,
    .state_read = halma_state_read,
    .view_form = halma_view_form,
    .snapshot_write = snapshot_write,
    .snapshot_read = snapshot_read,
    .bot_levels = 3,
    .picture = SK_PICTURE(halma_picture),
};
