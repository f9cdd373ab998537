#include "tests/support/counting.h"

#include <string.h>

#include "common/core/turn.h"
#include "common/core/validate.h"

enum {
    COUNTED_OUT = SK_REASON_OWN
};

struct position_form {
    struct sk_form_head head;
    int32_t active;
    int32_t left;
    int32_t number;
};

/* ---- forms ------------------------------------------------------------------------------- */

static const struct sk_member params_members[] = {
    SK_INT(struct counting_params, seats, "seats", .min = 1, .max = SK_SEATS_MAX,
           .flags = SK_OPTIONAL, .fallback = 2),
    SK_INT(struct counting_params, numbers, "numbers", .min = 1, .max = 9, .flags = SK_OPTIONAL,
           .fallback = 2),
    SK_INT(struct counting_params, last, "last", .min = 1, .max = 1000, .flags = SK_OPTIONAL,
           .fallback = 100),
};

static const struct sk_member position_members[] = {
    SK_INT(struct position_form, active, "active", .min = 0, .max = SK_SEATS_MAX - 1),
    SK_INT(struct position_form, left, "left", .min = 1, .max = 9),
    SK_INT(struct position_form, number, "number", .min = 0, .max = 1000),
};

static const struct sk_member counted_members[] = {
    SK_INT(struct counting_event, seat, "seat", .min = 0, .max = SK_SEATS_MAX - 1),
    SK_INT(struct counting_event, number, "number", .min = 0, .max = 1000),
};

static const struct sk_schema params_schema =
    SK_SCHEMA("counting params", NULL, params_members, struct counting_params);
static const struct sk_schema state_schema =
    SK_SCHEMA("counting state", &sk_state_head, position_members, struct position_form);
static const struct sk_schema view_schema =
    SK_SCHEMA("counting view", &sk_view_head, position_members, struct position_form);
static const struct sk_schema counted_schema =
    SK_SCHEMA("counting event", NULL, counted_members, struct counting_event);

static const struct sk_variant commands[] = {
    SK_SHARED_COMMANDS,
    { "count", &sk_bare_command, "Says the next number." },
    { "stumble", &sk_bare_command, "Is refused." },
    { "pass", &sk_bare_command, "Says no more." },
};

static const struct sk_variant events[] = {
    { "counted", &counted_schema, "A seat said a number." },
};

static const struct sk_variants command_variants =
    SK_COMMANDS("counting command", commands, struct sk_command);

static const struct sk_variants event_variants =
    SK_EVENTS("counting event", events, struct counting_event);

static const struct sk_word verdicts[] = { { "stumbled", NULL } };
static const struct sk_word reasons[] = { { "counted_out", NULL } };
static const struct counting_params default_params = { 2, 2, 100 };

/* ---- positions --------------------------------------------------------------------------- */

static struct counting_state *
position_of(struct sk_state *state)
{
    return (struct counting_state *)(void *)state;
}

static const struct counting_state *
position_in(const struct sk_state *state)
{
    return (const struct counting_state *)(const void *)state;
}

static uint8_t
seat_count(const void *config)
{
    return (uint8_t)((const struct counting_params *)config)->seats;
}

static void
sizes(const void *config, struct sk_sizes *ret_sizes)
{
    (void)config;
    *ret_sizes = (struct sk_sizes){
        .state = sizeof(struct counting_state),
        .view = sizeof(struct counting_state),
        .work = 8,
        .events = sizeof(struct counting_event), /* of one turn: a second one would not fit */
        .snapshot = 64,
    };
}

static void
setup(const void *config, const struct sk_seed *seed, struct sk_state *ret_state)
{
    (void)seed;
    position_of(ret_state)->left = (uint8_t)((const struct counting_params *)config)->numbers;
}

static uint32_t
owing(const void *config, const struct sk_state *state)
{
    (void)config;
    return 1u << position_in(state)->active;
}

static bool
clock_goes_on(const void *config, const struct sk_state *before, const struct sk_state *after)
{
    return position_in(before)->active == position_in(after)->active &&
           position_in(after)->left < ((const struct counting_params *)config)->numbers;
}

static void
outcome(const void *config, const struct sk_state *state, struct sk_outcome *ret_outcome)
{
    const struct counting_state *position = position_in(state);

    if (position->number >= (uint32_t)((const struct counting_params *)config)->last) {
        *ret_outcome = (struct sk_outcome){ .is_over = true,
                                            .winner = (int8_t)position->active,
                                            .reason = COUNTED_OUT };
    }
}

