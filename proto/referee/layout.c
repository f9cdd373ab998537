#include "proto/referee/layout.h"

#include <stdlib.h>
#include <string.h>

/* ---- building ---------------------------------------------------------------------------- */

/* A block of nodes that follow each other; false = no memory. */
static bool
take_nodes(struct sk_layout *layout, uint32_t count, uint32_t *ret_first)
{
    if (layout->count + count > layout->size) {
        uint32_t size = 2 * (layout->count + count);
        struct sk_layout_node *nodes = realloc(layout->nodes, size * sizeof(*nodes));

        if (nodes == NULL) {
            return false;
        }
        layout->nodes = nodes;
        layout->size = size;
    }
    *ret_first = layout->count;
    memset(layout->nodes + layout->count, 0, count * sizeof(*layout->nodes));
    layout->count += count;
    return true;
}

static bool build_member(struct sk_layout *layout, uint32_t node, const struct sk_member *member);

static bool
take_children(struct sk_layout *layout, uint32_t node, uint32_t count)
{
    uint32_t first;

    if (!take_nodes(layout, count, &first)) {
        return false;
    }
    layout->nodes[node].child = first;
    layout->nodes[node].child_count = count;
    return true;
}

/* A base's members come first, as they do in JSON. */
static bool
build_schema(struct sk_layout *layout, uint32_t node, const struct sk_schema *schema)
{
    uint32_t base_count = schema->base == NULL ? 0 : schema->base->member_count;
    uint32_t count = base_count + schema->member_count;

    if (!take_children(layout, node, count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct sk_member *member =
            i < base_count ? &schema->base->members[i] : &schema->members[i - base_count];

        if (!build_member(layout, layout->nodes[node].child + i, member)) {
            return false;
        }
    }
    return true;
}

static bool
build_variants(struct sk_layout *layout, uint32_t node, const struct sk_variants *variants)
{
    if (!take_children(layout, node, variants->count)) {
        return false;
    }
    layout->nodes[node].is_choice = true;
    for (uint32_t i = 0; i < variants->count; i++) {
        if (!build_schema(layout, layout->nodes[node].child + i, variants->of[i].schema)) {
            return false;
        }
    }
    return true;
}

static bool
build_member(struct sk_layout *layout, uint32_t node, const struct sk_member *member)
{
    layout->nodes[node].member = member;
    switch (member->kind) {
    case SK_KIND_OBJECT:
        return build_schema(layout, node, member->object);
    case SK_KIND_VARIANT:
        return build_variants(layout, node, member->variants);
    case SK_KIND_ROW:
        layout->nodes[node].capacity = (uint32_t)member->max;
        /* fall through */
    case SK_KIND_LIST:
    case SK_KIND_MAP:
        return take_children(layout, node, 1) &&
               build_member(layout, layout->nodes[node].child, member->item);
    default:
        return true;
    }
}

static bool
begin(struct sk_layout *layout, struct sk_words *ids, struct sk_words *names)
{
    uint32_t root;

    *layout = (struct sk_layout){ .ids = ids, .names = names };
    return take_nodes(layout, 1, &root);
}

bool
sk_layout_of_schema(struct sk_layout *layout, const struct sk_schema *schema, struct sk_words *ids,
                    struct sk_words *names)
{
    return begin(layout, ids, names) && build_schema(layout, 0, schema);
}

bool
sk_layout_of_variants(struct sk_layout *layout, const struct sk_variants *variants,
                      struct sk_words *ids, struct sk_words *names)
{
    return begin(layout, ids, names) && build_variants(layout, 0, variants);
}

void
sk_layout_fini(struct sk_layout *layout)
{
    free(layout->nodes);
}

/* ---- measuring --------------------------------------------------------------------------- */

static bool measure(struct sk_layout *layout, struct sk_layout_node *node, const uint8_t *form);

static bool
measure_children(struct sk_layout *layout, const struct sk_layout_node *node, const uint8_t *form)
{
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (!measure(layout, &layout->nodes[node->child + i], form)) {
            return false;
        }
    }
    return true;
}

static void
widen(struct sk_layout_node *node, uint32_t count)
{
    node->capacity = count > node->capacity ? count : node->capacity;
}

