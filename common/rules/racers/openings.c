/*
 * The start of a player's turn: failures pass and come, then skips and debt
 * are taken.  The setup opens the first turn, resolutions all others.
 */
#include "common/rules/racers/internal.h"

#define PERMILLE 1000

static void
expire_failures(const struct racers_config *config, struct racers_position *position)
{
    struct racers_failure *failures = racers_failure_room(config, position);
    uint16_t kept = 0;

    for (uint32_t i = 0; i < position->failure_count; i++) {
        if (failures[i].turns_left > 1) {
            failures[kept] = failures[i];
            failures[kept].turns_left--;
            kept++;
        }
    }
    position->failure_count = kept;
}

/* Squares are asked in reading order. */
uint32_t
racers_roll_failures(const struct racers_config *config, struct racers_position *position,
                     struct sk_rng *rng)
{
    struct racers_failure *failures = racers_failure_room(config, position);
    uint32_t count = 0;

    expire_failures(config, position);
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

bool
racers_take_actions(const struct racers_config *config, struct racers_position *position,
                    uint8_t *ret_why)
{
    struct racers_racer *racer = &position->racer[position->active];
    uint32_t debt = racer->debt;

    if (racer->skip > 0) {
        racer->skip--;
        *ret_why = RACERS_SKIPPED;
        return false;
    }
    debt += racers_is_dark(config, position, racers_cell(racer->at)) ? 1 : 0;
    position->actions_left = (uint8_t)(debt < SK_RACERS_ACTIONS ? SK_RACERS_ACTIONS - debt : 0);
    racer->debt = (uint16_t)(debt < SK_RACERS_ACTIONS ? 0 : debt - SK_RACERS_ACTIONS);
    *ret_why = RACERS_PENALTY;
    return position->actions_left > 0;
}
