/*
 * halma's own forms: the board as lists of squares, seen from the seat that
 * is asked, and a move that names its piece by the square it stands on.
 */
#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/rules/halma/halma.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "server/bots/forms_parts.h"

_Static_assert(SK_HALMA_SEATS == 2, "a board has one enemy");

#define STEPS_MAX 4096 /* that are read; more than the rules allow, so that they can refuse it */

/* No piece has this id: the rules refuse it as they refuse any unknown one. */
#define NOBODY "nobody"

/* What a question is made of: the position and the params. */
struct halma_board {
    struct halma_position_form position;
    struct halma_params params;
    struct sk_value *documents[2];
};

static bool
board_read(struct forms *forms, const struct bot_ask *ask, struct halma_board *ret_board)
{
    const struct sk_ruleset *ruleset = sk_registry_find(SK_TEXT("halma"), ask->version);

    *ret_board = (struct halma_board){ 0 };
    return ruleset != NULL &&
           forms_read(forms, ask->view, ruleset->view, &ret_board->documents[0],
                      &ret_board->position) &&
           forms_read(forms, ask->params, ruleset->params, &ret_board->documents[1],
                      &ret_board->params) &&
           ret_board->params.has_destinations;
}

static void
board_fini(struct halma_board *board)
{
    sk_json_free(board->documents[0]);
    sk_json_free(board->documents[1]);
}

/* ---- the question ------------------------------------------------------------------------ */

struct halma_writing {
    const struct halma_board *board;
    uint8_t seat;
};

static void
write_square(struct sk_json_out *out, struct sk_cell at)
{
    sk_json_key_int(out, "x", at.x);
    sk_json_key_int(out, "y", at.y);
}

static void
write_pieces(struct sk_json_out *out, const struct halma_board *board, int32_t seat)
{
    sk_json_begin_list(out);
    for (uint32_t i = 0; i < board->position.units.count; i++) {
        const struct halma_unit_form *unit = sk_list_item(&board->position.units, i, sizeof(*unit));

        if (unit->seat == seat) {
            sk_json_begin_object(out);
            write_square(out, unit->at);
            sk_json_key_int(out, "damage", unit->damage);
            sk_json_end_object(out);
        }
    }
    sk_json_end_list(out);
}

static void
write_destinations(struct sk_json_out *out, const struct halma_board *board, uint32_t seat)
{
    const struct sk_list *cells =
        sk_list_item(&board->params.destinations, seat, sizeof(struct sk_list));

    sk_json_begin_list(out);
    for (uint32_t i = 0; i < cells->count; i++) {
        sk_json_begin_object(out);
        write_square(out, *(const struct sk_cell *)sk_list_item(cells, i, sizeof(struct sk_cell)));
        sk_json_end_object(out);
    }
    sk_json_end_list(out);
}

static void
write_board(struct sk_json_out *out, const void *what)
{
    const struct halma_writing *writing = what;
    const struct halma_board *board = writing->board;
    uint8_t enemy = 1 - writing->seat;

    sk_json_begin_object(out);
    sk_json_key_int(out, "boardSize", board->params.size);
    sk_json_key(out, "pieces");
    write_pieces(out, board, writing->seat);
    sk_json_key(out, "destinations");
    write_destinations(out, board, writing->seat);
    sk_json_key(out, "enemy");
    write_pieces(out, board, enemy);
    sk_json_key(out, "enemydestinations");
    write_destinations(out, board, enemy);
    sk_json_end_object(out);
}

char *
halma_question(struct forms *forms, const struct bot_ask *ask)
{
    struct halma_board board;
    struct halma_writing writing = { &board, ask->seat };
    char *text = NULL;

    forms->arena.used = 0;
    if (board_read(forms, ask, &board)) {
        text = forms_text(forms, write_board, &writing);
    }
    board_fini(&board);
    return text;
}

/* ---- the answer -------------------------------------------------------------------------- */

struct halma_square {
    int32_t x;
    int32_t y;
    bool has_damage;
    int32_t damage;
};

