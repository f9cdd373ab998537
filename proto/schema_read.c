#include "proto/schema_read.h"

#include <json-c/json.h>
#include <string.h>

#define SEEN_MAX 64 /* members of one object: one bit each */

/* What every function here needs; each puts its own step in front of a fault's position. */
struct reading {
    struct sk_arena *arena;
    struct sk_fault *fault;
};

static enum sk_status read_value(const struct reading *in, const struct sk_member *member,
                                 struct json_object *json, uint8_t *form);

/* ---- faults ------------------------------------------------------------------------------ */

static const char *
found_word(struct json_object *json)
{
    switch (json_object_get_type(json)) {
    case json_type_null:
        return "null";
    case json_type_boolean:
        return "a boolean";
    case json_type_int:
        return "a number";
    case json_type_double:
        return "a fraction";
    case json_type_string:
        return "a text";
    case json_type_array:
        return "a list";
    case json_type_object:
        return "an object";
    }
    return "something else";
}

static enum sk_status
malformed(const struct reading *in, const char *message)
{
    return sk_fault_set(in->fault, "malformed", message);
}

static enum sk_status
wrong_type(const struct reading *in, const char *expected, struct json_object *json)
{
    (void)malformed(in, "expected ");
    sk_fault_say(in->fault, expected);
    sk_fault_say(in->fault, ", found ");
    sk_fault_say(in->fault, found_word(json));
    return SK_ERR_REFUSED;
}

/* A number and what it counts, where it counts something: " items". */
static enum sk_status
out_of_bounds(const struct reading *in, const struct sk_member *bounds, const char *unit,
              int64_t found)
{
    (void)malformed(in, "expected ");
    sk_fault_say_number(in->fault, bounds->min);
    sk_fault_say(in->fault, " to ");
    sk_fault_say_number(in->fault, bounds->max);
    sk_fault_say(in->fault, unit);
    sk_fault_say(in->fault, ", found ");
    sk_fault_say_number(in->fault, found);
    return SK_ERR_REFUSED;
}

static enum sk_status
used_up(const struct reading *in)
{
    return sk_fault_set(in->fault, "too_large", "there is no room for so much");
}

static enum sk_status
inside(const struct reading *in, const char *name, enum sk_status status)
{
    if (status != SK_OK) {
        sk_fault_inside(in->fault, sk_text_of(name));
    }
    return status;
}

static enum sk_status
inside_index(const struct reading *in, size_t index, enum sk_status status)
{
    if (status != SK_OK) {
        sk_fault_inside_index(in->fault, (uint32_t)index);
    }
    return status;
}

/* ---- scalars ----------------------------------------------------------------------------- */

static enum sk_status
read_bool(const struct reading *in, const struct sk_member *member, struct json_object *json,
          uint8_t *form)
{
    if (!json_object_is_type(json, json_type_boolean)) {
        return wrong_type(in, "true or false", json);
    }
    *(bool *)(void *)(form + member->offset) = json_object_get_boolean(json) != 0;
    return SK_OK;
}

static enum sk_status
read_number(const struct reading *in, const struct sk_member *member, struct json_object *json,
            int32_t *ret_number)
{
    int64_t number;

    if (!json_object_is_type(json, json_type_int)) {
        return wrong_type(in, "an integer", json);
    }
    number = json_object_get_int64(json);
    if (number < member->min || number > member->max) {
        return out_of_bounds(in, member, "", number);
    }
    *ret_number = (int32_t)number;
    return SK_OK;
}

static enum sk_status
read_int(const struct reading *in, const struct sk_member *member, struct json_object *json,
         uint8_t *form)
{
    return read_number(in, member, json, (int32_t *)(void *)(form + member->offset));
}

static enum sk_status
read_cell(const struct reading *in, const struct sk_member *member, struct json_object *json,
          uint8_t *form)
{
    struct sk_cell *cell = (struct sk_cell *)(void *)(form + member->offset);
    enum sk_status status;

    if (!json_object_is_type(json, json_type_array)) {
        return wrong_type(in, "a cell [x,y]", json);
    }
    if (json_object_array_length(json) != 2) {
        return malformed(in, "expected a cell of two numbers [x,y]");
    }
    status = read_number(in, member, json_object_array_get_idx(json, 0), &cell->x);
    if (status != SK_OK) {
        return inside_index(in, 0, status);
    }
    status = read_number(in, member, json_object_array_get_idx(json, 1), &cell->y);
    return inside_index(in, 1, status);
}

