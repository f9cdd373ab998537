/*
 * The forms of snarl: member tables.  JSON, its schema and the fuzzers' random
 * values come from these.
 *
 * Inside a level, points are [row, column] and words are those of its JSON;
 * everywhere else a place is [x,y].
 */
#include "common/rules/snarl/internal.h"

/* ---- levels ------------------------------------------------------------------------------ */

#define IN_LEVEL .min = 0, .max = SK_SNARL_SIDE_MAX - 1
#define POINT(form, field, name, ...) \
    SK_MEMBER(SK_KIND_CELL, form, field, struct sk_cell, name, IN_LEVEL, __VA_ARGS__)

/* Says what the object is.  Optional, because some levels omit it. */
#define TYPE(form, words) SK_ENUM(form, type, "type", words, .flags = SK_OPTIONAL)

static const char *const level_words[] = { "level" };
static const char *const room_words[] = { "room" };
static const char *const hallway_words[] = { "hallway" };
static const char *const object_words[] = { [SNARL_KEY] = "key", [SNARL_EXIT] = "exit" };

static const struct sk_member point_item = { .kind = SK_KIND_CELL,
                                             IN_LEVEL,
                                             .doc = "[row, column]" };

static const struct sk_member layout_tile = {
    .kind = SK_KIND_INT,
    .min = SNARL_LAYOUT_WALL,
    .max = SNARL_LAYOUT_DOOR,
};

static const struct sk_member layout_row = {
    .kind = SK_KIND_LIST,
    .item = &layout_tile,
    .item_size = sizeof(int32_t),
    .max = SK_SNARL_SIDE_MAX,
};

static const struct sk_member bounds_members[] = {
    SK_INT(struct snarl_bounds_form, rows, "rows", .min = 1, .max = SK_SNARL_SIDE_MAX),
    SK_INT(struct snarl_bounds_form, columns, "columns", .min = 1, .max = SK_SNARL_SIDE_MAX),
};
static const struct sk_schema bounds_schema =
    SK_SCHEMA("bounds", NULL, bounds_members, struct snarl_bounds_form);

static const struct sk_member room_members[] = {
    TYPE(struct snarl_room_form, room_words),
    POINT(struct snarl_room_form, origin, "origin", .doc = "[row, column] of its top-left tile."),
    SK_OBJECT(struct snarl_room_form, bounds, "bounds", &bounds_schema, .doc = "Of the layout."),
    SK_LIST(struct snarl_room_form, layout, "layout", &layout_row, sizeof(struct sk_list), .min = 0,
            .max = SK_SNARL_SIDE_MAX, .doc = "Row by row: 0 wall, 1 floor, 2 door."),
};
const struct sk_schema snarl_room_schema =
    SK_SCHEMA("room", NULL, room_members, struct snarl_room_form);
static const struct sk_member room_item = { .kind = SK_KIND_OBJECT, .object = &snarl_room_schema };

static const struct sk_member hallway_members[] = {
    TYPE(struct snarl_hallway_form, hallway_words),
    POINT(struct snarl_hallway_form, from, "from", .doc = "A door: [row, column]."),
    POINT(struct snarl_hallway_form, to, "to", .doc = "A door: [row, column]."),
    SK_LIST(struct snarl_hallway_form, waypoints, "waypoints", &point_item,
            sizeof(struct snarl_point), .min = 0, .max = SK_SNARL_WAYPOINTS_MAX,
            .doc = "Where it turns, from `from` to `to`."),
};
static const struct sk_schema hallway_schema =
    SK_SCHEMA("hallway", NULL, hallway_members, struct snarl_hallway_form);
static const struct sk_member hallway_item = { .kind = SK_KIND_OBJECT, .object = &hallway_schema };

static const struct sk_member object_members[] = {
    SK_ENUM(struct snarl_object_form, type, "type", object_words, .doc = "What it is."),
    POINT(struct snarl_object_form, position, "position", .doc = "[row, column]"),
};
static const struct sk_schema object_schema =
    SK_SCHEMA("object", NULL, object_members, struct snarl_object_form);
static const struct sk_member object_item = { .kind = SK_KIND_OBJECT, .object = &object_schema };

static const struct sk_member start_members[] = {
    SK_ENUM(struct snarl_start_form, kind, "kind", snarl_kind_words, .doc = "What it is."),
    POINT(struct snarl_start_form, at, "at", .doc = "[row, column]"),
};
static const struct sk_schema start_schema =
    SK_SCHEMA("start", NULL, start_members, struct snarl_start_form);
