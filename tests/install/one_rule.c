/* Uses a single rule of the installed library: is the target on the board? */
#include <stdio.h>

#include "common/core/rules.h"
#include "common/core/validate.h"
#include "common/rules/tactics/tactics.h"

static _Alignas(8) uint8_t config_space[8u << 20], scratch_space[8u << 20], turn_space[1u << 20];

int
main(void)
{
    const struct sk_ruleset *rules = &sk_ruleset_tactics;
    struct sk_arena config = { config_space, sizeof(config_space), 0 };
    struct sk_arena scratch = { scratch_space, sizeof(scratch_space), 0 };
    struct tactics_command move = { { TACTICS_MOVE }, { "a1" }, { -1, 2147483647 } };
    struct sk_fault fault;
    struct sk_turn turn;

    if (sk_rules_config_build(rules, rules->default_params, &config, &scratch, &fault) != SK_OK) {
        return 1;
    }
    sk_turn_init(&turn, rules, config.base, turn_space);
    sk_turn_setup(&turn);
    sk_rules_view_make(rules, &turn.sizes, turn.config, turn.after, 0, turn.view);
    struct sk_check_in in = { .ruleset = rules,
                              .config = turn.config,
                              .view = turn.view,
                              .commands = { &move, 1 },
                              .judgements = turn.judgements[0],
                              .work = turn.work };
    sk_validate_alone(&in, sk_check_find(rules, "move_in_bounds"));
    puts(sk_verdict_name(rules, turn.judgements[0][0].verdict));
    return 0;
}
