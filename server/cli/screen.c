#include "server/cli/screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/status.h"
#include "proto/frames.h"
#include "server/client/look.h"

#define NOTES_SIZE (64u * 1024u)
#define LINE_SIZE  4096u
#define CELL_ROOM  ((size_t)SK_CANVAS_SIDE_MAX * SK_CANVAS_SIDE_MAX)

/* Colours that can be told apart by those who do not see red and green: blue, orange, ... */
static const char *const paints[] = {
    [SK_PAINT_SEAT_0] = "\033[1;38;5;33m",  [SK_PAINT_SEAT_1] = "\033[1;38;5;208m",
    [SK_PAINT_SEAT_2] = "\033[1;38;5;135m", [SK_PAINT_SEAT_3] = "\033[1;38;5;37m",
    [SK_PAINT_PLAIN] = "\033[1m",           [SK_PAINT_FAINT] = "\033[2m",
    [SK_PAINT_THING] = "\033[38;5;220m",    [SK_PAINT_DANGER] = "\033[38;5;197m",
};

/* What stands for empty ground. */
static const char *const grounds[] = {
    [SK_GROUND_FREE] = ".",   [SK_GROUND_WALL] = "###", [SK_GROUND_GOAL_0] = "+",
    [SK_GROUND_GOAL_1] = "x", [SK_GROUND_DARK] = ":",   [SK_GROUND_VOID] = "",
};

static void *
memory(void *old, size_t size)
{
    void *new = realloc(old, size);

    SK_ASSERT(new != NULL);
    return new;
}

void
screen_init(struct screen *screen, bool has_colour)
{
    *screen = (struct screen){ .has_colour = has_colour };
    screen->canvas.cells = memory(NULL, CELL_ROOM * sizeof(*screen->canvas.cells));
    screen->canvas.cell_room = CELL_ROOM;
    screen->canvas.notes = (struct sk_line){ .at = memory(NULL, NOTES_SIZE),
                                             .size = NOTES_SIZE,
                                             .names = screen->names };
    screen->line = memory(NULL, LINE_SIZE);
    screen->room = LINE_SIZE;
    screen->text = memory(NULL, screen->room);
    screen_clear(screen);
}

void
screen_fini(struct screen *screen)
{
    free(screen->canvas.cells);
    free(screen->canvas.notes.at);
    free(screen->line);
    free(screen->text);
}

void
screen_clear(struct screen *screen)
{
    screen->length = 0;
    screen->text[0] = '\0';
}

void
screen_add_failures(struct screen *screen, const struct sk_value *list)
{
    const struct sk_value *item = list == NULL ? NULL : list + 1;
    uint32_t count = sk_value_is(list, SK_VALUE_LIST) ? list->count : 0;

    for (uint32_t i = 0; i < count; i++, item = sk_value_next(item)) {
        int32_t seat = look_int(item, "seat", -1);
        char message[FRAME_FAILURE_MESSAGE_MAX + 1] = "";

        look_text(item, "message", message, sizeof(message));
        if (seat >= 0 && seat < SK_SEATS_MAX) {
            screen_add(screen, "  ");
            screen_begin(screen, SK_PAINT_DANGER);
            if (screen->names[seat].length > 0) {
                screen_add_text(screen, screen->names[seat]);
            } else {
                screen_add(screen, "seat %d", (int)seat);
            }
            screen_add(screen, ": ");
            screen_add_text(screen, sk_text_of(message));
            screen_end(screen);
            screen_add(screen, "\n");
        }
    }
}

