/*
 * The stages of a tactics turn, in order: bounces, placement, movement,
 * attacks, deaths.
 *
 * Each visits the units in the order of params, never the commands in the order
 * of arrival.  So the order of arrival cannot matter, not even for events.
 */
#include <string.h>

#include "common/core/turn.h"
#include "common/rules/tactics/internal.h"

static const struct tactics_config *
config_of(const struct sk_turn *turn)
{
    return turn->config;
}

/* Sorts the accepted commands by unit.  A stage that runs alone has no checks before it, so
 * commands to units of the other seat, to dead ones and to cells off the board are skipped here. */
void
tactics_collect(struct sk_turn *turn)
{
    const struct tactics_config *config = turn->config;
    const struct tactics_position *position = tactics_position_of(turn->before);
    struct tactics_work *work = turn->work;

    memset(work->order, 0, config->unit_count * sizeof(work->order[0]));
    for (uint8_t seat = 0; seat < TACTICS_SEATS; seat++) {
        const struct tactics_command *command = turn->commands[seat].at;

        for (uint32_t i = 0; i < turn->commands[seat].count; i++, command++) {
            uint8_t unit = work->unit[seat][i];

            if (unit != TACTICS_NO_UNIT && turn->judgements[seat][i].verdict == SK_VERDICT_OK &&
                tactics_units(config)[unit].seat == seat && tactics_is_alive(position, unit) &&
                sk_cell_on_grid(command->target, config->cols, config->rows)) {
                work->order[unit] = command;
            }
        }
    }
}

/* The unit's accepted command of that kind, or NULL. */
static inline const struct tactics_command *
order_of(const struct sk_turn *turn, uint32_t unit, uint8_t kind)
{
    const struct tactics_work *work = turn->work;
    const struct tactics_command *order = work->order[unit];

    return order != NULL && order->head.kind == kind ? order : NULL;
}

static struct tactics_event *
add_event(struct sk_turn *turn, uint8_t kind, uint32_t unit)
{
    struct tactics_event *event = sk_events_add(&turn->events, kind, sizeof(struct tactics_event));

    event->unit = tactics_id_text(turn->config, unit);
    return event;
}

/* ---- bounce: moves of opposing seats to one cell ----------------------------------------- */

static void stage_bounce(struct sk_turn *turn);

/* The unit stays, and its command's verdict says why. */
static void
turn_back(struct sk_turn *turn, uint32_t unit)
{
    struct tactics_work *work = turn->work;
    uint8_t seat = tactics_units(turn->config)[unit].seat;
    const struct tactics_command *first = turn->commands[seat].at;

    sk_turn_refuse(turn, seat, (uint32_t)(work->order[unit] - first), TACTICS_BOUNCED,
                   stage_bounce);
    work->order[unit] = NULL;
}

/* All moves to the cell, seat 0's first.  After the checks there is always one pair; if this stage
 * runs alone, several units of one seat may want the same cell. */
static void
bounce(struct sk_turn *turn, uint32_t first, struct sk_cell at)
{
    const struct tactics_config *config = turn->config;
    struct tactics_event *event = add_event(turn, TACTICS_EVENT_BOUNCED, first);
    struct sk_text *names = sk_events_take(&turn->events, config->unit_count, sizeof(*names));
    uint32_t count = 0;

    for (uint8_t seat = 0; seat < TACTICS_SEATS; seat++) {
        for (uint32_t unit = 0; unit < config->unit_count; unit++) {
            const struct tactics_command *move = order_of(turn, unit, TACTICS_MOVE);

            if (move != NULL && tactics_units(config)[unit].seat == seat &&
                sk_cell_same(move->target, at)) {
                names[count++] = tactics_id_text(config, unit);
                turn_back(turn, unit);
            }
        }
    }
    sk_events_shrink(&turn->events, names, count, sizeof(*names));
    event->others = (struct sk_list){ names, count };
    event->at = at;
}

static void
stage_bounce(struct sk_turn *turn)
{
    static const uint8_t both_seats = 3;
    const struct tactics_config *config = turn->config;
    const struct tactics_unit_config *units = tactics_units(config);
    struct tactics_work *work = turn->work; /* its cells: the seats that move there, as bits */
    bool has_several = false;

    memset(work->cells, 0, (size_t)config->rows * config->cols);
    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        const struct tactics_command *move = order_of(turn, unit, TACTICS_MOVE);

        if (move != NULL) {
            uint8_t *seats = &work->cells[sk_cell_index(move->target, config->cols)];

            *seats |= (uint8_t)(1u << units[unit].seat);
            has_several |= *seats == both_seats;
        }
    }
    for (uint32_t unit = 0; has_several && unit < config->unit_count; unit++) {
        const struct tactics_command *move = order_of(turn, unit, TACTICS_MOVE);

        if (move != NULL && units[unit].seat == 0 &&
            work->cells[sk_cell_index(move->target, config->cols)] == both_seats) {
            bounce(turn, unit, move->target);
        }
    }
}

/* ---- placement and movement -------------------------------------------------------------- */

static void
stage_placement(struct sk_turn *turn)
{
    struct tactics_position *position = tactics_position(turn->after);

    if (position->phase != TACTICS_PLACEMENT) {
        return;
    }
    for (uint32_t unit = 0; unit < config_of(turn)->unit_count; unit++) {
        const struct tactics_command *command = order_of(turn, unit, TACTICS_PLACE);

        if (command != NULL) {
            add_event(turn, TACTICS_EVENT_PLACED, unit)->at = command->target;
            position->unit[unit].x = (uint8_t)command->target.x;
            position->unit[unit].y = (uint8_t)command->target.y;
        }
    }
    position->phase = TACTICS_PLAY;
}

