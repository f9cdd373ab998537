#include "server/cli/live_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/core/registry.h"
#include "common/core/rules.h"
#include "proto/params.h"
#include "proto/schema_read.h"
#include "server/cli/keys.h"
#include "server/client/look.h"
#include "server/memory.h"

#define FORMS_SIZE (16u << 20)
#define WORD_MAX   64

#define NAME_MIN       4  /* letters of a name */
#define EVENTS_MIN     2  /* lines of events, even where the terminal has no more */
#define LEGEND_COLUMNS 80 /* where the terminal does not say how wide it is */

void
live_init(struct live_match *live)
{
    *live = (struct live_match){ .seat = -1, .has_terminal = isatty(STDOUT_FILENO) };
    heap_arena(&live->forms, FORMS_SIZE);
    screen_init(&live->screen, screen_wants_colour());
}

void
live_fini(struct live_match *live)
{
    screen_fini(&live->screen);
    free(live->forms.base);
    free(live->config);
}

/* ---- taking in --------------------------------------------------------------------------- */

static bool
build_config(struct live_match *live, const struct sk_value *params, struct sk_fault *fault)
{
    const struct sk_ruleset *ruleset = live->ruleset;
    struct sk_arena config;
    struct sk_arena scratch;
    const void *form = NULL;
    bool is_built;

    heap_arena(&config, sk_rules_config_size_max(ruleset));
    heap_arena(&scratch, ruleset->scratch_size_max);
    live->forms.used = 0;
    is_built = sk_params_read(ruleset, params, &live->forms, &form, fault) == SK_OK &&
               sk_rules_config_build(ruleset, form, &config, &scratch, fault) == SK_OK;
    free(scratch.base);
    free(live->config);
    live->config = config.base;
    live->seat_count = is_built ? sk_rules_seat_count(ruleset, live->config) : 0;
    return is_built;
}

static void
take_names(struct live_match *live, const struct sk_value *players)
{
    const struct sk_value *player = players + 1;

    for (uint32_t i = 0; i < players->count && i < SK_SEATS_MAX;
         i++, player = sk_value_next(player)) {
        live->names[i][0] = '\0';
        if (sk_value_is(player, SK_VALUE_OBJECT)) {
            look_text(player, "name", live->names[i], sizeof(live->names[i]));
        }
    }
}

static bool
take_state(struct live_match *live, const struct sk_value *frame, struct sk_fault *fault)
{
    const struct sk_value *players = sk_value_member(frame, "players");
    char name[WORD_MAX] = "";

    look_text(frame, "ruleset", name, sizeof(name));
    live->ruleset = sk_registry_find(sk_text_of(name), (uint32_t)look_int(frame, "version", 0));
    if (live->ruleset == NULL) {
        sk_fault_set(fault, "unknown_ruleset", "this program does not know the match's ruleset");
        return false;
    }
    live->match = look_int(frame, "match", 0);
    live->seat = look_int(frame, "seat", -1);
    if (sk_value_is(players, SK_VALUE_LIST)) {
        take_names(live, players);
    }
    return build_config(live, sk_value_member(frame, "params"), fault);
}

static bool
take_view(struct live_match *live, const struct sk_value *view, struct sk_fault *fault)
{
    void *form;

    live->forms.used = 0;
    form = sk_arena_take(&live->forms, live->ruleset->view->size);
    live->turn = look_int(view, "turn", live->turn);
    live->is_placement = look_says(view, "phase", "placement");
    live->view = NULL;
    if (sk_form_read(live->ruleset->view, view, &live->forms, form, fault) != SK_OK) {
        return false;
    }
    live->view = form;
    return true;
}

bool
live_take(struct live_match *live, const struct sk_value *frame, struct sk_fault *ret_fault)
{
    const struct sk_value *view = look_object(frame, "view");
    int32_t seat = look_int(frame, "seat", -1);

    if (look_says(frame, "type", "state") && !take_state(live, frame, ret_fault)) {
        return false;
    }
    if (look_says(frame, "type", "seated") && seat >= 0 && seat < SK_SEATS_MAX) {
        live->names[seat][0] = '\0';
        look_text(frame, "name", live->names[seat], sizeof(live->names[seat]));
    }
    return view == NULL || live->ruleset == NULL || take_view(live, view, ret_fault);
}

