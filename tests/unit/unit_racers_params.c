/* Params and states of racers that are refused, each with its reason and its place. */
#include "tests/unit/request_case.h"

/* ---- params ------------------------------------------------------------------------------ */

#define BOARD_OF(walls, starts, items, teleporters)                            \
    "{'rows':10,'cols':12,'board':{'walls':[" walls "],'starts':[" starts "]," \
    "'items':[" items "],'teleporters':[" teleporters "]}}"
#define STARTS         "[0,9],[11,0]"
#define ITEM(kind, at) "{'kind':'" kind "','at':" at "}"
#define TELE(at, to)   "{'at':" at ",'to':" to "}"
#define MIDDLE_TWO     TELE("[3,3]", "[8,8]") "," TELE("[8,8]", "[3,3]")

static const struct request_case params_cases[] = {
    { "nothing: all defaults", "{}", NULL, NULL },
    { "the smallest board", "{'rows':10,'cols':10}", NULL, NULL },
    { "the largest board", "{'rows':64,'cols':64}", NULL, NULL },
    { "not square", "{'rows':10,'cols':64}", NULL, NULL },
    { "too few rows", "{'rows':9}", "malformed", "/params/rows" },
    { "too few columns", "{'cols':9}", "malformed", "/params/cols" },
    { "too many rows", "{'rows':65}", "malformed", "/params/rows" },
    { "too many columns", "{'cols':65}", "malformed", "/params/cols" },
    { "no chance of failures", "{'failure_permille':0}", NULL, NULL },
    { "certain failures", "{'failure_permille':1000}", NULL, NULL },
    { "more than certain", "{'failure_permille':1001}", "malformed", "/params/failure_permille" },
    { "less than none", "{'failure_permille':-1}", "malformed", "/params/failure_permille" },
    { "a limit of one turn", "{'turn_limit':1}", NULL, NULL },
    { "a limit of no turns", "{'turn_limit':0}", "malformed", "/params/turn_limit" },
    { "the largest limit", "{'turn_limit':1000000}", NULL, NULL },
    { "past it", "{'turn_limit':1000001}", "malformed", "/params/turn_limit" },
    { "a member that does not exist", "{'row':12}", "malformed", "/params/row" },
    { "a board",
      BOARD_OF("[4,4],[5,4]", STARTS, ITEM("disc", "[1,8]") "," ITEM("grenade", "[1,8]"),
               MIDDLE_TWO),
      NULL, NULL },
    { "an empty board", BOARD_OF("", STARTS, "", ""), NULL, NULL },
    { "a board without walls", "{'board':{'starts':[[0,0],[5,5]],'items':[],'teleporters':[]}}",
      "malformed", "/params/board/walls" },
    { "a board without starts", "{'board':{'walls':[],'items':[],'teleporters':[]}}", "malformed",
      "/params/board/starts" },
    { "a board without items", "{'board':{'walls':[],'starts':[[0,0],[5,5]],'teleporters':[]}}",
      "malformed", "/params/board/items" },
    { "a board without teleporters", "{'board':{'walls':[],'starts':[[0,0],[5,5]],'items':[]}}",
      "malformed", "/params/board/teleporters" },
    { "one start", BOARD_OF("", "[0,9]", "", ""), "malformed", "/params/board/starts" },
    { "three starts", BOARD_OF("", STARTS ",[5,5]", "", ""), "malformed", "/params/board/starts" },
    { "equal starts", BOARD_OF("", "[4,4],[4,4]", "", ""), "equal_starts",
      "/params/board/starts/1" },
    { "starts side by side", BOARD_OF("", "[4,4],[5,4]", "", ""), NULL, NULL },
    { "a start off the grid", BOARD_OF("", "[0,9],[12,0]", "", ""), "out_of_bounds",
      "/params/board/starts/1" },
    { "a wall on a start", BOARD_OF("[4,4],[0,9]", STARTS, "", ""), "wall_on_start",
      "/params/board/walls/1" },
    { "a wall on the other start", BOARD_OF("[11,0]", STARTS, "", ""), "wall_on_start",
      "/params/board/walls/0" },
    { "a wall off the grid", BOARD_OF("[4,10]", STARTS, "", ""), "out_of_bounds",
      "/params/board/walls/0" },
    { "a wall at the extremes of 32 bits", BOARD_OF("[-2147483648,2147483647]", STARTS, "", ""),
      "out_of_bounds", "/params/board/walls/0" },
    { "a wall at a number past 32 bits", BOARD_OF("[4,4294967296]", STARTS, "", ""), "malformed",
      "/params/board/walls/0/1" },
    { "a wall twice", BOARD_OF("[4,4],[5,4],[4,4]", STARTS, "", ""), "two_of_a_kind",
      "/params/board/walls/2" },
    { "walls that touch are exempt from the setup's rules",
      BOARD_OF("[4,4],[5,4],[4,5],[5,5]", STARTS, "", ""), NULL, NULL },
    { "a start walled in is exempt too", BOARD_OF("[0,8],[1,8],[1,9]", STARTS, "", ""), NULL,
      NULL },
    { "an item on a start", BOARD_OF("", STARTS, ITEM("disc", "[0,9]"), ""), NULL, NULL },
    { "an item on a wall", BOARD_OF("[4,4]", STARTS, ITEM("disc", "[4,4]"), ""), "item_on_wall",
      "/params/board/items/0/at" },
    { "an item off the grid", BOARD_OF("", STARTS, ITEM("disc", "[4,-1]"), ""), "out_of_bounds",
      "/params/board/items/0/at" },
    { "two discs on a square",
      BOARD_OF("", STARTS, ITEM("disc", "[4,4]") "," ITEM("disc", "[4,4]"), ""), "two_of_a_kind",
      "/params/board/items/1/at" },
    { "two grenades on a square, whatever their states",
      BOARD_OF("", STARTS,
               "{'kind':'grenade','at':[4,4],'state':'exploded'}," ITEM("grenade", "[4,4]"), ""),
      "two_of_a_kind", "/params/board/items/1/at" },
    { "two charged discs on a square",
      BOARD_OF("", STARTS, ITEM("charged_disc", "[4,4]") "," ITEM("charged_disc", "[4,4]"), ""),
      "two_of_a_kind", "/params/board/items/1/at" },
    { "several charged discs",
      BOARD_OF("", STARTS, ITEM("charged_disc", "[4,4]") "," ITEM("charged_disc", "[5,4]"), ""),
      NULL, NULL },
    { "different kinds share a square",
      BOARD_OF("", STARTS,
               ITEM("disc", "[3,3]") "," ITEM("charged_disc", "[3,3]") "," ITEM("grenade", "[3,3]"),
               MIDDLE_TWO),
      NULL, NULL },
    { "a grenade in each state",
      BOARD_OF("", STARTS,
               "{'kind':'grenade','at':[4,4],'state':'inactive'},"
               "{'kind':'grenade','at':[5,4],'state':'placed'},"
               "{'kind':'grenade','at':[6,4],'state':'active'},"
               "{'kind':'grenade','at':[7,4],'state':'exploded'}",
               ""),
      NULL, NULL },
    { "a state that does not exist",
      BOARD_OF("", STARTS, "{'kind':'grenade','at':[4,4],'state':'hot'}", ""), "malformed",
      "/params/board/items/0/state" },
    { "a disc that is active",
      BOARD_OF("", STARTS, "{'kind':'disc','at':[4,4],'state':'active'}", ""), "bad_item_state",
      "/params/board/items/0/state" },
    { "a kind that does not exist", BOARD_OF("", STARTS, ITEM("mine", "[4,4]"), ""), "malformed",
      "/params/board/items/0/kind" },
    { "a teleporter on a start",
      BOARD_OF("", STARTS, "", TELE("[0,9]", "[8,8]") "," TELE("[8,8]", "[0,9]")),
      "teleporter_on_start", "/params/board/teleporters/0/at" },
    { "a teleporter on a wall", BOARD_OF("[8,8]", STARTS, "", MIDDLE_TWO), "teleporter_on_wall",
      "/params/board/teleporters/1/at" },
    { "two teleporters on a square",
      BOARD_OF("", STARTS, "", MIDDLE_TWO "," TELE("[3,3]", "[8,8]")), "two_of_a_kind",
      "/params/board/teleporters/2/at" },
    { "a teleporter to itself", BOARD_OF("", STARTS, "", TELE("[3,3]", "[3,3]")),
      "teleporter_to_itself", "/params/board/teleporters/0/to" },
    { "a teleporter to no teleporter", BOARD_OF("", STARTS, "", TELE("[3,3]", "[8,8]")),
      "teleporter_to_nowhere", "/params/board/teleporters/0/to" },
    { "a teleporter off the grid", BOARD_OF("", STARTS, "", TELE("[12,3]", "[3,3]")),
      "out_of_bounds", "/params/board/teleporters/0/at" },
    { "a teleporter leading off the grid", BOARD_OF("", STARTS, "", TELE("[3,3]", "[3,10]")),
      "out_of_bounds", "/params/board/teleporters/0/to" },
    { "not mutual",
      BOARD_OF("", STARTS, "",
               TELE("[3,3]", "[8,8]") "," TELE("[8,8]", "[5,5]") "," TELE("[5,5]", "[8,8]")),
      NULL, NULL },
};

