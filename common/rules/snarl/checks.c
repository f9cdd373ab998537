/*
 * The checks of snarl, in the order in which they run.  The rules are in
 * rules.c; here a command is turned into a unit and a destination.
 */
#include "common/core/validate.h"
#include "common/rules/snarl/internal.h"

#define MOVE    SK_KIND_BIT(SNARL_MOVE)
#define TIMEOUT SK_KIND_BIT(SK_COMMAND_TIMEOUT)
#define LEAVING (SK_KIND_BIT(SK_COMMAND_RESIGN) | SK_KIND_BIT(SK_COMMAND_ABANDON))

static const struct snarl_command *
command_at(const struct sk_check_in *in, uint32_t index)
{
    return (const struct snarl_command *)in->commands.at + index;
}

/* The unit that a command names, or the one to move. */
static uint8_t
unit_of(const struct sk_check_in *in, const struct snarl_command *command)
{
    const struct snarl_view *view = in->view;

    if (command->head.kind != SNARL_MOVE || command->unit.at[0] == '\0') {
        return view->active;
    }
    return snarl_unit_find(in->config, view->level, sk_id_text(&command->unit));
}

/* ---- own_turn ---------------------------------------------------------------------------- */

/* A hero who is out of the match cannot resign again; all others may at any time. */
static bool
may_leave(const struct sk_check_in *in)
{
    const struct snarl_config *config = in->config;
    const struct snarl_view *view = in->view;

    return config->mode != SNARL_COOP || view->hero[in->seat].hero.status != SNARL_RESIGNED;
}

static sk_verdict
judge_own_turn(const struct sk_check_in *in, uint32_t index)
{
    const struct snarl_command *command = command_at(in, index);
    bool is_leaving = (SK_KIND_BIT(command->head.kind) & LEAVING) != 0;
    bool may = is_leaving ? may_leave(in)
                          : snarl_is_own_turn(in->config, in->view, in->seat, unit_of(in, command));

    return may ? SK_VERDICT_OK : SK_NOT_YOUR_TURN;
}

SK_CHECK_EACH(check_own_turn, judge_own_turn)

/* ---- the others -------------------------------------------------------------------------- */

typedef sk_verdict asked(const struct snarl_config *config, const struct snarl_view *view,
                         uint8_t unit, struct sk_cell to);

/* A unit out of sight is out of reach for the seat. */
static sk_verdict
ask(const struct sk_check_in *in, uint32_t index, asked *question)
{
    const struct snarl_command *command = command_at(in, index);
    uint8_t unit = unit_of(in, command);
    struct sk_cell from;

    if (!snarl_seen_at(in->config, in->view, unit, &from)) {
        return SNARL_TOO_FAR;
    }
    return question(in->config, in->view, unit, command->has_to ? command->to : from);
}

#define CHECK(name)                                                              \
    static sk_verdict judge_##name(const struct sk_check_in *in, uint32_t index) \
    {                                                                            \
        return ask(in, index, snarl_judge_##name);                               \
    }                                                                            \
    static void check_##name(const struct sk_check_in *in)                       \
    {                                                                            \
        sk_judge_each(in, judge_##name);                                         \
    }

CHECK(distance)
CHECK(tile)
CHECK(door)
CHECK(interaction)
CHECK(must_move)

/* ---- the table --------------------------------------------------------------------------- */

/* Order matters: whose turn, how far, what is there, who is there, and whether it may stay. */
const struct sk_check snarl_checks[SNARL_CHECK_COUNT] = {
    { "own_turn", MOVE | TIMEOUT | LEAVING, check_own_turn },
    { "distance", MOVE, check_distance },
    { "tile", MOVE, check_tile },
    { "door", MOVE, check_door },
    { "interaction", MOVE, check_interaction },
    { "must_move", MOVE, check_must_move },
};
