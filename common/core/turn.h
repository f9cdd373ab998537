/*
 * sk_turn - one resolution, on scratch memory.
 *
 * The state before is never changed: the new one is made beside it, and the
 * caller takes it over when it wants (the host: once the turn is stored).  The
 * same inputs give the same outputs, bit for bit, whatever the order in which
 * the seats' commands arrived.
 *
 * Owner:   the caller owns the memory passed to sk_turn_init and the commands;
 * both must live as long as the turn is used.
 * Threads: one at a time.
 */
#ifndef SK_TURN_H
#define SK_TURN_H

#include "common/core/ruleset.h"

#define SK_NO_LIST (SK_COMMANDS_MAX + 1) /* not SK_COMMANDS_MAX, which is the end of a full list */

struct sk_turn {
    /* What the caller sets before sk_turn_resolve. */
    const struct sk_state *before;
    const struct sk_seed *seed;
    struct sk_commands commands[SK_SEATS_MAX];
    /* Seats, as bits, whose judgements are already what sk_turn_check made of these commands and
     * of `before`: a simultaneous ruleset's checks do not run again for them. */
    uint32_t judged;

    /* Set by sk_turn_init. */
    const struct sk_ruleset *ruleset;
    const void *config;
    uint8_t seat_count;
    struct sk_sizes sizes;
    void *view;
    void *work;
    void *events_memory;
    uint8_t *snapshot;

    /* Results, valid until the next resolution in the same memory. */
    struct sk_state *after;
    struct sk_judgement *judgements[SK_SEATS_MAX];
    struct sk_events events;

    /* For stages of alternating rulesets: the seat and index of the command being played. */
    uint8_t acting_seat;
    uint32_t acting_index;
    uint32_t acting_next; /* index of the next command; SK_NO_LIST if there is no list */

    /* If a match outlives leaving: the next seat to check for leaving, and the command by which
     * each seat has left; SK_COMMANDS_MAX = it has not. */
    uint8_t leaving_next;
    uint32_t left_by[SK_SEATS_MAX];
};

/* The memory that sk_turn_init needs for any turn of a match with this config. */
size_t sk_turn_memory_size(const struct sk_ruleset *ruleset, const void *config);

/* Requires `memory` of that size, aligned as malloc aligns. */
void sk_turn_init(struct sk_turn *turn, const struct sk_ruleset *ruleset, const void *config,
                  void *memory);

/* Makes the first state in turn->after from the config and turn->seed. */
void sk_turn_setup(struct sk_turn *turn);

/*
 * The verdicts that submitting `commands` would get `seat` now, in
 * turn->judgements[seat].  Of an alternating ruleset's list only the first
 * command is checked: the others depend on what happens when it is played.
 */
void sk_turn_check(struct sk_turn *turn, uint8_t seat);

/*
 * Resolves turn->commands from turn->before: one turn, or none (false) if the
 * match is over or an alternating ruleset's first command is refused.
 *
 * Of an alternating ruleset's list this plays the first command only, because
 * each accepted one is its own turn, with its own events and hash.  If a match
 * outlives leaving, seats that leave come first, one turn each.  To play the
 * whole list:
 *
 *   for (bool is_played = sk_turn_resolve(turn); is_played;
 *        is_played = sk_turn_resolve_next(turn)) {
 *       ... use the turn ...
 *       memcpy(before, turn->after, turn->sizes.state);    (turn->before is `before`)
 *   }
 *
 * Then the judgements of all commands are final; after each single turn they
 * are as if the list ended there.
 */
bool sk_turn_resolve(struct sk_turn *turn);
bool sk_turn_resolve_next(struct sk_turn *turn);

/* How many commands a host takes from one seat at once: of an alternating ruleset each may be a
 * turn, and all their turns together take at most SK_LIST_WORK_MAX steps.  At least 1. */
uint32_t sk_list_max(const struct sk_ruleset *ruleset, const void *config);

/*
 * Runs one stage alone on a copy of turn->before, as if the checks had accepted
 * every command: to use a single rule.
 */
void sk_turn_run_alone(struct sk_turn *turn, const struct sk_stage *stage);

/* The seats that owe commands in `state`, as bits; none once the match is over. */
uint32_t sk_turn_owing(const struct sk_ruleset *ruleset, const void *config,
                       const struct sk_state *state);

/* Writes the outcome of the position, unless the match is over already. */
void sk_turn_settle(const struct sk_ruleset *ruleset, const void *config, struct sk_state *state);

/* The hash of turn->after: the hash of its snapshot. */
uint64_t sk_turn_hash(struct sk_turn *turn);

/* The random stream for one stage of this turn. */
void sk_turn_rng(const struct sk_turn *turn, uint32_t label, struct sk_rng *ret_rng);

/* For stages: changes a command's verdict (a bounce) in the name of stage `stage`. */
void sk_turn_refuse(struct sk_turn *turn, uint8_t seat, uint32_t index, sk_verdict verdict,
                    void (*stage)(struct sk_turn *turn));

/* For stages: whether this is one of the ruleset's own commands and all checks accepted it. */
static inline bool
sk_turn_accepted(const struct sk_turn *turn, uint8_t seat, uint32_t index)
{
    return turn->judgements[seat][index].verdict == SK_VERDICT_OK &&
           sk_command_at(turn->ruleset, turn->commands[seat], index)->kind >= SK_COMMAND_OWN;
}

#endif /* SK_TURN_H */
