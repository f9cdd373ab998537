/*
 * The defaults of flat rulesets, from their schemas: config, sizes, forms and
 * snapshots.  Each walks the member tables.
 */
#include "common/core/flat.h"

#include <string.h>

#include "common/base/status.h"
#include "common/core/rules.h"
#include "common/core/snapshot.h"

/* ---- what is flat ------------------------------------------------------------------------ */

static bool schema_is_flat(const struct sk_schema *schema);

static bool
member_is_flat(const struct sk_member *member)
{
    switch (member->kind) {
    case SK_KIND_BOOL:
    case SK_KIND_INT:
    case SK_KIND_ENUM:
    case SK_KIND_CELL:
        return true;
    case SK_KIND_OBJECT:
        return schema_is_flat(member->object);
    case SK_KIND_ROW:
        return member_is_flat(member->item);
    default:
        return false;
    }
}

/* Without what the schema begins with. */
static bool
schema_is_flat(const struct sk_schema *schema)
{
    bool is_flat = true;

    for (uint16_t i = 0; i < schema->member_count; i++) {
        is_flat &= member_is_flat(&schema->members[i]);
    }
    return is_flat;
}

/* The member that has one of the board's sizes, or NULL. */
static const struct sk_member *
size_at(const struct sk_schema *schema, uint16_t offset)
{
    for (uint16_t i = 0; i < schema->member_count; i++) {
        const struct sk_member *member = &schema->members[i];

        if (member->offset == offset && member->kind == SK_KIND_INT && member->min > 0 &&
            member->max <= SK_GRID_MAX) {
            return member;
        }
    }
    return NULL;
}

struct sk_cell
sk_flat_board_max(const struct sk_ruleset *ruleset)
{
    const struct sk_member *cols = size_at(ruleset->params, ruleset->board.cols_at);
    const struct sk_member *rows = size_at(ruleset->params, ruleset->board.rows_at);

    return !ruleset->board.is_given || cols == NULL || rows == NULL ? sk_cell(0, 0)
                                                                    : sk_cell(cols->max, rows->max);
}

static bool
config_is_flat(const struct sk_ruleset *r)
{
    return schema_is_flat(r->params) && r->params->base == NULL &&
           r->board.is_given == (sk_flat_board_max(r).x > 0);
}

static bool
state_is_flat(const struct sk_ruleset *r)
{
    return schema_is_flat(r->state) && r->state->members == r->view->members &&
           r->state->size == r->view->size && r->state->size >= sizeof(struct sk_form_head);
}

bool
sk_flat_is_sound(const struct sk_ruleset *r)
{
    bool needs_flat_state = r->sizes == NULL || r->state_read == NULL || r->view_form == NULL ||
                            r->snapshot_write == NULL || r->snapshot_read == NULL;

    return (r->config_build == NULL ? config_is_flat(r)
                                    : r->config_size_max > 0 && !r->board.is_given) &&
           (r->sizes != NULL || (r->events_max > 0 && r->prepare == NULL)) &&
           (!needs_flat_state ||
            (state_is_flat(r) && r->view_make == NULL && r->state_form == NULL)) &&
           (r->hints != NULL || (r->sizes == NULL && sk_flat_can_hint(r)));
}

struct sk_cell
sk_flat_board(const struct sk_ruleset *ruleset, const void *config)
{
    const uint8_t *bytes = config;

    if (!ruleset->board.is_given) {
        return sk_cell(0, 0);
    }
    return sk_cell(*(const int32_t *)(const void *)(bytes + ruleset->board.cols_at),
                   *(const int32_t *)(const void *)(bytes + ruleset->board.rows_at));
}

/* ---- config and sizes -------------------------------------------------------------------- */

size_t
sk_flat_config_size(const struct sk_ruleset *ruleset)
{
    return (ruleset->params->size + 15) & ~(size_t)15;
}

enum sk_status
sk_flat_config_build(const struct sk_ruleset *ruleset, const void *params,
                     struct sk_arena *ret_config, struct sk_fault *ret_fault)
{
    enum sk_status status =
        ruleset->params_check == NULL ? SK_OK : ruleset->params_check(params, ret_fault);
    void *config;

