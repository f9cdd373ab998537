/*
 * How a turn is resolved.
 *
 *   already finished?      every command gets match_over, nothing changes
 *   a seat leaves?         (resign, abandon, agree_draw) handled before all
 *                          else: one turn that is not played.  If the match
 *                          continues without it, the others' commands follow
 *   simultaneous ruleset   every seat's commands are checked against its own
 *                          view, then the stages run once on the scratch state
 *   alternating ruleset    the owing seat's next command, as its own turn; the
 *                          caller calls again for the next one, until one is
 *                          refused or the seat owes nothing more
 */
#include "common/core/turn.h"

#include <string.h>

#include "common/base/status.h"
#include "common/core/rules.h"
#include "common/core/snapshot.h"
#include "common/core/validate.h"

static size_t
aligned(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

static void
lay_out(const struct sk_ruleset *ruleset, const void *config, struct sk_sizes *ret_sizes,
        size_t *ret_total)
{
    size_t judgements = SK_SEATS_MAX * SK_COMMANDS_MAX * sizeof(struct sk_judgement);

    sk_rules_sizes(ruleset, config, ret_sizes);
    *ret_total = aligned(ret_sizes->state) + aligned(ret_sizes->view) + aligned(ret_sizes->work) +
                 aligned(ret_sizes->events) + aligned(ret_sizes->snapshot) + judgements;
}

size_t
sk_turn_memory_size(const struct sk_ruleset *ruleset, const void *config)
{
    struct sk_sizes sizes;
    size_t total;

    lay_out(ruleset, config, &sizes, &total);
    return total;
}

void
sk_turn_init(struct sk_turn *turn, const struct sk_ruleset *ruleset, const void *config,
             void *memory)
{
    uint8_t *at = memory;
    size_t total;

    *turn = (struct sk_turn){ .ruleset = ruleset, .config = config };
    turn->seat_count = sk_rules_seat_count(ruleset, config);
    lay_out(ruleset, config, &turn->sizes, &total);
    turn->after = (struct sk_state *)(void *)at;
    at += aligned(turn->sizes.state);
    turn->view = at;
    at += aligned(turn->sizes.view);
    turn->work = at;
    at += aligned(turn->sizes.work);
    turn->events_memory = at;
    at += aligned(turn->sizes.events);
    turn->snapshot = at;
    at += aligned(turn->sizes.snapshot);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        turn->judgements[seat] = (struct sk_judgement *)(void *)at;
        at += SK_COMMANDS_MAX * sizeof(struct sk_judgement);
    }
    sk_events_init(&turn->events, turn->events_memory, turn->sizes.events);
}

uint32_t
sk_turn_owing(const struct sk_ruleset *ruleset, const void *config, const struct sk_state *state)
{
    return state->outcome.is_over ? 0 : sk_rules_owing(ruleset, config, state);
}

void
sk_turn_settle(const struct sk_ruleset *ruleset, const void *config, struct sk_state *state)
{
    if (!state->outcome.is_over) {
        sk_rules_outcome(ruleset, config, state, &state->outcome);
    }
}

void
sk_turn_setup(struct sk_turn *turn)
{
    memset(turn->after, 0, turn->sizes.state);
    turn->after->outcome.winner = SK_NOBODY;
    turn->ruleset->setup(turn->config, turn->seed, turn->after);
    sk_turn_settle(turn->ruleset, turn->config, turn->after);
}

uint64_t
sk_turn_hash(struct sk_turn *turn)
{
    return sk_snapshot_hash(turn->ruleset, turn->config, turn->after, turn->snapshot,
                            turn->sizes.snapshot);
}

void
sk_turn_rng(const struct sk_turn *turn, uint32_t label, struct sk_rng *ret_rng)
{
    sk_rng_start(ret_rng, turn->seed, turn->after->turn, label);
}