static const struct sk_member start_item = { .kind = SK_KIND_OBJECT, .object = &start_schema };

static const struct sk_member starts_members[] = {
    SK_LIST(struct snarl_starts_form, heroes, "heroes", &point_item, sizeof(struct snarl_point),
            .min = 0, .max = SK_SNARL_HERO_STARTS_MAX, .doc = "The i-th is the i-th hero's."),
    SK_LIST(struct snarl_starts_form, adversaries, "adversaries", &start_item,
            sizeof(struct snarl_start_form), .min = 0, .max = SK_SNARL_ADVERSARIES_MAX,
            .flags = SK_OPTIONAL | SK_TRACKED,
            .present = offsetof(struct snarl_starts_form, has_adversaries),
            .doc = "Kinds and cells; missing = by the level's number, on random tiles."),
};
static const struct sk_schema starts_schema =
    SK_SCHEMA("starts", NULL, starts_members, struct snarl_starts_form);

static const struct sk_member level_members[] = {
    TYPE(struct snarl_level_form, level_words),
    SK_LIST(struct snarl_level_form, rooms, "rooms", &room_item, sizeof(struct snarl_room_form),
            .min = 1, .max = SK_SNARL_ROOMS_MAX),
    SK_LIST(struct snarl_level_form, hallways, "hallways", &hallway_item,
            sizeof(struct snarl_hallway_form), .min = 0, .max = SK_SNARL_HALLWAYS_MAX),
    SK_LIST(struct snarl_level_form, objects, "objects", &object_item,
            sizeof(struct snarl_object_form), .min = 0, .max = SK_SNARL_OBJECTS_MAX,
            .doc = "The exit, and at most one key."),
    SK_OBJECT(struct snarl_level_form, starts, "starts", &starts_schema,
              .flags = SK_OPTIONAL | SK_TRACKED,
              .present = offsetof(struct snarl_level_form, has_starts),
              .doc = "Missing: heroes in the first room, adversaries from the last one on."),
};
const struct sk_schema snarl_level_schema =
    SK_SCHEMA("level", NULL, level_members, struct snarl_level_form);
static const struct sk_member level_item = { .kind = SK_KIND_OBJECT,
                                             .object = &snarl_level_schema };

/* ---- params ------------------------------------------------------------------------------ */

static const char *const mode_words[] = { [SNARL_COOP] = "coop", [SNARL_VERSUS] = "versus" };
static const char *const end_words[] = { [SNARL_END_ALL] = "all", [SNARL_END_ANY] = "any" };
static const char *const adversaries_words[] = { [SNARL_AUTO] = "auto", [SNARL_IDLE] = "idle" };

static const struct sk_member hero_id_item = { .kind = SK_KIND_ID_TEXT };

#define STEPS(kind, name)                                                                \
    SK_INT(struct snarl_steps_form, of[kind], name, .min = 1, .max = SK_SNARL_STEPS_MAX, \
           .flags = SK_OPTIONAL, .fallback = 1)

static const struct sk_member steps_members[] = {
    STEPS(SNARL_ZOMBIE, "zombie"),
    STEPS(SNARL_GHOST, "ghost"),
};
static const struct sk_schema steps_schema =
    SK_SCHEMA("steps", NULL, steps_members, struct snarl_steps_form);

#define HEROES_MEMBER                                                                     \
    SK_LIST(struct snarl_params, heroes, "heroes", &hero_id_item, sizeof(struct sk_text), \
            .min = 1, .max = SK_SNARL_HEROES_MAX,                                         \
            .doc = "Their ids.  In co-op each has a seat, in versus seat 0 has them all.")
