/*
 * The stages of racers: the effect of the one accepted command, then whether
 * the turn passes, then whether the next racer can act.
 *
 * Each stage for a kind of command ignores the other kinds.  A stage run alone,
 * without the checks, ignores what cannot be done at all.
 */
#include "common/core/turn.h"

#include "common/rules/racers/internal.h"

static const struct racers_config *
config_of(const struct sk_turn *turn)
{
    return turn->config;
}

/* The command being played, if it is of that kind, or NULL. */
static const struct racers_command *
command_of(const struct sk_turn *turn, uint8_t kind)
{
    const struct racers_work *work = turn->work;

    return work->command != NULL && work->command->head.kind == kind ? work->command : NULL;
}

static struct racers_racer *
acting(struct sk_turn *turn)
{
    struct racers_position *position = racers_position(turn->after);

    return &position->racer[position->active];
}

static struct racers_event *
tell(struct sk_turn *turn, uint8_t kind)
{
    return racers_event_add(turn, kind, racers_position(turn->after)->active);
}

void
racers_collect(struct sk_turn *turn)
{
    struct racers_work *work = turn->work;
    uint8_t seat = racers_position(turn->after)->active;
    struct sk_commands commands = turn->commands[seat];

    bool has_command =
        turn->acting_index < commands.count && racers_position(turn->after)->actions_left > 0;

    work->command = has_command
                        ? (const void *)sk_command_at(turn->ruleset, commands, turn->acting_index)
                        : NULL;
    work->is_ended = false;
    work->why = RACERS_ACTIONS_USED;
}

/* ---- actions ----------------------------------------------------------------------------- */

/* The first cause counts. */
static void
end_turn(struct sk_turn *turn, uint8_t why)
{
    struct racers_work *work = turn->work;

    if (!work->is_ended) {
        work->is_ended = true;
        work->why = why;
    }
}

/* Drops trail that has expired. */
static void
age_trail(struct racers_racer *racer)
{
    uint8_t kept = 0;

    for (uint8_t i = 0; i < racer->trail_count; i++) {
        if ((int64_t)racer->performed - racer->trail[i].action < SK_RACERS_TRAIL_MAX) {
            racer->trail[kept++] = racer->trail[i];
        }
    }
    racer->trail_count = kept;
}

static void
perform(struct sk_turn *turn, uint8_t actions)
{
    struct racers_position *position = racers_position(turn->after);

    acting(turn)->performed += actions;
    position->actions_left = (uint8_t)(position->actions_left - actions);
    age_trail(acting(turn));
}

/* ---- moving ------------------------------------------------------------------------------ */

static void
leave_trail(struct racers_racer *racer, bool hop)
{
    for (uint32_t i = SK_RACERS_TRAIL_MAX - 1; i > 0; i--) {
        racer->trail[i] = racer->trail[i - 1];
    }
    racer->trail[0] = (struct racers_trail){ racer->performed, racer->at, hop };
    racer->trail_count = racer->trail_count < SK_RACERS_TRAIL_MAX
                             ? (uint8_t)(racer->trail_count + 1)
                             : SK_RACERS_TRAIL_MAX;
}

/* A grenade on the racer's own square becomes active when the racer leaves it. */
static void
arm_grenade(struct sk_turn *turn, struct sk_cell cell)
{
    struct racers_position *position = racers_position(turn->after);
    uint32_t place = racers_grenade_on(config_of(turn), position, cell);
    struct racers_item *items = racers_item_space(config_of(turn), position);

    if (place != RACERS_NOWHERE && items[place].state == RACERS_PLACED) {
        items[place].state = RACERS_ACTIVE;
    }
}

/* Actions that cannot be taken from this turn become debt. */
static void
lose_actions(struct sk_turn *turn, int32_t count)
{
    struct racers_position *position = racers_position(turn->after);
    struct racers_racer *racer = acting(turn);
    struct racers_balance balance =
        racers_penalize((struct racers_balance){ position->actions_left, racer->debt }, count);

    if (balance.actions_left < position->actions_left) {
        end_turn(turn, RACERS_PENALTY);
    }
    position->actions_left = (uint8_t)balance.actions_left;
    racer->debt = (uint16_t)balance.debt;
}

/* Effects of entering a square: a grenade, or else the dark. */
static void
meet(struct sk_turn *turn, struct sk_cell cell)
{
    const struct racers_config *config = turn->config;
    struct racers_position *position = racers_position(turn->after);
    uint32_t place;
    struct racers_entering_answer met = racers_meets(config, position, cell, &place);

    if (met.meets == RACERS_MEETS_GRENADE) {
        struct racers_event *event = tell(turn, RACERS_EVENT_EXPLODED);

        racers_item_space(config, position)[place].state = RACERS_EXPLODED;
        event->at = cell;
        event->actions_lost = met.actions_lost;
        lose_actions(turn, met.actions_lost);
    } else if (met.meets == RACERS_MEETS_DARK) {
        tell(turn, RACERS_EVENT_POWERED_OUT)->at = cell;
        position->actions_left = 0;
        end_turn(turn, RACERS_POWER_FAILURE);
    }
}