/* ---- drawing ----------------------------------------------------------------------------- */

/* One line: where the terminal is too narrow, names are cut. */
static void
add_head(struct live_match *live)
{
    char first[WORD_MAX];
    char you[WORD_MAX] = "";
    char last[WORD_MAX] = "placement phase";
    int length = snprintf(first, sizeof(first), "match %lld, %s: ", (long long)live->match,
                          live->ruleset->name);

    if (live->seat >= 0) {
        length += snprintf(you, sizeof(you), " (you, seat %d)", (int)live->seat);
    }
    if (!live->is_placement) {
        (void)snprintf(last, sizeof(last), "turn %d", (int)live->turn);
    }
    length = live->screen.columns - length - (int)strlen(last) - 2 * live->seat_count - 1;
    length = live->screen.columns == 0 ? FRAME_PLAYER_NAME_MAX : length / live->seat_count;
    screen_add(&live->screen, "%s", first);
    for (int32_t seat = 0; seat < live->seat_count; seat++) {
        screen_add(&live->screen, seat == 0 ? "" : ", ");
        screen_add_name(&live->screen, seat, length < NAME_MIN ? NAME_MIN : length);
        screen_add(&live->screen, "%s", seat == live->seat ? you : "");
    }
    screen_add(&live->screen, "   %s\n\n", last);
}

/* Sign and unit of a planned move, else the sign in front of the cell's text.  If both do not fit,
 * the end of the name is shown. */
static void
put_mark(struct live_match *live, const struct live_mark *mark)
{
    struct sk_canvas *canvas = &live->screen.canvas;
    struct sk_cell at = { mark->cell.x - canvas->origin.x, mark->cell.y - canvas->origin.y };
    char text[SK_CANVAS_TEXT_MAX + 1] = { mark->sign };
    char there[SK_CANVAS_TEXT_MAX + 1] = "";
    const char *name = mark->unit;
    size_t length;

    if (!sk_cell_on_grid(at, canvas->cols, canvas->rows)) {
        return;
    }
    if (mark->sign != '>') {
        memcpy(there, canvas->cells[sk_cell_index(at, canvas->cols)].text, SK_CANVAS_TEXT_MAX);
        name = there[0] == '*' ? there + 1 : there;
    }
    length = strlen(name);
    name += length < SK_CANVAS_TEXT_MAX ? 0 : length - (SK_CANVAS_TEXT_MAX - 1);
    memcpy(text + 1, name, strlen(name));
    sk_canvas_put(canvas, mark->cell, sk_text_of(text),
                  mark->sign == '*'   ? SK_PAINT_THING
                  : mark->sign == '!' ? SK_PAINT_DANGER
                                      : (enum sk_paint)(SK_PAINT_SEAT_0 + live->seat));
}

/* A board that is too large is shown around what is marked, else around an own unit. */
static struct sk_cell
choose_focus(const struct live_match *live, const struct live_mark *marks, uint32_t mark_count)
{
    const struct sk_canvas *canvas = &live->screen.canvas;
    int32_t paint = SK_PAINT_SEAT_0 + (live->seat < 0 ? 0 : live->seat);

    for (int32_t i = 0; mark_count == 0 && i < canvas->cols * canvas->rows; i++) {
        if (canvas->cells[i].text[0] != '\0' && canvas->cells[i].paint == paint) {
            return sk_cell(canvas->origin.x + i % canvas->cols,
                           canvas->origin.y + i / canvas->cols);
        }
    }
    return mark_count == 0 ? canvas->origin : marks[0].cell;
}

/* Behind the ruleset's legend, or in a line of its own. */
static void
add_mark_legend(struct screen *screen, bool has_legend)
{
    static const char legend[] = "* target, >a1 planned, !b1 attacked\n";
    size_t columns = screen->columns == 0 ? LEGEND_COLUMNS : (size_t)screen->columns;
    size_t last = screen->length - 1;

    while (last > 0 && screen->text[last - 1] != '\n') {
        last--;
    }
    if (has_legend && screen->length - last + sizeof(legend) <= columns) {
        screen->length--;
        screen_add(screen, ", ");
    }
    screen_add(screen, "%s", legend);
}

