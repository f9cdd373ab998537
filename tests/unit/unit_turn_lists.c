/*
 * common/core/turn: lists of an alternating ruleset, on the smallest one there is.
 *
 * Two seats count to five, two numbers each; `stumble` is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "common/core/turn.h"
#include "common/core/validate.h"
#include "tests/support/cases.h"

enum {
    COUNT = SK_COMMAND_OWN,
    STUMBLE
};

enum {
    STUMBLED = SK_VERDICT_OWN
};

#define NUMBERS_A_TURN 2
#define LAST_NUMBER    5

struct counting_state {
    struct sk_state head;
    uint8_t active;
    uint8_t left;
    uint8_t number;
};

struct counted {
    struct sk_event event;
    uint8_t number;
};

static uint8_t
seat_count(const void *config)
{
    (void)config;
    return 2;
}

static void
sizes(const void *config, struct sk_sizes *ret_sizes)
{
    (void)config;
    *ret_sizes = (struct sk_sizes){
        .state = sizeof(struct counting_state),
        .view = sizeof(struct counting_state),
        .work = 8,
        .events = sizeof(struct counted), /* of one turn: a second would not fit */
        .snapshot = 8,
    };
}

static uint32_t
owing(const void *config, const struct sk_state *state)
{
    (void)config;
    return 1u << ((const struct counting_state *)(const void *)state)->active;
}

static void
outcome(const void *config, const struct sk_state *state, struct sk_outcome *ret_outcome)
{
    const struct counting_state *it = (const struct counting_state *)(const void *)state;

    (void)config;
    if (it->number >= LAST_NUMBER) {
        *ret_outcome = (struct sk_outcome){ .is_over = true, .winner = (int8_t)it->active };
    }
}

static void
view_make(const void *config, const struct sk_state *state, uint8_t seat, void *ret_view)
{
    (void)config;
    (void)seat;
    memcpy(ret_view, state, sizeof(struct counting_state));
}

static sk_verdict
judge_turn(const struct sk_check_in *in, uint32_t index)
{
    (void)index;
    return ((const struct counting_state *)in->view)->active == in->seat ? SK_VERDICT_OK
                                                                         : SK_NOT_YOUR_TURN;
}

static void
check_own_turn(const struct sk_check_in *in)
{
    sk_judge_each(in, judge_turn);
}

static sk_verdict
judge_foot(const struct sk_check_in *in, uint32_t index)
{
    (void)in;
    (void)index;
    return STUMBLED;
}

static void
check_foot(const struct sk_check_in *in)
{
    sk_judge_each(in, judge_foot);
}

static void
count(struct sk_turn *turn)
{
    struct counting_state *state = (struct counting_state *)(void *)turn->after;
    struct counted *counted = sk_events_add(&turn->events, 0, sizeof(*counted));

    counted->number = ++state->number;
    if (--state->left == 0) {
        state->active = 1 - state->active;
        state->left = NUMBERS_A_TURN;
    }
}

static const struct sk_check checks[] = {
    { "own_turn", ~0u, check_own_turn },
    { "foot", SK_KIND_BIT(STUMBLE), check_foot },
};

static const struct sk_stage stages[] = { { "count", count } };
static const struct sk_variants commands = { .title = "command",
                                             .size = sizeof(struct sk_command) };
static const struct sk_ruleset counting = {
    .name = "counting",
    .seats_min = 2,
    .seats_max = 2,
    .command = &commands,
    .checks = checks,
    .check_count = SK_COUNT_OF(checks),
    .stages = stages,
    .stage_count = SK_COUNT_OF(stages),
    .seat_count = seat_count,
    .sizes = sizes,
    .owing = owing,
    .outcome = outcome,
    .view_make = view_make,
};

/* One letter a command: c count, s stumble, t timeout, r resign. */
struct list_case {
    const char *label;
    uint8_t number;
    uint8_t left;
    const char *lists[2];
    const char *verdicts[2]; /* o ok, n not_your_turn, s stumbled, m match_over */
    const char *numbers;     /* of the events, turn by turn */
    uint32_t turn;
};