CASES(racers_params, are_refused_with_reason_and_place, params_cases)
{
    expect_request(&params_cases[*index], "{'ruleset':'racers','params':");
}

/* ---- states ------------------------------------------------------------------------------ */

#define RACER(seat, at, rest)              "{'seat':" #seat ",'at':" at "," rest "}"
#define REST                               "'debt':0,'skip':0,'performed':0,'carried':[],'trail':[]"
#define A                                  RACER(0, "[0,9]", REST)
#define B                                  RACER(1, "[9,0]", REST)
#define TURN                               "'active':0,'actions_left':3,'moved':false"
#define LISTS                              "'items':[],'teleporters':[],'failures':[]"
#define GROUND                             "'walls':[],'starts':[[0,9],[9,0]]"
#define STATE(ground, turn, racers, lists) "{" ground "," turn ",'racers':[" racers "]," lists "}"

/* Seat 0's racer with a trail, four actions performed. */
#define TRAIL_OF(trail)                                                                    \
    STATE(GROUND, TURN,                                                                    \
          RACER(0, "[0,9]",                                                                \
                "'debt':0,'skip':0,'performed':4,'carried':[],'trail':[" trail "]") "," B, \
          LISTS)
#define LEFT(at, action) "{'at':" at ",'action':" #action ",'hop':false}"