void
sk_turn_refuse(struct sk_turn *turn, uint8_t seat, uint32_t index, sk_verdict verdict,
               void (*stage)(struct sk_turn *turn))
{
    for (uint8_t i = 0; i < turn->ruleset->stage_count; i++) {
        if (turn->ruleset->stages[i].run == stage) {
            turn->judgements[seat][index] =
                (struct sk_judgement){ verdict, (uint8_t)(SK_CHECK_IS_STAGE | i) };
            return;
        }
    }
    SK_ASSERT(false);
}

static uint8_t
kind_at(const struct sk_turn *turn, uint8_t seat, uint32_t index)
{
    return sk_command_at(turn->ruleset, turn->commands[seat], index)->kind;
}

static void
judge_all(struct sk_turn *turn, sk_verdict verdict)
{
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
            turn->judgements[seat][i] = (struct sk_judgement){ verdict, SK_CHECK_NONE };
        }
    }
}

/* What the checks of a seat's commands may read: what the seat sees in `state`. */
static struct sk_check_in
look(struct sk_turn *turn, uint8_t seat, const struct sk_state *state, struct sk_commands commands,
     struct sk_judgement *judgements)
{
    sk_rules_view_make(turn->ruleset, &turn->sizes, turn->config, state, seat, turn->view);
    return (struct sk_check_in){
        .ruleset = turn->ruleset,
        .config = turn->config,
        .view = turn->view,
        .commands = commands,
        .judgements = judgements,
        .work = turn->work,
        .seat = seat,
    };
}

static void
check_commands(struct sk_turn *turn, uint8_t seat, const struct sk_state *state,
               struct sk_commands commands, struct sk_judgement *judgements)
{
    struct sk_check_in in = look(turn, seat, state, commands, judgements);

    sk_validate(&in);
}

/* What the ruleset notes for its stages before it checks. */
static void
prepare(struct sk_turn *turn, uint8_t seat)
{
    struct sk_check_in in;

    if (turn->ruleset->prepare != NULL) {
        in = look(turn, seat, turn->before, turn->commands[seat], turn->judgements[seat]);
        turn->ruleset->prepare(&in);
    }
}

/* ---- leaving ---------------------------------------------------------------------------- */

/* The index of the seat's first command of that kind, or its command count. */
static uint32_t
first_of_kind(const struct sk_turn *turn, uint8_t seat, uint8_t kind)
{
    uint32_t i = 0;

    while (i < turn->commands[seat].count && kind_at(turn, seat, i) != kind) {
        i++;
    }
    return i;
}

/* The same for the command by which the seat leaves: its own comes before the host's. */
static uint32_t
first_leaving(const struct sk_turn *turn, uint8_t seat)
{
    uint32_t first = first_of_kind(turn, seat, SK_COMMAND_RESIGN);

    return first < turn->commands[seat].count ? first
                                              : first_of_kind(turn, seat, SK_COMMAND_ABANDON);
}

static void
end_match(struct sk_turn *turn, int8_t winner, uint8_t reason)
{
    turn->after->outcome =
        (struct sk_outcome){ .is_over = true, .winner = winner, .reason = reason };
    turn->after->turn++;
}

/* Every other command of such a turn is too late. */
static bool
settle_leaving(struct sk_turn *turn)
{
    uint8_t leaving = 0;
    uint8_t last_leaver = 0;
    uint8_t reason = SK_DRAW_RESIGNED;

    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        if (first_leaving(turn, seat) < turn->commands[seat].count) {
            leaving++;
            last_leaver = seat;
        }
    }
    if (leaving == 0) {
        return false;
    }
    judge_all(turn, SK_MATCH_OVER);
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        uint32_t first = first_leaving(turn, seat);

        if (first < turn->commands[seat].count) {
            turn->judgements[seat][first].verdict = SK_VERDICT_OK;
            reason =
                kind_at(turn, seat, first) == SK_COMMAND_RESIGN ? SK_RESIGNATION : SK_ABANDONED;
        }
    }
    if (leaving > 1) {
        end_match(turn, SK_NOBODY, SK_DRAW_RESIGNED);
    } else {
        end_match(turn, (int8_t)(1 - last_leaver), reason);
    }
    return true;
}

