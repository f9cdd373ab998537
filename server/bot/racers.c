/*
 * The racers player: one action at a time.
 */
#include "server/bot/mind.h"

const struct bot_player bot_racers = {
    .ruleset = "racers",
    .play = { [BOT_RANDOM] = bot_choose_any },
};
