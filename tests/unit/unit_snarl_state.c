/* States of snarl from outside: what could be one is taken, what could not is refused, with why. */
#include <stdlib.h>
#include <string.h>

#include "common/core/snapshot.h"
#include "common/rules/snarl/internal.h"
#include "tests/support/cases.h"
#include "tests/support/json.h"
#include "tests/support/say.h"
#include "tests/support/snarl_draw.h"

/* Two levels: key, exit, two adversaries; and one without a key. */
#define DUNGEON .levels = "########/#A.k..z#/#.B..gx#/#.....+#/########|#####/#AB.#/#..x#/#####"

static const struct dungeon coop = { DUNGEON };
static const struct dungeon versus = { DUNGEON, .options = "'mode':'versus'" };
static const struct dungeon idle = { DUNGEON, .options = "'mode':'versus','adversaries':'idle'" };

struct state_case {
    const char *label;
    const struct dungeon *dungeon;
    const char *state;   /* JSON with ' for " */
    const char *at;      /* where it is refused, NULL = it is taken */
    const char *outcome; /* of a state that is taken; NULL = goes on */
};

#define COUNTS ",'keys':0,'exits':0,'expulsions':0}"
#define HERO(id, seat, at, status) \
    "{'id':'" id "','seat':" seat ",'at':" at ",'status':'" status "'" COUNTS
#define ADVERSARY(id, kind, at) "{'id':'" id "','kind':'" kind "','at':" at "}"
#define STATE(head, active, heroes, adversaries, objects)                                        \
    "{" head ",'active':{'unit':'" active "'},'heroes':[" heroes "],'adversaries':[" adversaries \
    "]," objects "}"

#define FIRST  "'level':1,'round':1,'exit_unlocked':false"
#define OPENED "'level':1,'round':1,'exit_unlocked':true"
#define SECOND "'level':2,'round':1,'exit_unlocked':true"
#define A      HERO("A", "0", "[1,1]", "active")
#define B      HERO("B", "1", "[2,2]", "active")
#define A_GONE HERO("A", "0", "null", "expelled")
#define B_GONE HERO("B", "1", "null", "expelled")
#define Z      ADVERSARY("zombie-1", "zombie", "[6,1]")
#define G      ADVERSARY("ghost-1", "ghost", "[5,2]")
#define LOCKED "'key':[3,1],'exit':[6,2]"
#define TAKEN  "'key':null,'exit':[6,2]"
#define BELOW  "'key':null,'exit':[3,2]"

