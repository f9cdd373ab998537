/*
 * The forms of halma: member tables, and conversion between forms and
 * positions.  JSON, its schema and the fuzzers' random values come from these
 * tables.
 */
#include "common/rules/halma/internal.h"

/* ---- params ------------------------------------------------------------------------------ */

#define BOARD_MAX (SK_GRID_MAX * SK_GRID_MAX) /* the config decides how many are too many */

static const struct sk_member cell_item = {
    .kind = SK_KIND_CELL,
    .min = INT32_MIN,
    .max = INT32_MAX,
};
static const struct sk_member cells_item = {
    .kind = SK_KIND_LIST,
    .item = &cell_item,
    .item_size = sizeof(struct sk_cell),
    .min = 0,
    .max = BOARD_MAX,
};

/* One list of cells per seat. */
#define CELLS_MEMBER(field, name, has, text)                                                 \
    SK_LIST(struct halma_params, field, name, &cells_item, sizeof(struct sk_list),           \
            .min = SK_HALMA_SEATS, .max = SK_HALMA_SEATS, .flags = SK_OPTIONAL | SK_TRACKED, \
            .present = offsetof(struct halma_params, has), .doc = (text))

static const struct sk_member params_members[] = {
    SK_INT(struct halma_params, size, "size", .min = SK_HALMA_SIZE_MIN, .max = SK_GRID_MAX,
           .flags = SK_OPTIONAL, .fallback = SK_HALMA_SIZE_DEFAULT,
           .doc = "Squares along each side of the board."),
    CELLS_MEMBER(pieces, "pieces", has_pieces,
                 "Where each seat's pieces start; their ids count in this order."),
    CELLS_MEMBER(destinations, "destinations", has_destinations,
                 "The squares that each seat must fill."),
    SK_INT(struct halma_params, turn_limit, "turn_limit", .min = 1, .max = SK_TURN_LIMIT_MAX,
           .flags = SK_OPTIONAL, .fallback = SK_HALMA_TURN_LIMIT_DEFAULT),
    SK_INT(struct halma_params, stall_limit, "stall_limit", .min = 0, .max = SK_TURN_LIMIT_MAX,
           .flags = SK_OPTIONAL, .fallback = SK_HALMA_STALL_LIMIT_DEFAULT,
           .doc = "Turns that a seat alone keeps from being enacted before it loses; 0 = never."),
    SK_INT(struct halma_params, cycle_ms, "cycle_ms", .min = 0, .max = SK_HALMA_CYCLE_MS_MAX,
           .flags = SK_OPTIONAL, .doc = "Every turn takes this long; 0 = no cycle."),
};

const struct sk_schema halma_params_schema =
    SK_SCHEMA("halma params", NULL, params_members, struct halma_params);

/* ---- states and views -------------------------------------------------------------------- */

static const struct sk_member unit_members[] = {
    SK_ID_TEXT(struct halma_unit_form, id, "id",
               .doc = "a1, a2 ... for seat 0, b1 ... for seat 1, in the order of params."),
    SK_INT(struct halma_unit_form, seat, "seat", .min = 0, .max = SK_HALMA_SEATS - 1),
    SK_CELL(struct halma_unit_form, at, "at", .doc = "Where it stands."),
    SK_INT(struct halma_unit_form, damage, "damage", .min = 0, .max = SK_HALMA_DAMAGE,
           .doc = "Enacted turns until it can jump again."),
};

static const struct sk_schema unit_schema =
    SK_SCHEMA("unit", NULL, unit_members, struct halma_unit_form);

static const struct sk_member unit_item = { .kind = SK_KIND_OBJECT, .object = &unit_schema };

static const struct sk_member fault_item = {
    .kind = SK_KIND_INT,
    .min = 0,
    .max = HALMA_FAULTS_MAX,
};

#define COUNT(field, words)                                                                 \
    SK_INT(struct halma_filling, field, #field, .min = 0, .max = SK_HALMA_DESTINATIONS_MAX, \
           .doc = (words))

static const struct sk_member filling_members[] = {
    COUNT(own, "With a piece of its own."),
    COUNT(others, "Only with the other's: these count for a halmate, too."),
    COUNT(free, "With nobody."),
};
static const struct sk_schema filling_schema =
    SK_SCHEMA("filling", NULL, filling_members, struct halma_filling);
static const struct sk_member filling_item = { .kind = SK_KIND_OBJECT, .object = &filling_schema };

#define POSITION_MEMBERS                                                                    \
    SK_LIST(struct halma_position_form, units, "units", &unit_item,                         \
            sizeof(struct halma_unit_form), .min = 0, .max = SK_HALMA_PIECES_MAX,           \
            .doc = "All pieces, in the order of params."),                                  \
        SK_LIST(struct halma_position_form, faults, "faults", &fault_item, sizeof(int32_t), \
                .min = SK_HALMA_SEATS, .max = SK_HALMA_SEATS, .flags = SK_OPTIONAL,         \
                .doc = "Each seat's not-enacted turns toward the stall limit.")

