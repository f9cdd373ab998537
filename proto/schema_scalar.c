#include "proto/schema_scalar.h"

#include <string.h>

#include "proto/json_value.h"

/* ---- faults ------------------------------------------------------------------------------ */

static const char *
found_word(const struct sk_value *json)
{
    static const char *const words[] = {
        [SK_VALUE_NULL] = "null",   [SK_VALUE_BOOL] = "a boolean", [SK_VALUE_INT] = "a number",
        [SK_VALUE_TEXT] = "a text", [SK_VALUE_LIST] = "a list",    [SK_VALUE_OBJECT] = "an object",
    };

    return words[json->kind];
}

enum sk_status
sk_reading_malformed(const struct sk_reading *in, const char *message)
{
    return sk_fault_set(in->fault, "malformed", message);
}

enum sk_status
sk_reading_wrong_type(const struct sk_reading *in, const char *expected,
                      const struct sk_value *json)
{
    (void)sk_reading_malformed(in, "expected ");
    sk_fault_say(in->fault, expected);
    sk_fault_say(in->fault, ", found ");
    sk_fault_say(in->fault, found_word(json));
    return SK_ERR_REFUSED;
}

/* A number and what it counts, where it counts something: " items". */
enum sk_status
sk_reading_out_of_bounds(const struct sk_reading *in, const struct sk_member *bounds,
                         const char *unit, int64_t found)
{
    (void)sk_reading_malformed(in, "expected ");
    sk_fault_say_number(in->fault, bounds->min);
    sk_fault_say(in->fault, " to ");
    sk_fault_say_number(in->fault, bounds->max);
    sk_fault_say(in->fault, unit);
    sk_fault_say(in->fault, ", found ");
    sk_fault_say_number(in->fault, found);
    return SK_ERR_REFUSED;
}

enum sk_status
sk_reading_used_up(const struct sk_reading *in)
{
    return sk_fault_set(in->fault, "too_large", "there is no space for so much");
}

enum sk_status
sk_reading_inside(const struct sk_reading *in, const char *name, enum sk_status status)
{
    if (status != SK_OK) {
        sk_fault_inside(in->fault, sk_text_of(name));
    }
    return status;
}

enum sk_status
sk_reading_inside_index(const struct sk_reading *in, size_t index, enum sk_status status)
{
    if (status != SK_OK) {
        sk_fault_inside_index(in->fault, (uint32_t)index);
    }
    return status;
}

/* ---- scalars ----------------------------------------------------------------------------- */

enum sk_status
sk_read_bool(const struct sk_reading *in, const struct sk_member *member,
             const struct sk_value *json, uint8_t *form)
{
    if (!sk_value_is(json, SK_VALUE_BOOL)) {
        return sk_reading_wrong_type(in, "true or false", json);
    }
    *(bool *)(void *)(form + member->offset) = sk_value_bool(json);
    return SK_OK;
}

static inline enum sk_status
read_number(const struct sk_reading *in, const struct sk_member *member,
            const struct sk_value *json, int32_t *ret_number)
{
    int64_t number;

    if (!sk_value_is(json, SK_VALUE_INT)) {
        return sk_reading_wrong_type(in, "an integer", json);
    }
    number = sk_value_int(json);
    if (number < member->min || number > member->max) {
        return sk_reading_out_of_bounds(in, member, "", number);
    }
    *ret_number = (int32_t)number;
    return SK_OK;
}

enum sk_status
sk_read_long(const struct sk_reading *in, const struct sk_member *member,
             const struct sk_value *json, uint8_t *form)
{
    int64_t number;

    if (!sk_value_is(json, SK_VALUE_INT)) {
        return sk_reading_wrong_type(in, "an integer", json);
    }
    number = sk_value_int(json);
    if (number < member->min) {
        (void)sk_reading_malformed(in, "expected at least ");
        sk_fault_say_number(in->fault, member->min);
        sk_fault_say(in->fault, ", found ");
        sk_fault_say_number(in->fault, number);
        return SK_ERR_REFUSED;
    }
    *(int64_t *)(void *)(form + member->offset) = number;
    return SK_OK;
}

enum sk_status
sk_read_int(const struct sk_reading *in, const struct sk_member *member,
            const struct sk_value *json, uint8_t *form)
{
    return read_number(in, member, json, (int32_t *)(void *)(form + member->offset));
}

