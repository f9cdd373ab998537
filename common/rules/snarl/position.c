/*
 * Positions: conversion from and to forms, and from and to bytes.
 *
 * Input must be a possible position; each fault has its own message and
 * position.
 */
#include <string.h>

#include "common/rules/snarl/internal.h"

/* ---- from a form ------------------------------------------------------------------------- */

static bool
can_stand_on(const struct snarl_config *config, const struct snarl_position *position,
             struct sk_cell cell)
{
    return snarl_is_traversable(snarl_tile(config, snarl_level_at(config, position->level), cell));
}

/* `known` has a bit per hero read so far. */
static enum sk_status
read_hero(const struct snarl_config *config, const struct snarl_hero_form *form,
          struct snarl_position *position, uint32_t *known, struct sk_fault *fault)
{
    uint8_t hero = snarl_unit_find(config, position->level, form->id);

    if (hero == SNARL_NO_UNIT || !snarl_is_hero(hero)) {
        return sk_fault_state(fault, "params have no hero with this id", "id");
    }
    if ((*known >> hero & 1) != 0) {
        return sk_fault_state(fault, "this hero is listed twice", "id");
    }
    if (form->seat != (config->mode == SNARL_COOP ? hero : 0)) {
        return sk_fault_state(fault, "this hero belongs to another seat", "seat");
    }
    if (form->has_at != (form->status == SNARL_ACTIVE)) {
        return sk_fault_state(fault, "an active hero needs a tile; for all others it is null",
                              "at");
    }
    if (form->has_at && !can_stand_on(config, position, form->at)) {
        return sk_fault_state(fault, "no unit can be on this tile", "at");
    }
    if (form->has_at && snarl_hero_on(config, position, form->at) != SNARL_NO_UNIT) {
        return sk_fault_state(fault, "another hero is on this tile", "at");
    }
    *known |= 1u << hero;
    position->hero[hero] =
        (struct snarl_hero){ form->at, form->keys, form->exits, form->expulsions, form->status };
    return SK_OK;
}

static enum sk_status
read_heroes(const struct snarl_config *config, const struct sk_list *list,
            struct snarl_position *position, struct sk_fault *fault)
{
    const struct snarl_hero_form *forms = list->at;
    uint32_t known = 0;

    for (uint32_t i = 0; i < config->hero_count; i++) {
        position->hero[i].status = SNARL_RESIGNED; /* off the board until it is read */
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (read_hero(config, &forms[i], position, &known, fault) != SK_OK) {
            return sk_fault_inside_item(fault, "heroes", i);
        }
    }
    for (uint8_t i = 0; i < config->hero_count; i++) {
        if ((known >> i & 1) == 0) {
            sk_fault_state(fault, "a hero is missing: ", "heroes");
            sk_fault_say_text(fault, sk_id_text(&config->hero[i]));
            return SK_ERR_REFUSED;
        }
    }
    return SK_OK;
}

static enum sk_status
read_adversary(const struct snarl_config *config, const struct snarl_adversary_form *form,
               struct snarl_position *position, struct sk_fault *fault)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);
    uint8_t unit = snarl_unit_find(config, position->level, form->id);
    uint32_t place = unit - SNARL_FIRST_ADVERSARY;

    if (unit == SNARL_NO_UNIT || snarl_is_hero(unit)) {
        return sk_fault_state(fault, "this level has no adversary with this id", "id");
    }
    if (position->adversary[place].is_here) {
        return sk_fault_state(fault, "this adversary is listed twice", "id");
    }
    if (form->kind != snarl_adversaries_of(config, level)[place].kind) {
        return sk_fault_state(fault, "this adversary is of another kind", "kind");
    }
    if (!can_stand_on(config, position, form->at)) {
        return sk_fault_state(fault, "no unit can be on this tile", "at");
    }
    if (snarl_adversary_on(config, position, form->at) != SNARL_NO_UNIT) {
        return sk_fault_state(fault, "another adversary is on this tile", "at");
    }
    position->adversary[place] = (struct snarl_adversary){ form->at, true };
    return SK_OK;
}

static enum sk_status
read_adversaries(const struct snarl_config *config, const struct sk_list *list,
                 struct snarl_position *position, struct sk_fault *fault)
{
    const struct snarl_adversary_form *forms = list->at;

    for (uint32_t i = 0; i < list->count; i++) {
        if (read_adversary(config, &forms[i], position, fault) != SK_OK) {
            return sk_fault_inside_item(fault, "adversaries", i);
        }
    }
    return SK_OK;
}

