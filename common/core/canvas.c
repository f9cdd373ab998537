#include <string.h>

#include "common/core/picture.h"

#define NUMBER_DIGITS 20

/* ---- lines ------------------------------------------------------------------------------- */

void
sk_line_say_text(struct sk_line *line, struct sk_text words)
{
    size_t space = line->size - line->used;
    size_t length = words.length < space ? words.length : space;

    if (length > 0) {
        memcpy(line->at + line->used, words.at, length);
        line->used += length;
    }
}

void
sk_line_say(struct sk_line *line, const char *words)
{
    sk_line_say_text(line, sk_text_of(words));
}

void
sk_line_say_number(struct sk_line *line, int64_t number)
{
    char digits[NUMBER_DIGITS + 1];
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    uint32_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (number < 0) {
        digits[--at] = '-';
    }
    sk_line_say_text(line, (struct sk_text){ digits + at, (uint32_t)sizeof(digits) - at });
}

void
sk_line_say_cell(struct sk_line *line, struct sk_cell cell)
{
    sk_line_say_number(line, cell.x);
    sk_line_say(line, ",");
    sk_line_say_number(line, cell.y);
}

/* ---- boards ------------------------------------------------------------------------------ */

bool
sk_canvas_begin(struct sk_canvas *canvas, struct sk_cell origin, int32_t cols, int32_t rows)
{
    if (cols < 0 || rows < 0 || cols > SK_CANVAS_SIDE_MAX || rows > SK_CANVAS_SIDE_MAX ||
        (size_t)cols * (size_t)rows > canvas->cell_capacity) {
        return false;
    }
    canvas->origin = origin;
    canvas->cols = cols;
    canvas->rows = rows;
    canvas->notes.used = 0;
    if (cols > 0 && rows > 0) {
        memset(canvas->cells, 0, (size_t)cols * (size_t)rows * sizeof(*canvas->cells));
    }
    return true;
}

static struct sk_canvas_cell *
cell_of(struct sk_canvas *canvas, struct sk_cell cell)
{
    struct sk_cell inside = { (int32_t)((uint32_t)cell.x - (uint32_t)canvas->origin.x),
                              (int32_t)((uint32_t)cell.y - (uint32_t)canvas->origin.y) };

    return sk_cell_on_grid(inside, canvas->cols, canvas->rows)
               ? &canvas->cells[sk_cell_index(inside, canvas->cols)]
               : NULL;
}

void
sk_canvas_put(struct sk_canvas *canvas, struct sk_cell cell, struct sk_text text,
              enum sk_paint paint)
{
    struct sk_canvas_cell *place = cell_of(canvas, cell);
    size_t length = text.length < SK_CANVAS_TEXT_MAX ? text.length : SK_CANVAS_TEXT_MAX;

    if (place != NULL && length > 0) {
        memset(place->text, 0, sizeof(place->text));
        memcpy(place->text, text.at, length);
        place->paint = (uint8_t)paint;
    }
}

void
sk_canvas_ground(struct sk_canvas *canvas, struct sk_cell cell, enum sk_ground ground)
{
    struct sk_canvas_cell *place = cell_of(canvas, cell);

    if (place != NULL) {
        place->ground = (uint8_t)ground;
    }
}
