#include "tests/bench/load/commands.h"

#include <stdio.h>

#include "common/rules/tactics/internal.h"

#define UNITS_MAX 64u
#define TRIES     8

/* ---- the roster -------------------------------------------------------------------------- */

static const struct tactics_pattern_form *
pattern_named(struct sk_text name)
{
    const struct tactics_pattern_form *patterns = tactics_default_params.patterns.at;

    for (uint32_t i = 0; i < tactics_default_params.patterns.count; i++) {
        if (sk_text_same(patterns[i].name, name)) {
            return &patterns[i];
        }
    }
    return NULL;
}

static bool
add_pattern(struct reach *reach, const struct tactics_pattern_form *pattern)
{
    const struct sk_text *rows = pattern->rows.at;
    int32_t middle = (int32_t)pattern->rows.count / 2;

    for (int32_t y = 0; y < (int32_t)pattern->rows.count; y++) {
        for (int32_t x = 0; x < (int32_t)rows[y].length; x++) {
            if (rows[y].at[x] == ' ') {
                continue;
            }
            if (reach->count == ROSTER_OFFSETS_MAX) {
                return false;
            }
            reach->dx[reach->count] = (int8_t)(x - middle);
            reach->dy[reach->count++] = (int8_t)(y - middle);
        }
    }
    return true;
}

static bool
add_patterns(struct reach *reach, const struct sk_list *names)
{
    const struct sk_text *name = names->at;

    for (uint32_t i = 0; i < names->count; i++) {
        const struct tactics_pattern_form *pattern = pattern_named(name[i]);

        if (pattern == NULL || !add_pattern(reach, pattern)) {
            return false;
        }
    }
    return true;
}

bool
roster_init(struct roster *roster)
{
    const struct tactics_model_form *models = tactics_default_params.models.at;
    uint32_t count = tactics_default_params.models.count;

    memset(roster, 0, sizeof(*roster));
    roster->rows = tactics_default_params.rows;
    roster->cols = tactics_default_params.cols;
    for (uint32_t i = 0; i < count; i++) {
        struct roster_model *model = &roster->models[roster->count++];

        if (count > ROSTER_MODELS_MAX || models[i].name.length >= sizeof(model->name) ||
            !add_patterns(&model->move, &models[i].move) ||
            !add_patterns(&model->attack, &models[i].attack)) {
            return false;
        }
        memcpy(model->name, models[i].name.at, models[i].name.length);
    }
    return true;
}

/* ---- units of a view --------------------------------------------------------------------- */

struct unit {
    struct piece id;
    const struct roster_model *model;
    int seat;
    int32_t x;
    int32_t y;
};

static const struct roster_model *
model_named(const struct roster *roster, struct piece name)
{
    for (uint32_t i = 0; i < roster->count; i++) {
        size_t length = strlen(roster->models[i].name);

        if (piece_begins(name, roster->models[i].name) && name.at[length] == '"') {
            return &roster->models[i];
        }
    }
    return NULL;
}

static bool
read_unit(const struct roster *roster, struct piece object, struct unit *ret_unit)
{
    struct piece id = piece_after(object, "\"id\":\"");
    struct piece model = piece_after(id, "\"model\":\"");
    struct piece at = piece_after(model, "\"at\":[");
    struct piece comma = piece_after(at, ",");

    if (comma.at == NULL) {
        return false;
    }
    ret_unit->id = (struct piece){ id.at, memchr(id.at, '"', (size_t)(id.end - id.at)) };
    ret_unit->model = model_named(roster, model);
    ret_unit->seat = (int)piece_number_after(model, "\"seat\":");
    ret_unit->x = (int32_t)piece_number(at);
    ret_unit->y = (int32_t)piece_number(comma);
    return ret_unit->id.end != NULL && ret_unit->model != NULL;
}

