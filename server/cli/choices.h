/*
 * choices - the commands that a player can choose in a turn (the server's hints),
 * and those that were chosen.
 *
 * The hints that match what was typed, or all, have numbers.  A unit has one
 * command; a new choice replaces it.
 *
 * Owner:   the caller; choices_fini frees.
 * Threads: one.
 */
#ifndef SK_CLI_CHOICES_H
#define SK_CLI_CHOICES_H

#include "proto/json_out.h"
#include "proto/json_parse.h"
#include "server/cli/live_match.h"

#define CHOICES_MAX 4096 /* hints that can have numbers: no server sends more */

struct choices {
    struct sk_value *hints;      /* of the open turn, or NULL */
    uint32_t shown[CHOICES_MAX]; /* places among the hints, by their numbers */
    uint32_t shown_count;
    uint32_t first;      /* the first hint of the list that is shown, from 0 */
    uint32_t first_next; /* the first one that did not fit; 0 = all did */
    uint32_t chosen[SK_COMMANDS_MAX];
    uint32_t chosen_count;
};

void choices_init(struct choices *choices);
void choices_fini(struct choices *choices);

/* Begins a turn with the list of commands in `hints`; NULL = it has not come yet. */
void choices_take(struct choices *choices, const struct sk_value *commands);

/* Nothing is chosen any more. */
void choices_clear(struct choices *choices);

/*
 * Gives numbers to the hints that match every word, or to all without words.  A
 * word is a unit, a kind, another word of the command, or a cell as x,y.  The last
 * cell is where the command leads, cells before it are on its way.  False when none
 * matches; nothing has changed then.
 */
bool choices_number(struct choices *choices, const char *const *words, uint32_t count);

/*
 * Do the words, to which numbers were given, mean one command?  It has number 1
 * then.  A unit alone is a question.  A cell that can be moved to and attacked is
 * moved to, unless the words say otherwise.
 */
bool choices_are_one(struct choices *choices, const char *const *words, uint32_t count);

/* Are these the hints of a turn in which units are placed? */
bool choices_are_places(const struct choices *choices);

/* Chooses what has that number, from 1 to shown_count. */
void choices_choose(struct choices *choices, uint32_t number);

/* Adds to the screen: the numbered hints, as many as fit the terminal, or the units that have some;
 * then what is chosen. */
void choices_add(struct choices *choices, struct live_match *live);

/* Shows the next part of the list, or its beginning again. */
void choices_show_more(struct choices *choices);

/* Where the numbered hints and the chosen ones lead; returns how many. */
uint32_t choices_marks(const struct choices *choices, uint32_t count_max,
                       struct live_mark *ret_marks);

/* What is chosen, as `submit` takes it. */
void choices_write(struct sk_json_out *out, const void *choices);

#endif /* SK_CLI_CHOICES_H */
