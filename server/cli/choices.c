#include "server/cli/choices.h"

#include <stdlib.h>
#include <string.h>

#include "server/client/look.h"

void
choices_init(struct choices *choices)
{
    memset(choices, 0, sizeof(*choices));
}

void
choices_fini(struct choices *choices)
{
    sk_json_free(choices->hints);
}

/* ---- hints ------------------------------------------------------------------------------- */

static const struct sk_value *
hint_at(const struct choices *choices, uint32_t place)
{
    const struct sk_value *hint = choices->hints + 1;

    for (uint32_t i = 0; i < place; i++) {
        hint = sk_value_next(hint);
    }
    return hint;
}

static uint32_t
hint_count(const struct choices *choices)
{
    return choices->hints == NULL ? 0 : choices->hints->count;
}

static bool
is_single_unit(const struct choices *choices)
{
    char first[SK_ID_MAX + 1] = "";

    if (hint_count(choices) == 0) {
        return false;
    }
    look_text(hint_at(choices, 0), "unit", first, sizeof(first));
    for (uint32_t i = 1; i < hint_count(choices) && first[0] != '\0'; i++) {
        if (!look_says(hint_at(choices, i), "unit", first)) {
            return false;
        }
    }
    return true;
}

bool
choices_are_places(const struct choices *choices)
{
    return hint_count(choices) > 0 && look_says(hint_at(choices, 0), "kind", "place");
}

/* ---- cells ------------------------------------------------------------------------------- */

static bool
read_cell(const struct sk_value *value, struct sk_cell *ret_cell)
{
    if (!sk_value_is(value, SK_VALUE_LIST) || value->count != 2 ||
        !sk_value_is(value + 1, SK_VALUE_INT) || !sk_value_is(value + 2, SK_VALUE_INT)) {
        return false;
    }
    *ret_cell = sk_cell(look_number(value + 1, 0), look_number(value + 2, 0));
    return true;
}

/* Where a command leads: its target, or the end of its path. */
static bool
find_target(const struct sk_value *hint, struct sk_cell *ret_cell)
{
    const struct sk_value *path = sk_value_member(hint, "path");
    const struct sk_value *cell = path == NULL ? NULL : path + 1;

    if (sk_value_is(path, SK_VALUE_LIST) && path->count > 0) {
        for (uint32_t i = 1; i < path->count; i++) {
            cell = sk_value_next(cell);
        }
        return read_cell(cell, ret_cell);
    }
    return read_cell(sk_value_member(hint, "target"), ret_cell) ||
           read_cell(sk_value_member(hint, "to"), ret_cell);
}

static bool
passes(const struct sk_value *hint, struct sk_cell cell)
{
    const struct sk_value *path = sk_value_member(hint, "path");
    const struct sk_value *item = path == NULL ? NULL : path + 1;
    uint32_t count = sk_value_is(path, SK_VALUE_LIST) ? path->count : 0;
    struct sk_cell place;

    for (uint32_t i = 0; i < count; i++, item = sk_value_next(item)) {
        if (read_cell(item, &place) && sk_cell_same(place, cell)) {
            return true;
        }
    }
    return false;
}

/* ---- choosing ---------------------------------------------------------------------------- */

static bool
read_typed_cell(const char *word, struct sk_cell *ret_cell)
{
    const char *comma = strchr(word, ',');
    char *end_of_x;
    char *end_of_y;
    long x = strtol(word, &end_of_x, 10);
    long y = comma == NULL ? 0 : strtol(comma + 1, &end_of_y, 10);

    if (comma == NULL || end_of_x != comma || end_of_y == comma + 1 || *end_of_y != '\0' ||
        labs(x) > INT32_MAX || labs(y) > INT32_MAX) {
        return false;
    }
    *ret_cell = sk_cell((int32_t)x, (int32_t)y);
    return true;
}

/* Is one of the hint's members this word? */
static bool
has_word(const struct sk_value *hint, const char *word)
{
    const struct sk_value *key = sk_value_first(hint);

    for (uint32_t i = 0; i < hint->count; i++) {
        const struct sk_value *value = sk_value_next(key);

        if (sk_value_is(value, SK_VALUE_TEXT) && sk_value_says(value, word)) {
            return true;
        }
        key = sk_value_next(value);
    }
    return false;
}

