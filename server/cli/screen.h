/*
 * screen - boards and sentences as text for a terminal, or for a file.
 *
 * Text grows in memory of its own.  Colours are written only when asked for.
 *
 * Owner:   the caller; screen_fini frees.
 */
#ifndef SK_CLI_SCREEN_H
#define SK_CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/core/picture.h"
#include "proto/json_value.h"

struct screen {
    char *text; /* terminated */
    size_t length;
    size_t space;
    bool has_colour;
    int32_t columns; /* of the terminal; 0 = as many as it takes */
    int32_t rows;
    struct sk_canvas canvas;
    /* The part of a large board around this cell is shown. */
    struct sk_cell focus;
    char *line;                         /* space for one sentence */
    struct sk_text names[SK_SEATS_MAX]; /* of the players, as long as they are shown */
};

void screen_init(struct screen *screen, bool has_colour);
void screen_fini(struct screen *screen);
void screen_clear(struct screen *screen);

/* Appends.  Use screen_add_text for texts of players and files: it replaces control characters. */
void screen_add(struct screen *screen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void screen_add_text(struct screen *screen, struct sk_text text);

/* The name of a seat's player in the seat's colour, at most `length` letters of it; "seat N" where
 * there is none. */
void screen_add_name(struct screen *screen, int32_t seat, int length);

/* "out of pattern" for out_of_pattern. */
void screen_add_words(struct screen *screen, const char *word);

/* Who won, or SK_NOBODY, and why. */
void screen_add_outcome(struct screen *screen, int32_t winner, const char *reason);

/* What is written between these two is emphasised. */
void screen_begin(struct screen *screen, enum sk_paint paint);
void screen_end(struct screen *screen);

/*
 * The canvas with the numbers of its columns and rows, its notes beside or
 * below it, and the legend (NULL = none).  Of a board that does not fit, what
 * is around the focus.
 */
void screen_add_board(struct screen *screen, const char *legend);

#define SCREEN_LINES_ENDLESS 1000000

/* How many lines of the terminal are left; SCREEN_LINES_ENDLESS where there is none. */
int32_t screen_lines_left(const struct screen *screen);

/* Removes empty lines if the screen is longer than the terminal. */
void screen_squeeze(struct screen *screen);

/* A line to be filled by one of the sk_..._say functions, and then added. */
struct sk_line screen_line(struct screen *screen);
void screen_add_line(struct screen *screen, const struct sk_line *line);

/* Bots whose answers did not count, a line each; `list` as in the frame `turn`, or NULL. */
void screen_add_failures(struct screen *screen, const struct sk_value *list);

/* Is standard output a terminal that wants colours? */
bool screen_wants_colour(void);

#endif /* SK_CLI_SCREEN_H */
