/*
 * The forms of tactics: member tables, and conversion between forms and
 * positions.  JSON, its schema and the fuzzers' random values come from these
 * tables.
 */
#include "common/rules/tactics/internal.h"

#define COORDINATE .min = 0, .max = SK_GRID_MAX - 1

/* ---- params ------------------------------------------------------------------------------ */

static const struct sk_member row_item = {
    .kind = SK_KIND_TEXT,
    .max = 4 * SK_GRID_MAX * SK_GRID_MAX, /* the pattern check decides what is too long */
};

static const struct sk_member map_item = {
    .kind = SK_KIND_NAME,
    .offset = offsetof(struct tactics_map_form, to),
    .doc = "The pattern it stands for.",
};

static const struct sk_member pattern_members[] = {
    SK_LIST(struct tactics_pattern_form, rows, "rows", &row_item, sizeof(struct sk_text), .min = 0,
            .max = SK_GRID_MAX * SK_GRID_MAX,
            .doc = "n strings of n characters, n odd; a space is no target."),
    SK_MAP(struct tactics_pattern_form, map, "map", &map_item, sizeof(struct tactics_map_form),
           .min = 0, .max = SK_TACTICS_MAPS_MAX, .flags = SK_OPTIONAL,
           .doc = "Characters that stand for another pattern, centred on the target."),
};

static const struct sk_schema pattern_schema =
    SK_SCHEMA("pattern", NULL, pattern_members, struct tactics_pattern_form);

static const struct sk_member pattern_item = { .kind = SK_KIND_OBJECT, .object = &pattern_schema };

static const struct sk_member name_item = { .kind = SK_KIND_NAME };

static const struct sk_member model_members[] = {
    SK_TEXT_OF(struct tactics_model_form, description, "description", .max = SK_DESCRIPTION_MAX,
               .flags = SK_OPTIONAL),
    SK_INT(struct tactics_model_form, health, "health", .min = 1, .max = SK_TACTICS_HEALTH_MAX),
    SK_INT(struct tactics_model_form, power, "power", .min = 0, .max = SK_TACTICS_POWER_MAX),
    SK_LIST(struct tactics_model_form, move, "move", &name_item, sizeof(struct sk_text), .min = 0,
            .max = SK_TACTICS_PATTERNS_MAX, .doc = "Names of its movement patterns."),
    SK_LIST(struct tactics_model_form, attack, "attack", &name_item, sizeof(struct sk_text),
            .min = 0, .max = SK_TACTICS_PATTERNS_MAX, .doc = "Names of its attack patterns."),
};

static const struct sk_schema model_schema =
    SK_SCHEMA("model", NULL, model_members, struct tactics_model_form);

static const struct sk_member model_item = { .kind = SK_KIND_OBJECT, .object = &model_schema };

#define UNIT_MEMBERS                                                                        \
    SK_ID_TEXT(struct tactics_unit_form, id, "id", .doc = "Unique among all units."),       \
        SK_NAME(struct tactics_unit_form, model, "model", .doc = "The name of its model."), \
        SK_INT(struct tactics_unit_form, seat, "seat", .min = 0, .max = TACTICS_SEATS - 1)

static const struct sk_member unit_members[] = {
    UNIT_MEMBERS,
    SK_CELL(struct tactics_unit_form, at, "at", .doc = "Its (default) cell."),
};

static const struct sk_schema unit_schema =
    SK_SCHEMA("unit", NULL, unit_members, struct tactics_unit_form);

static const struct sk_member unit_item = { .kind = SK_KIND_OBJECT, .object = &unit_schema };

#define ROSTER_PART(has) \
    .flags = SK_OPTIONAL | SK_TRACKED, .present = offsetof(struct tactics_params, has)

static const struct sk_member params_members[] = {
    SK_INT(struct tactics_params, rows, "rows", .min = SK_TACTICS_GRID_MIN, .max = SK_GRID_MAX,
           .flags = SK_OPTIONAL, .fallback = SK_TACTICS_GRID_DEFAULT),
    SK_INT(struct tactics_params, cols, "cols", .min = SK_TACTICS_GRID_MIN, .max = SK_GRID_MAX,
           .flags = SK_OPTIONAL, .fallback = SK_TACTICS_GRID_DEFAULT),
    SK_BOOL(struct tactics_params, placement, "placement", .flags = SK_OPTIONAL,
            .doc = "Turn 0 is for placing the units in the start rows."),
    SK_INT(struct tactics_params, start_rows, "start_rows", .min = 1, .max = SK_GRID_MAX,
           .flags = SK_OPTIONAL, .fallback = SK_TACTICS_START_ROWS_DEFAULT),
    SK_INT(struct tactics_params, turn_limit, "turn_limit", .min = 1, .max = SK_TURN_LIMIT_MAX,
           .flags = SK_OPTIONAL, .fallback = SK_TACTICS_TURN_LIMIT_DEFAULT),
    SK_MAP(struct tactics_params, patterns, "patterns", &pattern_item,
           sizeof(struct tactics_pattern_form), .min = 0, .max = SK_TACTICS_PATTERNS_MAX,
           ROSTER_PART(has_patterns)),
    SK_MAP(struct tactics_params, models, "models", &model_item, sizeof(struct tactics_model_form),
           .min = 0, .max = SK_TACTICS_MODELS_MAX, ROSTER_PART(has_models)),
    SK_LIST(struct tactics_params, units, "units", &unit_item, sizeof(struct tactics_unit_form),
            .min = 0, .max = SK_TACTICS_UNITS_MAX, ROSTER_PART(has_units)),
};

