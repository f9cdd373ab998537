/*
 * Patterns: checked when a match is created, compiled into bits and areas.
 *
 *   shape        odd side of at most 63, square, printable
 *   maps         every mapped name exists, nothing maps a space, no cycle
 *   areas        what a target mapped to a pattern affects: the pattern's
 *                own targets, with mapped ones replaced by *their* areas
 *
 * Areas are computed in an order in which a pattern comes after all those it
 * maps to, each once, as a set.  A set stops growing one past the limit.
 *
 * Small params can cause much work: areas of areas overlap, and names are
 * searched among all names.  Such steps are counted, and params that need more
 * than SK_TACTICS_WORK_MAX are refused.
 */
#include <string.h>

#include "common/rules/tactics/internal.h"

#define SET_FREE 0u

/* The cost of sorting a cell, in steps of a set lookup. */
#define SORT_STEPS 6

/* An offset as one number whose order is reading order; never equal to SET_FREE. */
#define KEY_MIDDLE 32768

enum area_state {
    AREA_UNWANTED, /* no target is mapped to this pattern */
    AREA_WANTED,
    AREA_TOO_LARGE,
};

struct area {
    uint16_t *maps_to; /* indices of the patterns it maps to, map by map */
    uint32_t *keys;    /* sorted */
    uint32_t count;
    enum area_state state;
};

struct build {
    const struct sk_list *forms;
    struct tactics_config *config;
    struct sk_arena *arena;
    struct sk_arena *scratch;
    struct sk_fault *fault;
    struct tactics_pattern *patterns;
    struct area *areas;
    uint16_t *order; /* patterns, each after all those it maps to */
    uint32_t *slots; /* the set being built */
    uint32_t *found; /* its members, in order of insertion */
    uint32_t found_count;
};

static const struct tactics_pattern_form *
form_at(const struct build *build, uint32_t place)
{
    return sk_list_item(build->forms, place, sizeof(struct tactics_pattern_form));
}

static const struct tactics_map_form *
map_at(const struct tactics_pattern_form *form, uint32_t place)
{
    return sk_list_item(&form->map, place, sizeof(struct tactics_map_form));
}

static struct sk_text
row_at(const struct tactics_pattern_form *form, uint32_t place)
{
    return *(struct sk_text *)sk_list_item(&form->rows, place, sizeof(struct sk_text));
}

static enum sk_status
refuse(struct build *build, uint32_t place, const char *code, const char *message)
{
    struct sk_fault *fault = build->fault;

    sk_fault_set(fault, code, "pattern ");
    sk_fault_say_text(fault, form_at(build, place)->name);
    sk_fault_say(fault, ": ");
    sk_fault_say(fault, message);
    sk_fault_inside(fault, form_at(build, place)->name);
    return sk_fault_inside(fault, SK_TEXT("patterns"));
}

bool
tactics_work_fits(struct tactics_config *config, uint32_t steps)
{
    config->work += steps;
    return config->work <= SK_TACTICS_WORK_MAX;
}

enum sk_status
tactics_refuse_work(struct sk_fault *ret_fault)
{
    return sk_fault_set(ret_fault, "too_much_work",
                        "compiling the patterns takes more than " SK_LIMIT_TEXT(
                            SK_TACTICS_WORK_MAX) " steps; use fewer or smaller ones");
}

static enum sk_status
refuse_work(struct build *build, uint32_t place)
{
    tactics_refuse_work(build->fault);
    sk_fault_inside(build->fault, form_at(build, place)->name);
    return sk_fault_inside(build->fault, SK_TEXT("patterns"));
}

uint32_t
tactics_pattern_find(const struct sk_list *forms, struct sk_text name)
{
    const struct tactics_pattern_form *form = forms->at;
    uint32_t i = 0;

    while (i < forms->count && !sk_text_same(form[i].name, name)) {
        i++;
    }
    return i;
}

/* ---- shape ------------------------------------------------------------------------------- */

/* Counts characters, not bytes: a row with an umlaut is not ragged, but has a bad character. */
static uint32_t
character_count(struct sk_text row)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < row.length; i++) {
        count += ((uint8_t)row.at[i] & 0xc0) != 0x80;
    }
    return count;
}