#define MODE_MEMBERS                                                                          \
    SK_ENUM(struct snarl_params, mode, "mode", mode_words, .flags = SK_OPTIONAL,              \
            .fallback = SNARL_COOP,                                                           \
            .doc = "coop: the server plays the adversaries; versus: seat 1 does."),           \
        SK_ENUM(struct snarl_params, level_end, "level_end", end_words, .flags = SK_OPTIONAL, \
                .fallback = SNARL_END_ALL,                                                    \
                .doc = "A level ends when all heroes are gone, or at the first exit."),       \
        SK_ENUM(struct snarl_params, adversaries, "adversaries", adversaries_words,           \
                .flags = SK_OPTIONAL, .fallback = SNARL_AUTO,                                 \
                .doc = "idle: they never move and are skipped."),                             \
        SK_INT(struct snarl_params, round_limit, "round_limit", .min = 1,                     \
               .max = SK_TURN_LIMIT_MAX, .flags = SK_OPTIONAL,                                \
               .fallback = SK_SNARL_ROUND_LIMIT_DEFAULT,                                      \
               .doc = "Rounds of a level after which the heroes in it are expelled."),        \
        SK_OBJECT(struct snarl_params, steps, "steps", &steps_schema,                         \
                  .flags = SK_OPTIONAL | SK_TRACKED,                                          \
                  .present = offsetof(struct snarl_params, has_steps),                        \
                  .doc = "How far adversaries of each kind go in one move.")

static const struct sk_member params_members[] = {
    SK_LIST(struct snarl_params, levels, "levels", &level_item, sizeof(struct snarl_level_form),
            .min = 1, .max = SK_SNARL_LEVELS_MAX, .flags = SK_OPTIONAL | SK_TRACKED,
            .present = offsetof(struct snarl_params, has_levels),
            .doc = "Missing: those that ship with the project."),
    HEROES_MEMBER,
    MODE_MEMBERS,
};

const struct sk_schema snarl_params_schema =
    SK_SCHEMA("snarl params", NULL, params_members, struct snarl_params);

/* Without the levels, which the heroes do not know yet. */
static const struct sk_member params_shown_members[] = { HEROES_MEMBER, MODE_MEMBERS };

const struct sk_schema snarl_params_shown_schema =
    SK_SCHEMA("snarl params without levels", NULL, params_shown_members, struct snarl_params);

/* ---- states and views -------------------------------------------------------------------- */

static const char *const status_words[] = {
    [SNARL_ACTIVE] = "active",
    [SNARL_EXITED] = "exited",
    [SNARL_EXPELLED] = "expelled",
    [SNARL_RESIGNED] = "resigned",
};

#define HERO_MEMBERS                                                                            \
    SK_ID_TEXT(struct snarl_hero_form, id, "id", .doc = "As in params."),                       \
        SK_INT(struct snarl_hero_form, seat, "seat", .min = 0, .max = SK_SNARL_HEROES_MAX - 1), \
        SK_CELL(struct snarl_hero_form, at, "at", .flags = SK_NULLABLE | SK_TRACKED,            \
                .present = offsetof(struct snarl_hero_form, has_at),                            \
                .doc = "null unless the hero is active."),                                      \
        SK_ENUM(struct snarl_hero_form, status, "status", status_words, .doc = "In this level.")

