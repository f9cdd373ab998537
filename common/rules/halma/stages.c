/*
 * The stages of a halma turn, in order: enactment, movement, collisions,
 * healing, halmate.
 *
 * A turn is enacted if both seats have an accepted command; otherwise only the
 * first stage does anything.  The stages visit seats and pieces in the order of
 * params, so the order of arrival cannot matter.
 */
#include <string.h>

#include "common/core/turn.h"
#include "common/rules/halma/internal.h"

/* ---- what was accepted ------------------------------------------------------------------- */

/* A stage that runs alone has no checks before it: impossible paths are skipped here, so that no
 * stage meets one. */
static bool
can_be_walked(const struct halma_config *config, const struct halma_path *path)
{
    if (path->row.count == 0 || path->row.count > SK_HALMA_PATH_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < path->row.count; i++) {
        if (!halma_on_board(config, path->at[i])) {
            return false;
        }
    }
    return true;
}

/* Notes each seat's accepted command; after the checks there is at most one. */
void
halma_collect(struct sk_turn *turn)
{
    const struct halma_config *config = turn->config;
    struct halma_work *work = turn->work;

    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        const struct halma_command *command = turn->commands[seat].at;

        work->order[seat] = NULL;
        work->mover[seat] = HALMA_NO_UNIT;
        for (uint32_t i = 0; i < turn->commands[seat].count; i++, command++) {
            uint8_t unit = work->unit[seat][i];

            if (sk_turn_accepted(turn, seat, i) && unit != HALMA_NO_UNIT &&
                halma_units(config)[unit].seat == seat && can_be_walked(config, &command->path)) {
                work->order[seat] = command;
                work->mover[seat] = unit;
            }
        }
    }
}

static bool
is_enacted(const struct sk_turn *turn)
{
    const struct halma_work *work = turn->work;

    return work->order[0] != NULL && work->order[1] != NULL;
}

/* The start square of the seat's piece. */
static struct sk_cell
start_of(const struct sk_turn *turn, uint8_t seat)
{
    const struct halma_work *work = turn->work;

    return halma_cell_of(halma_position_of(turn->before), work->mover[seat]);
}

/* Its final square. */
static struct sk_cell
end_of(const struct sk_turn *turn, uint8_t seat)
{
    const struct halma_work *work = turn->work;
    const struct halma_path *path = &work->order[seat]->path;

    return path->at[path->row.count - 1];
}

static struct halma_event *
add_event(struct sk_turn *turn, uint8_t kind)
{
    return sk_events_add(&turn->events, kind, sizeof(struct halma_event));
}

/* The seats whose bit is set, for an event. */
static struct sk_list
list_seats(struct sk_turn *turn, uint32_t bits)
{
    int32_t *seats = sk_events_take(&turn->events, SK_HALMA_SEATS, sizeof(*seats));
    uint32_t count = 0;

    for (int32_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        if ((bits >> seat & 1) != 0) {
            seats[count++] = seat;
        }
    }
    return (struct sk_list){ seats, count };
}

/* ---- enactment: both or neither ---------------------------------------------------------- */

/* The verdict of the seat's refused command; several commands all have the same. */
static struct sk_text
reason_of(const struct sk_turn *turn, uint8_t seat)
{
    for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
        sk_verdict verdict = turn->judgements[seat][i].verdict;

        if (verdict != SK_VERDICT_OK) {
            return sk_text_of(sk_verdict_name(turn->ruleset, verdict));
        }
    }
    return SK_TEXT(HALMA_MISSING);
}

static void
tell_not_enacted(struct sk_turn *turn, uint32_t guilty)
{
    struct halma_event *event = add_event(turn, HALMA_EVENT_NOT_ENACTED);
    struct sk_text *reasons = sk_events_take(&turn->events, SK_HALMA_SEATS, sizeof(*reasons));

    event->seats = list_seats(turn, guilty);
    event->reasons = (struct sk_list){ reasons, event->seats.count };
    for (uint32_t i = 0; i < event->seats.count; i++) {
        reasons[i] = reason_of(turn, (uint8_t)((const int32_t *)event->seats.at)[i]);
    }
}