static void
stage_movement(struct sk_turn *turn)
{
    struct tactics_position *position = tactics_position(turn->after);

    for (uint32_t unit = 0; unit < config_of(turn)->unit_count; unit++) {
        const struct tactics_command *command = order_of(turn, unit, TACTICS_MOVE);

        if (command != NULL) {
            struct tactics_event *event = add_event(turn, TACTICS_EVENT_MOVED, unit);

            event->from = tactics_cell_of(position, unit);
            event->at = command->target;
            position->unit[unit].x = (uint8_t)command->target.x;
            position->unit[unit].y = (uint8_t)command->target.y;
        }
    }
}

/* ---- attacks ----------------------------------------------------------------------------- */

/* Adds one attack's damage to every unit in its area: enemies, friends, the attacker itself. */
static void
strike(struct sk_turn *turn, uint32_t attacker, const struct sk_list *cells)
{
    const struct tactics_config *config = turn->config;
    struct tactics_work *work = turn->work;
    int32_t power = tactics_model_of(config, attacker)->power;

    for (uint32_t i = 0; i < cells->count; i++) {
        const struct sk_cell *cell = (const struct sk_cell *)cells->at + i;
        uint8_t mark = work->cells[sk_cell_index(*cell, config->cols)];

        if (mark != 0) {
            work->damage[mark - 1] += power;
            work->hit_by[mark - 1][attacker / 64] |= (uint64_t)1 << (attacker % 64);
        }
    }
}

static void
attack(struct sk_turn *turn, uint32_t attacker, struct sk_cell target)
{
    const struct tactics_config *config = turn->config;
    struct tactics_event *event = add_event(turn, TACTICS_EVENT_ATTACKED, attacker);
    struct sk_cell *cells = sk_events_take(&turn->events, config->area_max, sizeof(*cells));
    uint32_t count =
        tactics_area(config, attacker, tactics_cell_of(tactics_position_of(turn->before), attacker),
                     target, cells);

    sk_events_shrink(&turn->events, cells, count, sizeof(*cells));
    event->at = target;
    event->cells = (struct sk_list){ cells, count };
    strike(turn, attacker, &event->cells);
}

static struct sk_list
attackers_of(struct sk_turn *turn, uint32_t victim)
{
    const struct tactics_config *config = turn->config;
    const struct tactics_work *work = turn->work;
    struct sk_text *names = sk_events_take(&turn->events, config->unit_count, sizeof(*names));
    uint32_t count = 0;

    for (uint32_t word = 0; word < SK_COUNT_OF(work->hit_by[victim]); word++) {
        for (uint64_t bits = work->hit_by[victim][word]; bits != 0; bits &= bits - 1) {
            uint32_t unit = word * 64 + (uint32_t)__builtin_ctzll(bits);

            names[count++] = tactics_id_text(config, unit);
        }
    }
    sk_events_shrink(&turn->events, names, count, sizeof(*names));
    return (struct sk_list){ names, count };
}

/* All damage is applied at once, so units that die in this turn still deal theirs. */
static void
apply_damage(struct sk_turn *turn)
{
    const struct tactics_work *work = turn->work;
    struct tactics_position *position = tactics_position(turn->after);

    for (uint32_t unit = 0; unit < config_of(turn)->unit_count; unit++) {
        if ((work->hit_by[unit][0] | work->hit_by[unit][1]) != 0) {
            struct tactics_event *event = add_event(turn, TACTICS_EVENT_HIT, unit);

            position->unit[unit].health -= work->damage[unit];
            event->others = attackers_of(turn, unit);
            event->damage = work->damage[unit];
            event->health = position->unit[unit].health;
        }
    }
}

static void
stage_attacks(struct sk_turn *turn)
{
    const struct tactics_config *config = turn->config;
    struct tactics_work *work = turn->work;

    tactics_board_fill(config, tactics_position(turn->after), work->cells);
    memset(work->damage, 0, config->unit_count * sizeof(work->damage[0]));
    memset(work->hit_by, 0, config->unit_count * sizeof(work->hit_by[0]));
    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        const struct tactics_command *command = order_of(turn, unit, TACTICS_ATTACK);

        if (command != NULL) {
            attack(turn, unit, command->target);
        }
    }
    apply_damage(turn);
}

/* ---- deaths ------------------------------------------------------------------------------ */

static void
stage_deaths(struct sk_turn *turn)
{
    const struct tactics_position *before = tactics_position_of(turn->before);
    struct tactics_position *position = tactics_position(turn->after);

    for (uint32_t unit = 0; unit < config_of(turn)->unit_count; unit++) {
        if (tactics_is_alive(before, unit) && !tactics_is_alive(position, unit)) {
            add_event(turn, TACTICS_EVENT_DIED, unit);
            position->unit[unit] = (struct tactics_unit){ 0, 0, 0 };
        }
    }
}

/* ---- the table --------------------------------------------------------------------------- */

/* `bounce` is also the name of the check in a bounced move's verdict. */
const struct sk_stage tactics_stages[TACTICS_STAGE_COUNT] = {
    { "bounce", stage_bounce },   { "placement", stage_placement }, { "movement", stage_movement },
    { "attacks", stage_attacks }, { "deaths", stage_deaths },
};