static void
put_racer(struct sk_turn *turn, uint8_t event_kind, struct sk_cell to)
{
    struct racers_event *event = tell(turn, event_kind);

    event->from = racers_cell(acting(turn)->at);
    event->at = to;
    acting(turn)->at = racers_spot(to);
}

/* The finish comes before anything else on its square. */
static void
stage_move(struct sk_turn *turn)
{
    const struct racers_command *command = command_of(turn, RACERS_MOVE);
    struct racers_position *position = racers_position(turn->after);
    const struct racers_teleporter *teleporter;
    struct sk_cell to;

    if (command == NULL ||
        !racers_can_move(config_of(turn), position, position->active, command->dir)) {
        return;
    }
    to = racers_target(position, position->active, command->dir);
    teleporter = racers_teleporter_on(config_of(turn), position, to);
    arm_grenade(turn, racers_cell(acting(turn)->at));
    perform(turn, 1);
    leave_trail(acting(turn), teleporter != NULL);
    put_racer(turn, RACERS_EVENT_MOVED, to);
    position->moved = true;
    if (racers_has_finished(position, position->active)) {
        tell(turn, RACERS_EVENT_FINISHED);
        return;
    }
    meet(turn, to);
    if (teleporter != NULL) {
        put_racer(turn, RACERS_EVENT_TELEPORTED, racers_cell(teleporter->to));
        meet(turn, racers_cell(teleporter->to));
    }
}

/* ---- items ------------------------------------------------------------------------------- */

static void
stage_pick_up(struct sk_turn *turn)
{
    const struct racers_command *command = command_of(turn, RACERS_PICK_UP);
    struct racers_position *position = racers_position(turn->after);
    struct racers_racer *racer = acting(turn);
    struct racers_event *event;
    uint32_t place;

    if (command == NULL || racer->carried_count == SK_RACERS_CARRIED_MAX) {
        return;
    }
    place =
        racers_item_to_pick_up(config_of(turn), position, racers_cell(racer->at), command->item);
    if (place == RACERS_NOWHERE) {
        return;
    }
    racers_item_remove(config_of(turn), position, place);
    racer->carried[racer->carried_count++] = command->item;
    perform(turn, 1);
    event = tell(turn, RACERS_EVENT_PICKED_UP);
    event->item = command->item;
    event->at = racers_cell(racer->at);
}

/* Uses the item of its kind that was picked up first. */
static void
drop_carried(struct racers_racer *racer, uint8_t kind)
{
    uint8_t place = 0;

    while (racer->carried[place] != kind) {
        place++;
    }
    racer->carried_count--;
    for (uint8_t i = place; i < racer->carried_count; i++) {
        racer->carried[i] = racer->carried[i + 1];
    }
}

static void
place_grenade(struct sk_turn *turn)
{
    struct racers_racer *racer = acting(turn);

    racers_item_add(config_of(turn), racers_position(turn->after),
                    (struct racers_item){ racer->at, RACERS_GRENADE, RACERS_PLACED });
    tell(turn, RACERS_EVENT_PLACED)->at = racers_cell(racer->at);
}

/* A racer who is hit misses the next turn; if hit by their own disc, also the rest of this one. */
static void
hit(struct sk_turn *turn, uint8_t seat, struct sk_cell cell)
{
    struct racers_position *position = racers_position(turn->after);
    struct racers_racer *racer = &position->racer[seat];

    racers_event_add(turn, RACERS_EVENT_DISC_HIT, seat)->at = cell;
    racer->skip = (uint16_t)(racer->skip < SK_RACERS_SKIP_MAX ? racer->skip + 1 : racer->skip);
    if (seat == position->active && position->actions_left > 0) {
        position->actions_left = 0;
        end_turn(turn, RACERS_PENALTY);
    }
}

static void
launch(struct sk_turn *turn, uint8_t kind, uint8_t dir)
{
    const struct racers_config *config = turn->config;
    struct racers_position *position = racers_position(turn->after);
    struct racers_work *work = turn->work;
    struct racers_event *event = tell(turn, RACERS_EVENT_LAUNCHED);
    struct racers_flight flight = {
        .path = sk_events_take(&turn->events, SK_RACERS_PATH_MAX(racers_squares(config)),
                               sizeof(struct sk_cell)),
    };

    racers_fly(config, position, racers_cell(acting(turn)->at), dir, kind == RACERS_CHARGED_DISC,
               work->hops, &flight);
    sk_events_shrink(&turn->events, flight.path, flight.count, sizeof(*flight.path));
    event->item = kind;
    event->dir = dir;
    event->cells = (struct sk_list){ flight.path, flight.count };
    event->at = flight.path[flight.count - 1];
    racers_item_add(config, position, (struct racers_item){ racers_spot(event->at), kind, 0 });
    if (flight.hit != RACERS_NOBODY) {
        hit(turn, (uint8_t)flight.hit, event->at);
    }
}

