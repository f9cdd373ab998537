/*
 * Builds a config from params: the heroes, and the starts of each level.
 * Levels themselves are built in level.c.
 */
#include <string.h>

#include "common/rules/snarl/internal.h"

struct build {
    const struct snarl_params *params;
    const struct sk_list *forms; /* the levels of params, or the default ones */
    struct snarl_config *config;
    struct sk_arena *arena;
    struct sk_fault *fault;
    uint32_t work; /* see snarl_level_build */
};

/* A level while its starts are determined. */
struct placing {
    struct build *build;
    const struct snarl_level_form *form;
    struct snarl_level *level;
    uint32_t number; /* from 1 */
};

static struct snarl_adversary_config *
adversaries_of(const struct placing *placing)
{
    return (struct snarl_adversary_config *)(void *)(placing->build->arena->base +
                                                     placing->level->adversaries_at);
}

/* Finishes a fault at an item of one of the lists of starts. */
static enum sk_status
inside_starts(struct placing *placing, const char *list, uint32_t index)
{
    sk_fault_inside_item(placing->build->fault, list, index);
    return sk_fault_inside(placing->build->fault, SK_TEXT("starts"));
}

/* ---- objects ----------------------------------------------------------------------------- */

static enum sk_status
check_object(struct placing *placing, const struct snarl_object_form *form, uint32_t *counts)
{
    struct build *build = placing->build;
    bool is_key = form->type == SNARL_KEY;

    if (++counts[form->type] > 1) {
        return sk_fault_set(build->fault, is_key ? "several_keys" : "several_exits",
                            is_key ? "a level has at most one key" : "a level has one exit");
    }
    if (!snarl_is_traversable(
            snarl_tile(build->config, placing->level, snarl_cell(form->position)))) {
        return sk_fault_set_at(
            build->fault, is_key ? "key_not_traversable" : "exit_not_traversable",
            is_key ? "the key lies where nobody can walk" : "the exit lies where nobody can walk",
            "position");
    }
    return SK_OK;
}

/* At most one key and one exit, both reachable on foot. */
static enum sk_status
check_objects(struct placing *placing)
{
    const struct snarl_object_form *forms = placing->form->objects.at;
    uint32_t counts[] = { [SNARL_KEY] = 0, [SNARL_EXIT] = 0 };

    for (uint32_t i = 0; i < placing->form->objects.count; i++) {
        if (check_object(placing, &forms[i], counts) != SK_OK) {
            return sk_fault_inside_item(placing->build->fault, "objects", i);
        }
    }
    if (counts[SNARL_EXIT] == 0) {
        return sk_fault_set_at(placing->build->fault, "exit_missing", "a level needs an exit",
                               "objects");
    }
    return SK_OK;
}

/* ---- starts of heroes -------------------------------------------------------------------- */

static bool
is_hero_start(const struct placing *placing, uint32_t count, struct sk_cell cell)
{
    for (uint32_t i = 0; i < count; i++) {
        if (sk_cell_same(placing->level->start[i], cell)) {
            return true;
        }
    }
    return false;
}

static enum sk_status
check_start(struct placing *placing, struct sk_cell cell, bool is_taken)
{
    struct build *build = placing->build;

    if (!snarl_is_traversable(snarl_tile(build->config, placing->level, cell))) {
        return sk_fault_set(build->fault, "start_not_traversable",
                            "that start lies where nobody can walk");
    }
    if (is_taken) {
        return sk_fault_set(build->fault, "start_taken", "another unit starts on this tile");
    }
    return SK_OK;
}

static enum sk_status
take_hero_starts(struct placing *placing)
{
    const struct sk_list *list = &placing->form->starts.heroes;
    const struct snarl_point *points = list->at;
    uint32_t hero_count = placing->build->config->hero_count;

    if (list->count < hero_count) {
        sk_fault_set_at(placing->build->fault, "starts_too_few",
                        "there are fewer starts than heroes", "heroes");
        return sk_fault_inside(placing->build->fault, SK_TEXT("starts"));
    }
    for (uint32_t i = 0; i < hero_count; i++) {
        struct sk_cell cell = snarl_cell(points[i]);

        if (check_start(placing, cell, is_hero_start(placing, i, cell)) != SK_OK) {
            return inside_starts(placing, "heroes", i);
        }
        placing->level->start[i] = cell;
    }
    return SK_OK;
}

static bool
is_free_floor(const struct placing *placing, struct sk_cell cell)
{
    const struct snarl_level *level = placing->level;

    return snarl_tile(placing->build->config, level, cell) == SNARL_FLOOR &&
           !(level->has_key && sk_cell_same(level->key, cell)) &&
           !(level->has_exit && sk_cell_same(level->exit, cell));
}