static uint32_t
read_units(const struct roster *roster, struct piece view, struct unit units[UNITS_MAX])
{
    struct piece list = piece_after(view, "\"units\":[");
    uint32_t count = 0;

    while (list.at != NULL && list.at < list.end && *list.at != ']' && count < UNITS_MAX) {
        const char *end = memchr(list.at, '}', (size_t)(list.end - list.at));

        if (end == NULL || !read_unit(roster, (struct piece){ list.at, end }, &units[count])) {
            break;
        }
        count++;
        list.at = end + 1;
    }
    return count;
}

/* ---- commands ---------------------------------------------------------------------------- */

uint32_t
random_next(uint64_t *chance)
{
    *chance ^= *chance << 13;
    *chance ^= *chance >> 7;
    *chance ^= *chance << 17;
    return (uint32_t)(*chance >> 32);
}

/* The cells that nobody may move to: occupied, or another unit's target. */
struct taken {
    uint32_t count;
    int32_t x[2 * UNITS_MAX];
    int32_t y[2 * UNITS_MAX];
};

static void
take(struct taken *taken, int32_t x, int32_t y)
{
    taken->x[taken->count] = x;
    taken->y[taken->count++] = y;
}

static bool
is_taken(const struct taken *taken, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < taken->count; i++) {
        if (taken->x[i] == x && taken->y[i] == y) {
            return true;
        }
    }
    return false;
}

static bool
find_target(const struct roster *roster, const struct unit *unit, bool is_attack,
            struct taken *taken, uint64_t *chance, int32_t *ret_x, int32_t *ret_y)
{
    const struct reach *reach = is_attack ? &unit->model->attack : &unit->model->move;
    int32_t turned = unit->seat == 0 ? 1 : -1; /* patterns are drawn for seat 0 */

    for (int i = 0; i < TRIES && reach->count > 0; i++) {
        uint32_t which = random_next(chance) % reach->count;
        int32_t x = unit->x + turned * reach->dx[which];
        int32_t y = unit->y + turned * reach->dy[which];
        bool is_on_board = x >= 0 && y >= 0 && x < roster->cols && y < roster->rows;

        if (is_on_board && (is_attack || !is_taken(taken, x, y))) {
            if (!is_attack) {
                take(taken, x, y);
            }
            *ret_x = x;
            *ret_y = y;
            return true;
        }
    }
    return false;
}

static void
add_command(struct commands *commands, const struct unit *unit, bool is_attack, int32_t x,
            int32_t y)
{
    size_t space = sizeof(commands->text) - commands->length;
    int length = snprintf(commands->text + commands->length, space,
                          "%s{\"unit\":\"%.*s\",\"kind\":\"%s\",\"target\":[%d,%d]}",
                          commands->count == 0 ? "" : ",", (int)(unit->id.end - unit->id.at),
                          unit->id.at, is_attack ? "attack" : "move", x, y);

    if (length > 0 && (size_t)length + 2 < space) {
        commands->length += (size_t)length;
        commands->count++;
    }
}

void
commands_make(const struct roster *roster, struct piece view, int seat, bool attacks,
              uint64_t *chance, struct commands *ret_commands)
{
    struct unit units[UNITS_MAX];
    struct taken taken = { 0 };
    bool is_placement = piece_after(view, "\"phase\":\"placement\"").at != NULL;
    uint32_t count = is_placement ? 0 : read_units(roster, view, units);
    int32_t x;
    int32_t y;

    ret_commands->count = 0;
    ret_commands->length = 1;
    ret_commands->text[0] = '[';
    for (uint32_t i = 0; i < count; i++) {
        take(&taken, units[i].x, units[i].y);
    }
    for (uint32_t i = 0; i < count; i++) {
        bool is_attack = attacks && random_next(chance) % 3 == 0;

        if (units[i].seat == seat &&
            find_target(roster, &units[i], is_attack, &taken, chance, &x, &y)) {
            add_command(ret_commands, &units[i], is_attack, x, y);
        }
    }
    ret_commands->text[ret_commands->length++] = ']';
}
