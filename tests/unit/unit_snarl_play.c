/* What a turn of snarl does: arriving, passing on, rounds, levels, the end, leaving. */
#include <string.h>

#include "common/rules/snarl/internal.h"
#include "tests/support/cases.h"
#include "tests/support/snarl_draw.h"
#include "tests/support/tactics_draw.h"

struct play_case {
    const char *label;
    struct dungeon dungeon;
    const char *lists[SK_SEATS_MAX];
    const char *gets[SK_SEATS_MAX]; /* NULL = nothing was sent */
    const char *events;
    const char *after;
    const char *outcome; /* NULL = goes on */
    uint32_t turns;
};

#define IDLE   .options = "'adversaries':'idle'"
#define VERSUS .options = "'mode':'versus'"

/* Key, exit and a zombie that does not move. */
#define ROOM  .levels = "#######/#A.k.z#/#..B.x#/#######"
#define TWO   ROOM "|#####/#B.A#/#.x.#/#####"
#define ALONE .levels = "######/#A.kx#/#..z.#/######"

static const struct play_case arrival_cases[] = {
    { .label = "nothing is there",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>2,1" },
      .gets = { "ok" },
      .events = "moved A 1,1 2,1",
      .after = "1.1 B: A@2,1 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "staying where nothing is",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>-" },
      .gets = { "ok" },
      .events = "",
      .after = "1.1 B: A@1,1 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "the key",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>3,1" },
      .gets = { "ok" },
      .events = "moved A 1,1 3,1; took_key A 3,1",
      .after = "1.1 B: A@3,1 B@3,2 zombie-1@5,1 unlocked",
      .turns = 1 },
    { .label = "passing over the key does not take it",
      .dungeon = { ROOM, IDLE, .stands = "A@2,1" },
      .lists = { "A>4,1" },
      .gets = { "ok" },
      .events = "moved A 2,1 4,1",
      .after = "1.1 B: A@4,1 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "passing an adversary does nothing",
      .dungeon = { .levels = "######/#Az.x#/######", IDLE },
      .lists = { "A>3,1" },
      .gets = { "ok" },
      .events = "moved A 1,1 3,1",
      .after = "1.2 A: A@3,1 zombie-1@2,1 unlocked",
      .turns = 1 },
    { .label = "the locked exit",
      .dungeon = { ROOM, IDLE, .stands = "A@4,1" },
      .lists = { "A>5,2" },
      .gets = { "ok" },
      .events = "moved A 4,1 5,2",
      .after = "1.1 B: A@5,2 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "the unlocked exit",
      .dungeon = { ROOM, IDLE, .stands = "A@4,1", .is_unlocked = true },
      .lists = { "A>5,2" },
      .gets = { "ok" },
      .events = "moved A 4,1 5,2; exited A 5,2",
      .after = "1.1 B: A=exited B@3,2 zombie-1@5,1 unlocked",
      .turns = 1 },
    { .label = "an adversary",
      .dungeon = { ROOM, IDLE, .stands = "A@4,1" },
      .lists = { "A>5,1" },
      .gets = { "ok" },
      .events = "moved A 4,1 5,1; expelled A by zombie-1 5,1",
      .after = "1.1 B: A=expelled B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "an adversary on the key: expelled, and the key stays",
      .dungeon = { ROOM, IDLE, .stands = "zombie-1@3,1" },
      .lists = { "A>3,1" },
      .gets = { "ok" },
      .events = "moved A 1,1 3,1; expelled A by zombie-1 3,1",
      .after = "1.1 B: A=expelled B@3,2 zombie-1@3,1 locked",
      .turns = 1 },
    { .label = "an adversary on the exit: expelled, not exited",
      .dungeon = { ROOM, IDLE, .stands = "A@4,2 zombie-1@5,2 B@1,1", .is_unlocked = true },
      .lists = { "A>5,2" },
      .gets = { "ok" },
      .events = "moved A 4,2 5,2; expelled A by zombie-1 5,2",
      .after = "1.1 B: A=expelled B@1,1 zombie-1@5,2 unlocked",
      .turns = 1 },
    { .label = "staying on the exit when it is unlocked",
      .dungeon = { ROOM, IDLE, .stands = "A@5,2", .is_unlocked = true },
      .lists = { "A>-" },
      .gets = { "ok" },
      .events = "exited A 5,2",
      .after = "1.1 B: A=exited B@3,2 zombie-1@5,1 unlocked",
      .turns = 1 },
    { .label = "naming the own tile is staying, too",
      .dungeon = { ROOM, IDLE, .stands = "A@5,2", .is_unlocked = true },
      .lists = { "A>5,2" },
      .gets = { "ok" },
      .events = "exited A 5,2",
      .after = "1.1 B: A=exited B@3,2 zombie-1@5,1 unlocked",
      .turns = 1 },
    { .label = "so is a timeout",
      .dungeon = { ROOM, IDLE, .stands = "A@5,2", .is_unlocked = true },
      .lists = { "timeout" },
      .gets = { "ok" },
      .events = "exited A 5,2",
      .after = "1.1 B: A=exited B@3,2 zombie-1@5,1 unlocked",
      .turns = 1 },
    { .label = "staying on the key takes it",
      .dungeon = { ROOM, IDLE, .stands = "A@3,1" },
      .lists = { "A>-" },
      .gets = { "ok" },
      .events = "took_key A 3,1",
      .after = "1.1 B: A@3,1 B@3,2 zombie-1@5,1 unlocked",
      .turns = 1 },
    { .label = "staying beside an adversary's tile that became one's own",
      .dungeon = { ROOM, IDLE, .stands = "A@5,1" },
      .lists = { "A>-" },
      .gets = { "ok" },
      .events = "expelled A by zombie-1 5,1",
      .after = "1.1 B: A=expelled B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "a teammate's key does not move who stands on the exit",
      .dungeon = { ROOM, IDLE, .stands = "B@5,2", .active = "A" },
      .lists = { "A>3,1" },
      .gets = { "ok" },
      .events = "moved A 1,1 3,1; took_key A 3,1",
      .after = "1.1 B: A@3,1 B@5,2 zombie-1@5,1 unlocked",
      .turns = 1 },
    { .label = "without a key the exit is unlocked from the start",
      .dungeon = { .levels = "#####/#A.B#/#.x.#/#####", IDLE },
      .lists = { "A>2,2" },
      .gets = { "ok" },
      .events = "moved A 1,1 2,2; exited A 2,2",
      .after = "1.1 B: A=exited B@3,1 unlocked",
      .turns = 1 },
    { .label = "a refused move changes nothing",
      .dungeon = { ROOM, IDLE, .turn = 7 },
      .lists = { "A>1,0", NULL },
      .gets = { "not_traversable:tile" },
      .events = "",
      .after = "1.1 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .turns = 0 },
};