static const struct list_case cases[] = {
    { "nothing sent", 0, 2, { "", "" }, { "", "" }, "", 0 },
    { "one of one", 0, 2, { "c", "" }, { "o", "" }, "1", 1 },
    { "until the turn passes", 0, 2, { "ccc", "" }, { "oon", "" }, "12", 2 },
    { "from the middle of a turn", 1, 1, { "cc", "" }, { "on", "" }, "2", 1 },
    { "a refusal stops the list", 0, 2, { "csc", "" }, { "osn", "" }, "1", 1 },
    { "refused at once", 0, 2, { "sc", "" }, { "sn", "" }, "", 0 },
    { "the other seat is not asked", 0, 2, { "cc", "cc" }, { "oo", "nn" }, "12", 2 },
    { "only the other seat", 0, 2, { "", "c" }, { "", "n" }, "", 0 },
    { "the end stops the list", 4, 2, { "cc", "c" }, { "om", "n" }, "5", 1 },
    { "over already", 5, 2, { "c", "c" }, { "m", "m" }, "", 0 },
    { "a resignation comes first", 0, 2, { "c", "cr" }, { "m", "mo" }, "", 1 },
    { "a timeout is a command", 0, 2, { "tc", "" }, { "oo", "" }, "12", 2 },
};

static void
read_list(const char *letters, struct sk_command *ret_list)
{
    for (size_t i = 0; letters[i] != '\0'; i++) {
        ret_list[i].kind = letters[i] == 'c'   ? COUNT
                           : letters[i] == 's' ? STUMBLE
                           : letters[i] == 't' ? SK_COMMAND_TIMEOUT
                                               : SK_COMMAND_RESIGN;
    }
}

static char
letter_of(sk_verdict verdict)
{
    return verdict == SK_VERDICT_OK      ? 'o'
           : verdict == SK_NOT_YOUR_TURN ? 'n'
           : verdict == SK_MATCH_OVER    ? 'm'
                                         : 's';
}

static void
expect_verdicts(const struct list_case *c, const struct sk_turn *turn)
{
    for (uint8_t seat = 0; seat < 2; seat++) {
        cr_expect_eq(strlen(c->verdicts[seat]), turn->commands[seat].count);
        for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
            cr_expect_eq(letter_of(turn->judgements[seat][i].verdict), c->verdicts[seat][i],
                         "%s: seat %u, command %u", c->label, seat, i);
        }
    }
}

CASES(turn_lists, are_played_one_turn_at_a_time, cases)
{
    const struct list_case *c = &cases[*index];
    struct counting_state before = { .number = c->number, .left = c->left };
    struct sk_command lists[2][4] = { 0 };
    struct sk_turn turn;
    char numbers[8] = "";
    size_t turns = 0;

    sk_turn_init(&turn, &counting, NULL, malloc(sk_turn_memory_size(&counting, NULL)));
    before.head.outcome.winner = SK_NOBODY;
    sk_turn_settle(&counting, NULL, &before.head);
    turn.before = &before.head;
    for (uint8_t seat = 0; seat < 2; seat++) {
        read_list(c->lists[seat], lists[seat]);
        turn.commands[seat] = (struct sk_commands){ lists[seat], (uint32_t)strlen(c->lists[seat]) };
    }
    for (bool is_played = sk_turn_resolve(&turn); is_played;
         is_played = sk_turn_resolve_next(&turn)) {
        const struct sk_event *first = turn.events.first;

        if (first != NULL) {
            numbers[turns] = (char)('0' + ((const struct counted *)(const void *)first)->number);
        }
        turns++;
        cr_expect_eq(turn.after->turn, turns, "%s", c->label);
        memcpy(&before, turn.after, sizeof(before));
    }
    cr_expect_eq(turns, c->turn, "%s: %zu turns", c->label, turns);
    cr_expect_str_eq(numbers, c->numbers, "%s", c->label);
    cr_expect_eq(turn.after->turn, c->turn, "%s", c->label);
    expect_verdicts(c, &turn);
    cr_expect_not(sk_turn_resolve_next(&turn), "%s: played on after the end", c->label);
    free(turn.after);
}
