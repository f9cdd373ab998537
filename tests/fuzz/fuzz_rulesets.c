/*
 * Every registered ruleset: bytes as turns of its default match. What must hold for all rulesets is
 * asserted after each.
 *
 * The first byte chooses the ruleset.  A seat's turn is a count, and then for
 * each command a byte that says how it is made: one of the hints, a hint with
 * members written over, or a form made of bytes.
 */
#include <string.h>

#include "common/core/snapshot.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/tables.h"

#define TURNS_MAX    24
#define COMMANDS_MAX 7u
#define SNAPSHOT_MAX 65536u

/* ---- forms made of bytes ----------------------------------------------------------------- */

static int32_t
take_int(struct input *input, const struct sk_member *member)
{
    static const int32_t extremes[] = { INT32_MIN, INT32_MAX, -1, 0 };
    uint8_t byte = input_take(input);
    int64_t span = (int64_t)member->max - member->min + 1;

    return byte >= 0xfc ? extremes[byte & 3] : (int32_t)(member->min + byte % span);
}

/* An id like those that rulesets use, or an unknown one. */
static struct sk_id
take_id(struct input *input)
{
    char id[3] = { 0 };
    uint8_t byte = input_take(input);

    id[0] = (char)('a' + (byte >> 4));
    id[1] = (char)('0' + (byte & 15) % 10);
    return sk_id_from((struct sk_text){ id, 2 });
}

static void bend_members(struct input *input, const struct sk_schema *schema, uint8_t *form);

static void
bend(struct input *input, const struct sk_member *member, uint8_t *at)
{
    void *place = at;

    switch (member->kind) {
    case SK_KIND_BOOL:
        *(bool *)place = (input_take(input) & 1) != 0;
        break;
    case SK_KIND_INT:
        *(int32_t *)place = take_int(input, member);
        break;
    case SK_KIND_ENUM:
        *at = (uint8_t)(input_take(input) % member->word_count);
        break;
    case SK_KIND_ID:
        *(struct sk_id *)place = take_id(input);
        break;
    case SK_KIND_CELL:
        ((struct sk_cell *)place)->x = take_int(input, member);
        ((struct sk_cell *)place)->y = take_int(input, member);
        break;
    case SK_KIND_OBJECT:
        bend_members(input, member->object, at);
        break;
    case SK_KIND_ROW: {
        struct sk_row *row = place;
        uint32_t max = (uint32_t)member->max;

        row->count = input_take(input);
        for (uint32_t i = 0; i < row->count && i < max; i++) {
            bend(input, member->item, at + sizeof(*row) + (size_t)i * member->item_size);
        }
        break;
    }
    default: /* commands have no others: they are copied byte by byte */
        must(false);
    }
}

static void
bend_members(struct input *input, const struct sk_schema *schema, uint8_t *form)
{
    if (schema->base != NULL) {
        bend_members(input, schema->base, form);
    }
    for (uint16_t i = 0; i < schema->member_count; i++) {
        const struct sk_member *member = &schema->members[i];

        if ((member->flags & SK_TRACKED) != 0) {
            *(bool *)(void *)(form + member->present) = (input_take(input) & 3) != 0;
        }
        bend(input, member, form + member->offset);
    }
}

static void
bend_one(struct input *input, const struct sk_schema *schema, uint8_t *form)
{
    if (schema->member_count > 0) {
        const struct sk_member *member = &schema->members[input_take(input) % schema->member_count];

        bend(input, member, form + member->offset);
    }
}

/* ---- commands ---------------------------------------------------------------------------- */

static void
take_command(const struct sk_ruleset *ruleset, struct input *input,
             const struct command_list *hints, uint8_t *command)
{
    const struct sk_variants *variants = ruleset->command;
    uint8_t how = input_take(input);

    memset(command, 0, variants->size);
    if (how < 0xe0 && hints->count > 0) {
        const void *hint = commands_item(hints, input_take_number(input) % hints->count);
        uint8_t kind = ((const struct sk_command *)hint)->kind;

        memcpy(command, hint, variants->size);
        if (how >= 0xa0) {
            bend_one(input, variants->of[kind].schema, command);
        }
    } else {
        uint8_t kind = (uint8_t)(input_take(input) % variants->count);

        command[variants->kind_offset] = kind;
        bend_members(input, variants->of[kind].schema, command);
    }
}

static void
take_commands(struct table *table, struct input *input, uint8_t seat, struct command_list *list)
{
    struct command_list hints;
    uint8_t *command = calloc(1, table->ruleset->command->size);
    uint8_t count = input_take(input) & COMMANDS_MAX;

    must(command != NULL);
    commands_init(&hints, table->ruleset);
    table_hints(table, seat, &hints);
    commands_clear(list);
    for (uint8_t i = 0; i < count; i++) {
        take_command(table->ruleset, input, &hints, command);
        commands_add(list, command);
    }
    commands_fini(&hints);
    free(command);
}

/* ---- what must hold ---------------------------------------------------------------------- */

/* Compares snapshots, because the unused ends of lists may differ. */
static void
check_snapshot(struct table *table)
{
    static uint8_t bytes[SNAPSHOT_MAX];
    static uint8_t bytes_again[SNAPSHOT_MAX];
    struct sk_state *again = calloc(1, table->turn.sizes.state);
    size_t size =
        sk_snapshot_write(table->ruleset, table->config, table->match.state, bytes, sizeof(bytes));

    must(again != NULL);
    must(size <= table->turn.sizes.snapshot);
    must(sk_snapshot_read(table->ruleset, table->config, bytes, size, again) == SK_OK);
    must(sk_snapshot_write(table->ruleset, table->config, again, bytes_again,
                           sizeof(bytes_again)) == size);
    must(memcmp(bytes, bytes_again, size) == 0);
    free(again);
}

/* Resolving does not change the match, and gives the same result again. */
static void
check_again(struct table *table, const struct command_list *const *lists)
{
    uint64_t before = table_hash(table);
    uint64_t hash;

    table_resolve(table, lists);
    hash = sk_turn_hash(&table->turn);
    table_resolve(table, lists);
    must(sk_turn_hash(&table->turn) == hash);
    must(table_hash(table) == before);
}

static void
check_views(struct table *table)
{
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        (void)table_look(table, seat);
    }
    (void)table_look(table, SK_SPECTATOR);
    must(table_guard_holds(table));
}

/* ---- the whole --------------------------------------------------------------------------- */

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = { bytes, size };
    struct table *table = fuzz_table(input_take(&input));
    struct command_list lists[SK_SEATS_MAX];
    const struct command_list *all[SK_SEATS_MAX] = { 0 };

    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        commands_init(&lists[seat], table->ruleset);
        all[seat] = &lists[seat];
    }
    for (int turn = 0; turn < TURNS_MAX && input.size > 0 && !table->match.state->outcome.is_over;
         turn++) {
        for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
            take_commands(table, &input, seat, &lists[seat]);
        }
        must(table_ask_alone(table, all));
        check_again(table, all);
        table_play(table, all);
        check_snapshot(table);
        check_views(table);
    }
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        commands_fini(&lists[seat]);
    }
    return 0;
}