static bool
is_printable(struct sk_text text)
{
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.at[i] < ' ' || text.at[i] > '~') {
            return false;
        }
    }
    return true;
}

static enum sk_status
check_shape(struct build *build, uint32_t place)
{
    const struct tactics_pattern_form *form = form_at(build, place);
    uint32_t side = form->rows.count;

    if (side % 2 == 0) {
        return refuse(build, place, "pattern_even_side",
                      "its side must be odd, it has an even "
                      "number of rows");
    }
    if (side > SK_TACTICS_PATTERN_SIDE_MAX) {
        return refuse(build, place, "pattern_too_long",
                      "its side is longer than " SK_LIMIT_TEXT(SK_TACTICS_PATTERN_SIDE_MAX));
    }
    for (uint32_t i = 0; i < side; i++) {
        if (character_count(row_at(form, i)) != side) {
            refuse(build, place, "pattern_not_square", "row ");
            sk_fault_say_number(build->fault, i);
            sk_fault_say(build->fault, " is not as long as the pattern has rows");
            return SK_ERR_REFUSED;
        }
    }
    for (uint32_t i = 0; i < side; i++) {
        if (!is_printable(row_at(form, i))) {
            refuse(build, place, "pattern_bad_character", "row ");
            sk_fault_say_number(build->fault, i);
            sk_fault_say(build->fault, " has a character that is not printable ASCII");
            return SK_ERR_REFUSED;
        }
    }
    return SK_OK;
}

/* ---- maps -------------------------------------------------------------------------------- */

static enum sk_status
check_map_key(struct build *build, uint32_t place, struct sk_text key)
{
    if (!is_printable(key)) {
        return refuse(build, place, "pattern_bad_character",
                      "it maps a character that is not printable ASCII");
    }
    if (key.length != 1) {
        return refuse(build, place, "pattern_bad_character",
                      "what is mapped must be one single character");
    }
    return SK_OK;
}

/* Names are looked up only here; from then on patterns are numbers. */
static enum sk_status
check_map_name(struct build *build, uint32_t place, uint32_t map)
{
    struct sk_text to = map_at(form_at(build, place), map)->to;
    uint32_t found = tactics_pattern_find(build->forms, to);

    if (found == build->forms->count) {
        refuse(build, place, "pattern_unknown_name", "it maps to the pattern ");
        sk_fault_say_text(build->fault, to);
        sk_fault_say(build->fault, ", which does not exist");
        return SK_ERR_REFUSED;
    }
    build->areas[place].maps_to[map] = (uint16_t)found;
    return tactics_work_fits(build->config, found) ? SK_OK : refuse_work(build, place);
}

/* Checks all maps, also those of characters that do not occur. */
static enum sk_status
check_maps(struct build *build, uint32_t place)
{
    const struct tactics_pattern_form *form = form_at(build, place);
    enum sk_status status = SK_OK;

    build->areas[place].maps_to =
        sk_arena_take_items(build->scratch, form->map.count, sizeof(uint16_t));
    if (build->areas[place].maps_to == NULL) {
        return sk_fault_too_large(build->fault);
    }
    for (uint32_t i = 0; i < form->map.count && status == SK_OK; i++) {
        status = check_map_key(build, place, map_at(form, i)->from);
    }
    for (uint32_t i = 0; i < form->map.count && status == SK_OK; i++) {
        status = check_map_name(build, place, i);
    }
    for (uint32_t i = 0; i < form->map.count && status == SK_OK; i++) {
        if (map_at(form, i)->from.at[0] == ' ') {
            status = refuse(build, place, "pattern_mapped_space",
                            "it maps a space, which is never a target");
        }
    }
    return status;
}

/* ---- order, and with it cycles ----------------------------------------------------------- */

static uint32_t
mapped_place(const struct build *build, uint32_t place, uint32_t map)
{
    return build->areas[place].maps_to[map];
}

static bool
maps_only_to_done(struct build *build, uint32_t place, const bool *is_done)
{
    uint32_t count = form_at(build, place)->map.count;
    uint32_t i = 0;

    while (i < count && is_done[mapped_place(build, place, i)]) {
        i++;
    }
    build->config->work += i;
    return i == count;
}

/* Starting from a pattern that could not be ordered, following such patterns leads round a
 * cycle. */
