/*
 * The snarl ruleset: sizes, setup, owing, and the ruleset's table.  The rules
 * are in rules.c, changes of a position in play.c; levels are checked in
 * level.c and config.c.
 */
#include "common/rules/snarl/snarl.h"

#include <string.h>

#include "common/core/snapshot.h"
#include "common/rules/snarl/internal.h"

#define SNAPSHOT_HEAD_SIZE      7
#define SNAPSHOT_HERO_SIZE      15
#define SNAPSHOT_ADVERSARY_SIZE 3

#define VERSUS_SEATS 2

#define TURN_WORK_LEAST 10000 /* the checks, and whatever does not depend on params */

/* ---- sizes ------------------------------------------------------------------------------- */

static uint8_t
seat_count(const void *config)
{
    const struct snarl_config *snarl = config;

    return snarl->mode == SNARL_COOP ? snarl->hero_count : VERSUS_SEATS;
}

/*
 * A turn's events: the unit that moves (moved, relocated, key, exit), each
 * adversary after it (moved, relocated, expelled), the heroes expelled by the
 * round limit, and the end of a level and of the game.
 */
static size_t
events_size(const struct snarl_config *config)
{
    size_t an_event = (sizeof(struct snarl_event) + 7) & ~(size_t)7;

    return an_event * (4 + (size_t)3 * config->adversary_max + config->hero_count + 3);
}

static void
sizes(const void *config, struct sk_sizes *ret_sizes)
{
    const struct snarl_config *snarl = config;

    *ret_sizes = (struct sk_sizes){
        .state = SNARL_STATE_HEAD + snarl_position_size(snarl),
        .view = sizeof(struct snarl_view) + snarl->adversary_max * sizeof(struct snarl_adversary),
        .work = snarl_work_size(snarl),
        .events = events_size(snarl),
        .snapshot = SK_SNAPSHOT_HEAD_MAX + SNAPSHOT_HEAD_SIZE +
                    (size_t)snarl->hero_count * SNAPSHOT_HERO_SIZE +
                    (size_t)snarl->adversary_max * SNAPSHOT_ADVERSARY_SIZE,
    };
}

/*
 * Where the server plays adversaries: a search for each map, and each adversary
 * looks at the tiles it may step to, whether another is there, and at a room's
 * tiles if it comes out of a wall.
 */
static uint32_t
turn_work(const void *config)
{
    const struct snarl_config *snarl = config;
    bool is_played = snarl->mode == SNARL_COOP && snarl->adversaries == SNARL_AUTO;
    uint32_t movers = is_played ? snarl->adversary_max : 1;
    uint32_t searches = is_played ? SNARL_KIND_COUNT * (snarl->hero_count + 1u) : 0;
    uint32_t steps = (uint32_t)(snarl->steps[SNARL_ZOMBIE] > snarl->steps[SNARL_GHOST]
                                    ? snarl->steps[SNARL_ZOMBIE]
                                    : snarl->steps[SNARL_GHOST]);
    uint32_t reach = 2 * steps * (steps + 1);

    return TURN_WORK_LEAST + (searches + movers) * snarl->tiles_max +
           movers * reach * snarl->adversary_max;
}

/* ---- setup, owing, outcome --------------------------------------------------------------- */

static void
setup(const void *config, const struct sk_seed *seed, struct sk_state *ret_state)
{
    snarl_begin_level(config, seed, 0, snarl_position(ret_state));
}

static uint32_t
owing(const void *config, const struct sk_state *state)
{
    const struct snarl_config *snarl = config;
    uint8_t active = snarl_position_of(state)->active;

    if (snarl->mode == SNARL_VERSUS) {
        return snarl_is_hero(active) ? 1u << 0 : 1u << 1;
    }
    return snarl_is_hero(active) ? 1u << active : 0; /* only once it is over */
}

static void
outcome(const void *config, const struct sk_state *state, struct sk_outcome *ret_outcome)
{
    snarl_outcome(config, snarl_position_of(state), ret_outcome);
}

