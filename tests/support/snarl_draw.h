/*
 * Drawings of snarl: levels, positions, commands and events as short texts, so
 * that tables of cases are easy to read.
 *
 *   levels     rows from top to bottom, separated by '/', levels by '|':
 *              "#####/#A.z+/#####": '#' wall, '.' floor, '+' door, ' ' void,
 *              ',' hallway (a chain from door to door), A-D heroes, z and g
 *              zombies and ghosts in reading order, k key, x exit, e both;
 *              all of these are on floor.  Connected tiles are a room.
 *              Without a hero a level has no starts.
 *   stands     "A@2,1 B=exited zombie-1@3,3 zombie-2=gone": differences from
 *              the drawing
 *   commands   "A>2,1" moves, ">2,1" without the unit, "A>-" stays, and the
 *              bare words resign, timeout, abandon, agree_draw
 *   events     "moved A 1,1 2,1; took_key A 2,1; expelled A by zombie-1 2,1"
 *   position   "1.2 A: A@1,1 B=exited zombie-1@3,3 locked": level, round, the
 *              unit to move, where each unit is, and the exit
 *
 * Owner:   a drawing is a constant; the table that it opens is the caller's.
 */
#ifndef SK_TEST_SNARL_DRAW_H
#define SK_TEST_SNARL_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/table.h"
#include "tests/support/words.h"

struct dungeon {
    const char *levels;
    const char *options; /* members of params: "'mode':'versus','round_limit':3" */
    const char *stands;
    const char *active; /* the unit to move, if it is not the first hero */
    int32_t level;      /* 0 = the first */
    int32_t round;      /* 0 = the first */
    uint32_t turn;
    uint32_t version; /* of the ruleset; 0 = the newest */
    bool is_unlocked; /* the key is taken */
};

/* Appends the params as JSON. */
void dungeon_say_params(const struct dungeon *dungeon, struct words *words);

void dungeon_open(const struct dungeon *dungeon, struct table *table);

/* Reads commands into an initialized list.  NULL = none. */
void dungeon_commands(const char *text, struct command_list *ret_commands);

/* Plays the seats' lists (NULL = none) to their end.  Appends the events of all turns. */
void dungeon_play(struct table *table, const char *const *lists, struct words *ret_events);

/* Each appends to `words`. */
void dungeon_say_verdicts(const struct table *table, uint8_t seat, struct words *words);
void dungeon_say_position(const struct table *table, const struct sk_state *state,
                          struct words *words);
void dungeon_say_event(const struct sk_event *event, struct words *words);
void dungeon_say_events(const struct table *table, struct words *words);

#endif /* SK_TEST_SNARL_DRAW_H */
