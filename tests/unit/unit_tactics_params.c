/* Params and states of tactics that are refused, each with its reason and its place. */
#include "tests/unit/request_case.h"

/* ---- params ------------------------------------------------------------------------------ */

#define PATTERNS "'patterns':{'p':{'rows':['xxx','x x','xxx']}}"
#define MODEL(move, attack) \
    "'m':{'description':'','health':5,'power':1,'move':[" move "],'attack':[" attack "]}"
#define MODELS               "'models':{" MODEL("'p'", "'p'") "}"
#define UNIT(id, seat, x, y) "{'id':'" id "','model':'m','seat':" #seat ",'at':[" #x "," #y "]}"
#define UNITS_OF(units)      "'units':[" units "]"

static const struct request_case params_cases[] = {
    { "all that there is", "{" PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 0, 0, 8)) "}", NULL,
      NULL },
    { "nothing: the default roster", "{}", NULL, NULL },
    { "the default roster on a larger board", "{'rows':20,'cols':20}", NULL, NULL },
    { "the default roster on a board that is too small for it", "{'rows':3,'cols':3}",
      "out_of_bounds", "/params/units/0/at" },
    { "units are missing", "{" PATTERNS "," MODELS "}", "malformed", "/params/units" },
    { "models are missing", "{" PATTERNS "," UNITS_OF("") "}", "malformed", "/params/models" },
    { "patterns are missing", "{" MODELS "," UNITS_OF("") "}", "malformed", "/params/patterns" },
    { "a member that does not exist", "{'row':9}", "malformed", "/params/row" },
    { "a model without health",
      "{" PATTERNS
      ",'models':{'m':{'description':'','power':1,'move':[],'attack':[]}}," UNITS_OF("") "}",
      "malformed", "/params/models/m/health" },
    { "a movement pattern that is not there",
      "{" PATTERNS ",'models':{" MODEL("'p','q'", "") "}," UNITS_OF("") "}", "unknown_pattern",
      "/params/models/m/move/1" },
    { "an attack pattern that is not there",
      "{" PATTERNS ",'models':{" MODEL("", "'P'") "}," UNITS_OF("") "}", "unknown_pattern",
      "/params/models/m/attack/0" },
    { "a model that is not there",
      "{" PATTERNS "," MODELS ",'units':[{'id':'a','model':'n','seat':0,'at':[0,0]}]}",
      "unknown_model", "/params/units/0/model" },
    { "two units of one id",
      "{" PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 0, 0, 8) "," UNIT("a", 1, 0, 0)) "}",
      "duplicate_id", "/params/units/1/id" },
    { "two units on one cell",
      "{" PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 0, 0, 8) "," UNIT("b", 1, 0, 8)) "}",
      "cell_taken", "/params/units/1/at" },
    { "a unit off the board to the right",
      "{" PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 0, 9, 0)) "}", "out_of_bounds",
      "/params/units/0/at" },
    { "a unit below the board", "{" PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 0, 0, 9)) "}",
      "out_of_bounds", "/params/units/0/at" },
    { "a unit at the extremes of 32 bits",
      "{" PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 0, -2147483648, 2147483647)) "}",
      "out_of_bounds", "/params/units/0/at" },
    { "a seat that does not exist", "{" PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 2, 0, 0)) "}",
      "malformed", "/params/units/0/seat" },
    { "with placement, the host above its start rows",
      "{'placement':true," PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 0, 0, 5)) "}",
      "not_start_row", "/params/units/0/at" },
    { "with placement, the host on the first of them",
      "{'placement':true," PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 0, 0, 6)) "}", NULL, NULL },
    { "with placement, the guest below its start rows",
      "{'placement':true," PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 1, 0, 3)) "}",
      "not_start_row", "/params/units/0/at" },
    { "with placement, the guest on the last of them",
      "{'placement':true," PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 1, 0, 2)) "}", NULL, NULL },
    { "without placement, start rows bind nobody",
      "{" PATTERNS "," MODELS "," UNITS_OF(UNIT("a", 0, 0, 0)) "}", NULL, NULL },
    { "an id with a space", "{" PATTERNS "," MODELS "," UNITS_OF(UNIT("a b", 0, 0, 0)) "}",
      "malformed", "/params/units/0/id" },
    { "a number in quotes", "{'rows':'9'}", "malformed", "/params/rows" },
    { "a cell of three",
      "{" PATTERNS "," MODELS ",'units':[{'id':'a','model':'m','seat':0,'at':[0,0,0]}]}",
      "malformed", "/params/units/0/at" },
};

