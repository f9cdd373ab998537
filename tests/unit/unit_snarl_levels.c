/* What params of snarl may be: each fault with its reason and its place; limits; what is built. */
#include <string.h>

#include "common/rules/snarl/internal.h"
#include "tests/support/cases.h"
#include "tests/support/snarl_draw.h"

/* ---- faults ------------------------------------------------------------------------------- */

struct fault_case {
    const char *label;
    const char *params; /* JSON with ' for " */
    const char *code;   /* NULL = it is taken */
    const char *at;
};

/* Two rooms of 3 x 4 with doors that face each other, four tiles apart. */
#define LEFT                                           \
    "{'origin':[0,0],'bounds':{'rows':3,'columns':4}," \
    "'layout':[[0,0,0,0],[0,1,1,2],[0,0,2,0]]}"
#define RIGHT                                          \
    "{'origin':[0,8],'bounds':{'rows':3,'columns':4}," \
    "'layout':[[0,0,0,0],[2,1,1,0],[0,0,2,0]]}"
#define STRAIGHT "{'from':[1,3],'to':[1,8],'waypoints':[]}"
#define EXIT     "{'type':'exit','position':[1,1]}"
#define NOBODY   ",'starts':{'heroes':[[1,2]],'adversaries':[]}"

#define PARAMS(rooms, hallways, objects, rest)                                                     \
    "{'heroes':['A'],'levels':[{'rooms':[" rooms "],'hallways':[" hallways "],'objects':[" objects \
    "]" rest "}]}"
#define ROOMS(rooms)       PARAMS(rooms, "", EXIT, NOBODY)
#define HALLWAYS(hallways) PARAMS(LEFT "," RIGHT, hallways, EXIT, NOBODY)
#define OBJECTS(objects)   PARAMS(LEFT "," RIGHT, STRAIGHT, objects, NOBODY)
#define STARTS(rest)       PARAMS(LEFT "," RIGHT, STRAIGHT, EXIT, rest)

static const struct fault_case room_cases[] = {
    { "two rooms", ROOMS(LEFT "," RIGHT), NULL, NULL },
    { "rooms that touch",
      ROOMS(LEFT ",{'origin':[0,4],'bounds':{'rows':1,'columns':1},'layout':[[1]]}"), NULL, NULL },
    { "rooms that overlap in one tile",
      ROOMS(LEFT ",{'origin':[2,3],'bounds':{'rows':1,'columns':1},'layout':[[1]]}"),
      "rooms_overlap", "/levels/0/rooms/1" },
    { "a room inside another",
      ROOMS(LEFT ",{'origin':[1,1],'bounds':{'rows':1,'columns':1},'layout':[[1]]}"),
      "rooms_overlap", "/levels/0/rooms/1" },
    { "the same room twice", ROOMS(RIGHT "," LEFT "," LEFT), "rooms_overlap", "/levels/0/rooms/2" },
    { "too few rows", ROOMS("{'origin':[0,0],'bounds':{'rows':2,'columns':1},'layout':[[1]]}"),
      "room_layout", "/levels/0/rooms/0/layout" },
    { "too many rows", ROOMS("{'origin':[0,0],'bounds':{'rows':1,'columns':1},'layout':[[1],[1]]}"),
      "room_layout", "/levels/0/rooms/0/layout" },
    { "a row that is too short",
      ROOMS("{'origin':[0,0],'bounds':{'rows':2,'columns':2},'layout':[[1,1],[1]]}"), "room_layout",
      "/levels/0/rooms/0/layout/1" },
    { "a row that is too long",
      ROOMS("{'origin':[0,0],'bounds':{'rows':2,'columns':1},'layout':[[1,1],[1]]}"), "room_layout",
      "/levels/0/rooms/0/layout/0" },
    { "a tile that is none of the three",
      ROOMS("{'origin':[0,0],'bounds':{'rows':1,'columns':1},'layout':[[3]]}"), "malformed",
      "/levels/0/rooms/0/layout/0/0" },
    { "no room at all", ROOMS(""), "malformed", "/levels/0/rooms" },
    { "a room left of everything",
      ROOMS("{'origin':[0,-1],'bounds':{'rows':1,'columns':1},'layout':[[1]]}"), "malformed",
      "/levels/0/rooms/0/origin/1" },
    { "the last row and column there may be",
      ROOMS(LEFT ",{'origin':[199,199],'bounds':{'rows':1,'columns':1},'layout':[[1]]}"), NULL,
      NULL },
    { "an origin past the last row",
      ROOMS(LEFT ",{'origin':[200,0],'bounds':{'rows':1,'columns':1},'layout':[[1]]}"), "malformed",
      "/levels/0/rooms/1/origin/0" },
    { "a room that ends past the last row",
      ROOMS(LEFT ",{'origin':[199,0],'bounds':{'rows':2,'columns':1},'layout':[[1],[1]]}"),
      "room_off_grid", "/levels/0/rooms/1/bounds" },
    { "a room that ends past the last column",
      ROOMS(LEFT ",{'origin':[0,199],'bounds':{'rows':1,'columns':2},'layout':[[1,1]]}"),
      "room_off_grid", "/levels/0/rooms/1/bounds" },
    { "with every type said",
      "{'heroes':['A'],'levels':[{'type':'level','rooms':[{'type':'room','origin':[0,0],"
      "'bounds':{'rows':1,'columns':3},'layout':[[1,1,1]]}],'hallways':[],"
      "'objects':[{'type':'exit','position':[0,0]}]}]}",
      NULL, NULL },
    { "with another type",
      "{'heroes':['A'],'levels':[{'type':'room','rooms':[" LEFT "],'hallways':[],'objects':[" EXIT
      "]}]}",
      "malformed", "/levels/0/type" },
    { "a member that levels do not have", PARAMS(LEFT, "", EXIT, ",'doors':[]"), "malformed",
      "/levels/0/doors" },
};