#define COUNT(field, ...) \
    SK_INT(struct snarl_hero_form, field, #field, .min = 0, .max = SK_SNARL_COUNT_MAX, __VA_ARGS__)

#define SHOWN_COUNT(field)                                         \
    COUNT(field, .flags = SK_OPTIONAL | SK_TRACKED,                \
          .present = offsetof(struct snarl_hero_form, has_counts), \
          .doc = "Only for the seat's own heroes.")

static const struct sk_member hero_members[] = {
    HERO_MEMBERS,
    COUNT(keys, .doc = "Keys taken in the whole match."),
    COUNT(exits, .doc = "Levels left."),
    COUNT(expulsions, .doc = "Levels in which it was expelled."),
};
static const struct sk_member seen_hero_members[] = {
    HERO_MEMBERS,
    SHOWN_COUNT(keys),
    SHOWN_COUNT(exits),
    SHOWN_COUNT(expulsions),
};
static const struct sk_schema hero_schema =
    SK_SCHEMA("hero", NULL, hero_members, struct snarl_hero_form);
static const struct sk_schema seen_hero_schema =
    SK_SCHEMA("hero", NULL, seen_hero_members, struct snarl_hero_form);
static const struct sk_member hero_item = { .kind = SK_KIND_OBJECT, .object = &hero_schema };
static const struct sk_member seen_hero_item = { .kind = SK_KIND_OBJECT,
                                                 .object = &seen_hero_schema };

static const struct sk_member adversary_members[] = {
    SK_ID_TEXT(struct snarl_adversary_form, id, "id", .doc = "Its kind and number: ghost-1."),
    SK_ENUM(struct snarl_adversary_form, kind, "kind", snarl_kind_words, .doc = "What it is."),
    SK_CELL(struct snarl_adversary_form, at, "at", .doc = "Where it stands."),
};
static const struct sk_schema adversary_schema =
    SK_SCHEMA("adversary", NULL, adversary_members, struct snarl_adversary_form);
static const struct sk_member adversary_item = { .kind = SK_KIND_OBJECT,
                                                 .object = &adversary_schema };

static const struct sk_member active_members[] = {
    SK_ID_TEXT(struct snarl_active_form, unit, "unit", .doc = "Its id."),
};
static const struct sk_schema active_schema =
    SK_SCHEMA("active", NULL, active_members, struct snarl_active_form);

/* Sight reaches past the edges of a level. */
#define SEEN_SIDE_MAX (SK_SNARL_SIDE_MAX + 2 * SNARL_SIGHT)

static const struct sk_member tile_row = { .kind = SK_KIND_TEXT, .max = SEEN_SIDE_MAX };

static const struct sk_member tiles_members[] = {
    SK_CELL(struct snarl_tiles_form, origin, "origin", .doc = "Where the first tile lies."),
    SK_LIST(struct snarl_tiles_form, rows, "rows", &tile_row, sizeof(struct sk_text), .min = 0,
            .max = SEEN_SIDE_MAX, .doc = "# wall, . floor, + door, space void, ? not in sight."),
};
static const struct sk_schema tiles_schema =
    SK_SCHEMA("tiles", NULL, tiles_members, struct snarl_tiles_form);

#define LEVEL_MEMBER \
    SK_INT(struct snarl_position_form, level, "level", .min = 1, .max = SK_SNARL_LEVELS_MAX)
#define ROUND_MEMBER(...)                                                                  \
    SK_INT(struct snarl_position_form, round, "round", .min = 1, .max = SK_TURN_LIMIT_MAX, \
           __VA_ARGS__)
#define OPEN_MEMBERS                                                            \
    SK_BOOL(struct snarl_position_form, exit_unlocked, "exit_unlocked",         \
            .doc = "True once the key is taken."),                              \
        SK_OBJECT(struct snarl_position_form, active, "active", &active_schema, \
                  .doc = "The unit to move.")
#define ACTOR_MEMBERS(hero)                                                                       \
    SK_LIST(struct snarl_position_form, heroes, "heroes", (hero), sizeof(struct snarl_hero_form), \
            .min = 0, .max = SK_SNARL_HEROES_MAX, .doc = "In the order of params."),              \
        SK_LIST(struct snarl_position_form, adversaries, "adversaries", &adversary_item,          \
                sizeof(struct snarl_adversary_form), .min = 0, .max = SK_SNARL_ADVERSARIES_MAX,   \
                .doc = "In the order in which they move.")
#define PRESENT_IF(has) \
    .flags = SK_OPTIONAL | SK_TRACKED, .present = offsetof(struct snarl_position_form, has)

static const struct sk_member state_members[] = {
    LEVEL_MEMBER,
    ROUND_MEMBER(.doc = "Of this level."),
    OPEN_MEMBERS,
    ACTOR_MEMBERS(&hero_item),
    SK_CELL(struct snarl_position_form, key, "key", .flags = SK_NULLABLE | SK_TRACKED,
            .present = offsetof(struct snarl_position_form, has_key),
            .doc = "null once it is taken, or where the level has none."),
    SK_CELL(struct snarl_position_form, exit, "exit", .doc = "Where the level has it."),
};

static const struct sk_member view_members[] = {
    LEVEL_MEMBER,
    ROUND_MEMBER(PRESENT_IF(has_round), .doc = "Only for audiences that see the whole level."),
    OPEN_MEMBERS,
    ACTOR_MEMBERS(&seen_hero_item),
    SK_CELL(struct snarl_position_form, key, "key", PRESENT_IF(has_key), .doc = "If in sight."),
    SK_CELL(struct snarl_position_form, exit, "exit", PRESENT_IF(has_exit), .doc = "If in sight."),
    SK_OBJECT(struct snarl_position_form, tiles, "tiles", &tiles_schema, PRESENT_IF(has_tiles),
              .doc = "What is seen, as a rectangle; missing when nothing is."),
};

const struct sk_schema snarl_state_schema =
    SK_SCHEMA("snarl state", &sk_state_head, state_members, struct snarl_position_form);
const struct sk_schema snarl_view_schema =
    SK_SCHEMA("snarl view", &sk_view_head, view_members, struct snarl_position_form);

/* ---- commands and events ----------------------------------------------------------------- */

static const struct sk_member move_members[] = {
    SK_ID(struct snarl_command, unit, "unit", .flags = SK_OPTIONAL,
          .doc = "Missing = the unit to move."),
    SK_CELL(struct snarl_command, to, "to", .flags = SK_NULLABLE | SK_TRACKED,
            .present = offsetof(struct snarl_command, has_to),
            .doc = "Any cell, the checks judge it; null = stay."),
};

static const struct sk_schema move_schema =
    SK_SCHEMA("snarl command", NULL, move_members, struct snarl_command);

static const struct sk_variant commands[] = {
    SK_SHARED_COMMANDS,
    { "move", &move_schema, "The unit goes there." },
};

const struct sk_variants snarl_command_variants =
    SK_COMMANDS("snarl command", commands, struct snarl_command);

static const char *const why_words[] = {
    [SNARL_WHY_LEFT] = "left",
    [SNARL_WHY_LOST] = "lost",
    [SNARL_WHY_ROUND_LIMIT] = "round_limit",
};

#define EVENT_UNIT  SK_ID_TEXT(struct snarl_event, unit, "unit", .doc = "The unit concerned.")
#define EVENT_AT    SK_CELL(struct snarl_event, at, "at", .doc = "Where.")
#define EVENT_LEVEL SK_INT(struct snarl_event, level, "level", .min = 1, .max = SK_SNARL_LEVELS_MAX)

static const struct sk_member moved_members[] = {
    EVENT_UNIT,
    SK_CELL(struct snarl_event, from, "from", .doc = "Where it came from."),
    SK_CELL(struct snarl_event, at, "to", .doc = "Where it went."),
};
static const struct sk_member at_members[] = { EVENT_UNIT, EVENT_AT };
static const struct sk_member expelled_members[] = {
    EVENT_UNIT,
    SK_ID_TEXT(struct snarl_event, by, "by", .doc = "An adversary's id, or round_limit."),
    EVENT_AT,
};
static const struct sk_member ended_members[] = {
    EVENT_LEVEL,
    SK_ENUM(struct snarl_event, why, "why", why_words,
            .doc = "left: by at least one hero; lost: by none."),
};
static const struct sk_member started_members[] = { EVENT_LEVEL };
static const struct sk_member game_members[] = {
    SK_INT(struct snarl_event, winner, "winner", .min = 0, .max = SK_SEATS_MAX - 1,
           .flags = SK_NULLABLE | SK_TRACKED, .present = offsetof(struct snarl_event, has_winner)),
    SK_ID_TEXT(struct snarl_event, reason, "reason", .doc = "As in the outcome."),
};

#define EVENT_SCHEMA(members) SK_SCHEMA("snarl event", NULL, members, struct snarl_event)

static const struct sk_schema moved_schema = EVENT_SCHEMA(moved_members);
static const struct sk_schema at_schema = EVENT_SCHEMA(at_members);
static const struct sk_schema expelled_schema = EVENT_SCHEMA(expelled_members);
static const struct sk_schema ended_schema = EVENT_SCHEMA(ended_members);
static const struct sk_schema started_schema = EVENT_SCHEMA(started_members);
static const struct sk_schema game_schema = EVENT_SCHEMA(game_members);

static const struct sk_variant events[] = {
    [SNARL_EVENT_MOVED] = { "moved", &moved_schema, "A unit went to another tile." },
    [SNARL_EVENT_TOOK_KEY] = { "took_key", &at_schema, "The key is gone, the exit unlocked." },
    [SNARL_EVENT_EXITED] = { "exited", &at_schema, "A hero left the level by the exit." },
    [SNARL_EVENT_EXPELLED] = { "expelled", &expelled_schema, "A hero is out of the level." },
    [SNARL_EVENT_RELOCATED] = { "relocated", &moved_schema, "A wall moved a unit elsewhere." },
    [SNARL_EVENT_LEVEL_ENDED] = { "level_ended", &ended_schema, "A level is over." },
    [SNARL_EVENT_LEVEL_STARTED] = { "level_started", &started_schema, "A level begins." },
    [SNARL_EVENT_GAME_ENDED] = { "game_ended", &game_schema, "The match is over." },
    [SNARL_EVENT_EXIT_LOCKED] = { "exit_locked", &at_schema, "A hero is on the exit: no key yet." },
};

const struct sk_variants snarl_event_variants =
    SK_EVENTS("snarl event", events, struct snarl_event);
