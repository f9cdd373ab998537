/*
 * Hints, and commands as single numbers.
 *
 * A kind's commands are numbered like a number whose digits are the members,
 * the last one the fastest; kinds follow each other, and 0 is no command.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/status.h"
#include "common/core/rules.h"
#include "proto/referee/game.h"

/* ---- digits ------------------------------------------------------------------------------ */

/* How many values the member has, or 0 when they are not numbered. */
static uint32_t
values_of(const struct sk_game *game, const struct sk_member *member)
{
    switch (member->kind) {
    case SK_KIND_BOOL:
        return 2;
    case SK_KIND_INT: {
        int64_t values = (int64_t)member->max - member->min + 1;

        return values <= SK_GAME_ACTIONS_MAX ? (uint32_t)values : 0;
    }
    case SK_KIND_ENUM:
        return member->word_count;
    case SK_KIND_ID:
        return game->ids.count;
    case SK_KIND_CELL:
        return (uint32_t)(game->cols * game->rows);
    default:
        return 0;
    }
}

static bool
find_digits(const struct sk_game *game, const struct sk_layout_node *group,
            struct sk_numbered_kind *kind)
{
    uint64_t count = 1;
    uint32_t at = 1;

    if (group->child_count > SK_DIGITS_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < group->child_count; i++) {
        const struct sk_layout_node *node = &game->action.nodes[group->child + i];
        uint32_t values = values_of(game, node->member);
        uint32_t radix = values + sk_member_may_lack(node->member);

        if (values == 0 || count * radix > SK_GAME_ACTIONS_MAX) {
            return false;
        }
        kind->digits[i] = (struct sk_digit){ node, at, radix };
        count *= radix;
        at += node->width;
    }
    kind->digit_count = group->child_count;
    kind->count = (uint32_t)count;
    return true;
}

static void
write_digit(const struct sk_game *game, const struct sk_digit *digit, uint32_t value, int32_t *row)
{
    const struct sk_member *member = digit->node->member;
    int32_t *at = row + digit->at;
    int32_t left = (int32_t)value;

    if (sk_member_may_lack(member)) {
        if (left == 0) {
            return;
        }
        *at++ = 1;
        left--;
    }
    if (member->kind == SK_KIND_CELL) {
        at[0] = game->origin.x + left % game->cols;
        at[1] = game->origin.y + left / game->cols;
    } else {
        at[0] = member->kind == SK_KIND_INT ? left + member->min : left;
    }
}

/* ---- numbering --------------------------------------------------------------------------- */

/* The board as it is drawn; one without cells when it is not. */
static bool
find_board(struct sk_game *game)
{
    size_t size = (size_t)SK_CANVAS_SIDE_MAX * SK_CANVAS_SIDE_MAX;
    struct sk_canvas canvas = { .cell_capacity = size };
    const void *form = sk_game_state_form(game, 0);

    canvas.cells = malloc(size * sizeof(*canvas.cells));
    if (canvas.cells == NULL || form == NULL) {
        free(canvas.cells);
        return false;
    }
    if (sk_board_draw(game->ruleset, game->config, form, true, &canvas)) {
        game->origin = canvas.origin;
        game->cols = canvas.cols;
        game->rows = canvas.rows;
    }
    free(canvas.cells);
    return true;
}

bool
sk_game_number_commands(struct sk_game *game)
{
    uint16_t kinds = game->ruleset->command->count;
    uint64_t count = 1;

    game->kinds = calloc(kinds, sizeof(*game->kinds));
    game->row = calloc(sk_layout_width(&game->action), sizeof(*game->row));
    if (game->kinds == NULL || game->row == NULL || !find_board(game)) {
        return false;
    }
    for (uint16_t kind = SK_COMMAND_OWN; kind < kinds; kind++) {
        const struct sk_layout_node *group =
            &game->action.nodes[game->action.nodes[0].child + kind];

        if (!find_digits(game, group, &game->kinds[kind])) {
            return true; /* not numbered */
        }
        game->kinds[kind].first = (uint32_t)count;
        count += game->kinds[kind].count;
        if (count > SK_GAME_ACTIONS_MAX) {
            return true;
        }
    }
    game->action_count = (uint32_t)count;
    return true;
}