static const struct fault_case hallway_cases[] = {
    { "straight", HALLWAYS(STRAIGHT), NULL, NULL },
    { "around a corner", HALLWAYS("{'from':[2,2],'to':[2,10],'waypoints':[[4,2],[4,10]]}"), NULL,
      NULL },
    { "a waypoint on the way", HALLWAYS("{'from':[1,3],'to':[1,8],'waypoints':[[1,5],[1,6]]}"),
      NULL, NULL },
    { "a waypoint twice", HALLWAYS("{'from':[1,3],'to':[1,8],'waypoints':[[1,5],[1,5]]}"), NULL,
      NULL },
    { "there and back", HALLWAYS("{'from':[1,3],'to':[1,8],'waypoints':[[1,7],[1,5]]}"), NULL,
      NULL },
    { "two that cross",
      HALLWAYS("{'from':[1,3],'to':[2,10],'waypoints':[[1,5],[5,5],[5,10]]},"
               "{'from':[2,2],'to':[1,8],'waypoints':[[3,2],[3,6],[1,6]]}"),
      NULL, NULL },
    { "two side by side",
      HALLWAYS(STRAIGHT ",{'from':[2,2],'to':[2,10],'waypoints':[[4,2],[4,5],[2,5],[2,6],[4,6],"
                        "[4,10]]}"),
      NULL, NULL },
    { "aslant from the door", HALLWAYS("{'from':[2,2],'to':[2,10],'waypoints':[[4,4],[4,10]]}"),
      "hallway_not_straight", "/levels/0/hallways/0/waypoints/0" },
    { "aslant on the way", HALLWAYS("{'from':[2,2],'to':[2,10],'waypoints':[[4,2],[5,9],[5,10]]}"),
      "hallway_not_straight", "/levels/0/hallways/0/waypoints/1" },
    { "aslant to the door", HALLWAYS("{'from':[2,2],'to':[1,8],'waypoints':[[4,2]]}"),
      "hallway_not_straight", "/levels/0/hallways/0/to" },
    { "the second is aslant",
      HALLWAYS(STRAIGHT ",{'from':[2,2],'to':[2,10],'waypoints':[[4,2],[5,9],[5,10]]}"),
      "hallway_not_straight", "/levels/0/hallways/1/waypoints/1" },
    { "from a floor tile", HALLWAYS("{'from':[1,2],'to':[1,8],'waypoints':[]}"), "hallway_off_door",
      "/levels/0/hallways/0/from" },
    { "from a wall", HALLWAYS("{'from':[0,3],'to':[1,8],'waypoints':[]}"), "hallway_off_door",
      "/levels/0/hallways/0/from" },
    { "from nowhere", HALLWAYS("{'from':[1,5],'to':[1,8],'waypoints':[]}"), "hallway_off_door",
      "/levels/0/hallways/0/from" },
    { "to nowhere", HALLWAYS("{'from':[1,3],'to':[1,7],'waypoints':[]}"), "hallway_off_door",
      "/levels/0/hallways/0/to" },
    { "to far away", HALLWAYS("{'from':[1,3],'to':[1,199],'waypoints':[]}"), "hallway_off_door",
      "/levels/0/hallways/0/to" },
    { "through its own room", HALLWAYS("{'from':[1,3],'to':[2,2],'waypoints':[[1,2]]}"),
      "hallway_through_room", "/levels/0/hallways/0/waypoints/0" },
    { "along its own wall", HALLWAYS("{'from':[2,2],'to':[1,3],'waypoints':[[2,3]]}"),
      "hallway_through_room", "/levels/0/hallways/0/waypoints/0" },
    { "through another room on the way to the door",
      PARAMS(LEFT "," RIGHT
                  ",{'origin':[0,5],'bounds':{'rows':3,'columns':1},'layout':[[0],[1],[0]]}",
             STRAIGHT, EXIT, NOBODY),
      "hallway_through_room", "/levels/0/hallways/0/to" },
    { "from a door to the same door", HALLWAYS("{'from':[1,3],'to':[1,3],'waypoints':[[1,5]]}"),
      NULL, NULL },
    { "without waypoints said", HALLWAYS("{'from':[1,3],'to':[1,8]}"), "malformed",
      "/levels/0/hallways/0/waypoints" },
};

