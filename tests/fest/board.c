/* Makes a match of a level's JSON, and helpers to read JSON. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/core/validate.h"
#include "proto/json_parse.h"
#include "proto/schema_read.h"
#include "tests/fest/fest.h"

#define FORMS_SIZE (16u * 1024u * 1024u)

/* ---- JSON -------------------------------------------------------------------------------- */

struct json_object *
item_at(struct json_object *list, size_t index)
{
    if (!json_object_is_type(list, json_type_array) || index >= json_object_array_length(list)) {
        fest_fail("a list of at least %zu items is missing", index + 1);
    }
    return json_object_array_get_idx(list, index);
}

struct json_object *
member_of(struct json_object *object, const char *name)
{
    struct json_object *member;

    if (!json_object_is_type(object, json_type_object) ||
        !json_object_object_get_ex(object, name, &member)) {
        fest_fail("the member %s is missing", name);
    }
    return member;
}

static int32_t
coordinate_read(struct json_object *json)
{
    int64_t number = json_object_get_int64(json);

    if (!json_object_is_type(json, json_type_int)) {
        fest_fail("a point is two numbers, [row, column]");
    }
    return number < INT32_MIN ? INT32_MIN : number > INT32_MAX ? INT32_MAX : (int32_t)number;
}

struct sk_cell
point_read(struct json_object *json)
{
    struct snarl_point point = { sk_cell(coordinate_read(item_at(json, 0)),
                                         coordinate_read(item_at(json, 1))) };

    return snarl_cell(point);
}

struct json_object *
point_json(struct sk_cell cell)
{
    struct json_object *point = json_object_new_array();

    json_object_array_add(point, json_object_new_int(cell.y));
    json_object_array_add(point, json_object_new_int(cell.x));
    return point;
}

struct json_object *
actor_json(const char *type, struct json_object *name, struct sk_cell at)
{
    struct json_object *actor = json_object_new_object();

    json_object_object_add(actor, "type", json_object_new_string(type));
    json_object_object_add(actor, "name", name);
    json_object_object_add(actor, "position", point_json(at));
    return actor;
}

static bool
is_object_of(struct json_object *object, const char *type)
{
    const char *found = json_object_get_string(member_of(object, "type"));

    return found != NULL && strcmp(found, type) == 0;
}

bool
level_has(struct json_object *level, const char *object)
{
    struct json_object *objects = member_of(level, "objects");

    for (size_t i = 0; i < json_object_array_length(objects); i++) {
        if (is_object_of(item_at(objects, i), object)) {
            return true;
        }
    }
    return false;
}

struct json_object *
level_json(struct json_object *level, bool has_key)
{
    struct json_object *copy = json_object_new_object();
    struct json_object *objects = json_object_new_array();
    struct json_object *before = member_of(level, "objects");

    json_object_object_foreach(level, name, value)
    {
        json_object_object_add(copy, name, json_object_get(value));
    }
    for (size_t i = 0; i < json_object_array_length(before); i++) {
        if (has_key || !is_object_of(item_at(before, i), "key")) {
            json_object_array_add(objects, json_object_get(item_at(before, i)));
        }
    }
    json_object_object_add(copy, "objects", objects);
    return copy;
}

/* ---- boards ------------------------------------------------------------------------------ */

static void *
take(size_t size)
{
    void *memory = calloc(1, size);

    if (memory == NULL) {
        fest_fail("there is not enough memory");
    }
    return memory;
}

/* The level's text, in the form that the library reads. */
static struct sk_value *
value_of(struct json_object *json)
{
    const char *text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN);
    struct sk_value *value = NULL;
    struct sk_fault fault;

    if (sk_json_parse(text, strlen(text), &value, &fault) != SK_OK) {
        fest_fail("%s at %s", fault.message, fault.at);
    }
    return value;
}

static void
read_level(struct board *board, struct json_object *json, struct snarl_level_form *ret_form)
{
    struct sk_value *value = value_of(json);
    struct sk_fault fault;
    struct sk_arena forms;

    board->forms = take(FORMS_SIZE);
    sk_arena_init(&forms, board->forms, FORMS_SIZE);
    if (sk_form_read(&snarl_level_schema, value, &forms, ret_form, &fault) != SK_OK) {
        fest_fail("the level is not one: %s at %s", fault.message, fault.at);
    }
    sk_json_free(value);
}

