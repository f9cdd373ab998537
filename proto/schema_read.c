#include "proto/schema_read.h"

#include <string.h>

#include "proto/json_value.h"
#include "proto/schema_scalar.h"

#define SEEN_MAX 64 /* members of one object: one bit each */

static enum sk_status read_value(const struct sk_reading *in, const struct sk_member *member,
                                 const struct sk_value *json, uint8_t *form);

/* ---- objects ----------------------------------------------------------------------------- */

/* A schema's members with those of its bases in front, numbered from 0. */
static uint32_t
members_before(const struct sk_schema *schema)
{
    const struct sk_schema *base = schema->base;

    return base == NULL ? 0 : members_before(base) + base->member_count;
}

/*
 * Looks keys up.  Keys mostly come in the table's order, so the member behind
 * the one found last is tried first.
 */
struct lookup {
    const struct sk_schema *schema; /* the one looked at last: the form's own or one of its bases */
    uint32_t next;                  /* place in its table */
    uint32_t before;                /* members of its bases */
};

/* Begins with the outermost base. */
static void
lookup_start(struct lookup *lookup, const struct sk_schema *schema)
{
    while (schema->base != NULL) {
        schema = schema->base;
    }
    *lookup = (struct lookup){ .schema = schema };
}

static bool
lookup_search(struct lookup *lookup, const struct sk_schema *schema, const struct sk_value *key)
{
    for (; schema != NULL; schema = schema->base) {
        for (uint16_t i = 0; i < schema->member_count; i++) {
            if (sk_value_says_text(key, sk_member_name(&schema->members[i]))) {
                *lookup = (struct lookup){ schema, i, members_before(schema) };
                return true;
            }
        }
    }
    return false;
}

/* The key's member and its number, or NULL. */
static const struct sk_member *
lookup_key(struct lookup *lookup, const struct sk_schema *schema, const struct sk_value *key,
           uint32_t *ret_number)
{
    bool is_next = lookup->next < lookup->schema->member_count &&
                   sk_value_says_text(key, sk_member_name(&lookup->schema->members[lookup->next]));

    if (!is_next && !lookup_search(lookup, schema, key)) {
        return NULL;
    }
    *ret_number = lookup->before + lookup->next;
    return &lookup->schema->members[lookup->next++];
}

/* Missing members: fallbacks, or a fault at the member's place. */
static enum sk_status
fill_missing(const struct sk_reading *in, const struct sk_schema *schema, uint64_t seen,
             uint8_t *form)
{
    for (; schema != NULL; schema = schema->base) {
        uint32_t before = members_before(schema);

        for (uint16_t i = 0; i < schema->member_count; i++) {
            const struct sk_member *member = &schema->members[i];

            if ((seen >> (before + i) & 1) != 0) {
                continue;
            }
            if ((member->flags & SK_OPTIONAL) == 0) {
                return sk_reading_inside(in, member->name,
                                         sk_reading_malformed(in, "this member is missing"));
            }
            sk_member_fallback(member, form);
        }
    }
    return SK_OK;
}

static enum sk_status
settle_missing(const struct sk_reading *in, const struct sk_schema *schema, uint64_t seen,
               uint8_t *form)
{
    uint32_t count = members_before(schema) + schema->member_count;
    uint64_t all = count == SEEN_MAX ? UINT64_MAX : ((uint64_t)1 << count) - 1;

    SK_ASSERT(count <= SEEN_MAX);
    return seen == all ? SK_OK : fill_missing(in, schema, seen, form);
}

/* Hands the status on; a fault's position gets the key in front. */
static enum sk_status
inside_key(const struct sk_reading *in, const struct sk_value *key, enum sk_status status)
{
    char space[SK_FAULT_AT_MAX];

    if (status != SK_OK) {
        sk_fault_inside(in->fault,
                        (struct sk_text){ space, sk_value_copy(key, space, sizeof(space)) });
    }
    return status;
}

static enum sk_status
unknown_key(const struct sk_reading *in, const struct sk_value *key)
{
    return inside_key(in, key, sk_reading_malformed(in, "there is no such member"));
}

