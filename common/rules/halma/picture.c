/*
 * Draws halma: a piece is its id in its seat's colour, destinations are marked
 * on the ground, and notes list shared squares, damaged pieces and stalled
 * turns.
 */
#include "common/core/picture.h"

#include "common/rules/halma/internal.h"

static const char *const sentences[] = {
    [HALMA_EVENT_NOT_ENACTED] = "nothing moves because of {seats} ({reasons})",
    [HALMA_EVENT_MOVED] = "{unit} goes along {path}",
    [HALMA_EVENT_COLLIDED] = "{units} collide at {at}",
    [HALMA_EVENT_HEALED] = "{unit} can jump again",
    [HALMA_EVENT_HALMATE] = "halmate for {seats}",
};

/* Destinations of both seats are drawn as seat 0's, and a note says so. */
static void
draw_destinations(const struct halma_config *config, struct sk_canvas *canvas)
{
    bool has_common = false;

    for (uint8_t seat = SK_HALMA_SEATS; seat-- > 0;) {
        const uint64_t *rows = halma_destinations(config, seat);
        const uint64_t *others = halma_destinations(config, (uint8_t)(1 - seat));

        for (int32_t y = 0; y < config->size; y++) {
            has_common |= (rows[y] & others[y]) != 0;
            for (int32_t x = 0; x < config->size; x++) {
                if ((rows[y] >> x & 1) != 0) {
                    sk_canvas_ground(canvas, sk_cell(x, y),
                                     seat == 0 ? SK_GROUND_GOAL_0 : SK_GROUND_GOAL_1);
                }
            }
        }
    }
    if (has_common) {
        sk_line_say(&canvas->notes, "some squares are destinations of both seats\n");
    }
}

/* The first piece before `index` on the same square, or `index`. */
static uint32_t
find_companion(const struct halma_unit_form *units, uint32_t index)
{
    uint32_t i = 0;

    while (i < index && !sk_cell_same(units[i].at, units[index].at)) {
        i++;
    }
    return i;
}

static void
draw_unit(const struct halma_unit_form *units, uint32_t index, struct sk_canvas *canvas)
{
    const struct halma_unit_form *unit = &units[index];
    const struct halma_unit_form *companion = &units[find_companion(units, index)];

    if (companion == unit) {
        sk_canvas_put(canvas, unit->at, unit->id,
                      unit->seat == 0 ? SK_PAINT_SEAT_0 : SK_PAINT_SEAT_1);
    } else {
        sk_canvas_put(canvas, unit->at, SK_TEXT("2"), SK_PAINT_PLAIN);
        sk_line_say_text(&canvas->notes, companion->id);
        sk_line_say(&canvas->notes, " and ");
        sk_line_say_text(&canvas->notes, unit->id);
        sk_line_say(&canvas->notes, " share ");
        sk_line_say_cell(&canvas->notes, unit->at);
        sk_line_say(&canvas->notes, "\n");
    }
    if (unit->damage > 0) {
        sk_line_say_text(&canvas->notes, unit->id);
        sk_line_say(&canvas->notes, " is damaged: no jumps for ");
        sk_line_say_number(&canvas->notes, unit->damage);
        sk_line_say(&canvas->notes, unit->damage == 1 ? " turn\n" : " turns\n");
    }
}

static void
note_faults(const struct halma_config *config, const struct sk_list *list, struct sk_line *notes)
{
    const int32_t *faults = list->at;

    for (uint32_t seat = 0; seat < list->count; seat++) {
        if (faults[seat] > 0) {
            sk_line_say(notes, "stalls of ");
            sk_line_say_seat(notes, (uint8_t)seat);
            sk_line_say(notes, ": ");
            sk_line_say_number(notes, faults[seat]);
            if (config->stall_limit > 0) {
                sk_line_say(notes, " of ");
                sk_line_say_number(notes, config->stall_limit);
            }
            sk_line_say(notes, "\n");
        }
    }
}

/* Only if the other seat's pieces help: own ones can be counted on the board. */
static void
note_filled(const struct sk_list *list, struct sk_line *notes)
{
    const struct halma_filling *filled = list->at;

    for (uint32_t seat = 0; seat < list->count; seat++) {
        if (filled[seat].others > 0) {
            sk_line_say_seat(notes, (uint8_t)seat);
            sk_line_say(notes, "'s destinations: ");
            sk_line_say_number(notes, filled[seat].own);
            sk_line_say(notes, " own, ");
            sk_line_say_number(notes, filled[seat].others);
            sk_line_say(notes, " of the other seat, ");
            sk_line_say_number(notes, filled[seat].free);
            sk_line_say(notes, " free\n");
        }
    }
}

static bool
draw(const void *config, const void *view_form, struct sk_canvas *canvas)
{
    const struct halma_config *halma = config;
    const struct halma_position_form *form = view_form;

    if (!sk_canvas_begin(canvas, sk_cell(0, 0), halma->size, halma->size)) {
        return false;
    }
    draw_destinations(halma, canvas);
    for (uint32_t i = 0; i < form->units.count; i++) {
        draw_unit(form->units.at, i, canvas);
    }
    note_faults(halma, &form->faults, &canvas->notes);
    note_filled(&form->filled, &canvas->notes);
    return true;
}

const struct sk_picture halma_picture = {
    .sentences = sentences,
    .legend = "- seat 0's goal, = seat 1's goal\n",
    .draw = draw,
};