static bool
settle_agreed_draw(struct sk_turn *turn)
{
    bool is_agreed = false;

    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        is_agreed |= first_of_kind(turn, seat, SK_COMMAND_AGREE_DRAW) < turn->commands[seat].count;
    }
    if (!is_agreed) {
        return false;
    }
    judge_all(turn, SK_MATCH_OVER);
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        uint32_t first = first_of_kind(turn, seat, SK_COMMAND_AGREE_DRAW);

        if (first < turn->commands[seat].count) {
            turn->judgements[seat][first].verdict = SK_VERDICT_OK;
        }
    }
    end_match(turn, SK_NOBODY, SK_DRAW_AGREED);
    return true;
}

/* ---- simultaneous ------------------------------------------------------------------------ */

static void
run_stages(struct sk_turn *turn)
{
    if (turn->ruleset->collect != NULL) {
        turn->ruleset->collect(turn);
    }
    for (uint8_t i = 0; i < turn->ruleset->stage_count; i++) {
        turn->ruleset->stages[i].run(turn);
    }
    turn->after->turn++;
    sk_turn_settle(turn->ruleset, turn->config, turn->after);
}

/* Checks read only the seat's view of `before` and its commands, so running them again would give
 * the same verdicts.  What they prepared for the stages was in another resolution's memory. */
static void
prepare_judged(struct sk_turn *turn, uint8_t seat)
{
#ifdef SK_CHECK_STATES
    struct sk_judgement again[SK_COMMANDS_MAX];

    check_commands(turn, seat, turn->before, turn->commands[seat], again);
    for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
        SK_ASSERT(again[i].verdict == turn->judgements[seat][i].verdict &&
                  again[i].check == turn->judgements[seat][i].check);
    }
#endif
    prepare(turn, seat);
}

static void
resolve_simultaneous(struct sk_turn *turn)
{
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        if ((turn->judged >> seat & 1) != 0) {
            prepare_judged(turn, seat);
        } else {
            check_commands(turn, seat, turn->before, turn->commands[seat], turn->judgements[seat]);
        }
    }
    run_stages(turn);
}

/* ---- lists of alternating rulesets ------------------------------------------------------- */

/* The first check of an alternating ruleset is whose turn it is: see sk_ruleset_is_complete. */
static const struct sk_judgement not_your_turn = { SK_NOT_YOUR_TURN, 0 };

/* The verdicts of the rest of the list if the seat plays no more of it. */
static void
judge_rest(struct sk_turn *turn, uint8_t seat, uint32_t from)
{
    struct sk_judgement rest = turn->after->outcome.is_over
                                   ? (struct sk_judgement){ SK_MATCH_OVER, SK_CHECK_NONE }
                                   : not_your_turn;

    for (uint32_t i = from; i < turn->commands[seat].count; i++) {
        turn->judgements[seat][i] = rest;
    }
}

/* ---- leaving a match that goes on -------------------------------------------------------- */

static bool
outlives_leaving(const struct sk_turn *turn)
{
    return turn->ruleset->outlives_leaving != NULL && turn->ruleset->outlives_leaving(turn->config);
}

static void
forget_leavers(struct sk_turn *turn)
{
    turn->leaving_next = 0;
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        turn->left_by[seat] = SK_COMMANDS_MAX;
    }
}

/* Their commands to leave are ok, whatever happens to everything else. */
static void
judge_leavers(struct sk_turn *turn)
{
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        if (turn->left_by[seat] < SK_COMMANDS_MAX) {
            turn->judgements[seat][turn->left_by[seat]] =
                (struct sk_judgement){ SK_VERDICT_OK, SK_CHECK_NONE };
        }
    }
}

