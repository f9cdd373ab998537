/*
 * Small schemas with every kind of member, for the tests of reading, writing,
 * describing and filling forms.  Each schema covers some members of one struct;
 * `everything` covers all of them.
 */
#ifndef SK_TEST_SAMPLE_SCHEMA_H
#define SK_TEST_SAMPLE_SCHEMA_H

#include "common/core/ruleset.h"
#include "common/core/schema.h"

#define LIST_MAX 3
#define ROW_MAX  3
#define TEXT_MIN 2
#define TEXT_MAX 10

static const char *const colours[] = { "red", "green", "blue" };

struct part {
    int32_t x;
    uint8_t colour;
    bool has_note;
    struct sk_text note;
};

static const struct sk_member part_members[] = {
    SK_INT(struct part, x, "x", .min = 0, .max = 9),
    SK_ENUM(struct part, colour, "colour", colours, .flags = SK_OPTIONAL, .fallback = 1),
    SK_NAME(struct part, note, "note", .flags = SK_OPTIONAL | SK_TRACKED,
            .present = offsetof(struct part, has_note)),
};

static const struct sk_schema part_schema = SK_SCHEMA("part", NULL, part_members, struct part);

struct path {
    struct sk_row row;
    struct sk_cell cells[ROW_MAX];
};

/* Commands and shapes: the member `kind` selects the other members. */
struct shape {
    uint8_t kind;
    struct sk_id unit;
    struct sk_cell at;
    struct path path;
};

static const struct sk_member cell_item = { .kind = SK_KIND_CELL,
                                            .min = INT32_MIN,
                                            .max = INT32_MAX };

static const struct sk_member dot_members[] = {
    SK_ID(struct shape, unit, "unit", .doc = "Whose."),
    SK_CELL(struct shape, at, "at", .doc = "Where."),
};

static const struct sk_member line_members[] = {
    SK_ID(struct shape, unit, "unit", .flags = SK_OPTIONAL),
    SK_MEMBER(SK_KIND_ROW, struct shape, path.row, struct sk_row, "path", .item = &cell_item,
              .item_size = sizeof(struct sk_cell), .min = 1, .max = ROW_MAX),
};

static const struct sk_schema dot_schema = SK_SCHEMA("dot", NULL, dot_members, struct shape);
static const struct sk_schema line_schema = SK_SCHEMA("line", NULL, line_members, struct shape);
static const struct sk_schema pass_schema = { .title = "pass", .size = sizeof(struct shape) };

static const struct sk_variant shape_kinds[] = {
    { .kind = "dot", .schema = &dot_schema, .doc = "A dot." },
    { .kind = "line", .schema = &line_schema, .doc = "A line." },
    { .kind = "pass", .schema = &pass_schema },
};

static const struct sk_variants shapes = {
    .title = "shape",
    .of = shape_kinds,
    .count = SK_COUNT_OF(shape_kinds),
    .kind_offset = offsetof(struct shape, kind),
    .size = sizeof(struct shape),
};

struct number_entry {
    struct sk_text key;
    int32_t value;
};

struct part_entry {
    struct sk_text key;
    struct part part;
};

/* The same dot, but the selecting member has another name. */
static const struct sk_variants marks = {
    .title = "mark",
    .tag = "form",
    .of = shape_kinds,
    .count = SK_COUNT_OF(shape_kinds),
    .kind_offset = offsetof(struct shape, kind),
    .size = sizeof(struct shape),
};

/* Everything in one struct; each schema below covers some of it. */
struct box {
    struct sk_form_head head;
    bool flag;
    bool has_limit;
    bool has_target;
    bool has_extra;
    bool has_link;
    bool has_since;
    uint8_t colour;
    uint8_t mood;
    int32_t number;
    int32_t any;
    int32_t limit;
    int32_t steps;
    int64_t size;
    int64_t since;
    struct sk_id id;
    struct sk_id other;
    struct sk_text id_text;
    struct sk_text name;
    struct sk_text link;
    struct sk_text text;
    struct sk_text remark;
    struct sk_json data;
    struct sk_json more;
    struct sk_cell at;
    struct sk_cell target;
    struct sk_cell near_by;
    struct part part;
    struct part extra;
    struct sk_list numbers;
    struct sk_list grid;
    struct sk_list parts;
    struct sk_list heights;
    struct sk_list by_name;
    struct sk_list maybe;
    struct path path;
    struct shape shape;
    struct shape mark;
    struct sk_list shapes;
};