static const struct sk_member state_members[] = { POSITION_MEMBERS };
static const struct sk_member view_members[] = {
    POSITION_MEMBERS,
    SK_LIST(struct halma_position_form, filled, "filled", &filling_item,
            sizeof(struct halma_filling), .min = SK_HALMA_SEATS, .max = SK_HALMA_SEATS,
            .flags = SK_OPTIONAL, .doc = "How many of each seat's destinations are occupied."),
};

const struct sk_schema halma_state_schema =
    SK_SCHEMA("halma state", &sk_state_head, state_members, struct halma_position_form);
const struct sk_schema halma_view_schema =
    SK_SCHEMA("halma view", &sk_view_head, view_members, struct halma_position_form);

/* ---- commands and events ----------------------------------------------------------------- */

static const struct sk_member command_members[] = {
    SK_ID(struct halma_command, unit, "unit", .doc = "One of the seat's own pieces."),
    SK_ROW(struct halma_command, path.row, "path", &cell_item, sizeof(struct sk_cell), .min = 0,
           .max = SK_HALMA_PATH_MAX, .doc = "The squares it lands on; the checks judge them."),
};

static const struct sk_schema command_schema =
    SK_SCHEMA("halma command", NULL, command_members, struct halma_command);

static const struct sk_variant commands[] = {
    SK_SHARED_COMMANDS,
    { "move", &command_schema, "The piece steps, jumps along the path, or holds its square." },
};

const struct sk_variants halma_command_variants =
    SK_COMMANDS("halma command", commands, struct halma_command);

#define EVENT_UNIT SK_ID_TEXT(struct halma_event, unit, "unit", .doc = "The piece concerned.")
#define EVENT_SEATS(text)                                                              \
    SK_LIST(struct halma_event, seats, "seats", &seat_item, sizeof(int32_t), .min = 1, \
            .max = SK_HALMA_SEATS, .doc = (text))

static const struct sk_member id_item = { .kind = SK_KIND_ID_TEXT };
static const struct sk_member square_item = {
    .kind = SK_KIND_CELL,
    .min = 0,
    .max = SK_GRID_MAX - 1,
};
static const struct sk_member seat_item = {
    .kind = SK_KIND_INT,
    .min = 0,
    .max = SK_HALMA_SEATS - 1,
};

static const struct sk_member not_enacted_members[] = {
    EVENT_SEATS("Those that are guilty of it."),
    SK_LIST(struct halma_event, reasons, "reasons", &id_item, sizeof(struct sk_text), .min = 1,
            .max = SK_HALMA_SEATS,
            .doc = "Of each of these seats: its command's verdict, or missing."),
};
static const struct sk_member moved_members[] = {
    EVENT_UNIT,
    SK_LIST(struct halma_event, path, "path", &square_item, sizeof(struct sk_cell), .min = 2,
            .max = SK_HALMA_PATH_MAX + 1, .doc = "Where it came from, then where it landed."),
};
static const struct sk_member collided_members[] = {
    SK_LIST(struct halma_event, units, "units", &id_item, sizeof(struct sk_text),
            .min = SK_HALMA_SEATS, .max = SK_HALMA_SEATS, .doc = "Seat 0's first."),
    SK_CELL(struct halma_event, at, "at", .doc = "The square that both now share."),
};
static const struct sk_member healed_members[] = { EVENT_UNIT };
static const struct sk_member halmate_members[] = { EVENT_SEATS("Whose destinations are full.") };

#define EVENT_SCHEMA(members) SK_SCHEMA("halma event", NULL, members, struct halma_event)

static const struct sk_schema not_enacted_schema = EVENT_SCHEMA(not_enacted_members);
static const struct sk_schema moved_schema = EVENT_SCHEMA(moved_members);
static const struct sk_schema collided_schema = EVENT_SCHEMA(collided_members);
static const struct sk_schema healed_schema = EVENT_SCHEMA(healed_members);
static const struct sk_schema halmate_schema = EVENT_SCHEMA(halmate_members);

static const struct sk_variant events[] = {
    [HALMA_EVENT_NOT_ENACTED] = { "not_enacted", &not_enacted_schema, "Neither piece moved." },
    [HALMA_EVENT_MOVED] = { "moved", &moved_schema, "A piece moved, or held its square." },
    [HALMA_EVENT_COLLIDED] = { "collided", &collided_schema, "Two pieces met and are damaged." },
    [HALMA_EVENT_HEALED] = { "healed", &healed_schema, "A damaged piece can jump again." },
    [HALMA_EVENT_HALMATE] = { "halmate", &halmate_schema,
                              "All of a seat's destinations are full." },
};

const struct sk_variants halma_event_variants =
    SK_EVENTS("halma event", events, struct halma_event);