static uint32_t
find_in_cycle(const struct build *build, const bool *is_done, uint32_t place)
{
    for (uint32_t step = 0; step < build->forms->count; step++) {
        uint32_t i = 0;

        while (is_done[mapped_place(build, place, i)]) {
            i++;
        }
        place = mapped_place(build, place, i);
    }
    return place;
}

static enum sk_status
make_order(struct build *build)
{
    bool is_done[SK_TACTICS_PATTERNS_MAX] = { false };
    uint32_t count = 0;
    uint32_t count_before;

    do {
        count_before = count;
        for (uint32_t i = 0; i < build->forms->count; i++) {
            if (!is_done[i] && maps_only_to_done(build, i, is_done)) {
                is_done[i] = true;
                build->order[count++] = (uint16_t)i;
            }
            if (!tactics_work_fits(build->config, 1)) {
                return refuse_work(build, i);
            }
        }
    } while (count > count_before);
    for (uint32_t i = 0; i < build->forms->count; i++) {
        if (!is_done[i]) {
            return refuse(build, find_in_cycle(build, is_done, i), "pattern_cycle",
                          "following its maps leads back to itself");
        }
    }
    return SK_OK;
}

/* ---- bits and maps of the config --------------------------------------------------------- */

/* The pattern that each character stands for, by character. */
static void
read_maps(const struct build *build, uint32_t place, uint16_t map_of[128])
{
    const struct tactics_pattern_form *form = form_at(build, place);

    for (uint32_t c = 0; c < 128; c++) {
        map_of[c] = TACTICS_NO_MAP;
    }
    for (uint32_t i = 0; i < form->map.count; i++) {
        map_of[(uint8_t)map_at(form, i)->from.at[0]] = (uint16_t)mapped_place(build, place, i);
    }
}

static enum sk_status
compile_pattern(struct build *build, uint32_t place)
{
    const struct tactics_pattern_form *form = form_at(build, place);
    struct tactics_pattern *pattern = &build->patterns[place];
    uint32_t side = form->rows.count;
    uint64_t *rows = sk_arena_take_items(build->arena, side, sizeof(*rows));
    uint16_t *maps =
        sk_arena_take_items(build->arena, form->map.count == 0 ? 0 : side * side, sizeof(*maps));
    uint16_t map_of[128];

    if (rows == NULL || maps == NULL) {
        return sk_fault_too_large(build->fault);
    }
    read_maps(build, place, map_of);
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x++) {
            uint8_t c = (uint8_t)row_at(form, y).at[x];

            rows[y] |= (uint64_t)(c != ' ') << x;
            if (form->map.count > 0) {
                maps[y * side + x] = map_of[c];
            }
            if (c != ' ' && map_of[c] != TACTICS_NO_MAP) {
                build->areas[map_of[c]].state = AREA_WANTED;
            }
        }
    }
    pattern->targets = (struct tactics_reach){ side, sk_arena_offset(build->arena, rows) };
    pattern->maps_at = form->map.count == 0 ? 0 : sk_arena_offset(build->arena, maps);
    return SK_OK;
}

/* ---- areas ------------------------------------------------------------------------------- */

static uint32_t
key_of(int32_t dx, int32_t dy)
{
    return (uint32_t)(dy + KEY_MIDDLE) << 16 | (uint32_t)(dx + KEY_MIDDLE);
}

static int32_t
key_dx(uint32_t key)
{
    return (int32_t)(key & 0xffff) - KEY_MIDDLE;
}

static int32_t
key_dy(uint32_t key)
{
    return (int32_t)(key >> 16) - KEY_MIDDLE;
}

static uint32_t
set_slot(uint32_t key)
{
    return (key * 2654435761u) >> 18 & (TACTICS_SET_SLOTS - 1);
}

/* Clears only the slots in use: most areas are small, the table is not. */
static void
set_clear(struct build *build)
{
    for (uint32_t i = 0; i < build->found_count; i++) {
        uint32_t slot = set_slot(build->found[i]);

        for (; build->slots[slot] != SET_FREE; slot = (slot + 1) & (TACTICS_SET_SLOTS - 1)) {
            build->slots[slot] = SET_FREE;
        }
    }
    build->found_count = 0;
}

