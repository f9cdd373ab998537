/*
 * Builds a config from params.  Every fault in params is found here, with its
 * position and reason; the rest is compiled so that a turn needs no names and
 * no searching.
 */
#include <string.h>

#include "common/rules/tactics/internal.h"

struct build {
    const struct tactics_params *params;
    const struct sk_list *patterns; /* from params, or the default roster's */
    const struct sk_list *models;
    const struct sk_list *units;
    struct tactics_config *config;
    struct sk_arena *arena;
    struct sk_arena *scratch;
    struct sk_fault *fault;
};

/* ---- grid -------------------------------------------------------------------------------- */

static enum sk_status
build_grid(struct build *build)
{
    const struct tactics_params *params = build->params;
    struct tactics_config *config = build->config;

    if (params->start_rows > params->rows) {
        return sk_fault_set_at(build->fault, "start_rows_too_many",
                               "there are more start rows than rows", "start_rows");
    }
    if (params->placement && 2 * params->start_rows > params->rows) {
        return sk_fault_set_at(
            build->fault, "start_rows_overlap",
            "with placement on, the start rows of the two seats must not overlap", "start_rows");
    }
    config->rows = (uint8_t)params->rows;
    config->cols = (uint8_t)params->cols;
    config->start_rows = (uint8_t)params->start_rows;
    config->placement = params->placement;
    config->turn_limit = (uint32_t)params->turn_limit;
    return SK_OK;
}

/* ---- models ------------------------------------------------------------------------------ */

static enum sk_status
build_pattern_list(struct build *build, const struct tactics_model_form *form,
                   const struct sk_list *names, const char *member, uint32_t *ret_at)
{
    uint16_t *places = sk_arena_take_items(build->arena, names->count, sizeof(*places));

    if (places == NULL) {
        return sk_fault_too_large(build->fault);
    }
    for (uint32_t i = 0; i < names->count; i++) {
        struct sk_text name = *(struct sk_text *)sk_list_item(names, i, sizeof(struct sk_text));
        uint32_t place = tactics_pattern_find(build->patterns, name);

        if (place == build->patterns->count) {
            sk_fault_set(build->fault, "unknown_pattern", "there is no pattern named ");
            sk_fault_say_text(build->fault, name);
            sk_fault_inside_item(build->fault, member, i);
            sk_fault_inside(build->fault, form->name);
            return sk_fault_inside(build->fault, SK_TEXT("models"));
        }
        places[i] = (uint16_t)place;
        if (!tactics_work_fits(build->config, place)) {
            tactics_refuse_work(build->fault);
            sk_fault_inside(build->fault, form->name);
            return sk_fault_inside(build->fault, SK_TEXT("models"));
        }
    }
    *ret_at = sk_arena_offset(build->arena, places);
    return SK_OK;
}

/* Combines all patterns of a list, centre on centre. */
static enum sk_status
build_reach(struct build *build, uint32_t list_at, uint32_t count, struct tactics_reach *ret_reach)
{
    const struct tactics_config *config = build->config;
    const uint16_t *list = tactics_part(config, list_at);
    uint32_t side = 1;
    uint64_t *rows;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t its_side = tactics_pattern_at(config, list[i])->targets.side;

        side = its_side > side ? its_side : side;
    }
    rows = sk_arena_take_items(build->arena, side, sizeof(*rows));
    if (rows == NULL) {
        return sk_fault_too_large(build->fault);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct tactics_reach *targets = &tactics_pattern_at(config, list[i])->targets;
        const uint64_t *its_rows = tactics_part(config, targets->rows_at);
        uint32_t margin = (side - targets->side) / 2;

        for (uint32_t y = 0; y < targets->side; y++) {
            rows[y + margin] |= its_rows[y] << margin;
        }
    }
    *ret_reach = (struct tactics_reach){ side, sk_arena_offset(build->arena, rows) };
    return SK_OK;
}

static enum sk_status
build_model(struct build *build, const struct tactics_model_form *form, struct tactics_model *model)
{
    enum sk_status status;

    if (!sk_name_is_valid(form->name)) {
        sk_fault_set(build->fault, "bad_name",
                     "a model's name is 1 to " SK_LIMIT_TEXT(SK_NAME_MAX) " printable ASCII "
                                                                          "characters");
        sk_fault_inside(build->fault, form->name);
        return sk_fault_inside(build->fault, SK_TEXT("models"));
    }
    model->name = sk_id_from(form->name);
    model->health = form->health;
    model->power = form->power;
    model->move_count = (uint16_t)form->move.count;
    model->attack_count = (uint16_t)form->attack.count;
    status = build_pattern_list(build, form, &form->move, "move", &model->move_at);
    if (status == SK_OK) {
        status = build_pattern_list(build, form, &form->attack, "attack", &model->attack_at);
    }
    if (status == SK_OK) {
        status = build_reach(build, model->move_at, model->move_count, &model->move);
    }
    if (status == SK_OK) {
        status = build_reach(build, model->attack_at, model->attack_count, &model->attack);
    }
    return status;
}