static bool
measure_list(struct sk_layout *layout, struct sk_layout_node *node, const struct sk_list *list)
{
    bool is_map = node->member->kind == SK_KIND_MAP;

    widen(node, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const uint8_t *item = sk_list_item(list, i, node->member->item_size);

        if ((is_map && !sk_words_add(layout->names, *(const struct sk_text *)(const void *)item)) ||
            !measure(layout, &layout->nodes[node->child], item)) {
            return false;
        }
    }
    return true;
}

static bool
measure(struct sk_layout *layout, struct sk_layout_node *node, const uint8_t *form)
{
    const struct sk_member *member = node->member;
    const void *at;

    if (member == NULL) {
        return measure_children(layout, node, form);
    }
    if (sk_member_is_absent(member, form)) {
        return true;
    }
    at = form + member->offset;
    switch (member->kind) {
    case SK_KIND_ID:
        return sk_words_add(layout->ids, sk_id_text(at));
    case SK_KIND_ID_TEXT:
        return sk_words_add(layout->ids, *(const struct sk_text *)at);
    case SK_KIND_NAME:
        return sk_words_add(layout->names, *(const struct sk_text *)at);
    case SK_KIND_TEXT:
        widen(node, ((const struct sk_text *)at)->length);
        return true;
    case SK_KIND_OBJECT:
        return measure_children(layout, node, at);
    case SK_KIND_VARIANT:
        return measure(
            layout,
            &layout->nodes[node->child + ((const uint8_t *)at)[member->variants->kind_offset]], at);
    case SK_KIND_LIST:
    case SK_KIND_MAP:
        return measure_list(layout, node, at);
    default:
        return true;
    }
}

bool
sk_layout_measure(struct sk_layout *layout, const void *form)
{
    return measure(layout, &layout->nodes[0], form);
}

/* ---- widths ------------------------------------------------------------------------------ */

static uint32_t
bounded(uint64_t width)
{
    return width > SK_LAYOUT_WIDTH_MAX ? SK_LAYOUT_WIDTH_MAX + 1 : (uint32_t)width;
}

static uint32_t
places_of(const struct sk_layout_node *node, uint32_t list_max)
{
    uint32_t most = (uint32_t)node->member->max;
    uint32_t wanted = node->capacity > list_max ? node->capacity : list_max;

    return wanted < most ? wanted : most;
}

static uint64_t
width_of(const struct sk_layout *layout, struct sk_layout_node *node, uint32_t list_max)
{
    uint64_t sum = 0;
    uint32_t most = 0;

    for (uint32_t i = 0; i < node->child_count; i++) {
        struct sk_layout_node *child = &layout->nodes[node->child + i];

        child->width = bounded(width_of(layout, child, list_max));
        sum += child->width;
        most = child->width > most ? child->width : most;
    }
    if (node->is_choice || node->member == NULL) {
        sum = node->is_choice ? 1 + (uint64_t)most : sum;
        return sum + (node->member != NULL && sk_member_may_lack(node->member));
    }
    switch (node->member->kind) {
    case SK_KIND_OBJECT:
    case SK_KIND_JSON: /* has no place in a row */
        break;
    case SK_KIND_LONG:
    case SK_KIND_CELL:
        sum = 2;
        break;
    case SK_KIND_TEXT:
        node->capacity = places_of(node, list_max);
        sum = 1 + (uint64_t)node->capacity;
        break;
    case SK_KIND_LIST:
    case SK_KIND_MAP:
        node->capacity = places_of(node, list_max);
        sum = 1 + node->capacity * (sum + (node->member->kind == SK_KIND_MAP));
        break;
    case SK_KIND_ROW:
        sum = 1 + node->capacity * sum;
        break;
    default:
        sum = 1;
        break;
    }
    return sum + sk_member_may_lack(node->member);
}

bool
sk_layout_settle(struct sk_layout *layout, uint32_t list_max)
{
    layout->nodes[0].width = bounded(width_of(layout, &layout->nodes[0], list_max));
    return layout->nodes[0].width <= SK_LAYOUT_WIDTH_MAX;
}
