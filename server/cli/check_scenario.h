/*
 * check_scenario - what `skirmish bot check` does to a bot, and what it tells its author.
 */
#ifndef SK_CLI_CHECK_SCENARIO_H
#define SK_CLI_CHECK_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "server/cli/relay.h"

enum disturbance {
    UNDISTURBED, /* until the match is over */
    SILENT,
    OFFERING,
    CUTTING,
    SLOW,
    RESTARTING,
    HURRYING,
    RESIGNING,
};

struct check_scenario {
    const char *name;
    const char *advice;         /* for a bot that does not play on; NULL = none */
    const char *service_advice; /* the same for a web service */
    enum disturbance kind;
    enum relay_trick trick; /* from the beginning of the match */
    int64_t slow_ms;        /* so long the server's answers take, once */
    bool is_small;          /* another match than the default one */
    bool is_for_commands;   /* not for web services */
    const char *failure;    /* of a web service that the trick causes, once; NULL = none */
    int32_t turns;          /* to play after the disturbance; then the checker resigns */
};

#define CHECK_SCENARIO_COUNT 12
extern const struct check_scenario check_scenarios[CHECK_SCENARIO_COUNT];

/* The params of its match, or NULL: those of the ruleset. */
const char *check_scenario_params(const struct check_scenario *scenario, const char *ruleset);

/* Is it right that the server answers with this error, which no bot can prevent? */
bool check_scenario_forgives(const struct check_scenario *scenario, const char *code, bool is_over);

#endif /* SK_CLI_CHECK_SCENARIO_H */