static void
take_out(struct sk_turn *turn, uint8_t seat, uint32_t by)
{
    turn->left_by[seat] = by;
    sk_events_init(&turn->events, turn->events_memory, turn->sizes.events);
    turn->ruleset->leave(turn, seat);
    turn->after->turn++;
    sk_turn_settle(turn->ruleset, turn->config, turn->after);
    for (uint8_t other = 0; other < turn->seat_count; other++) {
        judge_rest(turn, other, 0);
    }
    judge_leavers(turn);
}

/* Takes out the next seat that leaves, as its own turn.  False = no more seats leave. */
static bool
leave_next(struct sk_turn *turn)
{
    while (turn->leaving_next < turn->seat_count && !turn->after->outcome.is_over) {
        uint8_t seat = turn->leaving_next++;
        uint32_t first = first_leaving(turn, seat);
        struct sk_commands single;

        if (first == turn->commands[seat].count) {
            continue;
        }
        single =
            (struct sk_commands){ sk_command_at(turn->ruleset, turn->commands[seat], first), 1 };
        check_commands(turn, seat, turn->after, single, &turn->judgements[seat][first]);
        if (turn->judgements[seat][first].verdict == SK_VERDICT_OK) {
            take_out(turn, seat, first);
            return true;
        }
    }
    return false;
}

static bool
agree_draw_next(struct sk_turn *turn)
{
    if (turn->after->outcome.is_over || !settle_agreed_draw(turn)) {
        return false;
    }
    sk_events_init(&turn->events, turn->events_memory, turn->sizes.events);
    judge_leavers(turn);
    return true;
}

/* ---- alternating ------------------------------------------------------------------------- */

/* Commands after a refused one are not checked. */
static bool
play_next(struct sk_turn *turn)
{
    uint8_t seat = turn->acting_seat;
    uint32_t owing = sk_turn_owing(turn->ruleset, turn->config, turn->after);
    uint32_t index = turn->acting_next;
    struct sk_judgement *judgement = &turn->judgements[seat][index];
    struct sk_commands single;

    if (index >= turn->commands[seat].count || (owing >> seat & 1) == 0) {
        return false;
    }
    single = (struct sk_commands){ sk_command_at(turn->ruleset, turn->commands[seat], index), 1 };
    check_commands(turn, seat, turn->after, single, judgement);
    if (judgement->verdict != SK_VERDICT_OK) {
        turn->acting_next = turn->commands[seat].count;
        judge_rest(turn, seat, index + 1);
        return false;
    }
    turn->acting_index = index;
    turn->acting_next = index + 1;
    sk_events_init(&turn->events, turn->events_memory, turn->sizes.events);
    run_stages(turn);
    judge_rest(turn, seat, index + 1);
    return true;
}

/* Seats that leave, then an agreed draw, then the list of the seat that owed at first. */
static bool
step(struct sk_turn *turn)
{
    if (outlives_leaving(turn) && (leave_next(turn) || agree_draw_next(turn))) {
        return true;
    }
    return play_next(turn);
}

/* One seat owes at a time; the others' commands are not checked. */
static bool
resolve_alternating(struct sk_turn *turn)
{
    uint32_t owing = sk_turn_owing(turn->ruleset, turn->config, turn->before);

    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        judge_rest(turn, seat, 0);
        if ((owing >> seat & 1) != 0) {
            turn->acting_seat = seat;
        }
    }
    turn->acting_next = 0;
    return step(turn);
}

/* ---- entry points ------------------------------------------------------------------------ */

void
sk_turn_check(struct sk_turn *turn, uint8_t seat)
{
    SK_ASSERT(seat < turn->seat_count && turn->commands[seat].count <= SK_COMMANDS_MAX);
    if (turn->before->outcome.is_over) {
        judge_all(turn, SK_MATCH_OVER);
        return;
    }
    if (turn->ruleset->is_simultaneous || turn->commands[seat].count == 0) {
        check_commands(turn, seat, turn->before, turn->commands[seat], turn->judgements[seat]);
        return;
    }
    check_commands(turn, seat, turn->before, (struct sk_commands){ turn->commands[seat].at, 1 },
                   turn->judgements[seat]);
    for (uint32_t i = 1; i < turn->commands[seat].count; i++) {
        turn->judgements[seat][i] = not_your_turn;
    }
}

