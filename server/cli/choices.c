#include "server/cli/choices.h"

#include <stdlib.h>
#include <string.h>

#include "server/client/look.h"

void
choices_init(struct choices *choices)
{
    memset(choices, 0, sizeof(*choices));
    choices->reader = calloc(1, sizeof(*choices->reader));
    SK_ASSERT(choices->reader != NULL && sk_json_reader_init(choices->reader));
}

void
choices_fini(struct choices *choices)
{
    sk_json_free(choices->hints);
    sk_json_reader_fini(choices->reader);
    free(choices->reader);
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

/* ---- choosing ---------------------------------------------------------------------------- */

bool
choices_number(struct choices *choices, const char *unit)
{
    choices->shown_count = 0;
    for (uint32_t i = 0; i < hint_count(choices) && i < CHOICES_MAX; i++) {
        if (unit == NULL || look_says(hint_at(choices, i), "unit", unit)) {
            choices->shown[choices->shown_count++] = i;
        }
    }
    return choices->shown_count > 0;
}

/* Where there is only one unit, or none has a name, everything has a number. */
void
choices_clear(struct choices *choices)
{
    choices->chosen_count = 0;
    choices->shown_count = 0;
    if (is_single_unit(choices)) {
        choices_number(choices, NULL);
    }
}

void
choices_take(struct choices *choices, const struct sk_value *commands)
{
    char *text = sk_json_text_of(commands);
    struct sk_fault fault;

    sk_json_free(choices->hints);
    choices->hints = NULL;
    (void)sk_json_parse(choices->reader, text, strlen(text), &choices->hints, &fault);
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

/* ---- showing ----------------------------------------------------------------------------- */

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
is_chosen(const struct choices *choices, uint32_t place)
{
    for (uint32_t i = 0; i < choices->chosen_count; i++) {
        if (choices->chosen[i] == place) {
            return true;
        }
    }
    return false;
}

static void
add_numbered(const struct choices *choices, struct live *live)
{
    for (uint32_t i = 0; i < choices->shown_count; i++) {
        screen_add(&live->screen, "  %3u%s ", (unsigned)i + 1,
                   is_chosen(choices, choices->shown[i]) ? "*" : " ");
        live_add_command(live, hint_at(choices, choices->shown[i]));
        screen_add(&live->screen, "\n");
    }
}

/* Hints may come unit by unit more than once: a unit is named where another one's end. */
static void
add_units(const struct choices *choices, struct live *live)
{
    char before[SK_ID_MAX + 1] = "";

    screen_add(&live->screen, "  units:");
    for (uint32_t i = 0; i < hint_count(choices); i++) {
        char unit[SK_ID_MAX + 1] = "";

        look_text(hint_at(choices, i), "unit", unit, sizeof(unit));
        if (strcmp(unit, before) != 0) {
            screen_add(&live->screen, " %s", unit);
            memcpy(before, unit, sizeof(before));
        }
    }
    screen_add(&live->screen, "\n");
}

void
choices_add(const struct choices *choices, struct live *live)
{
    if (choices->shown_count > 0) {
        add_numbered(choices, live);
    } else {
        add_units(choices, live);
    }
    for (uint32_t i = 0; i < choices->chosen_count; i++) {
        screen_add(&live->screen, "  chosen: ");
        live_add_command(live, hint_at(choices, choices->chosen[i]));
        screen_add(&live->screen, "\n");
    }
}

uint32_t
choices_targets(const struct choices *choices, uint32_t count_max, struct sk_cell *ret_cells)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < choices->shown_count && count < count_max; i++) {
        count += find_target(hint_at(choices, choices->shown[i]), &ret_cells[count]);
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