    if (status != SK_OK) {
        return status;
    }
    config = sk_arena_take(ret_config, ruleset->params->size);
    if (config == NULL) {
        return sk_fault_too_large(ret_fault);
    }
    memcpy(config, params, ruleset->params->size);
    return SK_OK;
}

static size_t snapshot_size(const struct sk_schema *schema);

static size_t
snapshot_member_size(const struct sk_member *member)
{
    size_t present = (member->flags & SK_TRACKED) != 0 ? 1 : 0;

    switch (member->kind) {
    case SK_KIND_INT:
        return present + 4;
    case SK_KIND_CELL:
        return present + 8;
    case SK_KIND_OBJECT:
        return present + snapshot_size(member->object);
    case SK_KIND_ROW:
        return present + 4 + (size_t)member->max * snapshot_member_size(member->item);
    default:
        return present + 1;
    }
}

static size_t
snapshot_size(const struct sk_schema *schema)
{
    size_t size = 0;

    for (uint16_t i = 0; i < schema->member_count; i++) {
        size += snapshot_member_size(&schema->members[i]);
    }
    return size;
}

void
sk_flat_sizes(const struct sk_ruleset *ruleset, struct sk_sizes *ret_sizes)
{
    size_t an_event = (ruleset->event->size + 7) & ~(size_t)7;

    *ret_sizes = (struct sk_sizes){
        .state = ruleset->state->size,
        .view = ruleset->state->size,
        .events = ruleset->events_max * an_event,
        .snapshot = SK_SNAPSHOT_HEAD_MAX + snapshot_size(ruleset->state),
    };
}

/* ---- forms ------------------------------------------------------------------------------- */

void
sk_flat_copy(const struct sk_ruleset *ruleset, const void *from, void *to)
{
    size_t head = sizeof(struct sk_form_head);

    memcpy((uint8_t *)to + head, (const uint8_t *)from + head, ruleset->state->size - head);
}

/* What is checked: values of one state. */
struct checking {
    struct sk_cell board;
    struct sk_fault *fault;
};

static enum sk_status
refuse(const struct checking *checking, const char *message)
{
    return sk_fault_set(checking->fault, "invalid_state", message);
}

static enum sk_status check_members(const struct checking *checking, const struct sk_schema *schema,
                                    const uint8_t *form);
static enum sk_status check_member(const struct checking *checking, const struct sk_member *member,
                                   const uint8_t *form);

static enum sk_status
check_row(const struct checking *checking, const struct sk_member *member, const struct sk_row *row)
{
    const uint8_t *items = (const uint8_t *)(row + 1);

    if (row->count < (uint32_t)member->min || row->count > (uint32_t)member->max) {
        return refuse(checking, "the list is too long or too short");
    }
    for (uint32_t i = 0; i < row->count; i++) {
        if (check_member(checking, member->item, items + (size_t)i * member->item_size) != SK_OK) {
            return sk_fault_inside_index(checking->fault, i);
        }
    }
    return SK_OK;
}

static bool
cell_is_possible(const struct checking *checking, const struct sk_member *member,
                 struct sk_cell cell)
{
    if (checking->board.x > 0) {
        return sk_cell_on_grid(cell, checking->board.x, checking->board.y);
    }
    return cell.x >= member->min && cell.x <= member->max && cell.y >= member->min &&
           cell.y <= member->max;
}

static enum sk_status
check_value(const struct checking *checking, const struct sk_member *member, const void *at)
{
    switch (member->kind) {
    case SK_KIND_INT:
        return *(const int32_t *)at >= member->min && *(const int32_t *)at <= member->max
                   ? SK_OK
                   : refuse(checking, "the number is out of bounds");
    case SK_KIND_ENUM:
        return *(const uint8_t *)at < member->word_count
                   ? SK_OK
                   : refuse(checking, "there is no such word");
    case SK_KIND_CELL:
        return cell_is_possible(checking, member, *(const struct sk_cell *)at)
                   ? SK_OK
                   : refuse(checking, "the cell is off the board");
    case SK_KIND_OBJECT:
        return check_members(checking, member->object, at);
    case SK_KIND_ROW:
        return check_row(checking, member, at);
    default:
        return SK_OK;
    }
}

