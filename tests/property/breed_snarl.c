/* snarl: its random params and its own properties. Levels are small and crowded. */
#include <string.h>

#include "common/rules/snarl/internal.h"
#include "tests/property/trial.h"

/* ---- levels ------------------------------------------------------------------------------ */

/* Every draw is a separate statement: in C the order of initialisers and arguments is unspecified,
 * and a seed must give the same params with every compiler. */

#define ROOMS_MAX       2
#define ROOM_SIDE_MIN   4
#define ROOM_SIDE_MAX   8
#define SECOND_COLUMN   12 /* where the second room begins; the hallway bends two columns before */
#define CELLS_MAX       (ROOMS_MAX * ROOM_SIDE_MAX * ROOM_SIDE_MAX)
#define ADVERSARIES_MAX 5

/* A level while it is generated, and the floor tiles that are still free. */
struct drawing {
    struct sk_rng *rng;
    struct sk_arena *arena;
    struct snarl_level_form *form;
    struct snarl_point floor[CELLS_MAX];
    uint32_t floor_count;
};

static void *
room_for(struct sk_arena *arena, size_t count, size_t size)
{
    void *memory = sk_arena_take_items(arena, count, size);

    if (memory == NULL) {
        table_fail("a level needs more than BREED_ARENA");
    }
    return memory;
}

static bool
one_in(struct sk_rng *rng, uint32_t bound)
{
    return sk_rng_below(rng, bound) == 0;
}

static struct snarl_point
point(int32_t row, int32_t column)
{
    return (struct snarl_point){ sk_cell(row, column) };
}

static void
note_floor(struct drawing *drawing, const struct snarl_room_form *room)
{
    const struct sk_list *rows = room->layout.at;

    for (int32_t row = 0; row < room->bounds.rows; row++) {
        const int32_t *tiles = rows[row].at;

        for (int32_t column = 0; column < room->bounds.columns; column++) {
            if (tiles[column] == SNARL_LAYOUT_FLOOR) {
                drawing->floor[drawing->floor_count++] =
                    point(room->origin.row_column.x + row, room->origin.row_column.y + column);
            }
        }
    }
}

/* Walls around, a few inside, and a door in the wall that faces the other room. */
static void
draw_room(struct drawing *drawing, int32_t column, struct snarl_room_form *room,
          struct snarl_point *ret_door)
{
    struct sk_rng *rng = drawing->rng;
    int32_t rows = ROOM_SIDE_MIN + (int32_t)sk_rng_below(rng, ROOM_SIDE_MAX - ROOM_SIDE_MIN + 1);
    int32_t columns = ROOM_SIDE_MIN + (int32_t)sk_rng_below(rng, ROOM_SIDE_MAX - ROOM_SIDE_MIN + 1);
    int32_t door_row = 1 + (int32_t)sk_rng_below(rng, (uint32_t)rows - 2);
    int32_t door_column = column == 0 ? columns - 1 : 0;
    struct sk_list *layout = room_for(drawing->arena, (size_t)rows, sizeof(*layout));

    for (int32_t row = 0; row < rows; row++) {
        int32_t *tiles = room_for(drawing->arena, (size_t)columns, sizeof(*tiles));

        layout[row] = (struct sk_list){ tiles, (uint32_t)columns };
        for (int32_t at = 0; at < columns; at++) {
            bool is_border = row == 0 || row == rows - 1 || at == 0 || at == columns - 1;
            bool is_wall = is_border || one_in(rng, 8);

            tiles[at] = is_wall ? SNARL_LAYOUT_WALL : SNARL_LAYOUT_FLOOR;
        }
    }
    ((int32_t *)layout[door_row].at)[door_column] = SNARL_LAYOUT_DOOR;
    *room = (struct snarl_room_form){
        .origin = point(0, column),
        .bounds = { rows, columns },
        .layout = { layout, (uint32_t)rows },
    };
    *ret_door = point(door_row, column + door_column);
    note_floor(drawing, room);
}