/* The text as json-c holds it. */
static enum sk_status
borrow_text(const struct reading *in, struct json_object *json, struct sk_text *ret_text)
{
    if (!json_object_is_type(json, json_type_string)) {
        return wrong_type(in, "a text", json);
    }
    ret_text->at = json_object_get_string(json);
    ret_text->length = (uint32_t)json_object_get_string_len(json);
    return SK_OK;
}

static enum sk_status
keep_text(const struct reading *in, struct sk_text text, struct sk_text *ret_text)
{
    char *room = sk_arena_take(in->arena, text.length);

    if (room == NULL) {
        return used_up(in);
    }
    if (text.length > 0) {
        memcpy(room, text.at, text.length);
    }
    *ret_text = (struct sk_text){ room, text.length };
    return SK_OK;
}

/* Lists the words that would have been right. */
static enum sk_status
unknown_word(const struct reading *in, const struct sk_member *member)
{
    (void)malformed(in, "expected one of ");
    for (uint16_t i = 0; i < member->word_count; i++) {
        sk_fault_say(in->fault, i == 0 ? "" : ", ");
        sk_fault_say(in->fault, member->words[i]);
    }
    return SK_ERR_REFUSED;
}

static enum sk_status
read_enum(const struct reading *in, const struct sk_member *member, struct json_object *json,
          uint8_t *form)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = borrow_text(in, json, &text);

    if (status != SK_OK) {
        return status;
    }
    for (uint16_t i = 0; i < member->word_count; i++) {
        if (sk_text_same(text, sk_text_of(member->words[i]))) {
            form[member->offset] = (uint8_t)i;
            return SK_OK;
        }
    }
    return unknown_word(in, member);
}

static enum sk_status
borrow_id(const struct reading *in, struct json_object *json, struct sk_text *ret_text)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = borrow_text(in, json, &text);

    if (status != SK_OK) {
        return status;
    }
    if (!sk_id_is_valid(text)) {
        (void)malformed(in, "expected an id: 1 to ");
        sk_fault_say_number(in->fault, SK_ID_MAX);
        sk_fault_say(in->fault, " of A-Z a-z 0-9 _ -");
        return SK_ERR_REFUSED;
    }
    *ret_text = text;
    return SK_OK;
}

static enum sk_status
read_id(const struct reading *in, const struct sk_member *member, struct json_object *json,
        uint8_t *form)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = borrow_id(in, json, &text);

    if (status == SK_OK) {
        memcpy(form + member->offset, text.at, text.length); /* zeros follow it already */
    }
    return status;
}

static enum sk_status
read_id_text(const struct reading *in, const struct sk_member *member, struct json_object *json,
             uint8_t *form)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = borrow_id(in, json, &text);

    if (status != SK_OK) {
        return status;
    }
    return keep_text(in, text, (struct sk_text *)(void *)(form + member->offset));
}

static enum sk_status
read_name(const struct reading *in, const struct sk_member *member, struct json_object *json,
          uint8_t *form)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = borrow_text(in, json, &text);

    if (status != SK_OK) {
        return status;
    }
    if (!sk_name_is_valid(text)) {
        (void)malformed(in, "expected a name: 1 to ");
        sk_fault_say_number(in->fault, SK_NAME_MAX);
        sk_fault_say(in->fault, " printable ASCII characters");
        return SK_ERR_REFUSED;
    }
    return keep_text(in, text, (struct sk_text *)(void *)(form + member->offset));
}

static enum sk_status
read_text(const struct reading *in, const struct sk_member *member, struct json_object *json,
          uint8_t *form)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = borrow_text(in, json, &text);

    if (status != SK_OK) {
        return status;
    }
    if ((int64_t)text.length < member->min || (int64_t)text.length > member->max) {
        return out_of_bounds(in, member, " bytes of text", text.length);
    }
    return keep_text(in, text, (struct sk_text *)(void *)(form + member->offset));
}

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
lookup_search(struct lookup *lookup, const struct sk_schema *schema, const char *key)
{
    for (; schema != NULL; schema = schema->base) {
        for (uint16_t i = 0; i < schema->member_count; i++) {
            if (strcmp(schema->members[i].name, key) == 0) {
                *lookup = (struct lookup){ schema, i, members_before(schema) };
                return true;
            }
        }
    }
    return false;
}

