/*
 * Draws racers: A and B in their seats' colours, their trails as +, the dark
 * and the walls as ground.  Notes beside the board say what each racer has, and
 * where the teleporters lead.
 */
#include "common/core/picture.h"

#include "common/rules/racers/internal.h"

static const char *const sentences[] = {
    [RACERS_EVENT_MOVED] = "{seat} moves from {from} to {to}",
    [RACERS_EVENT_TELEPORTED] = "the teleporter at {from} takes {seat} to {to}",
    [RACERS_EVENT_PICKED_UP] = "{seat} picks up a {item} at {at}",
    [RACERS_EVENT_PLACED] = "{seat} places a grenade at {at}",
    [RACERS_EVENT_LAUNCHED] = "{seat} launches a {item} to the {dir}, which lands at {landed}",
    [RACERS_EVENT_DISC_HIT] = "it hits {seat} at {at}",
    [RACERS_EVENT_EXPLODED] = ("a grenade explodes at {at}; "
                               "actions lost by {seat}: {actions_lost}"),
    [RACERS_EVENT_POWER_FAILED] = "power fails around {centres}",
    [RACERS_EVENT_POWERED_OUT] = "{seat} runs into the dark at {at}",
    [RACERS_EVENT_TURN_PASSED] = "{seat}'s turn is over: {why}",
    [RACERS_EVENT_TRAPPED] = "{seat} is trapped",
    [RACERS_EVENT_FINISHED] = "{seat} is at the finish",
};

static void
draw_ground(const struct racers_position_form *form, struct sk_canvas *canvas)
{
    const struct racers_failure_form *failures = form->failures.at;
    const struct sk_cell *walls = form->ground.walls.at;
    const struct sk_cell *starts = form->ground.starts.at;

    for (uint32_t i = 0; i < form->failures.count; i++) {
        for (uint8_t dir = 0; dir < RACERS_DIRECTIONS; dir++) {
            sk_canvas_ground(canvas, racers_neighbour(failures[i].at, dir), SK_GROUND_DARK);
        }
        sk_canvas_ground(canvas, failures[i].at, SK_GROUND_DARK);
    }
    for (uint32_t i = 0; i < form->ground.walls.count; i++) {
        sk_canvas_ground(canvas, walls[i], SK_GROUND_WALL);
    }
    sk_canvas_ground(canvas, starts[1], SK_GROUND_GOAL_0);
    sk_canvas_ground(canvas, starts[0], SK_GROUND_GOAL_1);
}

static void
draw_teleporters(const struct sk_list *list, struct sk_canvas *canvas)
{
    const struct racers_teleporter_form *teleporters = list->at;

    for (uint32_t i = 0; i < list->count; i++) {
        sk_canvas_put(canvas, teleporters[i].at, SK_TEXT("t"), SK_PAINT_PLAIN);
        sk_line_say(&canvas->notes, "t at ");
        sk_line_say_cell(&canvas->notes, teleporters[i].at);
        sk_line_say(&canvas->notes, " leads to ");
        sk_line_say_cell(&canvas->notes, teleporters[i].to);
        sk_line_say(&canvas->notes, "\n");
    }
}

static void
draw_item(const struct racers_item_form *item, struct sk_canvas *canvas)
{
    static const enum sk_paint paints[] = { SK_PAINT_THING, SK_PAINT_DANGER, SK_PAINT_DANGER,
                                            SK_PAINT_FAINT };
    static const struct sk_text grenades[] = { SK_TEXT_CONST("g"), SK_TEXT_CONST("p"),
                                               SK_TEXT_CONST("*"), SK_TEXT_CONST("x") };

    if (item->kind == RACERS_GRENADE) {
        sk_canvas_put(canvas, item->at, grenades[item->state], paints[item->state]);
    } else {
        sk_canvas_put(canvas, item->at, item->kind == RACERS_DISC ? SK_TEXT("d") : SK_TEXT("c"),
                      SK_PAINT_THING);
    }
}

static void
note_carried(const struct sk_list *carried, struct sk_line *notes)
{
    static const char *const words[] = { " grenade", " disc", " charged disc" };
    const uint8_t *kinds = carried->at;

    sk_line_say(notes, carried->count == 0 ? ", carries nothing" : ", carries");
    for (uint32_t i = 0; i < carried->count; i++) {
        sk_line_say(notes, i == 0 ? "" : ",");
        sk_line_say(notes, words[kinds[i]]);
    }
    sk_line_say(notes, "\n");
}

static void
note_racer(const struct racers_position_form *form, const struct racers_racer_form *racer,
           struct sk_line *notes)
{
    sk_line_say(notes, racer->seat == 0 ? "A at " : "B at ");
    sk_line_say_cell(notes, racer->at);
    if (form->active == racer->seat) {
        sk_line_say(notes, ", actions left: ");
        sk_line_say_number(notes, form->actions_left);
    }
    if (racer->debt > 0) {
        sk_line_say(notes, ", owes ");
        sk_line_say_number(notes, racer->debt);
    }
    if (racer->skip > 0) {
        sk_line_say(notes, ", skips ");
        sk_line_say_number(notes, racer->skip);
    }
    note_carried(&racer->carried, notes);
}

static void
draw_racer(const struct racers_racer_form *racer, struct sk_canvas *canvas)
{
    const struct racers_trail_form *trail = racer->trail.at;
    enum sk_paint paint = racer->seat == 0 ? SK_PAINT_SEAT_0 : SK_PAINT_SEAT_1;

    for (uint32_t i = 0; i < racer->trail.count; i++) {
        sk_canvas_put(canvas, trail[i].at, SK_TEXT("+"), paint);
    }
    sk_canvas_put(canvas, racer->at, racer->seat == 0 ? SK_TEXT("A") : SK_TEXT("B"), paint);
}

static bool
draw(const void *config, const void *view_form, struct sk_canvas *canvas)
{
    const struct racers_config *racers = config;
    const struct racers_position_form *form = view_form;
    const struct racers_item_form *items = form->ground.items.at;
    const struct racers_racer_form *racer = form->racers.at;

    if (!sk_canvas_begin(canvas, sk_cell(0, 0), racers->cols, racers->rows)) {
        return false;
    }
    draw_ground(form, canvas);
    for (uint32_t i = 0; i < form->racers.count; i++) {
        note_racer(form, &racer[i], &canvas->notes);
    }
    draw_teleporters(&form->ground.teleporters, canvas);
    for (uint32_t i = 0; i < form->ground.items.count; i++) {
        draw_item(&items[i], canvas);
    }
    for (uint32_t i = 0; i < form->racers.count; i++) {
        draw_racer(&racer[i], canvas);
    }
    return true;
}

const struct sk_picture racers_picture = {
    .sentences = sentences,
    .legend = "A seat 0, B seat 1, + trail, - A's finish, = B's finish, ### wall, : dark,\n"
              "t teleporter, d disc, c charged disc, g grenade, p placed, * armed, x exploded\n",
    .draw = draw,
};
