/*
 * Single rules for other programs, answered by the functions that the checks,
 * the stages and the outcome use.  Turns do not use this file.
 */
#include "common/core/validate.h"
#include "common/rules/racers/internal.h"

/* ---- moves ------------------------------------------------------------------------------- */

static const char *const move_checks[] = {
    "in_bounds", "wall", "player", "trail", "diagonal", "teleport", NULL,
};

static sk_verdict
ask_check(const struct sk_check_in *in, const char *name)
{
    sk_validate_alone(in, sk_check_find(in->ruleset, name));
    return in->judgements[0].verdict;
}

sk_verdict
racers_ask_move(const void *config, const struct sk_state *state, uint8_t seat, uint8_t dir,
                struct racers_move_reasons *ret_reasons)
{
    const struct racers_command command = { .head = { RACERS_MOVE }, .dir = dir };
    struct sk_judgement judgement;
    const struct sk_check_in in = {
        .ruleset = &sk_ruleset_racers,
        .config = config,
        .view = racers_position_of(state),
        .commands = { &command, 1 },
        .judgements = &judgement,
        .seat = seat,
    };

    if (dir >= RACERS_DIRECTIONS) {
        *ret_reasons = (struct racers_move_reasons){ RACERS_BAD_DIRECTION, RACERS_BAD_DIRECTION,
                                                     RACERS_BAD_DIRECTION, RACERS_BAD_DIRECTION,
                                                     RACERS_BAD_DIRECTION, RACERS_BAD_DIRECTION };
        return RACERS_BAD_DIRECTION;
    }
    *ret_reasons = (struct racers_move_reasons){
        .in_bounds = ask_check(&in, "in_bounds"),
        .wall = ask_check(&in, "wall"),
        .player = ask_check(&in, "player"),
        .trail = ask_check(&in, "trail"),
        .diagonal = ask_check(&in, "diagonal"),
        .teleport = ask_check(&in, "teleport"),
    };
    (void)sk_validate_some(&in, move_checks);
    return judgement.verdict;
}

uint32_t
racers_ask_directions(const void *config, const struct sk_state *state, uint8_t seat,
                      sk_verdict ret_verdicts[RACERS_DIRECTIONS])
{
    uint32_t count = 0;

    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
        struct racers_move_reasons reasons;

        ret_verdicts[dir] = racers_ask_move(config, state, seat, dir, &reasons);
        count += ret_verdicts[dir] == SK_VERDICT_OK;
    }
    return count;
}

bool
racers_ask_trapped(const void *config, const struct sk_state *state, uint8_t seat)
{
    return !racers_has_way(config, racers_position_of(state), seat);
}

uint8_t
racers_ask_trail(const void *config, const struct sk_state *state, struct sk_cell cell)
{
    uint32_t blocked = 0;

    (void)config;
    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        blocked |= (uint32_t)racers_has_trail(racers_position_of(state), seat, cell) << seat;
    }
    return (uint8_t)blocked;
}

bool
racers_ask_crossing(const void *config, const struct sk_state *state, uint8_t seat, uint8_t dir)
{
    (void)config;
    return dir < RACERS_DIRECTIONS && racers_crosses_trail(racers_position_of(state), seat, dir);
}

struct racers_teleport_answer
racers_ask_teleport(const void *config, const struct sk_state *state, uint8_t seat,
                    struct sk_cell cell)
{
    const struct racers_position *position = racers_position_of(state);
    const struct racers_teleporter *teleporter = racers_teleporter_on(config, position, cell);

    if (teleporter == NULL) {
        return (struct racers_teleport_answer){ .is_there = false };
    }
    return (struct racers_teleport_answer){
        .is_there = true,
        .is_blocked = racers_is_blocked(config, position, seat, cell),
        .to = racers_cell(teleporter->to),
    };
}

/* ---- what a square does ------------------------------------------------------------------ */

bool
racers_ask_finished(const void *config, const struct sk_state *state, uint8_t seat)
{
    (void)config;
    return racers_has_finished(racers_position_of(state), seat);
}

struct racers_entering_answer
racers_ask_entering(const void *config, const struct sk_state *state, uint8_t seat,
                    struct sk_cell cell)
{
    const struct racers_position *position = racers_position_of(state);
    uint32_t grenade;

    if (racers_spot_is(position->start[racers_other(seat)], cell)) {
        return (struct racers_entering_answer){ .meets = RACERS_MEETS_FINISH };
    }
    return racers_meets(config, position, cell, &grenade);
}

/* ---- power ------------------------------------------------------------------------------- */

bool
racers_ask_dark(const void *config, const struct sk_state *state, struct sk_cell cell)
{
    return racers_on_grid(config, cell) && racers_is_dark(config, racers_position_of(state), cell);
}

uint32_t
racers_expire_failures(const void *config, struct sk_state *state)
{
    return racers_power_expire(config, racers_position(state));
}

uint32_t
racers_roll_failures(const void *config, struct sk_state *state, struct sk_rng *rng)
{
    struct racers_position *position = racers_position(state);
    uint32_t squares = racers_squares(config);

    return position->failure_count + squares <= RACERS_FAILURES_MAX(squares)
               ? racers_power_roll(config, position, rng)
               : 0;
}

/* ---- discs ------------------------------------------------------------------------------- */

bool
racers_ask_flight(const void *config, const struct sk_state *state, struct sk_cell from,
                  uint8_t dir, bool is_charged, struct racers_flight *flight)
{
    uint16_t hops[RACERS_SQUARES_MAX];

    if (!racers_on_grid(config, from) || dir >= RACERS_DIRECTIONS || racers_is_diagonal(dir)) {
        return false;
    }
    racers_fly(config, racers_position_of(state), from, dir, is_charged, hops, flight);
    return true;
}