static void
draw_rooms(struct drawing *drawing)
{
    struct snarl_room_form *rooms = room_for(drawing->arena, ROOMS_MAX, sizeof(*rooms));
    struct snarl_hallway_form *hallway = room_for(drawing->arena, 1, sizeof(*hallway));
    struct snarl_point *bends = room_for(drawing->arena, 2, sizeof(*bends));
    struct snarl_point doors[ROOMS_MAX];
    uint32_t count = 1 + sk_rng_below(drawing->rng, ROOMS_MAX);

    for (uint32_t i = 0; i < count; i++) {
        draw_room(drawing, (int32_t)i * SECOND_COLUMN, &rooms[i], &doors[i]);
    }
    drawing->form->rooms = (struct sk_list){ rooms, count };
    if (count == ROOMS_MAX) {
        bends[0] = point(doors[0].row_column.x, SECOND_COLUMN - 2);
        bends[1] = point(doors[1].row_column.x, SECOND_COLUMN - 2);
        *hallway = (struct snarl_hallway_form){ .from = doors[0],
                                                .to = doors[1],
                                                .waypoints = { bends, 2 } };
        drawing->form->hallways = (struct sk_list){ hallway, 1 };
    }
}

/* Takes one of the free floor tiles. */
static struct snarl_point
take_floor(struct drawing *drawing)
{
    uint32_t place = sk_rng_below(drawing->rng, drawing->floor_count);
    struct snarl_point found = drawing->floor[place];

    drawing->floor[place] = drawing->floor[--drawing->floor_count];
    return found;
}

static void
draw_objects(struct drawing *drawing)
{
    struct snarl_object_form *objects = room_for(drawing->arena, 2, sizeof(*objects));

    objects[0] = (struct snarl_object_form){ SNARL_EXIT, take_floor(drawing) };
    objects[1] = (struct snarl_object_form){ SNARL_KEY, take_floor(drawing) };
    drawing->form->objects = (struct sk_list){ objects, one_in(drawing->rng, 4) ? 1 : 2 };
}

static void
draw_starts(struct drawing *drawing, uint32_t heroes)
{
    uint32_t count = sk_rng_below(drawing->rng, ADVERSARIES_MAX + 1);
    struct snarl_point *points = room_for(drawing->arena, heroes, sizeof(*points));
    struct snarl_start_form *starts = room_for(drawing->arena, count, sizeof(*starts));

    for (uint32_t i = 0; i < heroes; i++) {
        points[i] = take_floor(drawing);
    }
    count = count < drawing->floor_count ? count : drawing->floor_count;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t kind = (uint8_t)sk_rng_below(drawing->rng, SNARL_KIND_COUNT);

        starts[i] = (struct snarl_start_form){ kind, take_floor(drawing) };
    }
    drawing->form->has_starts = true;
    drawing->form->starts.heroes = (struct sk_list){ points, heroes };
    drawing->form->starts.has_adversaries = true;
    drawing->form->starts.adversaries = (struct sk_list){ starts, count };
}

/* Generated again until all units have a tile. */
static void
draw_level(struct sk_rng *rng, struct sk_arena *arena, uint32_t heroes,
           struct snarl_level_form *ret_form)
{
    struct drawing drawing = { .rng = rng, .arena = arena, .form = ret_form };

    do {
        memset(ret_form, 0, sizeof(*ret_form));
        drawing.floor_count = 0;
        draw_rooms(&drawing);
    } while (drawing.floor_count < heroes + 3);
    draw_objects(&drawing);
    draw_starts(&drawing, heroes);
}

static const void *
draw_params(struct sk_rng *rng, struct sk_arena *arena)
{
    static const struct sk_text names[] = { SK_TEXT_CONST("a1"), SK_TEXT_CONST("b1"),
                                            SK_TEXT_CONST("a2"), SK_TEXT_CONST("b2") };
    struct snarl_params *params = room_for(arena, 1, sizeof(*params));
    uint32_t heroes = 1 + sk_rng_below(rng, SK_SNARL_HEROES_MAX);
    uint32_t level_count = 1 + sk_rng_below(rng, 3);
    struct snarl_level_form *levels = room_for(arena, level_count, sizeof(*levels));

    for (uint32_t i = 0; i < level_count; i++) {
        draw_level(rng, arena, heroes, &levels[i]);
    }
    params->has_levels = true;
    params->levels = (struct sk_list){ levels, level_count };
    params->heroes = (struct sk_list){ (void *)names, heroes };
    params->mode = one_in(rng, 2) ? SNARL_VERSUS : SNARL_COOP;
    params->level_end = one_in(rng, 3) ? SNARL_END_ANY : SNARL_END_ALL;
    params->adversaries = one_in(rng, 6) ? SNARL_IDLE : SNARL_AUTO;
    params->has_steps = one_in(rng, 3);
    for (uint32_t kind = 0; kind < SNARL_KIND_COUNT; kind++) {
        params->steps.of[kind] = 1 + (int32_t)sk_rng_below(rng, SK_SNARL_STEPS_MAX);
    }
    params->round_limit = one_in(rng, 3) ? 1 + (int32_t)sk_rng_below(rng, 8) : 300;
    return params;
}