/* Heroes and adversaries have generated names; they are found by their index. */
static void
name_units(struct snarl_config *config, struct sk_arena *arena, struct snarl_level *level,
           size_t heroes, size_t adversaries)
{
    struct snarl_adversary_config *them = sk_arena_take_items(arena, adversaries, sizeof(*them));

    for (size_t i = 0; i < heroes; i++) {
        config->hero[i].at[0] = 'h';
        config->hero[i].at[1] = (char)('1' + i);
    }
    for (size_t i = 0; i < adversaries; i++) {
        them[i].kind = SNARL_GHOST;
        them[i].id.at[0] = 'a';
        them[i].id.at[1] = (char)('0' + i / 10);
        them[i].id.at[2] = (char)('0' + i % 10);
    }
    config->hero_count = (uint8_t)heroes;
    config->adversary_max = (uint16_t)adversaries;
    level->adversary_count = (uint16_t)adversaries;
    level->adversaries_at = (uint32_t)((uint8_t *)them - arena->base);
}

static void
build_config(struct board *board, struct json_object *json, size_t heroes, size_t adversaries)
{
    struct snarl_level_form form;
    struct snarl_level *level;
    struct sk_fault fault;
    struct sk_arena arena;

    if (heroes > SK_SNARL_HEROES_MAX || adversaries > SK_SNARL_ADVERSARIES_MAX) {
        fest_fail("at most %d players and %d adversaries can play", SK_SNARL_HEROES_MAX,
                  SK_SNARL_ADVERSARIES_MAX);
    }
    read_level(board, json, &form);
    board->memory = take(SNARL_CONFIG_SIZE_MAX);
    sk_arena_init(&arena, board->memory, SNARL_CONFIG_SIZE_MAX);
    board->config = sk_arena_take(&arena, sizeof(*board->config));
    level = sk_arena_take(&arena, sizeof(*level));
    if (snarl_level_build(&form, &arena, level, &(uint32_t){ 0 }, &fault) != SK_OK) {
        fest_fail("the level is broken: %s at %s", fault.message, fault.at);
    }
    board->config->levels_at = (uint32_t)((uint8_t *)level - arena.base);
    board->config->level_count = 1;
    board->config->adversaries = SNARL_IDLE;
    board->config->round_limit = INT_MAX;
    board->config->tiles_max = (uint32_t)(level->rows * level->cols);
    board->level = level;
    name_units(board->config, &arena, level, heroes, adversaries);
}

void
board_open(struct board *board, struct json_object *level, size_t heroes, size_t adversaries)
{
    struct snarl_position *position;

    memset(board, 0, sizeof(*board));
    build_config(board, level, heroes, adversaries);
    board->turn_memory = take(sk_turn_memory_size(&sk_ruleset_snarl, board->config));
    sk_turn_init(&board->turn, &sk_ruleset_snarl, board->config, board->turn_memory);
    board->state = take(board->turn.sizes.state);
    board->state->outcome.winner = SK_NOBODY;
    position = board_position(board);
    position->round = 1;
    position->has_key = board->level->has_key;
    position->exit_unlocked = !board->level->has_key;
    for (size_t i = 0; i < adversaries; i++) {
        position->adversary[i].is_here = true;
    }
}

void
board_close(struct board *board)
{
    free(board->forms);
    free(board->memory);
    free(board->turn_memory);
    free(board->state);
}

struct snarl_position *
board_position(struct board *board)
{
    return snarl_position(board->state);
}

/* ---- playing ----------------------------------------------------------------------------- */

bool
board_play(struct board *board, const struct snarl_command *command)
{
    static const struct sk_seed no_chance_is_needed;
    struct sk_turn *turn = &board->turn;
    uint8_t seat = board_position(board)->active;
    bool is_accepted;

    turn->before = board->state;
    turn->seed = &no_chance_is_needed;
    memset(turn->commands, 0, sizeof(turn->commands));
    turn->commands[seat] = (struct sk_commands){ command, 1 };
    is_accepted = sk_turn_resolve(turn);
    memcpy(board->state, turn->after, turn->sizes.state);
    return is_accepted;
}

bool
board_has_event(const struct board *board, uint8_t kind)
{
    const struct sk_event *event = board->turn.events.first;

    while (event != NULL && event->kind != kind) {
        event = event->next;
    }
    return event != NULL;
}
