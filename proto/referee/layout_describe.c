/* A name and bounds for every number of a row. */
#include "common/core/picture.h"
#include "proto/referee/layout.h"

#define PATH_MAX_BYTES 256

/* A path grows at its end; the function that extends it cuts it back. */
struct describing {
    const struct sk_layout *layout;
    struct sk_json_out *out;
    struct sk_line path;
};

static void describe(struct describing *it, const struct sk_layout_node *node);

static void
field(struct describing *it, const char *last, int64_t min, int64_t max)
{
    size_t mark = it->path.used;

    if (last != NULL) {
        sk_line_say(&it->path, mark > 0 ? "/" : "");
        sk_line_say(&it->path, last);
    }
    sk_json_begin_object(it->out);
    sk_json_key(it->out, "name");
    sk_json_text(it->out, (struct sk_text){ it->path.at, (uint32_t)it->path.used });
    sk_json_key_int(it->out, "min", min);
    sk_json_key_int(it->out, "max", max);
    sk_json_end_object(it->out);
    it->path.used = mark;
}

static void
describe_children(struct describing *it, const struct sk_layout_node *node)
{
    for (uint32_t i = 0; i < node->child_count; i++) {
        describe(it, &it->layout->nodes[node->child + i]);
    }
}

static void
describe_items(struct describing *it, const struct sk_layout_node *node)
{
    size_t mark = it->path.used;

    field(it, "length", 0, node->member->max);
    for (uint32_t i = 0; i < node->capacity; i++) {
        sk_line_say(&it->path, "/");
        sk_line_say_number(&it->path, i);
        if (node->member->kind == SK_KIND_TEXT) {
            field(it, NULL, 0, UINT8_MAX);
        } else if (node->member->kind == SK_KIND_MAP) {
            field(it, "key", SK_WORD_UNKNOWN, (int64_t)it->layout->names->count - 1);
        }
        if (node->child_count > 0) {
            describe(it, &it->layout->nodes[node->child]);
        }
        it->path.used = mark;
    }
}

static void
describe_value(struct describing *it, const struct sk_layout_node *node)
{
    const struct sk_member *member = node->member;

    switch (member->kind) {
    case SK_KIND_BOOL:
        field(it, NULL, 0, 1);
        break;
    case SK_KIND_INT:
        field(it, NULL, member->min, member->max);
        break;
    case SK_KIND_ENUM:
        field(it, NULL, 0, member->word_count - 1);
        break;
    case SK_KIND_ID:
    case SK_KIND_ID_TEXT:
        field(it, NULL, SK_WORD_UNKNOWN, (int64_t)it->layout->ids->count - 1);
        break;
    case SK_KIND_NAME:
        field(it, NULL, SK_WORD_UNKNOWN, (int64_t)it->layout->names->count - 1);
        break;
    case SK_KIND_CELL:
        field(it, "x", member->min, member->max);
        field(it, "y", member->min, member->max);
        break;
    case SK_KIND_LONG:
        field(it, "low", INT32_MIN, INT32_MAX);
        field(it, "high", INT32_MIN, INT32_MAX);
        break;
    case SK_KIND_OBJECT:
        describe_children(it, node);
        break;
    case SK_KIND_TEXT:
    case SK_KIND_LIST:
    case SK_KIND_MAP:
    case SK_KIND_ROW:
        describe_items(it, node);
        break;
    case SK_KIND_VARIANT: /* what follows depends on the kind */
        field(it, sk_variants_tag(member->variants), 0, member->variants->count);
        for (uint32_t i = sk_member_may_lack(member) ? 2 : 1; i < node->width; i++) {
            field(it, "any", INT32_MIN, INT32_MAX);
        }
        break;
    case SK_KIND_JSON:
        break;
    }
}

static void
describe(struct describing *it, const struct sk_layout_node *node)
{
    size_t mark = it->path.used;

    if (node->member == NULL) {
        describe_children(it, node);
        return;
    }
    if (node->member->name != NULL) {
        sk_line_say(&it->path, mark > 0 ? "/" : "");
        sk_line_say_text(&it->path, sk_member_name(node->member));
    }
    if (sk_member_may_lack(node->member)) {
        field(it, "present", 0, 1);
    }
    describe_value(it, node);
    it->path.used = mark;
}

void
sk_layout_describe(const struct sk_layout *layout, uint32_t node, struct sk_json_out *out)
{
    char path[PATH_MAX_BYTES];
    struct describing it = { layout, out, { .at = path, .size = sizeof(path) } };

    sk_json_begin_list(out);
    describe(&it, &layout->nodes[node]);
    sk_json_end_list(out);
}