static const struct state_case cases[] = {
    { "as it begins", &coop, STATE(FIRST, "A", A "," B, Z "," G, LOCKED), NULL, NULL },
    { "in another order", &coop, STATE(FIRST, "A", B "," A, G "," Z, LOCKED), NULL, NULL },
    { "with the key taken", &coop, STATE(OPENED, "B", A "," B, Z "," G, TAKEN), NULL, NULL },
    { "an adversary on the key, on the exit, in a door", &coop,
      STATE(FIRST, "A", A "," B,
            ADVERSARY("zombie-1", "zombie", "[3,1]") "," ADVERSARY("ghost-1", "ghost", "[6,3]"),
            LOCKED),
      NULL, NULL },
    { "a hero and an adversary on a tile", &coop,
      STATE(FIRST, "A", A "," B, ADVERSARY("zombie-1", "zombie", "[1,1]") "," G, LOCKED), NULL,
      NULL },
    { "adversaries that are missing", &coop, STATE(FIRST, "A", A "," B, "", LOCKED), NULL, NULL },
    { "the second level", &coop,
      STATE(SECOND, "A", HERO("A", "0", "[1,1]", "active") "," HERO("B", "1", "[2,1]", "active"),
            "", BELOW),
      NULL, NULL },
    { "a hero who is gone", &coop, STATE(FIRST, "B", A_GONE "," B, Z, LOCKED), NULL, NULL },
    { "everybody is gone: lost, whoever moved last", &coop,
      STATE(FIRST, "A", A_GONE "," B_GONE, Z, LOCKED), NULL, "lost" },
    { "the last level is left: won", &coop,
      STATE(SECOND, "B", HERO("A", "0", "null", "exited") "," B_GONE, "", BELOW), NULL,
      "draw_equal" },
    { "a round past the limit", &coop,
      STATE("'level':1,'round':1000000,'exit_unlocked':false", "A", A "," B, Z "," G, LOCKED), NULL,
      NULL },
    { "versus: all heroes are seat 0's", &versus,
      STATE(FIRST, "A", A "," HERO("B", "0", "[2,2]", "active"), Z "," G, LOCKED), NULL, NULL },
    { "versus: an adversary is to move", &versus,
      STATE(FIRST, "ghost-1", A "," HERO("B", "0", "[2,2]", "active"), Z "," G, LOCKED), NULL,
      NULL },

    { "a level that does not exist", &coop,
      STATE("'level':3,'round':1,'exit_unlocked':true", "A", A "," B, "", BELOW), "/level", NULL },
    { "level 0", &coop, STATE("'level':0,'round':1,'exit_unlocked':true", "A", A "," B, "", BELOW),
      "/level", NULL },
    { "round 0", &coop, STATE("'level':1,'round':0,'exit_unlocked':false", "A", A "," B, Z, LOCKED),
      "/round", NULL },
    { "a hero that does not exist", &coop,
      STATE(FIRST, "A", A "," HERO("C", "1", "[2,2]", "active"), Z, LOCKED), "/heroes/1/id", NULL },
    { "an adversary among the heroes", &coop,
      STATE(FIRST, "A", A "," HERO("zombie-1", "1", "[2,2]", "active"), Z, LOCKED), "/heroes/1/id",
      NULL },
    { "a hero twice", &coop, STATE(FIRST, "A", A "," A, Z, LOCKED), "/heroes/1/id", NULL },
    { "a hero who is gone, twice", &coop, STATE(FIRST, "A", A "," B_GONE "," B_GONE, Z, LOCKED),
      "/heroes/2/id", NULL },
    { "a hero is missing", &coop, STATE(FIRST, "A", A, Z, LOCKED), "/heroes", NULL },
    { "a hero of another seat", &coop,
      STATE(FIRST, "A", A "," HERO("B", "0", "[2,2]", "active"), Z, LOCKED), "/heroes/1/seat",
      NULL },
    { "versus: a hero of seat 1", &versus, STATE(FIRST, "A", A "," B, Z "," G, LOCKED),
      "/heroes/1/seat", NULL },
    { "a hero in a wall", &coop,
      STATE(FIRST, "A", HERO("A", "0", "[0,1]", "active") "," B, Z, LOCKED), "/heroes/0/at", NULL },
    { "a hero in the void", &coop,
      STATE(FIRST, "A", HERO("A", "0", "[-1,1]", "active") "," B, Z, LOCKED), "/heroes/0/at",
      NULL },
    { "a hero as far away as numbers go", &coop,
      STATE(FIRST, "A", HERO("A", "0", "[2147483647,-2147483648]", "active") "," B, Z, LOCKED),
      "/heroes/0/at", NULL },
    { "a hero on the second level's floor", &coop,
      STATE(SECOND, "A", HERO("A", "0", "[6,1]", "active") "," HERO("B", "1", "[2,1]", "active"),
            "", BELOW),
      "/heroes/0/at", NULL },
    { "two heroes on a tile", &coop,
      STATE(FIRST, "A", A "," HERO("B", "1", "[1,1]", "active"), Z, LOCKED), "/heroes/1/at", NULL },
    { "an active hero who is nowhere", &coop,
      STATE(FIRST, "A", A "," HERO("B", "1", "null", "active"), Z, LOCKED), "/heroes/1/at", NULL },
    { "a hero who has left and is somewhere", &coop,
      STATE(FIRST, "A", A "," HERO("B", "1", "[2,2]", "exited"), Z, LOCKED), "/heroes/1/at", NULL },
    { "a hero of no status", &coop,
      STATE(FIRST, "A", A "," HERO("B", "1", "[2,2]", "asleep"), Z, LOCKED), "/heroes/1/status",
      NULL },
    { "keys below 0", &coop,
      STATE(FIRST, "A",
            A ",{'id':'B','seat':1,'at':[2,2],'status':'active','keys':-1,'exits':0,"
              "'expulsions':0}",
            Z, LOCKED),
      "/heroes/1/keys", NULL },
    { "an adversary that does not exist", &coop,
      STATE(FIRST, "A", A "," B, ADVERSARY("zombie-2", "zombie", "[6,1]"), LOCKED),
      "/adversaries/0/id", NULL },
    { "a hero among the adversaries", &coop,
      STATE(FIRST, "A", A "," B, ADVERSARY("B", "zombie", "[6,1]"), LOCKED), "/adversaries/0/id",
      NULL },
    { "an adversary twice", &coop,
      STATE(FIRST, "A", A "," B, Z "," ADVERSARY("zombie-1", "zombie", "[5,1]"), LOCKED),
      "/adversaries/1/id", NULL },
    { "an adversary of another kind", &coop,
      STATE(FIRST, "A", A "," B, ADVERSARY("zombie-1", "ghost", "[6,1]"), LOCKED),
      "/adversaries/0/kind", NULL },
    { "a ghost in a wall", &coop,
      STATE(FIRST, "A", A "," B, Z "," ADVERSARY("ghost-1", "ghost", "[7,2]"), LOCKED),
      "/adversaries/1/at", NULL },
    { "two adversaries on a tile", &coop,
      STATE(FIRST, "A", A "," B, Z "," ADVERSARY("ghost-1", "ghost", "[6,1]"), LOCKED),
      "/adversaries/1/at", NULL },
    { "an adversary of the first level in the second", &coop,
      STATE(SECOND, "A", HERO("A", "0", "[1,1]", "active") "," HERO("B", "1", "[2,1]", "active"),
            ADVERSARY("zombie-1", "zombie", "[3,1]"), BELOW),
      "/adversaries/0/id", NULL },
    { "the key elsewhere", &coop, STATE(FIRST, "A", A "," B, Z, "'key':[4,1],'exit':[6,2]"), "/key",
      NULL },
    { "a key where the level has none", &coop,
      STATE("'level':2,'round':1,'exit_unlocked':false", "A",
            HERO("A", "0", "[1,1]", "active") "," HERO("B", "1", "[2,1]", "active"), "",
            "'key':[1,2],'exit':[3,2]"),
      "/key", NULL },
    { "the exit elsewhere", &coop, STATE(FIRST, "A", A "," B, Z, "'key':[3,1],'exit':[6,1]"),
      "/exit", NULL },
    { "unlocked with the key on the board", &coop, STATE(OPENED, "A", A "," B, Z, LOCKED),
      "/exit_unlocked", NULL },
    { "locked without a key", &coop, STATE(FIRST, "A", A "," B, Z, TAKEN), "/exit_unlocked", NULL },
    { "locked where the level has no key", &coop,
      STATE("'level':2,'round':1,'exit_unlocked':false", "A",
            HERO("A", "0", "[1,1]", "active") "," HERO("B", "1", "[2,1]", "active"), "", BELOW),
      "/exit_unlocked", NULL },
    { "nobody of that name is to move", &coop, STATE(FIRST, "C", A "," B, Z, LOCKED),
      "/active/unit", NULL },
    { "a hero who is gone is to move", &coop, STATE(FIRST, "A", A_GONE "," B, Z, LOCKED),
      "/active/unit", NULL },
    { "an adversary that is not there is to move", &versus,
      STATE(FIRST, "ghost-1", A "," HERO("B", "0", "[2,2]", "active"), Z, LOCKED), "/active/unit",
      NULL },
    { "co-op: an adversary is to move", &coop, STATE(FIRST, "zombie-1", A "," B, Z, LOCKED),
      "/active/unit", NULL },
    { "idle: an adversary is to move", &idle,
      STATE(FIRST, "zombie-1", A "," HERO("B", "0", "[2,2]", "active"), Z, LOCKED), "/active/unit",
      NULL },
    { "the first level is over, but the second has not begun", &coop,
      STATE(OPENED, "A", HERO("A", "0", "null", "exited") "," B_GONE, Z, TAKEN), "/active/unit",
      NULL },
};