static const struct fault_case object_cases[] = {
    { "no key", OBJECTS(EXIT), NULL, NULL },
    { "key and exit", OBJECTS(EXIT ",{'type':'key','position':[1,9]}"), NULL, NULL },
    { "key and exit on one tile", OBJECTS(EXIT ",{'type':'key','position':[1,1]}"), NULL, NULL },
    { "in a hallway", OBJECTS("{'type':'key','position':[1,5]}," EXIT), NULL, NULL },
    { "on a door", OBJECTS("{'type':'exit','position':[1,3]}"), NULL, NULL },
    { "no exit", OBJECTS("{'type':'key','position':[1,9]}"), "exit_missing", "/levels/0/objects" },
    { "nothing at all", OBJECTS(""), "exit_missing", "/levels/0/objects" },
    { "two exits", OBJECTS(EXIT "," EXIT), "several_exits", "/levels/0/objects/1" },
    { "two keys",
      OBJECTS("{'type':'key','position':[1,9]}," EXIT ",{'type':'key','position':[1,10]}"),
      "several_keys", "/levels/0/objects/2" },
    { "the key in a wall", OBJECTS(EXIT ",{'type':'key','position':[0,1]}"), "key_not_traversable",
      "/levels/0/objects/1/position" },
    { "the key in the void", OBJECTS(EXIT ",{'type':'key','position':[0,6]}"),
      "key_not_traversable", "/levels/0/objects/1/position" },
    { "the exit in a wall", OBJECTS("{'type':'exit','position':[0,0]}"), "exit_not_traversable",
      "/levels/0/objects/0/position" },
    { "the exit past everything", OBJECTS("{'type':'exit','position':[199,199]}"),
      "exit_not_traversable", "/levels/0/objects/0/position" },
    { "another object", OBJECTS(EXIT ",{'type':'lamp','position':[1,9]}"), "malformed",
      "/levels/0/objects/1/type" },
};

static const struct fault_case start_cases[] = {
    { "none said", STARTS(""), NULL, NULL },
    { "heroes only", STARTS(",'starts':{'heroes':[[1,2]]}"), NULL, NULL },
    { "more than there are heroes", STARTS(",'starts':{'heroes':[[1,2],[0,0],[0,0]]}"), NULL,
      NULL },
    { "on the exit", STARTS(",'starts':{'heroes':[[1,1]],'adversaries':[]}"), NULL, NULL },
    { "on a door and in a hallway",
      STARTS(",'starts':{'heroes':[[1,3]],'adversaries':[{'kind':'zombie','at':[1,4]}]}"), NULL,
      NULL },
    { "too few", STARTS(",'starts':{'heroes':[],'adversaries':[]}"), "starts_too_few",
      "/levels/0/starts/heroes" },
    { "no heroes said", STARTS(",'starts':{'adversaries':[]}"), "malformed",
      "/levels/0/starts/heroes" },
    { "a hero in a wall", STARTS(",'starts':{'heroes':[[0,0]],'adversaries':[]}"),
      "start_not_traversable", "/levels/0/starts/heroes/0" },
    { "a hero in the void", STARTS(",'starts':{'heroes':[[0,6]],'adversaries':[]}"),
      "start_not_traversable", "/levels/0/starts/heroes/0" },
    { "an adversary in a wall",
      STARTS(",'starts':{'heroes':[[1,2]],'adversaries':[{'kind':'ghost','at':[0,8]}]}"),
      "start_not_traversable", "/levels/0/starts/adversaries/0/at" },
    { "an adversary on a hero",
      STARTS(",'starts':{'heroes':[[1,2]],'adversaries':[{'kind':'ghost','at':[1,2]}]}"),
      "start_taken", "/levels/0/starts/adversaries/0/at" },
    { "two adversaries on a tile",
      STARTS(",'starts':{'heroes':[[1,2]],'adversaries':[{'kind':'ghost','at':[1,9]},"
             "{'kind':'zombie','at':[1,9]}]}"),
      "start_taken", "/levels/0/starts/adversaries/1/at" },
    { "another kind",
      STARTS(",'starts':{'heroes':[[1,2]],'adversaries':[{'kind':'ogre','at':[1,9]}]}"),
      "malformed", "/levels/0/starts/adversaries/0/kind" },
    { "two heroes on a tile",
      "{'heroes':['A','B'],'levels':[{'rooms':[" LEFT "],'hallways':[],'objects':[" EXIT
      "],'starts':{'heroes':[[1,2],[1,2]]}}]}",
      "start_taken", "/levels/0/starts/heroes/1" },
    { "a first room that is too small",
      "{'heroes':['A','B'],'levels':[{'rooms':[" LEFT "," RIGHT "],'hallways':[],'objects':[" EXIT
      "]}]}",
      "no_room_for_heroes", "/levels/0/rooms/0" },
    { "no space for the adversaries",
      "{'heroes':['A'],'levels':[{'rooms':[" LEFT "],'hallways':[],'objects':[" EXIT "]}]}",
      "no_room_for_adversaries", "/levels/0" },
    { "as many as there is space for",
      "{'heroes':['A'],'levels':[{'rooms':[{'origin':[0,0],'bounds':{'rows':1,'columns':3},"
      "'layout':[[1,1,1]]}],'hallways':[],'objects':[{'type':'exit','position':[0,1]}]}]}",
      NULL, NULL },
    { "the second level is at fault",
      "{'heroes':['A'],'levels':[{'rooms':[" LEFT "],'hallways':[],'objects':[" EXIT "]" NOBODY
      "},{'rooms':[" LEFT "],'hallways':[],'objects':[]" NOBODY "}]}",
      "exit_missing", "/levels/1/objects" },
};

