/*
 * Builds a config from params.  Every fault in params is found here, with its
 * position and reason.
 *
 * The numbers of pieces and destinations are independent: a seat's destinations
 * may be filled by the other seat's pieces too, may be shared by both seats,
 * and pieces may start on them.
 */
#include "common/rules/halma/internal.h"

struct build {
    const struct halma_params *params;
    struct halma_config *config;
    struct sk_arena *arena;
    struct sk_fault *fault;
};

/* Finishes a fault about one of a seat's cells (`index`) in params' list of that name. */
static enum sk_status
refuse_cell(struct build *build, const char *list, uint8_t seat, uint32_t index)
{
    sk_fault_inside_index(build->fault, index);
    return sk_fault_inside_item(build->fault, list, seat);
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* The default cells belong to the default board and do not adapt to another size. */
static enum sk_status
build_numbers(struct build *build)
{
    const struct halma_params *params = build->params;
    struct halma_config *config = build->config;

    if (params->size < SK_HALMA_SIZE_DEFAULT &&
        (!params->has_pieces || !params->has_destinations)) {
        return sk_fault_set_at(
            build->fault, "defaults_do_not_fit",
            "a board smaller than " SK_LIMIT_TEXT(
                SK_HALMA_SIZE_DEFAULT) " needs pieces and destinations of its own",
            "size");
    }
    if (params->cycle_ms > 0 && params->cycle_ms < SK_HALMA_CYCLE_MS_MIN) {
        return sk_fault_set_at(
            build->fault, "cycle_too_short",
            "a cycle is at least " SK_LIMIT_TEXT(SK_HALMA_CYCLE_MS_MIN) " ms, or 0 for none",
            "cycle_ms");
    }
    config->size = (uint8_t)params->size;
    config->turn_limit = (uint32_t)params->turn_limit;
    config->stall_limit = (uint32_t)params->stall_limit;
    config->cycle_ms = (uint32_t)params->cycle_ms;
    return SK_OK;
}

/* ---- cells ------------------------------------------------------------------------------- */

/* The cells of a seat from params, or the default ones. */
static const struct sk_list *
cells_of(bool is_given, const struct sk_list *given, const struct sk_list *fallback, uint8_t seat)
{
    return sk_list_item(is_given ? given : fallback, seat, sizeof(struct sk_list));
}

static const struct sk_list *
pieces_of(const struct build *build, uint8_t seat)
{
    const struct halma_params *params = build->params;

    return cells_of(params->has_pieces, &params->pieces, &halma_default_params.pieces, seat);
}

static const struct sk_list *
destinations_of(const struct build *build, uint8_t seat)
{
    const struct halma_params *params = build->params;

    return cells_of(params->has_destinations, &params->destinations,
                    &halma_default_params.destinations, seat);
}

/* ---- pieces ------------------------------------------------------------------------------ */

/* "a1", "a2" ... for seat 0, "b1" ... for seat 1. */
static uint8_t
make_id(uint8_t seat, uint32_t number, struct sk_id *ret_id)
{
    uint8_t length = 0;

    ret_id->at[length++] = (char)('a' + seat);
    if (number >= 10) {
        ret_id->at[length++] = (char)('0' + number / 10);
    }
    ret_id->at[length++] = (char)('0' + number % 10);
    return length;
}

uint8_t
halma_unit_find(const struct halma_config *config, const struct sk_id *id)
{
    uint32_t seat = (uint32_t)(id->at[0] - 'a');
    uint32_t number = (uint32_t)(id->at[1] - '0');
    uint32_t place;

    if (seat >= SK_HALMA_SEATS || number > 9) {
        return HALMA_NO_UNIT;
    }
    if (id->at[2] >= '0' && id->at[2] <= '9') {
        number = 10 * number + (uint32_t)(id->at[2] - '0');
    }
    place = seat * config->unit_counts[0] + number - 1;
    return number >= 1 && number <= config->unit_counts[seat] &&
                   sk_id_same(&halma_units(config)[place].id, id)
               ? (uint8_t)place
               : HALMA_NO_UNIT;
}

/* `taken` marks the cells of the pieces before this one. */
static enum sk_status
check_piece(struct build *build, struct sk_cell cell, uint32_t index, const uint64_t *taken)
{
    if (index >= SK_HALMA_PIECES_PER_SEAT_MAX) {
        return sk_fault_set(
            build->fault, "too_many_pieces",
            "a seat has at most " SK_LIMIT_TEXT(SK_HALMA_PIECES_PER_SEAT_MAX) " pieces");
    }
    if (!halma_on_board(build->config, cell)) {
        return sk_fault_set(build->fault, "out_of_bounds", "the piece starts off the board");
    }
    if ((taken[cell.y] >> cell.x & 1) != 0) {
        return sk_fault_set(build->fault, "cell_taken", "another piece starts on this square");
    }
    return SK_OK;
}

static enum sk_status
build_pieces(struct build *build, uint8_t seat, struct halma_unit_config *units, uint64_t *taken)
{
    const struct sk_list *list = pieces_of(build, seat);
    const struct sk_cell *cells = list->at;

    if (list->count == 0) {
        sk_fault_set(build->fault, "no_pieces", "a seat without pieces could never move");
        return sk_fault_inside_item(build->fault, "pieces", seat);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (check_piece(build, cells[i], i, taken) != SK_OK) {
            return refuse_cell(build, "pieces", seat, i);
        }
        taken[cells[i].y] |= (uint64_t)1 << cells[i].x;
        units[i].id_length = make_id(seat, i + 1, &units[i].id);
        units[i].seat = seat;
        units[i].x = (uint8_t)cells[i].x;
        units[i].y = (uint8_t)cells[i].y;
    }
    build->config->unit_counts[seat] = (uint8_t)list->count;
    return SK_OK;
}

/* Reads only as many pieces as fit; the first excess one is reported with its position. */
static enum sk_status
build_units(struct build *build)
{
    struct halma_config *config = build->config;
    uint64_t taken[SK_GRID_MAX] = { 0 };
    uint32_t counts[SK_HALMA_SEATS];
    struct halma_unit_config *units;
    enum sk_status status = SK_OK;

    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        uint32_t count = pieces_of(build, seat)->count;

        counts[seat] = count < SK_HALMA_PIECES_PER_SEAT_MAX ? count : SK_HALMA_PIECES_PER_SEAT_MAX;
    }
    units = sk_arena_take_items(build->arena, counts[0] + counts[1], sizeof(*units));
    if (units == NULL) {
        return sk_fault_too_large(build->fault);
    }
    for (uint8_t seat = 0; seat < SK_HALMA_SEATS && status == SK_OK; seat++) {
        status = build_pieces(build, seat, units + seat * counts[0], taken);
    }
    config->unit_count = (uint8_t)(counts[0] + counts[1]);
    config->units_at = sk_arena_offset(build->arena, units);
    return status;
}