static bool
fits(const struct sk_value *hint, const char *const *words, uint32_t count)
{
    bool has_target = false;

    for (uint32_t i = count; i-- > 0;) {
        struct sk_cell typed;
        struct sk_cell target;

        if (!read_typed_cell(words[i], &typed)) {
            if (!has_word(hint, words[i])) {
                return false;
            }
        } else if (has_target) {
            if (!passes(hint, typed)) {
                return false;
            }
        } else if (!find_target(hint, &target) || !sk_cell_same(target, typed)) {
            return false;
        } else {
            has_target = true;
        }
    }
    return true;
}

bool
choices_number(struct choices *choices, const char *const *words, uint32_t count)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < hint_count(choices) && found < CHOICES_MAX; i++) {
        if (fits(hint_at(choices, i), words, count)) {
            choices->shown[found++] = i;
        }
    }
    if (found > 0) {
        choices->shown_count = found;
        choices->first = 0;
    }
    return found > 0;
}

static bool
is_unit(const struct choices *choices, const char *word)
{
    for (uint32_t i = 0; i < choices->shown_count; i++) {
        if (look_says(hint_at(choices, choices->shown[i]), "unit", word)) {
            return true;
        }
    }
    return false;
}

bool
choices_are_one(struct choices *choices, const char *const *words, uint32_t count)
{
    bool has_cell = strchr(words[count - 1], ',') != NULL;
    uint32_t moves = 0;
    uint32_t move = 0;

    for (uint32_t i = 0; has_cell && i < choices->shown_count; i++) {
        if (look_says(hint_at(choices, choices->shown[i]), "kind", "move")) {
            move = choices->shown[i];
            moves++;
        }
    }
    if (moves == 1) {
        choices->shown[0] = move;
        choices->shown_count = 1;
    }
    return choices->shown_count == 1 && !(count == 1 && is_unit(choices, words[0]));
}

/* With only one unit, or units without names, every hint gets a number. */
void
choices_clear(struct choices *choices)
{
    choices->chosen_count = 0;
    choices->shown_count = 0;
    if (is_single_unit(choices)) {
        choices_number(choices, NULL, 0);
    }
}

void
choices_take(struct choices *choices, const struct sk_value *commands)
{
    char *text = commands == NULL ? NULL : sk_json_text_of(commands);
    struct sk_fault fault;

    sk_json_free(choices->hints);
    choices->hints = NULL;
    if (text != NULL) {
        (void)sk_json_parse(text, strlen(text), &choices->hints, &fault);
    }
    free(text);
    choices_clear(choices);
}

static void
choose(struct choices *choices, uint32_t place)
{
    char unit[SK_ID_MAX + 1] = "";

    look_text(hint_at(choices, place), "unit", unit, sizeof(unit));
    for (uint32_t i = 0; i < choices->chosen_count; i++) {
        if (unit[0] == '\0' || look_says(hint_at(choices, choices->chosen[i]), "unit", unit)) {
            choices->chosen[i] = place;
            return;
        }
    }
    if (choices->chosen_count < SK_COMMANDS_MAX) {
        choices->chosen[choices->chosen_count++] = place;
    }
}

void
choices_choose(struct choices *choices, uint32_t number)
{
    choose(choices, choices->shown[number - 1]);
    if (!is_single_unit(choices)) {
        choices->shown_count = 0;
    }
}

void
choices_show_more(struct choices *choices)
{
    choices->first = choices->first_next;
}

/* ---- showing ----------------------------------------------------------------------------- */

#define COLUMNS_DEFAULT 80
#define NUMBER_WIDTH    7 /* in front of a numbered hint */
#define LINES_MIN       1 /* of a list, even where the terminal has no more */

static bool
is_chosen(const struct choices *choices, uint32_t place)
{
    for (uint32_t i = 0; i < choices->chosen_count; i++) {
        if (choices->chosen[i] == place) {
            return true;
        }
    }
    return false;
}

/* Columns of a list: how many, and how wide. */
struct columns {
    uint32_t count;
    int32_t width;
};

static struct columns
measure(const struct choices *choices, struct live_match *live, const uint32_t *places,
        uint32_t count, int32_t front)
{
    int32_t columns = live->screen.columns == 0 ? COLUMNS_DEFAULT : live->screen.columns;
    struct columns made = { 1, 0 };

    for (uint32_t i = 0; i < count; i++) {
        struct sk_line line = live_say_command(live, hint_at(choices, places[i]));

        made.width = (int32_t)line.used > made.width ? (int32_t)line.used : made.width;
    }
    made.width += front + 2;
    made.count = (uint32_t)(columns / made.width);
    made.count = made.count == 0 ? 1 : made.count;
    return made;
}