#define ONE_LEVEL "'levels':[{'rooms':[" LEFT "],'hallways':[],'objects':[" EXIT "]" NOBODY "}]"
#define BIG_LEVEL                                                                                  \
    "'levels':[{'rooms':[{'origin':[0,0],'bounds':{'rows':2,'columns':4},"                         \
    "'layout':[[1,1,1,1],[1,1,1,1]]}],'hallways':[],'objects':[{'type':'exit','position':[0,0]}]}" \
    "]"

static const struct fault_case param_cases[] = {
    { "the project's own levels", "{'heroes':['A']}", NULL, NULL },
    { "no heroes said", "{" ONE_LEVEL "}", "malformed", "/heroes" },
    { "no hero", "{'heroes':[]," ONE_LEVEL "}", "malformed", "/heroes" },
    { "four heroes", "{'heroes':['a','b','c','d']," BIG_LEVEL "}", NULL, NULL },
    { "five heroes", "{'heroes':['a','b','c','d','e']," BIG_LEVEL "}", "malformed", "/heroes" },
    { "no level", "{'heroes':['A'],'levels':[]}", "malformed", "/levels" },
    { "two heroes of one name", "{'heroes':['a','b','a']," BIG_LEVEL "}", "duplicate_id",
      "/heroes/2" },
    { "a hero named like an adversary", "{'heroes':['a','zombie-1']," BIG_LEVEL "}", "duplicate_id",
      "/levels/0" },
    { "a hero named like an adversary that does not exist",
      "{'heroes':['a','ghost-1']," BIG_LEVEL "}", NULL, NULL },
    { "a name of 31 characters", "{'heroes':['a234567890123456789012345678901']," ONE_LEVEL "}",
      NULL, NULL },
    { "a name of 32 characters", "{'heroes':['a2345678901234567890123456789012']," ONE_LEVEL "}",
      "malformed", "/heroes/0" },
    { "a name with a space", "{'heroes':['a b']," ONE_LEVEL "}", "malformed", "/heroes/0" },
    { "every option",
      "{'heroes':['a']," ONE_LEVEL ",'mode':'versus','level_end':'any',"
      "'adversaries':'idle','round_limit':1}",
      NULL, NULL },
    { "another mode", "{'heroes':['a']," ONE_LEVEL ",'mode':'solo'}", "malformed", "/mode" },
    { "another end", "{'heroes':['a']," ONE_LEVEL ",'level_end':'some'}", "malformed",
      "/level_end" },
    { "other adversaries", "{'heroes':['a']," ONE_LEVEL ",'adversaries':'none'}", "malformed",
      "/adversaries" },
    { "steps of each kind", "{'heroes':['a']," ONE_LEVEL ",'steps':{'zombie':8,'ghost':1}}", NULL,
      NULL },
    { "steps of no kind", "{'heroes':['a']," ONE_LEVEL ",'steps':{}}", NULL, NULL },
    { "no step", "{'heroes':['a']," ONE_LEVEL ",'steps':{'ghost':0}}", "malformed",
      "/steps/ghost" },
    { "a step too many", "{'heroes':['a']," ONE_LEVEL ",'steps':{'zombie':9}}", "malformed",
      "/steps/zombie" },
    { "steps of a hero", "{'heroes':['a']," ONE_LEVEL ",'steps':{'hero':3}}", "malformed",
      "/steps/hero" },
    { "no round", "{'heroes':['a']," ONE_LEVEL ",'round_limit':0}", "malformed", "/round_limit" },
    { "as many rounds as there may be", "{'heroes':['a']," ONE_LEVEL ",'round_limit':1000000}",
      NULL, NULL },
    { "one more", "{'heroes':['a']," ONE_LEVEL ",'round_limit':1000001}", "malformed",
      "/round_limit" },
    { "another option", "{'heroes':['a']," ONE_LEVEL ",'seats':2}", "malformed", "/seats" },
};