struct halma_move {
    struct halma_square from;
    struct sk_list to; /* struct halma_square, without damage */
};

#define ANY_NUMBER .min = INT32_MIN, .max = INT32_MAX

static const struct sk_member square_members[] = {
    SK_INT(struct halma_square, x, "x", ANY_NUMBER),
    SK_INT(struct halma_square, y, "y", ANY_NUMBER),
    SK_INT(struct halma_square, damage, "damage", ANY_NUMBER, .flags = SK_OPTIONAL | SK_TRACKED,
           .present = offsetof(struct halma_square, has_damage)),
};
static const struct sk_schema square_schema =
    SK_SCHEMA("square", NULL, square_members, struct halma_square);
static const struct sk_member square_item = { .kind = SK_KIND_OBJECT, .object = &square_schema };

static const struct sk_member move_members[] = {
    SK_OBJECT(struct halma_move, from, "from", &square_schema, .doc = "Where the piece stands."),
    SK_LIST(struct halma_move, to, "to", &square_item, sizeof(struct halma_square), .min = 0,
            .max = STEPS_MAX),
};
static const struct sk_schema move_schema =
    SK_SCHEMA("move", NULL, move_members, struct halma_move);

static bool
stands_at(const struct halma_unit_form *unit, const struct halma_square *square)
{
    return unit->at.x == square->x && unit->at.y == square->y &&
           (!square->has_damage || unit->damage == square->damage);
}

/* The first own piece on the square, else whoever stands there: the rules then say whose it is. */
static struct sk_text
unit_at(const struct halma_board *board, uint8_t seat, const struct halma_square *square)
{
    struct sk_text found = SK_TEXT(NOBODY);

    for (uint32_t i = board->position.units.count; i-- > 0;) {
        const struct halma_unit_form *unit = sk_list_item(&board->position.units, i, sizeof(*unit));

        if (stands_at(unit, square) && unit->seat != seat) {
            found = unit->id;
        }
    }
    for (uint32_t i = board->position.units.count; i-- > 0;) {
        const struct halma_unit_form *unit = sk_list_item(&board->position.units, i, sizeof(*unit));

        if (stands_at(unit, square) && unit->seat == seat) {
            found = unit->id;
        }
    }
    return found;
}

struct command_writing {
    struct sk_text unit;
    const struct halma_move *move;
};

static void
write_command(struct sk_json_out *out, const void *what)
{
    const struct command_writing *writing = what;

    sk_json_begin_list(out);
    sk_json_begin_object(out);
    sk_json_key_string(out, "kind", "move");
    sk_json_key(out, "unit");
    sk_json_text(out, writing->unit);
    sk_json_key(out, "path");
    sk_json_begin_list(out);
    for (uint32_t i = 0; i < writing->move->to.count; i++) {
        const struct halma_square *to = sk_list_item(&writing->move->to, i, sizeof(*to));

        sk_json_begin_list(out);
        sk_json_int(out, to->x);
        sk_json_int(out, to->y);
        sk_json_end_list(out);
    }
    sk_json_end_list(out);
    sk_json_end_object(out);
    sk_json_end_list(out);
}

enum bot_failure
halma_answer(struct forms *forms, struct bot_ask *ask, const struct sk_value *json)
{
    struct halma_board board = { 0 };
    struct halma_move move;
    struct sk_fault fault;
    struct command_writing writing = { .move = &move };
    enum bot_failure failure = BOT_BAD_FORM;

    if (sk_value_is(json, SK_VALUE_LIST)) {
        return BOT_NOT_ONE_MOVE;
    }
    if (sk_form_read(&move_schema, json, &forms->arena, &move, &fault) != SK_OK) {
        bot_ask_detail(ask->detail, &fault);
        return BOT_BAD_FORM;
    }
    if (board_read(forms, ask, &board)) {
        writing.unit = unit_at(&board, ask->seat, &move.from);
        ask->commands = forms_text(forms, write_command, &writing);
        ask->commands_length = strlen(ask->commands);
        failure = BOT_ANSWERED;
    }
    board_fini(&board);
    return failure;
}
