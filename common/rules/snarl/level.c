/*
 * Converts a level's JSON form to tiles: rooms, hallways and objects.
 *
 * Every fault of a level by itself is found here, with its position inside the
 * level and its reason.
 */
#include <string.h>

#include "common/rules/snarl/internal.h"

struct build {
    const struct snarl_level_form *form;
    struct snarl_level *level;
    struct sk_arena *arena;
    struct sk_fault *fault;
    uint32_t *work; /* tiles of hallways so far, over all levels */
};

/* A hallway's tile until all are laid, so that a room's tile is recognized without a search. */
#define HALLWAY ','

static char *
tile_at(const struct build *build, struct sk_cell cell)
{
    char *tiles = (char *)(build->arena->base + build->level->tiles_at);

    return &tiles[sk_cell_index(cell, build->level->cols)];
}

static struct snarl_room *
rooms_of(const struct build *build)
{
    return (struct snarl_room *)(void *)(build->arena->base + build->level->rooms_at);
}

/* The room that contains the cell, or the number of rooms. */
static uint32_t
room_of(const struct build *build, struct sk_cell cell)
{
    const struct snarl_room *rooms = rooms_of(build);
    uint32_t i = 0;

    while (i < build->level->room_count &&
           !sk_cell_on_grid(sk_cell(cell.x - rooms[i].origin.x, cell.y - rooms[i].origin.y),
                            rooms[i].cols, rooms[i].rows)) {
        i++;
    }
    return i;
}

/* ---- how large it is --------------------------------------------------------------------- */

static void
stretch(struct snarl_level *level, struct sk_cell cell)
{
    level->cols = cell.x >= level->cols ? cell.x + 1 : level->cols;
    level->rows = cell.y >= level->rows ? cell.y + 1 : level->rows;
}

static enum sk_status
measure_room(struct build *build, const struct snarl_room_form *form)
{
    struct sk_cell origin = snarl_cell(form->origin);
    struct sk_cell corner =
        sk_cell(origin.x + form->bounds.columns - 1, origin.y + form->bounds.rows - 1);

    if (!sk_cell_on_grid(corner, SK_SNARL_SIDE_MAX, SK_SNARL_SIDE_MAX)) {
        sk_fault_set(build->fault, "room_off_grid",
                     "a level has at most " SK_LIMIT_TEXT(
                         SK_SNARL_SIDE_MAX) " rows and columns; the room ends past them");
        return sk_fault_inside(build->fault, SK_TEXT("bounds"));
    }
    stretch(build->level, corner);
    return SK_OK;
}

static void
measure_hallway(struct build *build, const struct snarl_hallway_form *form)
{
    const struct snarl_point *waypoints = form->waypoints.at;

    stretch(build->level, snarl_cell(form->from));
    stretch(build->level, snarl_cell(form->to));
    for (uint32_t i = 0; i < form->waypoints.count; i++) {
        stretch(build->level, snarl_cell(waypoints[i]));
    }
}

static enum sk_status
measure(struct build *build)
{
    const struct snarl_room_form *rooms = build->form->rooms.at;
    const struct snarl_hallway_form *hallways = build->form->hallways.at;
    size_t tiles;
    char *at;

    for (uint32_t i = 0; i < build->form->rooms.count; i++) {
        if (measure_room(build, &rooms[i]) != SK_OK) {
            return sk_fault_inside_item(build->fault, "rooms", i);
        }
    }
    for (uint32_t i = 0; i < build->form->hallways.count; i++) {
        measure_hallway(build, &hallways[i]);
    }
    tiles = (size_t)build->level->rows * (size_t)build->level->cols;
    at = sk_arena_take(build->arena, tiles);
    if (at == NULL) {
        return sk_fault_too_large(build->fault);
    }
    memset(at, SNARL_VOID, tiles);
    build->level->tiles_at = sk_arena_offset(build->arena, at);
    return SK_OK;
}

/* ---- rooms ------------------------------------------------------------------------------- */

static bool
overlap(const struct snarl_room *a, const struct snarl_room *b)
{
    return a->origin.x < b->origin.x + b->cols && b->origin.x < a->origin.x + a->cols &&
           a->origin.y < b->origin.y + b->rows && b->origin.y < a->origin.y + a->rows;
}

static enum sk_status
refuse_layout(struct build *build, const char *message)
{
    return sk_fault_set(build->fault, "room_layout", message);
}

