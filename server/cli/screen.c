#include "server/cli/screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/base/status.h"
#include "proto/frames.h"
#include "server/cli/printable.h"
#include "server/client/look.h"
#include "server/memory.h"

#define NOTES_SIZE (64u * 1024u)
#define LINE_SIZE  4096u
#define CELL_SIZE  ((size_t)SK_CANVAS_SIDE_MAX * SK_CANVAS_SIDE_MAX)

#define TERMINAL_MAX 1000 /* larger values are ignored */
#define BESIDE_BOARD 6    /* lines that a tall board leaves for the rest */
#define BOARD_MIN    5    /* columns and rows that are shown in any case */

/* Colours that people with red-green blindness can distinguish: blue, orange, ... */
static const char *const paints[] = {
    [SK_PAINT_SEAT_0] = "\033[1;38;5;33m",  [SK_PAINT_SEAT_1] = "\033[1;38;5;208m",
    [SK_PAINT_SEAT_2] = "\033[1;38;5;135m", [SK_PAINT_SEAT_3] = "\033[1;38;5;37m",
    [SK_PAINT_PLAIN] = "\033[1m",           [SK_PAINT_FAINT] = "\033[2m",
    [SK_PAINT_THING] = "\033[38;5;220m",    [SK_PAINT_DANGER] = "\033[38;5;197m",
};

/* How empty cells are shown. */
static const char *const grounds[] = {
    [SK_GROUND_FREE] = ".",   [SK_GROUND_WALL] = "###", [SK_GROUND_GOAL_0] = "-",
    [SK_GROUND_GOAL_1] = "=", [SK_GROUND_DARK] = ":",   [SK_GROUND_VOID] = "",
};

/* The environment overrides what the terminal reports; 0 = unknown. */
static int32_t
terminal_side(const char *variable, int32_t measured)
{
    const char *text = getenv(variable);
    long side = text == NULL ? 0 : strtol(text, NULL, 10);

    return side > 0 && side <= TERMINAL_MAX ? (int32_t)side : measured;
}