/* Returns false once the set exceeds the limit of an area, or the work is used up. */
static bool
set_add(struct build *build, uint32_t key)
{
    uint32_t slot = set_slot(key);
    uint32_t steps = 1;

    for (; build->slots[slot] != SET_FREE; slot = (slot + 1) & (TACTICS_SET_SLOTS - 1)) {
        if (build->slots[slot] == key) {
            return tactics_work_fits(build->config, steps);
        }
        steps++;
    }
    if (!tactics_work_fits(build->config, steps) || build->found_count == SK_TACTICS_AREA_MAX) {
        return false;
    }
    build->slots[slot] = key;
    build->found[build->found_count++] = key;
    return true;
}

/* Adds what one target of the pattern affects. */
static bool
set_add_target(struct build *build, int32_t dx, int32_t dy, uint16_t map)
{
    const struct area *area;

    if (map == TACTICS_NO_MAP) {
        return set_add(build, key_of(dx, dy));
    }
    area = &build->areas[map];
    if (area->state == AREA_TOO_LARGE) {
        return false;
    }
    for (uint32_t i = 0; i < area->count; i++) {
        if (!set_add(build, key_of(key_dx(area->keys[i]) + dx, key_dy(area->keys[i]) + dy))) {
            return false;
        }
    }
    return true;
}

static bool
make_set(struct build *build, uint32_t place)
{
    const struct tactics_pattern *pattern = &build->patterns[place];
    const uint64_t *rows = tactics_part(build->config, pattern->targets.rows_at);
    const uint16_t *maps = tactics_part(build->config, pattern->maps_at);
    uint32_t side = pattern->targets.side;
    int32_t half = (int32_t)side / 2;

    set_clear(build);
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t x = i % side;
        uint32_t y = i / side;

        if ((rows[y] >> x & 1) != 0 &&
            !set_add_target(build, (int32_t)x - half, (int32_t)y - half,
                            pattern->maps_at == 0 ? TACTICS_NO_MAP : maps[i])) {
            return false;
        }
    }
    return true;
}

/* Shell sort: at most 4096 numbers, once per match, and no library that might allocate. */
static void
sort_keys(uint32_t *keys, uint32_t count)
{
    for (uint32_t gap = 1750; gap > 0; gap = gap == 2 ? 1 : gap * 4 / 9) {
        for (uint32_t i = gap; i < count; i++) {
            uint32_t key = keys[i];
            uint32_t j = i;

            for (; j >= gap && keys[j - gap] > key; j -= gap) {
                keys[j] = keys[j - gap];
            }
            keys[j] = key;
        }
    }
}

/* Copies the part of an area that can meet the board into the config. */
static enum sk_status
store_area(struct build *build, uint32_t place)
{
    const struct area *area = &build->areas[place];
    struct tactics_config *config = build->config;
    struct tactics_offset *offsets =
        sk_arena_take_items(build->arena, area->count, sizeof(*offsets));
    uint32_t count = 0;

    if (offsets == NULL) {
        return sk_fault_too_large(build->fault);
    }
    for (uint32_t i = 0; i < area->count; i++) {
        int32_t dx = key_dx(area->keys[i]);
        int32_t dy = key_dy(area->keys[i]);

        if (dx > -config->cols && dx < config->cols && dy > -config->rows && dy < config->rows) {
            offsets[count++] = (struct tactics_offset){ (int8_t)dx, (int8_t)dy };
        }
    }
    build->patterns[place].area_at = sk_arena_offset(build->arena, offsets);
    build->patterns[place].area_count = count;
    if (count > config->area_max) {
        config->area_max = count;
    }
    return SK_OK;
}

static enum sk_status
make_area(struct build *build, uint32_t place)
{
    struct area *area = &build->areas[place];

    if (area->state == AREA_UNWANTED) {
        return SK_OK;
    }
    if (!make_set(build, place)) {
        area->state = AREA_TOO_LARGE;
        return tactics_work_fits(build->config, 0) ? SK_OK : refuse_work(build, place);
    }
    if (!tactics_work_fits(build->config, SORT_STEPS * build->found_count)) {
        return refuse_work(build, place);
    }
    area->count = build->found_count;
    area->keys = sk_arena_take_items(build->scratch, area->count, sizeof(*area->keys));
    if (area->keys == NULL) {
        return sk_fault_too_large(build->fault);
    }
    memcpy(area->keys, build->found, area->count * sizeof(*area->keys));
    sort_keys(area->keys, area->count);
    return store_area(build, place);
}