static enum sk_status
check_layout(struct build *build, const struct snarl_room_form *form)
{
    const struct sk_list *rows = form->layout.at;

    if (form->layout.count != (uint32_t)form->bounds.rows) {
        refuse_layout(build, "the layout has another number of rows than the bounds");
        return sk_fault_inside(build->fault, SK_TEXT("layout"));
    }
    for (uint32_t i = 0; i < form->layout.count; i++) {
        if (rows[i].count != (uint32_t)form->bounds.columns) {
            refuse_layout(build, "the row has another number of tiles than the bounds columns");
            return sk_fault_inside_item(build->fault, "layout", i);
        }
    }
    return SK_OK;
}

static void
lay_tiles(struct build *build, const struct snarl_room_form *form, struct snarl_room *room)
{
    static const char tiles[] = {
        [SNARL_LAYOUT_WALL] = SNARL_WALL,
        [SNARL_LAYOUT_FLOOR] = SNARL_FLOOR,
        [SNARL_LAYOUT_DOOR] = SNARL_DOOR,
    };
    const struct sk_list *rows = form->layout.at;

    for (int32_t y = 0; y < room->rows; y++) {
        const int32_t *row = rows[y].at;

        for (int32_t x = 0; x < room->cols; x++) {
            *tile_at(build, sk_cell(room->origin.x + x, room->origin.y + y)) = tiles[row[x]];
            room->floor_count += row[x] == SNARL_LAYOUT_FLOOR;
        }
    }
}

static enum sk_status
build_room(struct build *build, const struct snarl_room_form *form, uint32_t index)
{
    struct snarl_room *rooms = rooms_of(build);
    struct snarl_room *room = &rooms[index];
    enum sk_status status = check_layout(build, form);

    if (status != SK_OK) {
        return status;
    }
    *room =
        (struct snarl_room){ snarl_cell(form->origin), form->bounds.columns, form->bounds.rows, 0 };
    for (uint32_t i = 0; i < index; i++) {
        if (overlap(&rooms[i], room)) {
            sk_fault_set(build->fault, "rooms_overlap", "the room overlaps room ");
            sk_fault_say_number(build->fault, i);
            return SK_ERR_REFUSED;
        }
    }
    lay_tiles(build, form, room);
    return SK_OK;
}

static enum sk_status
build_rooms(struct build *build)
{
    const struct snarl_room_form *forms = build->form->rooms.at;
    uint32_t count = build->form->rooms.count;
    void *rooms = sk_arena_take_items(build->arena, count, sizeof(struct snarl_room));

    if (rooms == NULL) {
        return sk_fault_too_large(build->fault);
    }
    build->level->rooms_at = sk_arena_offset(build->arena, rooms);
    for (uint32_t i = 0; i < count; i++) {
        if (build_room(build, &forms[i], i) != SK_OK) {
            return sk_fault_inside_item(build->fault, "rooms", i);
        }
    }
    build->level->room_count = (uint16_t)count;
    return SK_OK;
}

/* ---- hallways ---------------------------------------------------------------------------- */

/* The position of a hallway's point, for a fault: from, to, or one of its waypoints. */
static void
inside_point(struct build *build, uint32_t point, uint32_t count)
{
    if (point == 0 || point == count - 1) {
        sk_fault_inside(build->fault, point == 0 ? SK_TEXT("from") : SK_TEXT("to"));
    } else {
        sk_fault_inside_item(build->fault, "waypoints", point - 1);
    }
}

static enum sk_status
check_end(struct build *build, struct sk_cell cell, uint32_t point, uint32_t count,
          uint8_t *ret_room)
{
    if (*tile_at(build, cell) != SNARL_DOOR) {
        sk_fault_set(build->fault, "hallway_off_door", "a hallway must end on doors");
        inside_point(build, point, count);
        return SK_ERR_REFUSED;
    }
    *ret_room = (uint8_t)room_of(build, cell);
    return SK_OK;
}

static int32_t
toward(int32_t from, int32_t to)
{
    return (to > from) - (to < from);
}