const struct sk_schema tactics_params_schema =
    SK_SCHEMA("tactics params", NULL, params_members, struct tactics_params);

/* ---- states and views -------------------------------------------------------------------- */

static const char *const phase_words[] = {
    [TACTICS_PLACEMENT] = "placement",
    [TACTICS_PLAY] = "play",
};

static const struct sk_member living_members[] = {
    UNIT_MEMBERS,
    SK_CELL(struct tactics_unit_form, at, "at", .doc = "Where it stands."),
    SK_INT(struct tactics_unit_form, health, "health", .min = 1, .max = INT32_MAX,
           .doc = "May be above its model's."),
};

static const struct sk_schema living_schema =
    SK_SCHEMA("unit", NULL, living_members, struct tactics_unit_form);

static const struct sk_member living_item = { .kind = SK_KIND_OBJECT, .object = &living_schema };

static const struct sk_member position_members[] = {
    SK_ENUM(struct tactics_position_form, phase, "phase", phase_words,
            .doc = "Placement is only in turn 0, if params enable it."),
    SK_LIST(struct tactics_position_form, units, "units", &living_item,
            sizeof(struct tactics_unit_form), .min = 0, .max = SK_TACTICS_UNITS_MAX,
            .doc = "Living units, in the order of params."),
};

const struct sk_schema tactics_state_schema =
    SK_SCHEMA("tactics state", &sk_state_head, position_members, struct tactics_position_form);
const struct sk_schema tactics_view_schema =
    SK_SCHEMA("tactics view", &sk_view_head, position_members, struct tactics_position_form);

/* ---- commands and events ----------------------------------------------------------------- */

static const struct sk_member command_members[] = {
    SK_ID(struct tactics_command, unit, "unit", .doc = "One of the seat's own."),
    SK_CELL(struct tactics_command, target, "target", .doc = "Any cell; the checks judge it."),
};

static const struct sk_schema command_schema =
    SK_SCHEMA("tactics command", NULL, command_members, struct tactics_command);

static const struct sk_variant commands[] = {
    SK_SHARED_COMMANDS,
    { "move", &command_schema, "The unit goes to the target." },
    { "attack", &command_schema, "The unit attacks the target and what its pattern affects." },
    { "place", &command_schema, "The unit starts on the target (turn 0 only)." },
};

const struct sk_variants tactics_command_variants =
    SK_COMMANDS("tactics command", commands, struct tactics_command);

#define EVENT_UNIT SK_ID_TEXT(struct tactics_event, unit, "unit", .doc = "The unit concerned.")

static const struct sk_member id_item = { .kind = SK_KIND_ID_TEXT };
static const struct sk_member cell_item = { .kind = SK_KIND_CELL, COORDINATE };

static const struct sk_member placed_members[] = {
    EVENT_UNIT,
    SK_CELL(struct tactics_event, at, "at", .doc = "Where it starts."),
};
static const struct sk_member bounced_members[] = {
    SK_LIST(struct tactics_event, others, "units", &id_item, sizeof(struct sk_text), .min = 2,
            .max = 2, .doc = "Seat 0's first."),
    SK_CELL(struct tactics_event, at, "at", .doc = "Where both wanted to go."),
};
static const struct sk_member moved_members[] = {
    EVENT_UNIT,
    SK_CELL(struct tactics_event, from, "from", .doc = "Where it came from."),
    SK_CELL(struct tactics_event, at, "to", .doc = "Where it stands now."),
};
static const struct sk_member attacked_members[] = {
    EVENT_UNIT,
    SK_CELL(struct tactics_event, at, "target", .doc = "What it aimed at."),
    SK_LIST(struct tactics_event, cells, "cells", &cell_item, sizeof(struct sk_cell), .min = 0,
            .max = SK_TACTICS_AREA_MAX, .doc = "What it affects on the board."),
};
static const struct sk_member hit_members[] = {
    EVENT_UNIT,
    SK_LIST(struct tactics_event, others, "by", &id_item, sizeof(struct sk_text), .min = 1,
            .max = SK_TACTICS_UNITS_MAX),
    SK_INT(struct tactics_event, damage, "damage", .min = 0, .max = INT32_MAX),
    SK_INT(struct tactics_event, health, "health", .min = INT32_MIN, .max = INT32_MAX,
           .doc = "What is left; 0 or less means that it dies."),
};
static const struct sk_member died_members[] = { EVENT_UNIT };

#define EVENT_SCHEMA(members) SK_SCHEMA("tactics event", NULL, members, struct tactics_event)