CASES(tactics_params, are_refused_with_reason_and_place, params_cases)
{
    expect_request(&params_cases[*index], "{'ruleset':'tactics','params':");
}

/* ---- states ------------------------------------------------------------------------------ */

/* Of a match between a and b, both of model m with 5 health, on nine by nine cells. */
#define STATE_OF(units) "{'phase':'play','units':[" units "]}"
#define LIVING(id, seat, x, y, health) \
    "{'id':'" id "','model':'m','seat':" #seat ",'at':[" #x "," #y "],'health':" #health "}"
#define OVER(outcome)                                                            \
    "{'phase':'play','units':[" LIVING("a", 0, 0, 8, 5) "," LIVING("b", 1, 0, 0, \
                                                                   5) "],"       \
                                                                      "'outcome':" outcome "}"

static const struct request_case state_cases[] = {
    { "both where they start", STATE_OF(LIVING("a", 0, 0, 8, 5) "," LIVING("b", 1, 0, 0, 5)), NULL,
      NULL },
    { "in another order", STATE_OF(LIVING("b", 1, 0, 0, 5) "," LIVING("a", 0, 0, 8, 5)), NULL,
      NULL },
    { "one alone", STATE_OF(LIVING("a", 0, 3, 3, 5)), NULL, NULL },
    { "nobody", STATE_OF(""), NULL, NULL },
    { "more health than the model's", STATE_OF(LIVING("a", 0, 0, 8, 2147483647)), NULL, NULL },
    { "health 0", STATE_OF(LIVING("a", 0, 0, 8, 0)), "malformed", "/state/units/0/health" },
    { "health below 0", STATE_OF(LIVING("a", 0, 0, 8, -1)), "malformed", "/state/units/0/health" },
    { "an id that params do not know", STATE_OF(LIVING("c", 0, 0, 8, 5)), "invalid_state",
      "/state/units/0/id" },
    { "an id twice", STATE_OF(LIVING("a", 0, 0, 8, 5) "," LIVING("a", 0, 1, 8, 5)), "invalid_state",
      "/state/units/1/id" },
    { "another seat than params say", STATE_OF(LIVING("a", 1, 0, 8, 5)), "invalid_state",
      "/state/units/0/seat" },
    { "another model than params say",
      STATE_OF("{'id':'a','model':'n','seat':0,'at':[0,8],'health':5}"), "invalid_state",
      "/state/units/0/model" },
    { "off the board", STATE_OF(LIVING("a", 0, 9, 8, 5)), "invalid_state", "/state/units/0/at" },
    { "at the extremes of 32 bits", STATE_OF(LIVING("a", 0, 2147483647, -2147483648, 5)),
      "invalid_state", "/state/units/0/at" },
    { "two on a cell", STATE_OF(LIVING("a", 0, 4, 4, 5) "," LIVING("b", 1, 4, 4, 5)),
      "invalid_state", "/state/units/1/at" },
    { "a placement that this match has not", "{'phase':'placement','units':[]}", "invalid_state",
      "/state/phase" },
    { "a phase that does not exist", "{'phase':'later','units':[]}", "malformed", "/state/phase" },
    { "no phase", "{'units':[]}", "malformed", "/state/phase" },
    { "no units", "{'phase':'play'}", "malformed", "/state/units" },
    { "won by resignation", OVER("{'winner':1,'reason':'resignation'}"), NULL, NULL },
    { "a draw", OVER("{'winner':null,'reason':'draw_agreed'}"), NULL, NULL },
    { "a reason that does not exist", OVER("{'winner':1,'reason':'luck'}"), "invalid_state",
      "/state/outcome/reason" },
    { "a winner who has no seat", OVER("{'winner':2,'reason':'resignation'}"), "invalid_state",
      "/state/outcome/winner" },
    { "a draw with a winner", OVER("{'winner':0,'reason':'draw_agreed'}"), "invalid_state",
      "/state/outcome/winner" },
};

CASES(tactics_states, that_could_not_be_are_refused_with_place, state_cases)
{
    expect_request(&state_cases[*index],
                   "{'ruleset':'tactics','params':{" PATTERNS "," MODELS
                   "," UNITS_OF(UNIT("a", 0, 0, 8) "," UNIT("b", 1, 0, 0)) "},'turn':3,'state':");
}