CASES(snarl_state, from_outside_is_taken_or_refused, cases)
{
    const struct state_case *c = &cases[*index];
    struct sk_fault fault = { .code = "none" };
    struct sk_state *state;
    enum sk_status status;
    struct sk_arena arena;
    struct table table;
    struct words words;
    void *form;

    words_init(&words);
    words_say_json(&words, c->state);
    dungeon_open(c->dungeon, &table);
    state = calloc(1, table.turn.sizes.state);
    json_arena_alloc(&arena, JSON_ARENA_SMALL);
    form = sk_arena_take(&arena, table.ruleset->state->size);
    status = json_read_form(words.at, table.ruleset->state, &arena, form, &fault);
    if (status == SK_OK) {
        status = table.ruleset->state_read(table.config, form, state, &fault);
        cr_expect(status == SK_OK || strcmp(fault.code, "invalid_state") == 0, "%s: %s", c->label,
                  fault.code);
    }
    cr_expect_eq(status == SK_OK, c->at == NULL, "%s: %s at %s", c->label, fault.message, fault.at);
    if (c->at != NULL) {
        cr_expect_str_eq(fault.at, c->at, "%s: %s at %s", c->label, fault.message, fault.at);
    } else {
        words_clear(&words);
        state->outcome.winner = SK_NOBODY;
        sk_turn_settle(table.ruleset, table.config, state);
        say_outcome(&table, state, &words);
        cr_expect_str_eq(words.at, c->outcome == NULL ? "goes on" : c->outcome, "%s: %s", c->label,
                         words.at);
    }
    free(state);
    free(arena.base);
    table_close(&table);
    words_fini(&words);
}