void
screen_init(struct screen *screen, bool has_colour)
{
    struct winsize size = { 0 };

    if (isatty(STDOUT_FILENO)) {
        (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    }
    *screen = (struct screen){ .has_colour = has_colour,
                               .columns = terminal_side("COLUMNS", size.ws_col),
                               .rows = terminal_side("LINES", size.ws_row) };
    screen->canvas.cells = heap_grow(NULL, CELL_SIZE * sizeof(*screen->canvas.cells));
    screen->canvas.cell_capacity = CELL_SIZE;
    screen->canvas.notes = (struct sk_line){ .at = heap_grow(NULL, NOTES_SIZE),
                                             .size = NOTES_SIZE,
                                             .names = screen->names };
    screen->line = heap_grow(NULL, LINE_SIZE);
    screen->space = LINE_SIZE;
    screen->text = heap_grow(NULL, screen->space);
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
make_space(struct screen *screen, size_t more)
{
    size_t needed = screen->length + more + 1;

    if (needed > screen->space) {
        screen->space = 2 * needed;
        screen->text = heap_grow(screen->text, screen->space);
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
    make_space(screen, (size_t)length);
    va_start(arguments, format);
    (void)vsnprintf(screen->text + screen->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    screen->length += (size_t)length;
}

void
screen_add_text(struct screen *screen, struct sk_text text)
{
    const char *at = text.at;
    const char *end = text.at + text.length;

    make_space(screen, text.length);
    while (at < end) {
        struct printable next = printable_next(at, end);
        size_t length = next.is_safe ? next.length : 1;

        memcpy(screen->text + screen->length, next.is_safe ? at : "?", length);
        screen->length += length;
        at += next.length;
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

void
screen_add_name(struct screen *screen, int32_t seat, int length)
{
    struct sk_text name = screen->names[seat];

    screen_begin(screen, (enum sk_paint)(SK_PAINT_SEAT_0 + seat));
    if (name.length == 0) {
        screen_add(screen, "seat %d", (int)seat);
    } else {
        name.length = name.length < (uint32_t)length ? name.length : (uint32_t)length;
        screen_add_text(screen, name);
    }
    screen_end(screen);
}

void
screen_add_words(struct screen *screen, const char *word)
{
    for (; *word != '\0'; word++) {
        screen_add_text(screen, (struct sk_text){ *word == '_' ? " " : word, 1 });
    }
}

void
screen_add_outcome(struct screen *screen, int32_t winner, const char *reason)
{
    screen_add(screen, "\n  ");
    if (winner < 0) {
        screen_add(screen, "Nobody wins: ");
    } else {
        screen_add_name(screen, winner, FRAME_PLAYER_NAME_MAX);
        screen_add(screen, " wins: ");
    }
    screen_add_words(screen, reason);
    screen_add(screen, "\n");
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

int32_t
screen_lines_left(const struct screen *screen)
{
    int32_t used = 0;

    for (size_t i = 0; i < screen->length; i++) {
        used += screen->text[i] == '\n' ? 1 : 0;
    }
    return screen->rows == 0 ? SCREEN_LINES_ENDLESS : screen->rows - used;
}

void
screen_squeeze(struct screen *screen)
{
    size_t kept = 0;

    if (screen_lines_left(screen) > 0) {
        return;
    }
    for (size_t i = 0; i < screen->length; i++) {
        if (screen->text[i] != '\n' || (kept > 0 && screen->text[kept - 1] != '\n')) {
            screen->text[kept++] = screen->text[i];
        }
    }
    screen->text[kept] = '\0';
    screen->length = kept;
}

/* ---- boards ------------------------------------------------------------------------------ */

/* What is shown of a board, and how. */
struct part {
    struct sk_cell first; /* relative to the canvas */
    int32_t cols;
    int32_t rows;
    int margin; /* for the rows' numbers */
    int width;  /* of a cell, without the space behind it */
};

/* Of the widest number from the first one on. */
static int
number_width(int32_t first, int32_t count)
{
    char digits[16];
    int of_first = snprintf(digits, sizeof(digits), "%d", first);
    int of_last = snprintf(digits, sizeof(digits), "%d", first + count - 1);

    return of_first > of_last ? of_first : of_last;
}

static const char *
text_of(const struct sk_canvas_cell *cell)
{
    return cell->text[0] == '\0' ? grounds[cell->ground] : cell->text;
}

/* How many cells of a side fit, and the first of them. */
static int32_t
fit(int32_t count, int32_t space, int32_t focus, int32_t *ret_first)
{
    int32_t shown = space < BOARD_MIN ? BOARD_MIN : space;
    int32_t first = focus - shown / 2;

    shown = shown < count ? shown : count;
    first = first > count - shown ? count - shown : first;
    *ret_first = first < 0 ? 0 : first;
    return shown;
}

/* The smallest width of a cell that cuts only walls. */
static int
narrow_width(const struct sk_canvas *canvas)
{
    int width = number_width(canvas->origin.x, canvas->cols);

    for (int32_t i = 0; i < canvas->cols * canvas->rows; i++) {
        int length = (int)strnlen(canvas->cells[i].text, SK_CANVAS_TEXT_MAX);

        width = length > width ? length : width;
    }
    return width;
}

static struct part
choose_part(const struct screen *screen)
{
    const struct sk_canvas *canvas = &screen->canvas;
    struct part part = { .cols = canvas->cols, .rows = canvas->rows, .width = SK_CANVAS_TEXT_MAX };

    part.margin = number_width(canvas->origin.y, canvas->rows) + 1;
    if (screen->columns > 0) {
        if (part.margin + part.cols * (part.width + 1) > screen->columns) {
            part.width = narrow_width(canvas);
        }
        part.cols = fit(canvas->cols, (screen->columns - part.margin) / (part.width + 1),
                        screen->focus.x - canvas->origin.x, &part.first.x);
    }
    if (screen->rows > 0) {
        part.rows = fit(canvas->rows, screen->rows - BESIDE_BOARD,
                        screen->focus.y - canvas->origin.y, &part.first.y);
    }
    return part;
}

/* Without colours, the ids that the ruleset writes show the seat. */
static void
add_cell(struct screen *screen, const struct sk_canvas_cell *cell, int width)
{
    bool is_empty = cell->text[0] == '\0';
    const char *text = text_of(cell);
    int length = (int)strnlen(text, (size_t)width);
    bool is_dark = cell->ground == SK_GROUND_DARK && screen->has_colour;

    if (is_dark) {
        screen_add(screen, "\033[48;5;236m");
    }
    screen_begin(screen, is_empty ? SK_PAINT_FAINT : (enum sk_paint)cell->paint);
    screen_add(screen, "%*s%.*s", width - length, "", length, text);
    screen_end(screen);
    screen_add(screen, " ");
}

static void
add_numbers(struct screen *screen, const struct part *part)
{
    screen_add(screen, "%*s", part->margin, "");
    for (int32_t x = 0; x < part->cols; x++) {
        screen_add(screen, "%*d ", part->width, screen->canvas.origin.x + part->first.x + x);
    }
}

/* The next line of the notes; an empty one behind the last. */
static struct sk_text
next_note(const struct screen *screen, size_t *at)
{
    const struct sk_line *notes = &screen->canvas.notes;
    size_t left = *at < notes->used ? notes->used - *at : 0;
    const char *end = left == 0 ? NULL : memchr(notes->at + *at, '\n', left);
    size_t length = end == NULL ? left : (size_t)(end - notes->at) - *at;
    struct sk_text note = { notes->at + (left == 0 ? 0 : *at), (uint32_t)length };

    *at += length + 1;
    return note;
}

static bool
notes_fit(const struct screen *screen, const struct part *part)
{
    int32_t width = part->margin + part->cols * (part->width + 1) + 3;

    for (size_t at = 0; screen->columns > 0 && at < screen->canvas.notes.used;) {
        if (width + (int32_t)next_note(screen, &at).length > screen->columns) {
            return false;
        }
    }
    return true;
}

static void
add_note(struct screen *screen, size_t *at)
{
    struct sk_text note = next_note(screen, at);

    if (note.length > 0) {
        screen_add(screen, "   ");
        screen_add_text(screen, note);
    }
    screen_add(screen, "\n");
}

/* Below the board, as many in a line as fit. */
static void
add_notes(struct screen *screen)
{
    uint32_t used = 0;

    for (size_t at = 0; at < screen->canvas.notes.used;) {
        struct sk_text note = next_note(screen, &at);

        if (used > 0 && used + 2 + note.length > (uint32_t)screen->columns) {
            screen_add(screen, "\n");
            used = 0;
        }
        screen_add(screen, used == 0 ? "" : "; ");
        screen_add_text(screen, note);
        used += note.length + (used == 0 ? 0 : 2);
    }
    screen_add(screen, used == 0 ? "" : "\n");
}

static void
add_part(struct screen *screen, const struct part *part)
{
    const struct sk_canvas *canvas = &screen->canvas;

    if (part->cols < canvas->cols || part->rows < canvas->rows) {
        screen_add(screen, "part of the board: columns %d to %d of %d, rows %d to %d of %d\n",
                   canvas->origin.x + part->first.x,
                   canvas->origin.x + part->first.x + part->cols - 1, canvas->cols,
                   canvas->origin.y + part->first.y,
                   canvas->origin.y + part->first.y + part->rows - 1, canvas->rows);
    }
}

void
screen_add_board(struct screen *screen, const char *legend)
{
    const struct sk_canvas *canvas = &screen->canvas;
    struct part part = choose_part(screen);
    bool is_beside = notes_fit(screen, &part);
    size_t note = is_beside ? 0 : canvas->notes.used;

    add_numbers(screen, &part);
    screen_add(screen, "\n");
    for (int32_t y = 0; y < part.rows; y++) {
        const struct sk_canvas_cell *row =
            &canvas->cells[(part.first.y + y) * canvas->cols + part.first.x];

        screen_add(screen, "%*d ", part.margin - 1, canvas->origin.y + part.first.y + y);
        for (int32_t x = 0; x < part.cols; x++) {
            add_cell(screen, &row[x], part.width);
        }
        add_note(screen, &note);
    }
    while (note < canvas->notes.used) {
        screen_add(screen, "%*s", part.margin + part.cols * (part.width + 1), "");
        add_note(screen, &note);
    }
    if (!is_beside) {
        add_notes(screen);
    }
    add_part(screen, &part);
    screen_add(screen, "%s", legend == NULL ? "" : legend);
}
