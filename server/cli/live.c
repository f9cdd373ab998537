#include "server/cli/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/core/registry.h"
#include "proto/params.h"
#include "proto/schema_read.h"
#include "server/cli/keys.h"
#include "server/client/look.h"

#define FORMS_SIZE (16u << 20)
#define WORD_MAX   64

static void *
memory_of(size_t size)
{
    void *memory = calloc(1, size == 0 ? 1 : size);

    SK_ASSERT(memory != NULL);
    return memory;
}

void
live_init(struct live *live)
{
    *live = (struct live){ .seat = -1, .has_terminal = isatty(STDOUT_FILENO) };
    sk_arena_init(&live->forms, memory_of(FORMS_SIZE), FORMS_SIZE);
    screen_init(&live->screen, screen_wants_colour());
}

void
live_fini(struct live *live)
{
    screen_fini(&live->screen);
    free(live->forms.base);
    free(live->config);
}

/* ---- taking in --------------------------------------------------------------------------- */

static bool
build_config(struct live *live, const struct sk_value *params, struct sk_fault *fault)
{
    const struct sk_ruleset *ruleset = live->ruleset;
    struct sk_arena config;
    struct sk_arena scratch;
    const void *form = NULL;
    bool is_built;

    sk_arena_init(&config, memory_of(ruleset->config_size_max), ruleset->config_size_max);
    sk_arena_init(&scratch, memory_of(ruleset->scratch_size_max), ruleset->scratch_size_max);
    live->forms.used = 0;
    is_built = sk_params_read(ruleset, params, &live->forms, &form, fault) == SK_OK &&
               ruleset->config_build(form, &config, &scratch, fault) == SK_OK;
    free(scratch.base);
    free(live->config);
    live->config = config.base;
    live->seat_count = is_built ? ruleset->seat_count(live->config) : 0;
    return is_built;
}

static void
take_names(struct live *live, const struct sk_value *players)
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
take_state(struct live *live, const struct sk_value *frame, struct sk_fault *fault)
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
take_view(struct live *live, const struct sk_value *view, struct sk_fault *fault)
{
    void *form;

    live->forms.used = 0;
    form = sk_arena_take(&live->forms, live->ruleset->view->size);
    live->turn = look_int(view, "turn", live->turn);
    live->view = NULL;
    if (sk_form_read(live->ruleset->view, view, &live->forms, form, fault) != SK_OK) {
        return false;
    }
    live->view = form;
    return true;
}

bool
live_take(struct live *live, const struct sk_value *frame, struct sk_fault *ret_fault)
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

static void
add_name(struct live *live, int32_t seat)
{
    screen_begin(&live->screen, (enum sk_paint)(SK_PAINT_SEAT_0 + seat));
    if (live->names[seat][0] == '\0') {
        screen_add(&live->screen, "seat %d", (int)seat);
    } else {
        screen_add_text(&live->screen, sk_text_of(live->names[seat]));
    }
    screen_end(&live->screen);
}

static void
add_head(struct live *live)
{
    screen_add(&live->screen, "match %lld, %s: ", (long long)live->match, live->ruleset->name);
    for (int32_t seat = 0; seat < live->seat_count; seat++) {
        screen_add(&live->screen, seat == 0 ? "" : ", ");
        add_name(live, seat);
        screen_add(&live->screen, seat == live->seat ? " (you)" : "");
    }
    screen_add(&live->screen, "   turn %d\n\n", (int)live->turn);
}

void
live_draw(struct live *live, const struct sk_cell *marks, uint32_t mark_count)
{
    const struct sk_picture *picture = live->ruleset->picture;

    screen_clear(&live->screen);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        live->screen.names[seat] = sk_text_of(live->names[seat]);
    }
    add_head(live);
    if (live->view == NULL) {
        screen_add(&live->screen, "(waiting for players)\n");
    } else if (picture == NULL || !picture->draw(live->config, live->view, &live->screen.canvas)) {
        screen_add(&live->screen, "(this board cannot be drawn here)\n");
    } else {
        for (uint32_t i = 0; i < mark_count; i++) {
            sk_canvas_put(&live->screen.canvas, marks[i], SK_TEXT("*"), SK_PAINT_THING);
        }
        screen_add_board(&live->screen);
    }
}

void
live_add_events(struct live *live, const struct sk_value *frame)
{
    const struct sk_value *events = sk_value_member(frame, "events");
    const struct sk_value *item = events == NULL ? NULL : events + 1;
    uint32_t count = sk_value_is(events, SK_VALUE_LIST) ? events->count : 0;
    size_t mark = live->forms.used;

    screen_add_failures(&live->screen, sk_value_member(frame, "failures"));
    for (uint32_t i = 0; i < count; i++, item = sk_value_next(item)) {
        struct sk_event *event = sk_arena_take(&live->forms, live->ruleset->event->size);
        struct sk_line line = screen_line(&live->screen);
        struct sk_fault fault;

        if (event == NULL ||
            sk_variant_read(live->ruleset->event, item, &live->forms, event, &fault) != SK_OK) {
            continue; /* a newer server may have more to say */
        }
        sk_event_say(live->ruleset, live->config, event, &line);
        if (line.used > 0) {
            screen_add(&live->screen, "  ");
            screen_add_line(&live->screen, &line);
            screen_add(&live->screen, "\n");
        }
    }
    live->forms.used = mark;
}

void
live_add_outcome(struct live *live, const struct sk_value *outcome)
{
    int32_t winner = look_int(outcome, "winner", -1);
    char reason[WORD_MAX] = "";

    look_text(outcome, "reason", reason, sizeof(reason));
    screen_add(&live->screen, "\n  ");
    if (winner < 0 || winner >= live->seat_count) {
        screen_add(&live->screen, "Nobody wins: ");
    } else {
        add_name(live, winner);
        screen_add(&live->screen, " wins: ");
    }
    for (char *letter = reason; *letter != '\0'; letter++) {
        *letter = *letter == '_' ? ' ' : *letter;
    }
    screen_add_text(&live->screen, sk_text_of(reason));
    screen_add(&live->screen, "\n");
}

void
live_add_command(struct live *live, const struct sk_value *command)
{
    struct sk_command *form = memory_of(live->ruleset->command->size);
    struct sk_line line = screen_line(&live->screen);
    size_t mark = live->forms.used;
    struct sk_fault fault;

    if (sk_variant_read(live->ruleset->command, command, &live->forms, form, &fault) == SK_OK) {
        sk_command_say(live->ruleset, live->config, form, &line);
        screen_add_line(&live->screen, &line);
    }
    live->forms.used = mark;
    free(form);
}

void
live_print(struct live *live)
{
    printf("%s%s", live->has_terminal ? KEYS_CLEAR : "", live->screen.text);
    (void)fflush(stdout);
}
