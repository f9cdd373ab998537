/* Uses each rule of halma in the installed library once: by name, and the questions. */
#include "common/rules/halma/halma.h"
#include "setup.h"

/* Of a small board: a1 and a2 begin side by side, b1 stands on a destination of seat 0's. */
static struct sk_cell host_pieces[] = { { 0, 5 }, { 1, 5 } };
static struct sk_cell guest_pieces[] = { { 5, 0 }, { 5, 5 } };
static struct sk_cell host_destinations[] = { { 5, 0 }, { 4, 0 } };
static struct sk_cell guest_destinations[] = { { 0, 0 } };
static struct sk_list pieces[] = { { host_pieces, 2 }, { guest_pieces, 2 } };
static struct sk_list destinations[] = { { host_destinations, 2 }, { guest_destinations, 1 } };

static const struct halma_command host[] = {
    { { HALMA_MOVE }, { "a1" }, { { 1 }, { { 2, 5 } } } },
};
static const struct halma_command guest[] = {
    { { HALMA_MOVE }, { "b1" }, { { 1 }, { { 3, 3 } } } },
};

static void
ask_legs(const struct match *match)
{
    static const char *const words[] = {
        [HALMA_HOLD] = "hold",
        [HALMA_STEP] = "step",
        [HALMA_JUMP] = "jump",
        [HALMA_NO_LEG] = "none",
    };
    static const struct sk_cell targets[] = { { 0, 5 }, { 1, 4 }, { 2, 5 }, { 0, 3 }, { 3, 5 } };

    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        printf("0,5 to %d,%d: leg %s, jump %d, landing %d\n", targets[i].x, targets[i].y,
               words[halma_leg_of(sk_cell(0, 5), targets[i])],
               halma_ask_jump(match->turn.config, match->state, sk_cell(0, 5), targets[i]),
               halma_ask_landing(match->turn.config, match->state, SK_TEXT("a1"), targets[i]));
    }
}

static void
ask_moves(const struct match *match)
{
    static const struct halma_path paths[] = {
        { { 1 }, { { 2, 5 } } },
        { { 2 }, { { 2, 5 }, { 2, 3 } } },
        { { 1 }, { { 1, 5 } } },
    };

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct halma_move_reasons reasons;
        sk_verdict verdict =
            halma_ask_move(match->turn.config, match->state, SK_TEXT("a1"), &paths[i], &reasons);

        printf("path %zu: %s (shape %s, bounds %s, steps %s, jump %s, damage %s, landing %s)\n", i,
               sk_verdict_name(&sk_ruleset_halma, verdict),
               sk_verdict_name(&sk_ruleset_halma, reasons.path_shape),
               sk_verdict_name(&sk_ruleset_halma, reasons.path_in_bounds),
               sk_verdict_name(&sk_ruleset_halma, reasons.path_steps),
               sk_verdict_name(&sk_ruleset_halma, reasons.jump_over_piece),
               sk_verdict_name(&sk_ruleset_halma, reasons.damaged_jump),
               sk_verdict_name(&sk_ruleset_halma, reasons.landing_free));
    }
}

static void
ask_collisions(const struct match *match)
{
    const struct sk_cell from[] = { { 0, 5 }, { 4, 5 } };
    const struct sk_cell to[] = { { 2, 5 }, { 2, 5 } };

    printf("collide: %d, damage of a1: %d, after a turn %d is %d\n", halma_collide(from, to),
           halma_ask_damage(match->turn.config, match->state, SK_TEXT("a1")), SK_HALMA_DAMAGE,
           halma_heal(SK_HALMA_DAMAGE));
}

static void
ask_ends(const struct match *match)
{
    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        struct halma_halmate_answer full =
            halma_ask_halmate(match->turn.config, match->state, seat);
        struct halma_stall_answer stall = halma_ask_stall(match->turn.config, match->state, seat);

        printf("seat %d: halmate %d, own %d, others %d, free %d; stalled %d, faults %d of %d, "
               "alone guilty again %d\n",
               seat, full.is_halmate, full.filled.own, full.filled.others, full.filled.free,
               stall.is_lost, stall.faults, stall.limit,
               halma_faults_after(stall.faults, seat, 1u << seat));
    }
}

int
main(void)
{
    struct halma_params params = *(const struct halma_params *)sk_ruleset_halma.default_params;
    struct match match;

    params.size = 6;
    params.has_pieces = true;
    params.has_destinations = true;
    params.pieces = (struct sk_list){ pieces, 2 };
    params.destinations = (struct sk_list){ destinations, 2 };
    match_open(&match, &sk_ruleset_halma, &params);
    match.turn.commands[0] = (struct sk_commands){ host, 1 };
    match.turn.commands[1] = (struct sk_commands){ guest, 1 };
    ask_each_check(&match, 0, host, 1);
    ask_each_check(&match, 1, guest, 1);
    ask_each_stage(&match);
    ask_legs(&match);
    ask_moves(&match);
    ask_collisions(&match);
    ask_ends(&match);
    return 0;
}
