#include "tests/support/schema_random.h"

#include <string.h>

#define SMALL_SPAN    16 /* distance of a small number from its lower bound */
#define SMALL_WORDS   8  /* ids and names to choose from, per letter */
#define TEXT_SPAN     24 /* how much longer than its minimum a text gets */
#define TEXT_MAX      4096
#define WORD_MAX      12 /* a letter and the digits of a number */
#define WILD_TEXT_MAX 40

static enum sk_status random_value(const struct sk_random *random, const struct sk_member *member,
                                   uint8_t *form);

static bool
one_in(const struct sk_random *random, uint32_t bound)
{
    return sk_rng_below(random->rng, bound) == 0;
}

static bool
is_wild(const struct sk_random *random)
{
    return random->wild_permille > 0 && sk_rng_below(random->rng, 1000) < random->wild_permille;
}

/* ---- numbers ----------------------------------------------------------------------------- */

static int32_t
int_between(const struct sk_random *random, int32_t min, int32_t max)
{
    uint32_t span = max > min ? (uint32_t)max - (uint32_t)min : 0;
    uint32_t step =
        span == UINT32_MAX ? sk_rng_next(random->rng) : sk_rng_below(random->rng, span + 1);

    return (int32_t)((int64_t)min + step);
}

static int32_t
int_extreme(const struct sk_random *random)
{
    static const int32_t extremes[] = {
        INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX
    };

    return extremes[sk_rng_below(random->rng, (uint32_t)SK_COUNT_OF(extremes))];
}

/* Small numbers are near 0 if the bounds allow it, else near the lower bound. */
static int32_t
int_within(const struct sk_random *random, int32_t min, int32_t max)
{
    int32_t low = min < -1 && max > 0 ? -1 : min;
    int32_t high = (int64_t)max - low > SMALL_SPAN ? low + SMALL_SPAN : max;

    switch (sk_rng_below(random->rng, 16)) {
    case 0:
        return min;
    case 1:
        return max;
    case 2:
        return int_between(random, min, max);
    default:
        return int_between(random, low, high);
    }
}

static int32_t
random_int(const struct sk_random *random, const struct sk_member *member)
{
    return is_wild(random) ? int_extreme(random) : int_within(random, member->min, member->max);
}

static void
random_cell(const struct sk_random *random, const struct sk_member *member, struct sk_cell *cell)
{
    cell->x = random_int(random, member);
    cell->y = random_int(random, member);
}

/* ---- texts ------------------------------------------------------------------------------- */