/* `skipped` is a key that the caller has read, or NULL. */
static enum sk_status
read_members(const struct sk_reading *in, const struct sk_schema *schema,
             const struct sk_value *json, const struct sk_value *skipped, uint8_t *form)
{
    struct lookup lookup;
    uint64_t seen = 0;
    const struct sk_value *key = sk_value_first(json);
    const struct sk_value *value;

    lookup_start(&lookup, schema);
    for (uint32_t i = 0; i < json->count; i++, key = sk_value_next(value)) {
        const struct sk_member *member;
        enum sk_status status;
        uint32_t number;

        value = sk_value_next(key);
        if (key == skipped) {
            continue;
        }
        member = lookup_key(&lookup, schema, key, &number);
        if (member == NULL) {
            return unknown_key(in, key);
        }
        status = read_value(in, member, value, form);
        if (status != SK_OK) {
            return inside_key(in, key, status);
        }
        seen |= (uint64_t)1 << number;
    }
    return settle_missing(in, schema, seen, form);
}

static enum sk_status
read_form(const struct sk_reading *in, const struct sk_schema *schema, const struct sk_value *json,
          uint8_t *form)
{
    if (!sk_value_is(json, SK_VALUE_OBJECT)) {
        return sk_reading_wrong_type(in, "an object", json);
    }
    return read_members(in, schema, json, NULL, form);
}

static enum sk_status
read_object(const struct sk_reading *in, const struct sk_member *member,
            const struct sk_value *json, uint8_t *form)
{
    return read_form(in, member->object, json, form + member->offset);
}

/* ---- variants ---------------------------------------------------------------------------- */

static enum sk_status
unknown_kind(const struct sk_reading *in, const struct sk_variants *variants)
{
    (void)sk_reading_malformed(in, "expected one of ");
    for (uint16_t i = 0; i < variants->count; i++) {
        sk_fault_say(in->fault, i == 0 ? "" : ", ");
        sk_fault_say(in->fault, variants->of[i].kind);
    }
    return sk_reading_inside(in, sk_variants_tag(variants), SK_ERR_REFUSED);
}

/* The key of the kind's name. */
static enum sk_status
find_kind(const struct sk_reading *in, const char *tag, const struct sk_value *json,
          const struct sk_value **ret_key)
{
    const struct sk_value *key = sk_value_first(json);
    uint32_t i = 0;

    while (i < json->count && !sk_value_says(key, tag)) {
        key = sk_value_next(sk_value_next(key));
        i++;
    }
    if (i == json->count) {
        return sk_reading_inside(in, tag, sk_reading_malformed(in, "this member is missing"));
    }
    if (sk_value_next(key)->kind != SK_VALUE_TEXT) {
        return sk_reading_inside(in, tag, sk_reading_wrong_type(in, "a text", sk_value_next(key)));
    }
    *ret_key = key;
    return SK_OK;
}

/* The variant that the text names, or their number.  A short text is compared as one word with the
 * names, which are padded with zeros; behind a document there is space to read it so. */
static uint16_t
find_variant(const struct sk_value *text, const struct sk_variants *variants)
{
    uint16_t i = 0;

    if (text->length < 8 && !text->is_escaped) {
        uint64_t word =
            sk_json_word_at((const uint8_t *)text->at) & (((uint64_t)1 << 8 * text->length) - 1);

        while (i < variants->count &&
               sk_json_word_at((const uint8_t *)variants->of[i].kind) != word) {
            i++;
        }
    } else {
        while (i < variants->count && !sk_value_says(text, variants->of[i].kind)) {
            i++;
        }
    }
    return i;
}

static enum sk_status
read_variant_form(const struct sk_reading *in, const struct sk_variants *variants,
                  const struct sk_value *json, uint8_t *form)
{
    const char *tag = sk_variants_tag(variants);
    const struct sk_value *key = NULL;
    enum sk_status status;
    uint16_t kind;

    if (!sk_value_is(json, SK_VALUE_OBJECT)) {
        return sk_reading_wrong_type(in, "an object", json);
    }
    status = find_kind(in, tag, json, &key);
    if (status != SK_OK) {
        return status;
    }
    kind = find_variant(sk_value_next(key), variants);
    if (kind == variants->count) {
        return unknown_kind(in, variants);
    }
    form[variants->kind_offset] = (uint8_t)kind;
    return read_members(in, variants->of[kind].schema, json, key, form);
}