bool
screen_wants_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");

    return isatty(STDOUT_FILENO) && (no_colour == NULL || no_colour[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/* ---- text -------------------------------------------------------------------------------- */

static void
make_room(struct screen *screen, size_t more)
{
    size_t needed = screen->length + more + 1;

    if (needed > screen->room) {
        screen->room = 2 * needed;
        screen->text = memory(screen->text, screen->room);
    }
}

void
screen_add(struct screen *screen, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    SK_ASSERT(length >= 0);
    make_room(screen, (size_t)length);
    va_start(arguments, format);
    (void)vsnprintf(screen->text + screen->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    screen->length += (size_t)length;
}

void
screen_add_text(struct screen *screen, struct sk_text text)
{
    make_room(screen, text.length);
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.at[i];

        screen->text[screen->length++] = byte < ' ' || byte == 0x7f ? '?' : text.at[i];
    }
    screen->text[screen->length] = '\0';
}

void
screen_begin(struct screen *screen, enum sk_paint paint)
{
    if (screen->has_colour) {
        screen_add(screen, "%s", paints[paint]);
    }
}

void
screen_end(struct screen *screen)
{
    if (screen->has_colour) {
        screen_add(screen, "\033[0m");
    }
}

struct sk_line
screen_line(struct screen *screen)
{
    return (struct sk_line){ .at = screen->line, .size = LINE_SIZE, .names = screen->names };
}

void
screen_add_line(struct screen *screen, const struct sk_line *line)
{
    screen_add_text(screen, (struct sk_text){ line->at, (uint32_t)line->used });
}

/* ---- boards ------------------------------------------------------------------------------ */

static int
number_width(int32_t number)
{
    char digits[16];

    return snprintf(digits, sizeof(digits), "%d", number);
}

/* Without colours a seat is told by what the ruleset writes, its ids. */
static void
add_cell(struct screen *screen, const struct sk_canvas_cell *cell)
{
    bool is_empty = cell->text[0] == '\0';
    const char *text = is_empty ? grounds[cell->ground] : cell->text;
    int length = (int)strnlen(text, SK_CANVAS_TEXT_MAX);
    bool is_dark = cell->ground == SK_GROUND_DARK && screen->has_colour;

    if (is_dark) {
        screen_add(screen, "\033[48;5;236m");
    }
    screen_begin(screen, is_empty ? SK_PAINT_FAINT : (enum sk_paint)cell->paint);
    screen_add(screen, "%*s%.*s", SK_CANVAS_TEXT_MAX - length, "", length, text);
    screen_end(screen);
    screen_add(screen, " ");
}

static void
add_letters(struct screen *screen, int margin)
{
    screen_add(screen, "%*s", margin, "");
    for (int32_t x = 0; x < screen->canvas.cols; x++) {
        struct sk_line line = screen_line(screen);

        sk_line_say_column(&line, screen->canvas.origin.x + x);
        screen_add(screen, "%*s%.*s ", SK_CANVAS_TEXT_MAX - (int)line.used, "", (int)line.used,
                   line.at);
    }
}

/* The next line of the notes, if there is one left. */
static void
add_note(struct screen *screen, size_t *at)
{
    const struct sk_line *notes = &screen->canvas.notes;
    const char *end = *at < notes->used ? memchr(notes->at + *at, '\n', notes->used - *at) : NULL;
    size_t length = *at >= notes->used ? 0
                    : end == NULL      ? notes->used - *at
                                       : (size_t)(end - notes->at) - *at;

    if (length > 0) {
        screen_add(screen, "   ");
        screen_add_text(screen, (struct sk_text){ notes->at + *at, (uint32_t)length });
    }
    *at += length + 1;
    screen_add(screen, "\n");
}

void
screen_add_board(struct screen *screen)
{
    const struct sk_canvas *canvas = &screen->canvas;
    int margin = number_width(canvas->origin.y + canvas->rows) + 1;
    size_t note = 0;

    add_letters(screen, margin);
    screen_add(screen, "\n");
    for (int32_t y = 0; y < canvas->rows; y++) {
        screen_add(screen, "%*d ", margin - 1, canvas->origin.y + y);
        for (int32_t x = 0; x < canvas->cols; x++) {
            add_cell(screen, &canvas->cells[y * canvas->cols + x]);
        }
        add_note(screen, &note);
    }
    while (note < canvas->notes.used) {
        screen_add(screen, "%*s", margin + canvas->cols * (SK_CANVAS_TEXT_MAX + 1), "");
        add_note(screen, &note);
    }
}