static enum sk_status
read_objects(const struct snarl_config *config, const struct snarl_position_form *form,
             struct snarl_position *position, struct sk_fault *fault)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);

    if (form->has_key && !(level->has_key && sk_cell_same(form->key, level->key))) {
        return sk_fault_state(fault, "the level has no key there", "key");
    }
    if (!sk_cell_same(form->exit, level->exit)) {
        return sk_fault_state(fault, "the level's exit is elsewhere", "exit");
    }
    if (form->exit_unlocked && form->has_key) {
        return sk_fault_state(fault, "the exit is unlocked although the key is not taken",
                              "exit_unlocked");
    }
    if (!form->exit_unlocked && !form->has_key) {
        return sk_fault_state(fault, "the exit is locked and there is no key", "exit_unlocked");
    }
    position->has_key = form->has_key;
    position->exit_unlocked = form->exit_unlocked;
    return SK_OK;
}

static enum sk_status
refuse_active(struct sk_fault *fault, const char *message)
{
    sk_fault_state(fault, message, "unit");
    return sk_fault_inside(fault, SK_TEXT("active"));
}

/* In a finished match nobody is to move, so the unit that moved last may be gone. */
static enum sk_status
read_active(const struct snarl_config *config, const struct snarl_position_form *form,
            bool may_be_between, struct snarl_position *position, struct sk_fault *fault)
{
    struct sk_outcome outcome = { .is_over = form->head.has_outcome };
    bool is_moved_by_hand = config->mode == SNARL_VERSUS && config->adversaries == SNARL_AUTO;

    snarl_outcome(config, position, &outcome);
    position->active = snarl_unit_find(config, position->level, form->active.unit);
    if (position->active == SNARL_NO_UNIT) {
        return refuse_active(fault, "there is no unit of that id");
    }
    if (outcome.is_over || (may_be_between && snarl_level_is_over(config, position))) {
        return SK_OK;
    }
    if (!snarl_is_here(config, position, position->active)) {
        return refuse_active(fault, "that unit is not on the board");
    }
    if (!snarl_is_hero(position->active) && !is_moved_by_hand) {
        return refuse_active(fault, "no seat moves adversaries in this match");
    }
    return SK_OK;
}

enum sk_status
snarl_position_read(const struct snarl_config *config, const struct snarl_position_form *form,
                    bool may_be_between, struct snarl_position *position,
                    struct sk_fault *ret_fault)
{
    enum sk_status status;

    if (form->level > config->level_count) {
        return sk_fault_state(ret_fault, "the match has fewer levels", "level");
    }
    position->level = form->level - 1;
    position->round = form->round;
    status = read_heroes(config, &form->heroes, position, ret_fault);
    if (status == SK_OK) {
        status = read_adversaries(config, &form->adversaries, position, ret_fault);
    }
    if (status == SK_OK) {
        status = read_objects(config, form, position, ret_fault);
    }
    return status == SK_OK ? read_active(config, form, may_be_between, position, ret_fault)
                           : status;
}

enum sk_status
snarl_state_read(const void *config, const void *form, struct sk_state *ret_state,
                 struct sk_fault *ret_fault)
{
    return snarl_position_read(config, form, false, snarl_position(ret_state), ret_fault);
}

/* ---- to a form --------------------------------------------------------------------------- */

static uint32_t
form_heroes(const struct snarl_config *config, const struct snarl_view *view,
            struct snarl_hero_form *ret_forms)
{
    uint32_t count = 0;

    for (uint8_t i = 0; i < config->hero_count; i++) {
        const struct snarl_hero *hero = &view->hero[i].hero;

        if (view->hero[i].is_shown) {
            ret_forms[count++] = (struct snarl_hero_form){
                .id = sk_id_text(&config->hero[i]),
                .seat = config->mode == SNARL_COOP ? i : 0,
                .has_at = hero->status == SNARL_ACTIVE,
                .has_counts = view->hero[i].is_own,
                .at = hero->at,
                .status = hero->status,
                .keys = hero->keys,
                .exits = hero->exits,
                .expulsions = hero->expulsions,
            };
        }
    }
    return count;
}

static uint32_t
form_adversaries(const struct snarl_config *config, const struct snarl_view *view,
                 struct snarl_adversary_form *ret_forms)
{
    const struct snarl_level *level = snarl_level_at(config, view->level);
    const struct snarl_adversary_config *adversaries = snarl_adversaries_of(config, level);
    uint32_t count = 0;

    for (uint32_t i = 0; i < level->adversary_count; i++) {
        if (view->adversary[i].is_here) {
            ret_forms[count++] = (struct snarl_adversary_form){
                .id = sk_id_text(&adversaries[i].id),
                .kind = adversaries[i].kind,
                .at = view->adversary[i].at,
            };
        }
    }
    return count;
}

/* The smallest rectangle around everything seen; false = nothing is. */
static bool
measure_sight(const struct snarl_config *config, const struct snarl_view *view,
              struct sk_cell *ret_first, struct sk_cell *ret_last)
{
    const struct snarl_level *level = snarl_level_at(config, view->level);
    bool has_any = view->is_whole;