enum sk_status
sk_read_cell(const struct sk_reading *in, const struct sk_member *member,
             const struct sk_value *json, uint8_t *form)
{
    struct sk_cell *cell = (struct sk_cell *)(void *)(form + member->offset);
    const struct sk_value *x;
    enum sk_status status;

    if (!sk_value_is(json, SK_VALUE_LIST)) {
        return sk_reading_wrong_type(in, "a cell [x,y]", json);
    }
    if (json->count != 2) {
        return sk_reading_malformed(in, "expected a cell of two numbers [x,y]");
    }
    x = sk_value_first(json);
    status = read_number(in, member, x, &cell->x);
    if (status != SK_OK) {
        return sk_reading_inside_index(in, 0, status);
    }
    status = read_number(in, member, sk_value_next(x), &cell->y);
    return sk_reading_inside_index(in, 1, status);
}

enum sk_status
sk_reading_borrow_text(const struct sk_reading *in, const struct sk_value *json,
                       struct sk_text *ret_text)
{
    if (!sk_value_is(json, SK_VALUE_TEXT)) {
        return sk_reading_wrong_type(in, "a text", json);
    }
    return sk_value_text(json, in->arena, ret_text) ? SK_OK : sk_reading_used_up(in);
}

enum sk_status
sk_reading_keep_text(const struct sk_reading *in, struct sk_text text, struct sk_text *ret_text)
{
    char *space = sk_arena_take(in->arena, text.length);

    if (space == NULL) {
        return sk_reading_used_up(in);
    }
    if (text.length > 0) {
        memcpy(space, text.at, text.length);
    }
    *ret_text = (struct sk_text){ space, text.length };
    return SK_OK;
}

/* Lists the words that would have been right. */
static enum sk_status
unknown_word(const struct sk_reading *in, const struct sk_member *member)
{
    (void)sk_reading_malformed(in, "expected one of ");
    for (uint16_t i = 0; i < member->word_count; i++) {
        sk_fault_say(in->fault, i == 0 ? "" : ", ");
        sk_fault_say(in->fault, member->words[i]);
    }
    return SK_ERR_REFUSED;
}

enum sk_status
sk_read_enum(const struct sk_reading *in, const struct sk_member *member,
             const struct sk_value *json, uint8_t *form)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = sk_reading_borrow_text(in, json, &text);

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
borrow_id(const struct sk_reading *in, const struct sk_value *json, struct sk_text *ret_text)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = sk_reading_borrow_text(in, json, &text);

    if (status != SK_OK) {
        return status;
    }
    if (!sk_id_is_valid(text)) {
        (void)sk_reading_malformed(in, "expected an id: 1 to ");
        sk_fault_say_number(in->fault, SK_ID_MAX);
        sk_fault_say(in->fault, " of A-Z a-z 0-9 _ -");
        return SK_ERR_REFUSED;
    }
    *ret_text = text;
    return SK_OK;
}

enum sk_status
sk_read_id(const struct sk_reading *in, const struct sk_member *member, const struct sk_value *json,
           uint8_t *form)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = borrow_id(in, json, &text);

    if (status == SK_OK) {
        memcpy(form + member->offset, text.at, text.length); /* zeros follow it already */
    }
    return status;
}

enum sk_status
sk_read_id_text(const struct sk_reading *in, const struct sk_member *member,
                const struct sk_value *json, uint8_t *form)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = borrow_id(in, json, &text);

    if (status != SK_OK) {
        return status;
    }
    return sk_reading_keep_text(in, text, (struct sk_text *)(void *)(form + member->offset));
}

enum sk_status
sk_read_name(const struct sk_reading *in, const struct sk_member *member,
             const struct sk_value *json, uint8_t *form)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = sk_reading_borrow_text(in, json, &text);

    if (status != SK_OK) {
        return status;
    }
    if (!sk_name_is_valid(text)) {
        (void)sk_reading_malformed(in, "expected a name: 1 to ");
        sk_fault_say_number(in->fault, SK_NAME_MAX);
        sk_fault_say(in->fault, " printable ASCII characters");
        return SK_ERR_REFUSED;
    }
    return sk_reading_keep_text(in, text, (struct sk_text *)(void *)(form + member->offset));
}

enum sk_status
sk_read_text(const struct sk_reading *in, const struct sk_member *member,
             const struct sk_value *json, uint8_t *form)
{
    struct sk_text text = SK_TEXT("");
    enum sk_status status = sk_reading_borrow_text(in, json, &text);

    if (status != SK_OK) {
        return status;
    }
    if ((int64_t)text.length < member->min || (int64_t)text.length > member->max) {
        return sk_reading_out_of_bounds(in, member, " bytes of text", text.length);
    }
    return sk_reading_keep_text(in, text, (struct sk_text *)(void *)(form + member->offset));
}

enum sk_status
sk_read_json(const struct sk_reading *in, const struct sk_member *member,
             const struct sk_value *json, uint8_t *form)
{
    if (json->kind == SK_VALUE_NULL) {
        return sk_reading_wrong_type(in, "a value", json);
    }
    ((struct sk_json *)(void *)(form + member->offset))->object = json;
    return SK_OK;
}
