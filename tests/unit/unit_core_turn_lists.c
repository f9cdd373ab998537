/*
 * common/core/turn: lists of an alternating ruleset, using the smallest one.
 *
 * Two or three seats count to five, two numbers each; `stumble` is refused.  If
 * a match outlives leaving, the others continue until nobody is left.
 */
#include <stdlib.h>
#include <string.h>

#include "common/core/snapshot.h"
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
#define SEATS          3

struct counting_config {
    uint8_t seats;
    bool outlives_leaving;
};

struct counting_state {
    struct sk_state head;
    uint8_t active;
    uint8_t left;
    uint8_t number;
    uint8_t out; /* seats that have left, as bits */
};

struct counted {
    struct sk_event event;
    uint8_t number;
};

static uint8_t
seat_count(const void *config)
{
    return ((const struct counting_config *)config)->seats;
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
        .snapshot = SK_SNAPSHOT_HEAD_MAX + 4,
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

    if (it->out + 1 == 1 << seat_count(config)) {
        *ret_outcome = (struct sk_outcome){ true, SK_DRAW_TURN_LIMIT, SK_NOBODY };
    }
    if (it->number >= LAST_NUMBER) {
        *ret_outcome = (struct sk_outcome){ true, SK_DRAW_TURN_LIMIT, (int8_t)it->active };
    }
}

static void
view_make(const void *config, const struct sk_state *state, uint8_t seat, void *ret_view)
{
    (void)config;
    (void)seat;
    memcpy(ret_view, state, sizeof(struct counting_state));
}

static bool
is_leaving(uint8_t kind)
{
    return kind == SK_COMMAND_RESIGN || kind == SK_COMMAND_ABANDON;
}

static sk_verdict
judge_turn(const struct sk_check_in *in, uint32_t index)
{
    const struct counting_state *view = in->view;
    bool may = is_leaving(sk_command_at(in->ruleset, in->commands, index)->kind)
                   ? (view->out >> in->seat & 1) == 0
                   : view->active == in->seat;

    return may ? SK_VERDICT_OK : SK_NOT_YOUR_TURN;
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
pass_on(const struct sk_turn *turn, struct counting_state *state)
{
    for (uint8_t i = 0; i < turn->seat_count; i++) {
        state->active = (uint8_t)((state->active + 1) % turn->seat_count);
        if ((state->out >> state->active & 1) == 0) {
            break;
        }
    }
    state->left = NUMBERS_A_TURN;
}

static void
count(struct sk_turn *turn)
{
    struct counting_state *state = (struct counting_state *)(void *)turn->after;
    struct counted *counted = sk_events_add(&turn->events, 0, sizeof(*counted));

    counted->number = ++state->number;
    if (--state->left == 0) {
        pass_on(turn, state);
    }
}

static bool
outlives_leaving(const void *config)
{
    return ((const struct counting_config *)config)->outlives_leaving;
}

/* A seat that leaves appears as the number 9. */
static void
leave(struct sk_turn *turn, uint8_t seat)
{
    struct counting_state *state = (struct counting_state *)(void *)turn->after;
    struct counted *counted = sk_events_add(&turn->events, 0, sizeof(*counted));

    counted->number = 9;
    state->out |= (uint8_t)(1u << seat);
    if (state->active == seat) {
        pass_on(turn, state);
    }
}

static const struct sk_check checks[] = {
    { "own_turn", ~0u, check_own_turn },
    { "foot", SK_KIND_BIT(STUMBLE), check_foot },
};

static const struct sk_stage stages[] = { { "count", count } };
static const struct sk_variants commands = { .title = "command",
                                             .size = sizeof(struct sk_command) };
/* Builds that check states write one per turn and read it back. */
static void
snapshot_write(const void *config, const struct sk_state *state, struct sk_bytes_out *out)
{
    const struct counting_state *it = (const struct counting_state *)(const void *)state;

    (void)config;
    sk_put_u8(out, it->active);
    sk_put_u8(out, it->left);
    sk_put_u8(out, it->number);
    sk_put_u8(out, it->out);
}

static enum sk_status
snapshot_read(const void *config, struct sk_bytes_in *in, struct sk_state *ret_state)
{
    struct counting_state *it = (struct counting_state *)(void *)ret_state;

    (void)config;
    it->active = sk_take_u8(in);
    it->left = sk_take_u8(in);
    it->number = sk_take_u8(in);
    it->out = sk_take_u8(in);
    return SK_OK;
}

static const struct sk_ruleset counting = {
    .name = "counting",
    .seats_min = 2,
    .seats_max = SEATS,
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
    .outlives_leaving = outlives_leaving,
    .leave = leave,
    .snapshot_write = snapshot_write,
    .snapshot_read = snapshot_read,
};

/* One letter per command: c count, s stumble, t timeout, r resign, a abandon, d agree_draw. */
struct list_case {
    const char *label;
    uint8_t number;
    uint8_t left;
    const char *lists[SEATS];
    const char *verdicts[SEATS]; /* o ok, n not_your_turn, s stumbled, m match_over */
    const char *numbers;         /* of the events, turn by turn */
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
    { "a resignation comes first", 0, 2, { "c", "cr" }, { "m", "mo" }, "0", 1 },
    { "a timeout is a command", 0, 2, { "tc", "" }, { "oo", "" }, "12", 2 },
};

/* For matches that go on when a seat leaves.  Each leaving is a turn, before all others. */
static const struct list_case leaving_cases[] = {
    { "the seat that owes", 0, 2, { "r", "", "" }, { "o", "", "" }, "9", 1 },
    { "another seat", 0, 2, { "", "r", "" }, { "", "o", "" }, "9", 1 },
    { "by the host's word", 0, 2, { "", "", "a" }, { "", "", "o" }, "9", 1 },
    { "others' commands are played after it",
      0,
      2,
      { "cc", "r", "" },
      { "oo", "o", "" },
      "912",
      3 },
    { "who leaves plays nothing else", 0, 2, { "ccr", "", "" }, { "nno", "", "" }, "9", 1 },
    { "who owed not before is not asked", 0, 2, { "r", "c", "" }, { "o", "n", "" }, "9", 1 },
    { "leaving twice", 0, 2, { "", "rr", "" }, { "", "on", "" }, "9", 1 },
    { "the own word comes before the host's", 0, 2, { "", "ar", "" }, { "", "no", "" }, "9", 1 },
    { "several, one turn each", 0, 2, { "c", "r", "a" }, { "o", "o", "o" }, "991", 3 },
    { "all of them", 0, 2, { "rc", "r", "ra" }, { "om", "o", "om" }, "999", 3 },
    { "a refusal after it", 0, 2, { "sc", "r", "" }, { "sn", "o", "" }, "9", 1 },
    { "a draw is agreed on", 0, 2, { "cd", "", "d" }, { "mo", "", "o" }, "0", 1 },
    { "leaving comes before the draw", 0, 2, { "cd", "r", "" }, { "mo", "o", "" }, "90", 2 },
    { "over already", 5, 2, { "r", "", "" }, { "m", "", "" }, "", 0 },
};

static void
read_list(const char *letters, struct sk_command *ret_list)
{
    for (size_t i = 0; letters[i] != '\0'; i++) {
        ret_list[i].kind = letters[i] == 'c'   ? COUNT
                           : letters[i] == 's' ? STUMBLE
                           : letters[i] == 't' ? SK_COMMAND_TIMEOUT
                           : letters[i] == 'a' ? SK_COMMAND_ABANDON
                           : letters[i] == 'd' ? SK_COMMAND_AGREE_DRAW
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
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        cr_expect_eq(strlen(c->verdicts[seat]), turn->commands[seat].count);
        for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
            cr_expect_eq(letter_of(turn->judgements[seat][i].verdict), c->verdicts[seat][i],
                         "%s: seat %u, command %u", c->label, seat, i);
        }
    }
}

