#include "proto/schema_write.h"

#include "common/base/status.h"

static void write_value(struct sk_json_out *out, const struct sk_member *member,
                        const uint8_t *form);

/* Has the member no value?  See the header. */
static bool
is_absent(const struct sk_member *member, const uint8_t *form)
{
    const uint8_t *at = form + member->offset;

    if ((member->flags & (SK_OPTIONAL | SK_NULLABLE)) == 0) {
        return false;
    }
    if ((member->flags & SK_TRACKED) != 0) {
        return !*(const bool *)(const void *)(form + member->present);
    }
    switch (member->kind) {
    case SK_KIND_ID:
        return at[0] == '\0';
    case SK_KIND_ID_TEXT:
    case SK_KIND_NAME:
        return ((const struct sk_text *)(const void *)at)->length == 0;
    case SK_KIND_TEXT:
        return member->min > 0 && ((const struct sk_text *)(const void *)at)->length == 0;
    case SK_KIND_JSON:
        return ((const struct sk_json *)(const void *)at)->text.length == 0;
    default:
        return false;
    }
}

static void
write_members(struct sk_json_out *out, const struct sk_schema *schema, const uint8_t *form)
{
    if (schema->base != NULL) {
        write_members(out, schema->base, form);
    }
    for (uint16_t i = 0; i < schema->member_count; i++) {
        const struct sk_member *member = &schema->members[i];
        bool absent = is_absent(member, form);

        if (absent && (member->flags & SK_OPTIONAL) != 0) {
            continue;
        }
        sk_json_key(out, member->name);
        if (absent) {
            sk_json_null(out);
        } else {
            write_value(out, member, form);
        }
    }
}

static void
write_items(struct sk_json_out *out, const struct sk_member *member, const uint8_t *items,
            uint32_t count)
{
    sk_json_begin_list(out);
    for (uint32_t i = 0; i < count; i++) {
        sk_member_write(out, member->item, items + (size_t)i * member->item_size);
    }
    sk_json_end_list(out);
}

static void
write_row(struct sk_json_out *out, const struct sk_member *member, const uint8_t *at)
{
    const struct sk_row *row = (const struct sk_row *)(const void *)at;
    uint32_t kept = (int64_t)row->count < member->max ? row->count : (uint32_t)member->max;

    write_items(out, member, at + sizeof(*row), kept);
}

static void
write_map(struct sk_json_out *out, const struct sk_member *member, const struct sk_list *list)
{
    sk_json_begin_object(out);
    for (uint32_t i = 0; i < list->count; i++) {
        const void *entry = sk_list_item(list, i, member->item_size);

        sk_json_key_text(out, *(const struct sk_text *)entry);
        sk_member_write(out, member->item, entry);
    }
    sk_json_end_object(out);
}

static void
write_cell(struct sk_json_out *out, const struct sk_cell *cell)
{
    sk_json_begin_list(out);
    sk_json_int(out, cell->x);
    sk_json_int(out, cell->y);
    sk_json_end_list(out);
}

static void
write_list(struct sk_json_out *out, const struct sk_member *member, const struct sk_list *list)
{
    write_items(out, member, list->at, list->count);
}

static void
write_json(struct sk_json_out *out, const struct sk_json *json)
{
    if (json->text.length == 0) {
        sk_json_null(out);
    } else {
        sk_json_raw(out, json->text);
    }
}

/* Requires a member that is not absent. */
static void
write_value(struct sk_json_out *out, const struct sk_member *member, const uint8_t *form)
{
    const void *at = form + member->offset;

    switch (member->kind) {
    case SK_KIND_BOOL:
        sk_json_bool(out, *(const bool *)at);
        break;
    case SK_KIND_INT:
        sk_json_int(out, *(const int32_t *)at);
        break;
    case SK_KIND_LONG:
        sk_json_int(out, *(const int64_t *)at);
        break;
    case SK_KIND_ENUM:
        SK_ASSERT(*(const uint8_t *)at < member->word_count);
        sk_json_string(out, member->words[*(const uint8_t *)at]);
        break;
    case SK_KIND_ID:
        sk_json_text(out, sk_id_text(at));
        break;
    case SK_KIND_ID_TEXT:
    case SK_KIND_NAME:
    case SK_KIND_TEXT:
        sk_json_text(out, *(const struct sk_text *)at);
        break;
    case SK_KIND_CELL:
        write_cell(out, at);
        break;
    case SK_KIND_OBJECT:
        sk_form_write(out, member->object, at);
        break;
    case SK_KIND_LIST:
        write_list(out, member, at);
        break;
    case SK_KIND_MAP:
        write_map(out, member, at);
        break;
    case SK_KIND_ROW:
        write_row(out, member, at);
        break;
    case SK_KIND_VARIANT:
        sk_variant_write(out, member->variants, at);
        break;
    case SK_KIND_JSON:
        write_json(out, at);
        break;
    }
}

void
sk_form_write(struct sk_json_out *out, const struct sk_schema *schema, const void *form)
{
    sk_json_begin_object(out);
    write_members(out, schema, form);
    sk_json_end_object(out);
}

void
sk_member_write(struct sk_json_out *out, const struct sk_member *member, const void *form)
{
    if (is_absent(member, form)) {
        sk_json_null(out);
    } else {
        write_value(out, member, form);
    }
}

void
sk_variant_write(struct sk_json_out *out, const struct sk_variants *variants, const void *form)
{
    uint8_t kind = ((const uint8_t *)form)[variants->kind_offset];

    SK_ASSERT(kind < variants->count);
    sk_json_begin_object(out);
    sk_json_key(out, sk_variants_tag(variants));
    sk_json_string(out, variants->of[kind].kind);
    write_members(out, variants->of[kind].schema, form);
    sk_json_end_object(out);
}

void
sk_variants_write(struct sk_json_out *out, const struct sk_variants *variants, const void *forms,
                  uint32_t count)
{
    const uint8_t *at = forms;

    sk_json_begin_list(out);
    for (uint32_t i = 0; i < count; i++) {
        sk_variant_write(out, variants, at + (size_t)i * variants->size);
    }
    sk_json_end_list(out);
}