/* The key's member and its number, or NULL. */
static const struct sk_member *
lookup_key(struct lookup *lookup, const struct sk_schema *schema, const char *key,
           uint32_t *ret_number)
{
    bool is_next = lookup->next < lookup->schema->member_count &&
                   strcmp(lookup->schema->members[lookup->next].name, key) == 0;

    if (!is_next && !lookup_search(lookup, schema, key)) {
        return NULL;
    }
    *ret_number = lookup->before + lookup->next;
    return &lookup->schema->members[lookup->next++];
}

/* Whatever was not given: fallbacks, or a fault at the place where it would stand. */
static enum sk_status
settle_missing(const struct reading *in, const struct sk_schema *schema, uint64_t seen,
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
                return inside(in, member->name, malformed(in, "this member is missing"));
            }
            sk_member_fallback(member, form);
        }
    }
    return SK_OK;
}

static enum sk_status
unknown_key(const struct reading *in, const char *key)
{
    return inside(in, key, malformed(in, "there is no such member"));
}

/* `skipped` is a key that somebody else reads, or NULL. */
static enum sk_status
read_members(const struct reading *in, const struct sk_schema *schema, struct json_object *json,
             const char *skipped, uint8_t *form)
{
    struct lookup lookup;
    uint64_t seen = 0;

    SK_ASSERT(members_before(schema) + schema->member_count <= SEEN_MAX);
    lookup_start(&lookup, schema);
    for (struct lh_entry *entry = lh_table_head(json_object_get_object(json)); entry != NULL;
         entry = lh_entry_next(entry)) {
        const char *key = lh_entry_k(entry);
        uint32_t number;
        const struct sk_member *member = lookup_key(&lookup, schema, key, &number);
        enum sk_status status;

        if (member == NULL) {
            if (skipped != NULL && strcmp(key, skipped) == 0) {
                continue;
            }
            return unknown_key(in, key);
        }
        seen |= (uint64_t)1 << number;
        status = read_value(in, member, lh_entry_v(entry), form);
        if (status != SK_OK) {
            return inside(in, key, status);
        }
    }
    return settle_missing(in, schema, seen, form);
}

static enum sk_status
read_form(const struct reading *in, const struct sk_schema *schema, struct json_object *json,
          uint8_t *form)
{
    if (!json_object_is_type(json, json_type_object)) {
        return wrong_type(in, "an object", json);
    }
    return read_members(in, schema, json, NULL, form);
}

static enum sk_status
read_object(const struct reading *in, const struct sk_member *member, struct json_object *json,
            uint8_t *form)
{
    return read_form(in, member->object, json, form + member->offset);
}

/* ---- variants ---------------------------------------------------------------------------- */

static enum sk_status
unknown_kind(const struct reading *in, const struct sk_variants *variants)
{
    (void)malformed(in, "expected one of ");
    for (uint16_t i = 0; i < variants->count; i++) {
        sk_fault_say(in->fault, i == 0 ? "" : ", ");
        sk_fault_say(in->fault, variants->of[i].kind);
    }
    return inside(in, "kind", SK_ERR_REFUSED);
}

/* Walks the entries: "kind" is mostly the first or second, and hashing it costs more. */
static enum sk_status
find_kind(const struct reading *in, struct json_object *json, struct sk_text *ret_kind)
{
    for (struct lh_entry *entry = lh_table_head(json_object_get_object(json)); entry != NULL;
         entry = lh_entry_next(entry)) {
        if (strcmp(lh_entry_k(entry), "kind") == 0) {
            return inside(in, "kind", borrow_text(in, lh_entry_v(entry), ret_kind));
        }
    }
    return inside(in, "kind", malformed(in, "this member is missing"));
}

