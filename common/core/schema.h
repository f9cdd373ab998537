/*
 * sk_schema - the members of a struct, for everything outside the rules.
 *
 * A member table gives each member's name, kind, offset, bounds and default.
 * Reading and writing JSON, the published JSON Schemas, the random values for
 * fuzzing and the tables in the documents all come from these tables, so a
 * ruleset describes its forms once and has no JSON code.
 *
 * A form is the struct that a schema describes: the shape of the JSON, with
 * lists as pointers into an arena.  A ruleset converts forms to its own compact
 * configs and states and back.
 *
 * Owner:   tables are constants.  The texts and lists of a form are in the
 * arena (or in the config) that they were made from.
 */
#ifndef SK_SCHEMA_H
#define SK_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/grid.h"
#include "common/base/text.h"

enum sk_kind {
    SK_KIND_BOOL,    /* bool */
    SK_KIND_INT,     /* int32_t, `min` to `max` */
    SK_KIND_ENUM,    /* uint8_t, an index into `words` */
    SK_KIND_ID,      /* struct sk_id: 1 to SK_ID_MAX of A-Za-z0-9_- */
    SK_KIND_ID_TEXT, /* struct sk_text with the same rule: for forms that are not copied */
    SK_KIND_NAME,    /* struct sk_text: 1 to SK_NAME_MAX printable ASCII characters */
    SK_KIND_TEXT,    /* struct sk_text: UTF-8 of `min` to `max` bytes */
    SK_KIND_CELL,    /* struct sk_cell: [x,y], each `min` to `max` */
    SK_KIND_OBJECT,  /* the struct of `object`, in place */
    SK_KIND_LIST,    /* struct sk_list of `min` to `max` items described by `item` */
    SK_KIND_MAP,     /* struct sk_list of entries: struct sk_text (the key), `item` at its offset */
    SK_KIND_ROW,     /* struct sk_row in place, see there: a list that is copied with its struct */
    SK_KIND_VARIANT, /* the struct of `variants`, chosen by its tag */
    SK_KIND_LONG,    /* int64_t of at least `min`; limited to 32 bits when read from outside */
    SK_KIND_JSON,    /* struct sk_json: any JSON value, not interpreted */
};

struct sk_list {
    void *at;
    uint32_t count;
};

/*
 * A value that the table does not describe.  When read it is `object`, a struct
 * sk_value borrowed from the input, NULL for null.  When written it is `text`,
 * which is JSON already, empty for null.
 */
struct sk_json {
    const void *object;
    struct sk_text text;
};

/*
 * The head of a list by value; up to `max` items follow it directly.  `count`
 * is the number of items given, even if it exceeds `max` (only `max` are kept):
 * a rule decides how long is too long, and answers with a verdict.
 */
struct sk_row {
    uint32_t count;
};

enum sk_member_flag {
    SK_OPTIONAL = 1, /* may be missing; then `fallback` or zero, and not present */
    SK_NULLABLE = 2, /* may be null; then zero, and not present */
    SK_TRACKED = 4,  /* the bool at `present` says whether a value was given */
};

struct sk_member {
    const char *name;   /* set together with `key` by SK_NAMED; an item has neither */
    struct sk_text key; /* the name as it appears between two values: ,"name": */
    enum sk_kind kind;
    uint8_t flags;
    uint16_t offset;
    uint16_t present;
    uint16_t word_count;
    uint32_t item_size;
    int32_t min;
    int32_t max;
    int32_t fallback;
    const char *const *words;
    const struct sk_schema *object;
    const struct sk_member *item;
    const struct sk_variants *variants;
    const char *doc; /* one line for the published schema */
};

struct sk_schema {
    const char *title;
    const struct sk_schema *base; /* members of a struct that this one begins with, or NULL */
    const struct sk_member *members;
    uint16_t member_count;
    bool is_tail; /* as a base: its members are written behind those of the schema */
    uint32_t size;
};

/* A struct with a byte-sized kind that selects the other members. */
struct sk_variant {
    char kind[SK_ID_MAX + 1]; /* padded with zeros, so that it is compared and copied as words */
    const struct sk_schema *schema;
    const char *doc;
};

struct sk_variants {
    const char *title;
    const char *tag; /* the member that holds the kind's name; NULL = "kind" */
    const struct sk_variant *of;
    uint16_t count;
    uint16_t kind_offset; /* of the uint8_t that is the index into `of` */
    uint32_t size;
};

static inline const char *
sk_variants_tag(const struct sk_variants *variants)
{
    return variants->tag == NULL ? "kind" : variants->tag;
}

/* How member tables are written: SK_INT(struct point, x, "x", .min = 0, .max = 9). */
#define SK_KEY(n)     ",\"" n "\":"
#define SK_KEY_COPIED 16 /* bytes that can be copied from any place of a key */
#define SK_KEY_PADDED "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define SK_NAMED(n) \
    .name = (n), .key = { SK_KEY(n) SK_KEY_PADDED, (uint32_t)(sizeof(SK_KEY(n)) - 1) }
#define SK_MEMBER_OFFSET(type, field, as) \
    (uint16_t)(offsetof(type, field) +    \
               0 * sizeof(char[sizeof(((type *)0)->field) == sizeof(as) ? 1 : -1]))
#define SK_MEMBER(k, type, field, as, n, ...)                                              \
    {                                                                                      \
        .kind = (k), .offset = SK_MEMBER_OFFSET(type, field, as), SK_NAMED(n), __VA_ARGS__ \
    }