static void
expect_fault(const struct fault_case *c)
{
    struct sk_seed seed = table_seed(1);
    struct sk_fault fault = { .code = "none" };
    struct table table;
    struct words params;
    enum sk_status status;

    words_init(&params);
    words_say_json(&params, c->params);
    status = table_try_json(&table, &sk_ruleset_snarl, params.at, &seed, &fault);
    if (c->code == NULL) {
        cr_expect_eq(status, SK_OK, "%s: %s at %s", c->label, fault.message, fault.at);
    } else {
        cr_expect_eq(status, SK_ERR_REFUSED, "%s is taken", c->label);
        cr_expect_str_eq(fault.code, c->code, "%s: %s: %s", c->label, fault.code, fault.message);
        cr_expect_str_eq(fault.at, c->at, "%s: %s", c->label, fault.at);
        cr_expect_gt(strlen(fault.message), 10u, "%s: %s", c->label, fault.message);
    }
    if (status == SK_OK) {
        table_close(&table);
    }
    words_fini(&params);
}

CASES(snarl_levels, rooms_are_taken_or_refused, room_cases)
{
    expect_fault(&room_cases[*index]);
}

CASES(snarl_levels, hallways_are_taken_or_refused, hallway_cases)
{
    expect_fault(&hallway_cases[*index]);
}

CASES(snarl_levels, objects_are_taken_or_refused, object_cases)
{
    expect_fault(&object_cases[*index]);
}

CASES(snarl_levels, starts_are_taken_or_refused, start_cases)
{
    expect_fault(&start_cases[*index]);
}

CASES(snarl_levels, other_params_are_taken_or_refused, param_cases)
{
    expect_fault(&param_cases[*index]);
}

/* ---- limits ------------------------------------------------------------------------------- */

enum limit {
    LIMIT_LEVELS,
    LIMIT_ROOMS,
    LIMIT_HALLWAYS,
    LIMIT_WAYPOINTS,
    LIMIT_OBJECTS,
    LIMIT_HERO_STARTS,
    LIMIT_ADVERSARIES,
    LIMIT_COUNT,
};

static const struct {
    const char *name;
    uint32_t max;
    const char *at;
} limits[] = {
    [LIMIT_LEVELS] = { "levels", SK_SNARL_LEVELS_MAX, "/levels" },
    [LIMIT_ROOMS] = { "rooms", SK_SNARL_ROOMS_MAX, "/levels/0/rooms" },
    [LIMIT_HALLWAYS] = { "hallways", SK_SNARL_HALLWAYS_MAX, "/levels/0/hallways" },
    [LIMIT_WAYPOINTS] = { "waypoints", SK_SNARL_WAYPOINTS_MAX, "/levels/0/hallways/0/waypoints" },
    [LIMIT_OBJECTS] = { "objects", SK_SNARL_OBJECTS_MAX, "/levels/0/objects" },
    [LIMIT_HERO_STARTS] = { "hero starts", SK_SNARL_HERO_STARTS_MAX, "/levels/0/starts/heroes" },
    [LIMIT_ADVERSARIES] = { "adversaries", SK_SNARL_ADVERSARIES_MAX,
                            "/levels/0/starts/adversaries" },
};

/* `lead` is what stands before the list, `say` writes its i-th item. */
static void
say_list(struct words *words, const char *lead, uint32_t count,
         void (*say)(struct words *words, uint32_t i))
{
    words_say(words, "%s:[", lead);
    for (uint32_t i = 0; i < count; i++) {
        words_say(words, "%s", i == 0 ? "" : ",");
        say(words, i);
    }
    words_say(words, "]");
}

