#include "proto/schema_write.h"

#include <string.h>

#include "common/base/status.h"
#include "proto/json_pen.h"
#include "proto/json_put.h"

/* ---- values ------------------------------------------------------------------------------ */

/*
 * Writes the value at `at` to `to` and returns the place after it.  There is
 * space for SK_PEN_SPACE bytes; longer values ask the pen for more.
 */
typedef char *put_kind(struct sk_json_pen *pen, char *to, const struct sk_member *member,
                       const void *at);

static put_kind put_bool, put_int, put_long, put_enum, put_id, put_text, put_cell, put_json;
static put_kind put_list, put_map, put_row, put_object, put_variant;

static put_kind *const putters[] = {
    [SK_KIND_BOOL] = put_bool,       [SK_KIND_INT] = put_int,      [SK_KIND_ENUM] = put_enum,
    [SK_KIND_ID] = put_id,           [SK_KIND_ID_TEXT] = put_text, [SK_KIND_NAME] = put_text,
    [SK_KIND_TEXT] = put_text,       [SK_KIND_CELL] = put_cell,    [SK_KIND_OBJECT] = put_object,
    [SK_KIND_LIST] = put_list,       [SK_KIND_MAP] = put_map,      [SK_KIND_ROW] = put_row,
    [SK_KIND_VARIANT] = put_variant, [SK_KIND_LONG] = put_long,    [SK_KIND_JSON] = put_json,
};

static inline char *
put_value(struct sk_json_pen *pen, char *to, const struct sk_member *member, const uint8_t *form)
{
    if (sk_member_is_absent(member, form)) {
        return sk_json_put_text(to, SK_TEXT("null"));
    }
    return putters[member->kind](pen, to, member, form + member->offset);
}

static char *
put_bool(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    (void)pen;
    (void)member;
    return sk_json_put_text(to, *(const bool *)at ? SK_TEXT("true") : SK_TEXT("false"));
}

static char *
put_int(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    (void)pen;
    (void)member;
    return sk_json_put_int(to, *(const int32_t *)at);
}

static char *
put_long(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    (void)pen;
    (void)member;
    return sk_json_put_int(to, *(const int64_t *)at);
}

static char *
put_enum(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    uint8_t number = *(const uint8_t *)at;

    (void)pen;
    SK_ASSERT(number < member->word_count);
    return sk_json_put_word(to, member->words[number]);
}

static char *
put_cell(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    const struct sk_cell *cell = at;

    (void)pen;
    (void)member;
    *to++ = '[';
    to = sk_json_put_int(to, cell->x);
    *to++ = ',';
    to = sk_json_put_int(to, cell->y);
    *to++ = ']';
    return to;
}

static inline char *
put_any_text(struct sk_json_pen *pen, char *to, struct sk_text text)
{
    if (text.length > 8 || !sk_json_copy_plain8(to + 1, text.at, text.length)) {
        return sk_pen_text(pen, to, text);
    }
    *to++ = '"';
    to += text.length;
    *to++ = '"';
    return to;
}

static char *
put_text(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    (void)member;
    return put_any_text(pen, to, *(const struct sk_text *)at);
}

static char *
put_id(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    (void)member;
    return put_any_text(pen, to, sk_id_text(at));
}

static char *
put_json(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    const struct sk_json *json = at;

    (void)member;
    if (json->text.length == 0) {
        return sk_json_put_text(to, SK_TEXT("null"));
    }
    return sk_pen_raw(pen, to, json->text);
}

/* ---- lists ------------------------------------------------------------------------------- */

static char *
put_items(struct sk_json_pen *pen, char *to, const struct sk_member *member, const uint8_t *items,
          uint32_t count)
{
    *to++ = '[';
    for (uint32_t i = 0; i < count; i++) {
        to = sk_pen_space(pen, to);
        if (i > 0) {
            *to++ = ',';
        }
        to = put_value(pen, to, member->item, items + (size_t)i * member->item_size);
    }
    *to++ = ']';
    return to;
}

static char *
put_list(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    const struct sk_list *list = at;

    return put_items(pen, to, member, list->at, list->count);
}

static char *
put_row(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    const struct sk_row *row = at;
    uint32_t kept = (int64_t)row->count < member->max ? row->count : (uint32_t)member->max;

    return put_items(pen, to, member, (const uint8_t *)at + sizeof(*row), kept);
}

static char *
put_map(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    const struct sk_list *list = at;

    *to++ = '{';
    for (uint32_t i = 0; i < list->count; i++) {
        const void *entry = sk_list_item(list, i, member->item_size);

        to = sk_pen_space(pen, to);
        if (i > 0) {
            *to++ = ',';
        }
        to = put_any_text(pen, to, *(const struct sk_text *)entry);
        *to++ = ':';
        to = put_value(pen, to, member->item, entry);
    }
    *to++ = '}';
    return to;
}

