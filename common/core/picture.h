/*
 * sk_picture - how a ruleset is shown to people: the board as characters,
 * events as sentences.
 *
 * Both work on forms, the structs behind the JSON.  So a client that received a
 * view and events can show them just as a program that has the state.
 *
 * Owner:   the caller owns the memory of canvas and line; what does not fit is
 * left out.
 * Threads: one at a time.
 */
#ifndef SK_PICTURE_H
#define SK_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/grid.h"
#include "common/base/text.h"

struct sk_command;
struct sk_event;
struct sk_member;
struct sk_ruleset;

/* ---- lines of text ----------------------------------------------------------------------- */

/* Text that grows in a fixed buffer, without a terminator. */
struct sk_line {
    char *at;
    size_t size;
    size_t used;
    const struct sk_text *names; /* of the players, by seat (SK_SEATS_MAX); NULL: unknown */
};

void sk_line_say(struct sk_line *line, const char *words);
void sk_line_say_text(struct sk_line *line, struct sk_text words);
void sk_line_say_number(struct sk_line *line, int64_t number);

/* Written 2,4: the numbers of the JSON, so that no cell looks like a unit. */
void sk_line_say_cell(struct sk_line *line, struct sk_cell cell);

/* The player's name, or "seat 0" if it is unknown. */
void sk_line_say_seat(struct sk_line *line, uint8_t seat);

/* ---- boards ------------------------------------------------------------------------------ */

#define SK_CANVAS_SIDE_MAX 256
#define SK_CANVAS_TEXT_MAX 3

/* What a thing is; the terminal chooses the colour. */
enum sk_paint {
    SK_PAINT_SEAT_0,
    SK_PAINT_SEAT_1,
    SK_PAINT_SEAT_2,
    SK_PAINT_SEAT_3,
    SK_PAINT_PLAIN,
    SK_PAINT_FAINT,
    SK_PAINT_THING,  /* something to take or to use */
    SK_PAINT_DANGER, /* something to avoid */
};

/* The ground below it. */
enum sk_ground {
    SK_GROUND_FREE,
    SK_GROUND_WALL,
    SK_GROUND_GOAL_0, /* a goal of seat 0; those of the other seats follow */
    SK_GROUND_GOAL_1,
    SK_GROUND_DARK,
    SK_GROUND_VOID, /* not part of the board, or unknown */
};

struct sk_canvas_cell {
    char text[SK_CANVAS_TEXT_MAX]; /* zeros if empty */
    uint8_t paint;
    uint8_t ground;
};

struct sk_canvas {
    struct sk_canvas_cell *cells; /* in reading order */
    size_t cell_capacity;
    struct sk_cell origin; /* of the first cell */
    int32_t cols;
    int32_t rows;
    struct sk_line notes; /* beside the board; each ends with a newline */
};

/* Begins an empty board.  Returns false if it does not fit. */
bool sk_canvas_begin(struct sk_canvas *canvas, struct sk_cell origin, int32_t cols, int32_t rows);

/* Ignores cells outside the board. */
void sk_canvas_put(struct sk_canvas *canvas, struct sk_cell cell, struct sk_text text,
                   enum sk_paint paint);
void sk_canvas_ground(struct sk_canvas *canvas, struct sk_cell cell, enum sk_ground ground);

/* ---- the ruleset's part ------------------------------------------------------------------ */

struct sk_picture {
    /*
     * One sentence per kind of event, with the event's members in braces: "{unit}
     * moves from {from} to {to}".  If it is empty, the event is not shown.  NULL = sentences from
     * the names of kind and members.
     */
    const char *const *sentences;

    /* What the marks on the board mean, in short lines.  NULL = no explanation needed. */
    const char *legend;

    /* The title of a unit beside its id, or an empty text.  NULL = none. */
    struct sk_text (*unit_title)(const void *config, struct sk_text id);

    /* The seat of the player whose only unit this is, so that it is called by the player's name;
     * SK_SEATS_MAX: none.  NULL = units are never players. */
    uint8_t (*unit_seat)(const void *config, struct sk_text id);

    /* Draws the form of a view.  Returns false if it does not fit the canvas.  NULL = flat: every
     * cell of the form, by the letter of its id, word or list and the number of its seat. */
    bool (*draw)(const void *config, const void *view_form, struct sk_canvas *canvas);

    /* The same for the form of a state, which hides nothing.  NULL: both forms are the same. */
    bool (*draw_state)(const void *config, const void *state_form, struct sk_canvas *canvas);
};

/* Draws the form of a view, or of a state: as the ruleset's picture does, or by the schema.
 * Returns false if it cannot be drawn. */
bool sk_board_draw(const struct sk_ruleset *ruleset, const void *config, const void *form,
                   bool is_state, struct sk_canvas *canvas);

/* NULL = none. */
const char *sk_board_legend(const struct sk_ruleset *ruleset);

/* A member of a form as text: its name and its value. */
void sk_member_say(const struct sk_ruleset *ruleset, const void *config,
                   const struct sk_member *member, const void *form, struct sk_line *line);

/* The event as a sentence without a full stop; nothing if it is not shown. */
void sk_event_say(const struct sk_ruleset *ruleset, const void *config,
                  const struct sk_event *event, struct sk_line *line);

/* A command as text: its kind and members, like "move Archer a1 2,4". */
void sk_command_say(const struct sk_ruleset *ruleset, const void *config,
                    const struct sk_command *command, struct sk_line *line);

/* Whether every sentence names only members that its event has.  If not, *ret_kind is the first. */
bool sk_picture_is_sound(const struct sk_ruleset *ruleset, uint16_t *ret_kind);

/* A ruleset's own; left out of a WebAssembly module that shows nothing and is downloaded. */
#if defined(__wasm__) && !defined(SK_WITH_PICTURES)
#define SK_PICTURE(picture) NULL
#else
#define SK_PICTURE(picture) (&(picture))
#endif

#endif /* SK_PICTURE_H */