static enum sk_status
view_form(const void *config, const void *view, struct sk_arena *arena, void *ret_form)
{
    const struct counting_state *position = view;
    struct position_form *form = ret_form;

    (void)config;
    (void)arena;
    form->active = position->active;
    form->left = position->left;
    form->number = (int32_t)position->number;
    return SK_OK;
}

static enum sk_status
state_read(const void *config, const void *form, struct sk_state *ret_state,
           struct sk_fault *ret_fault)
{
    const struct position_form *from = form;

    (void)config;
    (void)ret_fault;
    position_of(ret_state)->active = (uint8_t)from->active;
    position_of(ret_state)->left = (uint8_t)from->left;
    position_of(ret_state)->number = (uint32_t)from->number;
    return SK_OK;
}

static void
snapshot_write(const void *config, const struct sk_state *state, struct sk_bytes_out *out)
{
    (void)config;
    sk_put_u8(out, position_in(state)->active);
    sk_put_u8(out, position_in(state)->left);
    sk_put_u32(out, position_in(state)->number);
}

static enum sk_status
snapshot_read(const void *config, struct sk_bytes_in *in, struct sk_state *ret_state)
{
    (void)config;
    position_of(ret_state)->active = sk_take_u8(in);
    position_of(ret_state)->left = sk_take_u8(in);
    position_of(ret_state)->number = sk_take_u32(in);
    return SK_OK;
}

/* ---- checks and the stage ---------------------------------------------------------------- */

static sk_verdict
judge_turn(const struct sk_check_in *in, uint32_t index)
{
    (void)index;
    return ((const struct counting_state *)in->view)->active == in->seat ? SK_VERDICT_OK
                                                                         : SK_NOT_YOUR_TURN;
}

SK_CHECK_EACH(check_own_turn, judge_turn)

static sk_verdict
judge_foot(const struct sk_check_in *in, uint32_t index)
{
    (void)in;
    (void)index;
    return COUNTING_STUMBLED;
}

SK_CHECK_EACH(check_foot, judge_foot)

static void
count(struct sk_turn *turn)
{
    struct counting_state *position = position_of(turn->after);
    const struct counting_params *params = turn->config;
    uint8_t seat = turn->acting_seat;
    uint8_t kind = sk_command_at(turn->ruleset, turn->commands[seat], turn->acting_index)->kind;

    if (kind == COUNTING_COUNT) {
        struct counting_event *counted = sk_events_add(&turn->events, 0, sizeof(*counted));

        counted->seat = seat;
        counted->number = (int32_t)++position->number;
    }
    if (position->number >= (uint32_t)params->last) {
        return;
    }
    if (kind != COUNTING_COUNT || --position->left == 0) {
        position->active = (uint8_t)((position->active + 1) % params->seats);
        position->left = (uint8_t)params->numbers;
    }
}

static void
hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink)
{
    struct sk_command command = { COUNTING_COUNT };

    (void)config;
    if (((const struct counting_state *)view)->active == seat && sink->take(sink, &command)) {
        command.kind = COUNTING_PASS;
        (void)sink->take(sink, &command);
    }
}

static bool
default_command(const void *config, const void *view, uint8_t seat, void *ret_command)
{
    (void)config;
    (void)view;
    (void)seat;
    *(struct sk_command *)ret_command = (struct sk_command){ COUNTING_PASS };
    return true;
}

static const struct sk_check checks[] = {
    { "own_turn", ~0u, check_own_turn },
    { "foot", SK_KIND_BIT(COUNTING_STUMBLE), check_foot },
};

static const struct sk_stage stages[] = { { "count", count } };

const struct sk_ruleset sk_ruleset_counting = {
    .name = "counting",
    .summary = "Seats count together.",
    .version = 1,
    .seats_min = 1,
    .seats_max = SK_SEATS_MAX,
    .params = &params_schema,
    .state = &state_schema,
    .view = &view_schema,
    .command = &command_variants,
    .event = &event_variants,
    SK_VERDICTS(verdicts),
    SK_REASONS(reasons),
    SK_CHECKS(checks),
    SK_STAGES(stages),
    .default_params = &default_params,
    .seat_count = seat_count,
    .sizes = sizes,
    .setup = setup,
    .owing = owing,
    .clock_goes_on = clock_goes_on,
    .outcome = outcome,
    .hints = hints,
    .default_command = default_command,
    .state_read = state_read,
    .view_form = view_form,
    .snapshot_write = snapshot_write,
    .snapshot_read = snapshot_read,
};
