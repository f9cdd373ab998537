/*
 * The board of a ruleset that has no picture, from its schema: whatever has a
 * cell is drawn there, everything else is a note beside the board.
 */
#include "common/core/picture.h"

#include "common/core/rules.h"

struct drawing {
    const struct sk_ruleset *ruleset;
    const void *config;
    struct sk_canvas *canvas;
};

static const struct sk_member *
first_of_kind(const struct sk_schema *schema, enum sk_kind kind)
{
    for (uint16_t i = 0; i < schema->member_count; i++) {
        if (schema->members[i].kind == kind) {
            return &schema->members[i];
        }
    }
    return NULL;
}

static const struct sk_member *
seat_member(const struct sk_schema *schema)
{
    for (uint16_t i = 0; i < schema->member_count; i++) {
        if (schema->members[i].kind == SK_KIND_INT &&
            sk_text_same(sk_member_name(&schema->members[i]), SK_TEXT("seat"))) {
            return &schema->members[i];
        }
    }
    return NULL;
}

static char
upper(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

/* A thing with a cell: "K0" is a king, or an item of a list of k..., of seat 0. */
static void
put_thing(const struct drawing *drawing, const struct sk_schema *schema, const uint8_t *form,
          const char *list)
{
    const struct sk_member *cell = first_of_kind(schema, SK_KIND_CELL);
    const struct sk_member *word = first_of_kind(schema, SK_KIND_ENUM);
    const struct sk_member *id = first_of_kind(schema, SK_KIND_ID);
    const struct sk_member *seat = seat_member(schema);
    int32_t given = seat == NULL ? -1 : *(const int32_t *)(const void *)(form + seat->offset);
    int32_t of = given < SK_SEATS_MAX ? given : -1; /* a member of this name may be anything */
    char text[2] = { upper(word == NULL ? list[0] : word->words[form[word->offset]][0]),
                     (char)('0' + of) };

    if (cell != NULL && !sk_member_is_absent(cell, form)) {
        sk_canvas_put(drawing->canvas, *(const struct sk_cell *)(const void *)(form + cell->offset),
                      id != NULL
                          ? sk_id_text((const struct sk_id *)(const void *)(form + id->offset))
                          : (struct sk_text){ text, of < 0 ? 1 : 2 },
                      of < 0 ? SK_PAINT_THING : (enum sk_paint)(SK_PAINT_SEAT_0 + of));
    }
}

static void
put_mark(const struct drawing *drawing, const struct sk_member *member, const struct sk_cell *cell)
{
    char letter = upper(member->name[0]);

    sk_canvas_put(drawing->canvas, *cell, (struct sk_text){ &letter, 1 }, SK_PAINT_THING);
}

static void
put_row(const struct drawing *drawing, const struct sk_member *member, const struct sk_row *row)
{
    const uint8_t *items = (const uint8_t *)(row + 1);

    for (uint32_t i = 0; i < row->count && i < (uint32_t)member->max; i++) {
        const uint8_t *item = items + (size_t)i * member->item_size;

        if (member->item->kind == SK_KIND_CELL) {
            put_mark(drawing, member, (const struct sk_cell *)(const void *)item);
        } else {
            put_thing(drawing, member->item->object, item, member->name);
        }
    }
}

static bool
is_list_of_things(const struct sk_member *member)
{
    return member->kind == SK_KIND_ROW &&
           (member->item->kind == SK_KIND_CELL ||
            (member->item->kind == SK_KIND_OBJECT &&
             first_of_kind(member->item->object, SK_KIND_CELL) != NULL));
}

static void
put_member(const struct drawing *drawing, const struct sk_member *member, const uint8_t *form)
{
    const void *at = form + member->offset;
    struct sk_line *notes = &drawing->canvas->notes;

    if (sk_member_is_absent(member, form)) {
        return;
    }
    if (member->kind == SK_KIND_CELL) {
        put_mark(drawing, member, at);
    } else if (is_list_of_things(member)) {
        put_row(drawing, member, at);
    } else if (member->kind == SK_KIND_OBJECT) {
        put_thing(drawing, member->object, at, member->name);
    } else {
        sk_member_say(drawing->ruleset, drawing->config, member, form, notes);
        sk_line_say(notes, "\n");
    }
}

/* Cells without more are marks on the board, and lie below what moves. */
static bool
is_mark(const struct sk_member *member)
{
    return member->kind == SK_KIND_CELL ||
           (member->kind == SK_KIND_ROW && member->item->kind == SK_KIND_CELL);
}

static void
put_members(const struct drawing *drawing, const struct sk_schema *schema, const uint8_t *form)
{
    for (int pass = 0; pass < 2; pass++) {
        for (uint16_t i = 0; i < schema->member_count; i++) {
            if (is_mark(&schema->members[i]) == (pass == 0)) {
                put_member(drawing, &schema->members[i], form);
            }
        }
    }
}

bool
sk_board_draw(const struct sk_ruleset *ruleset, const void *config, const void *form, bool is_state,
              struct sk_canvas *canvas)
{
    const struct sk_picture *picture = ruleset->picture;
    struct drawing drawing = { ruleset, config, canvas };
    struct sk_cell board = sk_flat_board(ruleset, config);

    if (picture != NULL && picture->draw != NULL) {
        return (is_state && picture->draw_state != NULL ? picture->draw_state
                                                        : picture->draw)(config, form, canvas);
    }
    if (board.x == 0 || !sk_canvas_begin(canvas, sk_cell(0, 0), board.x, board.y)) {
        return false;
    }
    put_members(&drawing, is_state ? ruleset->state : ruleset->view, form);
    return true;
}

const char *
sk_board_legend(const struct sk_ruleset *ruleset)
{
    return ruleset->picture == NULL ? NULL : ruleset->picture->legend;
}