/* The fault names the pattern whose target affects too much. */
static enum sk_status
check_targets(struct build *build, uint32_t place)
{
    struct tactics_pattern *pattern = &build->patterns[place];
    const uint64_t *rows = tactics_part(build->config, pattern->targets.rows_at);
    const uint16_t *maps = tactics_part(build->config, pattern->maps_at);

    for (uint32_t i = 0; pattern->maps_at != 0 && i < pattern->targets.side * pattern->targets.side;
         i++) {
        bool is_target = (rows[i / pattern->targets.side] >> (i % pattern->targets.side) & 1) != 0;

        if (!is_target || maps[i] == TACTICS_NO_MAP) {
            continue;
        }
        if (build->patterns[maps[i]].area_count > pattern->largest) {
            pattern->largest = build->patterns[maps[i]].area_count;
        }
        if (build->areas[maps[i]].state == AREA_TOO_LARGE) {
            return refuse(build, place, "pattern_area_too_large",
                          "one of its targets affects more than " SK_LIMIT_TEXT(
                              SK_TACTICS_AREA_MAX) " cells");
        }
    }
    return SK_OK;
}

uint32_t
tactics_model_cells(const struct tactics_config *config, const struct tactics_model *model)
{
    const uint16_t *list = tactics_part(config, model->attack_at);
    uint32_t board = (uint32_t)config->rows * config->cols;
    uint32_t most = 1;

    for (uint32_t i = 0; i < model->attack_count; i++) {
        uint32_t cells = tactics_pattern_at(config, list[i])->largest;

        most = cells > most ? cells : most;
    }
    return most < board ? most : board;
}

/* ---- entry point ------------------------------------------------------------------------- */

static enum sk_status
take_memory(struct build *build)
{
    uint32_t count = build->forms->count;

    build->patterns = sk_arena_take_items(build->arena, count, sizeof(*build->patterns));
    build->areas = sk_arena_take_items(build->scratch, count, sizeof(*build->areas));
    build->order = sk_arena_take_items(build->scratch, count, sizeof(*build->order));
    build->slots = sk_arena_take_items(build->scratch, TACTICS_SET_SLOTS, sizeof(*build->slots));
    build->found = sk_arena_take_items(build->scratch, SK_TACTICS_AREA_MAX, sizeof(*build->found));
    if (build->patterns == NULL || build->areas == NULL || build->order == NULL ||
        build->slots == NULL || build->found == NULL) {
        return sk_fault_too_large(build->fault);
    }
    build->config->pattern_count = (uint16_t)count;
    build->config->patterns_at = sk_arena_offset(build->arena, build->patterns);
    build->config->area_max = 1; /* an unmapped target affects itself */
    return SK_OK;
}

static enum sk_status
for_each(struct build *build, enum sk_status (*step)(struct build *build, uint32_t place))
{
    enum sk_status status = SK_OK;

    for (uint32_t i = 0; i < build->forms->count && status == SK_OK; i++) {
        status = step(build, i);
    }
    return status;
}

enum sk_status
tactics_patterns_build(const struct sk_list *forms, struct tactics_config *config,
                       struct sk_arena *arena, struct sk_arena *scratch, struct sk_fault *ret_fault)
{
    struct build build = {
        .forms = forms, .config = config, .arena = arena, .scratch = scratch, .fault = ret_fault
    };
    enum sk_status status = take_memory(&build);

    if (status == SK_OK) {
        status = for_each(&build, check_shape);
    }
    if (status == SK_OK) {
        status = for_each(&build, check_maps);
    }
    if (status == SK_OK) {
        status = make_order(&build);
    }
    if (status == SK_OK) {
        status = for_each(&build, compile_pattern);
    }
    for (uint32_t i = 0; i < forms->count && status == SK_OK; i++) {
        status = make_area(&build, build.order[i]);
    }
    if (status == SK_OK) {
        status = for_each(&build, check_targets);
    }
    return status;
}
