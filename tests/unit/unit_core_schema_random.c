/* Random forms: they are valid, they come back the same through JSON, and wild ones do no harm. */
#include <stdlib.h>
#include <string.h>

#include "proto/json_out.h"
#include "proto/json_parse.h"
#include "proto/json_pen.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "tests/support/cases.h"
#include "tests/support/schema_random.h"
#include "tests/unit/sample_schema.h"

#define ARENA_SIZE (1u << 20)
#define OUT_SIZE   (1u << 20)

static struct sk_arena arena;

static void
set_up(void)
{
    sk_arena_init(&arena, malloc(ARENA_SIZE), ARENA_SIZE);
    cr_assert_not_null(arena.base);
}

static void
tear_down(void)
{
    free(arena.base);
}

TestSuite(schema_random, .init = set_up, .fini = tear_down);

/* ---- equality ---------------------------------------------------------------------------- */

static bool values_same(const struct sk_member *member, const uint8_t *a, const uint8_t *b);

static bool
members_same(const struct sk_schema *schema, const uint8_t *a, const uint8_t *b)
{
    bool same = schema->base == NULL || members_same(schema->base, a, b);

    for (uint16_t i = 0; i < schema->member_count && same; i++) {
        same = values_same(&schema->members[i], a, b);
    }
    return same;
}

static bool
items_same(const struct sk_member *member, const uint8_t *a, const uint8_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t offset = (size_t)i * member->item_size;

        if (member->kind == SK_KIND_MAP &&
            !sk_text_same(*(const struct sk_text *)(const void *)(a + offset),
                          *(const struct sk_text *)(const void *)(b + offset))) {
            return false;
        }
        if (!values_same(member->item, a + offset, b + offset)) {
            return false;
        }
    }
    return true;
}

static bool
lists_same(const struct sk_member *member, const struct sk_list *a, const struct sk_list *b)
{
    return a->count == b->count && items_same(member, a->at, b->at, a->count);
}

static bool
rows_same(const struct sk_member *member, const struct sk_row *a, const struct sk_row *b)
{
    return a->count == b->count &&
           items_same(member, (const uint8_t *)(a + 1), (const uint8_t *)(b + 1), a->count);
}

static bool
variants_same(const struct sk_variants *variants, const uint8_t *a, const uint8_t *b)
{
    uint8_t kind = a[variants->kind_offset];

    return kind == b[variants->kind_offset] && members_same(variants->of[kind].schema, a, b);
}

/* Two values of one member, pointers followed. */
static bool
values_same(const struct sk_member *member, const uint8_t *a, const uint8_t *b)
{
    const void *in_a = a + member->offset;
    const void *in_b = b + member->offset;

    if ((member->flags & SK_TRACKED) != 0 && a[member->present] != b[member->present]) {
        return false;
    }
    switch (member->kind) {
    case SK_KIND_BOOL:
    case SK_KIND_ENUM:
        return memcmp(in_a, in_b, 1) == 0;
    case SK_KIND_INT:
        return memcmp(in_a, in_b, sizeof(int32_t)) == 0;
    case SK_KIND_ID:
        return sk_id_same(in_a, in_b);
    case SK_KIND_ID_TEXT:
    case SK_KIND_NAME:
    case SK_KIND_TEXT:
        return sk_text_same(*(const struct sk_text *)in_a, *(const struct sk_text *)in_b);
    case SK_KIND_CELL:
        return memcmp(in_a, in_b, sizeof(struct sk_cell)) == 0;
    case SK_KIND_OBJECT:
        return members_same(member->object, in_a, in_b);
    case SK_KIND_LIST:
    case SK_KIND_MAP:
        return lists_same(member, in_a, in_b);
    case SK_KIND_ROW:
        return rows_same(member, in_a, in_b);
    case SK_KIND_VARIANT:
        return variants_same(member->variants, in_a, in_b);
    case SK_KIND_LONG:
        return memcmp(in_a, in_b, sizeof(int64_t)) == 0;
    case SK_KIND_JSON:
        return true; /* text here, and a borrowed object there */
    }
    return false;
}

/* ---- chance ------------------------------------------------------------------------------ */

static void
start(struct sk_rng *rng, uint32_t round)
{
    static const struct sk_seed seed = { { 7 } };

    sk_rng_start(rng, &seed, round, 0);
}

Test(schema_random, random_forms_come_back_the_same)
{
    static char buffer[OUT_SIZE];
    struct sk_rng rng;
    struct sk_random random = { .rng = &rng, .arena = &arena, .list_max = 5 };

    for (uint32_t round = 0; round < 2000; round++) {
        struct sk_fault fault = { 0 };
        struct sk_value *json;
        struct sk_json_out out;
        struct box before;
        struct box after;

        arena.used = 0;
        start(&rng, round);
        cr_assert_eq(sk_form_random(&random, &everything, &before), SK_OK);
        sk_json_out_init(&out, buffer, sizeof(buffer));
        sk_form_write(&out, &everything, &before);
        cr_assert(sk_json_out_is_whole(&out));
        cr_assert_eq(sk_json_parse(buffer, out.used, &json, &fault), SK_OK, "round %u: %s at %s",
                     round, fault.message, fault.at);
        cr_assert_eq(sk_form_read(&everything, json, &arena, &after, &fault), SK_OK,
                     "round %u: %s at %s", round, fault.message, fault.at);
        cr_assert(members_same(&everything, (const uint8_t *)&before, (const uint8_t *)&after),
                  "round %u: %.*s", round, (int)out.used, buffer);
        sk_json_free(json);
    }
}