static enum sk_status
check_member(const struct checking *checking, const struct sk_member *member, const uint8_t *form)
{
    return sk_member_is_absent(member, form) ? SK_OK
                                             : check_value(checking, member, form + member->offset);
}

static enum sk_status
check_members(const struct checking *checking, const struct sk_schema *schema, const uint8_t *form)
{
    for (uint16_t i = 0; i < schema->member_count; i++) {
        if (check_member(checking, &schema->members[i], form) != SK_OK) {
            return sk_fault_inside(checking->fault, sk_member_name(&schema->members[i]));
        }
    }
    return SK_OK;
}

enum sk_status
sk_flat_state_check(const struct sk_ruleset *ruleset, const void *config,
                    const struct sk_state *state, struct sk_fault *ret_fault)
{
    struct checking checking = { sk_flat_board(ruleset, config), ret_fault };
    enum sk_status status =
        check_members(&checking, ruleset->state, (const uint8_t *)(const void *)state);

    return status != SK_OK || ruleset->is_possible == NULL || ruleset->is_possible(config, state)
               ? status
               : refuse(&checking, "no match comes to this state");
}

/* ---- snapshots --------------------------------------------------------------------------- */

static void write_member(const struct sk_member *member, const uint8_t *form,
                         struct sk_bytes_out *out);

static void
write_members(const struct sk_schema *schema, const uint8_t *form, struct sk_bytes_out *out)
{
    for (uint16_t i = 0; i < schema->member_count; i++) {
        write_member(&schema->members[i], form, out);
    }
}

static void
write_row(const struct sk_member *member, const struct sk_row *row, struct sk_bytes_out *out)
{
    const uint8_t *items = (const uint8_t *)(row + 1);

    SK_ASSERT(row->count <= (uint32_t)member->max);
    sk_put_u32(out, row->count);
    for (uint32_t i = 0; i < row->count; i++) {
        write_member(member->item, items + (size_t)i * member->item_size, out);
    }
}

static void
write_value(const struct sk_member *member, const void *at, struct sk_bytes_out *out)
{
    switch (member->kind) {
    case SK_KIND_INT:
        sk_put_u32(out, (uint32_t) * (const int32_t *)at);
        break;
    case SK_KIND_CELL:
        sk_put_u32(out, (uint32_t)((const struct sk_cell *)at)->x);
        sk_put_u32(out, (uint32_t)((const struct sk_cell *)at)->y);
        break;
    case SK_KIND_OBJECT:
        write_members(member->object, at, out);
        break;
    case SK_KIND_ROW:
        write_row(member, at, out);
        break;
    case SK_KIND_BOOL:
        sk_put_u8(out, *(const bool *)at);
        break;
    default:
        sk_put_u8(out, *(const uint8_t *)at);
        break;
    }
}

/* A tracked member says first whether it has a value. */
static void
write_member(const struct sk_member *member, const uint8_t *form, struct sk_bytes_out *out)
{
    bool is_given = (member->flags & SK_TRACKED) == 0 || *(const bool *)(form + member->present);

    if ((member->flags & SK_TRACKED) != 0) {
        sk_put_u8(out, is_given);
    }
    if (is_given) {
        write_value(member, form + member->offset, out);
    }
}

void
sk_flat_snapshot_write(const struct sk_ruleset *ruleset, const struct sk_state *state,
                       struct sk_bytes_out *out)
{
    write_members(ruleset->state, (const uint8_t *)(const void *)state, out);
}

/* Reading puts in what it finds; the check of the whole comes afterwards.  False = that cannot be,
 * and could not even be stored. */
static bool read_member(const struct sk_member *member, uint8_t *form, struct sk_bytes_in *in);

static bool
read_members(const struct sk_schema *schema, uint8_t *form, struct sk_bytes_in *in)
{
    for (uint16_t i = 0; i < schema->member_count; i++) {
        if (!read_member(&schema->members[i], form, in)) {
            return false;
        }
    }
    return true;
}