/* ---- snapshots ---------------------------------------------------------------------------- */

/* Where the ruleset's part begins: format, name, version, turn, outcome. */
#define HEAD (1 + 1 + 5 + 4 + 4 + 3)

static const struct {
    const char *label;
    size_t at; /* in the ruleset's part */
    uint8_t value;
} corruptions[] = {
    { "a level that does not exist", 0, 2 },
    { "round 0", 1, 0 },
    { "a round past all limits", 4, 0x7f },
    { "half unlocked", 5, 2 },
    { "a hero that does not exist is to move", 6, 2 },
    { "an adversary that does not exist is to move", 6, 6 },
    { "nobody is to move", 6, 0xff },
    { "a hero of no status", 7, 4 },
    { "a hero in a wall", 8, 0 },
    { "a hero off the level", 9, 200 },
    { "keys below 0", 13, 0x80 },
    { "exits below 0", 17, 0x80 },
    { "expulsions below 0", 21, 0x80 },
    { "a hero who is gone and somewhere", 7, SNARL_EXITED },
    { "half there", 37, 2 },
    { "an adversary that is not there and somewhere", 37, 0 },
    { "an adversary in a wall", 39, 0 },
};

CASES(snarl_state, a_snapshot_that_cannot_be_one_is_corrupt, corruptions)
{
    uint8_t bytes[256];
    struct table table;
    struct sk_state *state;
    size_t size;

    dungeon_open(&coop, &table);
    state = calloc(1, table.turn.sizes.state);
    cr_assert_leq(table.turn.sizes.snapshot, sizeof(bytes));
    size = sk_snapshot_write(table.ruleset, table.config, table.match.state, bytes, sizeof(bytes));
    cr_assert_eq(size, HEAD + 7 + 2 * 15 + 2 * 3u);
    cr_assert_eq(sk_snapshot_read(table.ruleset, table.config, bytes, size, state), SK_OK);
    memset(state, 0, table.turn.sizes.state);
    cr_assert_neq(bytes[HEAD + corruptions[*index].at], corruptions[*index].value);
    bytes[HEAD + corruptions[*index].at] = corruptions[*index].value;
    cr_expect_eq(sk_snapshot_read(table.ruleset, table.config, bytes, size, state), SK_ERR_CORRUPT,
                 "%s", corruptions[*index].label);
    free(state);
    table_close(&table);
}

static void
expect_corrupt_pair(const char *label, size_t from, size_t to, size_t length)
{
    uint8_t bytes[256];
    struct table table;
    struct sk_state *state;
    size_t size;

    dungeon_open(&coop, &table);
    state = calloc(1, table.turn.sizes.state);
    size = sk_snapshot_write(table.ruleset, table.config, table.match.state, bytes, sizeof(bytes));
    memcpy(bytes + HEAD + to, bytes + HEAD + from, length);
    cr_expect_eq(sk_snapshot_read(table.ruleset, table.config, bytes, size, state), SK_ERR_CORRUPT,
                 "%s", label);
    free(state);
    table_close(&table);
}

Test(snarl_state, a_snapshot_with_two_on_a_tile_is_corrupt)
{
    expect_corrupt_pair("two heroes", 8, 23, 2);
    expect_corrupt_pair("two adversaries", 38, 41, 2);
}

/* Of a level without a key the exit cannot be locked. */
Test(snarl_state, a_snapshot_that_locks_an_exit_without_a_key_is_corrupt)
{
    static const struct dungeon second = { DUNGEON, .level = 2 };
    uint8_t bytes[256];
    struct table table;
    struct sk_state *state;
    size_t size;

    dungeon_open(&second, &table);
    state = calloc(1, table.turn.sizes.state);
    size = sk_snapshot_write(table.ruleset, table.config, table.match.state, bytes, sizeof(bytes));
    cr_assert_eq(bytes[HEAD + 5], 1);
    bytes[HEAD + 5] = 0;
    cr_expect_eq(sk_snapshot_read(table.ruleset, table.config, bytes, size, state), SK_ERR_CORRUPT);
    free(state);
    table_close(&table);
}