/* The first room is the large one with the doors, the others are single tiles below it. */
static void
say_some_room(struct words *words, uint32_t i)
{
    if (i > 0) {
        words_say(words,
                  "{\"origin\":[%u,%u],\"bounds\":{\"rows\":1,\"columns\":1},\"layout\":[[1]]}",
                  20 + 2 * (i / 50), 2 * (i % 50));
        return;
    }
    words_say(words, "{\"origin\":[0,0],\"bounds\":{\"rows\":3,\"columns\":70},\"layout\":[");
    for (int row = 0; row < 3; row++) {
        words_say(words, "%s[", row == 0 ? "" : ",");
        for (int column = 0; column < 70; column++) {
            words_say(words, "%s%d", column == 0 ? "" : ",",
                      row == 2 && (column == 1 || column == 3) ? 2 : 1);
        }
        words_say(words, "]");
    }
    words_say(words, "]}");
}

static uint32_t waypoint_count;

static void
say_some_waypoint(struct words *words, uint32_t i)
{
    words_say(words, "[4,%u]", i == 0 ? 1u : i + 1 == waypoint_count ? 3u : 2u);
}

static void
say_some_hallway(struct words *words, uint32_t i)
{
    (void)i;
    words_say(words, "{\"from\":[2,1],\"to\":[2,3]");
    say_list(words, ",\"waypoints\"", waypoint_count, say_some_waypoint);
    words_say(words, "}");
}

static void
say_some_object(struct words *words, uint32_t i)
{
    (void)i;
    words_say(words, "{\"type\":\"exit\",\"position\":[0,0]}");
}

static void
say_some_hero_start(struct words *words, uint32_t i)
{
    words_say(words, "[0,%u]", 1 + i);
}

static void
say_some_adversary_start(struct words *words, uint32_t i)
{
    words_say(words, "{\"kind\":\"%s\",\"at\":[1,%u]}", i % 3 == 0 ? "ghost" : "zombie", i);
}

static void
say_params_of(struct words *words, const uint32_t counts[LIMIT_COUNT])
{
    waypoint_count = counts[LIMIT_WAYPOINTS];
    words_say(words, "{\"heroes\":[\"A\"],\"levels\":[");
    for (uint32_t i = 0; i < counts[LIMIT_LEVELS]; i++) {
        words_say(words, "%s{\"type\":\"level\"", i == 0 ? "" : ",");
        say_list(words, ",\"rooms\"", counts[LIMIT_ROOMS], say_some_room);
        say_list(words, ",\"hallways\"", counts[LIMIT_HALLWAYS], say_some_hallway);
        say_list(words, ",\"objects\"", counts[LIMIT_OBJECTS], say_some_object);
        words_say(words, ",\"starts\":{");
        say_list(words, "\"heroes\"", counts[LIMIT_HERO_STARTS], say_some_hero_start);
        say_list(words, ",\"adversaries\"", counts[LIMIT_ADVERSARIES], say_some_adversary_start);
        words_say(words, "}}");
    }
    words_say(words, "]}");
}

/* At, below and above each limit; too many objects are refused by their own reason before. */
CASES(snarl_levels, limits_hold, limits)
{
    for (int32_t off = -1; off <= 1; off++) {
        uint32_t counts[LIMIT_COUNT] = { 1, 1, 1, 2, 1, 1, 1 };
        struct sk_seed seed = table_seed(1);
        struct sk_fault fault = { .code = "none" };
        struct table table;
        struct words params;
        enum sk_status status;
        bool is_taken = off <= 0 && *index != LIMIT_OBJECTS;

        counts[*index] = (uint32_t)((int32_t)limits[*index].max + off);
        words_init(&params);
        say_params_of(&params, counts);
        status = table_try_json(&table, &sk_ruleset_snarl, params.at, &seed, &fault);
        cr_expect_eq(status == SK_OK, is_taken, "%u %s: %s at %s", counts[*index],
                     limits[*index].name, fault.message, fault.at);
        if (status == SK_OK) {
            table_close(&table);
        } else {
            cr_expect_str_eq(fault.code, off <= 0 ? "several_exits" : "malformed");
            cr_expect_str_eq(fault.at, off <= 0 ? "/levels/0/objects/1" : limits[*index].at,
                             "%s: %s", limits[*index].name, fault.at);
        }
        words_fini(&params);
    }
}

/*
 * A hallway between the two doors of the large room: 9 tiles, 300 more for
 * each time it runs along its row and back, `columns` twice more for a
 * shorter way, and 1 more for each waypoint that repeats the one before.
 */
static void
say_long_hallway(struct words *words, uint32_t times, uint32_t columns, uint32_t repeats)
{
    words_say(words, "{\"from\":[2,1],\"to\":[2,3],\"waypoints\":[[4,1]");
    for (uint32_t i = 0; i < times; i++) {
        words_say(words, ",[4,150],[4,1]");
    }
    words_say(words, ",[4,%u],[4,1]", columns);
    for (uint32_t i = 0; i < repeats; i++) {
        words_say(words, ",[4,1]");
    }
    words_say(words, ",[4,3]]}");
}