uint32_t
sk_game_actions(const struct sk_game *game)
{
    return game->action_count;
}

void
sk_game_write_number(const struct sk_game *game, uint32_t number, int32_t *row)
{
    uint16_t kind = SK_COMMAND_OWN;
    uint32_t left;

    while (number >= game->kinds[kind].first + game->kinds[kind].count) {
        kind++;
    }
    left = number - game->kinds[kind].first;
    row[0] = 1 + kind;
    for (uint32_t i = game->kinds[kind].digit_count; i-- > 0;) {
        const struct sk_digit *digit = &game->kinds[kind].digits[i];

        write_digit(game, digit, left % digit->radix, row);
        left /= digit->radix;
    }
}

int
sk_game_action_rows(const struct sk_game *game, const int32_t *actions, size_t count,
                    int32_t *ret_rows)
{
    size_t width = sk_layout_width(&game->action);

    for (size_t i = 0; i < count; i++) {
        if (actions[i] < 0 || (uint32_t)actions[i] >= game->action_count) {
            return SK_FAILED;
        }
    }
    memset(ret_rows, 0, count * width * sizeof(*ret_rows));
    for (size_t i = 0; i < count; i++) {
        if (actions[i] > 0) {
            sk_game_write_number(game, (uint32_t)actions[i], ret_rows + i * width);
        }
    }
    return 0;
}

/* ---- hints ------------------------------------------------------------------------------- */

void
sk_game_hunt(struct sk_game *game, uint32_t i, uint8_t seat, struct sk_hint_sink *sink)
{
    const struct sk_state *state = sk_game_state(game, i);
    uint32_t owing = sk_turn_owing(game->ruleset, game->config, state);

    if (seat >= game->seats || (owing >> seat & 1) == 0) {
        return;
    }
    memset(game->turn.view, 0, game->turn.sizes.view);
    sk_rules_view_make(game->ruleset, &game->turn.sizes, game->config, state, seat,
                       game->turn.view);
    sk_rules_hints(game->ruleset, game->config, game->turn.view, seat, sink);
}

struct row_sink {
    struct sk_hint_sink sink;
    struct sk_game *game;
    int32_t *rows;
    size_t max;
    int count;
};

static bool
take_row(struct sk_hint_sink *sink, const void *command)
{
    struct row_sink *into = (struct row_sink *)sink;
    const struct sk_layout *action = &into->game->action;

    if ((size_t)into->count < into->max) {
        sk_layout_put_variant(action, into->game->ruleset->command, command, into->rows);
        into->rows += sk_layout_width(action);
    }
    into->count++;
    return true;
}

int
sk_game_hints(struct sk_game *game, uint32_t i, uint8_t seat, int32_t *ret_rows, size_t max)
{
    struct row_sink into = { { take_row, NULL }, game, ret_rows, max, 0 };

    if (!sk_game_has_seat(game, i, seat)) {
        return SK_FAILED;
    }
    sk_game_hunt(game, i, seat, &into.sink);
    return into.count;
}

struct mask_sink {
    struct sk_hint_sink sink;
    struct sk_game *game;
    uint8_t *mask;
};