static const struct play_case passing_cases[] = {
    { .label = "a list stops when the turn is another seat's",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>2,1 A>3,1" },
      .gets = { "ok not_your_turn:own_turn" },
      .events = "moved A 1,1 2,1",
      .after = "1.1 B: A@2,1 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "who did not owe when it was sent is not asked",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>2,1", "B>3,1" },
      .gets = { "ok", "not_your_turn:own_turn" },
      .events = "moved A 1,1 2,1",
      .after = "1.1 B: A@2,1 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "after the last hero a new round begins",
      .dungeon = { ROOM, IDLE, .active = "B" },
      .lists = { NULL, "B>2,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 3,2 2,2",
      .after = "1.2 A: A@1,1 B@2,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "heroes who are gone are passed over",
      .dungeon = { ROOM, IDLE, .stands = "B=expelled" },
      .lists = { "A>2,1" },
      .gets = { "ok" },
      .events = "moved A 1,1 2,1",
      .after = "1.2 A: A@2,1 B=expelled zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "a single hero plays a whole list",
      .dungeon = { ALONE, IDLE },
      .lists = { "A>3,1 A>4,1" },
      .gets = { "ok ok" },
      .events = "moved A 1,1 3,1; took_key A 3,1; moved A 3,1 4,1; exited A 4,1; "
                "level_ended 1 left; game_ended won 0",
      .after = "1.2 A: A=exited zombie-1@3,2 unlocked",
      .outcome = "0 won",
      .turns = 2 },
    { .label = "a refusal stops the list",
      .dungeon = { ALONE, IDLE },
      .lists = { "A>2,1 A>9,9 A>3,1" },
      .gets = { "ok too_far:distance not_your_turn:own_turn" },
      .events = "moved A 1,1 2,1",
      .after = "1.2 A: A@2,1 zombie-1@3,2 locked",
      .turns = 1 },
    { .label = "after the end it is over for the rest of the list",
      .dungeon = { ALONE, IDLE },
      .lists = { "A>3,1 A>4,1 A>4,1" },
      .gets = { "ok ok match_over" },
      .events = "moved A 1,1 3,1; took_key A 3,1; moved A 3,1 4,1; exited A 4,1; "
                "level_ended 1 left; game_ended won 0",
      .after = "1.2 A: A=exited zombie-1@3,2 unlocked",
      .outcome = "0 won",
      .turns = 2 },
    { .label = "versus: seat 0 moves one hero after the other, then seat 1 owes",
      .dungeon = { ROOM, VERSUS },
      .lists = { "A>2,1 B>2,2 A>3,1", "zombie-1>4,1" },
      .gets = { "ok ok not_your_turn:own_turn", "not_your_turn:own_turn" },
      .events = "moved A 1,1 2,1; moved B 3,2 2,2",
      .after = "1.1 zombie-1: A@2,1 B@2,2 zombie-1@5,1 locked",
      .turns = 2 },
    { .label = "versus: after the last adversary a new round begins",
      .dungeon = { ROOM, VERSUS, .active = "zombie-1" },
      .lists = { NULL, "zombie-1>4,1" },
      .gets = { NULL, "ok" },
      .events = "moved zombie-1 5,1 4,1",
      .after = "1.2 A: A@1,1 B@3,2 zombie-1@4,1 locked",
      .turns = 1 },
    { .label = "versus: adversaries move in their order",
      .dungeon = { .levels = "######/#Az.x#/#g..z#/######", VERSUS, .active = "zombie-1" },
      .lists = { NULL, ">3,1 ghost-1>2,2 zombie-2>4,1" },
      .gets = { NULL, "ok ok ok" },
      .events = "moved zombie-1 2,1 3,1; moved ghost-1 1,2 2,2; moved zombie-2 4,2 4,1",
      .after = "1.2 A: A@1,1 zombie-1@3,1 ghost-1@2,2 zombie-2@4,1 unlocked",
      .turns = 3 },
    { .label = "versus: a timeout leaves an adversary where it is",
      .dungeon = { ROOM, VERSUS, .active = "zombie-1" },
      .lists = { NULL, "timeout" },
      .gets = { NULL, "ok" },
      .events = "",
      .after = "1.2 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "versus: idle adversaries are passed over",
      .dungeon = { ROOM, .options = "'mode':'versus','adversaries':'idle'" },
      .lists = { "A>2,1 B>2,2 A>3,1" },
      .gets = { "ok ok ok" },
      .events = "moved A 1,1 2,1; moved B 3,2 2,2; moved A 2,1 3,1; took_key A 3,1",
      .after = "1.2 B: A@3,1 B@2,2 zombie-1@5,1 unlocked",
      .turns = 3 },
    { .label = "versus: an adversary that is not there is passed over",
      .dungeon = { .levels = "######/#Az.x#/#g..z#/######",
                   VERSUS,
                   .stands = "zombie-1=gone ghost-1=gone" },
      .lists = { "A>-" },
      .gets = { "ok" },
      .events = "",
      .after = "1.1 zombie-2: A@1,1 zombie-2@4,2 unlocked",
      .turns = 1 },
    { .label = "versus: an adversary lands on a hero",
      .dungeon = { ROOM, VERSUS, .stands = "A@4,1", .active = "zombie-1" },
      .lists = { NULL, "zombie-1>4,1" },
      .gets = { NULL, "ok" },
      .events = "moved zombie-1 5,1 4,1; expelled A by zombie-1 4,1",
      .after = "1.2 B: A=expelled B@3,2 zombie-1@4,1 locked",
      .turns = 1 },
    { .label = "versus: an adversary may stand on the key and leaves it there",
      .dungeon = { ROOM, VERSUS, .stands = "zombie-1@4,1", .active = "zombie-1" },
      .lists = { NULL, "zombie-1>3,1" },
      .gets = { NULL, "ok" },
      .events = "moved zombie-1 4,1 3,1",
      .after = "1.2 A: A@1,1 B@3,2 zombie-1@3,1 locked",
      .turns = 1 },
    { .label = "versus: an adversary may stand on the unlocked exit and does not leave",
      .dungeon = { ROOM, VERSUS, .active = "zombie-1", .is_unlocked = true },
      .lists = { NULL, "zombie-1>5,2" },
      .gets = { NULL, "ok" },
      .events = "moved zombie-1 5,1 5,2",
      .after = "1.2 A: A@1,1 B@3,2 zombie-1@5,2 unlocked",
      .turns = 1 },
};

