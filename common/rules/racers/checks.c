/*
 * The checks of racers, in the order in which they run.
 *
 * Commands are played one at a time, so each check examines one command and
 * what the seat sees.  What the seat does not see (an active grenade ahead)
 * takes effect in the resolution and refuses nothing.
 */
#include "common/core/validate.h"
#include "common/rules/racers/internal.h"

#define MOVE     SK_KIND_BIT(RACERS_MOVE)
#define PICK_UP  SK_KIND_BIT(RACERS_PICK_UP)
#define USE      SK_KIND_BIT(RACERS_USE)
#define END_TURN SK_KIND_BIT(RACERS_END_TURN)
#define TIMEOUT  SK_KIND_BIT(SK_COMMAND_TIMEOUT)

static const struct racers_command *
command_at(const struct sk_check_in *in, uint32_t index)
{
    return (const struct racers_command *)in->commands.at + index;
}

static const struct racers_racer *
racer_of(const struct sk_check_in *in)
{
    const struct racers_position *view = in->view;

    return &view->racer[in->seat];
}

static struct sk_cell
target_of(const struct sk_check_in *in, uint32_t index)
{
    return racers_target(in->view, in->seat, command_at(in, index)->dir);
}

/* ---- whose turn it is -------------------------------------------------------------------- */

static sk_verdict
judge_own_turn(const struct sk_check_in *in, uint32_t index)
{
    const struct racers_position *view = in->view;

    (void)index;
    return view->active == in->seat ? SK_VERDICT_OK : SK_NOT_YOUR_TURN;
}

SK_CHECK_EACH(check_own_turn, judge_own_turn)

/* ---- moves ------------------------------------------------------------------------------- */

static sk_verdict
judge_in_bounds(const struct sk_check_in *in, uint32_t index)
{
    return racers_on_grid(in->config, target_of(in, index)) ? SK_VERDICT_OK : SK_OUT_OF_BOUNDS;
}

SK_CHECK_EACH(check_in_bounds, judge_in_bounds)

static sk_verdict
judge_wall(const struct sk_check_in *in, uint32_t index)
{
    return racers_is_wall(in->config, in->view, target_of(in, index)) ? RACERS_WALL : SK_VERDICT_OK;
}

SK_CHECK_EACH(check_wall, judge_wall)

static sk_verdict
judge_player(const struct sk_check_in *in, uint32_t index)
{
    return racers_racer_on(in->view, target_of(in, index)) == RACERS_NOBODY ? SK_VERDICT_OK
                                                                            : SK_OCCUPIED;
}

SK_CHECK_EACH(check_player, judge_player)

static sk_verdict
judge_trail(const struct sk_check_in *in, uint32_t index)
{
    return racers_has_trail(in->view, in->seat, target_of(in, index)) ? RACERS_TRAIL
                                                                      : SK_VERDICT_OK;
}

SK_CHECK_EACH(check_trail, judge_trail)

static sk_verdict
judge_diagonal(const struct sk_check_in *in, uint32_t index)
{
    return racers_crosses_trail(in->view, in->seat, command_at(in, index)->dir)
               ? RACERS_CROSSES_TRAIL
               : SK_VERDICT_OK;
}

SK_CHECK_EACH(check_diagonal, judge_diagonal)

static sk_verdict
judge_teleport(const struct sk_check_in *in, uint32_t index)
{
    return racers_is_blocked(in->config, in->view, in->seat, target_of(in, index)) ? RACERS_BLOCKED
                                                                                   : SK_VERDICT_OK;
}

SK_CHECK_EACH(check_teleport, judge_teleport)

/* ---- all else ---------------------------------------------------------------------------- */

/* A turn without a move can be ended only by a command that confirms the loss. */
static sk_verdict
judge_must_move(const struct sk_check_in *in, uint32_t index)
{
    const struct racers_position *view = in->view;
    const struct racers_command *command = command_at(in, index);
    bool is_refused = command->head.kind == RACERS_END_TURN ? !view->moved && !command->confirm
                                                            : racers_must_move(view);

    return is_refused ? RACERS_MUST_MOVE : SK_VERDICT_OK;
}

SK_CHECK_EACH(check_must_move, judge_must_move)

static sk_verdict
judge_present(const struct sk_check_in *in, uint32_t index)
{
    uint32_t place = racers_item_to_pick_up(in->config, in->view, racers_cell(racer_of(in)->at),
                                            command_at(in, index)->item);

    return place == RACERS_NOWHERE ? RACERS_NOTHING_HERE : SK_VERDICT_OK;
}

SK_CHECK_EACH(check_present, judge_present)

static sk_verdict
judge_room(const struct sk_check_in *in, uint32_t index)
{
    (void)index;
    return racer_of(in)->carried_count < SK_RACERS_CARRIED_MAX ? SK_VERDICT_OK
                                                               : RACERS_INVENTORY_FULL;
}

SK_CHECK_EACH(check_room, judge_room)

static sk_verdict
judge_carried(const struct sk_check_in *in, uint32_t index)
{
    return racers_carries(racer_of(in), command_at(in, index)->item) ? SK_VERDICT_OK
                                                                     : RACERS_NOT_CARRIED;
}

SK_CHECK_EACH(check_carried, judge_carried)

static sk_verdict
judge_free_square(const struct sk_check_in *in, uint32_t index)
{
    const struct racers_position *view = in->view;

    if (command_at(in, index)->item != RACERS_GRENADE) {
        return SK_VERDICT_OK;
    }
    return (view->underfoot >> in->seat & 1) != 0 ||
                   racers_grenade_on(in->config, view, racers_cell(racer_of(in)->at)) !=
                       RACERS_NOWHERE
               ? RACERS_GRENADE_HERE
               : SK_VERDICT_OK;
}

SK_CHECK_EACH(check_free_square, judge_free_square)

static sk_verdict
judge_direction(const struct sk_check_in *in, uint32_t index)
{
    const struct racers_command *command = command_at(in, index);

    if (command->item == RACERS_GRENADE) {
        return SK_VERDICT_OK;
    }
    return command->has_dir && !racers_is_diagonal(command->dir) ? SK_VERDICT_OK
                                                                 : RACERS_BAD_DIRECTION;
}

SK_CHECK_EACH(check_direction, judge_direction)

/* ---- the table --------------------------------------------------------------------------- */

/* Whose turn it is comes first, as in every alternating ruleset: the core relies on it. */
const struct sk_check racers_checks[RACERS_CHECK_COUNT] = {
    { "own_turn", MOVE | PICK_UP | USE | END_TURN | TIMEOUT, check_own_turn },
    { "in_bounds", MOVE, check_in_bounds },
    { "wall", MOVE, check_wall },
    { "player", MOVE, check_player },
    { "trail", MOVE, check_trail },
    { "diagonal", MOVE, check_diagonal },
    { "teleport", MOVE, check_teleport },
    { "must_move", PICK_UP | USE | END_TURN, check_must_move },
    { "present", PICK_UP, check_present },
    { "room", PICK_UP, check_room },
    { "carried", USE, check_carried },
    { "free_square", USE, check_free_square },
    { "direction", USE, check_direction },
};
