/*
 * sk_rules - what a ruleset is asked: its own function where its table has one,
 * the default where it has none.  common/core/ruleset.h says what each does.
 *
 * Threads: any; all memory is the caller's.
 */
#ifndef SK_RULES_H
#define SK_RULES_H

#include <string.h>

#include "common/core/flat.h"
#include "common/core/ruleset.h"

static inline uint8_t
sk_rules_seat_count(const struct sk_ruleset *ruleset, const void *config)
{
    return ruleset->seat_count == NULL ? ruleset->seats_max : ruleset->seat_count(config);
}

static inline uint32_t
sk_rules_owing(const struct sk_ruleset *ruleset, const void *config, const struct sk_state *state)
{
    return ruleset->owing == NULL ? (1u << sk_rules_seat_count(ruleset, config)) - 1
                                  : ruleset->owing(config, state);
}

/* Of the levels random, greedy and search. */
static inline uint8_t
sk_rules_bot_levels(const struct sk_ruleset *ruleset)
{
    return ruleset->bot_levels != 0                               ? ruleset->bot_levels
           : ruleset->score != NULL && ruleset->view_make == NULL ? 2
                                                                  : 1;
}

/* ---- params ------------------------------------------------------------------------------ */

static inline size_t
sk_rules_config_size_max(const struct sk_ruleset *ruleset)
{
    return ruleset->config_build == NULL ? sk_flat_config_size(ruleset) : ruleset->config_size_max;
}

static inline enum sk_status
sk_rules_config_build(const struct sk_ruleset *ruleset, const void *params,
                      struct sk_arena *ret_config, struct sk_arena *scratch,
                      struct sk_fault *ret_fault)
{
    return ruleset->config_build == NULL
               ? sk_flat_config_build(ruleset, params, ret_config, ret_fault)
               : ruleset->config_build(params, ret_config, scratch, ret_fault);
}

static inline void
sk_rules_sizes(const struct sk_ruleset *ruleset, const void *config, struct sk_sizes *ret_sizes)
{
    if (ruleset->sizes == NULL) {
        sk_flat_sizes(ruleset, ret_sizes);
    } else {
        ruleset->sizes(config, ret_sizes);
    }
}

/* ---- positions --------------------------------------------------------------------------- */

/* The outcome of the position, including the turn limit's. */
static inline void
sk_rules_outcome(const struct sk_ruleset *ruleset, const void *config, const struct sk_state *state,
                 struct sk_outcome *ret_outcome)
{
    ruleset->outcome(config, state, ret_outcome);
    if (!ret_outcome->is_over && ruleset->turn_limit_at != 0 &&
        state->turn >=
            *(const uint32_t *)(const void *)((const uint8_t *)config + ruleset->turn_limit_at)) {
        (void)sk_outcome_end(ret_outcome, SK_NOBODY, SK_DRAW_TURN_LIMIT);
    }
}

/* The part of a state that is its view where nothing is hidden. */
static inline const void *
sk_rules_open_part(const struct sk_sizes *sizes, const struct sk_state *state)
{
    return (const uint8_t *)state + (sizes->state - sizes->view);
}

/* `sizes` are those of the config. */
static inline void
sk_rules_view_make(const struct sk_ruleset *ruleset, const struct sk_sizes *sizes,
                   const void *config, const struct sk_state *state, uint8_t seat, void *ret_view)
{
    if (ruleset->view_make == NULL) {
        memcpy(ret_view, sk_rules_open_part(sizes, state), sizes->view);
    } else {
        memset(ret_view, 0, sizes->view);
        ruleset->view_make(config, state, seat, ret_view);
    }
}

/* Whether a view's form has all that state_read needs: what it hides can be guessed. */
static inline bool
sk_rules_view_is_whole(const struct sk_ruleset *ruleset)
{
    return ruleset->params_shown == NULL && ruleset->view->size == ruleset->state->size &&
           (ruleset->view_make == NULL || ruleset->view->members == ruleset->state->members);
}

/* Turn and outcome of the state are up to the caller. */
void sk_rules_guess(const struct sk_ruleset *ruleset, const struct sk_sizes *sizes,
                    const void *config, const void *view, const struct sk_seed *seed,
                    struct sk_state *ret_state);

static inline void
sk_rules_hints(const struct sk_ruleset *ruleset, const void *config, const void *view, uint8_t seat,
               struct sk_hint_sink *sink)
{
    if (ruleset->hints == NULL) {
        sk_flat_hints(ruleset, config, view, seat, sink);
    } else {
        ruleset->hints(config, view, seat, sink);
    }
}

static inline bool
sk_rules_default_command(const struct sk_ruleset *ruleset, const void *config, const void *view,
                         uint8_t seat, void *ret_command)
{
    return ruleset->default_command != NULL &&
           ruleset->default_command(config, view, seat, ret_command);
}

/* ---- forms and snapshots ----------------------------------------------------------------- */

enum sk_status sk_rules_state_read(const struct sk_ruleset *ruleset, const void *config,
                                   const void *form, struct sk_state *ret_state,
                                   struct sk_fault *ret_fault);
enum sk_status sk_rules_state_form(const struct sk_ruleset *ruleset, const void *config,
                                   const struct sk_state *state, struct sk_arena *arena,
                                   void *ret_form);
enum sk_status sk_rules_view_form(const struct sk_ruleset *ruleset, const void *config,
                                  const void *view, struct sk_arena *arena, void *ret_form);

static inline void
sk_rules_snapshot_write(const struct sk_ruleset *ruleset, const void *config,
                        const struct sk_state *state, struct sk_bytes_out *out)
{
    if (ruleset->snapshot_write == NULL) {
        sk_flat_snapshot_write(ruleset, state, out);
    } else {
        ruleset->snapshot_write(config, state, out);
    }
}

static inline enum sk_status
sk_rules_snapshot_read(const struct sk_ruleset *ruleset, const void *config, struct sk_bytes_in *in,
                       struct sk_state *ret_state)
{
    return ruleset->snapshot_read == NULL ? sk_flat_snapshot_read(ruleset, config, in, ret_state)
                                          : ruleset->snapshot_read(config, in, ret_state);
}

#endif /* SK_RULES_H */