static char
number_of(const struct sk_turn *turn)
{
    const struct sk_event *first = turn->events.first;

    return (char)('0' +
                  (first == NULL ? 0 : ((const struct counted *)(const void *)first)->number));
}

static void
play(const struct list_case *c, const struct counting_config *config)
{
    struct counting_state before = { .number = c->number, .left = c->left };
    struct sk_command lists[SEATS][4] = { 0 };
    struct sk_turn turn;
    char numbers[8] = "";
    size_t turns = 0;

    sk_turn_init(&turn, &counting, config, malloc(sk_turn_memory_size(&counting, config)));
    before.head.outcome.winner = SK_NOBODY;
    sk_turn_settle(&counting, config, &before.head);
    turn.before = &before.head;
    for (uint8_t seat = 0; seat < config->seats; seat++) {
        read_list(c->lists[seat], lists[seat]);
        turn.commands[seat] = (struct sk_commands){ lists[seat], (uint32_t)strlen(c->lists[seat]) };
    }
    for (bool is_played = sk_turn_resolve(&turn); is_played;
         is_played = sk_turn_resolve_next(&turn)) {
        numbers[turns++] = number_of(&turn);
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

CASES(turn_lists, are_played_one_turn_at_a_time, cases)
{
    static const struct counting_config config = { 2, false };

    play(&cases[*index], &config);
}

CASES(turn_lists, those_who_leave_come_first_and_the_others_play_on, leaving_cases)
{
    static const struct counting_config config = { SEATS, true };

    play(&leaving_cases[*index], &config);
}

/* ---- how long a list may be --------------------------------------------------------------- */

static uint32_t
work_of(const void *config)
{
    return *(const uint32_t *)config;
}

static const struct {
    uint32_t work;
    uint32_t most;
} length_cases[] = {
    { 1, SK_COMMANDS_MAX },
    { SK_LIST_WORK_MAX / SK_COMMANDS_MAX, SK_COMMANDS_MAX },
    { SK_LIST_WORK_MAX / SK_COMMANDS_MAX + 1, SK_COMMANDS_MAX - 1 },
    { SK_LIST_WORK_MAX / 2, 2 },
    { SK_LIST_WORK_MAX / 2 + 1, 1 },
    { SK_LIST_WORK_MAX, 1 },
    { SK_LIST_WORK_MAX + 1, 1 }, /* one can always be played */
};

CASES(turn_lists, have_as_many_commands_as_their_work_allows, length_cases)
{
    struct sk_ruleset costly = counting;

    costly.turn_work = work_of;
    cr_expect_eq(sk_list_max(&costly, &length_cases[*index].work), length_cases[*index].most, "%u",
                 length_cases[*index].work);
    cr_expect_eq(sk_list_max(&counting, NULL), SK_COMMANDS_MAX, "a ruleset whose turns are short");
}
