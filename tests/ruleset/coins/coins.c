/* coins - two players, a step each at once: who gets more than half of the coins wins. */
#include "common/core/flat.h"
#define COINS 9

struct coins_state {
    struct sk_form_head head;
    struct sk_row players;
    struct sk_piece player[2];
    struct sk_row coins;
    struct sk_cell coin[COINS];
};

static const struct sk_member members[] = {
    SK_PIECES(struct coins_state, players, "players", 2, 2),
    SK_CELLS(struct coins_state, coins, "coins", 0, COINS),
};

static const struct sk_variant commands[] = {
    SK_SHARED_COMMANDS,
    { "move", &sk_command_to, "Goes one step, in any direction." },
};

#define MOVED 0
#define TOOK  1
static const struct sk_variant events[] = {
    [MOVED] = { "moved", &sk_event_moved, "A player moved." },
    [TOOK] = { "took_a_coin", &sk_event_at_cell, "A player took a coin." },
};
#define TOO_FAR    SK_VERDICT_OWN
#define MOST_COINS SK_REASON_OWN
static const struct sk_word verdicts[] = { { "too_far", "That is more than one step." } };
static const struct sk_word reasons[] = { { "most_coins", "More than half of the coins." } };

static void
setup(const void *config, const struct sk_seed *seed, struct sk_state *ret_state)
{
    int32_t size = ((const struct sk_board_params *)config)->size;
    struct coins_state *state = (void *)ret_state;
    struct sk_rng rng;

    sk_rng_start(&rng, seed, 0, 0);
    state->players.count = 2;
    state->player[0] = (struct sk_piece){ .seat = 0, .at = sk_cell(size / 2, size - 1) };
    state->player[1] = (struct sk_piece){ .seat = 1, .at = sk_cell(size / 2, 0) };
    for (state->coins.count = 0; state->coins.count < COINS; state->coins.count++) {
        state->coin[state->coins.count] = sk_rng_cell(&rng, size, size);
    }
}

static sk_verdict
judge_step(const struct sk_check_in *in, uint32_t index)
{
    const struct coins_state *state = in->view;
    const struct sk_to_command *move = sk_check_command(in, index);

    return sk_cell_distance(move->to, state->player[in->seat].at) > 1 ? TOO_FAR : SK_VERDICT_OK;
}

SK_CHECK_EACH(check_step, judge_step)
static const struct sk_check checks[] = {
    { "single_command", SK_OWN_KINDS, sk_check_single_command },
    { "on_board", SK_OWN_KINDS, sk_check_on_board },
    { "one_step", SK_OWN_KINDS, check_step },
};

static void
move(struct sk_turn *turn)
{
    struct sk_piece *player = ((struct coins_state *)(void *)turn->after)->player;
    struct sk_cell to[2] = { sk_turn_target(turn, 0, player[0].at),
                             sk_turn_target(turn, 1, player[1].at) };

    if (sk_cell_same(to[0], to[1])) {
        sk_turn_refuse_commands(turn, SK_OCCUPIED, move);
        return;
    }
    for (uint8_t seat = 0; seat < 2; seat++) {
        sk_turn_tell(turn, MOVED, seat, player[seat].at, to[seat]);
        player[seat].at = to[seat];
    }
}

static void
take(struct sk_turn *turn)
{
    struct coins_state *state = (void *)turn->after;

    for (uint32_t i = state->coins.count; i-- > 0;) {
        for (uint8_t seat = 0; seat < 2 && i < state->coins.count; seat++) {
            if (sk_cell_same(state->coin[i], state->player[seat].at)) {
                state->player[seat].points++;
                sk_turn_tell(turn, TOOK, seat, state->coin[i], state->coin[i]);
                state->coin[i] = state->coin[--state->coins.count];
            }
        }
    }
}

static const struct sk_stage stages[] = { { "move", move }, { "take", take } };

static void
outcome(const void *config, const struct sk_state *of, struct sk_outcome *ret_outcome)
{
    const struct sk_piece *player = ((const struct coins_state *)(const void *)of)->player;

    (void)config;
    if (player[0].points > COINS / 2 || player[1].points > COINS / 2) {
        sk_outcome_end(ret_outcome, player[0].points > COINS / 2 ? 0 : 1, MOST_COINS);
    }
}

static bool
is_possible(const void *config, const struct sk_state *of)
{
    const struct coins_state *state = (const void *)of;

    (void)config;
    return state->player[0].seat == 0 && state->player[1].seat == 1 &&
           !sk_cell_same(state->player[0].at, state->player[1].at) &&
           state->player[0].points + state->player[1].points + (int32_t)state->coins.count == COINS;
}

static int32_t
score(const void *config, const struct sk_state *of, uint8_t seat)
{
    const struct coins_state *state = (const void *)of;

    (void)config;
    return SK_GRID_MAX * state->player[seat].points -
           sk_cells_nearest(&state->coins, state->player[seat].at);
}

const struct sk_ruleset sk_ruleset_coins = {
    .name = "coins",
    .summary = "Two players, a step each at once: who gets more than half of the coins?",
    .version = 1,
    .is_simultaneous = true,
    SK_SEATS(2, 2),
    SK_BOARD_PARAMS("coins", 4, 16, 7, 60),
    SK_FLAT("coins", members, struct coins_state),
    SK_COMMAND_KINDS("coins", commands, struct sk_to_command),
    SK_EVENT_KINDS("coins", events, struct sk_plain_event),
    SK_WORDS(verdicts, reasons),
    SK_PIPELINE(checks, stages),
    .events_max = 2 + COINS,
    .setup = setup,
    .outcome = outcome,
    .is_possible = is_possible,
    .score = score,
};
