/*
 * The start of a player's turn: failures end and begin, then skips and debt
 * apply.  The setup opens the first turn, resolutions open all others.
 */
#include "common/rules/racers/internal.h"

#define PERMILLE 1000

static inline uint32_t
expire(const struct racers_config *config, struct racers_position *position)
{
    struct racers_failure *failures = racers_failure_space(config, position);
    uint32_t before = position->failure_count;
    uint16_t kept = 0;

    for (uint32_t i = 0; i < position->failure_count; i++) {
        if (failures[i].turns_left > 1) {
            failures[kept] = failures[i];
            failures[kept].turns_left--;
            kept++;
        }
    }
    position->failure_count = kept;
    return before - kept;
}

/* Visits squares in reading order. */
static inline uint32_t
roll(const struct racers_config *config, struct racers_position *position, struct sk_rng *rng)
{
    struct racers_failure *failures = racers_failure_space(config, position);
    uint32_t count = 0;

    for (uint8_t y = 0; y < config->rows && config->failure_permille > 0; y++) {
        for (uint8_t x = 0; x < config->cols; x++) {
            if (sk_rng_below(rng, PERMILLE) < config->failure_permille) {
                failures[position->failure_count++] =
                    (struct racers_failure){ { x, y }, SK_RACERS_FAILURE_TURNS };
                count++;
            }
        }
    }
    return count;
}

uint32_t
racers_open_power(const struct racers_config *config, struct racers_position *position,
                  struct sk_rng *rng)
{
    (void)expire(config, position);
    return roll(config, position, rng);
}

uint32_t
racers_power_expire(const struct racers_config *config, struct racers_position *position)
{
    return expire(config, position);
}

uint32_t
racers_power_roll(const struct racers_config *config, struct racers_position *position,
                  struct sk_rng *rng)
{
    return roll(config, position, rng);
}

bool
racers_take_actions(const struct racers_config *config, struct racers_position *position,
                    uint8_t *ret_why)
{
    struct racers_racer *racer = &position->racer[position->active];
    struct racers_opening opening = racers_open_turn(
        racer->debt, racer->skip, racers_is_dark(config, position, racers_cell(racer->at)));

    racer->debt = (uint16_t)opening.debt;
    racer->skip = (uint16_t)opening.skip;
    *ret_why = opening.is_skipped ? RACERS_SKIPPED : RACERS_PENALTY;
    if (opening.is_skipped) {
        return false;
    }
    position->actions_left = (uint8_t)opening.actions;
    return position->actions_left > 0;
}
