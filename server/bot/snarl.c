/*
 * The snarl player: heroes of a co-op or a versus match, and a versus match's
 * adversaries.
 *
 * A level's map is in the params, which everybody knows; who is not in sight
 * is taken to be nowhere.
 */
#include "common/rules/snarl/internal.h"
#include "server/bot/mind.h"

static enum sk_status
refuse(struct sk_fault *fault, const char *message, const char *member)
{
    sk_fault_set(fault, "malformed", message);
    sk_fault_inside(fault, sk_text_of(member));
    return SK_ERR_REFUSED;
}

static enum sk_status
see_heroes(const struct snarl_config *config, const struct snarl_position_form *form,
           struct snarl_position *position, struct sk_fault *fault)
{
    const struct snarl_hero_form *heroes = form->heroes.at;

    for (uint32_t i = 0; i < config->hero_count; i++) {
        position->hero[i].status = SNARL_EXPELLED;
    }
    for (uint32_t i = 0; i < form->heroes.count; i++) {
        uint8_t hero = snarl_unit_find(config, position->level, heroes[i].id);

        if (hero == SNARL_NO_UNIT || !snarl_is_hero(hero)) {
            return refuse(fault, "params know no hero of that id", "heroes");
        }
        position->hero[hero] = (struct snarl_hero){ heroes[i].at, heroes[i].keys, heroes[i].exits,
                                                    heroes[i].expulsions, heroes[i].status };
    }
    return SK_OK;
}

static enum sk_status
see_adversaries(const struct snarl_config *config, const struct snarl_position_form *form,
                struct snarl_position *position, struct sk_fault *fault)
{
    const struct snarl_adversary_form *adversaries = form->adversaries.at;

    for (uint32_t i = 0; i < form->adversaries.count; i++) {
        uint8_t unit = snarl_unit_find(config, position->level, adversaries[i].id);

        if (unit == SNARL_NO_UNIT || snarl_is_hero(unit)) {
            return refuse(fault, "the level has no adversary of that id", "adversaries");
        }
        position->adversary[unit - SNARL_FIRST_ADVERSARY] =
            (struct snarl_adversary){ adversaries[i].at, true };
    }
    return SK_OK;
}

static enum sk_status
see(const void *config, const void *form, struct sk_state *ret_state, struct sk_fault *ret_fault)
{
    const struct snarl_config *snarl = config;
    const struct snarl_position_form *from = form;
    struct snarl_position *position = snarl_position(ret_state);
    enum sk_status status;

    if (from->level > snarl->level_count) {
        return refuse(ret_fault, "the match has fewer levels", "level");
    }
    position->level = from->level - 1;
    position->round = from->has_round ? from->round : 1;
    position->exit_unlocked = from->exit_unlocked;
    position->has_key = !from->exit_unlocked && snarl_level_at(snarl, position->level)->has_key;
    position->active = snarl_unit_find(snarl, position->level, from->active.unit);
    if (position->active == SNARL_NO_UNIT) {
        return refuse(ret_fault, "there is no unit of that id", "active");
    }
    status = see_heroes(snarl, from, position, ret_fault);
    return status == SK_OK ? see_adversaries(snarl, from, position, ret_fault) : status;
}

const struct bot_player bot_snarl = {
    .ruleset = "snarl",
    .state_read = see,
    .play = { [BOT_RANDOM] = bot_choose_any },
};
