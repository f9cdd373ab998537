#include "tests/bench/playout.h"

#include <stdlib.h>

bool
playout_init(struct playout *playout, const struct tactics_config *config)
{
    struct sk_sizes sizes;

    sk_ruleset_tactics.sizes(config, &sizes);
    *playout = (struct playout){
        .config = config,
        .players = players_alloc(config),
        .turn_memory = malloc(sk_turn_memory_size(&sk_ruleset_tactics, config)),
        .state = malloc(sizes.state),
    };
    if (playout->players == NULL || playout->turn_memory == NULL || playout->state == NULL) {
        playout_fini(playout);
        return false;
    }
    sk_turn_init(&playout->turn, &sk_ruleset_tactics, config, playout->turn_memory);
    return true;
}

void
playout_fini(struct playout *playout)
{
    players_free(playout->players);
    free(playout->turn_memory);
    free(playout->state);
    *playout = (struct playout){ .config = NULL };
}

/* ---- counting ---------------------------------------------------------------------------- */

static uint8_t
unit_named(const struct tactics_config *config, struct sk_text name)
{
    struct sk_id id = sk_id_from(name);

    return tactics_unit_find(config, &id);
}

static struct model_tally *
tally_of(const struct tactics_config *config, uint32_t unit, struct model_tally *tallies)
{
    return &tallies[tactics_units(config)[unit].model];
}

static void
count_living(const struct tactics_config *config, const struct sk_state *state,
             enum tally_time time, struct model_tally *tallies)
{
    for (uint32_t i = 0; i < config->unit_count && tallies != NULL; i++) {
        if (tactics_is_alive(tactics_position_of(state), i)) {
            tally_of(config, i, tallies)->living[time]++;
        }
    }
}

static void
count_commands(const struct sk_turn *turn, struct model_tally *tallies)
{
    for (uint8_t seat = 0; seat < TACTICS_SEATS && tallies != NULL; seat++) {
        const struct tactics_command *commands = turn->commands[seat].at;

        for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
            uint8_t unit = tactics_unit_find(turn->config, &commands[i].unit);
            struct model_tally *tally = tally_of(turn->config, unit, tallies);

            tally->attacks += commands[i].head.kind == TACTICS_ATTACK;
            tally->moves += commands[i].head.kind == TACTICS_MOVE;
        }
    }
}

/* True when an enemy is among those who hit.  `tallies` may be NULL. */
static bool
count_hit(const struct tactics_config *config, const struct tactics_event *hit,
          struct model_tally *tallies)
{
    const struct sk_text *by = hit->others.at;
    uint8_t seat = tactics_units(config)[unit_named(config, hit->unit)].seat;
    bool is_contact = false;

    for (uint32_t i = 0; i < hit->others.count; i++) {
        uint8_t attacker = unit_named(config, by[i]);
        uint64_t power = (uint64_t)tactics_model_of(config, attacker)->power;
        bool is_enemy = tactics_units(config)[attacker].seat != seat;

        is_contact |= is_enemy;
        if (tallies != NULL) {
            struct model_tally *tally = tally_of(config, attacker, tallies);

            tally->damage += is_enemy ? power : 0;
            tally->friendly_damage += is_enemy ? 0 : power;
            tally->kills += is_enemy && hit->health <= 0 ? 1.0 / hit->others.count : 0;
        }
    }
    return is_contact;
}

/* True when the two sides met in this turn. */
static bool
count_events(const struct sk_turn *turn, struct model_tally *tallies)
{
    bool is_contact = false;

    for (const struct sk_event *event = turn->events.first; event != NULL; event = event->next) {
        if (event->kind == TACTICS_EVENT_HIT) {
            is_contact |=
                count_hit(turn->config, (const struct tactics_event *)(const void *)event, tallies);
        }
    }
    return is_contact;
}

/* ---- playing ----------------------------------------------------------------------------- */

/* A unit that a seat lacks is dead before the match begins. */
static void
remove_model(const struct tactics_config *config, struct tactics_position *position, uint8_t seat,
             int32_t model)
{
    const struct tactics_unit_config *units = tactics_units(config);

    for (uint32_t i = 0; i < config->unit_count; i++) {
        if (units[i].seat == seat && units[i].model == model) {
            position->unit[i] = (struct tactics_unit){ 0, 0, 0 };
        }
    }
}

static void
begin(struct playout *playout, const struct playout_setup *setup, struct sk_match *match)
{
    sk_match_begin(match, &playout->turn, &setup->seed, playout->state);
    for (uint8_t seat = 0; seat < TACTICS_SEATS; seat++) {
        remove_model(playout->config, tactics_position(match->state), seat, setup->without[seat]);
    }
    sk_turn_settle(&sk_ruleset_tactics, playout->config, match->state);
}

static void
submit(struct playout *playout, const struct playout_setup *setup, struct sk_match *match,
       uint8_t seat, struct sk_rng *rng, struct tactics_command *commands)
{
    uint32_t count = players_decide(playout->players, setup->player[seat],
                                    tactics_position_of(match->state), seat, rng, commands);

    sk_match_submit(match, &playout->turn, seat, (struct sk_commands){ commands, count });
}

/* Counts the turn just resolved, which began in match->state. */
static void
count_turn(const struct playout *playout, const struct sk_match *match,
           struct playout_result *result, struct model_tally *tallies)
{
    if (tactics_position_of(match->state)->phase == TACTICS_PLACEMENT) {
        return;
    }
    result->turns++;
    count_living(playout->config, match->state, TALLY_TURN, tallies);
    count_commands(&playout->turn, tallies);
    if (count_events(&playout->turn, tallies) && result->contact == 0) {
        result->contact = result->turns;
    }
}

struct playout_result
playout_run(struct playout *playout, const struct playout_setup *setup, struct model_tally *tallies)
{
    struct playout_result result = { .winner = SK_NOBODY };
    struct tactics_command commands[TACTICS_SEATS][SK_TACTICS_UNITS_PER_SEAT_MAX];
    struct sk_rng rng[TACTICS_SEATS];
    struct sk_match match;

    begin(playout, setup, &match);
    for (uint8_t seat = 0; seat < TACTICS_SEATS; seat++) {
        sk_rng_start(&rng[seat], &setup->seed, setup->number, setup->series * TACTICS_SEATS + seat);
    }
    count_living(playout->config, match.state, TALLY_BEGIN, tallies);
    while (!match.state->outcome.is_over) {
        for (uint8_t seat = 0; seat < TACTICS_SEATS; seat++) {
            submit(playout, setup, &match, seat, &rng[seat], commands[seat]);
        }
        sk_match_resolve(&match, &playout->turn);
        count_turn(playout, &match, &result, tallies);
        sk_match_commit(&match, &playout->turn);
    }
    count_living(playout->config, match.state, TALLY_END, tallies);
    result.winner = match.state->outcome.winner;
    result.is_at_limit = match.state->outcome.reason == SK_DRAW_TURN_LIMIT;
    return result;
}