/* ---- from a form ------------------------------------------------------------------------- */

/* State of reading a position's units one by one. */
struct reading {
    const struct halma_config *config;
    struct halma_position *position;
    bool is_there[SK_HALMA_PIECES_MAX];
    struct sk_fault *fault;
};

static enum sk_status
refuse(struct reading *reading, const char *message, const char *member)
{
    return sk_fault_state(reading->fault, message, member);
}

static uint32_t
count_on(const struct reading *reading, struct sk_cell cell)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reading->config->unit_count; i++) {
        count += reading->is_there[i] && sk_cell_same(halma_cell_of(reading->position, i), cell);
    }
    return count;
}

static enum sk_status
read_unit(struct reading *reading, const struct halma_unit_form *form)
{
    const struct halma_config *config = reading->config;
    struct sk_id id = sk_id_from(form->id);
    uint8_t unit = halma_unit_find(config, &id);

    if (unit == HALMA_NO_UNIT) {
        return refuse(reading, "params have no piece with this id", "id");
    }
    if (reading->is_there[unit]) {
        return refuse(reading, "this piece is listed twice", "id");
    }
    if (form->seat != halma_units(config)[unit].seat) {
        return refuse(reading, "this piece belongs to the other seat", "seat");
    }
    if (!halma_on_board(config, form->at)) {
        return refuse(reading, "the square is off the board", "at");
    }
    if (count_on(reading, form->at) >= SK_HALMA_SHARING_MAX) {
        return refuse(reading, "there are already two pieces on this square", "at");
    }
    reading->is_there[unit] = true;
    reading->position->piece[unit] =
        (struct halma_piece){ (uint8_t)form->at.x, (uint8_t)form->at.y, (uint8_t)form->damage };
    return SK_OK;
}

static enum sk_status
read_units(struct reading *reading, const struct sk_list *list)
{
    const struct halma_unit_form *units = list->at;

    for (uint32_t i = 0; i < list->count; i++) {
        if (read_unit(reading, &units[i]) != SK_OK) {
            return sk_fault_inside_item(reading->fault, "units", i);
        }
    }
    for (uint32_t i = 0; i < reading->config->unit_count; i++) {
        if (!reading->is_there[i]) {
            refuse(reading, "pieces never leave the board, but this one is missing: ", "units");
            sk_fault_say_text(reading->fault, halma_id_text(reading->config, i));
            return SK_ERR_REFUSED;
        }
    }
    return SK_OK;
}

/* The first of the two seats would have ended the match. */
static enum sk_status
read_faults(struct reading *reading, const struct sk_list *list)
{
    const int32_t *faults = list->at;

    for (uint32_t i = 0; i < list->count; i++) {
        reading->position->faults[i] = (uint32_t)faults[i];
    }
    if (halma_has_stalled(reading->config, reading->position, 0) &&
        halma_has_stalled(reading->config, reading->position, 1)) {
        return refuse(reading, "both seats cannot have stalled", "faults");
    }
    return SK_OK;
}

enum sk_status
halma_state_read(const void *config, const void *form, struct sk_state *ret_state,
                 struct sk_fault *ret_fault)
{
    const struct halma_position_form *from = form;
    struct reading reading = {
        .config = config,
        .position = halma_position(ret_state),
        .fault = ret_fault,
    };
    enum sk_status status = read_units(&reading, &from->units);

    return status == SK_OK ? read_faults(&reading, &from->faults) : status;
}

/* ---- to a form --------------------------------------------------------------------------- */

enum sk_status
halma_view_form(const void *config, const void *view, struct sk_arena *arena, void *ret_form)
{
    const struct halma_config *halma = config;
    const struct halma_position *position = view;
    struct halma_position_form *form = ret_form;
    struct halma_unit_form *units = sk_arena_take_items(arena, halma->unit_count, sizeof(*units));
    int32_t *faults = sk_arena_take_items(arena, SK_HALMA_SEATS, sizeof(*faults));
    struct halma_filling *filled = sk_arena_take_items(arena, SK_HALMA_SEATS, sizeof(*filled));

    if (units == NULL || faults == NULL || filled == NULL) {
        return SK_ERR_TOO_LONG;
    }
    for (uint32_t i = 0; i < halma->unit_count; i++) {
        units[i] = (struct halma_unit_form){
            .id = halma_id_text(halma, i),
            .seat = halma_units(halma)[i].seat,
            .at = halma_cell_of(position, i),
            .damage = position->piece[i].damage,
        };
    }
    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        faults[seat] = (int32_t)position->faults[seat];
        filled[seat] = halma_count_filled(halma, position, seat);
    }
    form->units = (struct sk_list){ units, halma->unit_count };
    form->faults = (struct sk_list){ faults, SK_HALMA_SEATS };
    form->filled = (struct sk_list){ filled, SK_HALMA_SEATS };
    return SK_OK;
}
