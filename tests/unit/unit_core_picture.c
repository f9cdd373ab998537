/* common/core/picture: boards and sentences for people. */
#include <string.h>

#include "common/core/event.h"
#include "common/core/picture.h"
#include "common/core/ruleset.h"
#include "tests/support/cases.h"

static struct sk_line
line_in(char *memory, size_t size)
{
    return (struct sk_line){ .at = memory, .size = size };
}

static void
expect_line(const struct sk_line *line, const char *expected)
{
    cr_expect(line->used == strlen(expected) && memcmp(line->at, expected, line->used) == 0,
              "'%.*s' instead of '%s'", (int)line->used, line->at, expected);
}

/* ---- lines ------------------------------------------------------------------------------- */

struct cell_case {
    struct sk_cell cell;
    const char *name;
};

static const struct cell_case cells[] = {
    { { 0, 0 }, "0,0" },
    { { 2, 14 }, "2,14" },
    { { -1, -7 }, "-1,-7" },
    { { INT32_MIN, INT32_MAX }, "-2147483648,2147483647" },
};

CASES(picture, names_cells_as_json_does, cells)
{
    char memory[64];
    struct sk_line line = line_in(memory, sizeof(memory));

    sk_line_say_cell(&line, cells[*index].cell);
    expect_line(&line, cells[*index].name);
}

Test(picture, a_full_line_ignores_more_text)
{
    char memory[8] = "........";
    struct sk_line line = line_in(memory, 5);

    sk_line_say(&line, "abc");
    sk_line_say_number(&line, 1234);
    sk_line_say(&line, "x");
    expect_line(&line, "abc12");
    cr_expect_eq(memcmp(memory, "abc12...", 8), 0);
}

/* ---- boards ------------------------------------------------------------------------------ */

Test(picture, a_canvas_ignores_cells_outside_it)
{
    struct sk_canvas_cell memory[7];
    struct sk_canvas canvas = { .cells = memory, .cell_capacity = 6 };

    memset(memory, 0x5a, sizeof(memory));
    cr_assert(sk_canvas_begin(&canvas, sk_cell(10, -1), 3, 2));
    sk_canvas_put(&canvas, sk_cell(10, -1), SK_TEXT("a"), SK_PAINT_SEAT_0);
    sk_canvas_put(&canvas, sk_cell(12, 0), SK_TEXT("long"), SK_PAINT_SEAT_1);
    sk_canvas_ground(&canvas, sk_cell(11, 0), SK_GROUND_WALL);
    sk_canvas_put(&canvas, sk_cell(13, 0), SK_TEXT("x"), SK_PAINT_PLAIN);
    sk_canvas_put(&canvas, sk_cell(9, 0), SK_TEXT("x"), SK_PAINT_PLAIN);
    sk_canvas_put(&canvas, sk_cell(INT32_MIN, INT32_MAX), SK_TEXT("x"), SK_PAINT_PLAIN);
    sk_canvas_ground(&canvas, sk_cell(10, 1), SK_GROUND_WALL);
    cr_expect_eq(memcmp(memory[0].text, "a\0", 3), 0);
    cr_expect_eq(memcmp(memory[5].text, "lon", 3), 0);
    cr_expect_eq(memory[5].paint, SK_PAINT_SEAT_1);
    cr_expect_eq(memory[4].ground, SK_GROUND_WALL);
    for (size_t i = 1; i < 5; i++) {
        cr_expect_eq(memory[i].text[0], '\0', "cell %zu", i);
    }
    cr_expect_eq(memory[6].paint, 0x5a, "written past its space");
}

struct size_case {
    int32_t cols;
    int32_t rows;
    bool fits;
};

static const struct size_case sizes[] = {
    { 3, 2, true },
    { 6, 1, true },
    { 0, 0, true },
    { 7, 1, false },
    { 3, 3, false },
    { -1, 2, false },
    { SK_CANVAS_SIDE_MAX + 1, 0, false },
    { INT32_MAX, INT32_MAX, false },
};

