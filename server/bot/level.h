/*
 * The levels of the bots that ship with the project.
 */
#ifndef SK_BOT_LEVEL_H
#define SK_BOT_LEVEL_H

#include <stdbool.h>

#include "common/base/text.h"

enum bot_level {
    BOT_RANDOM, /* any of its hints */
    BOT_GREEDY, /* what looks best in this turn */
    BOT_SEARCH, /* looks ahead with the rules library */
    BOT_LEVELS,
};

/* The levels' names, in their order. */
extern const char *const bot_level_names[BOT_LEVELS];

bool bot_level_find(struct sk_text name, enum bot_level *ret_level);

/* Whether the ruleset has a bot of this level; and what is said if it has not. */
struct sk_ruleset;
bool bot_level_plays(const struct sk_ruleset *ruleset, enum bot_level level);

#define BOT_LEVEL_MISSING "the ruleset has no bot of this level"

#endif /* SK_BOT_LEVEL_H */