#define SK_BOOL(type, field, name, ...) \
    SK_MEMBER(SK_KIND_BOOL, type, field, bool, name, __VA_ARGS__)
#define SK_INT(type, field, name, ...) \
    SK_MEMBER(SK_KIND_INT, type, field, int32_t, name, __VA_ARGS__)
#define SK_LONG(type, field, name, ...) \
    SK_MEMBER(SK_KIND_LONG, type, field, int64_t, name, __VA_ARGS__)
#define SK_ENUM(type, field, name, list, ...)                            \
    SK_MEMBER(SK_KIND_ENUM, type, field, uint8_t, name, .words = (list), \
              .word_count = (uint16_t)(sizeof(list) / sizeof((list)[0])), __VA_ARGS__)
#define SK_ID(type, field, name, ...) \
    SK_MEMBER(SK_KIND_ID, type, field, struct sk_id, name, __VA_ARGS__)
#define SK_ID_TEXT(type, field, name, ...) \
    SK_MEMBER(SK_KIND_ID_TEXT, type, field, struct sk_text, name, __VA_ARGS__)
#define SK_NAME(type, field, name, ...) \
    SK_MEMBER(SK_KIND_NAME, type, field, struct sk_text, name, __VA_ARGS__)
#define SK_TEXT_OF(type, field, name, ...) \
    SK_MEMBER(SK_KIND_TEXT, type, field, struct sk_text, name, __VA_ARGS__)
#define SK_CELL(type, field, name, ...)                                                            \
    SK_MEMBER(SK_KIND_CELL, type, field, struct sk_cell, name, .min = INT32_MIN, .max = INT32_MAX, \
              __VA_ARGS__)
#define SK_OBJECT(type, field, n, of, ...)                                              \
    {                                                                                   \
        .kind = SK_KIND_OBJECT, .offset = (uint16_t)offsetof(type, field), SK_NAMED(n), \
        .object = (of), __VA_ARGS__                                                     \
    }
#define SK_LIST(type, field, name, of, size, ...)                                                 \
    SK_MEMBER(SK_KIND_LIST, type, field, struct sk_list, name, .item = (of), .item_size = (size), \
              __VA_ARGS__)
#define SK_MAP(type, field, name, of, size, ...)                                                 \
    SK_MEMBER(SK_KIND_MAP, type, field, struct sk_list, name, .item = (of), .item_size = (size), \
              __VA_ARGS__)
#define SK_ROW(type, field, name, of, size, ...)                                                \
    SK_MEMBER(SK_KIND_ROW, type, field, struct sk_row, name, .item = (of), .item_size = (size), \
              __VA_ARGS__)
#define SK_JSON(type, field, name, ...) \
    SK_MEMBER(SK_KIND_JSON, type, field, struct sk_json, name, __VA_ARGS__)

#define SK_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A schema over a table whose size is known. */
#define SK_SCHEMA(name, from, table, type)                                 \
    {                                                                      \
        .title = (name), .base = (from), .members = (table),               \
        .member_count = (uint16_t)SK_COUNT_OF(table), .size = sizeof(type) \
    }

/* The name, which is part of the key. */
static inline struct sk_text
sk_member_name(const struct sk_member *member)
{
    return (struct sk_text){ member->key.at + 2, member->key.length - 4 };
}

static inline void *
sk_list_item(const struct sk_list *list, uint32_t index, size_t item_size)
{
    return (uint8_t *)list->at + (size_t)index * item_size;
}

/* Sets the value of a missing optional member in a zeroed form.  Only these kinds have
 * fallbacks. */
static inline void
sk_member_fallback(const struct sk_member *member, void *form)
{
    void *at = (uint8_t *)form + member->offset;

    if (member->kind == SK_KIND_BOOL) {
        *(bool *)at = member->fallback != 0;
    } else if (member->kind == SK_KIND_INT) {
        *(int32_t *)at = member->fallback;
    } else if (member->kind == SK_KIND_LONG) {
        *(int64_t *)at = member->fallback;
    } else if (member->kind == SK_KIND_ENUM) {
        *(uint8_t *)at = (uint8_t)member->fallback;
    }
}

/* Whether the member may be missing or null. */
static inline bool
sk_member_may_lack(const struct sk_member *member)
{
    return (member->flags & (SK_OPTIONAL | SK_NULLABLE)) != 0;
}

/*
 * Whether a member that may be missing or null has no value.  A tracked one
 * says so itself; ids, names, texts and JSON that must not be empty are empty
 * then.
 */
static inline bool
sk_member_is_absent(const struct sk_member *member, const void *form)
{
    const void *at;

    if (!sk_member_may_lack(member)) {
        return false;
    }
    if ((member->flags & SK_TRACKED) != 0) {
        return !*((const bool *)form + member->present);
    }
    at = (const uint8_t *)form + member->offset;
    switch (member->kind) {
    case SK_KIND_ID:
        return *(const char *)at == '\0';
    case SK_KIND_ID_TEXT:
    case SK_KIND_NAME:
        return ((const struct sk_text *)at)->length == 0;
    case SK_KIND_TEXT:
        return member->min > 0 && ((const struct sk_text *)at)->length == 0;
    case SK_KIND_JSON:
        return ((const struct sk_json *)at)->text.length == 0;
    default:
        return false;
    }
}

#endif /* SK_SCHEMA_H */
