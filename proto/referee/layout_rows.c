/* Forms to rows and back. */
#include <string.h>

#include "common/base/status.h"
#include "proto/referee/layout.h"

/* ---- forms to rows ----------------------------------------------------------------------- */

static void put(const struct sk_layout *layout, const struct sk_layout_node *node,
                const uint8_t *form, int32_t *to);

/* Most members are plain numbers and cells: they need no call. */
static inline bool
put_plain(const struct sk_member *member, const uint8_t *form, int32_t *to)
{
    if (member == NULL || sk_member_may_lack(member)) {
        return false;
    }
    if (member->kind == SK_KIND_INT) {
        memcpy(to, form + member->offset, sizeof(*to));
    } else if (member->kind == SK_KIND_CELL) {
        memcpy(to, form + member->offset, sizeof(struct sk_cell));
    } else {
        return false;
    }
    return true;
}

static void
put_children(const struct sk_layout *layout, const struct sk_layout_node *node, const uint8_t *form,
             int32_t *to)
{
    const struct sk_layout_node *child = &layout->nodes[node->child];
    const struct sk_layout_node *end = child + node->child_count;

    for (; child < end; child++) {
        if (!put_plain(child->member, form, to)) {
            put(layout, child, form, to);
        }
        to += child->width;
    }
}

static void
put_text(const struct sk_layout_node *node, struct sk_text text, int32_t *to)
{
    *to++ = (int32_t)text.length;
    for (uint32_t i = 0; i < text.length && i < node->capacity; i++) {
        to[i] = (uint8_t)text.at[i];
    }
}

static void
put_items(const struct sk_layout *layout, const struct sk_layout_node *node,
          const struct sk_list *list, int32_t *to)
{
    const struct sk_layout_node *item = &layout->nodes[node->child];
    bool is_map = node->member->kind == SK_KIND_MAP;

    *to++ = (int32_t)list->count;
    for (uint32_t i = 0; i < list->count && i < node->capacity; i++) {
        const uint8_t *at = sk_list_item(list, i, node->member->item_size);

        if (is_map) {
            *to++ = sk_words_find(layout->names, *(const struct sk_text *)(const void *)at);
        }
        put(layout, item, at, to);
        to += item->width;
    }
}

static void
put_row(const struct sk_layout *layout, const struct sk_layout_node *node, const uint8_t *at,
        int32_t *to)
{
    struct sk_list list = { (uint8_t *)(uintptr_t)(at + sizeof(struct sk_row)),
                            ((const struct sk_row *)(const void *)at)->count };

    put_items(layout, node, &list, to);
}

static void
put_choice(const struct sk_layout *layout, const struct sk_layout_node *node,
           const struct sk_variants *variants, const uint8_t *form, int32_t *to)
{
    uint8_t kind = form[variants->kind_offset];

    SK_ASSERT(kind < node->child_count);
    *to = 1 + kind;
    put(layout, &layout->nodes[node->child + kind], form, to + 1);
}

static void
put_value(const struct sk_layout *layout, const struct sk_layout_node *node, const void *at,
          int32_t *to)
{
    switch (node->member->kind) {
    case SK_KIND_BOOL:
        *to = *(const bool *)at;
        break;
    case SK_KIND_INT:
        *to = *(const int32_t *)at;
        break;
    case SK_KIND_ENUM:
        *to = *(const uint8_t *)at;
        break;
    case SK_KIND_ID:
        *to = sk_words_find(layout->ids, sk_id_text(at));
        break;
    case SK_KIND_ID_TEXT:
        *to = sk_words_find(layout->ids, *(const struct sk_text *)at);
        break;
    case SK_KIND_NAME:
        *to = sk_words_find(layout->names, *(const struct sk_text *)at);
        break;
    case SK_KIND_TEXT:
        put_text(node, *(const struct sk_text *)at, to);
        break;
    case SK_KIND_LONG:
        to[0] = (int32_t)(uint32_t) * (const int64_t *)at;
        to[1] = (int32_t)(*(const int64_t *)at >> 32);
        break;
    case SK_KIND_CELL:
        memcpy(to, at, sizeof(struct sk_cell));
        break;
    case SK_KIND_OBJECT:
        put_children(layout, node, at, to);
        break;
    case SK_KIND_LIST:
    case SK_KIND_MAP:
        put_items(layout, node, at, to);
        break;
    case SK_KIND_ROW:
        put_row(layout, node, at, to);
        break;
    case SK_KIND_VARIANT:
        put_choice(layout, node, node->member->variants, at, to);
        break;
    case SK_KIND_JSON:
        break;
    }
}

/* Into zeroed numbers. */
static void
put(const struct sk_layout *layout, const struct sk_layout_node *node, const uint8_t *form,
    int32_t *to)
{
    const struct sk_member *member = node->member;

    if (member == NULL) {
        put_children(layout, node, form, to);
        return;
    }
    if (sk_member_may_lack(member)) {
        if (sk_member_is_absent(member, form)) {
            return;
        }
        *to++ = 1;
    }
    put_value(layout, node, form + member->offset, to);
}

