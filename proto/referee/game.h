/*
 * struct sk_game - the matches behind a handle of skirmish.h, for the files of
 * this folder.
 *
 * All matches share the config, one turn's memory and the layouts; each has a
 * state and a seed of its own.  What is made from a state (views, forms, hints)
 * is made in memory that the next call uses again.
 */
#ifndef SK_GAME_H
#define SK_GAME_H

#include "common/core/turn.h"
#include "proto/json_buffer.h"
#include "proto/json_parse.h"
#include "proto/referee/layout.h"
#include "proto/referee/skirmish.h"

/* Numbered commands: one member of a row.  Its values are 0 to radix - 1, absent ones first. */
struct sk_digit {
    const struct sk_layout_node *node;
    uint32_t at; /* its place in the row, a presence's 1 included */
    uint32_t radix;
};

#define SK_DIGITS_MAX       8
#define SK_GAME_ACTIONS_MAX 1048576u

struct sk_numbered_kind {
    struct sk_digit digits[SK_DIGITS_MAX];
    uint32_t digit_count;
    uint32_t first; /* number of the kind */
    uint32_t count;
};

struct sk_game {
    const struct sk_ruleset *ruleset;
    void *config;
    uint32_t count;
    uint32_t slots;
    uint8_t seats;

    struct sk_turn turn;
    void *turn_memory;
    size_t state_size; /* from one state to the next */
    uint8_t *states;
    struct sk_seed *seeds;
    uint8_t *commands;       /* count x seats x slots */
    uint16_t *command_slots; /* the slot that each command came from */
    uint8_t *command_counts; /* count x seats */

    struct sk_arena forms;
    struct sk_words ids;
    struct sk_words names;
    struct sk_layout action;
    struct sk_layout view;

    struct sk_numbered_kind *kinds; /* one per kind of command */
    uint32_t action_count;
    struct sk_cell origin; /* of the board whose cells have numbers */
    int32_t cols;
    int32_t rows;
    int32_t *row; /* one command, to work in */

    struct sk_json_buffer text;
};

static inline struct sk_state *
sk_game_state(const struct sk_game *game, uint32_t i)
{
    return (struct sk_state *)(void *)(game->states + (size_t)i * game->state_size);
}

static inline bool
sk_game_has_seat(const struct sk_game *game, uint32_t i, uint8_t seat)
{
    return i < game->count && (seat < game->seats || seat == SK_SPECTATOR);
}

/* A form, valid until the next; NULL when there is no memory. */
const void *sk_game_state_form(struct sk_game *game, uint32_t i);
const void *sk_game_view_form(struct sk_game *game, uint32_t i, uint8_t seat);

/* NULL with a fault when there is none. */
const struct sk_ruleset *sk_game_find_ruleset(const char *name, uint32_t version,
                                              struct sk_fault *ret_fault);

/* Copies the fault to the caller's error; `ret_error` may be NULL. */
void sk_game_tell(const struct sk_fault *fault, struct sk_error *ret_error);

/* A larger arena for forms; what was in it is gone.  False: no memory. */
bool sk_game_grow_forms(struct sk_game *game);

/* Hands the seat's hints to the sink. */
void sk_game_hunt(struct sk_game *game, uint32_t i, uint8_t seat, struct sk_hint_sink *sink);

/* Numbers the commands on the board of match 0; false when there is no memory. */
bool sk_game_number_commands(struct sk_game *game);

/* Writes the row of a number from 1 to action_count - 1 into zeros. */
void sk_game_write_number(const struct sk_game *game, uint32_t number, int32_t *row);

#endif /* SK_GAME_H */