/* The kinds of all commands together, as bits. */
static uint32_t
kinds_given(const struct sk_turn *turn)
{
    uint32_t kinds = 0;

    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        const uint8_t *command = turn->commands[seat].at;

        for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
            kinds |= SK_KIND_BIT(((const struct sk_command *)command)->kind);
            command += turn->ruleset->command->size;
        }
    }
    return kinds;
}

/* A seat leaves or all agree to a draw: true if that ended the match. */
static bool
settle_by_word(struct sk_turn *turn)
{
    static const uint32_t ending = SK_KIND_BIT(SK_COMMAND_RESIGN) |
                                   SK_KIND_BIT(SK_COMMAND_ABANDON) |
                                   SK_KIND_BIT(SK_COMMAND_AGREE_DRAW);

    return (kinds_given(turn) & ending) != 0 && (settle_leaving(turn) || settle_agreed_draw(turn));
}

/*
 * In test builds every resolved state is written as a snapshot and read back,
 * which accepts only possible states.  Other builds have none of this.
 */
#ifdef SK_CHECK_STATES
#define CHECKED_STATE_MAX 262144u

static bool
checked(struct sk_turn *turn, bool is_played)
{
    _Alignas(8) uint8_t memory[CHECKED_STATE_MAX];
    struct sk_state *state = (struct sk_state *)(void *)memory;
    size_t size;

    if (is_played) {
        SK_ASSERT(turn->sizes.state <= sizeof(memory));
        memset(memory, 0, turn->sizes.state);
        size = sk_snapshot_write(turn->ruleset, turn->config, turn->after, turn->snapshot,
                                 turn->sizes.snapshot);
        SK_ASSERT(sk_snapshot_read(turn->ruleset, turn->config, turn->snapshot, size, state) ==
                  SK_OK);
    }
    return is_played;
}
#else
#define checked(turn, is_played) (is_played)
#endif

static bool
resolve(struct sk_turn *turn)
{
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        SK_ASSERT(turn->commands[seat].count <= SK_COMMANDS_MAX);
    }
    sk_events_init(&turn->events, turn->events_memory, turn->sizes.events);
    memcpy(turn->after, turn->before, turn->sizes.state);
    turn->acting_next = SK_NO_LIST;
    forget_leavers(turn);
    if (turn->before->outcome.is_over) {
        judge_all(turn, SK_MATCH_OVER);
        return false;
    }
    if (!outlives_leaving(turn) && settle_by_word(turn)) {
        return true;
    }
    if (!turn->ruleset->is_simultaneous) {
        return resolve_alternating(turn);
    }
    resolve_simultaneous(turn);
    return true;
}

bool
sk_turn_resolve(struct sk_turn *turn)
{
    return checked(turn, resolve(turn));
}

bool
sk_turn_resolve_next(struct sk_turn *turn)
{
    return turn->acting_next != SK_NO_LIST && checked(turn, step(turn));
}

uint32_t
sk_list_max(const struct sk_ruleset *ruleset, const void *config)
{
    uint32_t most = ruleset->turn_work == NULL ? SK_COMMANDS_MAX
                                               : SK_LIST_WORK_MAX / ruleset->turn_work(config);

    return most < 1 ? 1 : most < SK_COMMANDS_MAX ? most : SK_COMMANDS_MAX;
}

void
sk_turn_run_alone(struct sk_turn *turn, const struct sk_stage *stage)
{
    sk_events_init(&turn->events, turn->events_memory, turn->sizes.events);
    memcpy(turn->after, turn->before, turn->sizes.state);
    judge_all(turn, SK_VERDICT_OK);
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        prepare(turn, seat);
    }
    if (turn->ruleset->collect != NULL) {
        turn->ruleset->collect(turn);
    }
    stage->run(turn);
}
