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

/* ---- the fast way ------------------------------------------------------------------------ */

/*
 * Most members are short and most buffers have room: where there is so much
 * room, a member with a short value is written without asking again for each
 * piece.  It comes out the same.
 */
#define FAST_ROOM     512u
#define FAST_TEXT_MAX 128u

static inline char *
put_word(char *to, const char *word)
{
    while ((*to = *word++) != '\0') {
        to++;
    }
    return to;
}

static inline char *
put_quoted_word(char *to, const char *word)
{
    *to++ = '"';
    to = put_word(to, word);
    *to++ = '"';
    return to;
}

/* NULL when the number is not a small one. */
static inline char *
put_small_int(char *to, int64_t value)
{
    if (value < 0 || value > 99) {
        return NULL;
    }
    if (value > 9) {
        *to++ = (char)('0' + value / 10);
    }
    *to++ = (char)('0' + value % 10);
    return to;
}

static inline char *
put_small_cell(char *to, const struct sk_cell *cell)
{
    *to++ = '[';
    to = put_small_int(to, cell->x);
    if (to == NULL) {
        return NULL;
    }
    *to++ = ',';
    to = put_small_int(to, cell->y);
    if (to == NULL) {
        return NULL;
    }
    *to++ = ']';
    return to;
}

static inline char *
put_plain_text(char *to, struct sk_text text)
{
    if (text.length > FAST_TEXT_MAX || !sk_json_is_plain(text)) {
        return NULL;
    }
    *to++ = '"';
    for (uint32_t i = 0; i < text.length; i++) {
        *to++ = text.at[i];
    }
    *to++ = '"';
    return to;
}

/* The member's value, or NULL when it is not a short one: then nothing was written that counts. */
static inline char *
put_short_value(char *to, const struct sk_member *member, const void *at)
{
    switch (member->kind) {
    case SK_KIND_BOOL:
        return put_word(to, *(const bool *)at ? "true" : "false");
    case SK_KIND_INT:
        return put_small_int(to, *(const int32_t *)at);
    case SK_KIND_ENUM:
        SK_ASSERT(*(const uint8_t *)at < member->word_count);
        return put_quoted_word(to, member->words[*(const uint8_t *)at]);
    case SK_KIND_ID:
        return put_plain_text(to, sk_id_text(at));
    case SK_KIND_ID_TEXT:
    case SK_KIND_NAME:
    case SK_KIND_TEXT:
        return put_plain_text(to, *(const struct sk_text *)at);
    case SK_KIND_CELL:
        return put_small_cell(to, at);
    default:
        return NULL;
    }
}

static inline char *
put_key(char *to, const char *name, bool follows_value)
{
    if (follows_value) {
        *to++ = ',';
    }
    to = put_quoted_word(to, name);
    *to++ = ':';
    return to;
}

/* Writes the key, and the value if it is a short one; false when that is still to be written. */
static inline bool
write_fast(struct sk_json_out *out, const struct sk_member *member, const uint8_t *form,
           bool is_absent_one)
{
    char *key = put_key(out->at + out->used, member->name, out->follows_value);
    char *end =
        is_absent_one ? put_word(key, "null") : put_short_value(key, member, form + member->offset);

    out->used = (size_t)((end == NULL ? key : end) - out->at);
    out->follows_value = end != NULL;
    return end != NULL;
}

/* ---- members ----------------------------------------------------------------------------- */

static void
write_member(struct sk_json_out *out, const struct sk_member *member, const uint8_t *form)
{
    bool absent = is_absent(member, form);

    if (absent && (member->flags & SK_OPTIONAL) != 0) {
        return;
    }
    if (sk_json_has_room(out, FAST_ROOM)) {
        if (!write_fast(out, member, form, absent)) {
            write_value(out, member, form);
        }
        return;
    }
    sk_json_key(out, member->name);
    if (absent) {
        sk_json_null(out);
    } else {
        write_value(out, member, form);
    }
}

static void
write_members(struct sk_json_out *out, const struct sk_schema *schema, const uint8_t *form)
{
    if (schema->base != NULL) {
        write_members(out, schema->base, form);
    }
    for (uint16_t i = 0; i < schema->member_count; i++) {
        write_member(out, &schema->members[i], form);
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

static void
write_tag(struct sk_json_out *out, const char *tag, const char *kind)
{
    if (sk_json_has_room(out, FAST_ROOM)) {
        char *end = put_quoted_word(put_key(out->at + out->used, tag, false), kind);

        out->used = (size_t)(end - out->at);
        out->follows_value = true;
    } else {
        sk_json_key(out, tag);
        sk_json_string(out, kind);
    }
}

void
sk_variant_write(struct sk_json_out *out, const struct sk_variants *variants, const void *form)
{
    uint8_t kind = ((const uint8_t *)form)[variants->kind_offset];

    SK_ASSERT(kind < variants->count);
    sk_json_begin_object(out);
    write_tag(out, sk_variants_tag(variants), variants->of[kind].kind);
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