Test(schema_random, wild_forms_are_still_valid_json)
{
    static char buffer[OUT_SIZE];
    struct sk_rng rng;
    struct sk_random random = { .rng = &rng, .arena = &arena, .list_max = 5, .wild_permille = 200 };
    uint32_t refused = 0;

    for (uint32_t round = 0; round < 2000; round++) {
        struct sk_fault fault;
        struct sk_value *json;
        struct sk_json_out out;
        struct box box;

        arena.used = 0;
        start(&rng, round);
        cr_assert_eq(sk_form_random(&random, &everything, &box), SK_OK);
        sk_json_out_init(&out, buffer, sizeof(buffer));
        sk_form_write(&out, &everything, &box);
        cr_assert(sk_json_out_is_whole(&out));
        if (sk_json_parse(buffer, out.used, &json, &fault) != SK_OK) {
            cr_assert_fail("round %u: %s: %.*s", round, fault.message, (int)out.used, buffer);
        }
        refused += sk_form_read(&everything, json, &arena, &box, &fault) != SK_OK;
        sk_json_free(json);
    }
    cr_expect_gt(refused, 1000);
}

/* The form again, into exactly `size` bytes of the heap. */
static void
write_into(const struct box *box, size_t size, struct sk_text whole, uint32_t round)
{
    char *memory = malloc(size == 0 ? 1 : size);
    struct sk_json_out out;

    sk_json_out_init(&out, size == 0 ? NULL : memory, size);
    sk_form_write(&out, &everything, box);
    cr_assert_eq(out.used, whole.length, "round %u, %zu bytes", round, size);
    cr_assert(size < whole.length || memcmp(memory, whole.at, whole.length) == 0,
              "round %u, %zu bytes", round, size);
    free(memory);
}

Test(schema_random, a_form_is_counted_in_full_and_never_overruns_whatever_the_space)
{
    static char buffer[OUT_SIZE];
    struct sk_rng rng;
    struct sk_random random = { .rng = &rng, .arena = &arena, .list_max = 5, .wild_permille = 100 };

    for (uint32_t round = 0; round < 10; round++) {
        struct sk_json_out out;
        struct box box;

        arena.used = 0;
        start(&rng, round);
        cr_assert_eq(sk_form_random(&random, &everything, &box), SK_OK);
        sk_json_out_init(&out, buffer, sizeof(buffer));
        sk_form_write(&out, &everything, &box);
        for (size_t size = 0; size < out.used + 2 * SK_PEN_SPACE; size++) {
            write_into(&box, size, (struct sk_text){ buffer, (uint32_t)out.used }, round);
        }
    }
}

Test(schema_random, the_same_stream_gives_the_same_form)
{
    struct sk_rng rng;
    struct sk_random random = { .rng = &rng, .arena = &arena, .list_max = 5 };
    struct box a;
    struct box b;

    start(&rng, 1);
    cr_assert_eq(sk_form_random(&random, &everything, &a), SK_OK);
    start(&rng, 1);
    cr_assert_eq(sk_form_random(&random, &everything, &b), SK_OK);
    cr_expect(members_same(&everything, (const uint8_t *)&a, (const uint8_t *)&b));
}

Test(schema_random, random_commands_name_the_units_handed_in)
{
    static const struct sk_text ids[] = { { "ada", 3 }, { "bob", 3 } };
    struct sk_rng rng;
    struct sk_random random = { .rng = &rng, .arena = &arena, .ids = ids, .id_count = 2 };
    uint32_t kinds[3] = { 0 };
    uint32_t known = 0;
    uint32_t extreme = 0;

    start(&rng, 2);
    for (int i = 0; i < 3000; i++) {
        struct shape shape;

        cr_assert_eq(sk_variant_random(&random, &shapes, &shape), SK_OK);
        kinds[shape.kind]++;
        known += shape.kind == 0 && (sk_text_same(sk_id_text(&shape.unit), ids[0]) ||
                                     sk_text_same(sk_id_text(&shape.unit), ids[1]));
        extreme += shape.kind == 0 && (shape.at.x == INT32_MIN || shape.at.x == INT32_MAX);
    }
    cr_expect(kinds[0] > 500 && kinds[1] > 500 && kinds[2] > 500);
    cr_expect_gt(known, kinds[0] / 2);
    cr_expect(extreme > 0 && extreme < kinds[0] / 4);
}

Test(schema_random, a_random_form_that_does_not_fit_is_refused)
{
    struct sk_rng rng;
    struct sk_random random = { .rng = &rng, .arena = &arena, .list_max = 5 };
    struct box box;

    arena.size = 64;
    start(&rng, 3);
    cr_expect_eq(sk_form_random(&random, &everything, &box), SK_ERR_TOO_LONG);
}