/* ---- commands ---------------------------------------------------------------------------- */

/* A door one step from the unit to move: zombies may not go there. */
static bool
door_beside(const struct snarl_config *config, const struct snarl_level *level, struct sk_cell cell,
            struct sk_cell *ret_door)
{
    static const struct sk_cell steps[] = { { 0, -1 }, { -1, 0 }, { 1, 0 }, { 0, 1 } };

    for (size_t i = 0; i < SK_COUNT_OF(steps); i++) {
        struct sk_cell beside = sk_cell(cell.x + steps[i].x, cell.y + steps[i].y);

        if (snarl_tile(config, level, beside) == SNARL_DOOR) {
            *ret_door = beside;
            return true;
        }
    }
    return false;
}

/* Moves onto a unit or object if one is near: random steps rarely end there. */
static void
draw_command(struct trial *trial, uint8_t seat, void *ret_command)
{
    const struct snarl_config *config = trial->table.config;
    const struct snarl_position *position = snarl_position_of(trial->table.match.state);
    const struct snarl_level *level = snarl_level_at(config, position->level);
    struct snarl_command *command = ret_command;
    uint32_t unit = sk_rng_below(&trial->rng, config->hero_count + level->adversary_count);

    (void)seat;
    command->head.kind = SNARL_MOVE;
    command->has_to = true;
    if (one_in(&trial->rng, 2) &&
        door_beside(config, level, snarl_cell_of(position, position->active), &command->to)) {
        return;
    }
    if (one_in(&trial->rng, 3)) {
        command->to = one_in(&trial->rng, 2) ? level->exit : level->key;
    } else {
        command->to = snarl_cell_of(
            position, (uint8_t)(unit < config->hero_count
                                    ? unit
                                    : unit - config->hero_count + SNARL_FIRST_ADVERSARY));
    }
}

/* ---- properties -------------------------------------------------------------------------- */

/* Units are on tiles that they may walk on, and no two on the same. */
static bool
all_stand_right(const struct snarl_config *config, const struct snarl_position *position,
                uint8_t first, uint32_t count)
{
    const struct snarl_level *level = snarl_level_at(config, position->level);

    for (uint8_t i = first; i < first + count; i++) {
        if (!snarl_is_here(config, position, i)) {
            continue;
        }
        if (!snarl_is_traversable(snarl_tile(config, level, snarl_cell_of(position, i)))) {
            return false;
        }
        for (uint8_t j = first; j < i; j++) {
            if (snarl_is_here(config, position, j) &&
                sk_cell_same(snarl_cell_of(position, i), snarl_cell_of(position, j))) {
                return false;
            }
        }
    }
    return true;
}

static bool
everybody_stands_where_one_can(struct trial *trial)
{
    const struct snarl_config *config = trial->table.config;
    const struct snarl_position *after = snarl_position_of(trial->after);

    return all_stand_right(config, after, 0, config->hero_count) &&
           all_stand_right(config, after, SNARL_FIRST_ADVERSARY,
                           snarl_level_at(config, after->level)->adversary_count);
}

/* A hero and an adversary never share a tile: whoever arrives last, the hero is expelled. */
static bool
no_hero_stands_beside_an_adversary_on_a_tile(struct trial *trial)
{
    const struct snarl_config *config = trial->table.config;
    const struct snarl_position *after = snarl_position_of(trial->after);

    for (uint8_t i = 0; i < config->hero_count; i++) {
        if (after->hero[i].status == SNARL_ACTIVE &&
            snarl_adversary_on(config, after, after->hero[i].at) != SNARL_NO_UNIT) {
            return false;
        }
    }
    return true;
}