static enum sk_status
read_variant_form(const struct reading *in, const struct sk_variants *variants,
                  struct json_object *json, uint8_t *form)
{
    struct sk_text kind = SK_TEXT("");
    enum sk_status status;

    if (!json_object_is_type(json, json_type_object)) {
        return wrong_type(in, "an object", json);
    }
    status = find_kind(in, json, &kind);
    if (status != SK_OK) {
        return status;
    }
    for (uint16_t i = 0; i < variants->count; i++) {
        if (sk_text_same(kind, sk_text_of(variants->of[i].kind))) {
            form[variants->kind_offset] = (uint8_t)i;
            return read_members(in, variants->of[i].schema, json, "kind", form);
        }
    }
    return unknown_kind(in, variants);
}

static enum sk_status
read_variant(const struct reading *in, const struct sk_member *member, struct json_object *json,
             uint8_t *form)
{
    return read_variant_form(in, member->variants, json, form + member->offset);
}

/* ---- lists ------------------------------------------------------------------------------- */

static enum sk_status
read_items(const struct reading *in, const struct sk_member *member, struct json_object *json,
           size_t count, uint8_t *items)
{
    for (size_t i = 0; i < count; i++) {
        enum sk_status status = read_value(in, member->item, json_object_array_get_idx(json, i),
                                           items + i * member->item_size);

        if (status != SK_OK) {
            return inside_index(in, i, status);
        }
    }
    return SK_OK;
}

static enum sk_status
read_list(const struct reading *in, const struct sk_member *member, struct json_object *json,
          uint8_t *form)
{
    struct sk_list *list = (struct sk_list *)(void *)(form + member->offset);
    size_t count;

    if (!json_object_is_type(json, json_type_array)) {
        return wrong_type(in, "a list", json);
    }
    count = json_object_array_length(json);
    if ((int64_t)count < member->min || (int64_t)count > member->max) {
        return out_of_bounds(in, member, " items", (int64_t)count);
    }
    list->at = sk_arena_take_items(in->arena, count, member->item_size);
    if (list->at == NULL) {
        return used_up(in);
    }
    list->count = (uint32_t)count;
    return read_items(in, member, json, count, list->at);
}

/* Items that are not kept must be right all the same; they share one place in the arena. */
static enum sk_status
check_items(const struct reading *in, const struct sk_member *member, struct json_object *json,
            size_t from, size_t count)
{
    size_t mark = in->arena->used;
    enum sk_status status = SK_OK;

    for (size_t i = from; i < count && status == SK_OK; i++) {
        uint8_t *item = sk_arena_take(in->arena, member->item_size);

        if (item == NULL) {
            return used_up(in);
        }
        status = inside_index(
            in, i, read_value(in, member->item, json_object_array_get_idx(json, i), item));
        in->arena->used = mark;
    }
    return status;
}

static enum sk_status
read_row(const struct reading *in, const struct sk_member *member, struct json_object *json,
         uint8_t *form)
{
    struct sk_row *row = (struct sk_row *)(void *)(form + member->offset);
    size_t kept;
    size_t count;
    enum sk_status status;

    if (!json_object_is_type(json, json_type_array)) {
        return wrong_type(in, "a list", json);
    }
    count = json_object_array_length(json);
    if ((int64_t)count < member->min) {
        (void)malformed(in, "expected at least ");
        sk_fault_say_number(in->fault, member->min);
        sk_fault_say(in->fault, " items");
        return SK_ERR_REFUSED;
    }
    row->count = (uint32_t)count;
    kept = (int64_t)count < member->max ? count : (size_t)member->max;
    status = read_items(in, member, json, kept, form + member->offset + sizeof(*row));
    if (status != SK_OK) {
        return status;
    }
    return check_items(in, member, json, kept, count);
}

static enum sk_status
read_entry(const struct reading *in, const struct sk_member *member, const struct lh_entry *from,
           uint8_t *entry)
{
    static const struct sk_member bounds = { .min = 1, .max = SK_NAME_MAX };
    struct sk_text key = sk_text_of(lh_entry_k(from));
    enum sk_status status;

    if (key.length < 1 || key.length > SK_NAME_MAX) {
        return out_of_bounds(in, &bounds, " bytes of key", key.length);
    }
    status = keep_text(in, key, (struct sk_text *)(void *)entry);
    if (status != SK_OK) {
        return status;
    }
    return read_value(in, member->item, lh_entry_v(from), entry);
}

