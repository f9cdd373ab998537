/* halma for people's eyes: the board, the notes beside it, and events in words. */
#include <stdlib.h>

#include "common/core/picture.h"
#include "common/core/rules.h"
#include "common/rules/halma/internal.h"
#include "tests/support/halma_draw.h"
#include "tests/unit/turn_bench.h"

#define SIDE       6
#define NOTES_SIZE 1024

struct picture_case {
    const char *label;
    struct halma_drawing position;
    const char *texts;   /* what stands on the squares, in reading order */
    const char *grounds; /* the rows of destinations: 0, 1, or '.' */
    const char *notes;
};

static const struct picture_case picture_cases[] = {
    { .label = "pieces and destinations of both",
      .position = { .board = "A..a/.B", .goals = "0....1/......../1....0" },
      .texts = " a1@0 b1@3 a2@7",
      .grounds = "0....1/....../1....0/....../....../......",
      .notes = "" },
    { .label = "a shared square, damage and faults",
      .position = { .board = "A..a",
                    .goals = "...../0....1",
                    .stands = "a@0,0",
                    .damages = "A=5 a=3",
                    .faults = { 0, 2 } },
      .texts = " 2@0",
      .grounds = "....../0....1/....../....../....../......",
      .notes = "a1 is damaged: no jumps for 5 turns\na1 and b1 share 0,0\nb1 is damaged: no jumps "
               "for 3 turns\n"
               "stalls of seat 1: 2 of 5\n" },
    { .label = "a destination that the other's piece fills",
      .position = { .board = "Aa", .goals = "000.../1" },
      .texts = " a1@0 b1@1",
      .grounds = "000.../1...../....../....../....../......",
      .notes = "seat 0's destinations: 1 own, 1 of the other seat, 1 free\n" },
    { .label = "destinations of both, and no limit to stalling",
      .position = { .board = "A..a",
                    .goals = "./*",
                    .stall_limit = HALMA_NEVER,
                    .faults = { 7, 0 } },
      .texts = " a1@0 b1@3",
      .grounds = "....../0...../....../....../....../......",
      .notes = "some squares are destinations of both seats\nstalls of seat 0: 7\n" },
};

static void
draw(const struct table *table, struct sk_canvas *canvas)
{
    struct halma_position_form form = { .units = { NULL, 0 } };
    struct sk_arena arena;

    sk_arena_init(&arena, malloc(NOTES_SIZE * 8), NOTES_SIZE * 8);
    cr_assert_eq(
        sk_rules_state_form(table->ruleset, table->config, table->match.state, &arena, &form),
        SK_OK);
    cr_assert(table->ruleset->picture->draw(table->config, &form, canvas));
    free(arena.base);
}

static void
say_grounds(const struct sk_canvas *canvas, struct words *words)
{
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        uint8_t ground = canvas->cells[i].ground;

        words_say(words, "%s%c", i > 0 && i % SIDE == 0 ? "/" : "",
                  ground == SK_GROUND_GOAL_0   ? '0'
                  : ground == SK_GROUND_GOAL_1 ? '1'
                                               : '.');
    }
}

CASES(halma_picture, shows_pieces_destinations_and_what_hampers_them, picture_cases)
{
    const struct picture_case *c = &picture_cases[*index];
    struct sk_canvas_cell cells[SIDE * SIDE];
    char notes[NOTES_SIZE];
    struct sk_canvas canvas = { .cells = cells,
                                .cell_capacity = SIDE * SIDE,
                                .notes = { .at = notes, .size = sizeof(notes) } };
    struct turn_bench bench;

    halma_drawing_open(&c->position, &bench.table);
    bench_begin(&bench);
    draw(&bench.table, &canvas);
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (cells[i].text[0] != '\0') {
            words_say(&bench.words, " %.*s@%d", SK_CANVAS_TEXT_MAX, cells[i].text, i);
        }
    }
    bench_expect(&bench, c->texts, c->label, "texts");
    say_grounds(&canvas, &bench.words);
    bench_expect(&bench, c->grounds, c->label, "grounds");
    words_say(&bench.words, "%.*s", (int)canvas.notes.used, canvas.notes.at);
    bench_expect(&bench, c->notes, c->label, "notes");
    bench_end(&bench);
}

struct telling_case {
    const char *label;
    struct halma_drawing position;
    const char *host;
    const char *guest;
    const char *told;
};

static const struct telling_case telling_cases[] = {
    { "a chain, a step and a collision",
      { .board = "AB.b./....a", .damages = "B=1" },
      "A>2,0>4,0",
      "a>4,0",
      "a1 goes along 0,0 2,0 4,0. b1 goes along 4,1 4,0. a1 and b1 collide at 4,0. "
      "a2 can jump again. " },
    { "a halmate of both",
      { .board = "A....a", .goals = "./0....1" },
      "A>0,1",
      "a>5,1",
      "a1 goes along 0,0 0,1. b1 goes along 5,0 5,1. halmate for seat 0 and seat 1. " },
    { "nothing",
      { .board = "A..a" },
      "A>2,0",
      NULL,
      "nothing moves because of seat 0 and seat 1 (nothing_to_jump and missing). " },
};

CASES(halma_picture, tells_events_in_words, telling_cases)
{
    const struct telling_case *c = &telling_cases[*index];
    struct turn_bench bench;
    struct table *table = &bench.table;
    char sentence[256];

    halma_drawing_open(&c->position, table);
    bench_begin(&bench);
    halma_drawing_commands(c->host, &bench.lists[0]);
    halma_drawing_commands(c->guest, &bench.lists[1]);
    table_resolve(table, (const struct command_list *const[]){ &bench.lists[0], &bench.lists[1] });
    for (const struct sk_event *event = table->turn.events.first; event != NULL;
         event = event->next) {
        struct sk_line line = { .at = sentence, .size = sizeof(sentence) };

        sk_event_say(table->ruleset, table->config, event, &line);
        words_say(&bench.words, "%.*s. ", (int)line.used, line.at);
    }
    bench_expect(&bench, c->told, c->label, "told");
    bench_end(&bench);
}