/* The digit of a command's member, without its row; -1 when the value has no number. */
static int64_t
digit_of_member(const struct sk_game *game, const struct sk_digit *digit, const uint8_t *command)
{
    const struct sk_member *member = digit->node->member;
    const uint8_t *at = command + member->offset;
    int64_t lack = sk_member_may_lack(member);

    if (lack && sk_member_is_absent(member, command)) {
        return 0;
    }
    switch (member->kind) {
    case SK_KIND_BOOL:
        return lack + *(const bool *)at;
    case SK_KIND_INT:
        return lack + *(const int32_t *)(const void *)at - member->min;
    case SK_KIND_ENUM:
        return lack + *at;
    case SK_KIND_CELL: {
        const struct sk_cell *its = (const struct sk_cell *)(const void *)at;
        struct sk_cell cell = { its->x - game->origin.x, its->y - game->origin.y };

        return sk_cell_on_grid(cell, game->cols, game->rows)
                   ? lack + (int64_t)sk_cell_index(cell, game->cols)
                   : -1;
    }
    default: { /* an id: only these have digits */
        const struct sk_id *id = (const struct sk_id *)(const void *)at;
        int32_t found = sk_words_find(game->action.ids, sk_id_text(id));

        return found < 0 ? -1 : lack + found;
    }
    }
}

static const struct sk_numbered_kind *
kind_of(const struct sk_game *game, const void *command)
{
    return &game->kinds[((const uint8_t *)command)[game->ruleset->command->kind_offset]];
}

/*
 * The number of a command, or 0.  With `free`, the digit of that member counts as its
 * first value (a cell: that of the board's corner), and *ret_stride is how much the number
 * grows with it.
 */
static uint32_t
number_of_command(const struct sk_game *game, const void *command, const struct sk_digit *free,
                  uint32_t *ret_stride)
{
    const struct sk_numbered_kind *kind = kind_of(game, command);
    uint32_t number = 0;

    for (uint32_t i = 0; i < kind->digit_count; i++) {
        const struct sk_digit *digit = &kind->digits[i];
        int64_t value = digit == free ? sk_member_may_lack(digit->node->member)
                                      : digit_of_member(game, digit, command);

        if (value < 0) {
            return 0;
        }
        number = number * digit->radix + (uint32_t)value;
        *ret_stride = digit == free ? 1 : *ret_stride * digit->radix;
    }
    return kind->count == 0 ? 0 : kind->first + number;
}

static bool
take_bit(struct sk_hint_sink *sink, const void *command)
{
    struct mask_sink *into = (struct mask_sink *)sink;
    uint32_t stride = 1;

    into->mask[number_of_command(into->game, command, NULL, &stride)] = 1;
    return true;
}

/* The number of the board's corner gives the others. */
static bool
take_bits(struct sk_hint_sink *sink, const void *command, size_t offset, int32_t y, uint32_t count,
          const uint64_t *columns)
{
    const struct mask_sink *into = (struct mask_sink *)sink;
    const struct sk_game *game = into->game;
    const struct sk_numbered_kind *kind = kind_of(game, command);
    const struct sk_digit *digit = kind->digits;
    uint32_t stride = 1;
    uint32_t corner;

    while (digit < kind->digits + kind->digit_count && digit->node->member->offset != offset) {
        digit++;
    }
    corner = number_of_command(game, command, digit, &stride);
    for (uint32_t i = 0; i < count && corner != 0; i++) {
        int32_t row = y + (int32_t)i - game->origin.y;

        for (uint64_t left = columns[i]; left != 0; left &= left - 1) {
            int32_t column = __builtin_ctzll(left) - game->origin.x;

            if (row >= 0 && row < game->rows && column >= 0 && column < game->cols) {
                into->mask[corner + (uint32_t)(row * game->cols + column) * stride] = 1;
            }
        }
    }
    return true;
}

int
sk_game_mask(struct sk_game *game, uint32_t i, uint8_t seat, uint8_t *ret_mask)
{
    struct mask_sink into = { { take_bit, take_bits }, game, ret_mask };

    if (!sk_game_has_seat(game, i, seat) || game->action_count == 0) {
        return SK_FAILED;
    }
    memset(ret_mask, 0, game->action_count);
    ret_mask[0] = 1;
    sk_game_hunt(game, i, seat, &into.sink);
    return 0;
}