static enum sk_status
build_models(struct build *build)
{
    const struct tactics_model_form *forms = build->models->at;
    struct tactics_model *models =
        sk_arena_take_items(build->arena, build->models->count, sizeof(*models));
    enum sk_status status = models == NULL ? sk_fault_too_large(build->fault) : SK_OK;

    for (uint32_t i = 0; i < build->models->count && status == SK_OK; i++) {
        status = build_model(build, &forms[i], &models[i]);
    }
    if (status == SK_OK) {
        build->config->model_count = (uint16_t)build->models->count;
        build->config->models_at = sk_arena_offset(build->arena, models);
    }
    return status;
}

/* ---- units ------------------------------------------------------------------------------- */

uint32_t
tactics_id_slot(const struct sk_id *id)
{
    uint64_t words[sizeof(*id) / sizeof(uint64_t)];
    uint64_t mixed;

    memcpy(words, id, sizeof(words));
    mixed = words[0] ^ words[1] ^ words[2] ^ words[3];
    return (uint32_t)((mixed * 0x9e3779b97f4a7c15u) >> 40);
}

uint8_t
tactics_unit_find(const struct tactics_config *config, const struct sk_id *id)
{
    const struct tactics_unit_config *units = tactics_units(config);
    const uint8_t *slots = tactics_part(config, config->slots_at);
    uint32_t slot = tactics_id_slot(id) & config->slot_mask;

    for (; slots[slot] != 0; slot = (slot + 1) & config->slot_mask) {
        if (sk_id_same(&units[slots[slot] - 1].id, id)) {
            return (uint8_t)(slots[slot] - 1);
        }
    }
    return TACTICS_NO_UNIT;
}

static void
enter_id(struct tactics_config *config, uint8_t *slots, uint32_t unit)
{
    uint32_t slot = tactics_id_slot(&tactics_units(config)[unit].id) & config->slot_mask;

    while (slots[slot] != 0) {
        slot = (slot + 1) & config->slot_mask;
    }
    slots[slot] = (uint8_t)(unit + 1);
}

static uint32_t
find_model(const struct build *build, struct sk_text name)
{
    const struct tactics_model_form *forms = build->models->at;
    uint32_t i = 0;

    while (i < build->models->count && !sk_text_same(forms[i].name, name)) {
        i++;
    }
    return i;
}

static enum sk_status
refuse_unit(struct build *build, const char *code, const char *message, const char *member)
{
    return sk_fault_set_at(build->fault, code, message, member);
}

/* Faults of a unit that do not depend on the others. */
static enum sk_status
check_unit(struct build *build, const struct tactics_unit_form *form)
{
    const struct tactics_config *config = build->config;

    if (find_model(build, form->model) == build->models->count) {
        return refuse_unit(build, "unknown_model", "there is no model of that name", "model");
    }
    if (!sk_cell_on_grid(form->at, config->cols, config->rows)) {
        return refuse_unit(build, "out_of_bounds", "the unit's place is off the board", "at");
    }
    if (config->placement && !tactics_is_start_row(config, (uint8_t)form->seat, form->at.y)) {
        return refuse_unit(build, "not_start_row",
                           "with placement on, every unit's place lies in its seat's start rows",
                           "at");
    }
    return SK_OK;
}

/* `cells` marks the cells taken so far. */
static enum sk_status
build_unit(struct build *build, const struct tactics_unit_form *form, uint32_t index,
           uint8_t *slots, uint8_t *cells)
{
    struct tactics_config *config = build->config;
    struct tactics_unit_config *unit =
        (struct tactics_unit_config *)(void *)(build->arena->base + config->units_at) + index;
    uint32_t cell;
    enum sk_status status = check_unit(build, form);

    if (status != SK_OK) {
        return status;
    }
    unit->id = sk_id_from(form->id);
    unit->id_length = (uint8_t)form->id.length;
    if (tactics_unit_find(config, &unit->id) != TACTICS_NO_UNIT) {
        return refuse_unit(build, "duplicate_id", "another unit has that id already", "id");
    }
    cell = sk_cell_index(form->at, config->cols);
    if (cells[cell] != 0) {
        return refuse_unit(build, "cell_taken", "another unit is on this cell", "at");
    }
    cells[cell] = 1;
    unit->model = (uint8_t)find_model(build, form->model);
    unit->seat = (uint8_t)form->seat;
    unit->x = (uint8_t)form->at.x;
    unit->y = (uint8_t)form->at.y;
    enter_id(config, slots, index);
    return SK_OK;
}