/* The hint in words, padded to its column. */
static void
add_hint(const struct choices *choices, struct live_match *live, uint32_t place, int32_t width,
         bool is_last)
{
    struct sk_line line = live_say_command(live, hint_at(choices, place));
    int32_t left = width - (int32_t)line.used;

    screen_add_line(&live->screen, &line);
    screen_add(&live->screen, "%*s%s", is_last || left < 0 ? 0 : left, "", is_last ? "\n" : "");
}

static void
add_numbered(struct choices *choices, struct live_match *live)
{
    struct columns columns =
        measure(choices, live, choices->shown, choices->shown_count, NUMBER_WIDTH);
    int32_t left = screen_lines_left(&live->screen) - (int32_t)choices->chosen_count - 4;
    uint32_t lines = (uint32_t)(left < LINES_MIN ? LINES_MIN : left);
    uint32_t rest = choices->shown_count - choices->first;
    uint32_t count = rest / columns.count < lines ? rest : lines * columns.count;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = choices->first + i;
        uint32_t place = choices->shown[number];

        screen_add(&live->screen, " %4u%s ", number + 1, is_chosen(choices, place) ? "*" : " ");
        add_hint(choices, live, place, columns.width - NUMBER_WIDTH,
                 i + 1 == count || (i + 1) % columns.count == 0);
    }
    choices->first_next = count < rest ? choices->first + count : 0;
    if (count < choices->shown_count) {
        screen_add(&live->screen, "  (%u to %u of %u; more: the others)\n", choices->first + 1,
                   choices->first + count, choices->shown_count);
    }
}

/* Does one of the earlier hints name the unit? */
static bool
is_named_before(const struct choices *choices, const char *unit, uint32_t place)
{
    const struct sk_value *hint = choices->hints + 1;

    for (uint32_t i = 0; i < place; i++, hint = sk_value_next(hint)) {
        if (look_says(hint, "unit", unit)) {
            return true;
        }
    }
    return false;
}

static void
add_units(const struct choices *choices, struct live_match *live)
{
    screen_add(&live->screen, "  units:");
    for (uint32_t i = 0; i < hint_count(choices); i++) {
        char unit[SK_ID_MAX + 1] = "";

        look_text(hint_at(choices, i), "unit", unit, sizeof(unit));
        if (!is_named_before(choices, unit, i)) {
            screen_add(&live->screen, " %s", unit);
        }
    }
    screen_add(&live->screen, "\n");
}

void
choices_add(struct choices *choices, struct live_match *live)
{
    if (choices->shown_count > 0) {
        add_numbered(choices, live);
    } else {
        add_units(choices, live);
    }
    for (uint32_t i = 0; i < choices->chosen_count; i++) {
        screen_add(&live->screen, "  chosen: ");
        add_hint(choices, live, choices->chosen[i], 0, true);
    }
}

static bool
find_mark(const struct sk_value *hint, bool is_planned, struct live_mark *ret_mark)
{
    bool is_move = look_says(hint, "kind", "move") || look_says(hint, "kind", "place");

    *ret_mark = (struct live_mark){ .sign = !is_planned ? '*' : is_move ? '>' : '!' };
    look_text(hint, "unit", ret_mark->unit, sizeof(ret_mark->unit));
    return find_target(hint, &ret_mark->cell);
}

uint32_t
choices_marks(const struct choices *choices, uint32_t count_max, struct live_mark *ret_marks)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < choices->shown_count && count < count_max; i++) {
        count += find_mark(hint_at(choices, choices->shown[i]), false, &ret_marks[count]);
    }
    for (uint32_t i = 0; i < choices->chosen_count && count < count_max; i++) {
        count += find_mark(hint_at(choices, choices->chosen[i]), true, &ret_marks[count]);
    }
    return count;
}

void
choices_write(struct sk_json_out *out, const void *choices)
{
    const struct choices *its = choices;

    sk_json_begin_list(out);
    for (uint32_t i = 0; i < its->chosen_count; i++) {
        char *text = sk_json_text_of(hint_at(its, its->chosen[i]));

        sk_json_raw(out, sk_text_of(text));
        free(text);
    }
    sk_json_end_list(out);
}
