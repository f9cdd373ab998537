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
    size_t room;
    bool has_colour;
    struct sk_canvas canvas;
    char *line;                         /* room for one sentence */
    struct sk_text names[SK_SEATS_MAX]; /* of the players, as long as they are shown */
};

void screen_init(struct screen *screen, bool has_colour);
void screen_fini(struct screen *screen);
void screen_clear(struct screen *screen);

/* Appends; what comes from players and files is shown with its control characters taken out. */
void screen_add(struct screen *screen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void screen_add_text(struct screen *screen, struct sk_text text);

/* What is written between these two is emphasised. */
void screen_begin(struct screen *screen, enum sk_paint paint);
void screen_end(struct screen *screen);

/* The canvas with its letters and numbers at the edges, its notes beside it. */
void screen_add_board(struct screen *screen);

/* A line to be filled by one of the sk_..._say functions, and then added. */
struct sk_line screen_line(struct screen *screen);
void screen_add_line(struct screen *screen, const struct sk_line *line);

/* Bots whose answers did not count, a line each; `list` as in the frame `turn`, or NULL. */
void screen_add_failures(struct screen *screen, const struct sk_value *list);

/* Is standard output a terminal that wants colours? */
bool screen_wants_colour(void);

#endif /* SK_CLI_SCREEN_H */