static enum sk_status
check_unit_counts(struct build *build)
{
    const struct tactics_unit_form *forms = build->units->at;
    uint32_t counts[TACTICS_SEATS] = { 0, 0 };

    for (uint32_t i = 0; i < build->units->count; i++) {
        if (++counts[forms[i].seat] > SK_TACTICS_UNITS_PER_SEAT_MAX) {
            sk_fault_set(
                build->fault, "too_many_units",
                "a seat has at most " SK_LIMIT_TEXT(SK_TACTICS_UNITS_PER_SEAT_MAX) " units");
            return sk_fault_inside_item(build->fault, "units", i);
        }
    }
    return SK_OK;
}

/* Every attacked cell is sent to both seats and stored, so their number per turn is limited. */
static enum sk_status
check_turn_cells(struct build *build)
{
    uint32_t cells = 0;

    for (uint32_t i = 0; i < build->config->unit_count; i++) {
        cells += tactics_model_cells(build->config, tactics_model_of(build->config, i));
        if (cells > SK_TACTICS_TURN_CELLS_MAX) {
            sk_fault_set(build->fault, "turn_too_large",
                         "if every unit up to this one attacked at once, they would affect more "
                         "than " SK_LIMIT_TEXT(SK_TACTICS_TURN_CELLS_MAX) " cells");
            return sk_fault_inside_item(build->fault, "units", i);
        }
    }
    return SK_OK;
}

static enum sk_status
take_unit_memory(struct build *build, uint8_t **ret_slots, uint8_t **ret_cells)
{
    struct tactics_config *config = build->config;
    uint32_t count = build->units->count;
    uint32_t slot_count = 4;
    void *units = sk_arena_take_items(build->arena, count, sizeof(struct tactics_unit_config));

    while (slot_count < 2 * count) {
        slot_count *= 2;
    }
    *ret_slots = sk_arena_take(build->arena, slot_count);
    *ret_cells = sk_arena_take(build->scratch, (size_t)config->rows * config->cols);
    if (units == NULL || *ret_slots == NULL || *ret_cells == NULL) {
        return sk_fault_too_large(build->fault);
    }
    config->unit_count = (uint16_t)count;
    config->units_at = sk_arena_offset(build->arena, units);
    config->slots_at = sk_arena_offset(build->arena, *ret_slots);
    config->slot_mask = (uint16_t)(slot_count - 1);
    return SK_OK;
}

static enum sk_status
build_units(struct build *build)
{
    const struct tactics_unit_form *forms = build->units->at;
    uint8_t *slots = NULL;
    uint8_t *cells = NULL;
    enum sk_status status = check_unit_counts(build);

    if (status == SK_OK) {
        status = take_unit_memory(build, &slots, &cells);
    }
    for (uint32_t i = 0; i < build->units->count && status == SK_OK; i++) {
        status = build_unit(build, &forms[i], i, slots, cells);
        if (status != SK_OK) {
            sk_fault_inside_item(build->fault, "units", i);
        }
    }
    return status;
}

/* ---- entry point ------------------------------------------------------------------------- */

/* A roster is given completely or not at all; without one the default is used. */
static enum sk_status
choose_roster(struct build *build)
{
    const struct tactics_params *params = build->params;
    const struct tactics_params *from = params;
    const char *missing = !params->has_patterns ? "patterns"
                          : !params->has_models ? "models"
                          : !params->has_units  ? "units"
                                                : NULL;

    if (!params->has_patterns && !params->has_models && !params->has_units) {
        from = &tactics_default_params;
    } else if (missing != NULL) {
        sk_fault_set(build->fault, "malformed", "the member ");
        sk_fault_say(build->fault, missing);
        sk_fault_say(build->fault, " is missing (patterns, models and units go together; without "
                                   "all three it is the default roster)");
        return sk_fault_inside(build->fault, sk_text_of(missing));
    }
    build->patterns = &from->patterns;
    build->models = &from->models;
    build->units = &from->units;
    return SK_OK;
}

enum sk_status
tactics_config_build(const void *params, struct sk_arena *ret_config, struct sk_arena *scratch,
                     struct sk_fault *ret_fault)
{
    struct build build = {
        .params = params,
        .arena = ret_config,
        .scratch = scratch,
        .fault = ret_fault,
        .config = sk_arena_take(ret_config, sizeof(struct tactics_config)),
    };
    enum sk_status status;

    if (build.config == NULL) {
        return sk_fault_too_large(ret_fault);
    }
    status = choose_roster(&build);
    if (status == SK_OK) {
        status = build_grid(&build);
    }
    if (status == SK_OK) {
        status =
            tactics_patterns_build(build.patterns, build.config, ret_config, scratch, ret_fault);
    }
    if (status == SK_OK) {
        status = build_models(&build);
    }
    if (status == SK_OK) {
        status = build_units(&build);
    }
    return status == SK_OK ? check_turn_cells(&build) : status;
}