static void
add_board(struct live_match *live, const struct live_mark *marks, uint32_t mark_count)
{
    live->screen.focus = choose_focus(live, marks, mark_count);
    for (uint32_t i = 0; i < mark_count; i++) {
        put_mark(live, &marks[i]);
    }
    screen_add_board(&live->screen, sk_board_legend(live->ruleset));
    if (mark_count > 0) {
        add_mark_legend(&live->screen, sk_board_legend(live->ruleset) != NULL);
    }
}

void
live_draw(struct live_match *live, const struct live_mark *marks, uint32_t mark_count)
{
    screen_clear(&live->screen);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        live->screen.names[seat] = sk_text_of(live->names[seat]);
    }
    add_head(live);
    if (live->view == NULL) {
        screen_add(&live->screen, "(waiting for players)\n");
    } else if (!sk_board_draw(live->ruleset, live->config, live->view, false,
                              &live->screen.canvas)) {
        screen_add(&live->screen, "(this board cannot be drawn here)\n");
    } else {
        add_board(live, marks, mark_count);
    }
}

/* False when there is no text for it. */
static bool
say_event(struct live_match *live, const struct sk_value *item, struct sk_line *ret_line)
{
    struct sk_event *event = sk_arena_take(&live->forms, live->ruleset->event->size);
    struct sk_fault fault;

    if (event == NULL ||
        sk_variant_read(live->ruleset->event, item, &live->forms, event, &fault) != SK_OK) {
        return false; /* a newer server may have other events */
    }
    *ret_line = screen_line(&live->screen);
    sk_event_say(live->ruleset, live->config, event, ret_line);
    return ret_line->used > 0;
}

void
live_add_events(struct live_match *live, const struct sk_value *frame, int32_t lines_kept)
{
    const struct sk_value *events = sk_value_member(frame, "events");
    const struct sk_value *item = events == NULL ? NULL : events + 1;
    uint32_t count = sk_value_is(events, SK_VALUE_LIST) ? events->count : 0;
    int32_t left = screen_lines_left(&live->screen) - lines_kept;
    uint32_t space = left < EVENTS_MIN ? EVENTS_MIN : (uint32_t)left;
    size_t mark = live->forms.used;
    uint32_t said = 0;

    screen_add(&live->screen, count == 0 ? "" : "\n");
    screen_add_failures(&live->screen, sk_value_member(frame, "failures"));
    for (uint32_t i = 0; i < count; i++, item = sk_value_next(item)) {
        struct sk_line line;

        if (count > space && said + 1 == space) {
            screen_add(&live->screen, "  (%u more events)\n", count - i);
            break;
        }
        if (say_event(live, item, &line)) {
            screen_add(&live->screen, "  ");
            screen_add_line(&live->screen, &line);
            screen_add(&live->screen, "\n");
            said++;
        }
    }
    live->forms.used = mark;
}

void
live_add_outcome(struct live_match *live, const struct sk_value *outcome)
{
    int32_t winner = look_int(outcome, "winner", -1);
    char reason[WORD_MAX] = "";

    look_text(outcome, "reason", reason, sizeof(reason));
    screen_add_outcome(&live->screen, winner >= live->seat_count ? -1 : winner, reason);
}

struct sk_line
live_say_command(struct live_match *live, const struct sk_value *command)
{
    struct sk_command *form = heap_memory(live->ruleset->command->size);
    struct sk_line line = screen_line(&live->screen);
    size_t mark = live->forms.used;
    struct sk_fault fault;

    if (sk_variant_read(live->ruleset->command, command, &live->forms, form, &fault) == SK_OK) {
        sk_command_say(live->ruleset, live->config, form, &line);
    }
    live->forms.used = mark;
    free(form);
    return line;
}

void
live_print(struct live_match *live)
{
    screen_squeeze(&live->screen);
    printf("%s%s", live->has_terminal ? KEYS_CLEAR : "", live->screen.text);
    (void)fflush(stdout);
}