    *ret_first = sk_cell(0, 0);
    *ret_last = sk_cell(level->cols - 1, level->rows - 1);
    for (uint32_t i = 0; i < config->hero_count; i++) {
        struct sk_cell at = view->hero[i].hero.at;
        struct sk_cell first = sk_cell(at.x - SNARL_SIGHT, at.y - SNARL_SIGHT);
        struct sk_cell last = sk_cell(at.x + SNARL_SIGHT, at.y + SNARL_SIGHT);

        if (!view->hero[i].has_sight) {
            continue;
        }
        ret_first->x = has_any && ret_first->x < first.x ? ret_first->x : first.x;
        ret_first->y = has_any && ret_first->y < first.y ? ret_first->y : first.y;
        ret_last->x = has_any && ret_last->x > last.x ? ret_last->x : last.x;
        ret_last->y = has_any && ret_last->y > last.y ? ret_last->y : last.y;
        has_any = true;
    }
    return has_any;
}

static enum sk_status
form_tiles(const struct snarl_config *config, const struct snarl_view *view, struct sk_arena *arena,
           struct snarl_position_form *form)
{
    struct sk_cell first;
    struct sk_cell last;
    struct sk_text *rows;
    uint32_t cols;
    uint32_t count;
    char *tile;

    form->has_tiles = measure_sight(config, view, &first, &last);
    if (!form->has_tiles) {
        return SK_OK;
    }
    cols = (uint32_t)(last.x - first.x + 1);
    count = (uint32_t)(last.y - first.y + 1);
    rows = sk_arena_take_items(arena, count, sizeof(*rows));
    tile = sk_arena_take_items(arena, count, cols);
    if (rows == NULL || tile == NULL) {
        return SK_ERR_TOO_LONG;
    }
    form->tiles = (struct snarl_tiles_form){ first, { rows, count } };
    for (int32_t y = first.y; y <= last.y; y++) {
        rows[y - first.y] = (struct sk_text){ tile, cols };
        for (int32_t x = first.x; x <= last.x; x++) {
            *tile++ = snarl_view_tile(config, view, sk_cell(x, y));
        }
    }
    return SK_OK;
}

static enum sk_status
form_actors(const struct snarl_config *config, const struct snarl_view *view,
            struct sk_arena *arena, struct snarl_position_form *form)
{
    uint32_t adversary_count = snarl_level_at(config, view->level)->adversary_count;
    struct snarl_hero_form *heroes =
        sk_arena_take_items(arena, config->hero_count, sizeof(*heroes));
    struct snarl_adversary_form *adversaries =
        sk_arena_take_items(arena, adversary_count, sizeof(*adversaries));

    if (heroes == NULL || adversaries == NULL) {
        return SK_ERR_TOO_LONG;
    }
    form->active.unit = snarl_unit_id(config, view->level, view->active);
    form->heroes = (struct sk_list){ heroes, form_heroes(config, view, heroes) };
    form->adversaries =
        (struct sk_list){ adversaries, form_adversaries(config, view, adversaries) };
    return SK_OK;
}

static void
form_facts(const struct snarl_view *view, struct snarl_position_form *form)
{
    form->level = view->level + 1;
    form->has_round = view->is_whole;
    form->round = view->round;
    form->exit_unlocked = view->exit_unlocked;
    form->has_key = view->sees_key;
    form->key = view->key;
    form->has_exit = view->sees_exit;
    form->exit = view->exit;
}

enum sk_status
snarl_view_form(const void *config, const void *view, struct sk_arena *arena, void *ret_form)
{
    enum sk_status status = form_actors(config, view, arena, ret_form);

    form_facts(view, ret_form);
    return status == SK_OK ? form_tiles(config, view, arena, ret_form) : status;
}

/* A state's form is a view of everything, without the tiles. */
enum sk_status
snarl_state_form(const void *config, const struct sk_state *state, struct sk_arena *arena,
                 void *ret_form)
{
    const struct snarl_config *snarl = config;
    struct snarl_view *view =
        sk_arena_take(arena, sizeof(*view) + snarl->adversary_max * sizeof(view->adversary[0]));

    if (view == NULL) {
        return SK_ERR_TOO_LONG;
    }
    snarl_view_whole(snarl, snarl_position_of(state), view);
    form_facts(view, ret_form);
    return form_actors(snarl, view, arena, ret_form);
}

/* ---- snapshots --------------------------------------------------------------------------- */

static void
put_cell(struct sk_bytes_out *out, struct sk_cell cell)
{
    sk_put_u8(out, (uint8_t)cell.x);
    sk_put_u8(out, (uint8_t)cell.y);
}