/* ---- objects ----------------------------------------------------------------------------- */

/* The first key of an object has no comma in front. */
static inline char *
put_key(struct sk_json_pen *pen, char *to, struct sk_text key)
{
    if (to[-1] == '{') {
        key.at++;
        key.length--;
    }
    to = sk_pen_space(pen, to);
    if (key.length > SK_KEY_COPIED) {
        memcpy(to, key.at, key.length);
    } else {
        memcpy(to, key.at, SK_KEY_COPIED);
    }
    return to + key.length;
}

/* Of an object whose bracket or whose last member was put; without those of the schema's base. */
static char *
put_own_members(struct sk_json_pen *pen, char *to, const struct sk_schema *schema,
                const uint8_t *form)
{
    const struct sk_member *end = schema->members + schema->member_count;

    for (const struct sk_member *member = schema->members; member < end; member++) {
        if (!sk_member_is_absent(member, form)) {
            to = put_key(pen, to, member->key);
            to = putters[member->kind](pen, to, member, form + member->offset);
        } else if ((member->flags & SK_OPTIONAL) == 0) {
            to = sk_json_put_text(put_key(pen, to, member->key), SK_TEXT("null"));
        }
    }
    return to;
}

static char *
put_members(struct sk_json_pen *pen, char *to, const struct sk_schema *schema, const uint8_t *form)
{
    const struct sk_schema *base = schema->base;

    if (base == NULL) {
        return put_own_members(pen, to, schema, form);
    }
    if (base->is_tail) {
        return put_members(pen, put_own_members(pen, to, schema, form), base, form);
    }
    return put_own_members(pen, put_members(pen, to, base, form), schema, form);
}

static char *
put_object(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    *to++ = '{';
    to = put_members(pen, to, member->object, at);
    *to++ = '}';
    return to;
}

/* Copies more than the name: there is space. */
static inline char *
put_name(char *to, const struct sk_variant *variant)
{
    *to++ = '"';
    memcpy(to, variant->kind, sizeof(variant->kind));
    to += sk_padded_length(variant->kind);
    *to++ = '"';
    return to;
}

char *
sk_variant_put(struct sk_json_pen *pen, char *to, const struct sk_variants *variants,
               const void *form)
{
    uint8_t kind = ((const uint8_t *)form)[variants->kind_offset];

    SK_ASSERT(kind < variants->count);
    if (variants->tag == NULL) {
        to = sk_json_put_text(to, SK_TEXT("{\"kind\":"));
    } else {
        *to++ = '{';
        to = sk_json_put_word(to, variants->tag);
        *to++ = ':';
    }
    to = put_name(to, &variants->of[kind]);
    to = put_members(pen, to, variants->of[kind].schema, form);
    *to++ = '}';
    return to;
}

static char *
put_variant(struct sk_json_pen *pen, char *to, const struct sk_member *member, const void *at)
{
    return sk_variant_put(pen, to, member->variants, at);
}

/* ---- from outside ------------------------------------------------------------------------ */

void
sk_form_write(struct sk_json_out *out, const struct sk_schema *schema, const void *form)
{
    const struct sk_member object = { .object = schema };
    struct sk_json_pen pen;

    sk_pen_end(&pen, put_object(&pen, sk_pen_begin(&pen, out), &object, form));
}

void
sk_form_write_own(struct sk_json_out *out, const struct sk_schema *schema, const void *form)
{
    struct sk_json_pen pen;
    char *to = sk_pen_begin(&pen, out);

    *to++ = '{';
    sk_pen_end(&pen, put_own_members(&pen, to, schema, form));
}

void
sk_form_write_tail(struct sk_json_out *out, const struct sk_schema *schema, const void *form)
{
    struct sk_json_pen pen;

    out->follows_value = false; /* each key has its comma */
    sk_pen_end(&pen, put_members(&pen, sk_pen_begin(&pen, out), schema->base, form));
    sk_json_end_object(out);
}

void
sk_variant_write(struct sk_json_out *out, const struct sk_variants *variants, const void *form)
{
    struct sk_json_pen pen;

    sk_pen_end(&pen, sk_variant_put(&pen, sk_pen_begin(&pen, out), variants, form));
}

void
sk_variants_write(struct sk_json_out *out, const struct sk_variants *variants, const void *forms,
                  uint32_t count)
{
    const struct sk_member variant = { .kind = SK_KIND_VARIANT, .variants = variants };
    const struct sk_member list = { .item = &variant, .item_size = variants->size };
    struct sk_json_pen pen;

    sk_pen_end(&pen, put_items(&pen, sk_pen_begin(&pen, out), &list, forms, count));
}
