/*
 * sk_layout - forms as rows of int32_t, by their member tables.
 *
 * A layout is a tree of nodes beside the tables, because a row has a fixed
 * width where a form has lists: each list's node keeps how many items have a
 * place.  skirmish.h has what the numbers mean.
 *
 * Owner:   the caller; sk_layout_fini frees.
 * Threads: one at a time.
 */
#ifndef SK_LAYOUT_H
#define SK_LAYOUT_H

#include "common/core/schema.h"
#include "proto/json_out.h"

/* Words by number, in the order in which they were added. */
struct sk_words {
    struct sk_id *at;
    uint32_t count;
    uint32_t size;
    uint32_t *places; /* a hash table of 1 + number; 0 = free */
    uint32_t mask;
    uint32_t last; /* the one that was found last: a guess for the next */
};

#define SK_WORD_UNKNOWN (-1)

bool sk_words_add(struct sk_words *words, struct sk_text text);
int32_t sk_words_find(struct sk_words *words, struct sk_text text);
void sk_words_fini(struct sk_words *words);

struct sk_layout_node {
    const struct sk_member *member; /* NULL = the members of one struct */
    uint32_t capacity;              /* items of a list, bytes of a text */
    uint32_t width;                 /* numbers of the whole */
    uint32_t child;                 /* members, the item or the variants: one after the other */
    uint32_t child_count;
    bool is_choice; /* children are variants: 1 + the kind, then that child */
};

#define SK_LAYOUT_WIDTH_MAX 1048576u

struct sk_layout {
    struct sk_layout_node *nodes; /* the first is the whole */
    uint32_t count;
    uint32_t size;
    struct sk_words *ids;
    struct sk_words *names;
};

/* Builds the tree of a schema or of variants; false when there is no memory. */
bool sk_layout_of_schema(struct sk_layout *layout, const struct sk_schema *schema,
                         struct sk_words *ids, struct sk_words *names);
bool sk_layout_of_variants(struct sk_layout *layout, const struct sk_variants *variants,
                           struct sk_words *ids, struct sk_words *names);
void sk_layout_fini(struct sk_layout *layout);

/* Makes places for what the form holds, and adds its ids and names.  False: no memory. */
bool sk_layout_measure(struct sk_layout *layout, const void *form);

/*
 * Lists get at least `list_max` places where their tables allow it; then the
 * widths are final.  False when the whole is wider than SK_LAYOUT_WIDTH_MAX.
 */
bool sk_layout_settle(struct sk_layout *layout, uint32_t list_max);

static inline uint32_t
sk_layout_width(const struct sk_layout *layout)
{
    return layout->nodes[0].width;
}

/* Writes all sk_layout_width numbers. */
void sk_layout_put(const struct sk_layout *layout, const void *form, int32_t *ret_row);

/* The same for variants, whose row begins with 1 + the kind. */
void sk_layout_put_variant(const struct sk_layout *layout, const struct sk_variants *variants,
                           const void *form, int32_t *ret_row);

/* Whether rows can be read: false if forms hold what does not fit a row or would need memory. */
bool sk_layout_is_readable(const struct sk_layout *layout);

/* Fills a zeroed form; false when the row is not one of the table's. */
bool sk_layout_take_variant(const struct sk_layout *layout, const struct sk_variants *variants,
                            const int32_t *row, void *ret_form);

/* [{"name","min","max"},...] of the node's numbers. */
void sk_layout_describe(const struct sk_layout *layout, uint32_t node, struct sk_json_out *out);

#endif /* SK_LAYOUT_H */
