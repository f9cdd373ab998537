/*
 * snarl-fest - answers questions about the rules of snarl in the JSON of the course that they come
 * from: one value on standard input, the answer on standard output.
 *
 *   room      [room, point]                   where one can go from there
 *   level     [level, point]                  what is there
 *   state     [state, name, point]            what a player's arrival does
 *   manager   [names, level, rounds, positions, moves]   a whole game
 *
 * The answers come from the library's checks, views and stages; this program only converts from and
 * to JSON.  Points are [row, column].
 *
 * Owner:   a board owns its memory.  Answers are new json-c objects, which the caller puts; they
 *          hold references to parts of the question.
 */
#ifndef SK_FEST_H
#define SK_FEST_H

#include <json-c/json.h>

#include "common/rules/snarl/internal.h"

/* Prints the message and exits: the question cannot be answered. */
_Noreturn void fest_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct board {
    struct snarl_config *config;
    const struct snarl_level *level;
    struct sk_turn turn;
    struct sk_state *state;
    void *turn_memory;
    uint8_t *memory; /* of the config */
    uint8_t *forms;
};

/* A match of one level with this many heroes and adversaries, all at 0,0; adversaries never
 * move. */
void board_open(struct board *board, struct json_object *level, size_t heroes, size_t adversaries);
void board_close(struct board *board);

/* Where the units stand, for the caller to fill in. */
struct snarl_position *board_position(struct board *board);

/* One command of the active hero, resolved; true when it was accepted. */
bool board_play(struct board *board, const struct snarl_command *command);

/* Whether the last turn played had an event of that kind. */
bool board_has_event(const struct board *board, uint8_t kind);

/* ---- JSON -------------------------------------------------------------------------------- */

/* The item of a list; exits if there is none. */
struct json_object *item_at(struct json_object *list, size_t index);
struct json_object *member_of(struct json_object *object, const char *name);

struct sk_cell point_read(struct json_object *json);
struct json_object *point_json(struct sk_cell cell);

/* {"type":type,"name":name,"position":[row,column]} */
struct json_object *actor_json(const char *type, struct json_object *name, struct sk_cell at);

/* The level as it is now: without its key once that is taken. */
struct json_object *level_json(struct json_object *level, bool has_key);
bool level_has(struct json_object *level, const char *object);

/* ---- questions --------------------------------------------------------------------------- */

struct json_object *answer_room(struct json_object *question);
struct json_object *answer_level(struct json_object *question);
struct json_object *answer_state(struct json_object *question);
struct json_object *answer_manager(struct json_object *question);

#endif /* SK_FEST_H */