/* Lays the tiles from one point to the next, except the doors at the hallway's ends. */
static enum sk_status
lay_segment(struct build *build, const struct sk_cell *points, uint32_t point, uint32_t count)
{
    struct sk_cell at = points[point - 1];
    struct sk_cell to = points[point];
    struct sk_cell step = sk_cell(toward(at.x, to.x), toward(at.y, to.y));

    if (step.x != 0 && step.y != 0) {
        sk_fault_set(build->fault, "hallway_not_straight",
                     "hallways run along rows and columns; the way to this point does not");
        inside_point(build, point, count);
        return SK_ERR_REFUSED;
    }
    for (bool is_there = false; !is_there; at = sk_cell(at.x + step.x, at.y + step.y)) {
        bool is_end = sk_cell_same(at, points[0]) || sk_cell_same(at, points[count - 1]);

        is_there = sk_cell_same(at, to);
        if (++*build->work > SK_SNARL_HALLWAY_TILES_MAX) {
            return sk_fault_set(build->fault, "too_much_work",
                                "the hallways of all levels run over more than " SK_LIMIT_TEXT(
                                    SK_SNARL_HALLWAY_TILES_MAX) " tiles, counted each time");
        }
        if (is_end) {
            continue;
        }
        if (*tile_at(build, at) != SNARL_VOID && *tile_at(build, at) != HALLWAY) {
            sk_fault_set(build->fault, "hallway_through_room",
                         "on the way to this point the hallway runs through room ");
            sk_fault_say_number(build->fault, room_of(build, at));
            inside_point(build, point, count);
            return SK_ERR_REFUSED;
        }
        *tile_at(build, at) = HALLWAY;
    }
    return SK_OK;
}

static enum sk_status
build_hallway(struct build *build, const struct snarl_hallway_form *form,
              struct snarl_hallway *hallway)
{
    const struct snarl_point *waypoints = form->waypoints.at;
    uint32_t count = form->waypoints.count + 2;
    struct sk_cell *points = sk_arena_take_items(build->arena, count, sizeof(*points));
    enum sk_status status;

    if (points == NULL) {
        return sk_fault_too_large(build->fault);
    }
    points[0] = snarl_cell(form->from);
    points[count - 1] = snarl_cell(form->to);
    for (uint32_t i = 0; i < form->waypoints.count; i++) {
        points[i + 1] = snarl_cell(waypoints[i]);
    }
    hallway->points_at = sk_arena_offset(build->arena, points);
    hallway->point_count = count;
    status = check_end(build, points[0], 0, count, &hallway->rooms[0]);
    if (status == SK_OK) {
        status = check_end(build, points[count - 1], count - 1, count, &hallway->rooms[1]);
    }
    for (uint32_t i = 1; i < count && status == SK_OK; i++) {
        status = lay_segment(build, points, i, count);
    }
    return status;
}

static enum sk_status
build_hallways(struct build *build)
{
    const struct snarl_hallway_form *forms = build->form->hallways.at;
    uint32_t count = build->form->hallways.count;
    struct snarl_hallway *hallways =
        sk_arena_take_items(build->arena, count, sizeof(struct snarl_hallway));

    if (hallways == NULL) {
        return sk_fault_too_large(build->fault);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (build_hallway(build, &forms[i], &hallways[i]) != SK_OK) {
            return sk_fault_inside_item(build->fault, "hallways", i);
        }
    }
    for (int32_t i = 0; i < build->level->rows * build->level->cols; i++) {
        char *tile = (char *)(build->arena->base + build->level->tiles_at) + i;

        *tile = *tile == HALLWAY ? SNARL_FLOOR : *tile;
    }
    build->level->hallways_at = sk_arena_offset(build->arena, hallways);
    build->level->hallway_count = (uint16_t)count;
    return SK_OK;
}

/* ---- objects ----------------------------------------------------------------------------- */

/* Takes the first object of each type.  config.c checks whether they suit a match. */
static enum sk_status
build_objects(struct build *build)
{
    const struct snarl_object_form *forms = build->form->objects.at;
    struct snarl_level *level = build->level;

    for (uint32_t i = 0; i < build->form->objects.count; i++) {
        struct sk_cell cell = snarl_cell(forms[i].position);

        if (forms[i].type == SNARL_KEY && !level->has_key) {
            level->has_key = true;
            level->key = cell;
        } else if (forms[i].type == SNARL_EXIT && !level->has_exit) {
            level->has_exit = true;
            level->exit = cell;
        }
    }
    return SK_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

enum sk_status
snarl_level_build(const struct snarl_level_form *form, struct sk_arena *arena,
                  struct snarl_level *level, uint32_t *work, struct sk_fault *ret_fault)
{
    static enum sk_status (*const steps[])(struct build *) = {
        measure,
        build_rooms,
        build_hallways,
        build_objects,
    };
    struct build build = { form, level, arena, ret_fault, work };
    enum sk_status status = SK_OK;

    for (size_t i = 0; i < SK_COUNT_OF(steps) && status == SK_OK; i++) {
        status = steps[i](&build);
    }
    return status;
}