static const struct {
    const char *label;
    uint32_t levels;
    uint32_t hallways; /* of each level but the last, which has those and a shorter one */
    uint32_t repeats;  /* of the shorter one */
    const char *code;
    const char *at;
} work_cases[] = {
    { "399999 tiles", 1, 44, 0, "none", "" },
    { "400000 tiles", 1, 44, 1, "none", "" },
    { "400001 tiles", 1, 44, 2, "too_much_work", "/levels/0/hallways/44" },
    { "400000 tiles of two levels", 2, 22, 1, "none", "" },
    { "400001 tiles of two levels", 2, 22, 2, "too_much_work", "/levels/1/hallways/22" },
};

CASES(snarl_levels, hallways_run_over_a_limited_number_of_tiles, work_cases)
{
    struct sk_fault fault = { .code = "none" };
    struct sk_seed seed = table_seed(1);
    struct table table;
    struct words words;

    words_init(&words);
    words_say(&words, "{\"heroes\":[\"A\"],\"levels\":[");
    for (uint32_t i = 0; i < work_cases[*index].levels; i++) {
        words_say(&words, i == 0 ? "{\"type\":\"level\"" : ",{\"type\":\"level\"");
        say_list(&words, ",\"rooms\"", 1, say_some_room);
        words_say(&words, ",\"hallways\":[");
        for (uint32_t j = 0; j < work_cases[*index].hallways; j++) {
            words_say(&words, j == 0 ? "" : ",");
            say_long_hallway(&words, 30, 1, 0); /* 9009 + 2 */
        }
        if (i + 1 == work_cases[*index].levels) {
            words_say(&words, ",");
            say_long_hallway(&words, 11, 103, work_cases[*index].repeats); /* 3309 + 206 */
        }
        words_say(&words, "],\"objects\":[");
        say_some_object(&words, 0);
        words_say(&words, "],\"starts\":{\"heroes\":[[0,1]],\"adversaries\":[]}}");
    }
    words_say(&words, "]}");
    if (table_try_json(&table, &sk_ruleset_snarl, words.at, &seed, &fault) == SK_OK) {
        table_close(&table);
    }
    cr_expect_str_eq(fault.code, work_cases[*index].code, "%s: %s at %s", work_cases[*index].label,
                     fault.message, fault.at);
    cr_expect_str_eq(fault.at, work_cases[*index].at, "%s: at %s", work_cases[*index].label,
                     fault.at);
    words_fini(&words);
}

/* The first number of steps is that of any turn, the second of a tile, the third of a tile's
 * neighbours: turn_work in snarl.c. */
static const struct {
    const char *label;
    uint32_t rows;
    uint32_t columns;
    uint32_t adversaries;
    const char *more;
    uint32_t most; /* SK_LIST_WORK_MAX / steps */
} list_cases[] = {
    { "10000 + 4 x 5312", 64, 83, 0, "", 128 },
    { "10000 + 4 x 5313", 33, 161, 0, "", 127 },
    { "10000 + 4 x 40000", 200, 200, 0, "", 23 },
    { "10000 + 68 x 40000 + 64 x 4 x 64", 200, 200, 64, "", 1 },
    { "10000 + 68 x 40000 + 64 x 144 x 64", 200, 200, 64, ",\"steps\":{\"zombie\":8}", 1 },
    { "the same, and they never move", 200, 200, 64, ",\"adversaries\":\"idle\"", 79 },
    { "the same, and a player moves them", 200, 200, 64, ",\"mode\":\"versus\"", 79 },
};

CASES(snarl_levels, the_larger_they_are_the_fewer_moves_are_taken_at_once, list_cases)
{
    struct sk_seed seed = table_seed(1);
    struct table table;
    struct words words;

    words_init(&words);
    words_say(&words,
              "{\"heroes\":[\"A\"]%s,\"levels\":[{\"rooms\":[{\"origin\":[0,0],\"bounds\":{"
              "\"rows\":1,\"columns\":80},\"layout\":[[1",
              list_cases[*index].more);
    for (int i = 1; i < 80; i++) {
        words_say(&words, ",1");
    }
    words_say(&words,
              "]]},{\"origin\":[%u,%u],\"bounds\":{\"rows\":1,\"columns\":1},\"layout\":[[1]]}],"
              "\"hallways\":[],\"objects\":[{\"type\":\"exit\",\"position\":[0,1]}],"
              "\"starts\":{\"heroes\":[[0,0]],\"adversaries\":[",
              list_cases[*index].rows - 1, list_cases[*index].columns - 1);
    for (uint32_t i = 0; i < list_cases[*index].adversaries; i++) {
        words_say(&words, "%s{\"kind\":\"zombie\",\"at\":[0,%u]}", i == 0 ? "" : ",", i + 2);
    }
    words_say(&words, "]}}]}");
    table_open_json(&table, &sk_ruleset_snarl, words.at, &seed);
    cr_expect_eq(sk_list_max(&sk_ruleset_snarl, table.config), list_cases[*index].most, "%s: %u",
                 list_cases[*index].label, sk_list_max(&sk_ruleset_snarl, table.config));
    table_close(&table);
    words_fini(&words);
}