static const struct sk_schema placed_schema = EVENT_SCHEMA(placed_members);
static const struct sk_schema bounced_schema = EVENT_SCHEMA(bounced_members);
static const struct sk_schema moved_schema = EVENT_SCHEMA(moved_members);
static const struct sk_schema attacked_schema = EVENT_SCHEMA(attacked_members);
static const struct sk_schema hit_schema = EVENT_SCHEMA(hit_members);
static const struct sk_schema died_schema = EVENT_SCHEMA(died_members);

static const struct sk_variant events[] = {
    [TACTICS_EVENT_PLACED] = { "placed", &placed_schema, "A unit took its starting place." },
    [TACTICS_EVENT_BOUNCED] = { "bounced", &bounced_schema, "Two units met; both stayed." },
    [TACTICS_EVENT_MOVED] = { "moved", &moved_schema, "A unit moved." },
    [TACTICS_EVENT_ATTACKED] = { "attacked", &attacked_schema, "A unit attacked these cells." },
    [TACTICS_EVENT_HIT] = { "hit", &hit_schema, "A unit took damage, all of it at once." },
    [TACTICS_EVENT_DIED] = { "died", &died_schema, "A unit died." },
};

const struct sk_variants tactics_event_variants =
    SK_EVENTS("tactics event", events, struct tactics_event);

/* ---- from a form ------------------------------------------------------------------------- */

/* Another living unit on the cell, or TACTICS_NO_UNIT. */
static uint32_t
unit_on(const struct tactics_config *config, const struct tactics_position *position,
        struct sk_cell cell)
{
    for (uint32_t i = 0; i < config->unit_count; i++) {
        if (tactics_is_alive(position, i) && sk_cell_same(tactics_cell_of(position, i), cell)) {
            return i;
        }
    }
    return TACTICS_NO_UNIT;
}

static enum sk_status
read_unit(const struct tactics_config *config, const struct tactics_unit_form *form,
          struct tactics_position *position, struct sk_fault *fault)
{
    struct sk_id id = sk_id_from(form->id);
    uint8_t unit = tactics_unit_find(config, &id);

    if (unit == TACTICS_NO_UNIT) {
        return sk_fault_state(fault, "params have no unit with this id", "id");
    }
    if (tactics_is_alive(position, unit)) {
        return sk_fault_state(fault, "this unit is listed twice", "id");
    }
    if (!sk_text_same(form->model, sk_id_text(&tactics_model_of(config, unit)->name))) {
        return sk_fault_state(fault, "the unit has another model in params", "model");
    }
    if (form->seat != tactics_units(config)[unit].seat) {
        return sk_fault_state(fault, "the unit belongs to the other seat", "seat");
    }
    if (!sk_cell_on_grid(form->at, config->cols, config->rows)) {
        return sk_fault_state(fault, "the cell is off the board", "at");
    }
    if (unit_on(config, position, form->at) != TACTICS_NO_UNIT) {
        return sk_fault_state(fault, "another unit is on this cell", "at");
    }
    position->unit[unit] =
        (struct tactics_unit){ form->health, (uint8_t)form->at.x, (uint8_t)form->at.y };
    return SK_OK;
}

enum sk_status
tactics_state_read(const void *config, const void *form, struct sk_state *ret_state,
                   struct sk_fault *ret_fault)
{
    const struct tactics_config *tactics = config;
    const struct tactics_position_form *from = form;
    const struct tactics_unit_form *units = from->units.at;
    struct tactics_position *position = tactics_position(ret_state);

    if (from->phase == TACTICS_PLACEMENT && !tactics->placement) {
        return sk_fault_state(ret_fault, "this match has no placement", "phase");
    }
    position->phase = from->phase;
    for (uint32_t i = 0; i < from->units.count; i++) {
        if (read_unit(tactics, &units[i], position, ret_fault) != SK_OK) {
            return sk_fault_inside_item(ret_fault, "units", i);
        }
    }
    return SK_OK;
}

/* ---- to a form --------------------------------------------------------------------------- */

enum sk_status
tactics_view_form(const void *config, const void *view, struct sk_arena *arena, void *ret_form)
{
    const struct tactics_config *tactics = config;
    const struct tactics_unit_config *units = tactics_units(tactics);
    const struct tactics_position *position = view;
    struct tactics_position_form *form = ret_form;
    struct tactics_unit_form *living =
        sk_arena_take_items(arena, tactics->unit_count, sizeof(*living));
    uint32_t count = 0;

    if (living == NULL) {
        return SK_ERR_TOO_LONG;
    }
    for (uint32_t i = 0; i < tactics->unit_count; i++) {
        if (tactics_is_alive(position, i)) {
            living[count++] = (struct tactics_unit_form){
                .id = tactics_id_text(tactics, i),
                .model = sk_id_text(&tactics_model_of(tactics, i)->name),
                .seat = units[i].seat,
                .at = tactics_cell_of(position, i),
                .health = position->unit[i].health,
            };
        }
    }
    form->phase = position->phase;
    form->units = (struct sk_list){ living, count };
    return SK_OK;
}