/* The first free floor tiles of the first room, in reading order. */
static enum sk_status
choose_hero_starts(struct placing *placing)
{
    const struct snarl_config *config = placing->build->config;
    const struct snarl_room *room = snarl_part(config, placing->level->rooms_at);
    uint32_t count = 0;

    for (int32_t y = 0; y < room->rows; y++) {
        for (int32_t x = 0; x < room->cols && count < config->hero_count; x++) {
            struct sk_cell cell = sk_cell(room->origin.x + x, room->origin.y + y);

            if (is_free_floor(placing, cell)) {
                placing->level->start[count++] = cell;
            }
        }
    }
    if (count < config->hero_count) {
        sk_fault_set(placing->build->fault, "no_room_for_heroes",
                     "without starts the heroes begin in the first room, which is too small");
        return sk_fault_inside_item(placing->build->fault, "rooms", 0);
    }
    return SK_OK;
}

/* ---- starts of adversaries --------------------------------------------------------------- */

/* "zombie-1": the kind and the number among its kind. */
static struct sk_id
adversary_id(uint8_t kind, uint32_t number)
{
    struct sk_id id = { { 0 } };
    size_t used = strlen(snarl_kind_words[kind]);

    memcpy(id.at, snarl_kind_words[kind], used);
    id.at[used++] = '-';
    if (number >= 10) {
        id.at[used++] = (char)('0' + number / 10);
    }
    id.at[used] = (char)('0' + number % 10);
    return id;
}

static enum sk_status
take_adversary_memory(struct placing *placing, uint32_t count)
{
    void *adversaries =
        sk_arena_take_items(placing->build->arena, count, sizeof(struct snarl_adversary_config));

    if (adversaries == NULL) {
        return sk_fault_too_large(placing->build->fault);
    }
    placing->level->adversaries_at = sk_arena_offset(placing->build->arena, adversaries);
    placing->level->adversary_count = (uint16_t)count;
    return SK_OK;
}

static bool
is_adversary_start(const struct placing *placing, uint32_t count, struct sk_cell cell)
{
    const struct snarl_adversary_config *adversaries = adversaries_of(placing);

    for (uint32_t i = 0; i < count; i++) {
        if (sk_cell_same(adversaries[i].at, cell)) {
            return true;
        }
    }
    return false;
}

static enum sk_status
take_adversary_starts(struct placing *placing)
{
    const struct sk_list *list = &placing->form->starts.adversaries;
    const struct snarl_start_form *forms = list->at;
    uint32_t numbers[SNARL_KIND_COUNT] = { 0 };
    enum sk_status status = take_adversary_memory(placing, list->count);

    for (uint32_t i = 0; i < list->count && status == SK_OK; i++) {
        struct sk_cell cell = snarl_cell(forms[i].at);
        uint8_t kind = forms[i].kind;

        status = check_start(placing, cell,
                             is_hero_start(placing, placing->build->config->hero_count, cell) ||
                                 is_adversary_start(placing, i, cell));
        if (status != SK_OK) {
            sk_fault_inside(placing->build->fault, SK_TEXT("at"));
            inside_starts(placing, "adversaries", i);
        } else {
            adversaries_of(placing)[i] =
                (struct snarl_adversary_config){ adversary_id(kind, ++numbers[kind]), cell, kind };
        }
    }
    return status;
}

/* Free floor tiles of all rooms after the heroes are placed. */
static uint32_t
count_free_floor(const struct placing *placing)
{
    const struct snarl_config *config = placing->build->config;
    const struct snarl_room *room = snarl_part(config, placing->level->rooms_at);
    uint32_t count = 0;

    for (uint32_t i = 0; i < placing->level->room_count; i++, room++) {
        for (int32_t y = 0; y < room->rows; y++) {
            for (int32_t x = 0; x < room->cols; x++) {
                struct sk_cell cell = sk_cell(room->origin.x + x, room->origin.y + y);

                count += is_free_floor(placing, cell) &&
                         !is_hero_start(placing, config->hero_count, cell);
            }
        }
    }
    return count;
}

/* As many of each kind as the level's number requires; their starts are random. */
static enum sk_status
choose_adversaries(struct placing *placing)
{
    uint32_t zombies = placing->number / 2 + 1;
    uint32_t ghosts = (placing->number - 1) / 2;
    enum sk_status status = take_adversary_memory(placing, zombies + ghosts);

    if (status != SK_OK) {
        return status;
    }
    if (count_free_floor(placing) < zombies + ghosts) {
        return sk_fault_set(placing->build->fault, "no_room_for_adversaries",
                            "there are fewer free floor tiles than adversaries");
    }
    placing->level->places_at_random = true;
    for (uint32_t i = 0; i < zombies + ghosts; i++) {
        uint8_t kind = i < zombies ? SNARL_ZOMBIE : SNARL_GHOST;

        adversaries_of(placing)[i].id =
            adversary_id(kind, kind == SNARL_ZOMBIE ? i + 1 : i - zombies + 1);
        adversaries_of(placing)[i].kind = kind;
    }
    return SK_OK;
}