static enum sk_status
read_map(const struct reading *in, const struct sk_member *member, struct json_object *json,
         uint8_t *form)
{
    struct sk_list *list = (struct sk_list *)(void *)(form + member->offset);
    size_t count;
    uint8_t *at;

    if (!json_object_is_type(json, json_type_object)) {
        return wrong_type(in, "an object", json);
    }
    count = (size_t)json_object_object_length(json);
    if ((int64_t)count < member->min || (int64_t)count > member->max) {
        return out_of_bounds(in, member, " keys", (int64_t)count);
    }
    at = sk_arena_take_items(in->arena, count, member->item_size);
    if (at == NULL) {
        return used_up(in);
    }
    *list = (struct sk_list){ at, (uint32_t)count };
    for (struct lh_entry *entry = lh_table_head(json_object_get_object(json)); entry != NULL;
         entry = lh_entry_next(entry)) {
        enum sk_status status = read_entry(in, member, entry, at);

        if (status != SK_OK) {
            return inside(in, lh_entry_k(entry), status);
        }
        at += member->item_size;
    }
    return SK_OK;
}

/* ---- members ----------------------------------------------------------------------------- */

typedef enum sk_status read_kind(const struct reading *in, const struct sk_member *member,
                                 struct json_object *json, uint8_t *form);

static read_kind *const readers[] = {
    [SK_KIND_BOOL] = read_bool,       [SK_KIND_INT] = read_int,
    [SK_KIND_ENUM] = read_enum,       [SK_KIND_ID] = read_id,
    [SK_KIND_ID_TEXT] = read_id_text, [SK_KIND_NAME] = read_name,
    [SK_KIND_TEXT] = read_text,       [SK_KIND_CELL] = read_cell,
    [SK_KIND_OBJECT] = read_object,   [SK_KIND_LIST] = read_list,
    [SK_KIND_MAP] = read_map,         [SK_KIND_ROW] = read_row,
    [SK_KIND_VARIANT] = read_variant,
};

static enum sk_status
read_value(const struct reading *in, const struct sk_member *member, struct json_object *json,
           uint8_t *form)
{
    enum sk_status status;

    if (json == NULL && (member->flags & SK_NULLABLE) != 0) {
        return SK_OK;
    }
    status = readers[member->kind](in, member, json, form);
    if (status == SK_OK && (member->flags & SK_TRACKED) != 0) {
        *(bool *)(void *)(form + member->present) = true;
    }
    return status;
}

enum sk_status
sk_form_read(const struct sk_schema *schema, struct json_object *json, struct sk_arena *arena,
             void *ret_form, struct sk_fault *ret_fault)
{
    struct reading in = { arena, ret_fault };

    memset(ret_form, 0, schema->size);
    return read_form(&in, schema, json, ret_form);
}

enum sk_status
sk_member_read(const struct sk_member *member, struct json_object *json, struct sk_arena *arena,
               void *form, struct sk_fault *ret_fault)
{
    struct reading in = { arena, ret_fault };

    return read_value(&in, member, json, form);
}

enum sk_status
sk_variant_read(const struct sk_variants *variants, struct json_object *json,
                struct sk_arena *arena, void *ret_form, struct sk_fault *ret_fault)
{
    struct reading in = { arena, ret_fault };

    memset(ret_form, 0, variants->size);
    return read_variant_form(&in, variants, json, ret_form);
}

enum sk_status
sk_commands_read(const struct sk_variants *variants, struct json_object *json, uint32_t count_max,
                 struct sk_arena *arena, struct sk_list *ret_commands, struct sk_fault *ret_fault)
{
    struct reading in = { arena, ret_fault };
    const struct sk_member command = { .kind = SK_KIND_VARIANT, .variants = variants };
    const struct sk_member commands = { .kind = SK_KIND_LIST,
                                        .item = &command,
                                        .item_size = variants->size,
                                        .max = (int32_t)count_max };

    return read_value(&in, &commands, json, (uint8_t *)ret_commands);
}