/* In versus the other side wins; in co-op the others play on. */
static bool
outlives_leaving(const void *config)
{
    return ((const struct snarl_config *)config)->mode == SNARL_COOP;
}

/* ---- defaults ---------------------------------------------------------------------------- */

/* The unit stays, also an adversary: that is the effect of a missed deadline. */
static bool
default_command(const void *config, const void *view, uint8_t seat, void *ret_command)
{
    const struct snarl_view *seen = view;
    struct snarl_command *command = ret_command;

    if (!snarl_is_own_turn(config, seen, seat, seen->active)) {
        return false;
    }
    memset(command, 0, sizeof(*command));
    command->head.kind = SK_COMMAND_TIMEOUT;
    return true;
}

/* ---- the ruleset ------------------------------------------------------------------------- */

static const struct sk_word verdicts[] = { SNARL_VERDICTS(SK_WORD_OF) };
static const struct sk_word reasons[] = { SNARL_REASONS(SK_WORD_OF) };

static const struct sk_fact facts[] = {
    { "hero_steps", SNARL_HERO_STEPS, "Steps of a hero's move." },
    { "sight", SNARL_SIGHT, "How far a hero sees in each direction." },
    { "ghost_hunts", SNARL_GHOST_HUNTS, "Steps at which a ghost hunts a hero." },
};

/* Common to all versions; one line per member. */
/* clang-format off */
#define RULES                                                                                     \
    .name = "snarl",                                                                              \
    .summary = "Heroes cross levels full of zombies and ghosts: find the key, reach the exit.",   \
    .seats_min = 1,                                                                               \
    .seats_max = SK_SNARL_HEROES_MAX,                                                             \
    .params = &snarl_params_schema,                                                               \
    .params_shown = &snarl_params_shown_schema,                                                   \
    .state = &snarl_state_schema,                                                                 \
    .view = &snarl_view_schema,                                                                   \
    .command = &snarl_command_variants,                                                           \
    .event = &snarl_event_variants,                                                               \
    SK_VERDICTS(verdicts),                                                                        \
    SK_REASONS(reasons),                                                                          \
    SK_CHECKS(snarl_checks),                                                                      \
    SK_STAGES(snarl_stages),                                                                      \
    SK_FACTS(facts),                                                                              \
    .default_params = &snarl_default_params,                                                      \
    .config_size_max = SNARL_CONFIG_SIZE_MAX,                                                     \
    .scratch_size_max = SNARL_SCRATCH_SIZE_MAX,                                                   \
    .config_build = snarl_config_build,                                                           \
    .seat_count = seat_count,                                                                     \
    .sizes = sizes,                                                                               \
    .setup = setup,                                                                               \
    .turn_work = turn_work,                                                                       \
    .owing = owing,                                                                               \
    .outlives_leaving = outlives_leaving,                                                         \
    .leave = snarl_leave,                                                                         \
    .outcome = outcome,                                                                           \
    .view_make = snarl_view_make,                                                                 \
    .event_is_shown = snarl_event_is_shown,                                                       \
    .hints = snarl_hints,                                                                         \
    .default_command = default_command,                                                           \
    .guess = snarl_guess,                                                                         \
    .state_read = snarl_state_read,                                                               \
    .state_form = snarl_state_form,                                                               \
    .view_form = snarl_view_form,                                                                 \
    .snapshot_write = snarl_snapshot_write,                                                       \
    .snapshot_read = snarl_snapshot_read,                                                         \
    .bot_levels = 3,                                                                              \
    .picture = SK_PICTURE(snarl_picture)
/* clang-format on */

/* Has no event for a locked exit. */
static const struct sk_ruleset version_1 = { RULES, .version = 1 };

const struct sk_ruleset sk_ruleset_snarl = { RULES, .version = SNARL_VERSION_EXIT_LOCKED,
                                             .older = &version_1 };