static enum sk_status
read_variant(const struct sk_reading *in, const struct sk_member *member,
             const struct sk_value *json, uint8_t *form)
{
    return read_variant_form(in, member->variants, json, form + member->offset);
}

/* ---- lists ------------------------------------------------------------------------------- */

/* `*item` is the first one to read, and afterwards the one behind those. */
static enum sk_status
read_items(const struct sk_reading *in, const struct sk_member *member,
           const struct sk_value **item, uint32_t count, uint8_t *items)
{
    for (uint32_t i = 0; i < count; i++) {
        enum sk_status status =
            read_value(in, member->item, *item, items + (size_t)i * member->item_size);

        if (status != SK_OK) {
            return sk_reading_inside_index(in, i, status);
        }
        *item = sk_value_next(*item);
    }
    return SK_OK;
}

static enum sk_status
read_list(const struct sk_reading *in, const struct sk_member *member, const struct sk_value *json,
          uint8_t *form)
{
    struct sk_list *list = (struct sk_list *)(void *)(form + member->offset);
    const struct sk_value *item = sk_value_first(json);
    uint32_t count = json->count;

    if (!sk_value_is(json, SK_VALUE_LIST)) {
        return sk_reading_wrong_type(in, "a list", json);
    }
    if ((int64_t)count < member->min || (int64_t)count > member->max) {
        return sk_reading_out_of_bounds(in, member, " items", (int64_t)count);
    }
    list->at = sk_arena_take_items(in->arena, count, member->item_size);
    if (list->at == NULL) {
        return sk_reading_used_up(in);
    }
    list->count = count;
    return read_items(in, member, &item, count, list->at);
}

/* Items that are not kept are checked, too; they share one place in the arena. */
static enum sk_status
check_items(const struct sk_reading *in, const struct sk_member *member,
            const struct sk_value *value, uint32_t from, uint32_t count)
{
    size_t mark = in->arena->used;
    enum sk_status status = SK_OK;

    for (uint32_t i = from; i < count && status == SK_OK; i++) {
        uint8_t *item = sk_arena_take(in->arena, member->item_size);

        if (item == NULL) {
            return sk_reading_used_up(in);
        }
        status = sk_reading_inside_index(in, i, read_value(in, member->item, value, item));
        value = sk_value_next(value);
        in->arena->used = mark;
    }
    return status;
}

static enum sk_status
read_row(const struct sk_reading *in, const struct sk_member *member, const struct sk_value *json,
         uint8_t *form)
{
    struct sk_row *row = (struct sk_row *)(void *)(form + member->offset);
    const struct sk_value *item = sk_value_first(json);
    uint32_t count = json->count;
    uint32_t kept;
    enum sk_status status;

    if (!sk_value_is(json, SK_VALUE_LIST)) {
        return sk_reading_wrong_type(in, "a list", json);
    }
    if ((int64_t)count < member->min) {
        (void)sk_reading_malformed(in, "expected at least ");
        sk_fault_say_number(in->fault, member->min);
        sk_fault_say(in->fault, " items");
        return SK_ERR_REFUSED;
    }
    row->count = count;
    kept = (int64_t)count < member->max ? count : (uint32_t)member->max;
    status = read_items(in, member, &item, kept, form + member->offset + sizeof(*row));
    if (status != SK_OK) {
        return status;
    }
    return check_items(in, member, item, kept, count);
}

static enum sk_status
read_entry(const struct sk_reading *in, const struct sk_member *member, const struct sk_value *from,
           uint8_t *entry)
{
    static const struct sk_member bounds = { .min = 1, .max = SK_NAME_MAX };
    struct sk_text key;
    enum sk_status status;

    if (!sk_value_text(from, in->arena, &key)) {
        return sk_reading_used_up(in);
    }
    if (key.length < 1 || key.length > SK_NAME_MAX) {
        return sk_reading_out_of_bounds(in, &bounds, " bytes of key", key.length);
    }
    status = sk_reading_keep_text(in, key, (struct sk_text *)(void *)entry);
    if (status != SK_OK) {
        return status;
    }
    return read_value(in, member->item, sk_value_next(from), entry);
}