static struct sk_cell
take_cell(struct sk_bytes_in *in)
{
    uint8_t x = sk_take_u8(in);

    return sk_cell(x, sk_take_u8(in));
}

void
snarl_snapshot_write(const void *config, const struct sk_state *state, struct sk_bytes_out *out)
{
    const struct snarl_config *snarl = config;
    const struct snarl_position *position = snarl_position_of(state);
    uint32_t adversaries = snarl_level_at(snarl, position->level)->adversary_count;

    sk_put_u8(out, (uint8_t)position->level);
    sk_put_u32(out, (uint32_t)position->round);
    sk_put_u8(out, position->exit_unlocked);
    sk_put_u8(out, position->active);
    for (uint32_t i = 0; i < snarl->hero_count; i++) {
        sk_put_u8(out, position->hero[i].status);
        put_cell(out, position->hero[i].at);
        sk_put_u32(out, (uint32_t)position->hero[i].keys);
        sk_put_u32(out, (uint32_t)position->hero[i].exits);
        sk_put_u32(out, (uint32_t)position->hero[i].expulsions);
    }
    for (uint32_t i = 0; i < adversaries; i++) {
        sk_put_u8(out, position->adversary[i].is_here);
        put_cell(out, position->adversary[i].at);
    }
}

/* A unit on the board is on a tile that it may be on, alone of its side; others are at 0,0. */
static bool
is_sound_place(const struct snarl_config *config, const struct snarl_position *position,
               bool is_here, struct sk_cell at, uint8_t other)
{
    return is_here ? can_stand_on(config, position, at) && other == SNARL_NO_UNIT
                   : sk_cell_same(at, sk_cell(0, 0));
}

static bool
take_hero(const struct snarl_config *config, struct sk_bytes_in *in, uint8_t hero,
          struct snarl_position *position)
{
    struct snarl_hero it = { .status = sk_take_u8(in) };

    it.at = take_cell(in);
    it.keys = (int32_t)sk_take_u32(in);
    it.exits = (int32_t)sk_take_u32(in);
    it.expulsions = (int32_t)sk_take_u32(in);
    if (it.status > SNARL_RESIGNED || it.keys < 0 || it.exits < 0 || it.expulsions < 0 ||
        !is_sound_place(config, position, it.status == SNARL_ACTIVE, it.at,
                        snarl_hero_on(config, position, it.at))) {
        return false;
    }
    position->hero[hero] = it;
    return true;
}

static bool
take_adversary(const struct snarl_config *config, struct sk_bytes_in *in, uint32_t place,
               struct snarl_position *position)
{
    uint8_t is_here = sk_take_u8(in);
    struct sk_cell at = take_cell(in);

    if (is_here > 1 || !is_sound_place(config, position, is_here == 1, at,
                                       snarl_adversary_on(config, position, at))) {
        return false;
    }
    position->adversary[place] = (struct snarl_adversary){ at, is_here == 1 };
    return true;
}

static bool
take_head(const struct snarl_config *config, struct sk_bytes_in *in,
          struct snarl_position *position)
{
    uint8_t level = sk_take_u8(in);
    uint32_t round = sk_take_u32(in);
    uint8_t exit_unlocked = sk_take_u8(in);

    position->active = sk_take_u8(in);
    if (level >= config->level_count || round < 1 || round > SK_TURN_LIMIT_MAX ||
        exit_unlocked > 1 || (exit_unlocked == 0 && !snarl_level_at(config, level)->has_key)) {
        return false;
    }
    position->level = level;
    position->round = (int32_t)round;
    position->exit_unlocked = exit_unlocked == 1;
    position->has_key = exit_unlocked == 0;
    return snarl_is_hero(position->active)
               ? position->active < config->hero_count
               : position->active <
                     SNARL_FIRST_ADVERSARY + snarl_level_at(config, level)->adversary_count;
}

enum sk_status
snarl_snapshot_read(const void *config, struct sk_bytes_in *in, struct sk_state *ret_state)
{
    const struct snarl_config *snarl = config;
    struct snarl_position *position = snarl_position(ret_state);
    bool is_sound = take_head(snarl, in, position);

    for (uint32_t i = 0; i < snarl->hero_count; i++) {
        position->hero[i].status = SNARL_RESIGNED; /* off the board until it is read */
    }
    for (uint8_t i = 0; i < snarl->hero_count && is_sound; i++) {
        is_sound = take_hero(snarl, in, i, position);
    }
    for (uint32_t i = 0; is_sound && i < snarl_level_at(snarl, position->level)->adversary_count;
         i++) {
        is_sound = take_adversary(snarl, in, i, position);
    }
    return is_sound ? SK_OK : SK_ERR_CORRUPT;
}
