/*
 * bot_mind - what a bot knows while it decides about one turn.
 *
 * bot.c makes it from the question; the players, one file per ruleset, read it
 * and choose commands.  A player has a function for each level that the
 * ruleset's table promises (bot_levels).
 *
 * Owner:   bot.c owns the memory behind all pointers.
 * Threads: one at a time.
 */
#ifndef SK_BOT_MIND_H
#define SK_BOT_MIND_H

#include <stdatomic.h>

#include "common/core/turn.h"
#include "server/bot/level.h"
#include "server/memory.h"

struct bot_mind {
    const struct sk_ruleset *ruleset;
    const void *config;
    const struct sk_state *state; /* what the view shows, as a state */
    struct sk_sizes sizes;
    struct sk_commands hints; /* never empty */
    uint8_t seat;
    struct sk_seed seed;
    struct sk_rng rng;
    int64_t budget_us;     /* by the clock it is used up at this time at the earliest ... */
    int64_t budget_cpu_us; /* ... and by the thread's processor time at this one */
    int64_t limit_us;      /* by the clock */
    const atomic_bool *is_wanted;
    uint8_t *chosen; /* space for SK_COMMANDS_MAX */
    uint32_t chosen_count;
};

struct bot_player {
    const char *ruleset;

    /* The state that a view's form shows, into zeroed memory; NULL = the view has all that a
     * state has. */
    enum sk_status (*state_read)(const void *config, const void *form, struct sk_state *ret_state,
                                 struct sk_fault *ret_fault);
    void (*play[BOT_LEVELS])(struct bot_mind *mind);
};

extern const struct bot_player bot_tactics;
extern const struct bot_player bot_halma;
extern const struct bot_player bot_racers;
extern const struct bot_player bot_snarl;

/* Whether there is a player's function for each level that the ruleset's table promises, and for no
 * other. */
bool bot_player_is_whole(const struct sk_ruleset *ruleset);

/* ---- for players ------------------------------------------------------------------------- */

static inline const void *
bot_hint(const struct bot_mind *mind, uint32_t index)
{
    return sk_command_at(mind->ruleset, mind->hints, index);
}

/* Adds a command to the answer. */
void bot_choose(struct bot_mind *mind, const void *command);

/* Chooses the hint after which the ruleset's score is best. */
void bot_choose_by_score(struct bot_mind *mind);

/* Chooses a random hint: a whole turn for a random player if a turn is one command. */
void bot_choose_any(struct bot_mind *mind);

/* Finds the least of several numbers; chance decides between equal ones. */
struct bot_least {
    int32_t number;
    uint32_t ties;
    uint32_t index;
};

#define BOT_LEAST ((struct bot_least){ .number = INT32_MAX })

void bot_least_take(struct bot_least *least, struct sk_rng *rng, int32_t number, uint32_t index);

/* Whether the time is up. */
bool bot_is_late(const struct bot_mind *mind);

/* Every hint of any seat in any state, in memory that the caller frees by ret_hints->at. */
void bot_hints_of(const struct bot_mind *mind, const struct sk_state *state, uint8_t seat,
                  struct sk_commands *ret_hints);

/* Turns tried out with the rules library. */
struct bot_trial {
    struct sk_turn turn;
    void *memory;
};

void bot_trial_init(struct bot_trial *trial, const struct bot_mind *mind);
void bot_trial_fini(struct bot_trial *trial);

/* The state after a seat's commands (those of others must be in turn.commands), valid until the
 * next call; or `state` itself if nothing can be played. */
const struct sk_state *bot_try(struct bot_trial *trial, const struct sk_state *state, uint8_t seat,
                               struct sk_commands commands);

#endif /* SK_BOT_MIND_H */