/* Seat 0's racer with one number changed. */
#define WITH(rest) STATE(GROUND, TURN, RACER(0, "[0,9]", rest) "," B, LISTS)

#define FAILURES(list) \
    STATE(GROUND, TURN, A "," B, "'items':[],'teleporters':[],'failures':[" list "]")
#define ITEMS(list) \
    STATE(GROUND, TURN, A "," B, "'items':[" list "],'teleporters':[],'failures':[]")
#define ACTIONS(count, more) \
    STATE(GROUND, "'active':0,'actions_left':" #count ",'moved':false", A "," B, LISTS more)

static const struct request_case state_cases[] = {
    { "as it begins", STATE(GROUND, TURN, A "," B, LISTS), NULL, NULL },
    { "no racers", STATE(GROUND, TURN, "", LISTS), "malformed", "/state/racers" },
    { "one racer", STATE(GROUND, TURN, A, LISTS), "malformed", "/state/racers" },
    { "three racers", STATE(GROUND, TURN, A "," B "," B, LISTS), "malformed", "/state/racers" },
    { "seat 0 twice", STATE(GROUND, TURN, A "," RACER(0, "[5,5]", REST), LISTS), "invalid_state",
      "/state/racers/1/seat" },
    { "a seat that does not exist", STATE(GROUND, TURN, A "," RACER(2, "[5,5]", REST), LISTS),
      "malformed", "/state/racers/1/seat" },
    { "a racer off the board", STATE(GROUND, TURN, RACER(0, "[10,0]", REST) "," B, LISTS),
      "invalid_state", "/state/racers/0/at" },
    { "both racers on a square", STATE(GROUND, TURN, A "," RACER(1, "[0,9]", REST), LISTS),
      "invalid_state", "/state/racers/1/at" },
    { "a racer on a wall",
      STATE("'walls':[[5,5]],'starts':[[0,9],[9,0]]", TURN, A "," RACER(1, "[5,5]", REST), LISTS),
      "invalid_state", "/state/racers/1/at" },
    { "a wall on a start", STATE("'walls':[[0,9]],'starts':[[0,9],[9,0]]", TURN, A "," B, LISTS),
      "invalid_state", "/state/walls/0" },
    { "equal starts", STATE("'walls':[],'starts':[[0,9],[0,9]]", TURN, A "," B, LISTS),
      "invalid_state", "/state/starts/1" },
    { "a wall off the board",
      STATE("'walls':[[3,3],[3,10]],'starts':[[0,9],[9,0]]", TURN, A "," B, LISTS), "invalid_state",
      "/state/walls/1" },
    { "one action left", ACTIONS(1, ""), NULL, NULL },
    { "no action left", ACTIONS(0, ""), "invalid_state", "/state/actions_left" },
    { "no action left when it is over",
      ACTIONS(0, ",'outcome':{'winner':null,'reason':'draw_turn_limit'}"), NULL, NULL },
    { "four actions left", ACTIONS(4, ""), "malformed", "/state/actions_left" },
    { "an active seat that does not exist",
      STATE(GROUND, "'active':2,'actions_left':3,'moved':false", A "," B, LISTS), "malformed",
      "/state/active" },
    { "a debt at its limit", WITH("'debt':1000,'skip':0,'performed':0,'carried':[],'trail':[]"),
      NULL, NULL },
    { "a debt past it", WITH("'debt':1001,'skip':0,'performed':0,'carried':[],'trail':[]"),
      "malformed", "/state/racers/0/debt" },
    { "a debt below 0", WITH("'debt':-1,'skip':0,'performed':0,'carried':[],'trail':[]"),
      "malformed", "/state/racers/0/debt" },
    { "skips at their limit", WITH("'debt':0,'skip':100,'performed':0,'carried':[],'trail':[]"),
      NULL, NULL },
    { "skips past it", WITH("'debt':0,'skip':101,'performed':0,'carried':[],'trail':[]"),
      "malformed", "/state/racers/0/skip" },
    { "the most actions that can be handed in",
      WITH("'debt':0,'skip':0,'performed':2000000000,'carried':[],'trail':[]"), NULL, NULL },
    { "more than that", WITH("'debt':0,'skip':0,'performed':2000000001,'carried':[],'trail':[]"),
      "invalid_state", "/state/racers/0/performed" },
    { "performed below 0", WITH("'debt':0,'skip':0,'performed':-1,'carried':[],'trail':[]"),
      "malformed", "/state/racers/0/performed" },
    { "six carried",
      WITH("'debt':0,'skip':0,'performed':0,'carried':['disc','disc','grenade','charged_disc',"
           "'disc','disc'],'trail':[]"),
      NULL, NULL },
    { "seven carried",
      WITH("'debt':0,'skip':0,'performed':0,'carried':['disc','disc','disc','disc','disc','disc',"
           "'disc'],'trail':[]"),
      "malformed", "/state/racers/0/carried" },
    { "something carried that does not exist",
      WITH("'debt':0,'skip':0,'performed':0,'carried':['lamp'],'trail':[]"), "malformed",
      "/state/racers/0/carried/0" },
    { "a trail of three", TRAIL_OF(LEFT("[0,8]", 4) "," LEFT("[0,7]", 3) "," LEFT("[0,6]", 2)),
      NULL, NULL },
    { "a trail of four",
      TRAIL_OF(LEFT("[0,8]", 4) "," LEFT("[0,7]", 3) "," LEFT("[0,6]", 2) "," LEFT("[0,5]", 1)),
      "malformed", "/state/racers/0/trail" },
    { "a trail without hop", TRAIL_OF("{'at':[0,8],'action':4}"), NULL, NULL },
    { "a trail with a gap", TRAIL_OF(LEFT("[0,8]", 4) "," LEFT("[0,7]", 2)), NULL, NULL },
    { "a trail that is oldest first", TRAIL_OF(LEFT("[0,7]", 3) "," LEFT("[0,8]", 4)),
      "invalid_state", "/state/racers/0/trail/1/action" },
    { "two squares left at one action", TRAIL_OF(LEFT("[0,7]", 3) "," LEFT("[0,8]", 3)),
      "invalid_state", "/state/racers/0/trail/1/action" },
    { "an action that never was", TRAIL_OF(LEFT("[0,7]", 0)), "malformed",
      "/state/racers/0/trail/0/action" },
    { "trail off the board", TRAIL_OF(LEFT("[0,10]", 4)), "invalid_state",
      "/state/racers/0/trail/0/at" },
    { "trail past its life", TRAIL_OF(LEFT("[0,8]", 4) "," LEFT("[0,7]", 1)), NULL, NULL },
    { "a failure", FAILURES("{'at':[5,5],'turns_left':3}"), NULL, NULL },
    { "a failure in its last turn", FAILURES("{'at':[5,5],'turns_left':1}"), NULL, NULL },
    { "a failure past it", FAILURES("{'at':[5,5],'turns_left':0}"), "malformed",
      "/state/failures/0/turns_left" },
    { "a failure that is too long", FAILURES("{'at':[5,5],'turns_left':4}"), "malformed",
      "/state/failures/0/turns_left" },
    { "a failure off the board", FAILURES("{'at':[5,-1],'turns_left':3}"), "invalid_state",
      "/state/failures/0/at" },
    { "a square that failed in two turns",
      FAILURES("{'at':[5,5],'turns_left':1},{'at':[5,5],'turns_left':3}"), NULL, NULL },
    { "a square that failed twice in one",
      FAILURES("{'at':[5,5],'turns_left':2},{'at':[5,5],'turns_left':2}"), "invalid_state",
      "/state/failures/1/at" },
    { "two discs that landed on one square",
      ITEMS("{'kind':'disc','at':[5,5]},{'kind':'disc','at':[5,5]}"), NULL, NULL },
    { "two grenades on one square",
      ITEMS("{'kind':'grenade','at':[5,5],'state':'active'},"
            "{'kind':'grenade','at':[5,5],'state':'exploded'}"),
      "invalid_state", "/state/items/1/at" },
    { "an item off the board", ITEMS("{'kind':'disc','at':[5,10]}"), "invalid_state",
      "/state/items/0/at" },
    { "an item on a wall",
      STATE("'walls':[[5,5]],'starts':[[0,9],[9,0]]", TURN, A "," B,
            "'items':[{'kind':'disc','at':[5,5]}],'teleporters':[],'failures':[]"),
      "invalid_state", "/state/items/0/at" },
    { "a teleporter to nowhere",
      STATE(GROUND, TURN, A "," B,
            "'items':[],'teleporters':[{'at':[5,5],'to':[6,6]}],'failures':[]"),
      "invalid_state", "/state/teleporters/0/to" },
    { "trail on a wall",
      STATE("'walls':[[0,8]],'starts':[[0,9],[9,0]]", TURN,
            RACER(0, "[0,9]",
                  "'debt':0,'skip':0,'performed':4,'carried':[],'trail':[" LEFT("[0,8]",
                                                                                4) "]") "," B,
            LISTS),
      "invalid_state", "/state/racers/0/trail/0/at" },
    { "no failures", "{" GROUND "," TURN ",'racers':[" A "," B "],'items':[],'teleporters':[]}",
      "malformed", "/state/failures" },
    { "no walls", "{'starts':[[0,9],[9,0]]," TURN ",'racers':[" A "," B "]," LISTS "}", "malformed",
      "/state/walls" },
    { "won", ACTIONS(2, ",'outcome':{'winner':1,'reason':'unmoved'}"), NULL, NULL },
    { "a reason of another ruleset", ACTIONS(2, ",'outcome':{'winner':1,'reason':'eliminated'}"),
      "invalid_state", "/state/outcome/reason" },
};

CASES(racers_states, that_could_not_be_are_refused_with_place, state_cases)
{
    expect_request(&state_cases[*index],
                   "{'ruleset':'racers','params':{'rows':10,'cols':10},'turn':3,'state':");
}

/* ---- commands ---------------------------------------------------------------------------- */

static const struct request_case command_cases[] = {
    { "a move", "[[{'kind':'move','dir':'n'}],[]]", NULL, NULL },
    { "a move without a direction", "[[{'kind':'move'}],[]]", "malformed", "/commands/0/0/dir" },
    { "a direction that does not exist", "[[{'kind':'move','dir':'up'}],[]]", "malformed",
      "/commands/0/0/dir" },
    { "a move with an item", "[[{'kind':'move','dir':'n','item':'disc'}],[]]", "malformed",
      "/commands/0/0/item" },
    { "picking up", "[[{'kind':'pick_up','item':'charged_disc'}],[]]", NULL, NULL },
    { "picking up nothing", "[[{'kind':'pick_up'}],[]]", "malformed", "/commands/0/0/item" },
    { "using without a direction", "[[{'kind':'use','item':'disc'}],[]]", NULL, NULL },
    { "using in no direction", "[[{'kind':'use','item':'disc','dir':null}],[]]", "malformed",
      "/commands/0/0/dir" },
    { "ending", "[[{'kind':'end_turn'}],[]]", NULL, NULL },
    { "ending, confirmed", "[[{'kind':'end_turn','confirm':true}],[]]", NULL, NULL },
    { "ending, confirmed by a number", "[[{'kind':'end_turn','confirm':1}],[]]", "malformed",
      "/commands/0/0/confirm" },
    { "attacking", "[[{'kind':'attack'}],[]]", "malformed", "/commands/0/0/kind" },
    { "three lists", "[[],[],[]]", "malformed", "/commands" },
};

CASES(racers_commands, are_refused_with_place, command_cases)
{
    expect_request(&command_cases[*index], "{'ruleset':'racers','params':{},'commands':");
}