static const struct play_case level_cases[] = {
    { .label = "the first who leaves waits for the others",
      .dungeon = { TWO, IDLE, .stands = "A@4,2 B@4,1", .is_unlocked = true },
      .lists = { "A>5,2" },
      .gets = { "ok" },
      .events = "moved A 4,2 5,2; exited A 5,2",
      .after = "1.1 B: A=exited B@4,1 zombie-1@5,1 unlocked",
      .turns = 1 },
    { .label = "when the last has left the next level begins, each at his own start",
      .dungeon = { TWO, IDLE, .stands = "A=exited B@4,2", .active = "B", .round = 9,
                   .is_unlocked = true },
      .lists = { NULL, "B>5,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 4,2 5,2; exited B 5,2; level_ended 1 left; level_started 2",
      .after = "2.1 A: A@3,1 B@1,1 unlocked",
      .turns = 1 },
    { .label = "who was expelled is back",
      .dungeon = { TWO, IDLE, .stands = "A=expelled B@4,2", .active = "B", .is_unlocked = true },
      .lists = { NULL, "B>5,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 4,2 5,2; exited B 5,2; level_ended 1 left; level_started 2",
      .after = "2.1 A: A@3,1 B@1,1 unlocked",
      .turns = 1 },
    { .label = "who has resigned is not, and the others keep their starts",
      .dungeon = { TWO, IDLE, .stands = "A=resigned B@4,2", .active = "B", .is_unlocked = true },
      .lists = { NULL, "B>5,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 4,2 5,2; exited B 5,2; level_ended 1 left; level_started 2",
      .after = "2.1 B: A=resigned B@1,1 unlocked",
      .turns = 1 },
    { .label = "the last is expelled but another has left: on to the next level",
      .dungeon = { TWO, IDLE, .stands = "A=exited B@4,1", .active = "B" },
      .lists = { NULL, "B>5,1" },
      .gets = { NULL, "ok" },
      .events = "moved B 4,1 5,1; expelled B by zombie-1 5,1; level_ended 1 left; level_started 2",
      .after = "2.1 A: A@3,1 B@1,1 unlocked",
      .turns = 1 },
    { .label = "everybody is expelled: lost",
      .dungeon = { TWO, IDLE, .stands = "A=expelled B@4,1", .active = "B" },
      .lists = { NULL, "B>5,1 B>-" },
      .gets = { NULL, "ok match_over" },
      .events = "moved B 4,1 5,1; expelled B by zombie-1 5,1; level_ended 1 lost; "
                "game_ended lost -1",
      .after = "1.1 B: A=expelled B=expelled zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 1 },
    { .label = "any: the first who leaves takes all along",
      .dungeon = { TWO, .options = "'level_end':'any','adversaries':'idle'", .stands = "A@4,2",
                   .is_unlocked = true },
      .lists = { "A>5,2" },
      .gets = { "ok" },
      .events = "moved A 4,2 5,2; exited A 5,2; level_ended 1 left; level_started 2",
      .after = "2.1 A: A@3,1 B@1,1 unlocked",
      .turns = 1 },
    { .label = "any: an expulsion alone ends nothing",
      .dungeon = { TWO, .options = "'level_end':'any','adversaries':'idle'", .stands = "A@4,1" },
      .lists = { "A>5,1" },
      .gets = { "ok" },
      .events = "moved A 4,1 5,1; expelled A by zombie-1 5,1",
      .after = "1.1 B: A=expelled B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "the last level is left: won, and the level stays as it was",
      .dungeon = { TWO, IDLE, .level = 2, .stands = "A=expelled B@2,1", .active = "B" },
      .lists = { NULL, "B>2,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 2,1 2,2; exited B 2,2; level_ended 2 left; game_ended won 1",
      .after = "2.1 B: A=expelled B=exited unlocked",
      .outcome = "1 won",
      .turns = 1 },
    { .label = "who has resigned is no rival",
      .dungeon = { TWO, IDLE, .level = 2, .stands = "A@2,1 B=resigned" },
      .lists = { "A>2,2" },
      .gets = { "ok" },
      .events = "moved A 2,1 2,2; exited A 2,2; level_ended 2 left; game_ended won 0",
      .after = "2.1 A: A=exited B=resigned unlocked",
      .outcome = "0 won",
      .turns = 1 },
    { .label = "versus: the heroes win",
      .dungeon = { TWO, VERSUS, .level = 2, .stands = "A=expelled B@2,1", .active = "B" },
      .lists = { "B>2,2" },
      .gets = { "ok" },
      .events = "moved B 2,1 2,2; exited B 2,2; level_ended 2 left; game_ended won 0",
      .after = "2.1 B: A=expelled B=exited unlocked",
      .outcome = "0 won",
      .turns = 1 },
    { .label = "versus: the adversaries win",
      .dungeon = { TWO, VERSUS, .stands = "A@4,1 B=expelled", .active = "zombie-1" },
      .lists = { NULL, "zombie-1>4,1" },
      .gets = { NULL, "ok" },
      .events = "moved zombie-1 5,1 4,1; expelled A by zombie-1 4,1; level_ended 1 lost; "
                "game_ended lost 1",
      .after = "1.1 zombie-1: A=expelled B=expelled zombie-1@4,1 locked",
      .outcome = "1 lost",
      .turns = 1 },
};

#define THREE_ROUNDS .options = "'adversaries':'idle','round_limit':3"

static const struct play_case round_cases[] = {
    { .label = "the last round but one",
      .dungeon = { ROOM, THREE_ROUNDS, .active = "B", .round = 2 },
      .lists = { NULL, "B>-" },
      .gets = { NULL, "ok" },
      .events = "",
      .after = "1.3 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "in the middle of the last round nothing happens yet",
      .dungeon = { ROOM, THREE_ROUNDS, .round = 3 },
      .lists = { "A>-" },
      .gets = { "ok" },
      .events = "",
      .after = "1.3 B: A@1,1 B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "at its end all are expelled",
      .dungeon = { ROOM, THREE_ROUNDS, .active = "B", .round = 3 },
      .lists = { NULL, "B>2,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 3,2 2,2; expelled A by round_limit 1,1; expelled B by round_limit 2,2; "
                "level_ended 1 round_limit; game_ended lost -1",
      .after = "1.3 B: A=expelled B=expelled zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 1 },
    { .label = "if somebody had left, the next level begins",
      .dungeon = { TWO, THREE_ROUNDS, .stands = "A=exited", .active = "B", .round = 3 },
      .lists = { NULL, "B>-" },
      .gets = { NULL, "ok" },
      .events = "expelled B by round_limit 3,2; level_ended 1 round_limit; level_started 2",
      .after = "2.1 A: A@3,1 B@1,1 unlocked",
      .turns = 1 },
    { .label = "if somebody had left the last level, it is won",
      .dungeon = { ROOM, THREE_ROUNDS, .stands = "A=exited", .active = "B", .round = 3 },
      .lists = { NULL, "B>-" },
      .gets = { NULL, "ok" },
      .events = "expelled B by round_limit 3,2; level_ended 1 round_limit; game_ended won 0",
      .after = "1.3 B: A=exited B=expelled zombie-1@5,1 locked",
      .outcome = "0 won",
      .turns = 1 },
    { .label = "leaving in the last move of the last round is in time",
      .dungeon = { ROOM, THREE_ROUNDS, .stands = "A=expelled B@4,2", .active = "B", .round = 3,
                   .is_unlocked = true },
      .lists = { NULL, "B>5,2" },
      .gets = { NULL, "ok" },
      .events = "moved B 4,2 5,2; exited B 5,2; level_ended 1 left; game_ended won 1",
      .after = "1.3 B: A=expelled B=exited zombie-1@5,1 unlocked",
      .outcome = "1 won",
      .turns = 1 },
    { .label = "a round past the limit, as a state from outside may have it",
      .dungeon = { ROOM, THREE_ROUNDS, .stands = "A=expelled", .active = "B", .round = 5 },
      .lists = { NULL, "B>-" },
      .gets = { NULL, "ok" },
      .events = "expelled B by round_limit 3,2; level_ended 1 round_limit; game_ended lost -1",
      .after = "1.5 B: A=expelled B=expelled zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 1 },
    { .label = "versus: the round ends with its last adversary",
      .dungeon = { ROOM, .options = "'mode':'versus','round_limit':3", .active = "zombie-1",
                   .round = 3 },
      .lists = { NULL, "zombie-1>4,1" },
      .gets = { NULL, "ok" },
      .events = "moved zombie-1 5,1 4,1; expelled A by round_limit 1,1; "
                "expelled B by round_limit 3,2; level_ended 1 round_limit; game_ended lost 1",
      .after = "1.3 zombie-1: A=expelled B=expelled zombie-1@4,1 locked",
      .outcome = "1 lost",
      .turns = 1 },
};

static const struct play_case leaving_cases[] = {
    { .label = "who is to move resigns: the next is to move",
      .dungeon = { ROOM, IDLE },
      .lists = { "resign" },
      .gets = { "ok" },
      .events = "",
      .after = "1.1 B: A=resigned B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "another resigns: who is to move still is",
      .dungeon = { ROOM, IDLE },
      .lists = { NULL, "resign" },
      .gets = { NULL, "ok" },
      .events = "",
      .after = "1.1 A: A@1,1 B=resigned zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "abandoning is the same",
      .dungeon = { ROOM, IDLE },
      .lists = { "abandon" },
      .gets = { "ok" },
      .events = "",
      .after = "1.1 B: A=resigned B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "the last of the round resigns: a new round",
      .dungeon = { ROOM, IDLE, .active = "B" },
      .lists = { NULL, "resign" },
      .gets = { NULL, "ok" },
      .events = "",
      .after = "1.2 A: A@1,1 B=resigned zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "others' commands are applied",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>2,1", "resign" },
      .gets = { "ok", "ok" },
      .events = "moved A 1,1 2,1",
      .after = "1.2 A: A@2,1 B=resigned zombie-1@5,1 locked",
      .turns = 2 },
    { .label = "the own commands are not: who has left is not to move",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>2,1 resign" },
      .gets = { "not_your_turn:own_turn ok" },
      .events = "",
      .after = "1.1 B: A=resigned B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "who did not owe before the resignation is not asked",
      .dungeon = { ROOM, IDLE },
      .lists = { "resign", "B>2,2" },
      .gets = { "ok", "not_your_turn:own_turn" },
      .events = "",
      .after = "1.1 B: A=resigned B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "resigning twice",
      .dungeon = { ROOM, IDLE },
      .lists = { "resign resign" },
      .gets = { "ok not_your_turn:own_turn" },
      .events = "",
      .after = "1.1 B: A=resigned B@3,2 zombie-1@5,1 locked",
      .turns = 1 },
    { .label = "resigning once more later changes nothing",
      .dungeon = { ROOM, IDLE, .stands = "B=resigned" },
      .lists = { NULL, "resign" },
      .gets = { NULL, "not_your_turn:own_turn" },
      .events = "",
      .after = "1.1 A: A@1,1 B=resigned zombie-1@5,1 locked",
      .turns = 0 },
    { .label = "the last hero resigns: lost",
      .dungeon = { ROOM, IDLE, .stands = "B=expelled" },
      .lists = { "resign", NULL },
      .gets = { "ok" },
      .events = "level_ended 1 lost; game_ended lost -1",
      .after = "1.1 A: A=resigned B=expelled zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 1 },
    { .label = "everybody resigns at once: lost, two turns",
      .dungeon = { ROOM, IDLE },
      .lists = { "resign", "resign" },
      .gets = { "ok", "ok" },
      .events = "level_ended 1 lost; game_ended lost -1",
      .after = "1.1 B: A=resigned B=resigned zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 2 },
    { .label = "the last on the board resigns after another has left: on to the next level",
      .dungeon = { TWO, IDLE, .stands = "A=exited", .active = "B" },
      .lists = { NULL, "resign" },
      .gets = { NULL, "ok" },
      .events = "level_ended 1 left; level_started 2",
      .after = "2.1 A: A@3,1 B=resigned unlocked",
      .turns = 1 },
    { .label = "who resigns after leaving no longer counts as having left",
      .dungeon = { TWO, IDLE, .stands = "A=exited B@4,1", .active = "B" },
      .lists = { "resign", "B>5,1" },
      .gets = { "ok", "ok" },
      .events = "moved B 4,1 5,1; expelled B by zombie-1 5,1; level_ended 1 lost; "
                "game_ended lost -1",
      .after = "1.1 B: A=resigned B=expelled zombie-1@5,1 locked",
      .outcome = "lost",
      .turns = 2 },
    { .label = "who is expelled may resign, and is not back",
      .dungeon = { TWO, IDLE, .stands = "A=expelled B@4,2", .active = "B", .is_unlocked = true },
      .lists = { "resign", "B>5,2" },
      .gets = { "ok", "ok" },
      .events = "moved B 4,2 5,2; exited B 5,2; level_ended 1 left; level_started 2",
      .after = "2.1 B: A=resigned B@1,1 unlocked",
      .turns = 2 },
    { .label = "a draw is agreed on",
      .dungeon = { ROOM, IDLE },
      .lists = { "A>2,1", "agree_draw" },
      .gets = { "match_over", "ok" },
      .events = "",
      .after = "1.1 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .outcome = "draw_agreed",
      .turns = 1 },
    { .label = "versus: resigning gives the other side the win, nobody is taken off",
      .dungeon = { ROOM, VERSUS },
      .lists = { "A>2,1 resign", NULL },
      .gets = { "match_over ok" },
      .events = "",
      .after = "1.1 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .outcome = "1 resignation",
      .turns = 1 },
    { .label = "versus: the adversaries' side stays away",
      .dungeon = { ROOM, VERSUS },
      .lists = { NULL, "abandon" },
      .gets = { NULL, "ok" },
      .events = "",
      .after = "1.1 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .outcome = "0 abandoned",
      .turns = 1 },
    { .label = "versus: both resign",
      .dungeon = { ROOM, VERSUS },
      .lists = { "resign", "resign" },
      .gets = { "ok", "ok" },
      .events = "",
      .after = "1.1 A: A@1,1 B@3,2 zombie-1@5,1 locked",
      .outcome = "draw_resigned",
      .turns = 1 },
};

static void
expect_words(struct words *words, const char *expected, const char *label, const char *what)
{
    cr_expect_str_eq(words->at, expected, "%s: %s: %s", label, what, words->at);
    words_clear(words);
}

static void
expect_play(const struct play_case *c)
{
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&c->dungeon, &table);
    dungeon_play(&table, c->lists, &words);
    expect_words(&words, c->events, c->label, "events");
    for (uint8_t seat = 0; seat < table.turn.seat_count; seat++) {
        dungeon_say_verdicts(&table, seat, &words);
        expect_words(&words, c->gets[seat] == NULL ? "" : c->gets[seat], c->label, "verdicts");
    }
    dungeon_say_position(&table, table.match.state, &words);
    expect_words(&words, c->after, c->label, "position");
    drawing_say_outcome(&table, table.match.state, &words);
    expect_words(&words, c->outcome == NULL ? "goes on" : c->outcome, c->label, "outcome");
    cr_expect_eq(table.match.state->turn, c->dungeon.turn + c->turns, "%s: turn %u", c->label,
                 table.match.state->turn);
    cr_expect(table_guard_holds(&table));
    table_close(&table);
    words_fini(&words);
}

CASES(snarl_play, arriving_does_what_the_tile_says, arrival_cases)
{
    expect_play(&arrival_cases[*index]);
}

CASES(snarl_play, the_turn_is_passed_on_in_order, passing_cases)
{
    expect_play(&passing_cases[*index]);
}

CASES(snarl_play, levels_end_and_begin, level_cases)
{
    expect_play(&level_cases[*index]);
}

CASES(snarl_play, the_round_limit_expels_those_who_are_left, round_cases)
{
    expect_play(&round_cases[*index]);
}

CASES(snarl_play, a_hero_who_leaves_the_match_is_out_of_it, leaving_cases)
{
    expect_play(&leaving_cases[*index]);
}

/* ---- ranking ------------------------------------------------------------------------------ */

/* Keys, exits, expulsions of each hero, and who wins the last level that is over. */
struct ranking_case {
    const char *label;
    struct {
        uint8_t status;
        int32_t exits;
        int32_t keys;
        int32_t expulsions;
    } hero[3];
    const char *outcome;
};

#define EXITED   SNARL_EXITED
#define EXPELLED SNARL_EXPELLED
#define RESIGNED SNARL_RESIGNED

static const struct ranking_case ranking_cases[] = {
    { "exits first", { { EXITED, 1, 9, 0 }, { EXITED, 2, 0, 9 }, { EXITED, 0, 9, 0 } }, "1 won" },
    { "then keys", { { EXITED, 2, 1, 0 }, { EXITED, 2, 0, 0 }, { EXITED, 2, 2, 9 } }, "2 won" },
    { "then fewer expulsions",
      { { EXITED, 2, 1, 3 }, { EXITED, 2, 1, 1 }, { EXITED, 2, 1, 2 } },
      "1 won" },
    { "two equal at the top",
      { { EXITED, 2, 1, 1 }, { EXPELLED, 1, 1, 0 }, { EXITED, 2, 1, 1 } },
      "draw_equal" },
    { "all equal",
      { { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 } },
      "draw_equal" },
    { "two equal below the top",
      { { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 }, { EXITED, 2, 0, 0 } },
      "2 won" },
    { "two equal, then one better, then none",
      { { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 }, { EXITED, 1, 1, 0 } },
      "2 won" },
    { "one better, then two equal",
      { { EXITED, 1, 1, 0 }, { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 } },
      "0 won" },
    { "who has resigned is below all others",
      { { RESIGNED, 9, 9, 0 }, { EXITED, 1, 0, 0 }, { EXPELLED, 0, 0, 1 } },
      "1 won" },
    { "who has resigned is equal to nobody",
      { { RESIGNED, 1, 0, 0 }, { EXITED, 1, 0, 0 }, { RESIGNED, 1, 0, 0 } },
      "1 won" },
    { "an expelled hero can be first",
      { { EXPELLED, 3, 0, 1 }, { EXITED, 1, 0, 0 }, { EXITED, 1, 0, 0 } },
      "0 won" },
    { "nobody has left",
      { { EXPELLED, 3, 1, 1 }, { EXPELLED, 1, 0, 0 }, { RESIGNED, 0, 0, 0 } },
      "lost" },
};

CASES(snarl_play, the_ranking_decides_who_won, ranking_cases)
{
    static const struct dungeon dungeon = { .levels = "#####/#ABC#/#..x#/#####" };
    const struct ranking_case *c = &ranking_cases[*index];
    struct snarl_position *position;
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&dungeon, &table);
    position = snarl_position(table.match.state);
    for (size_t i = 0; i < SK_COUNT_OF(c->hero); i++) {
        position->hero[i] = (struct snarl_hero){
            .status = c->hero[i].status,
            .exits = c->hero[i].exits,
            .keys = c->hero[i].keys,
            .expulsions = c->hero[i].expulsions,
        };
    }
    sk_turn_settle(table.ruleset, table.config, table.match.state);
    drawing_say_outcome(&table, table.match.state, &words);
    expect_words(&words, c->outcome, c->label, "outcome");
    table_close(&table);
    words_fini(&words);
}

/* ---- what is counted ---------------------------------------------------------------------- */

Test(snarl_play, keys_exits_and_expulsions_are_counted_over_all_levels)
{
    static const struct dungeon dungeon = {
        .levels = "#######/#A.kx.#/#Bz...#/#######|#######/#A.kx.#/#Bz...#/#######",
        IDLE,
    };
    static const char *const rounds[][SK_SEATS_MAX] = {
        { "A>3,1" },       { NULL, "B>2,2" }, { "A>4,1" },       { "A>2,2" },
        { NULL, "B>2,1" }, { NULL, "B>3,1" }, { NULL, "B>4,1" },
    };
    const struct snarl_position *position;
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&dungeon, &table);
    for (size_t i = 0; i < SK_COUNT_OF(rounds); i++) {
        dungeon_play(&table, rounds[i], &words);
    }
    position = snarl_position(table.match.state);
    cr_expect(table.match.state->outcome.is_over, "%s", words.at);
    cr_expect_eq(position->hero[0].keys, 1);
    cr_expect_eq(position->hero[0].exits, 1);
    cr_expect_eq(position->hero[0].expulsions, 1);
    cr_expect_eq(position->hero[1].keys, 1);
    cr_expect_eq(position->hero[1].exits, 1);
    cr_expect_eq(position->hero[1].expulsions, 1);
    cr_expect_eq(table.match.state->outcome.reason, SNARL_DRAW_EQUAL, "%s", words.at);
    table_close(&table);
    words_fini(&words);
}

/* ---- stages alone ------------------------------------------------------------------------- */

static void
run_alone(struct table *table, const char *stage, const char *command, struct words *words)
{
    struct command_list list;

    commands_init(&list, table->ruleset);
    dungeon_commands(command, &list);
    table->turn.before = table->match.state;
    table->turn.seed = &table->seed;
    table->turn.acting_seat = 0;
    table->turn.acting_index = 0;
    memset(table->turn.commands, 0, sizeof(table->turn.commands));
    table->turn.commands[0] = commands_of(&list);
    sk_turn_run_alone(&table->turn, sk_stage_find(table->ruleset, stage));
    dungeon_say_events(table, words);
    commands_fini(&list);
}

static const struct {
    const char *label;
    struct dungeon dungeon;
    const char *stage;
    const char *command;
    const char *events;
    const char *after;
} stage_cases[] = {
    { "movement goes, and takes nothing",
      { ROOM, IDLE },
      "movement",
      "A>3,1",
      "moved A 1,1 3,1",
      "1.1 A: A@3,1 B@3,2 zombie-1@5,1 locked" },
    { "movement of nobody in particular",
      { ROOM, IDLE },
      "movement",
      NULL,
      "",
      "1.1 A: A@1,1 B@3,2 zombie-1@5,1 locked" },
    { "arrival takes, and goes nowhere",
      { ROOM, IDLE, .stands = "A@3,1" },
      "arrival",
      NULL,
      "took_key A 3,1",
      "1.1 A: A@3,1 B@3,2 zombie-1@5,1 unlocked" },
    { "succession passes on",
      { ROOM, IDLE },
      "succession",
      NULL,
      "",
      "1.1 B: A@1,1 B@3,2 zombie-1@5,1 locked" },
    { "succession ends a level",
      { TWO, IDLE, .stands = "A=exited B=expelled" },
      "succession",
      NULL,
      "level_ended 1 left; level_started 2",
      "2.1 A: A@3,1 B@1,1 unlocked" },
};

CASES(snarl_play, each_stage_does_its_part_alone, stage_cases)
{
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&stage_cases[*index].dungeon, &table);
    run_alone(&table, stage_cases[*index].stage, stage_cases[*index].command, &words);
    expect_words(&words, stage_cases[*index].events, stage_cases[*index].label, "events");
    dungeon_say_position(&table, table.turn.after, &words);
    expect_words(&words, stage_cases[*index].after, stage_cases[*index].label, "position");
    table_close(&table);
    words_fini(&words);
}
