/*
 * The halma player: one move of one piece.
 */
#include "server/bot/mind.h"

const struct bot_player bot_halma = {
    .ruleset = "halma",
    .play = { [BOT_RANDOM] = bot_choose_any },
};