CASES(picture, a_canvas_larger_than_its_room_is_refused, sizes)
{
    struct sk_canvas_cell memory[6];
    struct sk_canvas canvas = { .cells = memory, .cell_capacity = 6 };

    cr_expect_eq(sk_canvas_begin(&canvas, sk_cell(0, 0), sizes[*index].cols, sizes[*index].rows),
                 sizes[*index].fits);
}

/* ---- sentences --------------------------------------------------------------------------- */

static const char *const words[] = { "calm", "stormy" };

struct happening {
    struct sk_event event;
    struct sk_text unit;
    struct sk_cell at;
    struct sk_list cells;
    struct sk_list units;
    int32_t number;
    int32_t seat;
    struct sk_list seats;
    bool is_so;
    bool has_place;
    struct sk_cell place;
    uint8_t mood;
};

static const struct sk_member id_item = { .kind = SK_KIND_ID_TEXT };
static const struct sk_member seat_item = { .kind = SK_KIND_INT };
static const struct sk_member cell_item = { .kind = SK_KIND_CELL };
static const struct sk_member members[] = {
    SK_ID_TEXT(struct happening, unit, "unit", .doc = ""),
    SK_CELL(struct happening, at, "at", .doc = ""),
    SK_LIST(struct happening, cells, "cells", &cell_item, sizeof(struct sk_cell), .max = 100),
    SK_LIST(struct happening, units, "units", &id_item, sizeof(struct sk_text), .max = 100),
    SK_INT(struct happening, number, "number", .doc = ""),
    SK_INT(struct happening, seat, "seat", .doc = ""),
    SK_LIST(struct happening, seats, "seats", &seat_item, sizeof(int32_t), .max = 4),
    SK_BOOL(struct happening, is_so, "so", .doc = ""),
    SK_CELL(struct happening, place, "place", .flags = SK_NULLABLE | SK_TRACKED,
            .present = offsetof(struct happening, has_place)),
    SK_ENUM(struct happening, mood, "mood", words, .doc = ""),
};
static const struct sk_schema schema = SK_SCHEMA("happening", NULL, members, struct happening);
static const struct sk_variant variants[] = { { "happens", &schema, "" } };
static const struct sk_variants events = {
    .title = "events", .of = variants, .count = 1, .size = sizeof(struct happening)
};

static struct sk_text
title_of(const void *config, struct sk_text id)
{
    (void)config;
    return id.at[0] == 'a' ? SK_TEXT("archer") : (struct sk_text){ NULL, 0 };
}

struct sentence_case {
    const char *sentence;
    const char *said; /* NULL: the sentence is not sound */
};

static const struct sentence_case sentences[] = {
    { "", "" },
    { "nothing to fill in", "nothing to fill in" },
    { "{unit} goes to {at}", "Archer a1 goes to 2,4" },
    { "{units}", "Archer a1, b2 and b3" },
    { "{cells} are hit", "2,4 3,4 are hit" },
    { "{number} and {so} and {mood}", "-3 and yes and stormy" },
    { "{seat} goes to {at}", "seat 1 goes to 2,4" },
    { "halmate for {seats}", "halmate for seat 0 and seat 1" },
    { "at {place}", "at nothing" },
    { "an open { brace", "an open { brace" },
    { "{units", "{units" },
    { "{nobody} goes", NULL },
    { "{unit} meets {nobody}", NULL },
    { "{}", NULL },
};

