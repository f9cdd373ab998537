/* A ruleset's picture: every state can be drawn, and every event has a sentence. */
#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "tests/conformance/walk.h"

#define SENTENCE_SIZE 4096
#define NOTES_SIZE    65536
#define FORMS_SIZE    (4 * 1024 * 1024)

FOR_EACH_RULESET(sentences_name_members_that_their_event_has)
{
    const struct sk_ruleset *ruleset = version_at(*index);
    uint16_t kind = 0;

    cr_expect(sk_picture_is_sound(ruleset, &kind), "%s: %s", ruleset->name,
              ruleset->event->of[kind].kind);
}

/* The canvas is shared by all states, because allocating much memory is slow under a sanitizer. */
struct desk {
    struct sk_arena arena;
    struct sk_canvas canvas;
    char *sentence;
};

static struct desk *
desk_of_test(void)
{
    static struct desk desk = { .canvas.cell_capacity =
                                    (size_t)SK_CANVAS_SIDE_MAX * SK_CANVAS_SIDE_MAX };

    if (desk.sentence == NULL) {
        desk.sentence = malloc(SENTENCE_SIZE);
        desk.canvas.cells = malloc(desk.canvas.cell_capacity * sizeof(*desk.canvas.cells));
        desk.canvas.notes = (struct sk_line){ .at = malloc(NOTES_SIZE), .size = NOTES_SIZE };
        sk_arena_init(&desk.arena, malloc(FORMS_SIZE), FORMS_SIZE);
        cr_assert(desk.sentence != NULL && desk.canvas.cells != NULL &&
                  desk.canvas.notes.at != NULL && desk.arena.base != NULL);
    }
    return &desk;
}

static void
expect_drawn(const struct sk_ruleset *ruleset, const void *config, const struct sk_state *state,
             uint8_t seat, void *view, struct desk *desk)
{
    struct sk_arena *arena = &desk->arena;
    struct sk_canvas *canvas = &desk->canvas;
    struct sk_sizes sizes;
    void *form;

    arena->used = 0;
    form = sk_arena_take(arena, ruleset->view->size);
    sk_rules_sizes(ruleset, config, &sizes);
    memset(view, 0, sizes.view);
    sk_rules_view_make(ruleset, &sizes, config, state, seat, view);
    cr_assert_eq(sk_rules_view_form(ruleset, config, view, arena, form), SK_OK);
    cr_expect(sk_board_draw(ruleset, config, form, false, canvas),
              "%s: seat %u's view is not drawn", ruleset->name, seat);
    cr_expect_gt(canvas->cols * canvas->rows, 0);
    arena->used = 0;
    form = sk_arena_take(arena, ruleset->state->size);
    cr_assert_eq(sk_rules_state_form(ruleset, config, state, arena, form), SK_OK);
    cr_expect(sk_board_draw(ruleset, config, form, true, canvas), "%s: the state is not drawn",
              ruleset->name);
}

static void
expect_picture(struct walk *walk)
{
    struct table *table = &walk->table;
    struct desk *desk = desk_of_test();

    desk->canvas.notes.used = 0;
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        expect_drawn(table->ruleset, table->config, table->match.state, seat, table->view, desk);
    }
    expect_drawn(table->ruleset, table->config, table->match.state, SK_SPECTATOR, table->view,
                 desk);
    table_resolve(table, walk->pointers);
    for (const struct sk_event *event = table->turn.events.first; event != NULL;
         event = event->next) {
        struct sk_line line = { .at = desk->sentence, .size = SENTENCE_SIZE };

        sk_event_say(table->ruleset, table->config, event, &line);
        cr_expect_null(memchr(line.at, '\n', line.used));
    }
    for (uint32_t i = 0; i < walk->lists[0].count; i++) {
        struct sk_line line = { .at = desk->sentence, .size = SENTENCE_SIZE };

        sk_command_say(table->ruleset, table->config, commands_item(&walk->lists[0], i), &line);
        cr_expect_gt(line.used, 0u);
    }
}

FOR_EACH_RULESET(every_state_is_drawn_and_every_event_told)
{
    walk_all(*index, expect_picture);
}