void
sk_layout_put(const struct sk_layout *layout, const void *form, int32_t *ret_row)
{
    memset(ret_row, 0, layout->nodes[0].width * sizeof(*ret_row));
    put(layout, &layout->nodes[0], form, ret_row);
}

void
sk_layout_put_variant(const struct sk_layout *layout, const struct sk_variants *variants,
                      const void *form, int32_t *ret_row)
{
    memset(ret_row, 0, layout->nodes[0].width * sizeof(*ret_row));
    put_choice(layout, &layout->nodes[0], variants, form, ret_row);
}

/* ---- rows to forms ----------------------------------------------------------------------- */

bool
sk_layout_is_readable(const struct sk_layout *layout)
{
    static const uint32_t readable = 1u << SK_KIND_BOOL | 1u << SK_KIND_INT | 1u << SK_KIND_ENUM |
                                     1u << SK_KIND_ID | 1u << SK_KIND_CELL | 1u << SK_KIND_OBJECT |
                                     1u << SK_KIND_ROW;

    for (uint32_t i = 0; i < layout->count; i++) {
        const struct sk_member *member = layout->nodes[i].member;

        if (member != NULL && (readable >> member->kind & 1) == 0) {
            return false;
        }
    }
    return true;
}

static bool take(const struct sk_layout *layout, const struct sk_layout_node *node,
                 const int32_t *from, uint8_t *form);

static bool
take_children(const struct sk_layout *layout, const struct sk_layout_node *node,
              const int32_t *from, uint8_t *form)
{
    const struct sk_layout_node *child = &layout->nodes[node->child];

    for (uint32_t i = 0; i < node->child_count; i++) {
        if (!take(layout, &child[i], from, form)) {
            return false;
        }
        from += child[i].width;
    }
    return true;
}

static bool
take_row(const struct sk_layout *layout, const struct sk_layout_node *node, const int32_t *from,
         uint8_t *at)
{
    const struct sk_layout_node *item = &layout->nodes[node->child];
    int32_t count = *from++;

    if (count < 0 || (uint32_t)count > node->capacity) {
        return false;
    }
    ((struct sk_row *)(void *)at)->count = (uint32_t)count;
    at += sizeof(struct sk_row);
    for (int32_t i = 0; i < count; i++) {
        if (!take(layout, item, from, at)) {
            return false;
        }
        from += item->width;
        at += node->member->item_size;
    }
    return true;
}

static bool
is_within(int32_t value, int32_t min, int32_t max)
{
    return value >= min && value <= max;
}

static bool
take_value(const struct sk_layout *layout, const struct sk_layout_node *node, const int32_t *from,
           uint8_t *at)
{
    const struct sk_member *member = node->member;

    switch (member->kind) {
    case SK_KIND_BOOL:
        *(bool *)at = *from != 0;
        return is_within(*from, 0, 1);
    case SK_KIND_INT:
        memcpy(at, from, sizeof(*from));
        return is_within(*from, member->min, member->max);
    case SK_KIND_ENUM:
        *at = (uint8_t)*from;
        return is_within(*from, 0, member->word_count - 1);
    case SK_KIND_ID:
        if (!is_within(*from, 0, (int32_t)layout->ids->count - 1)) {
            return false;
        }
        memcpy(at, &layout->ids->at[*from], sizeof(struct sk_id));
        return true;
    case SK_KIND_CELL:
        memcpy(at, from, sizeof(struct sk_cell));
        return is_within(from[0], member->min, member->max) &&
               is_within(from[1], member->min, member->max);
    case SK_KIND_OBJECT:
        return take_children(layout, node, from, at);
    case SK_KIND_ROW:
        return take_row(layout, node, from, at);
    default:
        return false;
    }
}

static bool
take(const struct sk_layout *layout, const struct sk_layout_node *node, const int32_t *from,
     uint8_t *form)
{
    const struct sk_member *member = node->member;

    if (member == NULL) {
        return take_children(layout, node, from, form);
    }
    if (sk_member_may_lack(member)) {
        if (*from == 0) {
            sk_member_fallback(member, form);
            return true;
        }
        if (*from++ != 1) {
            return false;
        }
    }
    if ((member->flags & SK_TRACKED) != 0) {
        *(bool *)(form + member->present) = true;
    }
    return take_value(layout, node, from, form + member->offset);
}

bool
sk_layout_take_variant(const struct sk_layout *layout, const struct sk_variants *variants,
                       const int32_t *row, void *ret_form)
{
    if (!is_within(row[0], 1, variants->count)) {
        return false;
    }
    ((uint8_t *)ret_form)[variants->kind_offset] = (uint8_t)(row[0] - 1);
    return take(layout, &layout->nodes[layout->nodes[0].child + (uint32_t)row[0] - 1], row + 1,
                ret_form);
}