CASES(picture, sentences_are_filled_in_from_the_event, sentences)
{
    const struct sentence_case *c = &sentences[*index];
    const struct sk_picture picture = { .sentences = &c->sentence, .unit_title = title_of };
    const struct sk_ruleset ruleset = { .event = &events, .picture = &picture };
    struct sk_text units[] = { SK_TEXT("a1"), SK_TEXT("b2"), SK_TEXT("b3") };
    struct sk_cell where[] = { { 2, 4 }, { 3, 4 } };
    int32_t seats[] = { 0, 1 };
    const struct happening event = {
        .unit = SK_TEXT("a1"),
        .at = { 2, 4 },
        .cells = { where, 2 },
        .units = { units, 3 },
        .number = -3,
        .seat = 1,
        .seats = { seats, 2 },
        .is_so = true,
        .mood = 1,
    };
    char memory[128];
    struct sk_line line = line_in(memory, sizeof(memory));
    uint16_t kind = 99;

    cr_expect_eq(sk_picture_is_sound(&ruleset, &kind), c->said != NULL, "%s", c->sentence);
    cr_expect_eq(kind, c->said != NULL ? 99 : 0);
    if (c->said != NULL) {
        sk_event_say(&ruleset, NULL, &event.event, &line);
        expect_line(&line, c->said);
    }
}

struct named_case {
    const char *names[SK_SEATS_MAX];
    const char *said;
};

static const struct named_case named[] = {
    { { "alice", "bob" }, "bob is behind" },
    { { "alice", "" }, "seat 1 is behind" },
    { { "greedy bot", "greedy bot" }, "greedy bot (seat 1) is behind" },
};

CASES(picture, seats_are_called_by_their_players, named)
{
    const struct named_case *c = &named[*index];
    const char *sentence = "{seat} is behind";
    const struct sk_picture picture = { .sentences = &sentence };
    const struct sk_ruleset ruleset = { .event = &events, .picture = &picture };
    const struct happening event = { .seat = 1 };
    struct sk_text names[SK_SEATS_MAX] = { sk_text_of(c->names[0]), sk_text_of(c->names[1]) };
    char memory[128];
    struct sk_line line = line_in(memory, sizeof(memory));

    line.names = names;
    sk_event_say(&ruleset, NULL, &event.event, &line);
    expect_line(&line, c->said);
}

Test(picture, a_long_list_is_shown_as_a_count)
{
    const char *sentence = "{cells}";
    const struct sk_picture picture = { .sentences = &sentence };
    const struct sk_ruleset ruleset = { .event = &events, .picture = &picture };
    struct sk_cell where[13] = { { 0, 0 } };
    struct happening event = { .cells = { where, 13 } };
    char memory[128];
    struct sk_line line = line_in(memory, sizeof(memory));

    sk_event_say(&ruleset, NULL, &event.event, &line);
    expect_line(&line, "13 cells");
    event.cells.count = 12;
    line.used = 0;
    sk_event_say(&ruleset, NULL, &event.event, &line);
    expect_line(&line, "0,0 0,0 0,0 0,0 0,0 0,0 0,0 0,0 0,0 0,0 0,0 0,0");
}

/* b0 is the player of seat 0, and so on. */
static uint8_t
seat_of(const void *config, struct sk_text id)
{
    (void)config;
    return id.at[0] == 'b' ? (uint8_t)(id.at[1] - '0') : SK_SEATS_MAX;
}

Test(picture, a_unit_that_is_a_player_is_called_by_the_players_name)
{
    const char *sentence = "{units}";
    const struct sk_picture picture = { .sentences = &sentence, .unit_seat = seat_of };
    const struct sk_ruleset ruleset = { .event = &events, .picture = &picture };
    struct sk_text units[] = { SK_TEXT("a1"), SK_TEXT("b0"), SK_TEXT("b1"), SK_TEXT("b3") };
    const struct sk_text names[SK_SEATS_MAX] = { SK_TEXT("alice"), SK_TEXT("bot"), SK_TEXT("bot") };
    const struct happening event = { .units = { units, 4 } };
    char memory[128];
    struct sk_line line = line_in(memory, sizeof(memory));

    sk_event_say(&ruleset, NULL, &event.event, &line);
    expect_line(&line, "a1, b0, b1 and b3");
    line.used = 0;
    line.names = names;
    sk_event_say(&ruleset, NULL, &event.event, &line);
    expect_line(&line, "a1, alice, bot (b1) and b3");
}