static bool
the_unit_to_move_is_there(struct trial *trial)
{
    const struct snarl_position *after = snarl_position_of(trial->after);

    return trial->after->outcome.is_over ||
           snarl_is_here(trial->table.config, after, after->active);
}

static bool
is_unit(const struct snarl_event *event, struct sk_text id)
{
    return sk_text_same(event->unit, id);
}

/* A unit that has left the board has no more events. */
static bool
who_is_gone_does_nothing(struct trial *trial)
{
    const struct snarl_config *config = trial->table.config;
    const struct snarl_position *before = snarl_position_of(trial->table.match.state);
    bool is_gone[SK_SNARL_HEROES_MAX];

    table_resolve(&trial->table, trial->pointers);
    for (uint32_t i = 0; i < config->hero_count; i++) {
        is_gone[i] = before->hero[i].status != SNARL_ACTIVE;
    }
    for (const struct sk_event *event = trial->table.turn.events.first; event != NULL;
         event = event->next) {
        const struct snarl_event *it = (const struct snarl_event *)(const void *)event;

        for (uint32_t i = 0; i < config->hero_count; i++) {
            if (it->unit.length > 0 && is_unit(it, sk_id_text(&config->hero[i]))) {
                if (is_gone[i]) {
                    return false;
                }
                is_gone[i] =
                    event->kind == SNARL_EVENT_EXITED || event->kind == SNARL_EVENT_EXPELLED;
            }
        }
    }
    return true;
}

/* In a level the key is taken once; heroes' counts equal the events. */
static bool
keys_exits_and_expulsions_are_told(struct trial *trial)
{
    const struct snarl_config *config = trial->table.config;
    const struct snarl_position *before = snarl_position_of(trial->table.match.state);
    const struct snarl_position *after = snarl_position_of(trial->after);
    int32_t grown = 0;
    int32_t told = 0;
    int32_t keys = 0;

    table_resolve(&trial->table, trial->pointers);
    for (uint32_t i = 0; i < config->hero_count; i++) {
        keys += after->hero[i].keys - before->hero[i].keys;
        grown += after->hero[i].exits - before->hero[i].exits;
        grown += after->hero[i].expulsions - before->hero[i].expulsions;
    }
    for (const struct sk_event *event = trial->table.turn.events.first; event != NULL;
         event = event->next) {
        told += event->kind == SNARL_EVENT_EXITED || event->kind == SNARL_EVENT_EXPELLED;
        keys -= event->kind == SNARL_EVENT_TOOK_KEY;
    }
    if (before->level == after->level && before->exit_unlocked &&
        (!after->exit_unlocked || after->has_key)) {
        return false;
    }
    return grown == told && keys == 0 && after->has_key != after->exit_unlocked;
}

static bool
levels_and_rounds_go_forward(struct trial *trial)
{
    const struct snarl_config *config = trial->table.config;
    const struct snarl_position *before = snarl_position_of(trial->table.match.state);
    const struct snarl_position *after = snarl_position_of(trial->after);

    return after->level == before->level
               ? after->round == before->round ||
                     (after->round == before->round + 1 && after->round <= config->round_limit)
               : after->level == before->level + 1 && after->round == 1;
}

static struct property properties[] = {
    { .sentence = "every unit is on a tile it may walk on, without another of its side",
      .holds = everybody_stands_where_one_can },
    { .sentence = "no hero shares a tile with an adversary",
      .holds = no_hero_stands_beside_an_adversary_on_a_tile },
    { .sentence = "the unit to move is on the board", .holds = the_unit_to_move_is_there },
    { .sentence = "a hero off the board does nothing", .holds = who_is_gone_does_nothing },
    { .sentence = "counts of keys, exits and expulsions equal the events, one key per level",
      .holds = keys_exits_and_expulsions_are_told },
    { .sentence = "levels and rounds only go forward", .holds = levels_and_rounds_go_forward },
};

/* ---- the breed --------------------------------------------------------------------------- */

const struct breed breed_snarl = {
    .ruleset = &sk_ruleset_snarl,
    .properties = properties,
    .property_count = SK_COUNT_OF(properties),
    .draw_params = draw_params,
    .draw_command = draw_command,
};
