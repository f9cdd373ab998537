/* Shared by the programs of this folder: a match of any ruleset, with its first state. */
#ifndef SK_INSTALL_SETUP_H
#define SK_INSTALL_SETUP_H

#include <stdio.h>
#include <stdlib.h>

#include "common/core/rules.h"
#include "common/core/turn.h"
#include "common/core/validate.h"

struct match {
    struct sk_turn turn;
    struct sk_state *state; /* turn.before */
};

static inline void *
take(size_t size)
{
    void *memory = calloc(1, size);

    if (memory == NULL) {
        exit(1);
    }
    return memory;
}

/* Nothing is freed: the programs end soon. */
static inline void
match_open(struct match *match, const struct sk_ruleset *rules, const void *params)
{
    static const struct sk_seed seed;
    struct sk_arena config = { take(sk_rules_config_size_max(rules)),
                               sk_rules_config_size_max(rules), 0 };
    struct sk_arena scratch = { take(rules->scratch_size_max), rules->scratch_size_max, 0 };
    struct sk_fault fault;

    if (sk_rules_config_build(rules, params, &config, &scratch, &fault) != SK_OK) {
        fprintf(stderr, "%s: %s at %s\n", fault.code, fault.message, fault.at);
        exit(1);
    }
    sk_turn_init(&match->turn, rules, config.base, take(sk_turn_memory_size(rules, config.base)));
    match->turn.seed = &seed;
    sk_turn_setup(&match->turn);
    match->state = take(match->turn.sizes.state);
    memcpy(match->state, match->turn.after, match->turn.sizes.state);
    match->turn.before = match->state;
}

/* The input for checking these commands of the seat. */
static inline struct sk_check_in
look(struct match *match, uint8_t seat, const void *commands, uint32_t count)
{
    struct sk_turn *turn = &match->turn;

    memset(turn->view, 0, turn->sizes.view);
    sk_rules_view_make(turn->ruleset, &turn->sizes, turn->config, turn->before, seat, turn->view);
    return (struct sk_check_in){ .ruleset = turn->ruleset,
                                 .config = turn->config,
                                 .view = turn->view,
                                 .commands = { commands, count },
                                 .judgements = turn->judgements[seat],
                                 .work = turn->work,
                                 .seat = seat };
}

static inline void
print_verdicts(const char *what, const struct sk_check_in *in)
{
    printf("%s:", what);
    for (uint32_t i = 0; i < in->commands.count; i++) {
        printf(" %s", sk_verdict_name(in->ruleset, in->judgements[i].verdict));
    }
    printf("\n");
}

/* Every check of the ruleset, each alone. */
static inline void
ask_each_check(struct match *match, uint8_t seat, const void *commands, uint32_t count)
{
    const struct sk_ruleset *rules = match->turn.ruleset;

    for (uint8_t i = 0; i < rules->check_count; i++) {
        struct sk_check_in in = look(match, seat, commands, count);

        sk_validate_alone(&in, &rules->checks[i]);
        print_verdicts(rules->checks[i].name, &in);
    }
}

/* Every stage of the ruleset, each alone on turn.commands: the kinds of events it makes. */
static inline void
ask_each_stage(struct match *match)
{
    const struct sk_ruleset *rules = match->turn.ruleset;

    for (uint8_t i = 0; i < rules->stage_count; i++) {
        sk_turn_run_alone(&match->turn, &rules->stages[i]);
        printf("%s:", rules->stages[i].name);
        for (const struct sk_event *at = match->turn.events.first; at != NULL; at = at->next) {
            printf(" %s", rules->event->of[at->kind].kind);
        }
        printf("\n");
    }
}

#endif /* SK_INSTALL_SETUP_H */