/* ---- destinations ------------------------------------------------------------------------ */

static enum sk_status
check_destination(struct build *build, struct sk_cell cell, uint32_t index, const uint64_t *rows)
{
    if (index >= SK_HALMA_DESTINATIONS_MAX) {
        return sk_fault_set(
            build->fault, "too_many_destinations",
            "a seat has at most " SK_LIMIT_TEXT(SK_HALMA_DESTINATIONS_MAX) " destinations");
    }
    if (!halma_on_board(build->config, cell)) {
        return sk_fault_set(build->fault, "out_of_bounds", "the destination is off the board");
    }
    if ((rows[cell.y] >> cell.x & 1) != 0) {
        return sk_fault_set(build->fault, "duplicate_destination",
                            "the seat has this destination twice");
    }
    return SK_OK;
}

static enum sk_status
build_seat_destinations(struct build *build, uint8_t seat, uint64_t *rows)
{
    const struct sk_list *list = destinations_of(build, seat);
    const struct sk_cell *cells = list->at;

    if (list->count == 0) {
        sk_fault_set(build->fault, "no_destinations",
                     "a seat without destinations could never win");
        return sk_fault_inside_item(build->fault, "destinations", seat);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (check_destination(build, cells[i], i, rows) != SK_OK) {
            return refuse_cell(build, "destinations", seat, i);
        }
        rows[cells[i].y] |= (uint64_t)1 << cells[i].x;
    }
    return SK_OK;
}

static enum sk_status
build_destinations(struct build *build)
{
    struct halma_config *config = build->config;
    uint64_t *rows =
        sk_arena_take_items(build->arena, (size_t)SK_HALMA_SEATS * config->size, sizeof(*rows));
    enum sk_status status = rows == NULL ? sk_fault_too_large(build->fault) : SK_OK;

    for (uint8_t seat = 0; seat < SK_HALMA_SEATS && status == SK_OK; seat++) {
        status = build_seat_destinations(build, seat, rows + (size_t)seat * config->size);
    }
    if (status == SK_OK) {
        config->destinations_at = sk_arena_offset(build->arena, rows);
    }
    return status;
}

/* ---- entry point ------------------------------------------------------------------------- */

enum sk_status
halma_config_build(const void *params, struct sk_arena *ret_config, struct sk_arena *scratch,
                   struct sk_fault *ret_fault)
{
    struct build build = {
        .params = params,
        .arena = ret_config,
        .fault = ret_fault,
        .config = sk_arena_take(ret_config, sizeof(struct halma_config)),
    };
    enum sk_status status;

    (void)scratch;
    if (build.config == NULL) {
        return sk_fault_too_large(ret_fault);
    }
    status = build_numbers(&build);
    if (status == SK_OK) {
        status = build_units(&build);
    }
    if (status == SK_OK) {
        status = build_destinations(&build);
    }
    return status;
}
