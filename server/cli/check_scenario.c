#include "server/cli/check_scenario.h"

#include <stddef.h>
#include <string.h>

#define RESUME "after a lost connection, send hello with the token, and resume"
#define AGAIN  "answer it again"
#define MORE   "later servers may send more: ignore it"

const struct check_scenario check_scenarios[CHECK_SCENARIO_COUNT] = {
    { .name = "plays a whole match" },
    { .name = "plays a match with other params", .is_small = true },
    { .name = "waits while the opponent is silent", .kind = SILENT, .turns = 2 },
    { .name = "answers a draw offer and plays on", .kind = OFFERING, .turns = 2 },
    { .name = "comes back after the connection was lost",
      .advice = RESUME,
      .service_advice = "the answer was lost, so the question comes again: " AGAIN,
      .kind = CUTTING,
      .failure = "http_failed",
      .turns = 3 },
    { .name = "comes back after the server was restarted",
      .advice = RESUME,
      .service_advice = "the server asks again after its start: " AGAIN,
      .kind = RESTARTING,
      .turns = 3 },
    { .name = "waits while the server is slow",
      .advice = "an answer may take some seconds: wait for it",
      .kind = SLOW,
      .slow_ms = 3000,
      .is_for_commands = true,
      .turns = 2 },
    { .name = "chooses again when its commands are refused",
      .advice =
          "if accepted has verdicts that are not ok, and ready is false, the turn stays open: "
          "send other commands, or none with \"ready\":true",
      .service_advice = "the last answer did not count, as last.error says: answer again",
      .trick = RELAY_REFUSES,
      .failure = "bad_form",
      .turns = 2 },
    { .name = "ignores turns that come twice",
      .advice = "ignore frames of a match whose seq is not larger than the last one",
      .service_advice = "the same question may come again: " AGAIN,
      .trick = RELAY_REPEATS,
      .turns = 3 },
    { .name = "ignores frames and members that it does not know",
      .advice = MORE,
      .service_advice = MORE,
      .trick = RELAY_ADDS,
      .turns = 2 },
    { .name = "plays on when turns end without its commands", .kind = HURRYING, .turns = 10 },
    { .name = "ends when the opponent resigns", .kind = RESIGNING },
};

/* Of short matches; a ruleset that is not listed is played with its default. */
static const struct {
    const char *ruleset;
    const char *params;
} small_params[] = {
    { "tactics", "{\"placement\":false,\"turn_limit\":5}" },
    { "halma", "{\"turn_limit\":6}" },
    { "racers", "{\"turn_limit\":12}" },
    { "snarl", "{\"heroes\":[\"ada\",\"bob\"],\"round_limit\":3}" },
};

const char *
check_scenario_params(const struct check_scenario *scenario, const char *ruleset)
{
    for (size_t i = 0; i < sizeof(small_params) / sizeof(small_params[0]); i++) {
        if (scenario->is_small && strcmp(small_params[i].ruleset, ruleset) == 0) {
            return small_params[i].params;
        }
    }
    return NULL;
}

bool
check_scenario_forgives(const struct check_scenario *scenario, const char *code, bool is_over)
{
    bool is_late = strcmp(code, "turn_closed") == 0 || strcmp(code, "match_over") == 0;
    bool is_passing = strcmp(code, "busy") == 0 || strcmp(code, "store_unavailable") == 0;

    return (is_late && is_over) || /* the checker has resigned */
           ((is_late || strcmp(code, "wrong_turn") == 0) && scenario->kind == HURRYING) ||
           (is_passing && scenario->kind == RESTARTING);
}