/* A fault counts only if the seat is guilty alone; each enacted turn removes one. */
static void
stage_enactment(struct sk_turn *turn)
{
    const struct halma_work *work = turn->work;
    uint32_t *faults = halma_position(turn->after)->faults;
    uint32_t guilty = 0;

    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        guilty |= (uint32_t)(work->order[seat] == NULL) << seat;
    }
    if (guilty != 0) {
        tell_not_enacted(turn, guilty);
    }
    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        faults[seat] = (uint32_t)halma_faults_after((int32_t)faults[seat], seat, guilty);
    }
}

/* ---- movement ---------------------------------------------------------------------------- */

static void
move(struct sk_turn *turn, uint8_t seat)
{
    const struct halma_work *work = turn->work;
    const struct halma_path *path = &work->order[seat]->path;
    struct halma_piece *piece = &halma_position(turn->after)->piece[work->mover[seat]];
    struct halma_event *event = add_event(turn, HALMA_EVENT_MOVED);
    struct sk_cell *cells = sk_events_take(&turn->events, path->row.count + 1, sizeof(*cells));

    cells[0] = start_of(turn, seat);
    memcpy(&cells[1], path->at, path->row.count * sizeof(*cells));
    event->unit = halma_id_text(turn->config, work->mover[seat]);
    event->path = (struct sk_list){ cells, path->row.count + 1 };
    piece->x = (uint8_t)end_of(turn, seat).x;
    piece->y = (uint8_t)end_of(turn, seat).y;
}

static void
stage_movement(struct sk_turn *turn)
{
    for (uint8_t seat = 0; is_enacted(turn) && seat < SK_HALMA_SEATS; seat++) {
        move(turn, seat);
    }
}

/* ---- collisions -------------------------------------------------------------------------- */

static bool
is_collision(const struct sk_turn *turn)
{
    return is_enacted(turn) &&
           halma_collide(
               (const struct sk_cell[SK_HALMA_SEATS]){ start_of(turn, 0), start_of(turn, 1) },
               (const struct sk_cell[SK_HALMA_SEATS]){ end_of(turn, 0), end_of(turn, 1) });
}

static void
stage_collisions(struct sk_turn *turn)
{
    const struct halma_work *work = turn->work;
    struct halma_position *position = halma_position(turn->after);
    struct halma_event *event;
    struct sk_text *both;

    if (!is_collision(turn)) {
        return;
    }
    event = add_event(turn, HALMA_EVENT_COLLIDED);
    both = sk_events_take(&turn->events, SK_HALMA_SEATS, sizeof(*both));
    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        position->piece[work->mover[seat]].damage = SK_HALMA_DAMAGE;
        both[seat] = halma_id_text(turn->config, work->mover[seat]);
    }
    event->units = (struct sk_list){ both, SK_HALMA_SEATS };
    event->at = end_of(turn, 0);
}

/* ---- healing ----------------------------------------------------------------------------- */

/* A piece hit in this turn ends it with the full damage. */
static void
stage_healing(struct sk_turn *turn)
{
    const struct halma_config *config = turn->config;
    const struct halma_work *work = turn->work;
    struct halma_piece *piece = halma_position(turn->after)->piece;
    bool has_hit = is_collision(turn);

    for (uint32_t i = 0; is_enacted(turn) && i < config->unit_count; i++) {
        bool is_hit = has_hit && (i == work->mover[0] || i == work->mover[1]);

        if (piece[i].damage == 0 || is_hit) {
            continue;
        }
        piece[i].damage = (uint8_t)halma_heal(piece[i].damage);
        if (piece[i].damage == 0) {
            add_event(turn, HALMA_EVENT_HEALED)->unit = halma_id_text(config, i);
        }
    }
}

/* ---- halmate ----------------------------------------------------------------------------- */

/* Only adds the event: the outcome is computed from the position, as for any state. */
static void
stage_halmate(struct sk_turn *turn)
{
    const struct halma_position *position = halma_position_of(turn->after);
    uint32_t mated = 0;

    for (uint8_t seat = 0; is_enacted(turn) && seat < SK_HALMA_SEATS; seat++) {
        mated |= (uint32_t)halma_is_halmate(turn->config, position, seat) << seat;
    }
    if (mated != 0) {
        add_event(turn, HALMA_EVENT_HALMATE)->seats = list_seats(turn, mated);
    }
}

/* ---- the table --------------------------------------------------------------------------- */

const struct sk_stage halma_stages[HALMA_STAGE_COUNT] = {
    { "enactment", stage_enactment },   { "movement", stage_movement },
    { "collisions", stage_collisions }, { "healing", stage_healing },
    { "halmate", stage_halmate },
};
