/*
 * Draws tactics: a unit is its id in its seat's colour, and notes beside the
 * board say what each unit is and how much health it has.
 */
#include "common/core/picture.h"

#include "common/rules/tactics/internal.h"

static const char *const sentences[] = {
    [TACTICS_EVENT_PLACED] = "{unit} starts at {at}",
    [TACTICS_EVENT_BOUNCED] = "{units} bounce off each other at {at}",
    [TACTICS_EVENT_MOVED] = "{unit} moves from {from} to {to}",
    [TACTICS_EVENT_ATTACKED] = "{unit} attacks {target}, which reaches {cells}",
    [TACTICS_EVENT_HIT] = "{unit} is hit by {by} for {damage} and has {health} left",
    [TACTICS_EVENT_DIED] = "{unit} dies",
};

static struct sk_text
unit_title(const void *config, struct sk_text id)
{
    struct sk_id name = sk_id_from(id);
    uint8_t unit = tactics_unit_find(config, &name);

    return unit == TACTICS_NO_UNIT ? (struct sk_text){ NULL, 0 }
                                   : sk_id_text(&tactics_model_of(config, unit)->name);
}

static void
note_unit(const struct tactics_unit_form *unit, int32_t full, struct sk_line *notes)
{
    sk_line_say_text(notes, unit->id);
    sk_line_say(notes, " ");
    sk_line_say_text(notes, unit->model);
    sk_line_say(notes, " at ");
    sk_line_say_cell(notes, unit->at);
    sk_line_say(notes, ", health ");
    sk_line_say_number(notes, unit->health);
    sk_line_say(notes, " of ");
    sk_line_say_number(notes, full);
    sk_line_say(notes, "\n");
}

static bool
draw(const void *config, const void *view_form, struct sk_canvas *canvas)
{
    const struct tactics_config *tactics = config;
    const struct tactics_position_form *form = view_form;
    const struct tactics_unit_form *units = form->units.at;

    if (!sk_canvas_begin(canvas, sk_cell(0, 0), tactics->cols, tactics->rows)) {
        return false;
    }
    for (uint32_t i = 0; i < form->units.count; i++) {
        struct sk_id id = sk_id_from(units[i].id);
        uint8_t unit = tactics_unit_find(tactics, &id);

        sk_canvas_put(canvas, units[i].at, units[i].id,
                      units[i].seat == 0 ? SK_PAINT_SEAT_0 : SK_PAINT_SEAT_1);
        if (unit != TACTICS_NO_UNIT) {
            note_unit(&units[i], tactics_model_of(tactics, unit)->health, &canvas->notes);
        }
    }
    return true;
}

const struct sk_picture tactics_picture = {
    .sentences = sentences,
    .unit_title = unit_title,
    .draw = draw,
};
