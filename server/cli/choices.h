/*
 * choices - what a player can do in a turn, out of the server's hints, and
 * what he has chosen of it.
 *
 * Some of the hints have numbers at a time: those of a unit that was named,
 * or all.  A unit has one command; another one takes its place.
 *
 * Owner:   the caller; choices_fini frees.
 * Threads: one.
 */
#ifndef SK_CLI_CHOICES_H
#define SK_CLI_CHOICES_H

#include "proto/json_out.h"
#include "proto/json_parse.h"
#include "server/cli/live.h"

#define CHOICES_MAX 4096 /* hints that can have numbers: no server sends more */

struct choices {
    struct sk_json_reader *reader;
    struct sk_value *hints;      /* of the open turn, or NULL */
    uint32_t shown[CHOICES_MAX]; /* places among the hints, by their numbers */
    uint32_t shown_count;
    uint32_t chosen[SK_COMMANDS_MAX];
    uint32_t chosen_count;
};

void choices_init(struct choices *choices);
void choices_fini(struct choices *choices);

/* Begins a turn with the list of commands that `hints` has. */
void choices_take(struct choices *choices, const struct sk_value *commands);

/* Nothing is chosen any more. */
void choices_clear(struct choices *choices);

/* Gives numbers to what the unit can do, NULL = to everything.  False when that is nothing. */
bool choices_number(struct choices *choices, const char *unit);

/* Chooses what has that number, from 1 to shown_count. */
void choices_choose(struct choices *choices, uint32_t number);

/* Adds to the page: the numbered hints or the units that have some, then what is chosen. */
void choices_add(const struct choices *choices, struct live *live);

/* The cells that the numbered hints lead to; returns how many. */
uint32_t choices_targets(const struct choices *choices, uint32_t count_max,
                         struct sk_cell *ret_cells);

/* What is chosen, as `submit` takes it. */
void choices_write(struct sk_json_out *out, const void *choices);

#endif /* SK_CLI_CHOICES_H */