static const struct sk_member number_item = { .kind = SK_KIND_INT, .min = 0, .max = 9 };
static const struct sk_member number_list = {
    .kind = SK_KIND_LIST, .item = &number_item, .item_size = sizeof(int32_t), .max = LIST_MAX
};
static const struct sk_member part_item = { .kind = SK_KIND_OBJECT, .object = &part_schema };
static const struct sk_member height_item = {
    .kind = SK_KIND_INT, .offset = offsetof(struct number_entry, value), .min = -1, .max = 1
};
static const struct sk_member entry_item = { .kind = SK_KIND_OBJECT,
                                             .offset = offsetof(struct part_entry, part),
                                             .object = &part_schema };
static const struct sk_member id_or_null = { .kind = SK_KIND_ID_TEXT, .flags = SK_NULLABLE };
static const struct sk_member shape_item = { .kind = SK_KIND_VARIANT, .variants = &shapes };

#define PRESENT(field) .present = offsetof(struct box, field)

#define M_FLAG   SK_BOOL(struct box, flag, "flag", .doc = "Yes or no.")
#define M_NUMBER SK_INT(struct box, number, "number", .min = 3, .max = 64)
#define M_ANY    SK_INT(struct box, any, "any", .min = INT32_MIN, .max = INT32_MAX)
#define M_LIMIT                                                            \
    SK_INT(struct box, limit, "limit", .min = -5, .max = 5, .fallback = 2, \
           .flags = SK_OPTIONAL | SK_TRACKED, PRESENT(has_limit))
#define M_STEPS \
    SK_INT(struct box, steps, "steps", .min = 1, .max = 1000, .fallback = 200, .flags = SK_OPTIONAL)
#define M_COLOUR  SK_ENUM(struct box, colour, "colour", colours, .doc = NULL)
#define M_MOOD    SK_ENUM(struct box, mood, "mood", colours, .flags = SK_OPTIONAL, .fallback = 2)
#define M_ID      SK_ID(struct box, id, "id", .doc = NULL)
#define M_OTHER   SK_ID(struct box, other, "other", .flags = SK_OPTIONAL)
#define M_ID_TEXT SK_ID_TEXT(struct box, id_text, "id_text", .doc = NULL)
#define M_NAME    SK_NAME(struct box, name, "name", .doc = NULL)
#define M_LINK    SK_NAME(struct box, link, "link", .flags = SK_NULLABLE)
#define M_TEXT    SK_TEXT_OF(struct box, text, "text", .min = TEXT_MIN, .max = TEXT_MAX)
#define M_REMARK \
    SK_TEXT_OF(struct box, remark, "remark", .min = TEXT_MIN, .max = TEXT_MAX, .flags = SK_OPTIONAL)
#define M_SIZE SK_LONG(struct box, size, "size", .min = -1)
#define M_SINCE \
    SK_LONG(struct box, since, "since", .flags = SK_NULLABLE | SK_TRACKED, PRESENT(has_since))
#define M_DATA SK_JSON(struct box, data, "data", .flags = SK_NULLABLE, .doc = "Anything.")
#define M_MORE SK_JSON(struct box, more, "more", .flags = SK_OPTIONAL)
#define M_MARK                                                                           \
    {                                                                                    \
        .kind = SK_KIND_VARIANT, .offset = offsetof(struct box, mark), SK_NAMED("mark"), \
        .variants = &marks                                                               \
    }
#define M_AT SK_CELL(struct box, at, "at", .doc = NULL)
#define M_TARGET \
    SK_CELL(struct box, target, "target", .flags = SK_NULLABLE | SK_TRACKED, PRESENT(has_target))
#define M_PART SK_OBJECT(struct box, part, "part", &part_schema, .doc = NULL)
#define M_EXTRA                                                                            \
    SK_OBJECT(struct box, extra, "extra", &part_schema, .flags = SK_OPTIONAL | SK_TRACKED, \
              PRESENT(has_extra))
#define M_NUMBERS                                                                    \
    SK_LIST(struct box, numbers, "numbers", &number_item, sizeof(int32_t), .min = 1, \
            .max = LIST_MAX)
#define M_GRID \
    SK_LIST(struct box, grid, "grid", &number_list, sizeof(struct sk_list), .max = LIST_MAX)