/* A letter and a number, like a1. */
static struct sk_text
word_of(char letter, uint32_t number, char space[WORD_MAX])
{
    char *start = space + WORD_MAX;

    do {
        *--start = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    *--start = letter;
    return (struct sk_text){ start, (uint32_t)(space + WORD_MAX - start) };
}

static enum sk_status
keep_text(const struct sk_random *random, struct sk_text text, struct sk_text *ret_text)
{
    char *at = sk_arena_take(random->arena, text.length);

    if (at == NULL) {
        return SK_ERR_TOO_LONG;
    }
    if (text.length > 0) {
        memcpy(at, text.at, text.length);
    }
    *ret_text = (struct sk_text){ at, text.length };
    return SK_OK;
}

/* Any bytes except zero, which no text can hold; not even valid UTF-8. */
static struct sk_text
wild_text(const struct sk_random *random, char *space, uint32_t size)
{
    uint32_t length = sk_rng_below(random->rng, size + 1);

    for (uint32_t i = 0; i < length; i++) {
        space[i] = (char)(1 + sk_rng_below(random->rng, 255));
    }
    return (struct sk_text){ space, length };
}

static struct sk_text
random_id(const struct sk_random *random, char space[SK_ID_MAX])
{
    uint32_t number = 1 + sk_rng_below(random->rng, SMALL_WORDS);

    if (is_wild(random)) {
        return wild_text(random, space, SK_ID_MAX);
    }
    if (random->id_count > 0 && !one_in(random, 8)) {
        return random->ids[sk_rng_below(random->rng, random->id_count)];
    }
    if (one_in(random, 16)) {
        memset(space, '-', SK_ID_MAX);
        return (struct sk_text){ space, SK_ID_MAX };
    }
    return word_of(one_in(random, 2) ? 'a' : 'b', number, space);
}

static struct sk_text
random_name(const struct sk_random *random, char space[WILD_TEXT_MAX])
{
    uint32_t length = 1 + sk_rng_below(random->rng, SK_NAME_MAX);

    if (is_wild(random)) {
        return wild_text(random, space, WILD_TEXT_MAX);
    }
    if (!one_in(random, 8)) {
        return word_of('n', sk_rng_below(random->rng, SMALL_WORDS), space);
    }
    for (uint32_t i = 0; i < length; i++) {
        space[i] = (char)int_between(random, ' ', '~');
    }
    return (struct sk_text){ space, length };
}

/* Characters of every encoded length, and those that JSON escapes. */
static void
fill_text(const struct sk_random *random, char *at, uint32_t length)
{
    static const char *const pool[] = { "a", " ",        "\"",           "\\",
                                        "/", "\n",       "\x01",         "\x7f",
                                        "0", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80" };
    uint32_t used = 0;

    while (used < length) {
        const char *piece = pool[sk_rng_below(random->rng, (uint32_t)SK_COUNT_OF(pool))];
        size_t size = strlen(piece);

        if (size <= length - used) {
            memcpy(at + used, piece, size);
            used += (uint32_t)size;
        }
    }
}

static enum sk_status
random_text(const struct sk_random *random, const struct sk_member *member, struct sk_text *text)
{
    char space[WILD_TEXT_MAX];
    int32_t top =
        (int64_t)member->max - member->min > TEXT_SPAN ? member->min + TEXT_SPAN : member->max;
    uint32_t length = (uint32_t)int_between(random, member->min, top);
    char *at;

    if (is_wild(random)) {
        return keep_text(random, wild_text(random, space, sizeof(space)), text);
    }
    if (member->max <= TEXT_MAX && one_in(random, 16)) {
        length = (uint32_t)member->max;
    }
    at = sk_arena_take(random->arena, length);
    if (at == NULL) {
        return SK_ERR_TOO_LONG;
    }
    fill_text(random, at, length);
    *text = (struct sk_text){ at, length };
    return SK_OK;
}

/* ---- lists ------------------------------------------------------------------------------- */

static uint32_t
random_count(const struct sk_random *random, const struct sk_member *member)
{
    int32_t max = member->max;

    if (is_wild(random)) {
        return sk_rng_below(random->rng, random->list_max + 1);
    }
    if (max > 0 && (uint32_t)max > random->list_max) {
        max = (int32_t)random->list_max;
    }
    return (uint32_t)int_between(random, member->min, max > member->min ? max : member->min);
}

static enum sk_status
random_items(const struct sk_random *random, const struct sk_member *member, uint8_t *items,
             uint32_t count)
{
    enum sk_status status = SK_OK;

    for (uint32_t i = 0; i < count && status == SK_OK; i++) {
        status = random_value(random, member->item, items + (size_t)i * member->item_size);
    }
    return status;
}

/* A list, or the entries of a map, whose keys must differ. */
static enum sk_status
random_list(const struct sk_random *random, const struct sk_member *member, struct sk_list *list)
{
    uint32_t count = random_count(random, member);
    enum sk_status status = SK_OK;

    list->at = sk_arena_take_items(random->arena, count, member->item_size);
    if (list->at == NULL) {
        return SK_ERR_TOO_LONG;
    }
    list->count = count;
    for (uint32_t i = 0; member->kind == SK_KIND_MAP && i < count && status == SK_OK; i++) {
        char space[WORD_MAX];

        status =
            keep_text(random, word_of('n', i, space), sk_list_item(list, i, member->item_size));
    }
    return status != SK_OK ? status : random_items(random, member, list->at, count);
}

static enum sk_status
random_row(const struct sk_random *random, const struct sk_member *member, uint8_t *at)
{
    struct sk_row *row = (struct sk_row *)(void *)at;
    uint32_t max = member->max > 0 ? (uint32_t)member->max : 0;

    row->count = random_count(random, member);
    return random_items(random, member, at + sizeof(*row), row->count < max ? row->count : max);
}

/* ---- members ----------------------------------------------------------------------------- */

static enum sk_status
random_members(const struct sk_random *random, const struct sk_schema *schema, uint8_t *form)
{
    enum sk_status status = SK_OK;

    if (schema->base != NULL) {
        status = random_members(random, schema->base, form);
    }
    for (uint16_t i = 0; i < schema->member_count && status == SK_OK; i++) {
        status = random_value(random, &schema->members[i], form);
    }
    return status;
}

static enum sk_status
random_variant(const struct sk_random *random, const struct sk_variants *variants, uint8_t *form)
{
    uint32_t kind = sk_rng_below(random->rng, variants->count);

    form[variants->kind_offset] = (uint8_t)kind;
    return random_members(random, variants->of[kind].schema, form);
}

static enum sk_status
random_kind(const struct sk_random *random, const struct sk_member *member, uint8_t *at)
{
    void *place = at;
    char space[WILD_TEXT_MAX];

    switch (member->kind) {
    case SK_KIND_BOOL:
        *(bool *)place = one_in(random, 2);
        return SK_OK;
    case SK_KIND_INT:
        *(int32_t *)place = random_int(random, member);
        return SK_OK;
    case SK_KIND_ENUM:
        *at = (uint8_t)sk_rng_below(random->rng, member->word_count);
        return SK_OK;
    case SK_KIND_ID:
        *(struct sk_id *)place = sk_id_from(random_id(random, space));
        return SK_OK;
    case SK_KIND_ID_TEXT:
        return keep_text(random, random_id(random, space), place);
    case SK_KIND_NAME:
        return keep_text(random, random_name(random, space), place);
    case SK_KIND_TEXT:
        return random_text(random, member, place);
    case SK_KIND_CELL:
        random_cell(random, member, place);
        return SK_OK;
    case SK_KIND_OBJECT:
        return random_members(random, member->object, at);
    case SK_KIND_LIST:
    case SK_KIND_MAP:
        return random_list(random, member, place);
    case SK_KIND_ROW:
        return random_row(random, member, at);
    case SK_KIND_VARIANT:
        return random_variant(random, member->variants, at);
    case SK_KIND_LONG:
        *(int64_t *)place = int_within(random, member->min, INT32_MAX);
        return SK_OK;
    case SK_KIND_JSON:
        ((struct sk_json *)place)->text = SK_TEXT("[]"); /* any JSON will do */
        return SK_OK;
    }
    return SK_OK;
}

/* Whether the member may have no value.  Some kinds have a value that means this. */
static bool
can_be_absent(const struct sk_member *member)
{
    if ((member->flags & (SK_OPTIONAL | SK_NULLABLE)) == 0) {
        return false;
    }
    return (member->flags & SK_TRACKED) != 0 || member->kind == SK_KIND_ID ||
           member->kind == SK_KIND_ID_TEXT || member->kind == SK_KIND_NAME ||
           member->kind == SK_KIND_JSON || (member->kind == SK_KIND_TEXT && member->min > 0);
}

static enum sk_status
random_value(const struct sk_random *random, const struct sk_member *member, uint8_t *form)
{
    if (can_be_absent(member) && one_in(random, 4)) {
        if ((member->flags & SK_OPTIONAL) != 0) {
            sk_member_fallback(member, form);
        }
        return SK_OK;
    }
    if ((member->flags & SK_TRACKED) != 0) {
        *(bool *)(void *)(form + member->present) = true;
    }
    return random_kind(random, member, form + member->offset);
}

enum sk_status
sk_form_random(const struct sk_random *random, const struct sk_schema *schema, void *ret_form)
{
    memset(ret_form, 0, schema->size);
    return random_members(random, schema, ret_form);
}

enum sk_status
sk_variant_random(const struct sk_random *random, const struct sk_variants *variants,
                  void *ret_form)
{
    memset(ret_form, 0, variants->size);
    return random_variant(random, variants, ret_form);
}