static bool
read_row(const struct sk_member *member, struct sk_row *row, struct sk_bytes_in *in)
{
    uint8_t *items = (uint8_t *)(row + 1);

    row->count = sk_take_u32(in);
    if (row->count > (uint32_t)member->max) {
        return false;
    }
    for (uint32_t i = 0; i < row->count; i++) {
        if (!read_member(member->item, items + (size_t)i * member->item_size, in)) {
            return false;
        }
    }
    return true;
}

static bool
read_bool(bool *ret_bool, struct sk_bytes_in *in)
{
    uint8_t byte = sk_take_u8(in);

    *ret_bool = byte == 1;
    return byte <= 1;
}

static bool
read_value(const struct sk_member *member, void *at, struct sk_bytes_in *in)
{
    switch (member->kind) {
    case SK_KIND_INT:
        *(int32_t *)at = (int32_t)sk_take_u32(in);
        return true;
    case SK_KIND_CELL:
        ((struct sk_cell *)at)->x = (int32_t)sk_take_u32(in);
        ((struct sk_cell *)at)->y = (int32_t)sk_take_u32(in);
        return true;
    case SK_KIND_OBJECT:
        return read_members(member->object, at, in);
    case SK_KIND_ROW:
        return read_row(member, at, in);
    case SK_KIND_BOOL:
        return read_bool(at, in);
    default:
        *(uint8_t *)at = sk_take_u8(in);
        return true;
    }
}

static bool
read_member(const struct sk_member *member, uint8_t *form, struct sk_bytes_in *in)
{
    bool is_given = true;

    if ((member->flags & SK_TRACKED) != 0) {
        if (!read_bool(&is_given, in)) {
            return false;
        }
        *(bool *)(form + member->present) = is_given;
    }
    return !is_given || read_value(member, form + member->offset, in);
}

enum sk_status
sk_flat_snapshot_read(const struct sk_ruleset *ruleset, const void *config, struct sk_bytes_in *in,
                      struct sk_state *ret_state)
{
    struct sk_fault fault;

    return read_members(ruleset->state, (uint8_t *)(void *)ret_state, in) && !in->is_short &&
                   sk_flat_state_check(ruleset, config, ret_state, &fault) == SK_OK
               ? SK_OK
               : SK_ERR_CORRUPT;
}

/* ---- asking ------------------------------------------------------------------------------ */

void
sk_rules_guess(const struct sk_ruleset *ruleset, const struct sk_sizes *sizes, const void *config,
               const void *view, const struct sk_seed *seed, struct sk_state *ret_state)
{
    size_t hidden = sizes->state - sizes->view;
    size_t head = hidden < sizeof(*ret_state) ? sizeof(*ret_state) - hidden : 0;

    if (ruleset->guess != NULL) {
        ruleset->guess(config, view, seed, ret_state);
        return;
    }
    memcpy((uint8_t *)ret_state + hidden + head, (const uint8_t *)view + head, sizes->view - head);
}

enum sk_status
sk_rules_state_read(const struct sk_ruleset *ruleset, const void *config, const void *form,
                    struct sk_state *ret_state, struct sk_fault *ret_fault)
{
    if (ruleset->state_read != NULL) {
        return ruleset->state_read(config, form, ret_state, ret_fault);
    }
    sk_flat_copy(ruleset, form, ret_state);
    return sk_flat_state_check(ruleset, config, ret_state, ret_fault);
}

enum sk_status
sk_rules_view_form(const struct sk_ruleset *ruleset, const void *config, const void *view,
                   struct sk_arena *arena, void *ret_form)
{
    if (ruleset->view_form != NULL) {
        return ruleset->view_form(config, view, arena, ret_form);
    }
    sk_flat_copy(ruleset, view, ret_form);
    return SK_OK;
}

enum sk_status
sk_rules_state_form(const struct sk_ruleset *ruleset, const void *config,
                    const struct sk_state *state, struct sk_arena *arena, void *ret_form)
{
    struct sk_sizes sizes;

    if (ruleset->state_form != NULL) {
        return ruleset->state_form(config, state, arena, ret_form);
    }
    sk_rules_sizes(ruleset, config, &sizes);
    return sk_rules_view_form(ruleset, config, sk_rules_open_part(&sizes, state), arena, ret_form);
}