#define M_PARTS SK_LIST(struct box, parts, "parts", &part_item, sizeof(struct part), .max = 2)
#define M_HEIGHTS                                                                               \
    SK_MAP(struct box, heights, "heights", &height_item, sizeof(struct number_entry), .min = 1, \
           .max = LIST_MAX)
#define M_BY_NAME \
    SK_MAP(struct box, by_name, "by_name", &entry_item, sizeof(struct part_entry), .max = LIST_MAX)
#define M_MAYBE \
    SK_LIST(struct box, maybe, "maybe", &id_or_null, sizeof(struct sk_text), .max = LIST_MAX)
#define M_PATH                                                                              \
    SK_MEMBER(SK_KIND_ROW, struct box, path.row, struct sk_row, "path", .item = &cell_item, \
              .item_size = sizeof(struct sk_cell), .max = ROW_MAX)
#define M_SHAPE                                                                            \
    {                                                                                      \
        .kind = SK_KIND_VARIANT, .offset = offsetof(struct box, shape), SK_NAMED("shape"), \
        .variants = &shapes                                                                \
    }
#define M_SHAPES \
    SK_LIST(struct box, shapes, "shapes", &shape_item, sizeof(struct shape), .max = LIST_MAX)

#define SCHEMA_OF(name, ...)                                          \
    static const struct sk_member name##_members[] = { __VA_ARGS__ }; \
    static const struct sk_schema name = SK_SCHEMA(#name, NULL, name##_members, struct box)

/* The bound differs from that of `at`: cells near the corner. */
static const struct sk_member near_members[] = {
    { .kind = SK_KIND_CELL,
      SK_NAMED("near"),
      .offset = offsetof(struct box, near_by),
      .min = -3,
      .max = 3 },
};
static const struct sk_schema with_near = SK_SCHEMA("near", NULL, near_members, struct box);

SCHEMA_OF(with_flag, M_FLAG);
SCHEMA_OF(with_numbers, M_NUMBER, M_ANY);
SCHEMA_OF(with_options, M_LIMIT, M_STEPS, M_MOOD, M_OTHER);
SCHEMA_OF(with_colour, M_COLOUR);
SCHEMA_OF(with_id, M_ID);
SCHEMA_OF(with_id_text, M_ID_TEXT);
SCHEMA_OF(with_name, M_NAME);
SCHEMA_OF(with_text, M_TEXT);
SCHEMA_OF(with_remark, M_REMARK);
SCHEMA_OF(with_longs, M_SIZE, M_SINCE);
SCHEMA_OF(with_json, M_DATA, M_MORE);
SCHEMA_OF(with_mark, M_MARK);
SCHEMA_OF(with_cell, M_AT);
SCHEMA_OF(with_null, M_TARGET, M_LINK);
SCHEMA_OF(with_object, M_PART, M_EXTRA);
SCHEMA_OF(with_list, M_NUMBERS);
SCHEMA_OF(with_lists, M_GRID, M_PARTS, M_MAYBE);
SCHEMA_OF(with_map, M_HEIGHTS);
SCHEMA_OF(with_maps, M_BY_NAME);
SCHEMA_OF(with_row, M_PATH);
SCHEMA_OF(with_variant, M_SHAPE, M_SHAPES);

static const struct sk_member all_members[] = {
    M_FLAG,  M_NUMBER,  M_ANY,    M_LIMIT, M_STEPS, M_COLOUR,  M_MOOD,    M_ID,
    M_OTHER, M_ID_TEXT, M_NAME,   M_LINK,  M_TEXT,  M_AT,      M_TARGET,  M_PART,
    M_EXTRA, M_NUMBERS, M_GRID,   M_PARTS, M_MAYBE, M_HEIGHTS, M_BY_NAME, M_PATH,
    M_SHAPE, M_SHAPES,  M_REMARK, M_SIZE,  M_SINCE, M_DATA,    M_MORE,    M_MARK,
};
static const struct sk_schema everything =
    SK_SCHEMA("everything", &sk_view_head, all_members, struct box);

static const struct sk_member child_members[] = { M_NUMBER };
static const struct sk_schema with_base =
    SK_SCHEMA("child", &sk_view_head, child_members, struct box);

#endif /* SK_TEST_SAMPLE_SCHEMA_H */