static bool
can_use(struct sk_turn *turn, const struct racers_command *command)
{
    const struct racers_racer *racer = acting(turn);

    if (!racers_carries(racer, command->item)) {
        return false;
    }
    return command->item == RACERS_GRENADE
               ? racers_grenade_on(config_of(turn), racers_position(turn->after),
                                   racers_cell(racer->at)) == RACERS_NOWHERE
               : command->has_dir && !racers_is_diagonal(command->dir);
}

static void
stage_use(struct sk_turn *turn)
{
    const struct racers_command *command = command_of(turn, RACERS_USE);

    if (command == NULL || !can_use(turn, command)) {
        return;
    }
    drop_carried(acting(turn), command->item);
    perform(turn, 1);
    if (command->item == RACERS_GRENADE) {
        place_grenade(turn);
    } else {
        launch(turn, command->item, command->dir);
    }
}

/* ---- ending the turn --------------------------------------------------------------------- */

/* Unused actions count as performed: they age the trail. */
static void
stage_end_turn(struct sk_turn *turn)
{
    struct racers_position *position = racers_position(turn->after);
    bool is_late = command_of(turn, SK_COMMAND_TIMEOUT) != NULL;

    if (!is_late && command_of(turn, RACERS_END_TURN) == NULL) {
        return;
    }
    if (!is_late && !position->moved) {
        turn->after->outcome = (struct sk_outcome){
            .is_over = true,
            .reason = RACERS_UNMOVED,
            .winner = (int8_t)racers_other(position->active),
        };
        return;
    }
    perform(turn, position->actions_left);
    end_turn(turn, is_late ? RACERS_TIMEOUT : RACERS_ENDED);
}

/* ---- passing on -------------------------------------------------------------------------- */

static void
tell_failures(struct sk_turn *turn, uint32_t count)
{
    const struct racers_config *config = turn->config;
    const struct racers_position *position = racers_position(turn->after);
    const struct racers_failure *failure =
        racers_failures(config, position) + position->failure_count - count;
    struct racers_event *event;
    struct sk_cell *cells;

    if (count == 0) {
        return;
    }
    event = tell(turn, RACERS_EVENT_POWER_FAILED);
    cells = sk_events_take(&turn->events, count, sizeof(*cells));
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = racers_cell(failure[i].at);
    }
    event->cells = (struct sk_list){ cells, count };
}

/* If this command ends the match, the position stays as it is and no turn passes. */
static bool
is_over(const struct sk_turn *turn)
{
    const struct racers_position *position = racers_position(turn->after);

    return turn->after->outcome.is_over || racers_has_finished(position, position->active) ||
           turn->after->turn + 1 >= config_of(turn)->turn_limit;
}

/* Opens turns until somebody has an action to take. */
static void
stage_pass_turn(struct sk_turn *turn)
{
    struct racers_position *position = racers_position(turn->after);
    struct racers_work *work = turn->work;
    uint8_t why = work->why;
    struct sk_rng rng;
    bool has_actions = false;

    if ((!work->is_ended && position->actions_left > 0) || is_over(turn)) {
        return;
    }
    sk_turn_rng(turn, RACERS_CHANCE_FAILURES, &rng);
    while (!has_actions) {
        tell(turn, RACERS_EVENT_TURN_PASSED)->why = why;
        position->active = racers_other(position->active);
        position->moved = false;
        tell_failures(turn, racers_open_power(config_of(turn), position, &rng));
        has_actions = racers_take_actions(config_of(turn), position, &why);
    }
}

/* ---- being trapped ----------------------------------------------------------------------- */

/* Adds the event; the outcome itself is computed from the position. */
static void
stage_trap(struct sk_turn *turn)
{
    const struct racers_position *position = racers_position(turn->after);

    if (!turn->after->outcome.is_over && !racers_has_finished(position, position->active) &&
        racers_is_trapped(config_of(turn), position)) {
        tell(turn, RACERS_EVENT_TRAPPED);
    }
}

/* ---- the table --------------------------------------------------------------------------- */

const struct sk_stage racers_stages[RACERS_STAGE_COUNT] = {
    { "move", stage_move },         { "pick_up", stage_pick_up },     { "use", stage_use },
    { "end_turn", stage_end_turn }, { "pass_turn", stage_pass_turn }, { "trap", stage_trap },
};