/* The shipped levels: as many as in any other ruleset. */
Test(snarl_levels, by_default_take_whole_lists)
{
    struct sk_seed seed = table_seed(1);
    struct table table;

    table_open_json(&table, &sk_ruleset_snarl, "{\"heroes\":[\"A\",\"B\",\"C\",\"D\"]}", &seed);
    cr_expect_eq(sk_list_max(&sk_ruleset_snarl, table.config), SK_COMMANDS_MAX);
    table_close(&table);
}

/* Everything at its limit at once still fits into the memory that the ruleset asks for. */
Test(snarl_levels, the_largest_params_are_taken_and_can_be_played)
{
    const uint32_t counts[LIMIT_COUNT] = {
        SK_SNARL_LEVELS_MAX,
        SK_SNARL_ROOMS_MAX,
        SK_SNARL_HALLWAYS_MAX,
        SK_SNARL_WAYPOINTS_MAX,
        1,
        SK_SNARL_HERO_STARTS_MAX,
        SK_SNARL_ADVERSARIES_MAX,
    };
    static const char *const lists[SK_SEATS_MAX] = { "A>-" };
    struct sk_seed seed = table_seed(1);
    struct table table;
    struct words words;

    words_init(&words);
    say_params_of(&words, counts);
    table_open_json(&table, &sk_ruleset_snarl, words.at, &seed);
    table_guard(&table);
    words_clear(&words);
    dungeon_play(&table, lists, &words);
    cr_expect_gt(strlen(words.at), 100u);
    cr_expect(table_guard_holds(&table));
    table_close(&table);
    words_fini(&words);
}

/* The largest level there can be: its far corner is a tile like others. */
Test(snarl_levels, the_last_tile_of_the_largest_level_can_be_walked_on)
{
    static const char params[] =
        "{'heroes':['A'],'levels':[{'rooms':[{'origin':[198,198],'bounds':{'rows':2,'columns':2},"
        "'layout':[[1,1],[1,1]]},{'origin':[0,0],'bounds':{'rows':1,'columns':2},"
        "'layout':[[1,1]]}],'hallways':[],'objects':[{'type':'exit','position':[0,0]}],"
        "'starts':{'heroes':[[198,198]],'adversaries':[{'kind':'ghost','at':[0,1]}]}}]}";
    static const char *const lists[SK_SEATS_MAX] = { "A>199,199" };
    struct sk_seed seed = table_seed(1);
    struct table table;
    struct words words;

    words_init(&words);
    words_say_json(&words, params);
    table_open_json(&table, &sk_ruleset_snarl, words.at, &seed);
    table_guard(&table);
    words_clear(&words);
    dungeon_play(&table, lists, &words);
    cr_expect_eq(strncmp(words.at, "moved A 198,198 199,199", 23), 0, "%s", words.at);
    cr_expect(table_guard_holds(&table));
    table_close(&table);
    words_fini(&words);
}

/* ---- what is built ------------------------------------------------------------------------ */

static const struct {
    const char *label;
    struct dungeon dungeon;
    const char *tiles;
} tile_cases[] = {
    { "one room", { .levels = "#####/#A.+#/#.x.#/#####" }, "#####/#..+#/#...#/#####" },
    { "two rooms and a straight hallway",
      { .levels = "###   ###/#A+,,,+x#/###   ###" },
      "###   ###/#.+...+.#/###   ###" },
    { "a bent hallway",
      { .levels = "###      /#A+,,,   /###  ,   /     ,   /   ##+## /   #.x.#/   #####" },
      "###     /#.+...  /###  .  /     .  /   ##+##/   #...#/   #####" },
};

CASES(snarl_levels, tiles_are_laid_as_drawn, tile_cases)
{
    const struct snarl_level *level;
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&tile_cases[*index].dungeon, &table);
    level = snarl_level_at(table.config, 0);
    for (int32_t y = 0; y < level->rows; y++) {
        words_say(&words, "%s", y == 0 ? "" : "/");
        for (int32_t x = 0; x < level->cols; x++) {
            words_say(&words, "%c", snarl_tile(table.config, level, sk_cell(x, y)));
        }
    }
    cr_expect_str_eq(words.at, tile_cases[*index].tiles, "%s: %s", tile_cases[*index].label,
                     words.at);
    table_close(&table);
    words_fini(&words);
}