/* ---- levels ------------------------------------------------------------------------------ */

static enum sk_status
check_ids(struct placing *placing)
{
    const struct snarl_config *config = placing->build->config;

    for (uint32_t i = 0; i < placing->level->adversary_count; i++) {
        for (uint32_t hero = 0; hero < config->hero_count; hero++) {
            if (sk_id_same(&adversaries_of(placing)[i].id, &config->hero[hero])) {
                sk_fault_set(placing->build->fault, "duplicate_id",
                             "an adversary of this level has the id of a hero: ");
                sk_fault_say_text(placing->build->fault, sk_id_text(&config->hero[hero]));
                return SK_ERR_REFUSED;
            }
        }
    }
    return SK_OK;
}

static enum sk_status
place_everybody(struct placing *placing)
{
    const struct snarl_level_form *form = placing->form;
    enum sk_status status =
        form->has_starts ? take_hero_starts(placing) : choose_hero_starts(placing);

    if (status == SK_OK) {
        status = form->has_starts && form->starts.has_adversaries ? take_adversary_starts(placing)
                                                                  : choose_adversaries(placing);
    }
    return status == SK_OK ? check_ids(placing) : status;
}

static enum sk_status
build_level(struct build *build, uint32_t index)
{
    struct snarl_config *config = build->config;
    struct snarl_level *level =
        (struct snarl_level *)(void *)(build->arena->base + config->levels_at) + index;
    struct placing placing = {
        .build = build,
        .form = (const struct snarl_level_form *)build->forms->at + index,
        .level = level,
        .number = index + 1,
    };
    enum sk_status status =
        snarl_level_build(placing.form, build->arena, level, &build->work, build->fault);
    uint32_t tiles = (uint32_t)(level->rows * level->cols);

    if (status == SK_OK) {
        status = check_objects(&placing);
    }
    if (status == SK_OK) {
        status = place_everybody(&placing);
    }
    config->tiles_max = tiles > config->tiles_max ? tiles : config->tiles_max;
    if (level->adversary_count > config->adversary_max) {
        config->adversary_max = level->adversary_count;
    }
    return status;
}

static enum sk_status
build_levels(struct build *build)
{
    uint32_t count = build->forms->count;
    void *levels = sk_arena_take_items(build->arena, count, sizeof(struct snarl_level));

    if (levels == NULL) {
        return sk_fault_too_large(build->fault);
    }
    build->config->levels_at = sk_arena_offset(build->arena, levels);
    build->config->level_count = (uint16_t)count;
    for (uint32_t i = 0; i < count; i++) {
        if (build_level(build, i) != SK_OK) {
            return sk_fault_inside_item(build->fault, "levels", i);
        }
    }
    return SK_OK;
}

/* ---- heroes ------------------------------------------------------------------------------ */

static enum sk_status
build_heroes(struct build *build)
{
    const struct sk_text *ids = build->params->heroes.at;
    struct snarl_config *config = build->config;

    config->hero_count = (uint8_t)build->params->heroes.count;
    for (uint32_t i = 0; i < config->hero_count; i++) {
        config->hero[i] = sk_id_from(ids[i]);
        for (uint32_t j = 0; j < i; j++) {
            if (sk_id_same(&config->hero[i], &config->hero[j])) {
                sk_fault_set(build->fault, "duplicate_id", "another hero has the same id");
                return sk_fault_inside_item(build->fault, "heroes", i);
            }
        }
    }
    return SK_OK;
}

enum sk_status
snarl_config_build(const void *params, struct sk_arena *ret_config, struct sk_arena *scratch,
                   struct sk_fault *ret_fault)
{
    struct build build = {
        .params = params,
        .arena = ret_config,
        .fault = ret_fault,
        .config = sk_arena_take(ret_config, sizeof(struct snarl_config)),
    };
    enum sk_status status;

    (void)scratch;
    if (build.config == NULL) {
        return sk_fault_too_large(ret_fault);
    }
    build.forms = build.params->has_levels ? &build.params->levels : &snarl_default_params.levels;
    build.config->mode = build.params->mode;
    build.config->level_end = build.params->level_end;
    build.config->adversaries = build.params->adversaries;
    build.config->round_limit = build.params->round_limit;
    for (uint32_t i = 0; i < SNARL_KIND_COUNT; i++) {
        int32_t steps = build.params->has_steps ? build.params->steps.of[i] : 0;

        build.config->steps[i] = steps > 0 ? steps : snarl_kinds[i].steps;
    }
    status = build_heroes(&build);
    return status == SK_OK ? build_levels(&build) : status;
}