static enum sk_status
read_map(const struct sk_reading *in, const struct sk_member *member, const struct sk_value *json,
         uint8_t *form)
{
    struct sk_list *list = (struct sk_list *)(void *)(form + member->offset);
    const struct sk_value *key = sk_value_first(json);
    uint32_t count = json->count;
    uint8_t *at;

    if (!sk_value_is(json, SK_VALUE_OBJECT)) {
        return sk_reading_wrong_type(in, "an object", json);
    }
    if ((int64_t)count < member->min || (int64_t)count > member->max) {
        return sk_reading_out_of_bounds(in, member, " keys", (int64_t)count);
    }
    at = sk_arena_take_items(in->arena, count, member->item_size);
    if (at == NULL) {
        return sk_reading_used_up(in);
    }
    *list = (struct sk_list){ at, count };
    for (uint32_t i = 0; i < count; i++) {
        enum sk_status status = read_entry(in, member, key, at);

        if (status != SK_OK) {
            return inside_key(in, key, status);
        }
        at += member->item_size;
        key = sk_value_next(sk_value_next(key));
    }
    return SK_OK;
}

/* ---- members ----------------------------------------------------------------------------- */

static sk_read_kind *const readers[] = {
    [SK_KIND_BOOL] = sk_read_bool,
    [SK_KIND_INT] = sk_read_int,
    [SK_KIND_ENUM] = sk_read_enum,
    [SK_KIND_ID] = sk_read_id,
    [SK_KIND_ID_TEXT] = sk_read_id_text,
    [SK_KIND_NAME] = sk_read_name,
    [SK_KIND_TEXT] = sk_read_text,
    [SK_KIND_CELL] = sk_read_cell,
    [SK_KIND_OBJECT] = read_object,
    [SK_KIND_LIST] = read_list,
    [SK_KIND_MAP] = read_map,
    [SK_KIND_ROW] = read_row,
    [SK_KIND_VARIANT] = read_variant,
    [SK_KIND_LONG] = sk_read_long,
    [SK_KIND_JSON] = sk_read_json,
};

static enum sk_status
read_value(const struct sk_reading *in, const struct sk_member *member, const struct sk_value *json,
           uint8_t *form)
{
    enum sk_status status;

    if (json->kind == SK_VALUE_NULL && (member->flags & SK_NULLABLE) != 0) {
        return SK_OK;
    }
    status = readers[member->kind](in, member, json, form);
    if (status == SK_OK && (member->flags & SK_TRACKED) != 0) {
        *(bool *)(void *)(form + member->present) = true;
    }
    return status;
}

enum sk_status
sk_form_read(const struct sk_schema *schema, const struct sk_value *json, struct sk_arena *arena,
             void *ret_form, struct sk_fault *ret_fault)
{
    struct sk_reading in = { arena, ret_fault };

    memset(ret_form, 0, schema->size);
    return read_form(&in, schema, json, ret_form);
}

enum sk_status
sk_member_read(const struct sk_member *member, const struct sk_value *json, struct sk_arena *arena,
               void *form, struct sk_fault *ret_fault)
{
    struct sk_reading in = { arena, ret_fault };

    return read_value(&in, member, json, form);
}

enum sk_status
sk_variant_read(const struct sk_variants *variants, const struct sk_value *json,
                struct sk_arena *arena, void *ret_form, struct sk_fault *ret_fault)
{
    struct sk_reading in = { arena, ret_fault };

    memset(ret_form, 0, variants->size);
    return read_variant_form(&in, variants, json, ret_form);
}

enum sk_status
sk_commands_read(const struct sk_variants *variants, const struct sk_value *json,
                 uint32_t count_max, struct sk_arena *arena, struct sk_list *ret_commands,
                 struct sk_fault *ret_fault)
{
    struct sk_reading in = { arena, ret_fault };
    const struct sk_member command = { .kind = SK_KIND_VARIANT, .variants = variants };
    const struct sk_member commands = { .kind = SK_KIND_LIST,
                                        .item = &command,
                                        .item_size = variants->size,
                                        .max = (int32_t)count_max };

    return read_value(&in, &commands, json, (uint8_t *)ret_commands);
}
